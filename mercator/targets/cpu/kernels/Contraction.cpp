// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/Contraction.h"
#include "mercator/targets/cpu/kernels/MatrixUnit.h"
#include "mercator/targets/cpu/kernels/NarrowProducts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

std::optional<SmallVector<int64_t>> cpu::stridesOf(mlir::Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type || failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return std::nullopt;
  return strides;
}

/// Adds `factor` times an expression. False if it is not linear.
static bool addLinear(AffineExpr expr, int64_t factor,
                      MutableArrayRef<int64_t> into) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    into[dim.getPosition()] += factor;
    return true;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() == 0;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addLinear(binary.getLHS(), factor, into) &&
           addLinear(binary.getRHS(), factor, into);
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return binary.getKind() == AffineExprKind::Mul && constant &&
         addLinear(binary.getLHS(), factor * constant.getValue(), into);
}

std::optional<SmallVector<int64_t>>
cpu::addressStrides(AffineMap map, ArrayRef<int64_t> strides) {
  SmallVector<int64_t> address(map.getNumDims(), 0);
  if (map.getNumSymbols() != 0 || map.getNumResults() != strides.size())
    return std::nullopt;
  for (auto [expr, stride] : llvm::zip_equal(map.getResults(), strides))
    if (!addLinear(expr, stride, address))
      return std::nullopt;
  return address;
}

/// Whether the body is c + a * b in f32 or f64. Finds which input is `a`.
static bool isMultiplyAdd(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      body.getNumArguments() != 3 || !llvm::hasNItems(body, 3))
    return false;
  auto yield = cast<linalg::YieldOp>(body.getTerminator());
  auto sum = yield.getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!sum || !(sum.getType().isF32() || sum.getType().isF64()))
    return false;
  for (unsigned i = 0; i < 2; ++i) {
    auto product = sum.getOperand(i).getDefiningOp<arith::MulFOp>();
    if (product && sum.getOperand(1 - i) == body.getArgument(2) &&
        ((product.getLhs() == body.getArgument(0) &&
          product.getRhs() == body.getArgument(1)) ||
         (product.getLhs() == body.getArgument(1) &&
          product.getRhs() == body.getArgument(0))))
      return true;
  }
  return false;
}

/// Joins loops that together are one.
static void merge(SmallVector<ContractionLoop> &loops) {
  SmallVector<ContractionLoop> merged;
  for (const ContractionLoop &inner : loops) {
    if (inner.extent == 1)
      continue;
    if (!merged.empty()) {
      ContractionLoop &outer = merged.back();
      if (outer.a == inner.a * inner.extent &&
          outer.b == inner.b * inner.extent &&
          outer.c == inner.c * inner.extent) {
        outer = {outer.extent * inner.extent, inner.a, inner.b, inner.c};
        continue;
      }
    }
    merged.push_back(inner);
  }
  loops = std::move(merged);
}

std::optional<Contraction> Contraction::of(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics() ||
      !(op->hasAttr(kPairs) || op->hasAttr(kMatrix) || isMultiplyAdd(op)))
    return std::nullopt;
  return loopsOf(op);
}

std::optional<Contraction> Contraction::loopsOf(linalg::LinalgOp op) {
  Contraction own;
  own.op = op;
  own.a = op.getDpsInputs()[0];
  own.b = op.getDpsInputs()[1];
  own.c = op.getDpsInits()[0];
  SmallVector<SmallVector<int64_t>> strides;
  for (auto [buffer, map] :
       llvm::zip_equal(op->getOperands(), op.getIndexingMapsArray())) {
    auto layout = stridesOf(buffer);
    auto linear = layout ? addressStrides(map, *layout) : std::nullopt;
    if (!linear)
      return std::nullopt;
    strides.push_back(std::move(*linear));
  }
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (llvm::any_of(extents, ShapedType::isDynamic) ||
      llvm::is_contained(extents, 0))
    return std::nullopt;
  for (auto [i, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    ContractionLoop loop{extents[i], strides[0][i], strides[1][i],
                         strides[2][i]};
    if (loop.extent == 1)
      continue;
    bool isSum = kind == utils::IteratorType::reduction;
    if (isSum != (loop.c == 0))
      return std::nullopt;
    if (isSum)
      own.sums.push_back(loop);
    else if (loop.a != 0 && loop.b != 0)
      own.batch.push_back(loop);
    else if (loop.a != 0)
      own.rows.push_back(loop);
    else if (loop.b != 0)
      own.columns.push_back(loop);
    else
      return std::nullopt;
  }
  auto byC = [](const ContractionLoop &x, const ContractionLoop &y) {
    return x.c > y.c;
  };
  llvm::sort(own.batch, byC);
  llvm::sort(own.rows, byC);
  llvm::sort(own.columns, byC);
  merge(own.batch);
  merge(own.rows);
  merge(own.columns);
  auto isContiguous = [](ArrayRef<ContractionLoop> loops) {
    return !loops.empty() && loops.back().c == 1;
  };
  if (!isContiguous(own.columns)) {
    if (!isContiguous(own.rows))
      return std::nullopt;
    own.isSwapped = true;
    std::swap(own.a, own.b);
    std::swap(own.rows, own.columns);
    for (auto *loops : {&own.batch, &own.rows, &own.columns, &own.sums})
      for (ContractionLoop &loop : *loops)
        std::swap(loop.a, loop.b);
  }
  llvm::sort(own.sums, [](const ContractionLoop &x, const ContractionLoop &y) {
    return std::pair(x.b, x.a) > std::pair(y.b, y.a);
  });
  merge(own.sums);
  return own;
}

linalg::FillOp cpu::fillBefore(const Contraction &own) {
  for (Operation *op = own.op->getPrevNode(); op; op = op->getPrevNode()) {
    auto fill = dyn_cast<linalg::FillOp>(op);
    if (fill && fill.getDpsInits()[0] == own.c) {
      bool isZero = matchPattern(fill.getInputs()[0], m_PosZeroFloat()) ||
                    matchPattern(fill.getInputs()[0], m_Zero());
      return isZero ? fill : linalg::FillOp();
    }
    if (op->getNumRegions() != 0 && !isa<linalg::LinalgOp>(op))
      return {};
    if (llvm::is_contained(op->getOperands(), own.c) ||
        isa<CallOpInterface>(op))
      return {};
  }
  return {};
}
