// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix of M x K, padded to full tiles of M0 x K0, becomes a tensor of M1 x
// K1 x M0 x K0. Each tile is contiguous, in the order in which a kernel for the
// target reads it. linalg.mmt4d multiplies such tensors; the right one is
// transposed.

#include "mercator/analysis/device/Device.h"
#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/linalg/LinalgBuilders.h"

#include "llvm/ADT/StringExtras.h"

namespace mercator::flow {
#define GEN_PASS_DEF_CONVERTLINALGMATMULTOMMT4D
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

//===--- Tiles ------------------------------------------------------------===//

namespace {
struct Tile {
  int64_t m, k, n;
  std::string comment;
};
} // namespace

/// The tile where no kernel is known.
static MatmulTile genericTile() {
  return {.lhs = "",
          .rhs = "",
          .acc = "",
          .feature = "",
          .m = 8,
          .k = 2,
          .n = 4,
          .narrowK = 2,
          .comment =
              "generic tiling parameters, as no known kernel was matched "
              "for this matmul and target"};
}

static bool isNamed(Type type, StringRef name) {
  if (name == "f32")
    return type.isF32();
  return type.isSignlessInteger(name == "i8" ? 8 : 32);
}

/// The tile for M x N elements, either of which may be dynamic.
static Tile tileOf(const MatmulTile &row, int64_t m, int64_t n) {
  Tile tile{row.m, row.k, row.n, row.comment};
  int64_t narrow = m == 1 || n == 1 ? 1 : m == 2 || n == 2 ? 2 : 0;
  if (!narrow)
    return tile;
  tile.k = row.narrowK;
  bool right = n == 1 || n == 2;
  if (right) {
    tile.n = narrow;
    tile.comment += ", matrix * narrow matrix";
  } else {
    // The kernel for a matrix times a narrow matrix, with swapped operands.
    tile.n = row.m;
    tile.m = narrow;
    tile.comment += ", narrow matrix * matrix";
  }
  tile.comment += ", where the narrow matrix has " +
                  std::to_string(right ? n : m) + " column(s)";
  return tile;
}

//===--- Rewriting --------------------------------------------------------===//

/// The distance from `size` to the next multiple of `tile`.
static OpFoldResult padding(ImplicitLocOpBuilder &b, OpFoldResult size,
                            int64_t tile) {
  return affine::makeComposedFoldedAffineApply(
      b, b.getLoc(), (-b.getAffineSymbolExpr(0)) % tile, {size});
}

/// The number of tiles.
static OpFoldResult count(ImplicitLocOpBuilder &b, OpFoldResult size,
                          int64_t tile) {
  return affine::makeComposedFoldedAffineApply(
      b, b.getLoc(), b.getAffineSymbolExpr(0).ceilDiv(tile), {size});
}

namespace {
/// A matrix in tiles of `tile`. The tiles have the order of the matrix until
/// they are transposed.
struct Tiled {
  ImplicitLocOpBuilder &b;
  Value matrix;
  int64_t tile[2];
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), matrix);
  Value padded = matrix;

  void pad() {
    SmallVector<OpFoldResult> high;
    for (int i : {0, 1})
      high.push_back(padding(b, sizes[i], tile[i]));
    if (!llvm::all_of(high, isZeroInteger))
      padded = flow::padHigh(b, matrix, high);
  }
  /// R x C to R1 x R0 x C1 x C0.
  Value expand() {
    SmallVector<OpFoldResult> split;
    for (int i : {0, 1}) {
      split.push_back(count(b, sizes[i], tile[i]));
      split.push_back(b.getIndexAttr(tile[i]));
    }
    SmallVector<int64_t> shape;
    SmallVector<Value> dynamic;
    dispatchIndexOpFoldResults(split, dynamic, shape);
    auto type = cast<RankedTensorType>(matrix.getType());
    // A size may be known although the type is dynamic.
    SmallVector<int64_t> whole;
    for (int i : {0, 1})
      whole.push_back(ShapedType::isDynamic(shape[2 * i])
                          ? ShapedType::kDynamic
                          : shape[2 * i] * tile[i]);
    if (cast<RankedTensorType>(padded.getType()).getShape() != ArrayRef(whole))
      padded = tensor::CastOp::create(b, type.clone(whole), padded);
    SmallVector<ReassociationIndices> groups = {{0, 1}, {2, 3}};
    return tensor::ExpandShapeOp::create(b, type.clone(shape), padded, groups,
                                         split);
  }
};

struct MatmulToMmt4D : OpRewritePattern<linalg::MatmulOp> {
  MatmulToMmt4D(MLIRContext *context,
                function_ref<std::optional<Tile>(linalg::MatmulOp)> choose)
      : OpRewritePattern(context), choose(choose) {}

  LogicalResult matchAndRewrite(linalg::MatmulOp op,
                                PatternRewriter &rewriter) const override {
    // mmt4d has no maps of its own, and always sign-extends.
    if (!op.hasPureTensorSemantics() || op.hasUserDefinedMaps() ||
        op.getCast() != linalg::TypeFn::cast_signed)
      return failure();
    for (Type type : op->getOperandTypes())
      if (!flow::isNumber(getElementTypeOrSelf(type)))
        return rewriter.notifyMatchFailure(op, "no zero for its type");
    // After padding it must still fit in int64_t.
    constexpr int64_t kLargest = std::numeric_limits<int64_t>::max() / 2;
    for (Type type : op->getOperandTypes())
      if (llvm::any_of(cast<RankedTensorType>(type).getShape(),
                       [](int64_t extent) { return extent > kLargest; }))
        return rewriter.notifyMatchFailure(op, "too large");
    std::optional<Tile> tile = choose(op);
    if (!tile)
      return rewriter.notifyMatchFailure(op, "no tile known for the target");

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value init = op.getOutputs()[0];
    Tiled lhs{b, op.getInputs()[0], {tile->m, tile->k}};
    Tiled rhs{b, op.getInputs()[1], {tile->k, tile->n}};
    Tiled acc{b, init, {tile->m, tile->n}};
    // A filled init becomes a filled tiled init without moving data.
    auto fill = init.getDefiningOp<linalg::FillOp>();
    lhs.pad();
    rhs.pad();
    if (!fill)
      acc.pad();
    Value x = lhs.expand(), w = rhs.expand(), y;
    if (fill) {
      SmallVector<OpFoldResult> sizes = {
          count(b, acc.sizes[0], tile->m), count(b, acc.sizes[1], tile->n),
          b.getIndexAttr(tile->m), b.getIndexAttr(tile->n)};
      Value empty = flow::emptyTensor(b, sizes, getElementTypeOrSelf(init));
      y = linalg::FillOp::create(b, fill.value(), empty).getResult(0);
    } else {
      y = acc.expand();
    }
    x = flow::transpose(b, x, {0, 2, 1, 3});
    w = flow::transpose(b, w, {2, 0, 3, 1});
    if (!fill)
      y = flow::transpose(b, y, {0, 2, 1, 3});
    auto product = linalg::Mmt4DOp::create(b, y.getType(), ValueRange{x, w}, y);
    product->setAttr("comment", b.getStringAttr(tile->comment));
    Value result = flow::transpose(b, product.getResult(0), {0, 2, 1, 3});
    result = flow::collapse(b, result,
                            SmallVector<ReassociationIndices>{{0, 1}, {2, 3}});
    auto type = cast<RankedTensorType>(init.getType());
    if (result.getType() != type || !type.hasStaticShape())
      result = flow::sliceLike(b, result, init);
    rewriter.replaceOp(op, result);
    return success();
  }

  function_ref<std::optional<Tile>(linalg::MatmulOp)> choose;
};

struct ConvertLinalgMatmulToMmt4D
    : flow::impl::ConvertLinalgMatmulToMmt4DBase<ConvertLinalgMatmulToMmt4D> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    given.clear();
    for (StringRef feature : llvm::split(StringRef(features), ','))
      if (!feature.empty())
        given.push_back(feature.str());
    device = findDevice("cpu", arch);
    Location loc = UnknownLoc::get(context);
    if (arch.empty() || given.empty())
      return success();
    if (!device || device->features.empty())
      return emitError(loc) << "expected no features of " << arch
                            << ", for which none are known, got " << features;
    for (StringRef feature : given)
      if (!llvm::is_contained(device->features, feature))
        return emitError(loc)
               << "expected features of " << arch << " ("
               << llvm::join(device->features, ", ") << "), got " << feature;
    return success();
  }

  std::optional<Tile> choose(linalg::MatmulOp op) const {
    auto type = [&](int i) {
      return cast<RankedTensorType>(op->getOperand(i).getType());
    };
    // A size may be known only for the init, or only for an operand.
    int64_t m = type(0).getDimSize(0), n = type(1).getDimSize(1);
    if (ShapedType::isDynamic(m))
      m = type(2).getDimSize(0);
    if (ShapedType::isDynamic(n))
      n = type(2).getDimSize(1);
    if (device)
      for (const MatmulTile &row : device->matmulTiles)
        if (isNamed(type(0).getElementType(), row.lhs) &&
            isNamed(type(1).getElementType(), row.rhs) &&
            isNamed(type(2).getElementType(), row.acc) &&
            (row.feature.empty() || llvm::is_contained(given, row.feature)))
          return tileOf(row, m, n);
    if (enableGenericSlow)
      return tileOf(genericTile(), m, n);
    return std::nullopt;
  }

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    auto chooser = [this](linalg::MatmulOp op) { return choose(op); };
    patterns.add<MatmulToMmt4D>(&getContext(), chooser);
    flow::rewriteEverywhere(getOperation(), std::move(patterns));
  }

  const Device *device = nullptr;
  SmallVector<std::string> given;
};
} // namespace
