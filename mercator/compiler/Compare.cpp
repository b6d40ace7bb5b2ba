// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/Compare.h"

#include "mercator/compiler/NpyTensor.h"
#include "mercator/support/Diagnostic.h"

#include "llvm/Support/Format.h"

#include <cmath>

using namespace mercator;
using namespace mercator::reference;

double mercator::defaultTolerance(mlir::Type element) {
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(element))
    element = complex.getElementType();
  auto type = llvm::dyn_cast<mlir::FloatType>(element);
  if (!type)
    return 0;
  if (type.getWidth() < 16)
    return 0.25;
  if (type.isBF16())
    return 2e-2;
  if (type.isF16())
    return 2e-3;
  return type.isF64() ? 1e-10 : 1e-4;
}

static std::string textOf(Scalar value, const Element &element) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (element.isReal())
    os << llvm::format("%.9g", value.re);
  else if (element.isComplex())
    os << llvm::format("(%.9g, %.9g)", value.re, value.im);
  else
    os << value.integer;
  return text;
}

/// The distance of two numbers: infinite where only one of them is.
static double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return 0;
  double size = std::fabs(a - b);
  return std::isnan(size) ? INFINITY : size;
}

Difference mercator::compare(const Tensor &got, const Tensor &expected,
                             std::optional<double> tolerance) {
  const Element &element = expected.element();
  Difference result;
  result.type = expected.type();
  result.tolerance =
      tolerance.value_or(defaultTolerance(expected.type().getElementType()));
  bool isFloat = element.isReal() || element.isComplex();
  double largest = 0;
  for (int64_t i = 0; isFloat && i < expected.size(); ++i) {
    Scalar value = expected.at(i);
    double size =
        element.isReal() ? std::fabs(value.re) : std::hypot(value.re, value.im);
    if (std::isfinite(size))
      largest = std::max(largest, size);
  }
  for (int64_t i = 0; i < expected.size(); ++i) {
    Scalar a = got.at(i), b = expected.at(i);
    double own;
    if (!isFloat)
      own = a.integer == b.integer ? 0 : INFINITY;
    else if (element.isReal())
      own = distance(a.re, b.re);
    else
      own = std::max(distance(a.re, b.re), distance(a.im, b.im));
    if (own != 0 && isFloat)
      own = largest == 0 ? own : own / largest;
    result.differing += own > result.tolerance;
    if (own > result.relative || (i == 0 && own == result.relative)) {
      result.relative = own;
      result.place = i;
      result.got = textOf(a, element);
      result.expected = textOf(b, element);
    }
  }
  return result;
}

std::vector<Difference> mercator::compare(const RunResults &got,
                                          const RunResults &expected,
                                          std::optional<double> tolerance) {
  std::vector<Difference> rows;
  std::vector<ResultLeaf> own = leavesOf(got), other = leavesOf(expected);
  for (auto [a, b] : llvm::zip(own, other)) {
    if (!a.tensor() || !b.tensor())
      continue;
    rows.push_back(compare(*a.tensor(), *b.tensor(), tolerance));
    rows.back().title = a.title();
  }
  return rows;
}

llvm::Expected<std::vector<Difference>>
mercator::compareWithFiles(const RunResults &got,
                           llvm::ArrayRef<std::string> paths,
                           std::optional<double> tolerance) {
  std::vector<NpzMember> arrays;
  for (llvm::StringRef path : paths) {
    if (path.ends_with(".npz")) {
      llvm::Expected<std::vector<NpzMember>> members = readNpz(path);
      if (!members)
        return members.takeError();
      for (NpzMember &member : *members) {
        member.name = (path + "/" + member.name).str();
        arrays.push_back(std::move(member));
      }
      continue;
    }
    llvm::Expected<NpyArray> array = readNpy(path);
    if (!array)
      return array.takeError();
    arrays.push_back({path.str(), std::move(*array)});
  }
  std::vector<ResultLeaf> leaves = leavesOf(got);
  llvm::erase_if(leaves, [](const ResultLeaf &leaf) { return !leaf.tensor(); });
  if (leaves.size() != arrays.size())
    return llvm::createStringError("expected " + llvm::Twine(leaves.size()) +
                                   (leaves.size() == 1 ? " array" : " arrays") +
                                   " after `--expect`, got " +
                                   llvm::Twine(arrays.size()));
  std::vector<Difference> rows;
  for (auto [leaf, member] : llvm::zip_equal(leaves, arrays)) {
    const Tensor &tensor = *leaf.tensor();
    llvm::Expected<Tensor> expected = toTensor(member.array, tensor.type());
    if (!expected)
      return llvm::createStringError(quote(member.name, 400) + ": " +
                                     llvm::toString(expected.takeError()));
    if (expected->type() != tensor.type()) {
      std::string text;
      llvm::raw_string_ostream(text)
          << quote(member.name, 400) << ": expected " << tensor.type() << " as "
          << leaf.title() << " is, got " << expected->type();
      return llvm::createStringError(text);
    }
    rows.push_back(compare(tensor, *expected, tolerance));
    rows.back().title = leaf.title();
  }
  return rows;
}
