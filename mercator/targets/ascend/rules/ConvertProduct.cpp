// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Matrix products: dot and dot_general as MatMul or BatchMatMul.

#include "mercator/dialects/ascend/Registry.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/operators/Build.h"
#include "mercator/targets/ascend/operators/DynamicShape.h"
#include "mercator/targets/ascend/operators/Elements.h"
#include "mercator/targets/ascend/rules/Convert.h"
#include "mercator/targets/ascend/rules/ProductLayout.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

/// If GE has no matrix product for a type, the products of elements are
/// computed and summed, up to this number.
static constexpr uint64_t kMostTerms = uint64_t(1) << 20;

//===--- Types ------------------------------------------------------------===//

namespace {
/// The type to multiply in, and whether GE has a matrix product for it.
struct Within {
  Type type;
  bool isMatrix;
};
} // namespace

/// Sums of integer products have the same low bits in every type that is wide
/// enough. Floats are summed in the widest of the types; a product of two
/// narrow ones is exact in f32.
static std::optional<Within> withinProduct(Type lhs, Type rhs, Type result) {
  MLIRContext *context = result.getContext();
  auto isInteger = [](Type type) { return isa<IntegerType>(type); };
  auto isFloat = [](Type type) { return isa<FloatType>(type); };
  if (isa<ComplexType>(result)) {
    if (lhs != result || rhs != result)
      return std::nullopt;
    return Within{result, false};
  }
  if (isInteger(result)) {
    if (!isInteger(lhs) || !isInteger(rhs))
      return std::nullopt;
    // For booleans the result is whether any product is true: their count is
    // not zero.
    bool isOfBooleans = lhs.isInteger(1) && rhs.isInteger(1);
    if (result.isInteger(1) && !isOfBooleans)
      return std::nullopt;
    bool isNarrow = result.getIntOrFloatBitWidth() <= 32;
    return Within{IntegerType::get(context, isNarrow ? 32 : 64), isNarrow};
  }
  if (!isFloat(result))
    return std::nullopt;
  for (Type type : {lhs, rhs, result})
    if (type.isF64())
      return isFloat(lhs) && isFloat(rhs)
                 ? std::optional(Within{type, /*isMatrix=*/false})
                 : std::nullopt;
  if (lhs == result && rhs == result)
    return Within{result, true};
  for (Type type : {lhs, rhs}) {
    bool isExact = isFloat(type) ||
                   (isInteger(type) && type.getIntOrFloatBitWidth() <= 16);
    if (!isExact)
      return std::nullopt;
  }
  return Within{Float32Type::get(context), true};
}

//===--- Values -----------------------------------------------------------===//

/// A tensor of zeros; a tensor without elements if the type has none.
static Value zeros(ImplicitLocOpBuilder &b, RankedTensorType type) {
  if (llvm::is_contained(type.getShape(), 0))
    return ConstOp::create(b, type,
                           DenseElementsAttr::get(type, ArrayRef<Attribute>()));
  SmallVector<char> zero(16);
  Type element = type.getElementType();
  auto complex = dyn_cast<ComplexType>(element);
  unsigned bits = complex ? 2 * complex.getElementType().getIntOrFloatBitWidth()
                          : element.getIntOrFloatBitWidth();
  return ConstOp::create(b, type,
                         DenseElementsAttr::getFromRawBuffer(
                             type, ArrayRef(zero).take_front((bits + 7) / 8)));
}

static DynamicShape extentsOf(const ProductSide &side, ArrayRef<int64_t> dims) {
  DynamicShape out;
  for (int64_t dim : dims)
    out.push_back(dim < 0 ? DynamicExtent::of(1) : extentOf(side.value, dim));
  return out;
}

/// A tensor whose extents are `given` as a tensor of another shape.
static Value reshapeFrom(ImplicitLocOpBuilder &b, Value value,
                         ArrayRef<DynamicExtent> given,
                         ArrayRef<DynamicExtent> shape) {
  return given == shape ? value : reshape(b, value, shape);
}

/// The operand as matrices with `batches`, rows first or columns first.
static Value arranged(ImplicitLocOpBuilder &b, const SideLayout &layout,
                      ArrayRef<DynamicExtent> shape, Type element) {
  Value value = layout.side.value;
  DynamicShape given = dynamicShapeOf(value);
  if (!layout.perm.empty()) {
    given = extentsOf(layout.side, layout.perm);
    value = transpose(b, value, layout.perm);
  }
  return Elements(b).convert(reshapeFrom(b, value, given, shape), element);
}

/// The same extents by what is known of each side: of two unknown ones the
/// first.
static DynamicShape knownOf(DynamicShape first, const DynamicShape &second) {
  for (auto [extent, other] : llvm::zip_equal(first, second))
    if (!extent.isKnown() && other.isKnown())
      extent = other;
  return first;
}

namespace {
/// Creates one matrix product.
class Emitter {
public:
  Emitter(ImplicitLocOpBuilder &b, const ProductSide &lhs,
          const ProductSide &rhs, Within withinProduct)
      : b(b), layout(layOut(lhs, rhs)), withinProduct(withinProduct) {
    const ProductSide &left = layout.lhs.side, &right = layout.rhs.side;
    DynamicShape lhsContract = extentsOf(left, left.contract),
                 rhsContract = extentsOf(right, right.contract);
    rhsBatches = extentsOf(right, right.batch);
    batches = knownOf(extentsOf(left, left.batch), rhsBatches);
    rhsBatches = knownOf(rhsBatches, batches);
    lhsFree = extentsOf(left, left.free);
    rhsFree = extentsOf(right, right.free);
    inner = product(knownOf(lhsContract, rhsContract));
    rhsInner = product(knownOf(rhsContract, lhsContract));
    rows = product(lhsFree);
    columns = product(rhsFree);
  }

  Value emit(RankedTensorType type) {
    Value value = inner.isOne()            ? outer()
                  : withinProduct.isMatrix ? matrix()
                                           : sumOfTerms();
    return finish(value, type);
  }

private:
  /// The shape of the batches followed by `room` dimensions of extent 1.
  static DynamicShape shape(ArrayRef<DynamicExtent> batches,
                            ArrayRef<DynamicExtent> more) {
    DynamicShape out(batches);
    if (batches.size() + more.size() > 8)
      out = {product(batches)};
    llvm::append_range(out, more);
    return out;
  }
  DynamicShape shape(ArrayRef<DynamicExtent> more) const {
    return shape(batches, more);
  }
  /// The same with the extents of the right operand.
  DynamicShape rhsShape(ArrayRef<DynamicExtent> more) const {
    return shape(rhsBatches, more);
  }
  RankedTensorType typed(ArrayRef<DynamicExtent> shape) const {
    return RankedTensorType::get(sizesOf(shape), withinProduct.type);
  }

  Value matrix() {
    bool lhsTurned = layout.lhs.isTransposed,
         rhsTurned = layout.rhs.isTransposed;
    DynamicShape left = shape({rows, inner}),
                 right = rhsShape({rhsInner, columns});
    if (lhsTurned)
      std::swap(left.back(), left[left.size() - 2]);
    if (rhsTurned)
      std::swap(right.back(), right[right.size() - 2]);
    Value lhs = arranged(b, layout.lhs, left, withinProduct.type),
          rhs = arranged(b, layout.rhs, right, withinProduct.type);
    RankedTensorType type = typed(shape({rows, columns}));
    if (batches.empty())
      return MatMulOp::create(b, type, lhs, rhs, lhsTurned, rhsTurned);
    return BatchMatMulOp::create(b, type, lhs, rhs, lhsTurned, rhsTurned);
  }

  /// One product for each element of the result, without a sum.
  Value outer() {
    DynamicExtent one;
    Value lhs = arranged(b, layout.lhs, shape({rows, one}), withinProduct.type),
          rhs = arranged(b, layout.rhs, rhsShape({one, columns}),
                         withinProduct.type);
    return MulOp::create(b, typed(shape({rows, columns})), lhs, rhs);
  }

  Value sumOfTerms() {
    // Rows, columns, inner: an inner dimension that comes first stays there.
    SideLayout lhs = layout.lhs, rhs = layout.rhs;
    auto innerFirst = [&](bool isInnerFirst, DynamicShape rest) {
      rest.insert(isInnerFirst ? rest.begin() : rest.end(), inner);
      return shape(rest);
    };
    bool lhsFirst = lhs.isTransposed, rhsFirst = !rhs.isTransposed;
    DynamicExtent one;
    Value x = arranged(b, lhs, innerFirst(lhsFirst, {rows, one}),
                       withinProduct.type),
          y = arranged(b, rhs, innerFirst(rhsFirst, {one, columns}),
                       withinProduct.type);
    if (lhsFirst != rhsFirst) {
      // Moves the smaller one.
      bool moveLhs = rows.known < columns.known;
      Value &moved = moveLhs ? x : y;
      bool isFirst = moveLhs ? lhsFirst : rhsFirst;
      Dims perm;
      size_t count = typeOf(moved).getRank(), batchCount = count - 3;
      for (size_t i = 0; i < batchCount; ++i)
        perm.push_back(i);
      for (size_t i = 0; i < 3; ++i)
        perm.push_back(batchCount + (i + (isFirst ? 1 : 2)) % 3);
      moved = transpose(b, moved, perm);
      (moveLhs ? lhsFirst : rhsFirst) = !isFirst;
    }
    RankedTensorType terms = typed(innerFirst(lhsFirst, {rows, columns}));
    Value all = MulOp::create(b, terms, x, y);
    int64_t axis = lhsFirst ? terms.getRank() - 3 : terms.getRank() - 1;
    return ReduceSumOp::create(b, typed(shape({rows, columns})), all,
                               constantVector(b, {axis}));
  }

  /// From the multiplication type and [batches, rows, columns].
  Value finish(Value value, RankedTensorType type) {
    if (type.getElementType().isInteger(1)) {
      Value zero = constantScalar(b, withinProduct.type, 0);
      value = NotEqualOp::create(b, typeOf(value).clone(b.getI1Type()), value,
                                 zero);
    } else {
      value = Elements(b).convert(value, type.getElementType());
    }
    if (isInOrder())
      return reshapeFrom(b, value, shape({rows, columns}), result());
    // The batches are in another order than in the program.
    DynamicShape between = batches;
    llvm::append_range(between, lhsFree);
    llvm::append_range(between, rhsFree);
    Dims perm(between.size());
    for (auto [i, from] : llvm::enumerate(layout.batchOrder))
      perm[from] = i;
    for (size_t i = batches.size(); i < perm.size(); ++i)
      perm[i] = i;
    value = reshapeFrom(b, value, shape({rows, columns}), between);
    return transpose(b, value, perm);
  }

  /// The shape of the result, if the batches are in program order.
  DynamicShape result() const {
    DynamicShape out(batches.size());
    for (auto [extent, from] : llvm::zip_equal(batches, layout.batchOrder))
      out[from] = extent;
    llvm::append_range(out, lhsFree);
    llvm::append_range(out, rhsFree);
    return out;
  }

  /// Whether the batches are in program order, ignoring those of extent 1.
  bool isInOrder() const {
    Dims order;
    for (auto [extent, from] : llvm::zip_equal(batches, layout.batchOrder))
      if (!extent.isOne())
        order.push_back(from);
    return llvm::is_sorted(order);
  }

  ImplicitLocOpBuilder &b;
  ProductLayout layout;
  Within withinProduct;
  /// The extents of the left operand where both have them.
  DynamicShape batches, lhsFree, rhsFree, rhsBatches;
  DynamicExtent rows, columns, inner, rhsInner;
};
} // namespace

//===--- Operations -------------------------------------------------------===//

static Dims others(Value value, ArrayRef<int64_t> batch,
                   ArrayRef<int64_t> contract) {
  Dims out;
  for (int64_t dim = 0, rank = typeOf(value).getRank(); dim < rank; ++dim)
    if (!llvm::is_contained(batch, dim) && !llvm::is_contained(contract, dim))
      out.push_back(dim);
  return out;
}

void ascend::tellDropped(Operation *op, std::optional<ArrayAttr> precisions,
                         bool hasAlgorithm) {
  bool isPrecise =
      precisions && llvm::any_of(*precisions, [](Attribute precision) {
        return cast<stablehlo::PrecisionAttr>(precision).getValue() !=
               stablehlo::Precision::DEFAULT;
      });
  auto tell = [&](StringRef what) {
    remark::missed(op->getLoc(), remark::RemarkOpts::name("dropped")
                                     .category("ascend-conversion")
                                     .function(op->getName().getStringRef()))
        << (what + " is dropped: the precision of products is a setting "
                   "of the device, not of an operator")
               .str();
  };
  if (isPrecise)
    tell("precision");
  if (hasAlgorithm)
    tell("the algorithm");
}

static FailureOr<Value> convertDot(Conversion &c, const ProductSide &lhs,
                                   const ProductSide &rhs) {
  Type left = typeOf(lhs.value).getElementType(),
       right = typeOf(rhs.value).getElementType(),
       result = c.type().getElementType();
  std::optional<Within> type = withinProduct(left, right, result);
  if (!type)
    return c.no("GE has no products of " + name(*geType(left)) + " and " +
                name(*geType(right)) + " in " + name(*geType(result)));
  for (Value value : {lhs.value, rhs.value, Value(c.op->getResult(0))})
    if (llvm::is_contained(typeOf(value).getShape(), 0))
      return zeros(c.b, c.type());
  Dims extents(c.type().getShape());
  llvm::append_range(extents, sizesOf(extentsOf(lhs, lhs.contract)));
  if (!type->isMatrix && llvm::is_contained(extents, ShapedType::kDynamic))
    return c.no("GE has no product of matrices of " +
                name(*geType(type->type)) +
                ", and the number of its products is known only at run time");
  uint64_t terms = 1;
  for (int64_t extent : extents)
    if (!ShapedType::isDynamic(extent))
      terms = llvm::SaturatingMultiply<uint64_t>(terms, extent);
  if (terms > uint64_t(INT64_MAX))
    return c.no("it is a sum of more than 2^63 products");
  if (!type->isMatrix && terms > kMostTerms)
    return c.no("GE has no product of matrices of " +
                name(*geType(type->type)) + ", and " + Twine(terms) +
                " products are too many to compute and then sum (" +
                Twine(kMostTerms) + " at most)");
  return Emitter(c.b, lhs, rhs, *type).emit(c.type());
}

static FailureOr<Value> convert(Conversion &c, stablehlo::DotGeneralOp op) {
  auto dims = op.getDotDimensionNumbers();
  Dims lhsBatch(dims.getLhsBatchingDimensions()),
      rhsBatch(dims.getRhsBatchingDimensions()),
      lhsContract(dims.getLhsContractingDimensions()),
      rhsContract(dims.getRhsContractingDimensions());
  FailureOr<Value> result =
      convertDot(c,
                 {op.getLhs(), lhsBatch,
                  others(op.getLhs(), lhsBatch, lhsContract), lhsContract},
                 {op.getRhs(), rhsBatch,
                  others(op.getRhs(), rhsBatch, rhsContract), rhsContract});
  if (succeeded(result))
    tellDropped(c.op, op.getPrecisionConfig(), op.getAlgorithm().has_value());
  return result;
}

static FailureOr<Value> convert(Conversion &c, stablehlo::DotOp op) {
  int64_t last = typeOf(op.getLhs()).getRank() - 1;
  FailureOr<Value> result =
      convertDot(c, {op.getLhs(), {}, others(op.getLhs(), {}, {last}), {last}},
                 {op.getRhs(), {}, others(op.getRhs(), {}, {0}), {0}});
  if (succeeded(result))
    tellDropped(c.op, op.getPrecisionConfig(), /*hasAlgorithm=*/false);
  return result;
}

FailureOr<Value> ascend::convertProduct(Conversion &c) {
  if (auto dot = dyn_cast<stablehlo::DotOp>(c.op))
    return convert(c, dot);
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(c.op))
    return convert(c, dot);
  return failure();
}
