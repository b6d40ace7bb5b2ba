// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The devices and the ways to gather that `--soc` and `--way` name. Internal.

#ifndef MERCATOR_COMPILER_PROGRAM_ASCENDDEVICE_H
#define MERCATOR_COMPILER_PROGRAM_ASCENDDEVICE_H

#include "mercator/analysis/device/Device.h"
#include "mercator/support/Diagnostic.h"
#include "mercator/targets/ascend/gather/EmitPlan.h"

namespace mercator {

/// The generation `910b`, the chips that ATC calls Ascend910B1 and so on, or
/// `any`. Null after an error.
[[nodiscard]] const Device *findAscendDevice(llvm::StringRef name,
                                             DiagnosticEngine &diagnostics);

/// The options for plans of gathers: a device, and the name of a strategy or
/// nothing. None after an error.
[[nodiscard]] std::optional<ascend::PlanOptions>
findPlanOptions(llvm::StringRef soc, llvm::StringRef way,
                DiagnosticEngine &diagnostics);

} // namespace mercator

#endif // MERCATOR_COMPILER_PROGRAM_ASCENDDEVICE_H
