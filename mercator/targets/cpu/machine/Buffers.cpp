// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/machine/Buffers.h"

using namespace mlir;
using namespace mercator;

MemRefType cpu::bufferOf(RankedTensorType type) {
  return MemRefType::get(type.getShape(), type.getElementType());
}

int64_t cpu::elementBytes(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * elementBytes(complex.getElementType());
  if (type.isIndex())
    return 8;
  return std::max<int64_t>(1, type.getIntOrFloatBitWidth() / 8);
}

int64_t cpu::streamedBytes(const Device &device) {
  constexpr int64_t most = 16 << 20;
  return device.caches.empty() ? most
                               : std::min(most, device.caches.back().bytes / 2);
}
