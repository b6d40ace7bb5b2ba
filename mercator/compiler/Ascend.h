// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MERCATOR_COMPILER_ASCEND_H
#define MERCATOR_COMPILER_ASCEND_H

#include "mercator/dialects/ascend/Registry.h"
#include "mercator/support/Diagnostic.h"

namespace mercator {

/// The generation of devices of that name. None after an error. Internal.
[[nodiscard]] std::optional<ascend::Soc> findSoc(llvm::StringRef name,
                                                 DiagnosticEngine &diagnostics);

} // namespace mercator

#endif // MERCATOR_COMPILER_ASCEND_H
