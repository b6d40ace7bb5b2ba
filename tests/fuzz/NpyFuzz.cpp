// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Any bytes give an array or an error, and arrays round-trip.

#include "mercator/runtime/Npy.h"

#include <cstdlib>

using namespace mercator;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Fallible<NpyArray> array =
      parseNpy({reinterpret_cast<const char *>(data), size});
  if (!array) {
    if (array.why().empty())
      std::abort();
    return 0;
  }
  Fallible<NpyArray> again = parseNpy(printNpy(*array));
  if (!again || again->type != array->type || again->shape != array->shape ||
      again->elements != array->elements)
    std::abort();
  return 0;
}
