// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The models: functions that give the operations of one family their maps.
// Internal.
//
//   MapSet transposeMaps(stablehlo::TransposeOp op, const Query &q) {
//     return transpose(q.arena, q.direction, q.in, op.getPermutation());
//   }
//   ...
//   attach<stablehlo::TransposeOp, transposeMaps>(context);
//
// One function answers for both directions. It may rely on the checks of the
// verifier of its operation. It must itself check sizes whose arithmetic might
// leave int64.

#ifndef MERCATOR_ANALYSIS_MAPS_MODEL_H
#define MERCATOR_ANALYSIS_MAPS_MODEL_H

#include "mercator/analysis/maps/MapInterface.h"

namespace mercator::chlo {
class RaggedDotOp;
} // namespace mercator::chlo

namespace mercator::maps {

using indexing::Arena;
using indexing::Direction;
using indexing::Map;
using indexing::MapSet;

/// A query: the maps between one operand and one result of an operation.
struct Query {
  mlir::Operation *op;
  Arena &arena;
  Direction direction;
  unsigned operand, result;
  mlir::Type inType, outType;
  llvm::SmallVector<int64_t> in, out; ///< sizes of the operand, of the result
  bool isStatic;                      ///< no dimension of either is dynamic

  Query(mlir::Operation *op, Arena &arena, Direction direction,
        unsigned operand, unsigned result);

  /// The same question where the result has this type: how a dynamic operation
  /// asks for the maps of its static form.
  [[nodiscard]] Query withResult(mlir::RankedTensorType type) const;

  /// True if dimension `dim` is static in the operand and in the result.
  /// Requires: operand and result have equal ranks.
  [[nodiscard]] bool isStaticDim(int64_t dim) const;

  /// The sizes that the map starts from, and those that it leads to.
  [[nodiscard]] indexing::Sizes from() const {
    return direction == Direction::OutToIn ? out : in;
  }
  [[nodiscard]] indexing::Sizes to() const {
    return direction == Direction::OutToIn ? in : out;
  }

  /// Element d reads element d.
  [[nodiscard]] Map identity() const { return Map::identity(arena, from()); }
  /// Every element of the operand is read for every element of the result.
  [[nodiscard]] Map everything() const {
    return indexing::everything(arena, from(), to());
  }
  /// No element of the operand is read.
  [[nodiscard]] Map nothing() const {
    return Map::makeEmpty(arena, from().size(), to().size());
  }
  /// All elements, as an over-approximation.
  [[nodiscard]] MapSet everything(llvm::Twine reason) const {
    return MapSet::approximate(everything(), reason.str());
  }
  /// Every index of the dimensions for which `whole` holds, the same index of
  /// the others. Requires: operand and result have equal ranks.
  [[nodiscard]] Map along(llvm::function_ref<bool(int64_t dim)> whole) const;
  /// Every element reads all elements of the operand within the box.
  [[nodiscard]] Map box(llvm::ArrayRef<indexing::Interval> box) const;
  /// The map as an over-approximation.
  [[nodiscard]] static MapSet approximate(Map map, llvm::Twine reason) {
    return MapSet::approximate(std::move(map), reason.str());
  }
  /// The answer if it would depend on an unknown size.
  [[nodiscard]] MapSet dynamic() const {
    return everything("a size is known only when the program runs");
  }
  /// The answer if the arithmetic would leave 62 bits.
  [[nodiscard]] MapSet tooLarge() const {
    return everything("the sizes are too large to compute with");
  }
};

template <typename Op> using ModelFn = MapSet (*)(Op, const Query &);

template <typename Op, ModelFn<Op> maps>
struct Model : MapInterface::ExternalModel<Model<Op, maps>, Op> {
  MapSet operandMaps(mlir::Operation *op, Arena &arena, unsigned result,
                     unsigned operand) const {
    return maps(llvm::cast<Op>(op),
                Query(op, arena, Direction::OutToIn, operand, result));
  }
  MapSet resultMaps(mlir::Operation *op, Arena &arena, unsigned operand,
                    unsigned result) const {
    return maps(llvm::cast<Op>(op),
                Query(op, arena, Direction::InToOut, operand, result));
  }
};

template <typename Op, ModelFn<Op> maps>
void attach(mlir::MLIRContext *context) {
  Op::template attachInterface<Model<Op, maps>>(*context);
}

/// Element d of the result reads element d of the operand, or the one element
/// of a scalar operand.
template <typename Op> MapSet elementwiseMaps(Op, const Query &q) {
  return q.in.size() == q.out.size() ? q.identity() : q.everything();
}
template <typename... Ops> void attachElementwise(mlir::MLIRContext *context) {
  (attach<Ops, elementwiseMaps<Ops>>(context), ...);
}

/// Operations without operands, which have no queries.
template <typename Op> MapSet sourceMaps(Op, const Query &q) {
  return q.nothing();
}
template <typename... Ops> void attachSources(mlir::MLIRContext *context) {
  (attach<Ops, sourceMaps<Ops>>(context), ...);
}

/// The name of an operation in reasons: without its dialect if that is
/// stablehlo or hlo.
[[nodiscard]] llvm::StringRef spelling(mlir::Operation *op);

/// Every element, because the operation has no model.
template <typename Op> MapSet unknownMaps(Op op, const Query &q) {
  return q.everything(spelling(op) +
                      ": the elements that it reads are not analyzed");
}

/// Calls f on the operations that a dialect registers. Replaces
/// getRegisteredOperationsByDialect of MLIR 22, which finds none: its binary
/// search tests for inequality instead of order.
void forEachOperationOf(
    mlir::MLIRContext *context, llvm::StringRef dialect,
    llvm::function_ref<void(mlir::RegisteredOperationName)> f);

/// The maps of a ragged_dot as ReadsOf::MaskedForm computes it.
[[nodiscard]] MapSet maskedRaggedDotMaps(chlo::RaggedDotOp op, const Query &q);

void attachBatchNormMaps(mlir::MLIRContext *context);
void attachBroadcastMaps(mlir::MLIRContext *context);
void attachCallMaps(mlir::MLIRContext *context);
void attachChloMaps(mlir::MLIRContext *context);
void attachConcatenateMaps(mlir::MLIRContext *context);
void attachConstantMaps(mlir::MLIRContext *context);
void attachConvolutionMaps(mlir::MLIRContext *context);
void attachCustomCallMaps(mlir::MLIRContext *context);
void attachDeviceMaps(mlir::MLIRContext *context);
void attachDotMaps(mlir::MLIRContext *context);
void attachElementwiseMaps(mlir::MLIRContext *context);
void attachFusionMaps(mlir::MLIRContext *context);
void attachGatherMaps(mlir::MLIRContext *context);
void attachHloMaps(mlir::MLIRContext *context);
void attachLinalgMaps(mlir::MLIRContext *context);
void attachLinearAlgebraMaps(mlir::MLIRContext *context);
void attachPadMaps(mlir::MLIRContext *context);
void attachRaggedDotMaps(mlir::MLIRContext *context);
void attachRandomMaps(mlir::MLIRContext *context);
void attachReduceMaps(mlir::MLIRContext *context);
void attachRegionMaps(mlir::MLIRContext *context);
void attachReshapeMaps(mlir::MLIRContext *context);
void attachScanMaps(mlir::MLIRContext *context);
void attachScatterMaps(mlir::MLIRContext *context);
void attachSdyMaps(mlir::MLIRContext *context);
void attachSliceMaps(mlir::MLIRContext *context);
void attachSortMaps(mlir::MLIRContext *context);
void attachTensorMaps(mlir::MLIRContext *context);
void attachTokenMaps(mlir::MLIRContext *context);
void attachTransposeMaps(mlir::MLIRContext *context);
void attachTupleMaps(mlir::MLIRContext *context);
void attachWindowMaps(mlir::MLIRContext *context);
/// Attaches elementwise maps to the operations of a dialect with the trait
/// Elementwise.
void attachElementwiseTraitMaps(mlir::MLIRContext *context,
                                llvm::StringRef dialect);

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_MAPS_MODEL_H
