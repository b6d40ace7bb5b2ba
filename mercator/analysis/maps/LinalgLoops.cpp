// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of an operation of linalg, and the values that its body uses from
// outside: elements that tensor.extract reads, at indices that the body computes;
// and numbers.

#include "mercator/analysis/maps/LinalgLoops.h"
#include "mercator/analysis/maps/AffineBridge.h"
#include "mercator/analysis/maps/RegionReads.h"
#include "mercator/indexing/simplify/Inverse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/ADT/DenseSet.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::SmallVector;
using mlir::AffineMap;
using mlir::Operation;
using mlir::Value;
using mlir::linalg::LinalgOp;
namespace arith = mlir::arith;
namespace tensor = mlir::tensor;

static constexpr int64_t kUnknownSize = Interval::kMax;

//===--- Loops ------------------------------------------------------------===//

SmallVector<int64_t> maps::loopSizes(LinalgOp op) {
  SmallVector<int64_t> sizes(op.getNumLoops(), kUnknownSize);
  for (mlir::OpOperand &operand : op->getOpOperands()) {
    SmallVector<int64_t> shape = sizesOf(operand.get().getType());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (map.getNumResults() != shape.size())
      continue;
    for (auto [size, result] : llvm::zip_equal(shape, map.getResults()))
      if (auto loop = llvm::dyn_cast<mlir::AffineDimExpr>(result)) {
        int64_t &known = sizes[loop.getPosition()];
        known = std::min(known, size);
      }
  }
  return sizes;
}

std::optional<Map> maps::fromLoops(Arena &arena, AffineMap affine,
                                   Sizes loops) {
  Map map(arena);
  SmallVector<Expr> dims;
  for (int64_t size : loops)
    dims.push_back(map.domain.addDim(arena, Interval::ofSize(size)));
  for (mlir::AffineExpr result : affine.getResults()) {
    map.results.push_back(fromAffine(arena, result, dims));
    if (!map.results.back())
      return std::nullopt;
  }
  return map;
}

std::optional<Map> maps::toLoops(Arena &arena, AffineMap affine, Sizes loops,
                                 Sizes sizes) {
  SmallVector<int64_t> source(loops.size(), -1);
  bool direct = true; // each index is a distinct loop variable
  for (auto [i, result] : llvm::enumerate(affine.getResults())) {
    auto loop = llvm::dyn_cast<mlir::AffineDimExpr>(result);
    direct &= loop && source[loop.getPosition()] < 0;
    if (!direct)
      break;
    source[loop.getPosition()] = i;
  }
  if (direct)
    return selectDims(arena, sizes, loops, source);
  std::optional<Map> forward = fromLoops(arena, affine, loops);
  if (!forward)
    return std::nullopt;
  return inverse(*forward, sizes);
}

//===--- Captured values --------------------------------------------------===//

namespace {

/// The values of the body that a result is computed from.
class ReachedValues {
public:
  ReachedValues(mlir::Block *body, Value root) {
    SmallVector<Value> work{root};
    while (!work.empty()) {
      Value value = work.pop_back_val();
      if (!values.insert(value).second)
        continue;
      Operation *op = value.getDefiningOp();
      if (!op || op->getBlock() != body)
        continue;
      hasRegions |= op->getNumRegions() > 0;
      work.append(op->operand_begin(), op->operand_end());
    }
  }
  [[nodiscard]] bool has(Value value) const { return values.contains(value); }

  /// The regions of an operation may use anything.
  bool hasRegions = false;

private:
  llvm::DenseSet<Value> values;
};

/// Numbers of the body as expressions of the loops.
class BodyIndices {
public:
  BodyIndices(LinalgOp op, Map &map, Sizes loops)
      : op(op), map(map), arena(*map.arena), loops(loops) {}

  /// No expression if it is not followed. Requires: an integer.
  Expr of(Value value, Interval within, unsigned depth = 0) {
    constexpr unsigned kMaxDepth = 32;
    if (depth == kMaxDepth)
      return {};
    if (std::optional<int64_t> known = mlir::getConstantIntValue(value))
      return arena.constant(*known);
    Operation *made = value.getDefiningOp();
    if (auto index = llvm::dyn_cast_if_present<mlir::linalg::IndexOp>(made))
      return arena.dim(index.getDim());
    if (llvm::isa_and_present<arith::AddIOp, arith::SubIOp, arith::MulIOp>(
            made)) {
      Expr a = of(made->getOperand(0), Interval::everything(), depth + 1);
      Expr b = of(made->getOperand(1), Interval::everything(), depth + 1);
      if (!a || !b)
        return {};
      if (llvm::isa<arith::AddIOp>(made))
        return arena.add(a, b);
      if (llvm::isa<arith::SubIOp>(made))
        return arena.sub(a, b);
      if (arena.isConstant(a))
        return arena.scale(b, arena.constantValue(a));
      return arena.isConstant(b) ? arena.scale(a, arena.constantValue(b))
                                 : Expr();
    }
    return atRunTime(value, within, depth);
  }

private:
  /// A number that is read when the program runs, clamped by the body.
  Expr atRunTime(Value value, Interval within, unsigned depth) {
    std::optional<int64_t> low, high;
    Reading reading = Reading::Signed; // of `value`
    for (Operation *made; (made = value.getDefiningOp());) {
      if (std::optional<Reading> inner = readingOfOperand(made, reading)) {
        value = made->getOperand(0);
        reading = *inner;
        continue;
      }
      bool isMax = llvm::isa<arith::MaxSIOp>(made);
      bool isUnsigned = llvm::isa<arith::MinUIOp>(made);
      std::optional<int64_t> &limit = isMax ? low : high;
      if ((!isMax && !isUnsigned && !llvm::isa<arith::MinSIOp>(made)) || limit)
        break;
      Value limited;
      for (unsigned k : {1u, 0u})
        if ((limit = mlir::getConstantIntValue(made->getOperand(k)))) {
          limited = made->getOperand(1 - k);
          break;
        }
      if (!limit)
        return {};
      // A limit of signed numbers makes no unsigned one, unless it is positive.
      if ((reading == Reading::Unsigned && !isUnsigned &&
           !(isMax && *limit >= 0)) ||
          (isUnsigned && *limit < 0))
        return {};
      reading = isUnsigned ? Reading::Unsigned : Reading::Signed;
      if (isUnsigned)
        low = 0;
      value = limited;
    }
    Interval bounds = within;
    if (low && high)
      bounds = {*low, *high};
    else if (low || high || !within.hasUpper())
      return {};
    if (bounds.isEmpty())
      return {};
    RuntimeVariable v;
    v.bounds = bounds;
    Value source = sourceOf(value, v.index, depth);
    if (!source)
      return {};
    Source id = internSource(arena, source);
    v.source = id.id;
    v.element = id.element;
    if (reading == Reading::Unsigned) {
      if (id.element >= 0)
        return {};
      v.element = kReadUnsigned;
    }
    return map.domain.addRuntime(arena, std::move(v));
  }

  /// The value outside that a number of the body is an element of, and where.
  Value sourceOf(Value value, SmallVector<Expr, 2> &index, unsigned depth) {
    mlir::Block *body = op.getBlock();
    if (!op->getRegion(0).isAncestor(value.getParentRegion()))
      return value;
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
      if (argument.getOwner() != body ||
          argument.getArgNumber() >= op.getNumDpsInputs())
        return {};
      mlir::OpOperand &operand = op->getOpOperand(argument.getArgNumber());
      std::optional<Map> at =
          fromLoops(arena, op.getMatchingIndexingMap(&operand), loops);
      if (!at)
        return {};
      index.assign(at->results.begin(), at->results.end());
      return operand.get();
    }
    auto extract = value.getDefiningOp<tensor::ExtractOp>();
    if (!extract ||
        op->isAncestor(extract.getTensor().getParentRegion()->getParentOp()))
      return {};
    size_t numRuntimes = map.domain.runtimes.size();
    for (Value each : extract.getIndices()) {
      index.push_back(of(each, Interval::everything(), depth + 1));
      // The index of an index is known, or it is not followed.
      if (!index.back() || map.domain.runtimes.size() != numRuntimes)
        return {};
    }
    return extract.getTensor();
  }

  LinalgOp op;
  Map &map;
  Arena &arena;
  Sizes loops;
};

constexpr const char *kVague =
    "linalg: the reads of its body are not known exactly";

/// Element by element: from the loops to the element that is extracted.
MapSet extractedMaps(LinalgOp op, tensor::ExtractOp extract, const Map &first,
                     Sizes loops, const char *vague) {
  Arena &arena = *first.arena;
  SmallVector<int64_t> sizes = sizesOf(extract.getTensor().getType());
  Map second(arena);
  for (int64_t size : loops)
    (void)second.domain.addDim(arena, Interval::ofSize(size));
  BodyIndices indices(op, second, loops);
  for (auto [value, size] : llvm::zip_equal(extract.getIndices(), sizes)) {
    Expr at = indices.of(value, Interval::ofSize(size));
    if (!at) {
      vague = kVague;
      at = second.domain.addRange(arena, Interval::ofSize(size));
    }
    second.results.push_back(at);
  }
  Map map = compose(first, second);
  return vague ? MapSet::approximate(std::move(map), vague)
               : MapSet(std::move(map));
}

} // namespace

std::optional<MapSet> maps::capturedMaps(LinalgOp op, Arena &arena,
                                         unsigned result, Value captured) {
  mlir::Block *body = op.getBlock();
  SmallVector<tensor::ExtractOp> extracts;
  bool isNumber = !llvm::isa<mlir::ShapedType>(captured.getType());
  for (Operation *user : captured.getUsers()) {
    if (!op->isProperAncestor(user))
      continue;
    auto extract = llvm::dyn_cast<tensor::ExtractOp>(user);
    if (user->getBlock() != body || (!isNumber && !extract))
      return std::nullopt;
    if (!isNumber)
      extracts.push_back(extract);
  }
  SmallVector<int64_t> loops = loopSizes(op);
  if (llvm::is_contained(loops, 0))
    return MapSet();
  ReachedValues reached(body, body->getTerminator()->getOperand(result));
  if (reached.hasRegions)
    return std::nullopt;

  // An element may be written several times, or be computed from others.
  mlir::OpOperand *init = op.getDpsInitOperand(result);
  mlir::AffineMap out = op.getMatchingIndexingMap(init);
  bool isWrittenOnce = out.isPermutation();
  bool accumulates = out.isProjectedPermutation() && op.getNumDpsInits() == 1 &&
                     reached.has(body->getArgument(init->getOperandNumber()));
  const char *vague = isWrittenOnce || accumulates ? nullptr : kVague;
  if (op.getNumDpsInits() > 1 && !isWrittenOnce)
    return std::nullopt;

  SmallVector<int64_t> sizes = sizesOf(op->getResult(result).getType());
  if (isNumber) {
    if (!reached.has(captured))
      return MapSet();
    Map map = everything(arena, sizes, {});
    return vague ? MapSet::approximate(std::move(map), vague)
                 : MapSet(std::move(map));
  }
  std::optional<Map> first = toLoops(arena, out, loops, sizes);
  if (!first)
    return std::nullopt;
  MapSet maps;
  for (tensor::ExtractOp extract : extracts)
    if (reached.has(extract) && !first->isKnownEmpty())
      for (const OperandMap &m :
           extractedMaps(op, extract, *first, loops, vague))
        maps.insert(m);
  return maps;
}
