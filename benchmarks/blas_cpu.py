# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""blas_cpu.py: what this CPU can do, and what OpenBLAS and oneDNN make of products of f32 matrices, as JSON.

"peak" is the number of operations per second of multiply-adds in registers, "copy" the bytes per second that
memcpy reads and writes in arrays of 64 MiB: the best and the median of five rounds. "products" are median seconds.
All of them for one and for two threads. The libraries are those of benchmarks/requirements.txt, or of the system.
"""

import ctypes
import importlib.util
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy

THREADS = (1, 2)
PRODUCTS = [(1024, 1024, 1024), (128, 4096, 4096), (1, 4096, 4096)]  # rows, columns, what the sums run over

LIMITS = r"""
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __AVX512F__
typedef float Vector __attribute__((vector_size(64)));
#else
typedef float Vector __attribute__((vector_size(32)));
#endif

enum { SUMS = 10, STEPS = 20000000, BYTES = 64 << 20, ROUNDS = 5, MOST_THREADS = 2 };

static pthread_barrier_t start;
static int threads;
static char *from, *to;
static volatile float factor = 0.5f, sink;

/* Independent sums, enough to hide the latency of one multiply-add. */
static void *multiplyAdd(void *number) {
  Vector sums[SUMS], total = {0}, scale = total + factor;
  for (int i = 0; i < SUMS; ++i)
    sums[i] = total + (float)i; /* different, or one sum would do */
  pthread_barrier_wait(&start);
  for (long step = 0; step < STEPS; ++step)
    for (int i = 0; i < SUMS; ++i)
      sums[i] = sums[i] * scale + scale;
  for (int i = 0; i < SUMS; ++i)
    total += sums[i];
  sink = total[0];
  return number;
}

static void *copy(void *number) {
  size_t part = BYTES / threads, offset = part * (size_t)number;
  pthread_barrier_wait(&start);
  memcpy(to + offset, from + offset, part);
  return number;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static void measure(const char *name, void *(*work)(void *), double amount) {
  for (int round = 0; round < ROUNDS; ++round) {
    pthread_t handles[MOST_THREADS];
    pthread_barrier_init(&start, 0, threads + 1);
    for (long i = 0; i < threads; ++i)
      pthread_create(&handles[i], 0, work, (void *)i);
    double begin = now();
    pthread_barrier_wait(&start);
    for (int i = 0; i < threads; ++i)
      pthread_join(handles[i], 0);
    printf("%s %d %.6e\n", name, threads, amount / (now() - begin));
  }
}

int main(void) {
  from = malloc(BYTES);
  to = malloc(BYTES);
  memset(from, 1, BYTES);
  memset(to, 2, BYTES);
  for (threads = 1; threads <= MOST_THREADS; ++threads) {
    measure("peak", multiplyAdd, 2.0 * SUMS * STEPS * (sizeof(Vector) / sizeof(float)) * threads);
    measure("copy", copy, 2.0 * BYTES);
  }
  return 0;
}
"""


def limits():
    """{"peak": {threads: {"best": operations a second, "median": ..}}, "copy": ..}."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder) / "limits.c", pathlib.Path(folder) / "limits"
        source.write_text(LIMITS)
        subprocess.run(["cc", "-O3", "-march=native", "-pthread", source, "-o", program], check=True)
        lines = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    rates = {}
    for name, threads, rate in map(str.split, lines):
        rates.setdefault(name, {}).setdefault(threads, []).append(float(rate))
    return {
        name: {threads: {"best": max(of), "median": statistics.median(of)} for threads, of in rates[name].items()}
        for name in rates
    }


def load(title, *paths):
    """The first of the libraries that exists, or None."""
    for path in paths:
        try:
            return ctypes.CDLL(path)
        except OSError:
            pass
    print(f"{title} is missing", file=sys.stderr)


INT, LONG, FLOAT, POINTER = ctypes.c_int, ctypes.c_int64, ctypes.c_float, ctypes.c_void_p
BY_ROWS, PLAIN, TRANSPOSED = 101, 111, 112  # of CBLAS


def openblas():
    """A function that multiplies matrices, and one that sets the number of threads."""
    if "avx512f" in pathlib.Path("/proc/cpuinfo").read_text():
        os.environ.setdefault("OPENBLAS_CORETYPE", "SKYLAKEX")  # not all versions know new processors
    wheel = importlib.util.find_spec("scipy_openblas32")
    paths = [f"{folder}/lib/libscipy_openblas.so" for folder in (wheel.submodule_search_locations if wheel else [])]
    library = load("OpenBLAS", *paths, "libopenblas.so.0")
    if not library:
        return None
    prefix = "scipy_" if hasattr(library, "scipy_cblas_sgemm") else ""
    gemm, gemv = library[f"{prefix}cblas_sgemm"], library[f"{prefix}cblas_sgemv"]
    gemm.argtypes = [INT] * 6 + [FLOAT, POINTER, INT, POINTER, INT, FLOAT, POINTER, INT]
    gemv.argtypes = [INT] * 4 + [FLOAT, POINTER, INT, POINTER, INT, FLOAT, POINTER, INT]

    def multiply(m, n, k, a, b, c):
        if m == 1:
            gemv(BY_ROWS, TRANSPOSED, k, n, 1, b, n, a, 1, 0, c, 1)
        else:
            gemm(BY_ROWS, PLAIN, PLAIN, m, n, k, 1, a, k, b, n, 0, c, n)

    return multiply, library[f"{prefix}openblas_set_num_threads"]


def onednn():
    library = load("oneDNN", f"{sys.prefix}/lib/libdnnl.so.3", "libdnnl.so.3", "libdnnl.so.2")
    openmp = load("OpenMP of GCC", "libgomp.so.1")
    if not library or not openmp:
        return None
    gemm = library.dnnl_sgemm
    gemm.argtypes = [ctypes.c_char] * 2 + [LONG] * 3 + [FLOAT, POINTER, LONG, POINTER, LONG, FLOAT, POINTER, LONG]

    def multiply(m, n, k, a, b, c):
        gemm(b"N", b"N", m, n, k, 1, a, k, b, n, 0, c, n)

    return multiply, openmp.omp_set_num_threads


def median_time(work):
    work()
    times = []
    end = time.perf_counter() + 1.5
    while time.perf_counter() < end:
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def products(library):
    """{"1024x1024x1024": {threads: seconds}, ..}."""
    multiply, set_threads = library
    random = numpy.random.default_rng(0)
    times = {}
    for m, n, k in PRODUCTS:
        a, b = (random.standard_normal(shape, numpy.float32) for shape in ((m, k), (k, n)))
        c = numpy.zeros((m, n), numpy.float32)
        pointers = [array.ctypes.data for array in (a, b, c)]
        of = times[f"{m}x{n}x{k}"] = {}
        for threads in THREADS:
            set_threads(threads)
            of[threads] = median_time(lambda: multiply(m, n, k, *pointers))
        if not numpy.allclose(c, a @ b, rtol=1e-3, atol=1e-2):
            sys.exit("a product is wrong")
    return times


def main():
    libraries = {"OpenBLAS": openblas(), "oneDNN": onednn()}
    results = limits()
    results["products"] = {title: products(library) for title, library in libraries.items() if library}
    print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
