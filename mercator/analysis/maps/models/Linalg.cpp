// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of linalg, from the affine maps that they carry.
//
//   linalg.generic, loops d0 in [0, 3], d1 in [0, 7]
//     in  affine_map<(d0, d1) -> (d0, d1)>
//     out affine_map<(d0, d1) -> (d0)>
//
// Both maps start from the loops. Element e of the result is written at the
// loop points p with out(p) = e, and reads in(p) at each of them: the inverse
// of
// `out`, followed by `in`:
//
//   (d0) -> (d0, s0) -> (d0, s0), s0 in [0, 7]
//
// For the other direction, `in` and `out` are exchanged. An operand that the
// body does not use is not read.

#include "mercator/analysis/maps/AffineBridge.h"
#include "mercator/analysis/maps/LinalgLoops.h"
#include "mercator/analysis/maps/RegionReads.h"
#include "mercator/indexing/simplify/Inverse.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::ArrayRef;
using llvm::SmallBitVector;
using llvm::SmallVector;
using mlir::AffineMap;
using mlir::linalg::LinalgOp;

static constexpr int64_t kUnknownExtent = Interval::kMax;

namespace {

//===--- One operand after another ----------------------------------------===//

/// The map from the elements of one operand to those elements of another that
/// the same loop point accesses.
std::optional<Map> acrossLoops(const Query &q, AffineMap from, AffineMap to,
                               Sizes loops) {
  std::optional<Map> first = toLoops(q.arena, from, loops, q.from());
  std::optional<Map> second = fromLoops(q.arena, to, loops);
  if (!first || !second)
    return std::nullopt;
  return first->isKnownEmpty() ? q.nothing() : compose(*first, *second);
}

//===--- The body ---------------------------------------------------------===//

/// The data flow from the operands to one result, through the body.
class Body {
public:
  Body(LinalgOp op, unsigned result) : op(op), result(result) {
    SmallVector<unsigned> work{result};
    SmallBitVector reached(op.getNumDpsInits());
    reached.set(result);
    flows.resize(op.getNumDpsInits());
    while (!work.empty()) {
      unsigned at = work.pop_back_val();
      flows[at] = bodyReads(op->getRegion(0), at);
      vague |= !flows[at]->exact;
      for (unsigned arg : flows[at]->arguments.set_bits())
        if (arg >= op.getNumDpsInputs() &&
            !reached.test(arg - op.getNumDpsInputs())) {
          reached.set(arg - op.getNumDpsInputs());
          work.push_back(arg - op.getNumDpsInputs());
        }
    }
  }

  /// True if one iteration computes the result from this operand.
  [[nodiscard]] bool uses(unsigned operand) const {
    return usedBy(result, operand);
  }
  /// True if the result is computed from another result of earlier iterations,
  /// and that one from this operand.
  [[nodiscard]] bool usesThroughOthers(unsigned operand) const {
    for (unsigned i = 0; i < flows.size(); ++i)
      if (i != result && flows[i] && usedBy(i, operand))
        return true;
    return false;
  }
  /// True if all results that take part have the same affine map.
  [[nodiscard]] bool standTogether() {
    for (unsigned i = 0; i < flows.size(); ++i)
      if (flows[i] && mapOf(i) != mapOf(result))
        return false;
    return true;
  }
  AffineMap mapOf(unsigned i) {
    return op.getMatchingIndexingMap(op.getDpsInitOperand(i));
  }
  /// True if the data flow of the body is not exact.
  [[nodiscard]] bool isVague() const { return vague; }

private:
  [[nodiscard]] bool usedBy(unsigned i, unsigned operand) const {
    const SmallBitVector &arguments = flows[i]->arguments;
    return operand < arguments.size() && arguments.test(operand);
  }

  LinalgOp op;
  unsigned result;
  SmallVector<std::optional<BodyReads>>
      flows; ///< of the results that take part
  bool vague = false;
};

//===--- Operations with a body -------------------------------------------===//

/// The number of times that an element of a result is written.
struct Writes {
  bool always; ///< at least once
  bool once;   ///< at most once
};
Writes writesOf(AffineMap out, Sizes loops) {
  Writes writes{out.isProjectedPermutation(), true};
  SmallBitVector ownIndex(loops.size());
  for (mlir::AffineExpr e : out.getResults())
    if (auto loop = llvm::dyn_cast<mlir::AffineDimExpr>(e))
      ownIndex.set(loop.getPosition());
  for (auto [i, size] : llvm::enumerate(loops)) {
    if (ownIndex.test(i))
      continue;
    writes.once &= size == 1;
    writes.always &= size != kUnknownExtent && size > 0;
  }
  return writes;
}

/// The init operand of the result itself.
MapSet ownInitMaps(const Query &q, Body &body, Writes writes) {
  // Elements that no iteration writes keep the initial value.
  if (body.uses(q.operand) && !body.isVague())
    return q.identity();
  if (body.uses(q.operand) || body.usesThroughOthers(q.operand))
    return q.approximate(
        q.identity(), "linalg: the old value is read through another result");
  if (writes.always)
    return q.nothing();
  return q.approximate(q.identity(),
                       "linalg: only an element that no iteration writes keeps "
                       "its old value");
}

MapSet linalgMaps(LinalgOp op, const Query &q) {
  mlir::OpOperand *init = op.getDpsInitOperand(q.result);
  SmallVector<int64_t> loops = loopSizes(op);
  bool isOwnInit = q.operand == init->getOperandNumber();
  if (llvm::is_contained(loops, 0))
    return isOwnInit ? q.identity() : q.nothing();

  Body body(op, q.result);
  AffineMap out = op.getMatchingIndexingMap(init);
  AffineMap in = op.getMatchingIndexingMap(&op->getOpOperand(q.operand));
  Writes writes = writesOf(out, loops);
  if (isOwnInit)
    return ownInitMaps(q, body, writes);

  bool direct = body.uses(q.operand);
  bool indirect = body.usesThroughOthers(q.operand);
  if (!direct && !indirect)
    return q.nothing();
  if (indirect && !body.standTogether())
    return q.everything("linalg: it is read through another result, "
                        "which is written at other elements");
  bool toElement = q.direction == Direction::OutToIn;
  std::optional<Map> map =
      acrossLoops(q, toElement ? out : in, toElement ? in : out, loops);
  if (!map)
    return q.everything(
        "linalg: its affine maps have symbols, or divisors that are not positive constants");
  const char *reason = nullptr;
  if (!direct)
    reason = "linalg: it is read through another result";
  else if (body.isVague())
    reason = "linalg: the reads of its body are not known exactly";
  else if (!writes.once && !body.uses(init->getOperandNumber()))
    // The last of several writes is kept, so the reads of earlier iterations do
    // not count.
    return MapSet::approximate(
        std::move(*map),
        "linalg: several iterations write an element, and the last one is kept",
        writes.always ? elementCount(q.out).value_or(0) : 0);
  else if (q.operand >= op.getNumDpsInputs() && in != out)
    reason = "linalg: it is read where other iterations write";
  else if (llvm::is_contained(loops, kUnknownExtent) &&
           !(in.isProjectedPermutation() && out.isProjectedPermutation()))
    reason = "a size is known only when the program runs";
  return reason ? q.approximate(std::move(*map), reason)
                : MapSet(std::move(*map));
}

//===--- Operations without a body ----------------------------------------===//

/// A softmax reads the whole line, for the maximum and for the sum.
MapSet softmaxMaps(mlir::linalg::SoftmaxOp op, const Query &q) {
  if (q.operand == 1)
    return q.nothing();
  return q.along(
      [&](int64_t dim) { return dim == (int64_t)op.getDimension(); });
}

/// The paired dimensions of operand and result have equal indices; the others
/// take every index.
MapSet winogradMaps(const Query &q,
                    ArrayRef<std::pair<int64_t, int64_t>> same) {
  if (q.operand == 1)
    return q.nothing();
  SmallVector<int64_t> source(q.to().size(), -1);
  for (auto [in, out] : same)
    if (q.direction == Direction::OutToIn)
      source[in] = out;
    else
      source[out] = in;
  return q.approximate(
      selectDims(q.arena, q.from(), q.to(), source),
      "linalg: the reads of a Winograd transform within its tile are not analyzed");
}
/// (F, H, W, C) to (alphaH, alphaW, C, F).
MapSet winogradFilterMaps(mlir::linalg::WinogradFilterTransformOp,
                          const Query &q) {
  return winogradMaps(q, {{0, 3}, {3, 2}});
}
/// (N, H, W, C) to (alphaH, alphaW, tileH, tileW, N, C).
MapSet winogradInputMaps(mlir::linalg::WinogradInputTransformOp,
                         const Query &q) {
  return winogradMaps(q, {{0, 4}, {3, 5}});
}
/// (alphaH, alphaW, tileH, tileW, N, F) to (N, H, W, F).
MapSet winogradOutputMaps(mlir::linalg::WinogradOutputTransformOp,
                          const Query &q) {
  return winogradMaps(q, {{4, 0}, {5, 3}});
}

//===--- Packing ----------------------------------------------------------===//
//
//   pack    source[i] with i = outer * tile + inner in each tiled dimension
//   unpack  the inverse; elements past the end are dropped

/// The dimensions of the packed tensor for each source dimension.
struct Packing {
  SmallVector<int64_t> outer; ///< source dim -> packed dim
  SmallVector<int64_t> inner; ///< source dim -> packed dim, or -1
  SmallVector<int64_t> tile;  ///< source dim -> size of its tiles, or 1

  template <typename Op> static std::optional<Packing> of(Op op, size_t rank) {
    Packing p{SmallVector<int64_t>(rank), SmallVector<int64_t>(rank, -1),
              SmallVector<int64_t>(rank, 1)};
    for (size_t i = 0; i < rank; ++i)
      p.outer[i] = i;
    for (auto [at, dim] : llvm::enumerate(op.getOuterDimsPerm()))
      p.outer[dim] = at;
    for (auto [i, dim] : llvm::enumerate(op.getInnerDimsPos())) {
      int64_t tile = op.getStaticInnerTiles()[i];
      if (mlir::ShapedType::isDynamic(tile) || tile <= 0 || !fits(tile))
        return std::nullopt;
      p.inner[dim] = rank + i;
      p.tile[dim] = tile;
    }
    return p;
  }
  /// The source index of a packed index.
  SmallVector<Expr> source(Arena &arena, ArrayRef<Expr> packed) const {
    SmallVector<Expr> at;
    for (size_t i = 0; i < outer.size(); ++i) {
      Expr e = arena.scale(packed[outer[i]], tile[i]);
      at.push_back(inner[i] < 0 ? e : arena.add(e, packed[inner[i]]));
    }
    return at;
  }
};

/// The map from the packed tensor to the source, or back.
Map packingMap(const Query &q, const Packing &p, bool toPacked, Sizes sizes) {
  Map map = everything(q.arena, q.from(), {});
  if (map.isKnownEmpty())
    return q.nothing();
  SmallVector<Expr> dims;
  for (uint32_t i = 0; i < q.from().size(); ++i)
    dims.push_back(q.arena.dim(i));
  if (toPacked) {
    map.results.resize(q.to().size());
    for (size_t i = 0; i < sizes.size(); ++i) {
      map.results[p.outer[i]] = q.arena.floorDiv(dims[i], p.tile[i]);
      if (p.inner[i] >= 0)
        map.results[p.inner[i]] = q.arena.mod(dims[i], p.tile[i]);
    }
    return map;
  }
  map.results.assign(p.source(q.arena, dims));
  for (size_t i = 0; i < sizes.size(); ++i)
    if (p.inner[i] >= 0)
      map.domain.addConstraint(map.results[i], Interval::ofSize(sizes[i]));
  return map;
}

MapSet tilesAreDynamic(const Query &q) {
  return q.everything("the size of a tile is known only when the program runs");
}

MapSet packMaps(mlir::linalg::PackOp op, const Query &q) {
  SmallVector<int64_t> sizes = sizesOf(op.getSource().getType());
  std::optional<Packing> p = Packing::of(op, sizes.size());
  bool isPadding = op.getPaddingValue() && q.operand == 2;
  if (q.operand == 1 || (q.operand > 1 && !isPadding))
    return q.nothing(); // the destination and the tile sizes are not read
  if (!p)
    return tilesAreDynamic(q);
  if (!isPadding) {
    bool toPacked = q.direction == Direction::InToOut;
    Map map = packingMap(q, *p, toPacked, sizes);
    if (!toPacked && op.getPaddingValue() &&
        llvm::is_contained(sizes, kUnknownExtent))
      return q.approximate(
          std::move(map),
          "the start of the padding is known only when the program runs");
    return map;
  }
  if (llvm::is_contained(sizes, kUnknownExtent))
    return q.everything(
        "the start of the padding is known only when the program runs");
  // The padding value is read past the end in some dimension.
  Map map = q.everything();
  if (map.isKnownEmpty())
    return map;
  SmallVector<Expr> packed;
  for (uint32_t i = 0; i < q.out.size(); ++i)
    packed.push_back(q.direction == Direction::OutToIn ? q.arena.dim(i)
                                                       : q.arena.range(i));
  Expr past;
  for (auto [i, at] : llvm::enumerate(p->source(q.arena, packed)))
    if (sizes[i] % p->tile[i] != 0) {
      Expr by = q.arena.add(at, -sizes[i]);
      past = past ? q.arena.max(past, by) : by;
    }
  if (!past)
    return q.nothing();
  map.domain.addConstraint(past, {0, Interval::kMax});
  return map;
}

MapSet unpackMaps(mlir::linalg::UnPackOp op, const Query &q) {
  if (q.operand > 0)
    return q.nothing();
  std::optional<Packing> p = Packing::of(op, q.out.size());
  if (!p)
    return tilesAreDynamic(q);
  bool toPacked = q.direction == Direction::OutToIn;
  Map map = packingMap(q, *p, toPacked, q.out);
  if (!toPacked && llvm::is_contained(q.out, kUnknownExtent))
    return q.approximate(std::move(map),
                         "a size is known only when the program runs");
  return map;
}

/// One model for all operations with the interface LinalgOp. It is attached to
/// each of them by name.
struct LinalgModel : MapInterface::FallbackModel<LinalgModel> {
  MapSet operandMaps(mlir::Operation *op, Arena &arena, unsigned result,
                     unsigned operand) const {
    return linalgMaps(llvm::cast<LinalgOp>(op),
                      Query(op, arena, Direction::OutToIn, operand, result));
  }
  MapSet resultMaps(mlir::Operation *op, Arena &arena, unsigned operand,
                    unsigned result) const {
    return linalgMaps(llvm::cast<LinalgOp>(op),
                      Query(op, arena, Direction::InToOut, operand, result));
  }
};

} // namespace

void maps::attachLinalgMaps(mlir::MLIRContext *context) {
  forEachOperationOf(context, "linalg", [](mlir::RegisteredOperationName name) {
    if (name.hasInterface<LinalgOp>())
      name.attachInterface<LinalgModel>();
  });
  attach<mlir::linalg::SoftmaxOp, softmaxMaps>(context);
  attach<mlir::linalg::WinogradFilterTransformOp, winogradFilterMaps>(context);
  attach<mlir::linalg::WinogradInputTransformOp, winogradInputMaps>(context);
  attach<mlir::linalg::WinogradOutputTransformOp, winogradOutputMaps>(context);
  attach<mlir::linalg::PackOp, packMaps>(context);
  attach<mlir::linalg::UnPackOp, unpackMaps>(context);
}
