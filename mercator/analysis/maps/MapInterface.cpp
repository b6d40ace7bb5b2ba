// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of the models, and the helpers that they share.

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/analysis/maps/Model.h"
#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/sdy/Sdy.h"
#include "mercator/indexing/simplify/Simplify.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
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
        attachConstantMaps(context);
        attachBroadcastMaps(context);
        attachReshapeMaps(context);
        attachTransposeMaps(context);
        attachSliceMaps(context);
        attachConcatenateMaps(context);
        attachPadMaps(context);
        attachGatherMaps(context);
        attachScatterMaps(context);
        attachDotMaps(context);
        attachLinearAlgebraMaps(context);
        attachBatchNormMaps(context);
        attachReduceMaps(context);
        attachWindowMaps(context);
        attachConvolutionMaps(context);
        attachSortMaps(context);
        attachRandomMaps(context);
        attachTupleMaps(context);
        attachTokenMaps(context);
        attachCustomCallMaps(context);
        attachRegionMaps(context);
        attachDeviceMaps(context);
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
  registry.addExtension(
      +[](mlir::MLIRContext *context, mlir::complex::ComplexDialect *) {
        attachElementwiseTraitMaps(context, "complex");
      });
}

/// Simplified. A range variable with one value becomes the value. A dimension or
/// a runtime variable with one value stays: a table shows all dimensions, and
/// the source of an index that is clamped to one value.
static Map simplified(Map map) {
  llvm::SmallVector<indexing::Expr, 4> points;
  for (const indexing::Variable &v : map.domain.ranges)
    points.push_back(v.bounds.isPoint() ? map.arena->constant(v.bounds.lower)
                                        : indexing::Expr());
  if (llvm::any_of(points, [](indexing::Expr e) { return bool(e); }))
    substitute(map, {.dims = {}, .ranges = points, .runtimes = {}});
  return simplify(map, {.foldPoints = false});
}

MapSet mercator::mapsOf(mlir::Operation *op, Arena &arena, Direction direction,
                        unsigned operand, unsigned result, ReadsOf reads) {
  auto maps = llvm::dyn_cast<MapInterface>(op);
  if (!maps)
    return unknownMaps(op, Query(op, arena, direction, operand, result));
  auto dot = llvm::dyn_cast<chlo::RaggedDotOp>(op);
  MapSet given = dot && reads == ReadsOf::MaskedForm
                     ? maskedRaggedDotMaps(
                           dot, Query(op, arena, direction, operand, result))
                 : direction == Direction::OutToIn
                     ? maps.operandMaps(arena, result, operand)
                     : maps.resultMaps(arena, operand, result);
  if (llvm::all_of(given, [](const auto &m) {
        return isSimple(m.map, /*foldPoints=*/false);
      }))
    return given;
  MapSet simple;
  for (indexing::OperandMap m : given) {
    m.map = simplified(std::move(m.map));
    simple.insert(std::move(m));
  }
  return simple;
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

Query Query::withResult(mlir::RankedTensorType type) const {
  Query q = *this;
  q.outType = type;
  q.out = sizesOf(type);
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(inType);
  q.isStatic = type.hasStaticShape() && (!tensor || tensor.hasStaticShape());
  return q;
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

Map Query::box(llvm::ArrayRef<indexing::Interval> box) const {
  if (direction == Direction::InToOut) {
    Map map = everything();
    if (!map.isKnownEmpty())
      for (auto [dim, interval] : llvm::zip_equal(map.domain.dims, box))
        dim.bounds = interval;
    return map;
  }
  if (llvm::is_contained(out, 0))
    return nothing();
  Map map = Map::toScalar(arena, out);
  for (indexing::Interval interval : box)
    map.results.push_back(map.domain.addRange(arena, interval));
  return map;
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
