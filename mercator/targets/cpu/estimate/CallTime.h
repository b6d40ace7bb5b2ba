// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How long a function of the runtime takes on a device (runtime/Calls.h).
///
///   LibraryCall call{.name = "fft_c64",
///                    .operands = {{{64, 4096}, 8}},
///                    .results = {{{64, 4096}, 8}},
///                    .numbers = {1}};
///   std::optional<Time> time = timeOf(call, device, {.programBytes = 4 << 20});
///
/// Fourier transforms are loops of the runtime. Their factors, vectors and passes are
/// counted as runtime/calls/Fft.cpp chooses them. Random bits are a loop, too.
///
/// Linear algebra is LAPACK's. Its operations are those of the textbook (Golub and
/// Van Loan, "Matrix Computations"), in three kinds:
///
///   products     of blocks, near the rate of multiply-adds
///   vectors      a matrix times a vector: each element is read for one multiply-add
///   steps        of a column or a row: divisions, roots, and calls
///
/// How often an iteration for eigenvalues repeats depends on the data. The usual
/// number counts.

#ifndef MERCATOR_TARGETS_CPU_ESTIMATE_CALLTIME_H
#define MERCATOR_TARGETS_CPU_ESTIMATE_CALLTIME_H

#include "mercator/analysis/device/Device.h"
#include "mercator/targets/cpu/estimate/KernelTime.h"

#include <optional>
#include <string>
#include <vector>

namespace mercator::cpu {

struct CallTensor {
  std::vector<int64_t> shape;
  int64_t elementBytes;

  bool operator==(const CallTensor &) const = default;
};

struct LibraryCall {
  std::string name; ///< of the function, without `mercator_`
  std::vector<CallTensor> operands = {}, results = {};
  std::vector<int64_t> numbers = {};

  bool operator==(const LibraryCall &) const = default;
};

/// None of a function that exchanges data with other processes.
[[nodiscard]] std::optional<Time> timeOf(const LibraryCall &call,
                                         const Device &device,
                                         const TimeOptions &options = {});

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_ESTIMATE_CALLTIME_H
