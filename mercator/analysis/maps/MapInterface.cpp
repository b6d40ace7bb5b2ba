// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of the models, and the helpers that they share.

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/analysis/maps/models/Model.h"
#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/sdy/Sdy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mercator;
using namespace mercator::maps;
using llvm::SmallVector;

#include "mercator/analysis/maps/MapInterface.cpp.inc"

void mercator::registerMapInterfaces(mlir::DialectRegistry &registry) {
  registry.addExtension(
      +[](mlir::MLIRContext *context, stablehlo::StablehloDialect *) {
        attachElementwiseMaps(context);
        attachDataMaps(context);
        attachRuntimeMaps(context);
        attachDynamicMaps(context);
        attachReductionMaps(context);
        attachSortMaps(context);
        attachProductMaps(context);
        attachMatrixMaps(context);
        attachNormalisationMaps(context);
        attachRandomMaps(context);
        attachWindowMaps(context);
        attachScatterMaps(context);
        attachControlMaps(context);
        attachDeviceMaps(context);
        attachRegionMaps(context);
      });
  registry.addExtension(+[](mlir::MLIRContext *context, hlo::HloDialect *) {
    attachHloMaps(context);
    attachFusionMaps(context);
  });
  registry.addExtension(+[](mlir::MLIRContext *context, chlo::ChloDialect *) {
    attachChloMaps(context);
  });
  registry.addExtension(+[](mlir::MLIRContext *context, sdy::SdyDialect *) {
    attachSdyMaps(context);
  });
  registry.addExtension(
      +[](mlir::MLIRContext *context, mlir::func::FuncDialect *) {
        attachCallMaps(context);
      });
  registry.addExtension(
      +[](mlir::MLIRContext *context, mlir::linalg::LinalgDialect *) {
        attachLinalgMaps(context);
      });
  registry.addExtension(
      +[](mlir::MLIRContext *context, mlir::tensor::TensorDialect *) {
        attachTensorMaps(context);
      });
  registry.addExtension(
      +[](mlir::MLIRContext *context, mlir::arith::ArithDialect *) {
        attachElementwiseTraitMaps(context, "arith");
      });
  registry.addExtension(
      +[](mlir::MLIRContext *context, mlir::math::MathDialect *) {
        attachElementwiseTraitMaps(context, "math");
      });
}

MapSet mercator::mapsOf(mlir::Operation *op, Arena &arena, Direction direction,
                        unsigned operand, unsigned result) {
  if (auto maps = llvm::dyn_cast<MapInterface>(op))
    return direction == Direction::OutToIn
               ? maps.operandMaps(arena, result, operand)
               : maps.resultMaps(arena, operand, result);
  return unknownMaps(op, Query(op, arena, direction, operand, result));
}

//===--- Helpers of the models --------------------------------------------===//

Query::Query(mlir::Operation *op, Arena &arena, Direction direction,
             unsigned operand, unsigned result)
    : op(op), arena(arena), direction(direction), operand(operand),
      result(result), inType(op->getOperand(operand).getType()),
      outType(op->getResult(result).getType()) {
  in = sizesOf(inType);
  out = sizesOf(outType);
  auto hasStaticShape = [](mlir::Type type) {
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
    return !tensor || tensor.hasStaticShape();
  };
  isStatic = hasStaticShape(inType) && hasStaticShape(outType);
}

bool Query::isStaticDim(int64_t dim) const {
  return !llvm::cast<mlir::RankedTensorType>(inType).isDynamicDim(dim) &&
         !llvm::cast<mlir::RankedTensorType>(outType).isDynamicDim(dim);
}

Map Query::along(llvm::function_ref<bool(int64_t)> whole) const {
  SmallVector<int64_t> source;
  for (int64_t dim = 0, rank = to().size(); dim < rank; ++dim)
    source.push_back(whole(dim) ? -1 : dim);
  return selectDims(arena, from(), to(), source);
}

llvm::StringRef maps::spelling(mlir::Operation *op) {
  if (auto opaque = llvm::dyn_cast<hlo::OpaqueOp>(op))
    return opaque.getOpcode();
  llvm::StringRef dialect = op->getName().getDialectNamespace();
  return dialect == "stablehlo" || dialect == "hlo"
             ? op->getName().stripDialect()
             : op->getName().getStringRef();
}

void maps::forEachOperationOf(
    mlir::MLIRContext *context, llvm::StringRef dialect,
    llvm::function_ref<void(mlir::RegisteredOperationName)> f) {
  for (mlir::RegisteredOperationName name : context->getRegisteredOperations())
    if (name.getDialectNamespace() == dialect)
      f(name);
}
