// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Verifiers and folds of hints and index arithmetic. Numbers are unsigned. All
// constants of one operation have the width of its type.

#include "mercator/dialects/util/Util.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mercator::util;
using llvm::APInt;

//===----------------------------------------------------------------------===//
// Hints
//===----------------------------------------------------------------------===//

void OptimizationBarrierOp::build(OpBuilder &builder, OperationState &state,
                                  ValueRange operands) {
  build(builder, state, operands.getTypes(), operands);
}

ParseResult UnfoldableConstantOp::parse(OpAsmParser &parser,
                                        OperationState &state) {
  Attribute value;
  if (parser.parseOptionalAttrDict(state.attributes))
    return failure();
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseAttribute(value, getValueAttrName(state.name),
                            state.attributes))
    return failure();
  Type type;
  if (auto typed = dyn_cast<TypedAttr>(value))
    type = typed.getType();
  else if (!isa<SymbolRefAttr>(value))
    return parser.emitError(where)
           << "expected a value with a type or a symbol, got " << value;
  else if (parser.parseColonType(type))
    return failure();
  state.addTypes(type);
  return success();
}

void UnfoldableConstantOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printOptionalAttrDict((*this)->getAttrs(), {getValueAttrName()});
  if (!(*this)->getDiscardableAttrs().empty())
    printer << ' ';
  printer << getValue();
  if (isa<SymbolRefAttr>(getValue()))
    printer << " : " << getType();
}

LogicalResult UnfoldableConstantOp::verify() {
  if (isa<SymbolRefAttr>(getValue()))
    return success();
  auto typed = dyn_cast<TypedAttr>(getValue());
  if (typed && typed.getType() == getType())
    return success();
  return emitOpError() << "expected a value of type " << getType() << ", got "
                       << getValue();
}

LogicalResult UnfoldableConstantOp::canonicalize(UnfoldableConstantOp op,
                                                 PatternRewriter &rewriter) {
  auto value = dyn_cast<TypedAttr>(op.getValue());
  if (!value || !arith::ConstantOp::isBuildableWith(value, op.getType()))
    return failure();
  Value constant = arith::ConstantOp::create(rewriter, op.getLoc(), value);
  auto barrier = OptimizationBarrierOp::create(rewriter, op.getLoc(), constant);
  barrier->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.replaceOp(op, barrier);
  return success();
}

LogicalResult NumericOptionalNarrowOp::verify() {
  Type type = getSemanticType();
  if (isa<FloatType>(type) ||
      (isa<IntegerType>(type) && !type.isSignlessInteger()))
    return success();
  return emitOpError() << "expected a float or a signed or unsigned integer "
                          "after 'as', got "
                       << type;
}

//===----------------------------------------------------------------------===//
// Minimum and maximum
//===----------------------------------------------------------------------===//

static APInt lesser(APInt a, APInt b) { return a.ult(b) ? a : b; }
static APInt greater(APInt a, APInt b) { return a.ult(b) ? b : a; }

using Choice = APInt (*)(APInt, APInt);

static std::optional<APInt> getInteger(Attribute value) {
  if (auto integer = dyn_cast_or_null<IntegerAttr>(value))
    return integer.getValue();
  return std::nullopt;
}

template <Choice choose>
static OpFoldResult foldLimit(OperandRange operands,
                              ArrayRef<Attribute> constants, Type type) {
  if (operands.size() == 1)
    return operands.front();
  std::optional<APInt> limit;
  for (Attribute constant : constants) {
    std::optional<APInt> value = getInteger(constant);
    if (!value)
      return {};
    limit = limit ? choose(*limit, *value) : *value;
  }
  return limit ? IntegerAttr::get(type, *limit) : OpFoldResult();
}

OpFoldResult RangeMinOp::fold(FoldAdaptor adaptor) {
  return foldLimit<lesser>(getOperands(), adaptor.getOperands(), getType());
}
OpFoldResult RangeMaxOp::fold(FoldAdaptor adaptor) {
  return foldLimit<greater>(getOperands(), adaptor.getOperands(), getType());
}

/// Two operands become one operation of `arith`. Of more operands, duplicates
/// are removed, and the constants are merged into one last operand.
template <typename LimitOp, typename ArithOp, Choice choose>
static LogicalResult simplifyLimit(LimitOp op, PatternRewriter &rewriter) {
  OperandRange operands = op.getOperands();
  if (operands.size() == 2) {
    rewriter.replaceOpWithNewOp<ArithOp>(op, operands[0], operands[1]);
    return success();
  }
  llvm::SmallSetVector<Value, 4> kept;
  std::optional<APInt> limit;
  for (Value operand : operands) {
    APInt value;
    if (!matchPattern(operand, m_ConstantInt(&value)))
      kept.insert(operand);
    else
      limit = limit ? choose(*limit, value) : value;
  }
  if (kept.size() + (limit ? 1 : 0) == operands.size())
    return failure();
  if (limit)
    kept.insert(arith::ConstantOp::create(
        rewriter, op.getLoc(), IntegerAttr::get(op.getType(), *limit)));
  rewriter.replaceOpWithNewOp<LimitOp>(op, op.getType(), kept.getArrayRef());
  return success();
}

LogicalResult RangeMinOp::canonicalize(RangeMinOp op,
                                       PatternRewriter &rewriter) {
  return simplifyLimit<RangeMinOp, arith::MinUIOp, lesser>(op, rewriter);
}
LogicalResult RangeMaxOp::canonicalize(RangeMaxOp op,
                                       PatternRewriter &rewriter) {
  return simplifyLimit<RangeMaxOp, arith::MaxUIOp, greater>(op, rewriter);
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

LogicalResult RangeExtentsOp::verify() {
  if (getOffsets().empty())
    return emitOpError() << "expected at least one range";
  for (Type type : (*this)->getOperandTypes())
    if (type != getMin().getType())
      return emitOpError() << "expected offsets and lengths of type "
                           << getMin().getType() << ", got " << type;
  return success();
}

/// The last number of a range.
static Value createLast(OpBuilder &builder, Location loc, Value offset,
                        Value length) {
  Value end = arith::AddIOp::create(builder, loc, offset, length);
  Value one = arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(offset.getType(), 1));
  return arith::SubIOp::create(builder, loc, end, one);
}

namespace {

/// Merges the constant ranges into one and keeps the others.
struct FoldConstantRanges : OpRewritePattern<RangeExtentsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(RangeExtentsOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> offsets, lengths;
    std::optional<APInt> first, last;
    for (auto [offset, length] : llvm::zip(op.getOffsets(), op.getLengths())) {
      APInt begin, count;
      if (!matchPattern(offset, m_ConstantInt(&begin)) ||
          !matchPattern(length, m_ConstantInt(&count))) {
        offsets.push_back(offset);
        lengths.push_back(length);
        continue;
      }
      APInt end = begin + count - 1;
      first = first ? lesser(*first, begin) : begin;
      last = last ? greater(*last, end) : end;
    }
    if (!first)
      return failure();
    Location loc = op.getLoc();
    Type type = op.getMin().getType();
    Value min = arith::ConstantOp::create(rewriter, loc,
                                          IntegerAttr::get(type, *first));
    Value max =
        arith::ConstantOp::create(rewriter, loc, IntegerAttr::get(type, *last));
    if (!offsets.empty()) {
      auto rest =
          RangeExtentsOp::create(rewriter, loc, type, type, offsets, lengths);
      min = arith::MinUIOp::create(rewriter, loc, rest.getMin(), min);
      max = arith::MaxUIOp::create(rewriter, loc, rest.getMax(), max);
    }
    rewriter.replaceOp(op, {min, max});
    return success();
  }
};

/// Expands one or two ranges to operations of `arith`.
struct ExpandFewRanges : OpRewritePattern<RangeExtentsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(RangeExtentsOp op,
                                PatternRewriter &rewriter) const override {
    OperandRange offsets = op.getOffsets(), lengths = op.getLengths();
    if (offsets.size() > 2 || op.getMin().getType().isInteger(0))
      return failure();
    Location loc = op.getLoc();
    Value min = offsets[0];
    if (offsets.size() == 2)
      min = arith::MinUIOp::create(rewriter, loc, offsets[0], offsets[1]);
    Value max = createLast(rewriter, loc, offsets[0], lengths[0]);
    if (offsets.size() == 2)
      max = arith::MaxUIOp::create(
          rewriter, loc, max,
          createLast(rewriter, loc, offsets[1], lengths[1]));
    rewriter.replaceOp(op, {min, max});
    return success();
  }
};

/// Removes duplicate ranges.
struct DeduplicateRanges : OpRewritePattern<RangeExtentsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(RangeExtentsOp op,
                                PatternRewriter &rewriter) const override {
    llvm::SmallSetVector<std::pair<Value, Value>, 4> ranges;
    for (auto [offset, length] : llvm::zip(op.getOffsets(), op.getLengths()))
      ranges.insert({offset, length});
    if (ranges.size() == op.getOffsets().size())
      return failure();
    Type type = op.getMin().getType();
    rewriter.replaceOpWithNewOp<RangeExtentsOp>(
        op, type, type, llvm::to_vector(llvm::make_first_range(ranges)),
        llvm::to_vector(llvm::make_second_range(ranges)));
    return success();
  }
};

} // namespace

void RangeExtentsOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                 MLIRContext *context) {
  patterns.add<FoldConstantRanges, ExpandFewRanges, DeduplicateRanges>(context);
}

//===----------------------------------------------------------------------===//
// Alignment and size
//===----------------------------------------------------------------------===//

// An i0 holds no power of two, and APInt does not allow the question.
static bool isPowerOfTwo(const APInt &value) {
  return value.getBitWidth() != 0 && value.isPowerOf2();
}

/// Whether `value` is provably a multiple of `alignment` within `steps`
/// operations. Both satisfy the requirements of `util.align`: the alignment is
/// a power of two, so multiples of it remain multiples when arithmetic wraps
/// around.
static bool isMultiple(Value value, Value alignment, int &steps) {
  if (--steps < 0)
    return false;
  APInt number, unit;
  bool known =
      matchPattern(alignment, m_ConstantInt(&unit)) && isPowerOfTwo(unit);
  if (known && matchPattern(value, m_ConstantInt(&number)))
    return number.countr_zero() >= unit.countr_zero();
  Operation *op = value.getDefiningOp();
  if (auto align = dyn_cast_or_null<AlignOp>(op)) {
    if (align.getAlignment() == alignment)
      return true;
    if (known && matchPattern(align.getAlignment(), m_ConstantInt(&number)) &&
        isPowerOfTwo(number) && number.uge(unit))
      return true;
    // A multiple of `alignment` stays one: it is a multiple of both or not
    // moved.
    return isMultiple(align.getValue(), alignment, steps);
  }
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op))
    return isMultiple(op->getOperand(0), alignment, steps) &&
           isMultiple(op->getOperand(1), alignment, steps);
  if (isa_and_nonnull<arith::MulIOp>(op))
    return isMultiple(op->getOperand(0), alignment, steps) ||
           isMultiple(op->getOperand(1), alignment, steps);
  return false;
}

OpFoldResult AlignOp::fold(FoldAdaptor adaptor) {
  int steps = 32;
  if (isMultiple(getValue(), getAlignment(), steps))
    return getValue();
  std::optional<APInt> value = getInteger(adaptor.getValue());
  std::optional<APInt> unit = getInteger(adaptor.getAlignment());
  if (!value || !unit || !isPowerOfTwo(*unit))
    return {};
  bool overflow = false;
  APInt up = value->uadd_ov(*unit - 1, overflow);
  if (overflow)
    return {};
  return IntegerAttr::get(getType(), up & -*unit);
}

OpFoldResult SizeOfOp::fold(FoldAdaptor) {
  Type type = getSizedType();
  if (!type.isIntOrFloat())
    return {};
  return IntegerAttr::get(getType(),
                          llvm::divideCeil(type.getIntOrFloatBitWidth(), 8));
}
