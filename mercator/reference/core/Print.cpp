// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/core/Print.h"

#include <charconv>
#include <cmath>

using namespace mlir;

namespace mercator::reference {

/// `value` rounded to a format; the result may be infinite.
static double roundTo(const llvm::fltSemantics &format, double value) {
  bool lost = false;
  APFloat rounded(value);
  rounded.convert(format, APFloat::rmNearestTiesToEven, &lost);
  rounded.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
  return rounded.convertToDouble();
}

/// Powers of ten that are printed without an exponent.
static constexpr int kLeastPlain = -4, kMostPlain = 15;

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
  constexpr auto scientific = std::chars_format::scientific;
  if (&format == &APFloat::IEEEdouble()) {
    end =
        std::to_chars(std::begin(text), std::end(text), value, scientific).ptr;
  } else if (&format == &APFloat::IEEEsingle()) {
    end = std::to_chars(std::begin(text), std::end(text), float(value),
                        scientific)
              .ptr;
  } else {
    for (int digits = 0; digits < 17; ++digits) {
      end = std::to_chars(std::begin(text), std::end(text), value, scientific,
                          digits)
                .ptr;
      double back = 0;
      std::from_chars(text, end, back);
      if (roundTo(format, back) == value)
        break;
    }
  }
  // -1.25e+02: digits, with a point after the first, and an exponent.
  auto [mantissa, power] = StringRef(text, end - text).split('e');
  int exponent = 0;
  power.consume_front("+");
  power.getAsInteger(10, exponent);
  if (exponent < kLeastPlain || exponent > kMostPlain) {
    os << mantissa << 'e' << (exponent < 0 ? '-' : '+');
    os << (std::abs(exponent) < 10 ? "0" : "") << std::abs(exponent);
    return;
  }
  if (mantissa.consume_front("-"))
    os << '-';
  std::string digits = mantissa.take_front(1).str();
  digits += mantissa.drop_front(std::min<size_t>(2, mantissa.size()));
  if (exponent < 0) {
    os << "0.";
    for (int i = exponent + 1; i < 0; ++i)
      os << '0';
    os << digits;
  } else if (digits.size() <= size_t(exponent) + 1) {
    // An integer: the digits 301 identify the float 3008, but it is not 3010.
    os << uint64_t(std::abs(value)) << ".0";
  } else {
    os << StringRef(digits).take_front(exponent + 1) << '.'
       << StringRef(digits).drop_front(exponent + 1);
  }
}

void print(raw_ostream &os, const Element &element, Scalar value) {
  switch (element.kind) {
  case ElementKind::Boolean:
    os << (value.integer ? "true" : "false");
    break;
  case ElementKind::SignedInt:
    os << value.integer;
    break;
  case ElementKind::UnsignedInt:
    os << uint64_t(value.integer);
    break;
  case ElementKind::Real:
    printFloat(os, *element.format, value.re);
    break;
  case ElementKind::Complex:
    os << '(';
    printFloat(os, *element.format, value.re);
    os << ", ";
    printFloat(os, *element.format, value.im);
    os << ')';
    break;
  }
}

namespace {
/// Prints a tensor as rows of its last dimension, one below the other. The
/// elements of a tensor with several rows have the width of the widest element,
/// and so have those of a row that takes several lines.
class Rows {
public:
  Rows(raw_ostream &os, const Tensor &tensor, bool shorten, unsigned indent)
      : os(os), tensor(tensor), shorten(shorten), indent(indent) {}

  void print() {
    measure();
    printBelow();
  }

private:
  static constexpr int64_t kEdge = 3;
  static constexpr size_t kColumns = 100;

  /// For the next dimension, calls `use()` with each printed index in the
  /// prefix, and `gap()` once in place of the others.
  template <typename Use, typename Gap> void forShown(Use use, Gap gap) {
    int64_t extent = tensor.dim(prefix.size());
    for (int64_t i = 0; i < extent; ++i) {
      if (shorten && i == kEdge && extent > 2 * kEdge) {
        gap();
        i = extent - kEdge;
      }
      prefix.push_back(i);
      use();
      prefix.pop_back();
    }
  }

  std::string element() const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    reference::print(stream, tensor.element(), tensor.at(prefix));
    return text;
  }

  void measure() {
    size_t longest = 0, count = 0;
    auto visit = [&](auto &self) -> void {
      if (prefix.size() == size_t(tensor.rank())) {
        longest = std::max(longest, element().size());
        ++count;
        return;
      }
      forShown([&] { self(self); }, [] {});
    };
    visit(visit);
    if (tensor.rank() == 0)
      return;
    size_t inRow = tensor.dim(tensor.rank() - 1);
    if (shorten)
      inRow = std::min<size_t>(inRow, 2 * kEdge);
    isBroken = indent + tensor.rank() + inRow * (longest + 2) > kColumns;
    width = isBroken || count > inRow ? longest : 0;
  }

  void printBelow() {
    size_t dim = prefix.size();
    if (dim == size_t(tensor.rank())) {
      os << element();
      return;
    }
    os << '[';
    dim + 1 == size_t(tensor.rank()) ? printRow() : printRows();
    os << ']';
  }

  void printRows() {
    size_t start = indent + prefix.size() + 1;
    bool isFirst = true;
    auto separate = [&] {
      if (!isFirst)
        (os << ",\n").indent(start);
      isFirst = false;
    };
    forShown(
        [&] {
          separate();
          printBelow();
        },
        [&] {
          separate();
          os << "...";
        });
  }

  void printRow() {
    size_t start = indent + prefix.size() + 1, column = start;
    bool isFirst = true;
    auto write = [&](StringRef text, size_t padded) {
      if (!isFirst) {
        os << ',';
        if (isBroken && column + 2 + padded >= kColumns) {
          (os << '\n').indent(start);
          column = start;
        } else {
          os << ' ';
          column += 2;
        }
      }
      isFirst = false;
      os.indent(padded - std::min(padded, text.size())) << text;
      column += std::max(padded, text.size());
    };
    forShown([&] { write(element(), width); }, [&] { write("...", 0); });
  }

  raw_ostream &os;
  const Tensor &tensor;
  bool shorten;
  unsigned indent;
  size_t width = 0;
  bool isBroken = false;
  SmallVector<int64_t> prefix;
};
} // namespace

void print(raw_ostream &os, const Tensor &tensor, int64_t limit,
           unsigned indent) {
  // Without elements there may still be very many empty rows.
  if (tensor.size() == 0) {
    os << "[]";
    return;
  }
  Rows(os, tensor, tensor.size() > limit, indent).print();
}

} // namespace mercator::reference
