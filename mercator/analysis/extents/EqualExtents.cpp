// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/extents/EqualExtents.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mercator;

namespace sh = mercator::stablehlo;

static RankedTensorType tensorOf(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

/// Whether the elements are integers of 32 or 64 bits, few enough to follow.
static bool isFollowed(Value value) {
  RankedTensorType type = tensorOf(value);
  if (!type || !type.hasStaticShape() || type.getRank() > 1 ||
      type.getNumElements() > EqualExtents::kMostElements)
    return false;
  auto element = dyn_cast<IntegerType>(type.getElementType());
  return element && !element.isUnsigned() && element.getWidth() >= 32 &&
         element.getWidth() <= 64;
}

//===--- Ids --------------------------------------------------------------===//

EqualExtents::Id EqualExtents::fresh(const ExtentSource &source) {
  Id id = nodes.size();
  nodes.push_back(
      {id, std::nullopt, source, source.value && !source.isElement});
  return id;
}

EqualExtents::Id EqualExtents::find(Id id) const {
  while (nodes[id].parent != id)
    id = nodes[id].parent;
  return id;
}

EqualExtents::Node &EqualExtents::change(Id id) {
  trail.emplace_back(id, nodes[id]);
  return nodes[id];
}

void EqualExtents::forget(size_t mark) {
  for (; trail.size() > mark; trail.pop_back())
    nodes[trail.back().first] = trail.back().second;
}

void EqualExtents::unite(Id a, Id b) {
  a = find(a);
  b = find(b);
  if (a == b)
    return;
  // Two different constants: the program is not defined.
  if (nodes[a].value && nodes[b].value)
    return;
  if (nodes[b].value)
    std::swap(a, b);
  change(b).parent = a;
  setSource(a, nodes[b].source);
  if (nodes[b].isExtent && !nodes[a].isExtent)
    change(a).isExtent = true;
}

void EqualExtents::setSource(Id id, const ExtentSource &source) {
  id = find(id);
  bool isExtent = source.value && !source.isElement;
  if (source.value && !nodes[id].source.value)
    change(id).source = source;
  if (isExtent && !nodes[id].isExtent)
    change(id).isExtent = true;
}

EqualExtents::Id EqualExtents::ofConstant(int64_t value) {
  auto [known, isNew] = constants.try_emplace(value, 0);
  if (isNew) {
    known->second = fresh();
    nodes[known->second].value = value;
  }
  return known->second;
}

std::optional<int64_t> EqualExtents::constant(Id id) const {
  return nodes[find(id)].value;
}

EqualExtents::Id EqualExtents::extent(Value tensor, int64_t dim) {
  RankedTensorType type = tensorOf(tensor);
  if (!type.isDynamicDim(dim))
    return find(ofConstant(type.getDimSize(dim)));
  auto known = extents.find({tensor, dim});
  if (known != extents.end())
    return find(known->second);
  Id id = fresh({tensor, dim});
  extents[{tensor, dim}] = id;
  return id;
}

EqualExtents::Id EqualExtents::element(Value integers, int64_t i) {
  auto known = elements.find({integers, i});
  if (known != elements.end())
    return find(known->second);
  Id id = fresh({integers, i, /*isElement=*/true});
  elements[{integers, i}] = id;
  return id;
}

void EqualExtents::setExtent(Value result, int64_t dim, Id id) {
  if (tensorOf(result).isDynamicDim(dim)) {
    extents[{result, dim}] = id;
    setSource(id, {result, dim});
  } else {
    unite(id, ofConstant(tensorOf(result).getDimSize(dim)));
  }
}

void EqualExtents::setElement(Value result, int64_t i, Id id) {
  elements[{result, i}] = id;
  setSource(id, {result, i, /*isElement=*/true});
}

void EqualExtents::setExtents(Value result, Value source) {
  for (int64_t dim = 0, rank = tensorOf(result).getRank(); dim < rank; ++dim)
    setExtent(result, dim, extent(source, dim));
}

void EqualExtents::setShape(Value result, Value shape) {
  if (!isFollowed(shape))
    return;
  for (int64_t dim = 0, rank = tensorOf(result).getRank(); dim < rank; ++dim)
    setExtent(result, dim, element(shape, dim));
}

void EqualExtents::replace(Value from, Value to) {
  RankedTensorType type = tensorOf(from), other = tensorOf(to);
  if (!type || !other || type.getRank() != other.getRank())
    return;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    Id id = extent(from, dim);
    extents.erase({from, dim});
    if (from != to && other.isDynamicDim(dim) && !extents.count({to, dim}))
      extents[{to, dim}] = id;
  }
  if (!isFollowed(from))
    return;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    auto known = elements.find({from, i});
    if (known == elements.end())
      continue;
    Id id = known->second;
    elements.erase(known);
    if (isFollowed(to))
      elements.try_emplace({to, i}, id);
  }
}

//===--- Integers ---------------------------------------------------------===//

EqualExtents::Id EqualExtents::computed(Operation &op, Id a, Id b) {
  a = find(a);
  b = find(b);
  bool isSum = isa<sh::AddOp>(op), isProduct = isa<sh::MulOp>(op);
  std::optional<int64_t> x = constant(a), y = constant(b);
  if ((isSum && x == 0) || (isProduct && x == 1))
    return b;
  if (((isSum || isa<sh::SubtractOp>(op)) && y == 0) ||
      ((isProduct || isa<sh::DivOp>(op)) && y == 1))
    return a;
  // Wrapping and negative numbers are of no use for extents.
  int64_t number = 0;
  if (x && y && isSum && !llvm::AddOverflow(*x, *y, number) &&
      llvm::isInt<31>(number))
    return ofConstant(number);
  if (x && y && isProduct && !llvm::MulOverflow(*x, *y, number) &&
      llvm::isInt<31>(number))
    return ofConstant(number);
  if (x && y && isa<sh::SubtractOp>(op) && !llvm::SubOverflow(*x, *y, number) &&
      llvm::isInt<31>(number))
    return ofConstant(number);
  if ((isSum || isProduct) && b < a)
    std::swap(a, b);
  auto [known, isNew] = expressions.try_emplace(
      {op.getName().getAsOpaquePointer(),
       op.getResult(0).getType().getAsOpaquePointer(), a, b},
      0);
  if (isNew)
    known->second = fresh();
  return known->second;
}

void EqualExtents::visitIntegers(Operation &op) {
  Value result = op.getResult(0);
  RankedTensorType type = tensorOf(result);
  int64_t count = type.getNumElements();
  auto isSmall = [&] { return llvm::all_of(op.getOperands(), isFollowed); };
  DenseIntElementsAttr known;
  if (matchPattern(result, m_Constant(&known))) {
    for (auto [i, value] : llvm::enumerate(known))
      setElement(result, i, ofConstant(value.getSExtValue()));
  } else if (auto size = dyn_cast<sh::GetDimensionSizeOp>(op)) {
    setElement(result, 0, extent(size.getOperand(), size.getDimension()));
  } else if (!isSmall()) {
    return;
  } else if (isa<sh::ReshapeOp>(op) ||
             (isa<sh::ConvertOp>(op) &&
              type.getElementTypeBitWidth() >=
                  tensorOf(op.getOperand(0)).getElementTypeBitWidth())) {
    for (int64_t i = 0; i < count; ++i)
      setElement(result, i, element(op.getOperand(0), i));
  } else if (isa<sh::BroadcastInDimOp>(op) &&
             tensorOf(op.getOperand(0)).getNumElements() == 1) {
    for (int64_t i = 0; i < count; ++i)
      setElement(result, i, element(op.getOperand(0), 0));
  } else if (isa<sh::ConcatenateOp>(op)) {
    int64_t place = 0;
    for (Value part : op.getOperands())
      for (int64_t i = 0; i < tensorOf(part).getNumElements(); ++i)
        setElement(result, place++, element(part, i));
  } else if (auto slice = dyn_cast<sh::SliceOp>(op);
             slice && type.getRank() == 1) {
    for (int64_t i = 0; i < count; ++i)
      setElement(result, i,
                 element(op.getOperand(0), slice.getStartIndices()[0] +
                                               i * slice.getStrides()[0]));
  } else if (isa<sh::AddOp, sh::SubtractOp, sh::MulOp, sh::DivOp, sh::MaxOp,
                 sh::MinOp>(op)) {
    for (int64_t i = 0; i < count; ++i)
      setElement(result, i,
                 computed(op, element(op.getOperand(0), i),
                          element(op.getOperand(1), i)));
  }
}

//===--- Shapes -----------------------------------------------------------===//

/// A true comparison of two integers for equality.
void EqualExtents::visitAssertion(Operation &op) {
  auto call = dyn_cast<sh::CustomCallOp>(op);
  if (!call || call.getCallTargetName() != "shape_assertion" ||
      op.getNumOperands() == 0)
    return;
  auto compare = op.getOperand(0).getDefiningOp<sh::CompareOp>();
  if (!compare ||
      compare.getComparisonDirection() != sh::ComparisonDirection::EQ ||
      !isFollowed(compare.getLhs()) ||
      tensorOf(compare.getLhs()).getRank() != 0)
    return;
  unite(element(compare.getLhs(), 0), element(compare.getRhs(), 0));
}

void EqualExtents::visitShape(Operation &op) {
  auto dimensions = [](ArrayRef<int64_t> removed, int64_t rank) {
    SmallVector<int64_t> kept;
    for (int64_t dim = 0; dim < rank; ++dim)
      if (!llvm::is_contained(removed, dim))
        kept.push_back(dim);
    return kept;
  };
  llvm::TypeSwitch<Operation *>(&op)
      .Case<sh::DynamicBroadcastInDimOp>(
          [&](auto o) { setShape(o.getResult(), o.getOutputDimensions()); })
      .Case<sh::DynamicReshapeOp, sh::DynamicIotaOp>(
          [&](auto o) { setShape(o.getResult(), o.getOutputShape()); })
      .Case<sh::RealDynamicSliceOp>([&](auto o) {
        // From start to start + size.
        auto limit = o.getLimitIndices().template getDefiningOp<sh::AddOp>();
        Value strides = o.getStrides();
        auto isOne = [&](int64_t i) {
          return constant(element(strides, i)) == 1;
        };
        if (!limit || !isFollowed(strides) ||
            !llvm::all_of(
                llvm::seq<int64_t>(0, tensorOf(strides).getNumElements()),
                isOne))
          return;
        if (limit.getLhs() == o.getStartIndices())
          setShape(o.getResult(), limit.getRhs());
        else if (limit.getRhs() == o.getStartIndices())
          setShape(o.getResult(), limit.getLhs());
      })
      .Case<sh::ReverseOp>(
          [&](auto o) { setExtents(o.getResult(), o.getOperand()); })
      .Case<sh::SelectAndScatterOp>(
          [&](auto o) { setExtents(o.getResult(), o.getOperand()); })
      .Case<sh::SortOp, sh::ScatterOp>([&](auto o) {
        for (Value result : o->getResults())
          setExtents(result, o.getInputs()[0]);
      })
      .Case<sh::DynamicUpdateSliceOp>(
          [&](auto o) { setExtents(o.getResult(), o.getOperand()); })
      .Case<sh::TransposeOp>([&](auto o) {
        for (auto [i, dim] : llvm::enumerate(o.getPermutation()))
          setExtent(o.getResult(), i, extent(o.getOperand(), dim));
      })
      .Case<sh::ReduceOp>([&](auto o) {
        for (auto [result, input] :
             llvm::zip_equal(o->getResults(), o.getInputs()))
          for (auto [i, dim] : llvm::enumerate(
                   dimensions(o.getDimensions(), tensorOf(input).getRank())))
            setExtent(result, i, extent(input, dim));
      })
      .Case<sh::ConcatenateOp>([&](auto o) {
        for (int64_t dim = 0, rank = tensorOf(o.getResult()).getRank();
             dim < rank; ++dim) {
          if (dim == int64_t(o.getDimension()))
            continue;
          for (Value part : o.getInputs())
            unite(extent(part, dim), extent(o.getInputs()[0], dim));
          setExtent(o.getResult(), dim, extent(o.getInputs()[0], dim));
        }
      })
      .Case<sh::PadOp>([&](auto o) {
        for (int64_t dim = 0, rank = tensorOf(o.getResult()).getRank();
             dim < rank; ++dim)
          if (!o.getEdgePaddingLow()[dim] && !o.getEdgePaddingHigh()[dim] &&
              !o.getInteriorPadding()[dim])
            setExtent(o.getResult(), dim, extent(o.getOperand(), dim));
      })
      .Case<sh::DotGeneralOp>([&](auto o) {
        auto dims = o.getDotDimensionNumbers();
        for (auto [i, j] : llvm::zip_equal(dims.getLhsBatchingDimensions(),
                                           dims.getRhsBatchingDimensions()))
          unite(extent(o.getLhs(), i), extent(o.getRhs(), j));
        for (auto [i, j] : llvm::zip_equal(dims.getLhsContractingDimensions(),
                                           dims.getRhsContractingDimensions()))
          unite(extent(o.getLhs(), i), extent(o.getRhs(), j));
        int64_t place = 0;
        for (int64_t dim : dims.getLhsBatchingDimensions())
          setExtent(o.getResult(), place++, extent(o.getLhs(), dim));
        auto free = [&](Value side, ArrayRef<int64_t> batch,
                        ArrayRef<int64_t> contract) {
          for (int64_t dim : dimensions(batch, tensorOf(side).getRank()))
            if (!llvm::is_contained(contract, dim))
              setExtent(o.getResult(), place++, extent(side, dim));
        };
        free(o.getLhs(), dims.getLhsBatchingDimensions(),
             dims.getLhsContractingDimensions());
        free(o.getRhs(), dims.getRhsBatchingDimensions(),
             dims.getRhsContractingDimensions());
      })
      .Case<sh::GatherOp, sh::DynamicGatherOp>([&](auto o) {
        auto dims = o.getDimensionNumbers();
        SmallVector<int64_t> batch =
            dimensions({int64_t(dims.getIndexVectorDim())},
                       tensorOf(o.getStartIndices()).getRank());
        SmallVector<int64_t> offset;
        for (int64_t dim : dimensions(dims.getCollapsedSliceDims(),
                                      tensorOf(o.getOperand()).getRank()))
          if (!llvm::is_contained(dims.getOperandBatchingDims(), dim))
            offset.push_back(dim);
        size_t nextBatch = 0, nextOffset = 0;
        for (int64_t i = 0, rank = tensorOf(o.getResult()).getRank(); i < rank;
             ++i) {
          if (!llvm::is_contained(dims.getOffsetDims(), i)) {
            setExtent(o.getResult(), i,
                      extent(o.getStartIndices(), batch[nextBatch++]));
            continue;
          }
          int64_t dim = offset[nextOffset++];
          if constexpr (std::is_same_v<decltype(o), sh::DynamicGatherOp>) {
            if (isFollowed(o.getSliceSizes()))
              setExtent(o.getResult(), i, element(o.getSliceSizes(), dim));
          }
        }
      })
      .Default([&](Operation *op) {
        if (!op->hasTrait<sh::Elementwise>() || op->getNumOperands() == 0)
          return;
        Value result = op->getResult(0);
        int64_t rank = tensorOf(result).getRank();
        for (int64_t dim = 0; dim < rank; ++dim) {
          std::optional<Id> first;
          for (Value operand : op->getOperands()) {
            // A scalar predicate or bound.
            if (tensorOf(operand).getRank() != rank)
              continue;
            Id id = extent(operand, dim);
            if (first)
              unite(*first, id);
            first = id;
          }
          if (first)
            setExtent(result, dim, *first);
        }
      });
}

void EqualExtents::visit(Operation &op) {
  visitAssertion(op);
  if (op.getNumResults() == 0 ||
      !isa_and_nonnull<sh::StablehloDialect>(op.getDialect()))
    return;
  for (ValueRange values :
       {ValueRange(op.getOperands()), ValueRange(op.getResults())})
    for (Value value : values)
      if (!tensorOf(value))
        return;
  if (op.getNumResults() == 1 && isFollowed(op.getResult(0)))
    visitIntegers(op);
  visitShape(op);
}

EqualExtents::EqualExtents(ModuleOp module) {
  for (auto function : module.getOps<FunctionOpInterface>())
    for (Block &block : function.getFunctionBody())
      for (Operation &op : block)
        visit(op);
}
