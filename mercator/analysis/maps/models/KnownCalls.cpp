// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Custom calls with a known target: the division of tensors among devices, the
// largest elements of rows, and StableHLO operations whose attributes are
// operands.

#include "mercator/analysis/maps/models/KnownCalls.h"
#include "mercator/analysis/maps/Manual.h"
#include "mercator/analysis/maps/models/Window.h"
#include "mercator/analysis/values/KnownValues.h"
#include "mercator/indexing/simplify/Inverse.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::SmallVector;
using mlir::RankedTensorType;
using stablehlo::CustomCallOp;

namespace {

/// The reason of an over-approximation, with the target of the call.
std::string because(CustomCallOp op, llvm::StringRef why) {
  return ("custom_call @" + op.getCallTargetName() + ": " + why).str();
}

/// The body of the first called function; null if the call names no function.
mlir::Region *calledBody(CustomCallOp op) {
  mlir::ArrayAttr called = op.getCalledComputationsAttr();
  auto name = called && !called.empty()
                  ? llvm::dyn_cast<mlir::FlatSymbolRefAttr>(called[0])
                  : mlir::FlatSymbolRefAttr();
  auto function =
      name ? mlir::SymbolTable::lookupNearestSymbolFrom<mlir::func::FuncOp>(
                 op, name)
           : mlir::func::FuncOp();
  return function && function.getBody().hasOneBlock() ? &function.getBody()
                                                      : nullptr;
}

//===--- Division among devices -------------------------------------------===//

MapSet divided(CustomCallOp op, const Query &q, const sdy::DivisionOr &division,
               bool intoParts) {
  if (q.operand != q.result)
    return q.nothing();
  auto unknown = [&](llvm::StringRef why) {
    return q.everything(because(op, why));
  };
  if (!division)
    return unknown(division.why);
  if (!q.isStatic)
    return unknown("a size is known only when the program runs");
  std::optional<Map> map = intoParts
                               ? partToWhole(q.arena, division.division, q.in)
                               : wholeToPart(q.arena, division.division, q.out);
  if (!map || (!map->isKnownEmpty() && map->numDims() != q.out.size() + 1))
    return unknown("the parts are not equal, or the devices are permuted");
  MapSet maps =
      MapSet::acrossDevices(std::move(*map), division.division.devices);
  return q.direction == Direction::OutToIn ? maps : inverse(maps, q.in);
}

SmallVector<int64_t> ranksOf(mlir::TypeRange types) {
  return llvm::map_to_vector(
      types, [](mlir::Type type) { return (int64_t)sizesOf(type).size(); });
}

MapSet fullToShardMaps(CustomCallOp op, const Query &q) {
  return divided(op, q, sdy::divisionOfOperand(op), /*intoParts=*/true);
}
MapSet shardToFullMaps(CustomCallOp op, const Query &q) {
  return divided(op, q, sdy::divisionOfResult(op), /*intoParts=*/false);
}
MapSet globalToLocalMaps(CustomCallOp op, const Query &q) {
  std::vector<sdy::DivisionOr> divisions = sdy::divisionsOfCall(
      op, "xla.sdy.in_shardings", ranksOf(op->getOperandTypes()));
  return divided(op, q, divisions[q.operand], /*intoParts=*/true);
}
MapSet localToGlobalMaps(CustomCallOp op, const Query &q) {
  std::vector<sdy::DivisionOr> divisions = sdy::divisionsOfCall(
      op, "xla.sdy.out_shardings", ranksOf(op->getOperandTypes()));
  return divided(op, q, divisions[q.operand], /*intoParts=*/false);
}

//===--- The largest elements of rows -------------------------------------===//

/// Values and indices both read the whole row.
MapSet topKMaps(CustomCallOp op, const Query &q) {
  if (q.operand != 0) // the number of elements
    return q.nothing();
  if (q.in.empty() || q.in.size() != q.out.size())
    return q.everything(because(op, "it is not of rows"));
  return q.along([&](int64_t dim) { return dim + 1 == (int64_t)q.in.size(); });
}

/// Operands: the inputs, one initial value for each, which is not read, and the
/// number of elements.
MapSet approxTopKMaps(CustomCallOp op, const Query &q) {
  auto tuple = op->getNumResults() == 1
                   ? llvm::dyn_cast<mlir::TupleType>(op->getResult(0).getType())
                   : mlir::TupleType();
  unsigned count = tuple ? tuple.size() : op->getNumResults();
  if (q.operand >= count)
    return q.nothing();
  auto config = op->getAttrOfType<mlir::DictionaryAttr>("mhlo.backend_config");
  auto sorted = op->getAttrOfType<mlir::IntegerAttr>("reduction_dim");
  if (!sorted && config)
    sorted = config.getAs<mlir::IntegerAttr>("reduction_dim");
  if (!sorted || q.in.size() != q.out.size())
    return q.everything(because(op, "the sorted dimension is not known"));
  MapSet line = q.along([&](int64_t dim) { return dim == sorted.getInt(); });
  if (q.operand == q.result)
    return line;
  mlir::Region *comparator = calledBody(op);
  if (!comparator || comparator->getNumArguments() != 2 * count)
    return q.everything(because(op, "its comparator is not known"));
  BodyReads reads = bodyReads(*comparator, 0);
  if (!reads.arguments[2 * q.operand] && !reads.arguments[2 * q.operand + 1])
    return q.nothing();
  if (reads.exact)
    return line;
  return q.approximate(
      line.front().map,
      because(op, "the reads of the comparator are not known exactly"));
}

//===--- Attributes that are operands -------------------------------------===//

/// True if the lists describe windows over tensors of this type, which give
/// results of that type.
bool isWindowed(const WindowLists &lists, RankedTensorType in,
                RankedTensorType out) {
  size_t rank = in.getRank();
  if (lists.sizes.size() != rank || lists.strides->size() != rank ||
      lists.baseDilations->size() != rank ||
      lists.windowDilations->size() != rank ||
      lists.padding.size() != 2 * rank || out.getRank() != (int64_t)rank)
    return false;
  SmallVector<int64_t> sizes = sizesOf(in), places = sizesOf(out);
  for (auto [dim, w] : llvm::enumerate(windowsOf(lists))) {
    bool isStatic = !in.isDynamicDim(dim) && !out.isDynamicDim(dim);
    if (w.size < 1 || w.stride < 1 || w.baseDilation < 1 ||
        w.windowDilation < 1 ||
        (isStatic && windowFits(w, sizes[dim], places[dim]) &&
         placesOf(w, sizes[dim]) != places[dim]))
      return false;
  }
  return true;
}

/// The type that these values have in common; none where their sizes differ.
RankedTensorType commonType(mlir::ValueRange values) {
  auto first = llvm::dyn_cast<RankedTensorType>(values.front().getType());
  bool isCommon = first && llvm::all_of(values, [&](mlir::Value value) {
                    return llvm::isa<RankedTensorType>(value.getType()) &&
                           sizesOf(value.getType()) == sizesOf(first);
                  });
  return isCommon ? first : RankedTensorType();
}

/// Operands: the inputs, one initial value for each, then window_dimensions,
/// window_strides, base_dilations, window_dilations and padding.
MapSet reduceWindowMaps(CustomCallOp op, const Query &q) {
  unsigned count = op->getNumResults();
  mlir::Region *body = calledBody(op);
  auto unknown = [&] {
    return q.everything(because(op, "the window is known only when the program "
                                    "runs"));
  };
  if (op->getNumOperands() != 2 * count + 5 || !body ||
      body->getNumArguments() != 2 * count ||
      body->front().getTerminator()->getNumOperands() != count)
    return unknown();
  std::optional<SmallVector<int64_t>> numbers[5];
  for (unsigned i = 0; i < 5; ++i) {
    numbers[i] = knownIntegers(q.arena, op->getOperand(2 * count + i));
    if (!numbers[i])
      return unknown();
  }
  // The operands that describe the window are constants and are not read.
  if (q.operand >= 2 * count)
    return q.nothing();
  RankedTensorType in = commonType(op->getOperands().take_front(count)),
                   out = commonType(op->getResults());
  WindowLists lists{.sizes = *numbers[0],
                    .strides = *numbers[1],
                    .baseDilations = *numbers[2],
                    .windowDilations = *numbers[3],
                    .padding = *numbers[4]};
  if (!in || !out || !isWindowed(lists, in, out))
    return unknown();
  return windowReductionMaps(
      q, count, foldReads(*body, count, q.result, FoldOrder::AnyTree), lists);
}

/// The bits depend on the whole state, and on the shape, which gives the number
/// of bits drawn before an element.
MapSet rngBitGeneratorMaps(CustomCallOp op, const Query &q) {
  if (q.operand == 0)
    return q.everything();
  auto bits = op->getNumResults() == 2
                  ? llvm::dyn_cast<mlir::ShapedType>(op->getResult(1).getType())
                  : mlir::ShapedType();
  if (bits && bits.hasStaticShape())
    return q.nothing();
  return q.everything();
}

} // namespace

std::optional<MapSet> maps::knownCallMaps(CustomCallOp op, const Query &q) {
  using Answer = MapSet (*)(CustomCallOp, const Query &);
  Answer answer =
      llvm::StringSwitch<Answer>(op.getCallTargetName())
          .Case("SPMDFullToShardShape", fullToShardMaps)
          .Case("SPMDShardToFullShape", shardToFullMaps)
          .Case("xla.sdy.GlobalToLocalShape", globalToLocalMaps)
          .Case("xla.sdy.LocalToGlobalShape", localToGlobalMaps)
          .Cases({"TopK", "stablehlo.dynamic_top_k"}, topKMaps)
          .Cases({"ApproxTopK", "stablehlo.dynamic_approx_top_k"},
                 approxTopKMaps)
          .Case("stablehlo.dynamic_reduce_window", reduceWindowMaps)
          .Case("stablehlo.dynamic_rng_bit_generator", rngBitGeneratorMaps)
          .Default(nullptr);
  if (!answer)
    return std::nullopt;
  return answer(op, q);
}
