// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/extents/SymbolicExtent.h"

#include "mercator/support/Saturating.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <functional>

using namespace mercator;

SymbolicExtent SymbolicExtent::of(const EqualExtents &extents, Symbol id) {
  if (std::optional<int64_t> number = extents.constant(id))
    return *number;
  SymbolicExtent out;
  out.unknown.push_back(id);
  return out;
}

int64_t SymbolicExtent::estimate() const {
  int64_t out = factor;
  for (size_t i = 0; i < unknown.size(); ++i)
    out = saturatingMul(out, kTypical);
  return out;
}

SymbolicExtent SymbolicExtent::operator*(const SymbolicExtent &other) const {
  SymbolicExtent out = saturatingMul(factor, other.factor);
  if (out.factor == 0)
    return out;
  out.unknown = unknown;
  out.unknown.append(other.unknown);
  llvm::sort(out.unknown);
  return out;
}

std::string SymbolicExtent::str() const {
  std::string out =
      isKnown() || factor != 1 ? std::to_string(factor) : std::string();
  for (Symbol symbol : unknown)
    out += (out.empty() ? "n" : "*n") + std::to_string(symbol);
  return out;
}

SymbolicExtent mercator::product(llvm::ArrayRef<SymbolicExtent> extents) {
  SymbolicExtent out;
  for (const SymbolicExtent &extent : extents)
    out = out * extent;
  return out;
}

bool mercator::areKnown(llvm::ArrayRef<SymbolicExtent> extents) {
  return llvm::all_of(extents, std::mem_fn(&SymbolicExtent::isKnown));
}

llvm::SmallVector<int64_t, 4>
mercator::numbersOf(llvm::ArrayRef<SymbolicExtent> extents) {
  return llvm::map_to_vector<4>(extents, std::mem_fn(&SymbolicExtent::number));
}
