"""Kernels between incomplete time series: the time series cluster kernel that the TKAE is aligned to.

`tck` has the public class, `draws` what chance decides for a member of the ensemble, `member` one member,
`mixture` its MAP-EM in Numba, `gram` the kernel matrix by blocked products, `cache` kernels kept on disk.
"""
