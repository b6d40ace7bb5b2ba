// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/spmd/Shifts.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/transforms/spmd/Sizes.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::spmd;

/// The slice of what is padded; null if the padding is needed, or used elsewhere.
static Value sliceInside(stablehlo::SliceOp slice) {
  auto pad = slice.getOperand().getDefiningOp<stablehlo::PadOp>();
  auto isOnly = [](ArrayRef<int64_t> list, int64_t number) {
    return llvm::all_of(list, [&](int64_t x) { return x == number; });
  };
  if (!pad || !pad->hasOneUse() || !pad->getDiscardableAttrs().empty() ||
      !isOnly(pad.getInteriorPadding(), 0) || !isOnly(slice.getStrides(), 1))
    return {};
  auto type = dyn_cast<RankedTensorType>(pad.getOperand().getType());
  if (!type || !type.hasStaticShape())
    return {};
  SmallVector<int64_t> begin, end;
  for (auto [start, limit, low, size] :
       llvm::zip_equal(slice.getStartIndices(), slice.getLimitIndices(),
                       pad.getEdgePaddingLow(), type.getShape())) {
    begin.push_back(start - low);
    end.push_back(limit - low);
    if (begin.back() < 0 || end.back() > size)
      return {};
  }
  if (isOnly(begin, 0) && ArrayRef(end) == type.getShape())
    return pad.getOperand();
  ImplicitLocOpBuilder b(slice.getLoc(), slice);
  return stablehlo::SliceOp::create(b, slice.getType(), pad.getOperand(), begin,
                                    end, slice.getStrides());
}

void mercator::spmd::joinShifts(func::FuncOp function) {
  function.walk([](stablehlo::SliceOp slice) {
    // A sharding that is stated stays.
    if (!slice->getDiscardableAttrs().empty())
      return;
    Value inside = sliceInside(slice);
    if (!inside)
      return;
    Operation *pad = slice.getOperand().getDefiningOp();
    slice.replaceAllUsesWith(inside);
    slice.erase();
    pad->erase();
  });
}

//===----------------------------------------------------------------------===//
// Concatenations of slices
//===----------------------------------------------------------------------===//

/// A slice of neighbors that only the concatenation reads.
static stablehlo::SliceOp slicePiece(stablehlo::ConcatenateOp concatenate,
                                     Value piece) {
  auto slice = piece.getDefiningOp<stablehlo::SliceOp>();
  return slice && slice->hasOneUse() &&
                 slice->getBlock() == concatenate->getBlock() &&
                 slice->getDiscardableAttrs().empty() &&
                 llvm::all_of(slice.getStrides(),
                              [](int64_t stride) { return stride == 1; })
             ? slice
             : nullptr;
}

namespace {

/// Writes operations in the sharding of a result.
class PieceWriter {
public:
  PieceWriter(stablehlo::ConcatenateOp concatenate, ShardedProgram &program)
      : b(concatenate.getLoc(), concatenate), program(program),
        sharding(program.of(concatenate.getResult())),
        type(tensorOf(concatenate.getResult())),
        dim(int64_t(concatenate.getDimension())) {}

  /// The elements of the piece from `offset` on, zeros around it.
  Value place(Value piece, stablehlo::SliceOp slice, int64_t offset);
  /// `before` up to `offset`, and `after` from there on.
  Value join(Value before, Value after, int64_t offset);

private:
  /// Requires: not a reference into the program's shardings, which move.
  Value add(Operation *op, const Sharding &of) {
    program.values[op->getResult(0)] = of;
    program.factors[op] = factorsOf(op, arena);
    return op->getResult(0);
  }
  RankedTensorType like(Type element) {
    return RankedTensorType::get(type.getShape(), element);
  }

  ImplicitLocOpBuilder b;
  ShardedProgram &program;
  Sharding sharding;
  RankedTensorType type;
  int64_t dim;
  Value number; ///< of each element along `dim`
  indexing::Arena arena;
};

} // namespace

Value PieceWriter::place(Value piece, stablehlo::SliceOp slice,
                         int64_t offset) {
  RankedTensorType from = tensorOf(piece);
  SmallVector<int64_t> low(from.getRank(), 0), high(low), none(low);
  low[dim] = offset;
  high[dim] = type.getDimSize(dim) - offset - from.getDimSize(dim);
  if (slice) {
    piece = slice.getOperand();
    for (auto [i, size] : llvm::enumerate(tensorOf(piece).getShape())) {
      low[i] -= slice.getStartIndices()[i];
      high[i] -= size - slice.getLimitIndices()[i];
    }
  }
  auto scalar = RankedTensorType::get({}, type.getElementType());
  auto zero = DenseElementsAttr::get(
      scalar, ArrayRef<Attribute>(b.getZeroAttr(type.getElementType())));
  Value fill =
      add(stablehlo::ConstantOp::create(b, scalar, zero), Sharding::whole(0));
  b.setLoc(slice ? slice.getLoc() : b.getLoc());
  return add(
      stablehlo::PadOp::create(b, Type(type), piece, fill, low, high, none),
      sharding);
}

Value PieceWriter::join(Value before, Value after, int64_t offset) {
  RankedTensorType numbers = like(b.getI64Type());
  if (!number)
    number =
        add(stablehlo::IotaOp::create(b, numbers, b.getI64IntegerAttr(dim)),
            sharding);
  Value end =
      add(stablehlo::ConstantOp::create(
              b, numbers,
              DenseElementsAttr::get(numbers, b.getI64IntegerAttr(offset))),
          sharding);
  Value isBefore =
      add(stablehlo::CompareOp::create(
              b, like(b.getI1Type()), number, end,
              stablehlo::ComparisonDirectionAttr::get(
                  b.getContext(), stablehlo::ComparisonDirection::LT),
              stablehlo::ComparisonTypeAttr::get(
                  b.getContext(), stablehlo::ComparisonType::SIGNED)),
          sharding);
  return add(stablehlo::SelectOp::create(b, type, isBefore, before, after),
             sharding);
}

void mercator::spmd::joinSlices(func::FuncOp function,
                                ShardedProgram &program) {
  function.walk([&](stablehlo::ConcatenateOp concatenate) {
    auto found = program.values.find(concatenate.getResult());
    // Manual computations are for one device.
    if (found == program.values.end() || concatenate->getNumOperands() < 2 ||
        found->second.dims[concatenate.getDimension()].empty() ||
        !tensorOf(concatenate.getResult()).getElementType().isIntOrFloat())
      return;
    SmallVector<stablehlo::SliceOp> slices;
    for (Value piece : concatenate->getOperands())
      slices.push_back(slicePiece(concatenate, piece));
    if (llvm::all_of(slices, [](stablehlo::SliceOp slice) { return !slice; }))
      return;
    PieceWriter writer(concatenate, program);
    Value joined;
    int64_t offset = 0;
    for (auto [piece, slice] :
         llvm::zip_equal(concatenate->getOperands(), slices)) {
      Value placed = writer.place(piece, slice, offset);
      joined = joined ? writer.join(joined, placed, offset) : placed;
      offset += tensorOf(piece).getDimSize(concatenate.getDimension());
    }
    concatenate.getResult().replaceAllUsesWith(joined);
    // The next operation may lie at the address of one that is erased.
    auto erase = [&](Operation *op) {
      program.values.erase(op->getResult(0));
      program.factors.erase(op);
      op->erase();
    };
    erase(concatenate);
    for (stablehlo::SliceOp slice : slices)
      if (slice)
        erase(slice);
  });
}
