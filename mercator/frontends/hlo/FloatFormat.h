// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point elements as text, without loss. parseFloat rounds the decimal
// once, to the nearest value of the type. formatFloat writes the shortest
// decimal that reads back to the same bits.
//
// ```cpp
// llvm::APFloat value(0.0);
// assert(parseFloat("0.1", ElementType::F32, value) == FloatStatus::Ok);
// assert(value.bitcastToAPInt() == 0x3dcccccd);
// assert(formatFloat(0x3dcccccd, ElementType::F32) == "0.1");
// assert(formatFloat(0x7fc00001, ElementType::F32) == "nan(0x400001)");
// ```

#ifndef MERCATOR_FRONTENDS_HLO_FLOATFORMAT_H
#define MERCATOR_FRONTENDS_HLO_FLOATFORMAT_H

#include "mercator/frontends/hlo/Syntax.h"

#include "llvm/ADT/APFloat.h"

namespace mercator::hlo {

/// Requires: isFloat(type).
[[nodiscard]] const llvm::fltSemantics &floatSemantics(ElementType type);

/// Whether NaNs of the type carry a mantissa, as in IEEE 754.
[[nodiscard]] bool hasIeeeNans(ElementType type);

enum class FloatStatus { Ok, Overflow };
/// Requires: `text` is a decimal number, as the lexer checks. A value that is
/// too small becomes zero or subnormal; a value that is too large gives
/// Overflow.
[[nodiscard]] FloatStatus parseFloat(StringRef text, ElementType type,
                                     llvm::APFloat &value);

/// `bits` is the bit pattern of one element.
[[nodiscard]] std::string formatFloat(uint64_t bits, ElementType type);

} // namespace mercator::hlo

#endif // MERCATOR_FRONTENDS_HLO_FLOATFORMAT_H
