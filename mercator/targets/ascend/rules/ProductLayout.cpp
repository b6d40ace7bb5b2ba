// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/rules/ProductLayout.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/dialects/ascend/Infer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

static ArrayRef<int64_t> productShapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// dims[order[0]], dims[order[1]], ..
static Dims inOrder(ArrayRef<int64_t> dims, ArrayRef<int64_t> order) {
  Dims out;
  for (int64_t i : order)
    out.push_back(dims[i]);
  return out;
}

static Dims counted(size_t count) {
  Dims out(count);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

/// Whether a Reshape suffices to bring the dimensions into an order: those of
/// extent 1 may be anywhere.
static bool liesSo(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  int64_t last = -1;
  for (int64_t dim : dims) {
    if (dim < 0 || shape[dim] == 1)
      continue;
    if (dim < last)
      return false;
    last = dim;
  }
  return true;
}

/// For comparisons: an unknown extent counts as a hundred.
static uint64_t sizeOf(ArrayRef<int64_t> shape) {
  constexpr int64_t kUnknown = 100;
  uint64_t size = 1;
  for (int64_t extent : shape)
    size = llvm::SaturatingMultiply<uint64_t>(
        size, ShapedType::isDynamic(extent) ? kUnknown : extent);
  return size;
}

/// The dimensions of a shape in an order, after those of extent 1 that are not
/// in it.
static Dims permutation(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  Dims out;
  for (int64_t dim = 0, rank = shape.size(); dim < rank; ++dim)
    if (!llvm::is_contained(dims, dim))
      out.push_back(dim);
  llvm::copy_if(dims, std::back_inserter(out),
                [](int64_t dim) { return dim >= 0; });
  return out;
}

static SideLayout layOutOne(const ProductSide &given, bool isLhs,
                            ArrayRef<int64_t> batchOrder,
                            ArrayRef<int64_t> contractOrder) {
  SideLayout out;
  out.side = {given.value, inOrder(given.batch, batchOrder), given.free,
              inOrder(given.contract, contractOrder)};
  ArrayRef<int64_t> shape = productShapeOf(given.value);
  Dims freeFirst(out.side.batch), contractFirst(out.side.batch);
  llvm::append_range(freeFirst, out.side.free);
  llvm::append_range(freeFirst, out.side.contract);
  llvm::append_range(contractFirst, out.side.contract);
  llvm::append_range(contractFirst, out.side.free);
  Dims &plain = isLhs ? freeFirst : contractFirst,
       &turned = isLhs ? contractFirst : freeFirst;
  if (liesSo(shape, plain))
    return out;
  if (liesSo(shape, turned)) {
    out.isTransposed = true;
    return out;
  }
  // The innermost dimension stays, so that rows are moved, not elements.
  int64_t last = shape.size() - 1;
  while (shape[last] == 1)
    --last;
  out.isTransposed = plain.back() != last && turned.back() == last;
  out.perm = permutation(shape, out.isTransposed ? turned : plain);
  out.moved = sizeOf(shape);
  return out;
}

/// The dimension of `from` for each dimension of `to` if the shapes differ only
/// in dimensions of extent 1, which map to -1. Nothing for other shapes.
static std::optional<Dims> matchDims(ArrayRef<int64_t> from,
                                     ArrayRef<int64_t> to) {
  // Two unknown extents may be other numbers.
  if (llvm::count(from, ShapedType::kDynamic) > 1 ||
      llvm::count(to, ShapedType::kDynamic) > 1)
    return std::nullopt;
  Dims out;
  size_t next = 0;
  auto skipUnits = [&] {
    while (next < from.size() && from[next] == 1)
      ++next;
  };
  for (int64_t extent : to) {
    if (extent == 1) {
      out.push_back(-1);
      continue;
    }
    skipUnits();
    if (next == from.size() || from[next] != extent)
      return std::nullopt;
    out.push_back(next++);
  }
  skipUnits();
  if (next != from.size())
    return std::nullopt;
  return out;
}

/// The source of the operand, if it is a Transpose or a Reshape that only adds
/// or drops dimensions of extent 1.
static std::optional<ProductSide> before(const ProductSide &side) {
  Value value;
  std::optional<Dims> dims;
  if (auto transpose = side.value.getDefiningOp<TransposeOp>()) {
    value = transpose.getX();
    if (std::optional<Shape> perm = constantInts(transpose.getPerm()))
      dims = Dims(perm->begin(), perm->end());
  } else if (auto reshape = side.value.getDefiningOp<ReshapeOp>()) {
    value = reshape.getX();
    dims = matchDims(productShapeOf(value), productShapeOf(side.value));
  }
  if (!dims)
    return std::nullopt;
  auto mapped = [&](ArrayRef<int64_t> list) {
    Dims out;
    for (int64_t dim : list)
      out.push_back(dim < 0 ? -1 : (*dims)[dim]);
    return out;
  };
  return ProductSide{value, mapped(side.batch), mapped(side.free),
                     mapped(side.contract)};
}

/// The operand and its sources.
static SmallVector<ProductSide, 4> origins(const ProductSide &side) {
  constexpr size_t kMost = 4;
  SmallVector<ProductSide, 4> out = {side};
  while (out.size() < kMost) {
    std::optional<ProductSide> next = before(out.back());
    if (!next)
      break;
    out.push_back(std::move(*next));
  }
  return out;
}

/// The positions of dims in ascending order of the dimensions.
static Dims sortingOrder(ArrayRef<int64_t> dims) {
  Dims order = counted(dims.size());
  llvm::sort(order, [&](int64_t a, int64_t b) { return dims[a] < dims[b]; });
  return order;
}

/// Fewer Transposes are better.
static SideLayout best(ArrayRef<ProductSide> sides, bool isLhs,
                       ArrayRef<int64_t> batchOrder,
                       ArrayRef<int64_t> contractOrder) {
  SideLayout out = layOutOne(sides.front(), isLhs, batchOrder, contractOrder);
  for (const ProductSide &side : sides.drop_front()) {
    SideLayout next = layOutOne(side, isLhs, batchOrder, contractOrder);
    if (next.moved <= out.moved)
      out = std::move(next);
  }
  return out;
}

ProductLayout ascend::layOut(const ProductSide &lhs, const ProductSide &rhs) {
  SmallVector<ProductSide, 4> lhsOrigins = origins(lhs),
                              rhsOrigins = origins(rhs);
  // The orders of one of the operands. Among orders with equal cost the first
  // is chosen; the program's own order precedes the others.
  SmallVector<Dims> batchOrders = {counted(lhs.batch.size())}, contractOrders;
  for (ArrayRef<ProductSide> sides :
       {ArrayRef(lhsOrigins), ArrayRef(rhsOrigins)})
    for (const ProductSide &side : sides) {
      batchOrders.push_back(sortingOrder(side.batch));
      contractOrders.push_back(sortingOrder(side.contract));
    }
  for (SmallVector<Dims> *orders : {&batchOrders, &contractOrders})
    for (size_t i = 0; i < orders->size(); ++i)
      orders->erase(
          std::remove(orders->begin() + i + 1, orders->end(), (*orders)[i]),
          orders->end());
  Dims batchExtents, extents;
  for (int64_t dim : lhs.batch)
    batchExtents.push_back(productShapeOf(lhs.value)[dim]);
  extents = batchExtents;
  for (const ProductSide *side : {&lhs, &rhs})
    for (int64_t dim : side->free)
      extents.push_back(productShapeOf(side->value)[dim]);

  ProductLayout out;
  bool isFirst = true;
  for (const Dims &batchOrder : batchOrders)
    for (const Dims &contractOrder : contractOrders) {
      ProductLayout next{
          best(lhsOrigins, /*isLhs=*/true, batchOrder, contractOrder),
          best(rhsOrigins, /*isLhs=*/false, batchOrder, contractOrder),
          batchOrder, 0};
      next.moved = next.lhs.moved + next.rhs.moved +
                   (liesSo(batchExtents, batchOrder) ? 0 : sizeOf(extents));
      if (isFirst || next.moved < out.moved)
        out = std::move(next);
      isFirst = false;
    }
  return out;
}
