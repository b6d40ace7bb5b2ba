// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point elements as text, exactly: parseFloat rounds the decimal once,
// to the nearest value of the type, and formatFloat writes the shortest decimal
// that reads back to the same bits.
//
//     parseFloat("0.1", F32)  = 0x3dcccccd       formatFloat(0x3dcccccd, F32) =
//     "0.1" formatFloat(0x7fc00001, F32) = "nan(0x400001)"

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
/// Requires: `text` is a decimal number, as the lexer checks. A value too small
/// becomes zero or subnormal; one too large is Overflow.
[[nodiscard]] FloatStatus parseFloat(StringRef text, ElementType type,
                                     llvm::APFloat &value);

/// `bits` is the bit pattern of one element.
[[nodiscard]] std::string formatFloat(uint64_t bits, ElementType type);

} // namespace mercator::hlo

#endif // MERCATOR_FRONTENDS_HLO_FLOATFORMAT_H
