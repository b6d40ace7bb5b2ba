// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/llvm/Addresses.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <map>

using namespace mlir;
using namespace mercator;

namespace {
/// The addresses of a function.
class Addresses {
public:
  explicit Addresses(MLIRContext *context) : types(context) {}

  /// The address of an element. `flags`: what is known of the arithmetic.
  mlir::Value at(OpBuilder &builder, Location loc, mlir::Value buffer,
                 ValueRange indices, LLVM::GEPNoWrapFlags flags);

private:
  mlir::Value startOf(mlir::Value buffer); ///< of the first element
  mlir::Value baseOf(mlir::Value buffer);  ///< that offsets count from
  OpFoldResult strideOf(mlir::Value buffer, size_t dimension);
  OpFoldResult offsetOf(mlir::Value buffer);
  /// The same in steps, the innermost loop last.
  mlir::Value inSteps(OpBuilder &builder, Location loc, mlir::Value buffer,
                      ValueRange indices);
  /// A part of the structure that describes a buffer.
  mlir::Value field(mlir::Value buffer, ArrayRef<int64_t> position);
  OpFoldResult numberIn(mlir::Value buffer, ArrayRef<int64_t> position);
  /// An address some elements behind another one.
  mlir::Value move(OpBuilder &builder, Location loc, Type element,
                   mlir::Value address, OpFoldResult distance,
                   LLVM::GEPNoWrapFlags flags);

  LLVMTypeConverter types;
  DenseMap<mlir::Value, mlir::Value> starts, bases;
};
} // namespace

static OpBuilder builderAfter(mlir::Value value) {
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  return builder;
}

mlir::Value Addresses::field(mlir::Value buffer, ArrayRef<int64_t> position) {
  Location loc = buffer.getLoc();
  auto made = buffer.getDefiningOp<UnrealizedConversionCastOp>();
  mlir::Value whole;
  if (made && isa<LLVM::LLVMStructType>(made.getOperand(0).getType())) {
    whole = made.getOperand(0);
  } else {
    OpBuilder builder = builderAfter(buffer);
    whole = UnrealizedConversionCastOp::create(
                builder, loc, types.convertType(buffer.getType()), buffer)
                .getResult(0);
  }
  OpBuilder builder = builderAfter(whole);
  return builder.createOrFold<LLVM::ExtractValueOp>(loc, whole, position);
}

OpFoldResult Addresses::numberIn(mlir::Value buffer,
                                 ArrayRef<int64_t> position) {
  mlir::Value number = field(buffer, position);
  if (auto constant = getConstantIntValue(number))
    return IntegerAttr::get(IndexType::get(buffer.getContext()), *constant);
  OpBuilder builder = builderAfter(number);
  return UnrealizedConversionCastOp::create(builder, buffer.getLoc(),
                                            builder.getIndexType(), number)
      .getResult(0);
}

OpFoldResult Addresses::strideOf(mlir::Value buffer, size_t dimension) {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t stride = type.getStridesAndOffset().first[dimension];
  if (!ShapedType::isDynamic(stride))
    return IntegerAttr::get(IndexType::get(type.getContext()), stride);
  if (auto part = buffer.getDefiningOp<memref::ReinterpretCastOp>())
    return part.getMixedStrides()[dimension];
  if (auto same = buffer.getDefiningOp<memref::CastOp>())
    return strideOf(same.getSource(), dimension);
  return numberIn(buffer, {4, int64_t(dimension)});
}

OpFoldResult Addresses::offsetOf(mlir::Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t offset = type.getStridesAndOffset().second;
  if (!ShapedType::isDynamic(offset))
    return IntegerAttr::get(IndexType::get(type.getContext()), offset);
  if (auto part = buffer.getDefiningOp<memref::ReinterpretCastOp>())
    return part.getMixedOffsets()[0];
  if (auto same = buffer.getDefiningOp<memref::CastOp>())
    return offsetOf(same.getSource());
  return numberIn(buffer, {2});
}

mlir::Value Addresses::move(OpBuilder &builder, Location loc, Type element,
                            mlir::Value address, OpFoldResult distance,
                            LLVM::GEPNoWrapFlags flags) {
  std::optional<int64_t> constant = getConstantIntValue(distance);
  if (constant == 0)
    return address;
  if (constant && llvm::isInt<32>(*constant))
    return LLVM::GEPOp::create(
        builder, loc, address.getType(), element, address,
        ArrayRef<LLVM::GEPArg>{int32_t(*constant)}, flags);
  mlir::Value index = getValueOrCreateConstantIndexOp(builder, loc, distance);
  mlir::Value number = UnrealizedConversionCastOp::create(
                           builder, loc, types.getIndexType(), index)
                           .getResult(0);
  return LLVM::GEPOp::create(builder, loc, address.getType(), element, address,
                             ArrayRef<LLVM::GEPArg>{number}, flags);
}

mlir::Value Addresses::baseOf(mlir::Value buffer) {
  Operation *op = buffer.getDefiningOp();
  if (isa_and_nonnull<memref::ReinterpretCastOp, memref::CastOp,
                      memref::ExtractStridedMetadataOp>(op))
    return baseOf(op->getOperand(0));
  auto [found, isNew] = bases.try_emplace(buffer);
  if (isNew)
    found->second = field(buffer, {1});
  return found->second;
}

mlir::Value Addresses::startOf(mlir::Value buffer) {
  auto [found, isNew] = starts.try_emplace(buffer);
  if (!isNew)
    return found->second;
  mlir::Value base = baseOf(buffer);
  OpFoldResult offset = offsetOf(buffer);
  if (isConstantIntValue(offset, 0))
    return starts[buffer] = base;
  // After all that it is made of.
  OpBuilder builder = builderAfter(buffer);
  for (mlir::Value operand : {base, dyn_cast<mlir::Value>(offset)}) {
    Operation *made = operand ? operand.getDefiningOp() : nullptr;
    if (made && made->getBlock() == builder.getInsertionBlock() &&
        !made->isBeforeInBlock(&*builder.getInsertionPoint()))
      builder.setInsertionPointAfter(made);
  }
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  return starts[buffer] = move(builder, buffer.getLoc(), element, base, offset,
                               LLVM::GEPNoWrapFlags::none);
}

/// How many loops are around the definition of a value.
static unsigned loopsAround(mlir::Value value) {
  unsigned depth = 0;
  for (Operation *op = value.getParentBlock()->getParentOp();
       op && !isa<func::FuncOp>(op); op = op->getParentOp())
    depth += isa<LoopLikeOpInterface>(op) ? 1 : 0;
  return depth;
}

namespace {
/// An index as a sum: of a constant, and of values by the number of loops around them.
struct Terms {
  int64_t known = 0;
  std::map<unsigned, SmallVector<std::pair<mlir::Value, int64_t>, 2>> at = {};

  void add(mlir::Value value, int64_t factor);
};
} // namespace

void Terms::add(mlir::Value value, int64_t factor) {
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    known += *constant * factor;
    return;
  }
  unsigned depth = loopsAround(value);
  if (auto sum = value.getDefiningOp<arith::AddIOp>()) {
    mlir::Value a = sum.getLhs(), b = sum.getRhs();
    if (getConstantIntValue(b) || loopsAround(a) != depth ||
        loopsAround(b) != depth) {
      add(a, factor);
      add(b, factor);
      return;
    }
  }
  at[depth].emplace_back(value, factor);
}

mlir::Value Addresses::inSteps(OpBuilder &builder, Location loc,
                               mlir::Value buffer, ValueRange indices) {
  auto index = [&](OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(builder, loc, number);
  };
  Terms terms;
  for (auto [i, number] : llvm::enumerate(indices)) {
    OpFoldResult stride = strideOf(buffer, i);
    if (std::optional<int64_t> factor = getConstantIntValue(stride))
      terms.add(number, *factor);
    else if (getConstantIntValue(number) != 0)
      terms.add(arith::MulIOp::create(builder, loc, number, index(stride)), 1);
  }
  mlir::Value address = startOf(buffer);
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  for (auto &[depth, values] : terms.at) {
    mlir::Value sum;
    for (auto [value, factor] : values) {
      mlir::Value term =
          factor == 1
              ? value
              : arith::MulIOp::create(builder, loc, value,
                                      index(builder.getIndexAttr(factor)));
      sum = sum ? arith::AddIOp::create(builder, loc, sum, term) : term;
    }
    address =
        move(builder, loc, element, address, sum, LLVM::GEPNoWrapFlags::none);
  }
  return move(builder, loc, element, address, builder.getIndexAttr(terms.known),
              LLVM::GEPNoWrapFlags::none);
}

mlir::Value Addresses::at(OpBuilder &builder, Location loc, mlir::Value buffer,
                          ValueRange indices, LLVM::GEPNoWrapFlags flags) {
  if (flags == LLVM::GEPNoWrapFlags::none)
    return inSteps(builder, loc, buffer, indices);
  auto overflow =
      arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  auto index = [&](OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(builder, loc, number);
  };
  int64_t known = 0; ///< the sum of the constant terms
  mlir::Value sum;
  for (auto [i, number] : llvm::enumerate(indices)) {
    OpFoldResult stride = strideOf(buffer, i);
    std::optional<int64_t> constant = getConstantIntValue(number),
                           factor = getConstantIntValue(stride);
    if (constant == 0)
      continue;
    if (constant && factor) {
      known += *constant * *factor;
      continue;
    }
    mlir::Value term = factor == 1
                           ? number
                           : arith::MulIOp::create(builder, loc, number,
                                                   index(stride), overflow);
    sum = sum ? arith::AddIOp::create(builder, loc, sum, term, overflow) : term;
  }
  mlir::Value start = startOf(buffer);
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  if (!sum)
    return move(builder, loc, element, start, builder.getIndexAttr(known),
                flags);
  if (known != 0)
    sum = arith::AddIOp::create(builder, loc, sum,
                                index(builder.getIndexAttr(known)), overflow);
  return move(builder, loc, element, start, sum, flags);
}

/// Whether LLVM holds the elements in the same type, each in whole bytes.
static bool isPlain(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (integer)
    return integer.isSignless() && integer.getWidth() >= 8 &&
           llvm::isPowerOf2_32(integer.getWidth());
  return isa<BFloat16Type, Float16Type, Float32Type, Float64Type>(type);
}

static bool isPlain(mlir::Value buffer, Type accessed) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  auto vector = dyn_cast<VectorType>(accessed);
  return isPlain(type.getElementType()) && !type.getMemorySpace() &&
         succeeded(type.getStridesAndOffset(strides, offset)) &&
         (accessed == type.getElementType() ||
          (vector && vector.getRank() == 1 && !vector.isScalable() &&
           vector.getElementType() == type.getElementType()));
}

/// The alignment of an access to a vector, in bytes, that is sure: LLVM may find a larger one.
static unsigned alignmentOf(mlir::Value buffer, std::optional<uint64_t> own) {
  unsigned bits = cast<MemRefType>(buffer.getType()).getElementTypeBitWidth();
  return unsigned(std::max<uint64_t>(bits / 8, own.value_or(0)));
}

/// Replaces an access; false if it stays. `isVectorCode`: LLVM makes no vectors of the
/// loop around it, and need not know that its arithmetic does not wrap.
static bool replace(Operation *op, Addresses &addresses, bool isVectorCode) {
  constexpr LLVM::GEPNoWrapFlags kUnknown = LLVM::GEPNoWrapFlags::none;
  LLVM::GEPNoWrapFlags inBounds =
      isVectorCode ? kUnknown
                   : LLVM::GEPNoWrapFlags::inbounds | LLVM::GEPNoWrapFlags::nuw;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto at = [&](auto access, mlir::Value buffer, LLVM::GEPNoWrapFlags flags) {
    return addresses.at(builder, loc, buffer, access.getIndices(), flags);
  };
  auto becomes = [&](auto made) {
    op->replaceAllUsesWith(made->getResults());
    return true;
  };
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    mlir::Value buffer = load.getMemRef();
    return isPlain(buffer, load.getType()) &&
           becomes(LLVM::LoadOp::create(
               builder, loc, load.getType(), at(load, buffer, inBounds),
               unsigned(load.getAlignment().value_or(0)),
               /*isVolatile=*/false, load.getNontemporal()));
  }
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    mlir::Value buffer = store.getMemRef();
    return isPlain(buffer, store.getValue().getType()) &&
           becomes(LLVM::StoreOp::create(
               builder, loc, store.getValue(), at(store, buffer, inBounds),
               unsigned(store.getAlignment().value_or(0)),
               /*isVolatile=*/false, store.getNontemporal()));
  }
  if (auto load = dyn_cast<vector::LoadOp>(op)) {
    mlir::Value buffer = load.getBase();
    return isPlain(buffer, load.getType()) &&
           becomes(LLVM::LoadOp::create(
               builder, loc, load.getType(), at(load, buffer, kUnknown),
               alignmentOf(buffer, load.getAlignment()),
               /*isVolatile=*/false, load.getNontemporal()));
  }
  if (auto store = dyn_cast<vector::StoreOp>(op)) {
    mlir::Value buffer = store.getBase();
    return isPlain(buffer, store.getValueToStore().getType()) &&
           becomes(LLVM::StoreOp::create(
               builder, loc, store.getValueToStore(),
               at(store, buffer, kUnknown),
               alignmentOf(buffer, store.getAlignment()),
               /*isVolatile=*/false, store.getNontemporal()));
  }
  return false;
}

static bool hasVectors(Operation *op) {
  auto isVector = [](Type type) { return isa<VectorType>(type); };
  return llvm::any_of(op->getOperandTypes(), isVector) ||
         llvm::any_of(op->getResultTypes(), isVector);
}

namespace {
class AccessAddresses
    : public PassWrapper<AccessAddresses, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AccessAddresses)

  StringRef getName() const override { return "AccessAddresses"; }

  void runOnOperation() override {
    Addresses addresses(&getContext());
    SmallVector<Operation *> replaced;
    SmallVector<Operation *> accesses;
    DenseSet<Operation *> vectorLoops; ///< and what is around them
    getOperation().walk([&](Operation *op) {
      if (hasVectors(op))
        for (Operation *loop = op->getParentOfType<LoopLikeOpInterface>();
             loop && vectorLoops.insert(loop).second;)
          loop = loop->getParentOfType<LoopLikeOpInterface>();
      if (isa<memref::LoadOp, memref::StoreOp, vector::LoadOp, vector::StoreOp>(
              op))
        accesses.push_back(op);
    });
    for (Operation *op : accesses)
      if (replace(
              op, addresses,
              vectorLoops.contains(op->getParentOfType<LoopLikeOpInterface>())))
        op->erase();
    // Parts come after what they are parts of.
    getOperation().walk<WalkOrder::PostOrder, ReverseIterator>(
        [](Operation *op) {
          if (isOpTriviallyDead(op))
            op->erase();
        });
  }
};
} // namespace

std::unique_ptr<Pass> cpu::createAccessAddresses() {
  return std::make_unique<AccessAddresses>();
}
