// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Shardings in bytecode, as the text that the dialect `sdy` keeps of them.

#ifndef MERCATOR_FRONTENDS_VHLO_SHARDINGS_H
#define MERCATOR_FRONTENDS_VHLO_SHARDINGS_H

#include "mercator/frontends/vhlo/Decoder.h"

namespace mercator::vhlo {

/// An attribute of sdy. A part that has no attribute in our dialect, such as one
/// axis, is a string with its text. Null after an error.
mlir::Attribute shardingAttribute(Decoder &in);

} // namespace mercator::vhlo

#endif // MERCATOR_FRONTENDS_VHLO_SHARDINGS_H
