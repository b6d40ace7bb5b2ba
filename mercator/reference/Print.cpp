// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/Print.h"

#include <charconv>
#include <cmath>

using namespace mlir;

namespace mercator::reference {

/// `value` rounded to a format, in which it is finite or not.
static double roundTo(const llvm::fltSemantics &format, double value) {
  bool lost = false;
  APFloat rounded(value);
  rounded.convert(format, APFloat::rmNearestTiesToEven, &lost);
  rounded.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
  return rounded.convertToDouble();
}

void printFloat(raw_ostream &os, const llvm::fltSemantics &format,
                double value) {
  if (std::isnan(value)) {
    os << "nan";
    return;
  }
  if (std::isinf(value)) {
    os << (value < 0 ? "-inf" : "inf");
    return;
  }
  char text[64];
  char *end = nullptr;
  if (&format == &APFloat::IEEEdouble()) {
    end = std::to_chars(std::begin(text), std::end(text), value).ptr;
  } else if (&format == &APFloat::IEEEsingle()) {
    end = std::to_chars(std::begin(text), std::end(text), float(value)).ptr;
  } else {
    for (int digits = 1; digits <= 17; ++digits) {
      end = std::to_chars(std::begin(text), std::end(text), value,
                          std::chars_format::general, digits)
                .ptr;
      double back = 0;
      std::from_chars(text, end, back);
      if (roundTo(format, back) == value)
        break;
    }
  }
  StringRef digits(text, end - text);
  os << digits;
  if (digits.find_first_of(".e") == StringRef::npos)
    os << ".0";
}

void print(raw_ostream &os, const Element &element, Scalar value) {
  switch (element.kind) {
  case ElementKind::boolean:
    os << (value.integer ? "true" : "false");
    break;
  case ElementKind::signedInt:
    os << value.integer;
    break;
  case ElementKind::unsignedInt:
    os << uint64_t(value.integer);
    break;
  case ElementKind::real:
    printFloat(os, *element.format, value.re);
    break;
  case ElementKind::complex:
    os << '(';
    printFloat(os, *element.format, value.re);
    os << ", ";
    printFloat(os, *element.format, value.im);
    os << ')';
    break;
  }
}

static void printBelow(raw_ostream &os, const Tensor &tensor,
                       SmallVectorImpl<int64_t> &prefix, bool shorten,
                       unsigned indent) {
  size_t dim = prefix.size();
  if (dim == size_t(tensor.rank())) {
    print(os, tensor.element(), tensor.at(prefix));
    return;
  }
  constexpr int64_t edge = 3;
  int64_t extent = tensor.dim(dim);
  bool innermost = dim + 1 == size_t(tensor.rank());
  auto separate = [&] {
    os << ',';
    if (innermost)
      os << ' ';
    else
      (os << "\n").indent(indent + dim + 1);
  };
  os << '[';
  for (int64_t i = 0; i < extent; ++i) {
    if (i != 0)
      separate();
    if (shorten && i == edge && extent > 2 * edge) {
      os << "...";
      i = extent - edge;
      separate();
    }
    prefix.push_back(i);
    printBelow(os, tensor, prefix, shorten, indent);
    prefix.pop_back();
  }
  os << ']';
}

void print(raw_ostream &os, const Tensor &tensor, int64_t limit,
           unsigned indent) {
  // Without elements there may still be a great many empty rows.
  if (tensor.size() == 0) {
    os << "[]";
    return;
  }
  SmallVector<int64_t> prefix;
  printBelow(os, tensor, prefix, tensor.size() > limit, indent);
}

} // namespace mercator::reference
