// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs with random shardings, of 1 to 8 devices. Values are small whole
// numbers, which f32 adds exactly in any order, wherever an operation allows it.

#ifndef MERCATOR_TESTS_TRANSFORMS_SPMD_RANDOMSHARDED_H
#define MERCATOR_TESTS_TRANSFORMS_SPMD_RANDOMSHARDED_H

#include <cstdint>
#include <string>

namespace mercator::spmd {

/// StableHLO with meshes and shardings of sdy. Equal for equal seeds.
[[nodiscard]] std::string randomShardedProgram(uint64_t seed);

} // namespace mercator::spmd

#endif // MERCATOR_TESTS_TRANSFORMS_SPMD_RANDOMSHARDED_H
