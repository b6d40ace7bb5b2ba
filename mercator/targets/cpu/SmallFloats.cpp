// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;
using namespace mercator;

namespace {
/// Conversions that have no instruction. A value of at most 8 bits is looked up
/// in a table; a rounding is a call of the runtime.
class Conversions {
public:
  explicit Conversions(ModuleOp module)
      : module(module), builder(module.getContext()) {}

  void run() {
    SmallVector<Operation *> ops;
    module.walk([&](Operation *op) {
      if (isa<arith::ExtFOp, arith::TruncFOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      builder.setInsertionPoint(op);
      if (auto extend = dyn_cast<arith::ExtFOp>(op))
        replace(extend);
      else
        replace(cast<arith::TruncFOp>(op));
    }
  }

private:
  void replace(arith::ExtFOp op);
  void replace(arith::TruncFOp op);
  std::string tableOf(FloatType type);

  ModuleOp module;
  OpBuilder builder;
};
} // namespace

static bool isTiny(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() <= 8;
}

/// The value of every bit pattern.
std::string Conversions::tableOf(FloatType type) {
  std::string name;
  llvm::raw_string_ostream(name) << "mercator_values_" << type;
  if (module.lookupSymbol(name))
    return name;
  unsigned bits = type.getWidth();
  SmallVector<float> values;
  for (unsigned pattern = 0; pattern < (1u << bits); ++pattern) {
    llvm::APFloat value(type.getFloatSemantics(), llvm::APInt(bits, pattern));
    bool losesInfo;
    value.convert(llvm::APFloat::IEEEsingle(),
                  llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    values.push_back(value.convertToFloat());
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  auto shape =
      RankedTensorType::get({int64_t(values.size())}, builder.getF32Type());
  memref::GlobalOp::create(
      builder, module.getLoc(), name, builder.getStringAttr("private"),
      MemRefType::get(shape.getShape(), shape.getElementType()),
      DenseElementsAttr::get(shape, ArrayRef<float>(values)),
      /*constant=*/true, /*alignment=*/IntegerAttr());
  return name;
}

void Conversions::replace(arith::ExtFOp op) {
  auto from = dyn_cast<FloatType>(op.getIn().getType());
  if (!from || !isTiny(from))
    return;
  Location loc = op.getLoc();
  std::string table = tableOf(from);
  mlir::Value bits = arith::BitcastOp::create(
      builder, loc, builder.getIntegerType(from.getWidth()), op.getIn());
  mlir::Value place =
      arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), bits);
  mlir::Value values = memref::GetGlobalOp::create(
      builder, loc,
      MemRefType::get({int64_t(1) << from.getWidth()}, builder.getF32Type()),
      table);
  mlir::Value value =
      memref::LoadOp::create(builder, loc, values, ValueRange(place));
  if (!op.getType().isF32()) {
    if (op.getType().getIntOrFloatBitWidth() > 32)
      value = arith::ExtFOp::create(builder, loc, op.getType(), value);
    else
      value = arith::TruncFOp::create(builder, loc, op.getType(), value);
  }
  op.replaceAllUsesWith(value);
  op.erase();
}

uint32_t cpu::formatOf(FloatType type) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  int32_t precision = int32_t(llvm::APFloat::semanticsPrecision(semantics));
  int32_t least = llvm::APFloat::semanticsMinExponent(semantics);
  bool hasInfinity = llvm::APFloat::semanticsHasInf(semantics);
  bool hasNan = llvm::APFloat::semanticsHasNaN(semantics);
  bool hasZero = llvm::APFloat::semanticsHasZero(semantics);
  llvm::APFloat nan = hasNan ? llvm::APFloat::getNaN(semantics)
                             : llvm::APFloat::getLargest(semantics);
  // The only NaN of some formats is minus zero.
  bool isNanMinusZero = hasNan && nan.bitcastToAPInt().getZExtValue() ==
                                      (uint64_t(1) << (type.getWidth() - 1));
  return type.getWidth() | uint32_t(precision) << 8 |
         uint32_t(least + 1024) << 16 | uint32_t(hasInfinity) << 28 |
         uint32_t(hasNan) << 29 | uint32_t(isNanMinusZero) << 30 |
         uint32_t(!hasZero) << 31;
}

void Conversions::replace(arith::TruncFOp op) {
  auto to = dyn_cast<FloatType>(op.getType());
  auto from = dyn_cast<FloatType>(op.getIn().getType());
  if (!to || !from ||
      !(to.getWidth() < 16 || (to.getWidth() == 16 && from.isF64())))
    return;
  Location loc = op.getLoc();
  mlir::Value value = op.getIn();
  if (!from.isF64())
    value = arith::ExtFOp::create(builder, loc, builder.getF64Type(), value);
  constexpr llvm::StringLiteral name = "mercator_round_float";
  auto type = builder.getFunctionType(
      {builder.getF64Type(), builder.getI32Type()}, {builder.getI32Type()});
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    func::FuncOp::create(builder, loc, name, type).setPrivate();
  }
  mlir::Value format = arith::ConstantIntOp::create(
      builder, loc, int32_t(cpu::formatOf(to)), 32);
  mlir::Value bits =
      func::CallOp::create(builder, loc, name, builder.getI32Type(),
                           ValueRange{value, format})
          .getResult(0);
  mlir::Value narrow = arith::TruncIOp::create(
      builder, loc, builder.getIntegerType(to.getWidth()), bits);
  op.replaceAllUsesWith(
      arith::BitcastOp::create(builder, loc, to, narrow).getResult());
  op.erase();
}

/// Arithmetic on bf16 and narrower floats is f32 arithmetic that is rounded.
static LogicalResult computeInF32(ModuleOp module) {
  MLIRContext *context = module.getContext();
  Type f32 = Float32Type::get(context);
  SmallVector<Type> narrow = {
      BFloat16Type::get(context),       Float8E5M2Type::get(context),
      Float8E4M3FNType::get(context),   Float8E5M2FNUZType::get(context),
      Float8E4M3FNUZType::get(context), Float8E4M3B11FNUZType::get(context),
      Float8E4M3Type::get(context),     Float8E3M4Type::get(context),
      Float8E8M0FNUType::get(context),  Float4E2M1FNType::get(context),
      Float6E2M3FNType::get(context),   Float6E3M2FNType::get(context)};
  TypeConverter types;
  arith::populateEmulateUnsupportedFloatsConversions(types, narrow, f32);
  ConversionTarget target(*context);
  arith::populateEmulateUnsupportedFloatsLegality(target, types);
  RewritePatternSet patterns(context);
  arith::populateEmulateUnsupportedFloatsPatterns(patterns, types);
  return applyPartialConversion(module, target, std::move(patterns));
}

LogicalResult cpu::expandSmallFloats(ModuleOp module) {
  PassManager passes(module.getContext());
  passes.enableVerifier(false);
  math::MathExtendToSupportedTypesOptions extend;
  extend.targetTypeStr = "f32";
  passes.addPass(math::createMathExtendToSupportedTypes(extend));
  if (failed(passes.run(module)) || failed(computeInF32(module)))
    return failure();
  Conversions(module).run();
  // Not maxima and minima: LLVM has them, and vectors of them.
  RewritePatternSet expand(module.getContext());
  arith::populateCeilFloorDivExpandOpsPatterns(expand);
  arith::populateExpandBFloat16Patterns(expand);
  walkAndApplyPatterns(module, std::move(expand));
  return success();
}
