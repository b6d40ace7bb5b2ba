// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/hlo/FloatFormat.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"

#include <charconv>

using namespace mercator::hlo;
using llvm::APFloat;

const llvm::fltSemantics &mercator::hlo::floatSemantics(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return APFloat::IEEEhalf();
  case ElementType::BF16:
    return APFloat::BFloat();
  case ElementType::F64:
    return APFloat::IEEEdouble();
  case ElementType::F8E3M4:
    return APFloat::Float8E3M4();
  case ElementType::F8E4M3:
    return APFloat::Float8E4M3();
  case ElementType::F8E4M3FN:
    return APFloat::Float8E4M3FN();
  case ElementType::F8E4M3FNUZ:
    return APFloat::Float8E4M3FNUZ();
  case ElementType::F8E4M3B11FNUZ:
    return APFloat::Float8E4M3B11FNUZ();
  case ElementType::F8E5M2:
    return APFloat::Float8E5M2();
  case ElementType::F8E5M2FNUZ:
    return APFloat::Float8E5M2FNUZ();
  case ElementType::F8E8M0FNU:
    return APFloat::Float8E8M0FNU();
  case ElementType::F4E2M1FN:
    return APFloat::Float4E2M1FN();
  default:
    return APFloat::IEEEsingle();
  }
}

bool mercator::hlo::hasIeeeNans(ElementType type) {
  switch (type) {
  case ElementType::F16:
  case ElementType::BF16:
  case ElementType::F32:
  case ElementType::F64:
  case ElementType::F8E3M4:
  case ElementType::F8E4M3:
  case ElementType::F8E5M2:
    return true;
  default:
    return false;
  }
}

FloatStatus mercator::hlo::parseFloat(StringRef text, ElementType type,
                                      APFloat &value) {
  // The common types need no big integers of APFloat.
  if (type == ElementType::F32) {
    float f;
    auto [end, error] = std::from_chars(text.begin(), text.end(), f);
    if (error == std::errc() && end == text.end()) {
      value = APFloat(f);
      return FloatStatus::Ok;
    }
  }
  if (type == ElementType::F64) {
    double d;
    auto [end, error] = std::from_chars(text.begin(), text.end(), d);
    if (error == std::errc() && end == text.end()) {
      value = APFloat(d);
      return FloatStatus::Ok;
    }
  }
  value = APFloat(floatSemantics(type));
  auto status = value.convertFromString(text, APFloat::rmNearestTiesToEven);
  if (!status) {
    llvm::consumeError(status.takeError());
    return FloatStatus::Overflow;
  }
  return *status & APFloat::opOverflow ? FloatStatus::Overflow
                                       : FloatStatus::Ok;
}

std::string mercator::hlo::formatFloat(uint64_t bits, ElementType type) {
  const llvm::fltSemantics &semantics = floatSemantics(type);
  APFloat value(semantics,
                llvm::APInt(APFloat::semanticsSizeInBits(semantics), bits));
  if (value.isNaN()) {
    std::string text = value.isNegative() ? "-nan" : "nan";
    APFloat plain = APFloat::getQNaN(semantics, value.isNegative());
    if (!value.bitwiseIsEqual(plain) && hasIeeeNans(type)) {
      unsigned mantissa = APFloat::semanticsPrecision(semantics) - 1;
      uint64_t payload = bits & ((uint64_t(1) << mantissa) - 1);
      text += "(0x" + llvm::utohexstr(payload, /*LowerCase=*/true) + ")";
    }
    return text;
  }
  if (value.isInfinity())
    return value.isNegative() ? "-inf" : "inf";
  char text[64];
  std::to_chars_result end;
  if (type == ElementType::F64) {
    end = std::to_chars(text, std::end(text), value.convertToDouble());
  } else {
    bool lost;
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lost);
    end = std::to_chars(text, std::end(text), value.convertToFloat());
  }
  return std::string(text, end.ptr);
}
