// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/llvm/Lower.h"
#include "mercator/targets/cpu/llvm/RoundFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

#include <cmath>

using namespace mlir;
using namespace mercator;

namespace {
/// Conversions that have no instruction. A value of at most 8 bits is looked up
/// in a table; a rounding is arithmetic on integers (RoundFloats.h).
class Conversions {
public:
  explicit Conversions(ModuleOp module) : module(module) {}

  void run() {
    SmallVector<Operation *> ops;
    module.walk([&](Operation *op) {
      if (isa<arith::ExtFOp, arith::TruncFOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      auto from = dyn_cast<FloatType>(op->getOperand(0).getType());
      auto to = dyn_cast<FloatType>(op->getResult(0).getType());
      if (!from || !to || !hasNoInstruction(from, to))
        continue;
      ImplicitLocOpBuilder b(op->getLoc(), op);
      op->getResult(0).replaceAllUsesWith(convert(b, op->getOperand(0), to));
      op->erase();
    }
  }

private:
  static bool isTiny(FloatType type) { return type.getWidth() <= 8; }
  static bool hasNoInstruction(FloatType from, FloatType to) {
    return isTiny(from) || isTiny(to) || (from.isF64() && to.getWidth() == 16);
  }
  mlir::Value convert(ImplicitLocOpBuilder &b, mlir::Value value, FloatType to);
  mlir::Value lookUp(ImplicitLocOpBuilder &b, mlir::Value value,
                     FloatType wide);
  std::string tableOf(FloatType type, FloatType wide);

  ModuleOp module;
};
} // namespace

static double valueOf(FloatType type, uint64_t pattern) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  // APFloat has the largest value of f8E8M0FNU in place of its NaN.
  if (!llvm::APFloat::semanticsHasSignedRepr(semantics) && pattern == 255)
    return NAN;
  llvm::APFloat value(semantics, llvm::APInt(type.getWidth(), pattern));
  bool losesInfo = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

/// The value of every bit pattern.
std::string Conversions::tableOf(FloatType type, FloatType wide) {
  std::string name;
  llvm::raw_string_ostream(name) << "mercator_" << wide << "_of_" << type;
  if (module.lookupSymbol(name))
    return name;
  SmallVector<Attribute> values;
  for (uint64_t pattern = 0; pattern < uint64_t(1) << type.getWidth();
       ++pattern)
    values.push_back(FloatAttr::get(wide, valueOf(type, pattern)));
  OpBuilder builder(module.getContext());
  builder.setInsertionPointToStart(module.getBody());
  auto shape = RankedTensorType::get({int64_t(values.size())}, wide);
  memref::GlobalOp::create(builder, module.getLoc(), name,
                           builder.getStringAttr("private"),
                           MemRefType::get(shape.getShape(), wide),
                           DenseElementsAttr::get(shape, values),
                           /*constant=*/true, /*alignment=*/IntegerAttr());
  return name;
}

mlir::Value Conversions::lookUp(ImplicitLocOpBuilder &b, mlir::Value value,
                                FloatType wide) {
  auto from = cast<FloatType>(value.getType());
  mlir::Value bits =
      arith::BitcastOp::create(b, b.getIntegerType(from.getWidth()), value);
  mlir::Value place = arith::IndexCastUIOp::create(b, b.getIndexType(), bits);
  mlir::Value values = memref::GetGlobalOp::create(
      b, MemRefType::get({int64_t(1) << from.getWidth()}, wide),
      tableOf(from, wide));
  return memref::LoadOp::create(b, values, ValueRange(place));
}

mlir::Value Conversions::convert(ImplicitLocOpBuilder &b, mlir::Value value,
                                 FloatType to) {
  auto from = cast<FloatType>(value.getType());
  if (isTiny(from))
    // f32 has all their values.
    value = lookUp(b, value, to.isF64() ? to : b.getF32Type());
  else if (from.getWidth() < 32)
    value = arith::ExtFOp::create(b, b.getF32Type(), value);
  auto wide = cast<FloatType>(value.getType());
  if (wide == to)
    return value;
  return hasNoInstruction(wide, to) ? cpu::roundFloat(b, value, to)
                                    : arith::TruncFOp::create(b, to, value);
}

/// An integer is rounded once. Others would be f32 on their way.
static void convertIntegers(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    auto to = isa<arith::SIToFPOp, arith::UIToFPOp>(op)
                  ? dyn_cast<FloatType>(op->getResult(0).getType())
                  : FloatType();
    if (to && to.getWidth() <= 16)
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    mlir::Value wide =
        cpu::wideOfInteger(b, op->getOperand(0), isa<arith::UIToFPOp>(op));
    mlir::Value rounded =
        arith::TruncFOp::create(b, op->getResult(0).getType(), wide);
    op->getResult(0).replaceAllUsesWith(rounded);
    op->erase();
  }
}

/// Arithmetic on f8E8M0FNU is f64 arithmetic that is rounded: a product of two
/// powers of two is a number of f64, and none becomes 0, which the type does not
/// have.
static void computePowersInF64(ModuleOp module) {
  auto isPower = [](Type type) { return isa<Float8E8M0FNUType>(type); };
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    bool isArithmetic =
        isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
        !isa<arith::BitcastOp, arith::ConstantOp, arith::ExtFOp,
             arith::SIToFPOp, arith::SelectOp, arith::TruncFOp,
             arith::UIToFPOp>(op);
    if (isArithmetic && (llvm::any_of(op->getOperandTypes(), isPower) ||
                         llvm::any_of(op->getResultTypes(), isPower)))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    for (OpOperand &operand : op->getOpOperands())
      if (isPower(operand.get().getType()))
        operand.set(arith::ExtFOp::create(b, b.getF64Type(), operand.get()));
    b.setInsertionPointAfter(op);
    for (mlir::Value result : op->getResults())
      if (Type type = result.getType(); isPower(type)) {
        result.setType(b.getF64Type());
        auto rounded = arith::TruncFOp::create(b, type, result);
        result.replaceAllUsesExcept(rounded, rounded);
      }
  }
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

/// Whether an operation computes floats of less than 32 bits.
static bool hasNarrowFloats(ModuleOp module) {
  auto isNarrow = [](Type type) {
    auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
    return element && element.getWidth() < 32;
  };
  return module
      .walk([&](Operation *op) {
        return llvm::any_of(op->getResultTypes(), isNarrow) ||
                       llvm::any_of(op->getOperandTypes(), isNarrow)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

static LogicalResult computeNarrowFloats(ModuleOp module) {
  computePowersInF64(module);
  PassManager passes(module.getContext());
  passes.enableVerifier(false);
  math::MathExtendToSupportedTypesOptions extend;
  extend.targetTypeStr = "f32";
  passes.addPass(math::createMathExtendToSupportedTypes(extend));
  if (failed(passes.run(module)))
    return failure();
  convertIntegers(module);
  if (failed(computeInF32(module)))
    return failure();
  Conversions(module).run();
  return success();
}

LogicalResult cpu::expandSmallFloats(ModuleOp module) {
  bool isNarrow = hasNarrowFloats(module);
  if (isNarrow && failed(computeNarrowFloats(module)))
    return failure();
  // Not maxima and minima: LLVM has them, and vectors of them.
  RewritePatternSet expand(module.getContext());
  arith::populateCeilFloorDivExpandOpsPatterns(expand);
  if (isNarrow)
    arith::populateExpandBFloat16Patterns(expand);
  walkAndApplyPatterns(module, std::move(expand));
  return success();
}
