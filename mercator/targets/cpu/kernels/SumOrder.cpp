// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/SumOrder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mercator::cpu;

/// A negative number is unknown.
static int64_t times(int64_t a, int64_t b) {
  return a < 0 || b < 0 ? -1 : a * b;
}

SumOrder SumOrder::of(llvm::ArrayRef<int64_t> extents) {
  constexpr int64_t kFew = 64, kShort = 16;
  SumOrder order;
  int64_t terms = 1;
  for (int64_t extent : extents)
    terms = times(terms, extent);
  if (terms >= 0 && terms < kFew) {
    order.inner = terms;
    order.rowDims = unsigned(extents.size());
    order.nodes.push_back(kFew);
    return order;
  }
  size_t left = extents.size();
  while (left > 0 && order.inner >= 0 && order.inner < kShort)
    order.inner = times(order.inner, extents[--left]);
  order.rowDims = unsigned(extents.size() - left);
  for (int64_t extent : extents.take_front(left))
    order.outer = times(order.outer, extent);
  order.setLanes(order.inner >= 0 && order.inner < kFew ? 4 : 16);
  return order;
}

SumOrder SumOrder::ofExact(llvm::ArrayRef<int64_t> extents) {
  constexpr int64_t kWide = 64, kLong = 1024;
  SumOrder order = of(extents);
  bool isWide = order.inner >= kLong ||
                (order.inner >= 2 * kWide && order.inner % kWide == 0);
  if (isWide)
    order.setLanes(kWide);
  return order;
}

void SumOrder::setLanes(int64_t count) {
  lanes = count;
  nodes.clear();
  // Of an unknown number of steps, the last level has all that are left.
  constexpr unsigned kUnknownLevels = 5;
  bool isKnown = outer >= 0 && inner >= 0;
  int64_t size = kFan;
  nodes.push_back(size);
  while (isKnown ? size < steps() : nodes.size() < kUnknownLevels)
    nodes.push_back(size *= kFan);
}

int64_t SumOrder::depth() const {
  int64_t depth = 1 + int64_t(llvm::Log2_64_Ceil(uint64_t(lanes)));
  int64_t units = steps();
  for (auto [level, node] : llvm::enumerate(nodes)) {
    depth += std::min(units, level == 0 ? node : kFan);
    units = count(unsigned(level));
  }
  return depth;
}

void SumOrder::print(llvm::raw_ostream &os) const {
  auto number = [&](int64_t value) -> llvm::raw_ostream & {
    return value < 0 ? os << '?' : os << value;
  };
  number(outer) << " rows of ";
  number(inner) << ", " << lanes << (lanes == 1 ? " lane" : " lanes")
                << ", nodes of ";
  llvm::interleaveComma(nodes, os);
  os << " steps";
}
