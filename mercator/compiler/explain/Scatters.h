// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The scatters and dynamic_update_slices of a program, each with the planner's
/// answer. Internal.

#ifndef MERCATOR_COMPILER_EXPLAIN_SCATTERS_H
#define MERCATOR_COMPILER_EXPLAIN_SCATTERS_H

#include "mercator/analysis/device/Device.h"
#include "mercator/compiler/explain/Explanation.h"
#include "mercator/compiler/program/Instructions.h"

namespace mercator {

/// The scatters of all computations, planned for a generation of devices. The
/// planner inserts nodes; they are erased before the function returns. Requires:
/// the dialect of GE is loaded.
[[nodiscard]] std::vector<Explanation::Scatter>
explainScatters(const InstructionTable &table, const Device &device);

} // namespace mercator

#endif // MERCATOR_COMPILER_EXPLAIN_SCATTERS_H
