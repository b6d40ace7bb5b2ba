/* Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls the program of perceptron.so with tensors at all addresses, and with a
 * floating-point mode that the program must not use and must not change. */

#include "perceptron.h"

#include <stdio.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { X = 32 * 64, W1 = 64 * 128, B1 = 128, W2 = 128 * 16, Y = 16 * 32 };

static char memory[5][64 + 4 * W1];

int main(void) {
  static float x[X], w1[W1], b1[B1], w2[W2], first[Y], y[Y];
  int wrong = 0, modes = 0;
  for (int i = 0; i < X; ++i)
    x[i] = (float)(i % 7) * 0.3f;
  for (int i = 0; i < W1; ++i)
    w1[i] = (float)(i % 11) * 0.1f - 0.5f;
  for (int i = 0; i < B1; ++i)
    b1[i] = 1.0f;
  for (int i = 0; i < W2; ++i)
    w2[i] = (float)(i % 5) * 0.1f;
  mercator_context *context = mercator_new_context(PERCEPTRON_ARENA_BYTES);
  for (int at = 0; at < 64; ++at) {
    const int64_t s0[] = {32, 64}, s1[] = {64, 128}, s2[] = {128}, s3[] = {128, 16}, s4[] = {16, 32};
    memcpy(memory[0] + at, x, sizeof x);
    memcpy(memory[1] + at, w1, sizeof w1);
    memcpy(memory[2] + at, b1, sizeof b1);
    memcpy(memory[3] + at, w2, sizeof w2);
    const mercator_tensor inputs[] = {
        {memory[0] + at, 2, s0}, {memory[1] + at, 2, s1}, {memory[2] + at, 1, s2}, {memory[3] + at, 2, s3}};
    mercator_tensor results[] = {{memory[4] + at, 2, s4}};
#if defined(__x86_64__)
    const unsigned before = 0x1f80 | (at % 4 << 13) | (at % 2 ? 0x8040 : 0);
    _mm_setcsr(before);
#endif
    wrong += perceptron(context, inputs, results) != mercator_ok;
#if defined(__x86_64__)
    modes += _mm_getcsr() != before;
    _mm_setcsr(0x1f80);
#endif
    memcpy(y, memory[4] + at, sizeof y);
    if (at == 0)
      memcpy(first, y, sizeof y);
    wrong += memcmp(first, y, sizeof y) != 0;
  }
  mercator_free_context(context);
  printf("64 addresses, %d wrong, %d modes changed, y[0] = %g\n", wrong, modes, (double)first[0]);
  return 0;
}
