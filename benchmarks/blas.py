# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""blas.py: products of f32 matrices by OpenBLAS and by oneDNN, those of benchmarks/requirements.txt or of the system.

A library is a function that multiplies, and one that sets the number of threads; or None where it is missing:

  multiply, set_threads = blas.openblas()
  set_threads(1)
  multiply(m, n, k, a, b, c, left=False, right=True)  # c = a . transposed b; numpy arrays, or their stacks
"""

import ctypes
import importlib.util
import os
import sys

INT, LONG, FLOAT, POINTER = ctypes.c_int, ctypes.c_int64, ctypes.c_float, ctypes.c_void_p
BY_ROWS, PLAIN, TRANSPOSED = 101, 111, 112  # of CBLAS


def load(title, *paths):
    """The first of the libraries that exists, or None."""
    for path in paths:
        try:
            return ctypes.CDLL(path)
        except OSError:
            pass
    print(f"{title} is missing", file=sys.stderr)


def openblas():
    os.environ.pop("OPENBLAS_CORETYPE", None)  # its own choice of kernels is the fair one
    wheel = importlib.util.find_spec("scipy_openblas32")
    paths = [f"{folder}/lib/libscipy_openblas.so" for folder in (wheel.submodule_search_locations if wheel else [])]
    library = load("OpenBLAS", *paths, "libopenblas.so.0")
    if not library:
        return None
    prefix = "scipy_" if hasattr(library, "scipy_cblas_sgemm") else ""
    gemm, gemv = library[f"{prefix}cblas_sgemm"], library[f"{prefix}cblas_sgemv"]
    gemm.argtypes = [INT] * 6 + [FLOAT, POINTER, INT, POINTER, INT, FLOAT, POINTER, INT]
    gemv.argtypes = [INT] * 4 + [FLOAT, POINTER, INT, POINTER, INT, FLOAT, POINTER, INT]
    batch = getattr(library, f"{prefix}cblas_sgemm_batch_strided", None)
    if batch:
        batch.argtypes = [INT] * 6 + [FLOAT, POINTER, INT, INT, POINTER, INT, INT, FLOAT, POINTER, INT, INT, INT]

    def multiply(m, n, k, a, b, c, left=False, right=False):
        transposed = [TRANSPOSED if side else PLAIN for side in (left, right)]
        a_row, b_row = m if left else k, k if right else n
        a, b, c, stacked = a.ctypes.data, b.ctypes.data, c.ctypes.data, c.shape[0] if c.ndim == 3 else 0
        if stacked and batch:
            batch(BY_ROWS, *transposed, m, n, k, 1, a, a_row, m * k, b, b_row, k * n, 0, c, n, m * n, stacked)
        elif stacked:
            for i in range(stacked):
                gemm(BY_ROWS, *transposed, m, n, k, 1, a + 4 * i * m * k, a_row, b + 4 * i * k * n, b_row, 0, c + 4 * i * m * n, n)
        elif m == 1 and right:
            gemv(BY_ROWS, PLAIN, n, k, 1, b, k, a, 1, 0, c, 1)
        elif m == 1:
            gemv(BY_ROWS, TRANSPOSED, k, n, 1, b, n, a, 1, 0, c, 1)
        else:
            gemm(BY_ROWS, *transposed, m, n, k, 1, a, a_row, b, b_row, 0, c, n)

    return multiply, library[f"{prefix}openblas_set_num_threads"]


def onednn():
    """Its product of two matrices; of stacks it has none in C by one call, so they take one call each."""
    library = load("oneDNN", f"{sys.prefix}/lib/libdnnl.so.3", "libdnnl.so.3", "libdnnl.so.2")
    openmp = load("OpenMP of GCC", "libgomp.so.1")
    if not library or not openmp:
        return None
    gemm = library.dnnl_sgemm
    gemm.argtypes = [ctypes.c_char] * 2 + [LONG] * 3 + [FLOAT, POINTER, LONG, POINTER, LONG, FLOAT, POINTER, LONG]

    def multiply(m, n, k, a, b, c, left=False, right=False):
        transposed = [b"T" if side else b"N" for side in (left, right)]
        a_row, b_row = m if left else k, k if right else n
        a, b, c, stacked = a.ctypes.data, b.ctypes.data, c.ctypes.data, c.shape[0] if c.ndim == 3 else 1
        for i in range(stacked):
            gemm(*transposed, m, n, k, 1, a + 4 * i * m * k, a_row, b + 4 * i * k * n, b_row, 0, c + 4 * i * m * n, n)

    return multiply, openmp.omp_set_num_threads
