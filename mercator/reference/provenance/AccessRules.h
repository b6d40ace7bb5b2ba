// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Access rules: the elements that each element of an operation's results
/// depends on. There is one function for each family of operations, called by
/// Provenance.

#ifndef MERCATOR_REFERENCE_PROVENANCE_ACCESSRULES_H
#define MERCATOR_REFERENCE_PROVENANCE_ACCESSRULES_H

#include "mercator/reference/provenance/Provenance.h"

namespace mercator::reference {

/// An operation whose accesses are traced.
struct Access {
  using Set = ProvenanceSets::Id;

  mlir::Operation *op;
  llvm::ArrayRef<Traced> operands;
  /// The results. Their values are known, and their origins are still empty.
  /// The rules of control flow compute both.
  std::vector<Traced> &results;
  Provenance &provenance;

  /// Requires: operand `i` is a tensor.
  [[nodiscard]] const Tensor &tensor(size_t i) const {
    return *operands[i].value.tensor();
  }
  [[nodiscard]] llvm::ArrayRef<int64_t> shape(size_t i) const {
    return tensor(i).shape();
  }
  /// The origin of an element of operand `i`.
  [[nodiscard]] Set at(size_t i, int64_t place) const {
    return operands[i].origin.elements[place];
  }
  [[nodiscard]] Set at(size_t i, llvm::ArrayRef<int64_t> index) const {
    return at(i, tensor(i).linear(index));
  }
  /// The united origins of all elements of operand `i`.
  [[nodiscard]] Set all(size_t i) const {
    Set set = ProvenanceSets::kNone;
    for (Set each : operands[i].origin.elements)
      set = unite(set, each);
    return set;
  }
  [[nodiscard]] Set unite(Set a, Set b) const {
    return provenance.sets.unite(a, b);
  }

  [[nodiscard]] const Tensor &result(size_t i) const {
    return *results[i].value.tensor();
  }
  /// Adds `set` to the origin of an element of result `i`.
  void reads(size_t i, int64_t place, Set set) const {
    Set &own = results[i].origin.elements[place];
    own = unite(own, set);
  }
  /// Adds `which(index)` to the origin of each element of result `i`.
  template <typename Which> void forEach(size_t i, Which which) const {
    int64_t place = 0;
    for (Index index(result(i).shape()); index; ++index)
      reads(i, place++, which(*index));
  }
};

using AccessRule = llvm::LogicalResult (*)(Access &access);

class AccessRules {
public:
  struct Entry {
    AccessRule rule = nullptr;
    bool isControl = false;
  };
  /// add<PadOp, tracePad>(), where the function is
  /// LogicalResult tracePad(PadOp op, Access &access).
  template <typename Op, llvm::LogicalResult (*function)(Op, Access &)>
  void add(bool isControl = false) {
    entries[mlir::TypeID::get<Op>()] = {
        [](Access &access) -> llvm::LogicalResult {
          return function(llvm::cast<Op>(access.op), access);
        },
        isControl};
  }
  [[nodiscard]] Entry find(mlir::OperationName name) const {
    std::optional<mlir::RegisteredOperationName> info =
        name.getRegisteredInfo();
    return info ? entries.lookup(info->getTypeID()) : Entry();
  }

private:
  llvm::DenseMap<mlir::TypeID, Entry> entries;
};

[[nodiscard]] const AccessRules &allAccessRules();

void addElementwiseAccess(AccessRules &rules);
void addControlAccess(AccessRules &rules);
void addDataAccess(AccessRules &rules);
void addIndexedAccess(AccessRules &rules);
void addFoldAccess(AccessRules &rules);
void addProductAccess(AccessRules &rules);
void addMatrixAccess(AccessRules &rules);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_PROVENANCE_ACCESSRULES_H
