// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of the hlo dialect, except fusions (FusionMaps.cpp).

#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/analysis/maps/DeviceGroups.h"
#include "mercator/analysis/maps/Model.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::Value;

namespace {

//===--- Bitcasts ---------------------------------------------------------===//

MapSet bitcastMaps(hlo::BitcastOp op, const Query &q) {
  if (!q.isStatic)
    return q.dynamic();
  auto in = llvm::cast<mlir::RankedTensorType>(op.getOperand().getType());
  auto out = llvm::cast<mlir::RankedTensorType>(op.getResult().getType());
  if (!productFits(q.in) || !productFits(q.out))
    return q.tooLarge();
  SmallVector<int64_t> inLayout = hlo::minorToMajor(in);
  SmallVector<int64_t> outLayout = hlo::minorToMajor(out);
  // Equal numbers of bytes, different numbers of elements.
  int64_t inCount = in.getNumElements(), outCount = out.getNumElements();
  if (inCount != outCount && inCount > 0 && outCount > 0) {
    int64_t few = std::min(inCount, outCount),
            many = std::max(inCount, outCount);
    if (many % few != 0)
      return q.everything("bitcast: elements of the one type straddle those of "
                          "the other");
    bool back = q.direction == Direction::OutToIn;
    return bitcastWidth(q.arena, q.from(), back ? outLayout : inLayout, q.to(),
                        back ? inLayout : outLayout, many / few,
                        (back ? outCount : inCount) == many);
  }
  return q.direction == Direction::OutToIn
             ? bitcast(q.arena, q.out, outLayout, q.in, inLayout)
             : bitcast(q.arena, q.in, inLayout, q.out, outLayout);
}

//===--- Instructions that StableHLO does not have ------------------------===//

/// The numbers of an attribute as "{1,3}"; empty if the attribute is missing.
SmallVector<int64_t> listOf(hlo::OpaqueOp op, llvm::StringRef name) {
  SmallVector<int64_t> out;
  mlir::DictionaryAttr attributes = op.getHloAttributesAttr();
  auto text = attributes ? attributes.getAs<mlir::StringAttr>(name) : nullptr;
  SmallVector<llvm::StringRef> words;
  if (text)
    text.getValue().trim("{} ").split(words, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words) {
    int64_t number;
    if (!word.trim().getAsInteger(10, number))
      out.push_back(number);
  }
  return out;
}

/// A dot of two scaled tensors. Each scale belongs to a block of elements.
MapSet scaledDotMaps(hlo::OpaqueOp op, const Query &q) {
  SmallVector<int64_t> sizes[4];
  for (auto [i, operand] : llvm::enumerate(op.getInputs())) {
    auto type = llvm::dyn_cast<mlir::RankedTensorType>(operand.getType());
    if (!type || !type.hasStaticShape())
      return q.dynamic();
    llvm::append_range(sizes[i], type.getShape());
  }
  SmallVector<int64_t> lhsBatch = listOf(op, "lhs_batch_dims"),
                       rhsBatch = listOf(op, "rhs_batch_dims"),
                       lhsContracting = listOf(op, "lhs_contracting_dims"),
                       rhsContracting = listOf(op, "rhs_contracting_dims");
  constexpr llvm::StringLiteral kReason =
      "scaled-dot: the scale of an element is not known";
  // The attributes of the text are not verified.
  auto areDims = [](ArrayRef<int64_t> dims, ArrayRef<int64_t> sizes) {
    llvm::SmallDenseSet<int64_t> seen;
    return llvm::all_of(dims, [&](int64_t dim) {
      return 0 <= dim && dim < (int64_t)sizes.size() && seen.insert(dim).second;
    });
  };
  auto joined = [](ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
    SmallVector<int64_t> all(a);
    llvm::append_range(all, b);
    return all;
  };
  if (!areDims(joined(lhsBatch, lhsContracting), sizes[0]) ||
      !areDims(joined(rhsBatch, rhsContracting), sizes[1]) ||
      lhsBatch.size() != rhsBatch.size() ||
      lhsContracting.size() != rhsContracting.size() ||
      q.out.size() + lhsBatch.size() + 2 * lhsContracting.size() !=
          sizes[0].size() + sizes[1].size())
    return q.everything("scaled-dot: its dimensions do not fit its operands");
  unsigned side = q.operand % 2;
  Map product = dot(q.arena, q.direction,
                    side == 0 ? DotSide::Lhs : DotSide::Rhs, sizes[0], sizes[1],
                    {lhsBatch, rhsBatch, lhsContracting, rhsContracting});
  if (q.operand < 2)
    return product;
  ArrayRef<int64_t> whole = sizes[side], scales = sizes[q.operand];
  if (scales.empty())
    return q.everything();
  if (whole.size() != scales.size())
    return q.everything(kReason);
  // From an element to its scale, or from a scale to its elements.
  Arena &arena = q.arena;
  Map blocks(arena);
  bool toScale = q.direction == Direction::OutToIn;
  for (auto [size, count] : llvm::zip_equal(whole, scales)) {
    if (count == 0 || size % count != 0)
      return q.everything(kReason);
    int64_t block = size / count;
    Expr d =
        blocks.domain.addDim(arena, Interval::ofSize(toScale ? size : count));
    if (toScale)
      blocks.results.push_back(arena.floorDiv(d, block));
    else
      blocks.results.push_back(
          arena.add(arena.scale(d, block),
                    blocks.domain.addRange(arena, Interval::ofSize(block))));
  }
  return toScale ? compose(product, blocks) : compose(blocks, product);
}

/// The member of the tuple operand that a -done instruction returns.
std::optional<unsigned> memberOf(llvm::StringRef done) {
  if (done == "copy-done")
    return 0;
  if (done == "all-gather-done" || done == "collective-permute-done" ||
      done == "async-done")
    return 1;
  return std::nullopt;
}

constexpr llvm::StringLiteral kElsewhere =
    ": the element may be that of another device";

MapSet opaqueMaps(hlo::OpaqueOp op, const Query &q) {
  llvm::StringRef opcode = op.getOpcode();
  bool sameSizes = q.in == q.out;
  auto isTuple = [](Value value) {
    return llvm::isa<mlir::TupleType>(value.getType());
  };
  Value operand = op.getInputs()[q.operand];
  if (opcode == "scaled-dot" && op.getInputs().size() == 4)
    return scaledDotMaps(op, q);
  // The identity on the first operand: ordered by a token, with a hint, or
  // converted.
  if (opcode == "add-dependency" || opcode == "domain" ||
      opcode == "stochastic-convert")
    return q.operand == 0 && sameSizes ? q.identity() : elementwiseMaps(op, q);
  if (opcode == "async-update")
    return q.operand == 0 ? q.everything() : unknownMaps(op, q);
  // A copy-start returns a tuple with the operand, a -done a member of a tuple.
  if (opcode == "copy-start" && isTuple(op.getResult(0)))
    return Map::identity(q.arena, q.in);
  if (std::optional<unsigned> member = memberOf(opcode)) {
    if (!isTuple(operand))
      return sameSizes ? MapSet(q.identity()) : unknownMaps(op, q);
    auto tuple = llvm::cast<mlir::TupleType>(operand.getType());
    if (*member < tuple.size() && sizesOf(tuple.getType(*member)) == q.out)
      return Map::identity(q.arena, q.out);
    return unknownMaps(op, q);
  }
  if (opcode == "all-reduce-done" && sameSizes)
    return q.identity();
  if ((opcode == "all-reduce-start" || opcode == "collective-permute-start" ||
       opcode == "all-reduce" || opcode == "collective-permute" ||
       opcode == "collective-reduce" || opcode == "collective-broadcast") &&
      sameSizes && q.operand == 0 && !isTuple(op.getResult(0)))
    return q.approximate(q.identity(), opcode + kElsewhere);
  if (opcode == "all-to-all" && op->hasAttr("replica_groups"))
    return tupleAllToAllMaps(op, q);
  // Bits and next state depend on the whole state.
  if (opcode == "rng-bit-generator" && op->getNumResults() == 2)
    return q.everything();
  if (opcode == "shuffle" && sameSizes) {
    SmallVector<int64_t> dims = listOf(op, "dimensions");
    return q.approximate(
        q.along([&](int64_t dim) { return llvm::is_contained(dims, dim); }),
        "shuffle: the order of its dimensions is not known");
  }
  return unknownMaps(op, q);
}

} // namespace

void maps::attachHloMaps(mlir::MLIRContext *context) {
  attach<hlo::BitcastOp, bitcastMaps>(context);
  attach<hlo::OpaqueOp, opaqueMaps>(context);
  attachElementwise<hlo::CopyOp, hlo::ElementOp>(context);
}
