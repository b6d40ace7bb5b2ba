// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/stablehlo/Extents.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"

using llvm::ArrayRef;
using llvm::SmallVector;

namespace mercator::stablehlo {

Extents known(ArrayRef<int64_t> sizes) {
  return llvm::map_to_vector<6>(sizes, Extent::of);
}

SmallVector<int64_t> sizesOf(ArrayRef<Extent> extents) {
  return llvm::map_to_vector(extents,
                             [](Extent extent) { return extent.size; });
}

bool agree(Extent a, Extent b) {
  if (a.isKnown() && b.isKnown())
    return a.size == b.size;
  if (a.isKnown())
    return !b.isBounded() || a.size <= b.bound;
  return !b.isKnown() || !a.isBounded() || b.size <= a.bound;
}

bool agree(ArrayRef<Extent> a, ArrayRef<Extent> b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto pair) {
           return agree(std::get<0>(pair), std::get<1>(pair));
         });
}

Extent meet(Extent a, Extent b) {
  if (a.isKnown() || b.isKnown())
    return a.isKnown() ? a : b;
  if (!a.isBounded() || !b.isBounded())
    return a.isBounded() ? a : b;
  return Extent::atMost(std::min(a.bound, b.bound));
}

Extent join(Extent a, Extent b) {
  if (a == b)
    return a;
  if (a.limit() == Extent::kUnknown || b.limit() == Extent::kUnknown)
    return {};
  return Extent::atMost(std::max(a.limit(), b.limit()));
}

Extent sum(Extent a, Extent b) {
  int64_t limit;
  if (a.limit() == Extent::kUnknown || b.limit() == Extent::kUnknown ||
      llvm::AddOverflow(a.limit(), b.limit(), limit))
    return {};
  return a.isKnown() && b.isKnown() ? Extent::of(limit) : Extent::atMost(limit);
}

Extent map(Extent n, llvm::function_ref<int64_t(int64_t)> f) {
  if (n.isKnown())
    return Extent::of(f(n.size));
  return n.isBounded() ? Extent::atMost(f(n.bound)) : Extent();
}

} // namespace mercator::stablehlo
