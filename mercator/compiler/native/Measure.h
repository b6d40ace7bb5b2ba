// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The rates of this machine, measured.
///
/// ```cpp (llvm::raw_ostream &os)
/// mercator::Device host = mercator::measureHost();
/// os << mercator::toJson(host, /*indent=*/2) << '\n'; // a file for `--device`
/// ```
///
/// What is measured, each as the best of many short runs, since other programs
/// only make a run slower:
///
///   clock           a chain of additions that wait for each other
///   multiply-adds   independent chains of one instruction in registers, in one
///                   core: f32 and f64, and bf16 and i8 if there are instructions
///   functions       exp, division and others of f32: programs of one operation,
///                   compiled for this machine, on buffers in the second cache
///   bandwidth       reads of a buffer of half the size of a cache, again and
///                   again, by one core, then by all; of memory, of a buffer of
///                   eight times the last cache. Of a virtual machine, the last cache
///                   counts as the part of it that buffers stay in
///   core            `store_loads`, `leaving_seen` and `jump_lines`: writes to the
///                   first two caches, and reads of lines that are not neighbors;
///                   `shuffle_slots`: independent chains of shuffles;
///                   `library_rate`: a triangular system, by LAPACK
///   dispatch        parts that do nothing, by the threads of the runtime: from the
///                   call until the last part begins, and from the end of the last
///                   part until the call returns. The median of 32 in a row
///
/// Vectors, caches and cores are those of hostDevice(); rates that are not measured
/// are not known, except those of matrix units. It takes about five seconds.

#ifndef MERCATOR_COMPILER_NATIVE_MEASURE_H
#define MERCATOR_COMPILER_NATIVE_MEASURE_H

#include "mercator/analysis/device/Device.h"

namespace mercator {

[[nodiscard]] Device measureHost();

} // namespace mercator

#endif // MERCATOR_COMPILER_NATIVE_MEASURE_H
