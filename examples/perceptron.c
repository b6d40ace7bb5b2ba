/* Calls a compiled program from C. In the root of Mercator's source tree:
 *
 *   mercator compile examples/perceptron.mlir --target=cpu -o perceptron.so
 *   cc -I . examples/perceptron.c ./perceptron.so -o perceptron
 *   ./perceptron
 *
 * perceptron.h is written beside perceptron.so, and includes
 * mercator/runtime/Abi.h of the source tree: `-I .` finds both. */

#include "perceptron.h"

#include <stdio.h>

int main(void) {
  static float x[32 * 64], w1[64 * 128], b1[128], w2[128 * 16], y[16 * 32];
  for (int i = 0; i < 32 * 64; ++i)
    x[i] = 1.0f;
  for (int i = 0; i < 64 * 128; ++i)
    w1[i] = 0.5f;
  for (int i = 0; i < 128; ++i)
    b1[i] = i < 64 ? -32.0f : 1.0f; /* half of the layer is cut to zero */
  for (int i = 0; i < 128 * 16; ++i)
    w2[i] = 0.25f;

  mercator_context *context = mercator_new_context(PERCEPTRON_ARENA_BYTES);
  if (!context) {
    fprintf(stderr, "there is no memory for the context\n");
    return 1;
  }
  int32_t status = perceptron_run(context, x, w1, b1, w2, y);
  mercator_free_context(context);
  if (status != mercator_ok) {
    fprintf(stderr, "the program failed with status %d\n", (int)status);
    return 1;
  }
  printf("y[0][0] = %g, y[15][31] = %g\n", y[0], y[16 * 32 - 1]);
  return 0;
}
