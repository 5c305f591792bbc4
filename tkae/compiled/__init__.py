"""Compiled code: how it is made and kept, and the vector arithmetic of the engine and the TCK.

`jit` compiles, `vectors` has the instructions, `lanes` their operators; on these rest the products of
recurrent layers (`products`, `transpose`) and of dense ones (`tiles`, `matrix`), and passes over arrays
(`sweep`).
"""
