// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The leaves of types: the members of a tuple, with nested members counted in
// order, and the tensors of a future. Any other type is its own leaf.
//
//   tuple<tensor<4xf32>, tuple<tensor<2xf32>, tensor<3xf32>>>
//     leaves 0, 1, 2; member 1 begins at leaf 1
//
// Internal to mercator/analysis.

#ifndef MERCATOR_ANALYSIS_LEAVES_H
#define MERCATOR_ANALYSIS_LEAVES_H

#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace mercator {

/// A value, or one leaf of a tuple.
struct Leaf {
  mlir::Value value;
  unsigned leaf = 0;
};

namespace maps {

class Leaves {
public:
  unsigned count(mlir::Type type) {
    return isAggregate(type) ? offsets(type).back() : 1;
  }
  /// The first leaf of member `index`. Requires: there is such a member.
  unsigned offset(mlir::Type type, unsigned index) {
    return offsets(type)[index];
  }
  mlir::Type leafType(mlir::Type type, unsigned leaf) {
    while (isAggregate(type)) {
      const std::vector<unsigned> &begins = offsets(type);
      // The last member that begins at or before the leaf. An empty member
      // begins at the same leaf as the next member.
      size_t member = llvm::upper_bound(begins, leaf) - begins.begin() - 1;
      leaf -= begins[member];
      type = membersOf(type)[member];
    }
    return type;
  }

private:
  static bool isAggregate(mlir::Type type) {
    return llvm::isa<mlir::TupleType, stablehlo::FutureType>(type);
  }
  static llvm::ArrayRef<mlir::Type> membersOf(mlir::Type type) {
    if (auto tuple = llvm::dyn_cast<mlir::TupleType>(type))
      return tuple.getTypes();
    return llvm::cast<stablehlo::FutureType>(type).getTypes();
  }
  /// One entry for each member, then the number of leaves.
  const std::vector<unsigned> &offsets(mlir::Type type) {
    auto it = table.find(type);
    if (it != table.end())
      return *it->second;
    auto begins = std::make_unique<std::vector<unsigned>>(1, 0);
    for (mlir::Type member : membersOf(type))
      begins->push_back(begins->back() + count(member));
    return *(table[type] = std::move(begins));
  }
  llvm::DenseMap<mlir::Type, std::unique_ptr<std::vector<unsigned>>> table;
};

} // namespace maps
} // namespace mercator

#endif // MERCATOR_ANALYSIS_LEAVES_H
