// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A plan for a gather in terms of the primitives of devices: a list of steps,
/// each a tensor computed from earlier ones.
///
/// ```cpp (const GatherProblem &problem)
/// PlanBuilder b(problem);
/// unsigned rows = b.reshape(b.starts(), {1, 8});
/// unsigned safe = b.clamp(rows, 0, 151935);
/// unsigned r = b.gatherV2(b.operand(), safe, /*axis=*/0, /*batchDims=*/0);
/// Plan plan = b.finish(r);
/// ```
///
/// The builder folds trivial steps: a reshape to the same shape, a transpose
/// that moves only axes of one element (a reshape), a slice of the whole
/// tensor.
///
/// The gather primitives are those that TensorFlow and Ascend's GE share. For
/// each of them, an index out of range is an error:
///
///   gatherV2        r[B.., before.., I.., after..]
///                       = x[B.., before.., idx[B.., I..], after..]
///   gatherElements  r[i.., j] = x[i.., idx[i.., j]], along the last axis
///   gatherNd        r[I.., rest..] = x[idx[I.., 0], .., idx[I.., k-1], rest..]
///   indexByTensor   r[before.., I.., after..]
///                       = x[before.., i[I..], .., k[I..], after..]
///                   for neighbors; for others r[I.., rest..]

#ifndef MERCATOR_TARGETS_ASCEND_GATHER_PLAN_H
#define MERCATOR_TARGETS_ASCEND_GATHER_PLAN_H

#include "mercator/targets/ascend/gather/Problem.h"

#include "llvm/Support/raw_ostream.h"

namespace mercator::gather {

enum class StepKind {
  Operand,        ///< the operand of the gather
  Starts,         ///< the start indices of the program
  Constant,       ///< indices: `values`
  Empty,          ///< a tensor without elements
  Reshape,        ///< the same elements in another shape
  Transpose,      ///< axis i is axis ints[i] of the input
  Slice,          ///< from ints on, with the sizes of the shape
  DynamicSlice,   ///< the same with offsets from the second input
  Broadcast,      ///< axes of one element repeated to the shape
  Cast,           ///< indices with another width
  Minimum,        ///< of indices and `values`: one, or one for each column
  Maximum,        ///< the same
  Clamp,          ///< to [values[0], values[1]]
  Range,          ///< values[0], values[0] + 1, .. along axis ints[0]; other
                  ///< axes have one element
  Multiply,       ///< indices times values[0]
  Add,            ///< indices, broadcast
  Concat,         ///< along the last axis
  GatherV2,       ///< ints: axis, batch dims
  GatherElements, ///< along the last axis
  GatherNd,
  IndexByTensor, ///< ints: the indexed dimensions, one for each input after x
};
[[nodiscard]] llvm::StringRef name(StepKind kind);

struct PlanStep {
  StepKind kind;
  llvm::SmallVector<unsigned, 2> inputs = {}; ///< earlier steps
  Extents shape = {};
  Ints ints = {};
  llvm::SmallVector<int64_t> values = {};
  /// 0 for elements of the operand, else the width of the indices.
  unsigned indexBits = 0;
  bool indexIsSigned = true;

  /// The number of elements; an estimate if an extent is unknown.
  [[nodiscard]] int64_t size() const { return product(shape).estimate(); }
};

struct Plan {
  llvm::SmallVector<PlanStep, 0> steps; ///< the last one is the result
  /// Facts proved about this gather, one sentence each.
  llvm::SmallVector<std::string, 2> notes;

  /// One line for each step: `%3 = clamp %2 to [0, 151935] : 1x8xi32`. Unknown
  /// extents are symbols: `n3x8xi32`.
  void print(llvm::raw_ostream &os) const;
};

class PlanBuilder {
public:
  explicit PlanBuilder(const GatherProblem &problem);

  [[nodiscard]] unsigned operand();
  [[nodiscard]] unsigned starts();

  [[nodiscard]] unsigned constant(Extents shape, llvm::ArrayRef<int64_t> values,
                                  unsigned bits);
  [[nodiscard]] unsigned empty(llvm::ArrayRef<SymbolicExtent> shape);
  [[nodiscard]] unsigned reshape(unsigned in,
                                 llvm::ArrayRef<SymbolicExtent> shape);
  [[nodiscard]] unsigned transpose(unsigned in, llvm::ArrayRef<int64_t> axes);
  [[nodiscard]] unsigned slice(unsigned in, llvm::ArrayRef<int64_t> offsets,
                               llvm::ArrayRef<SymbolicExtent> sizes);
  [[nodiscard]] unsigned dynamicSlice(unsigned in, unsigned offsets,
                                      llvm::ArrayRef<SymbolicExtent> sizes);
  [[nodiscard]] unsigned broadcast(unsigned in,
                                   llvm::ArrayRef<SymbolicExtent> shape);
  [[nodiscard]] unsigned cast(unsigned in, unsigned bits);
  [[nodiscard]] unsigned minimum(unsigned in, llvm::ArrayRef<int64_t> values);
  [[nodiscard]] unsigned maximum(unsigned in, llvm::ArrayRef<int64_t> values);
  [[nodiscard]] unsigned clamp(unsigned in, int64_t lower, int64_t upper);
  /// first, first + 1, .. first + extent - 1 along `axis` of `rank` axes.
  [[nodiscard]] unsigned range(const SymbolicExtent &extent, size_t axis,
                               size_t rank, unsigned bits, int64_t first = 0);
  [[nodiscard]] unsigned multiply(unsigned in, int64_t by);
  [[nodiscard]] unsigned add(unsigned a, unsigned b);
  [[nodiscard]] unsigned concat(llvm::ArrayRef<unsigned> parts);
  [[nodiscard]] unsigned gatherV2(unsigned x, unsigned indices, int64_t axis,
                                  int64_t batchDims);
  [[nodiscard]] unsigned gatherElements(unsigned x, unsigned indices);
  [[nodiscard]] unsigned gatherNd(unsigned x, unsigned indices);
  /// Requires: the indices have the same rank and broadcast.
  [[nodiscard]] unsigned indexByTensor(unsigned x,
                                       llvm::ArrayRef<unsigned> indices,
                                       llvm::ArrayRef<int64_t> dims);

  [[nodiscard]] const PlanStep &operator[](unsigned i) const {
    return plan.steps[i];
  }
  [[nodiscard]] llvm::ArrayRef<SymbolicExtent> shape(unsigned i) const {
    return plan.steps[i].shape;
  }
  void note(std::string sentence) { plan.notes.push_back(std::move(sentence)); }
  /// The plan whose result is `result`, without unneeded steps.
  [[nodiscard]] Plan finish(unsigned result);

private:
  unsigned push(PlanStep step);
  PlanStep indexStep(StepKind kind, unsigned in);

  const GatherProblem &problem;
  Plan plan;
  std::optional<unsigned> theOperand, theStarts;
};

} // namespace mercator::gather

#endif // MERCATOR_TARGETS_ASCEND_GATHER_PLAN_H
