// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Variation.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <limits>

using llvm::StringRef;
using mercator::reference::Element;
using mercator::reference::ElementKind;
using mercator::reference::Scalar;
using mercator::reference::Tensor;

namespace mercator::testing {

Variation variationOf(uint64_t seed) {
  std::mt19937_64 engine(seed * 0x9e3779b97f4a7c15 + 11);
  auto once = [&](uint64_t n) { return engine() % n == 0; };
  auto oneOf = [&](std::initializer_list<const char *> list) -> std::string {
    return *(list.begin() + engine() % list.size());
  };
  Variation v;
  if (once(3))
    v.real =
        oneOf({"f64", "f64", "f64", "f16", "f16", "bf16", "bf16", "f8E4M3FN",
               "f8E5M2", "f8E4M3B11FNUZ", "f8E5M2FNUZ", "f8E4M3FNUZ", "f8E3M4",
               "f8E4M3", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN"});
  if (once(3))
    v.whole = oneOf({"i64", "i16", "i8", "ui8", "ui16", "ui32", "ui64", "i4",
                     "ui4", "i2", "ui2"});
  if (once(4)) {
    v.unknown = int64_t(engine() % 4) + 1;
    v.isBounded = once(3);
  }
  v.outlines = once(4);
  v.draw = once(2)   ? Variation::Draw::WholeNumbers
           : once(2) ? Variation::Draw::Fractions
                     : Variation::Draw::Anything;
  return v;
}

std::string Variation::text() const {
  static constexpr const char *draws[] = {"whole numbers", "fractions",
                                          "anything"};
  return "f32 is " + real + ", i32 is " + whole +
         (unknown ? ", extents of " + std::to_string(*unknown) +
                        (isBounded ? " are bounded" : " are unknown")
                  : "") +
         (outlines ? ", some operations are in functions" : "") +
         ", arguments are " + draws[size_t(draw)];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// `tensor<3x4xcomplex<f32>>` for the text between its brackets.
static std::string variedTensor(StringRef inside, const Variation &by) {
  std::string dims, bounds;
  bool isUnknown = false;
  StringRef rest = inside;
  while (!rest.empty() && llvm::isDigit(rest.front())) {
    int64_t extent = 0;
    StringRef after = rest;
    if (after.consumeInteger(10, extent) || !after.consume_front("x"))
      break;
    bool is = by.unknown == extent;
    isUnknown |= is;
    dims += (is ? "?" : std::to_string(extent)) + "x";
    bounds += (bounds.empty() ? "" : ", ") +
              (is ? std::to_string(extent + 1) : std::string("?"));
    rest = after;
  }
  std::string element = rest.str();
  if (rest == "f32")
    element = by.real;
  else if (rest == "complex<f32>" && by.real == "f64")
    element = "complex<f64>"; // there are no complex numbers of other floats
  else if (rest == "i32")
    element = by.whole;
  std::string out = "tensor<" + dims + element;
  if (isUnknown && by.isBounded)
    out += ", #stablehlo.bounds<" + bounds + ">";
  return out + ">";
}

std::string varied(StringRef text, const Variation &by) {
  std::string out;
  while (!text.empty()) {
    size_t at = text.find("tensor<");
    out += text.take_front(at);
    if (at == StringRef::npos)
      break;
    text = text.drop_front(at + StringRef("tensor<").size());
    size_t end = 0;
    for (int depth = 1; end < text.size(); ++end) {
      depth += text[end] == '<' ? 1 : text[end] == '>' ? -1 : 0;
      if (depth == 0)
        break;
    }
    out += variedTensor(text.take_front(end), by);
    text = text.drop_front(std::min(end + 1, text.size()));
  }
  return out;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static double anyReal(std::mt19937_64 &engine) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  static constexpr double special[] = {
      0.0,   -0.0,  1.0,  -1.0,  0.5,          -0.5,    1.5,      2.5,
      inf,   -inf,  NAN,  1e30,  -1e30,        1e-30,   65504,    448,
      1e-40, -1e-7, 3e38, 127.5, 2147483648.0, -9.3e18, 0x1p-126, 240};
  if (engine() % 2)
    return special[engine() % std::size(special)];
  return double(int64_t(engine() % 4096) - 2048) / 256;
}

static Scalar wholeNumber(const Element &element, const SampleValue &value,
                          Variation::Draw draw, std::mt19937_64 &engine) {
  if (draw == Variation::Draw::Anything && !value.isIndex && engine() % 3 == 0)
    switch (engine() % 4) {
    case 0:
      return Scalar::whole(element.lowest());
    case 1:
      return Scalar::whole(element.highest());
    case 2:
      return Scalar::whole(0);
    default:
      return element.round(Scalar::whole(int64_t(engine())));
    }
  auto count = uint64_t(value.highest - value.lowest + 1);
  return element.round(Scalar::whole(value.lowest + int64_t(engine() % count)));
}

void fill(Tensor &tensor, const SampleValue &value, Variation::Draw draw,
          std::mt19937_64 &engine) {
  const Element &element = tensor.element();
  auto real = [&]() -> double {
    switch (draw) {
    case Variation::Draw::WholeNumbers:
      return double(int64_t(engine() % 7) - 3);
    case Variation::Draw::Fractions:
      return double(int64_t(engine() % 2048) - 1024) / 512;
    case Variation::Draw::Anything:
      break;
    }
    return anyReal(engine);
  };
  for (int64_t i = 0; i < tensor.size(); ++i) {
    if (element.kind == ElementKind::Boolean) {
      tensor.set(i, Scalar::whole(int64_t(engine() % 2)));
    } else if (element.isInteger()) {
      tensor.set(i, wholeNumber(element, value, draw, engine));
    } else {
      double re = real();
      tensor.set(i, Scalar::complex(re, element.isComplex() ? real() : 0));
    }
  }
}

} // namespace mercator::testing
