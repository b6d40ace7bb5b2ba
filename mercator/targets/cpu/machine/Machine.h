// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What machine code is made for, and how its parts find each other.
///
/// ```cpp
/// std::optional<mercator::cpu::Machine> machine =
///     mercator::cpu::Machine::named("x86-64-v3");
/// assert(machine && machine->vectorBytes() == 32);
/// ```

#ifndef MERCATOR_TARGETS_CPU_MACHINE_MACHINE_H
#define MERCATOR_TARGETS_CPU_MACHINE_MACHINE_H

#include "mercator/analysis/device/Device.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mercator::cpu {

/// The name of the function that runs a program (runtime/Abi.h).
inline constexpr llvm::StringLiteral kEntry = "mercator_main";

/// What code is made for.
struct Machine {
  /// A name that LLVM knows: `znver5`, `x86-64-v3`.
  std::string cpu;
  /// As in `+avx512f,-avx512bf16`.
  std::string features;
  /// Its caches, cores and rates.
  Device device;
  /// exp, tanh and the like as the C library computes them, one by one, and
  /// subnormal numbers are kept.
  bool preciseMath = false;
  /// Subnormal numbers are kept without precise math, too.
  bool keepsSubnormals = false;
  /// The host program reports when each dispatch begins and ends.
  bool isTraced = false;
  /// Every load and store is checked to be in a buffer of the program, and
  /// buffers have distances (runtime/Abi.h).
  bool isChecked = false;
  /// Not 0: schedules are drawn at random, from those that are possible. For tests:
  /// the results have the same bits.
  uint64_t scheduleSeed = 0;
  /// LLVM optimizes the code. Tests of what the loops compute need not wait for it: the
  /// code of many small kernels is made in half of the time.
  bool isOptimized = true;
  /// Any CPU has a matrix unit, which is emulated (llvm/Tiles.h). For tests.
  bool emulatesMatrices = false;
  /// The memory of parameters that the caller gives away is written
  /// (host/InPlace.h), and HostProgram says which.
  bool usesDonations = false;

  /// The width of vectors that are multiplied and added in one instruction; 0 if
  /// there is none.
  [[nodiscard]] int64_t vectorBytes() const;

  /// 10^9 operations per second of a core's matrix unit (AMX) on factors of a type,
  /// `bf16` or `i8`; 0 if there is none.
  [[nodiscard]] double matrixRate(llvm::StringRef type) const;

  /// The bytes of the cache that a core has alone, the second one; 1 MiB if the device
  /// does not say.
  [[nodiscard]] int64_t ownCacheBytes() const;

  /// The bytes of the first cache; 32 KiB if the device does not say.
  [[nodiscard]] int64_t firstCacheBytes() const;

  /// The bytes of the last cache; 32 MiB if the device does not say.
  [[nodiscard]] int64_t lastCacheBytes() const;

  /// This machine.
  [[nodiscard]] static Machine host();
  /// `host`, or a name that LLVM knows: `x86-64-v3`. None for another name. The
  /// device is the nearest one that is known.
  [[nodiscard]] static std::optional<Machine> named(llvm::StringRef name);
};

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_MACHINE_MACHINE_H
