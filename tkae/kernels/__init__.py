"""Kernels between incomplete time series: the time series cluster kernel that the TKAE is aligned to.

`ensemble` has the settings, the fit and the kernel, `draws` what chance decides for a member of the ensemble,
`member` one member, `mixture` its MAP-EM in Numba, `gram` the kernel matrix by blocked products, `cache`
kernels kept on disk. The model that users import is `tkae.models.tck.TCK`.
"""
