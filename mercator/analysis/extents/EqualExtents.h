// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Which extents of a program are the same number in every run.
///
///   %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x8xf32>) -> ..
///   %s = stablehlo.concatenate %n, %c_4, dim = 0         // [n, 4]
///   %y = stablehlo.dynamic_broadcast_in_dim %z, %s, dims = [1]
///
/// ```cpp (mlir::ModuleOp module, mlir::Value x, mlir::Value y)
/// EqualExtents extents(module);
/// assert(extents.areSame(x, 0, y, 0));
/// assert(extents.constant(y, 1) == 4);
/// ```
///
/// The answers follow from the constraints of StableHLO's operations (all
/// operands of an addition have the same shape), from the integers that compute
/// shapes (sums and products of the same numbers are equal), and from the shape
/// assertions at the beginning of a program of JAX. So they hold in every run in
/// which the program is defined.
///
/// A pass that checks the constraints visits the operations itself: before it
/// visits one, the answers do not assume that operation's constraints.
///
/// Complexity: linear in the operations of the module. Regions are not visited.

#ifndef MERCATOR_ANALYSIS_EXTENTS_EQUALEXTENTS_H
#define MERCATOR_ANALYSIS_EXTENTS_EQUALEXTENTS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace mercator {

/// Where a number can be read: extent `index` of a tensor, or element `index` of a
/// vector.
struct ExtentSource {
  mlir::Value value;
  int64_t index = 0;
  bool isElement = false;
};

class EqualExtents {
public:
  /// A number that the program computes. Equal ids are equal numbers.
  using Id = unsigned;

  /// Knows nothing yet.
  EqualExtents() = default;
  explicit EqualExtents(mlir::ModuleOp module);

  /// Learns what holds after an operation.
  void visit(mlir::Operation &op);
  /// Learns that two numbers are equal.
  void unite(Id a, Id b);

  /// Requires: dimension `dim` exists.
  [[nodiscard]] Id extent(mlir::Value tensor, int64_t dim);
  /// Element `i` of a vector of at most kMostElements integers, or the integer
  /// of a scalar.
  [[nodiscard]] Id element(mlir::Value integers, int64_t i);

  [[nodiscard]] bool areSame(mlir::Value a, int64_t i, mlir::Value b,
                             int64_t j) {
    return extent(a, i) == extent(b, j);
  }
  [[nodiscard]] std::optional<int64_t> constant(Id id) const;
  [[nodiscard]] std::optional<int64_t> constant(mlir::Value tensor,
                                                int64_t dim) {
    return constant(extent(tensor, dim));
  }

  /// A place of the first operation that was visited. Null for a constant and for
  /// numbers without a place.
  [[nodiscard]] ExtentSource source(Id id) const {
    return nodes[find(id)].source;
  }
  /// Whether it is an extent of some tensor, which is at least 0.
  [[nodiscard]] bool isExtent(Id id) const { return nodes[find(id)].isExtent; }

  /// What is learnt after mark() does not hold after forget(): a region ends.
  [[nodiscard]] size_t mark() const { return trail.size(); }
  void forget(size_t mark);

  /// `to` is a value of the same shape that replaces `from`. Forgets `from`.
  void replace(mlir::Value from, mlir::Value to);

  static constexpr int64_t kMostElements = 16;

private:
  void visitIntegers(mlir::Operation &op);
  void visitShape(mlir::Operation &op);
  void visitAssertion(mlir::Operation &op);
  void setExtents(mlir::Value result, mlir::Value source);
  void setExtent(mlir::Value result, int64_t dim, Id id);
  void setShape(mlir::Value result, mlir::Value shape);
  void setElement(mlir::Value result, int64_t i, Id id);
  void setSource(Id id, const ExtentSource &source);
  Id fresh(const ExtentSource &source = {});
  Id ofConstant(int64_t value);
  Id computed(mlir::Operation &op, Id a, Id b);
  Id find(Id id) const;

  struct Node {
    Id parent;
    std::optional<int64_t> value;
    ExtentSource source;
    bool isExtent = false;
  };
  Node &change(Id id);

  using Place = std::pair<mlir::Value, int64_t>;
  llvm::DenseMap<Place, Id> extents, elements;
  std::map<int64_t, Id> constants;
  std::map<std::tuple<const void *, const void *, Id, Id>, Id> expressions;
  std::vector<Node> nodes;
  /// The nodes that changed, as they were.
  std::vector<std::pair<Id, Node>> trail;
};

} // namespace mercator

#endif // MERCATOR_ANALYSIS_EXTENTS_EQUALEXTENTS_H
