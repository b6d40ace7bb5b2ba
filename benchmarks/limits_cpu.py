# Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""limits_cpu.py: what this CPU can do, as JSON.

"peak" is the number of operations per second of multiply-adds in registers, "copy" the bytes per second that
memcpy reads and writes in arrays of 64 MiB: the best and the median of five rounds, for one and for two threads.
"""

import json
import pathlib
import statistics
import subprocess
import tempfile

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


def main():
    print(json.dumps(limits(), indent=2))


if __name__ == "__main__":
    main()
