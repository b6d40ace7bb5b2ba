// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pieces of the text of a program.

#ifndef MERCATOR_TESTS_RANDOM_TEXTS_H
#define MERCATOR_TESTS_RANDOM_TEXTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"

#include <string>

namespace mercator {

/// `tensor<2x3xf32>`.
inline std::string tensorText(llvm::ArrayRef<int64_t> shape,
                              llvm::StringRef element) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element.str() + ">";
}
/// `[2, 3]`.
inline std::string listText(llvm::ArrayRef<int64_t> values) {
  return "[" +
         llvm::join(
             llvm::map_range(
                 values, [](int64_t value) { return std::to_string(value); }),
             ", ") +
         "]";
}

} // namespace mercator

#endif // MERCATOR_TESTS_RANDOM_TEXTS_H
