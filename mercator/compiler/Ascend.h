// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MERCATOR_COMPILER_ASCEND_H
#define MERCATOR_COMPILER_ASCEND_H

#include "mercator/analysis/device/Device.h"
#include "mercator/support/Diagnostic.h"

namespace mercator {

/// The generation of devices of that name. Null after an error. Internal.
[[nodiscard]] const Device *findAscendDevice(llvm::StringRef name,
                                             DiagnosticEngine &diagnostics);

} // namespace mercator

#endif // MERCATOR_COMPILER_ASCEND_H
