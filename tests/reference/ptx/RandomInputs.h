// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Random arrays for a compiled program: floats in [-1, 1), integers from 0 to 3,
/// truth values.

#ifndef MERCATOR_TESTS_REFERENCE_PTX_RANDOMINPUTS_H
#define MERCATOR_TESTS_REFERENCE_PTX_RANDOMINPUTS_H

#include "mercator/reference/ptx/Formats.h"
#include "tests/reference/ptx/CompiledProgram.h"

#include <random>

namespace mercator {

inline std::vector<std::vector<uint8_t>>
randomInputs(const std::vector<ArrayType> &types, uint64_t seed) {
  using namespace reference::ptx;
  std::mt19937_64 random(seed);
  std::vector<std::vector<uint8_t>> inputs;
  for (const ArrayType &type : types) {
    std::vector<uint8_t> &bytes = inputs.emplace_back(type.bytes());
    llvm::StringRef element = type.element;
    bool isComplex = element.starts_with("c");
    uint64_t count = uint64_t(type.elements()) * (isComplex ? 2 : 1);
    uint64_t size = count == 0 ? 0 : bytes.size() / count;
    for (uint64_t at = 0; at < count && size != 0; ++at) {
      double number = double(int64_t(random() >> 40) - (1 << 23)) / (1 << 23);
      uint64_t bits = random() & (element == "pred" ? 1 : 3);
      if (element == "f64" || element == "c128")
        bits = std::bit_cast<uint64_t>(number);
      else if (element == "f32" || element == "c64")
        bits = std::bit_cast<uint32_t>(float(number));
      else if (element == "f16" || element == "bf16")
        bits = encode(element == "f16" ? kF16 : kBF16, {number},
                      Rounding::Nearest);
      else if (element.contains('f'))
        bits = encode(element == "f8e5m2" ? kE5M2 : kE4M3, {number},
                      Rounding::Nearest);
      for (uint64_t byte = 0; byte < size; ++byte)
        bytes[at * size + byte] = uint8_t(bits >> (8 * byte));
    }
  }
  return inputs;
}

} // namespace mercator

#endif // MERCATOR_TESTS_REFERENCE_PTX_RANDOMINPUTS_H
