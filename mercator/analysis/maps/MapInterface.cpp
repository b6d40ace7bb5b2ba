// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/MapInterface.h"
#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/maps/Models.h"
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

#include "mercator/dialects/MapInterface.cpp.inc"

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

SmallVector<int64_t> mercator::sizesOf(mlir::Type type) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor)
    return {};
  SmallVector<int64_t> sizes = hlo::boundedShape(tensor);
  for (int64_t &size : sizes)
    if (mlir::ShapedType::isDynamic(size))
      size = indexing::Interval::kMax;
  return sizes;
}

//===--- Names ------------------------------------------------------------===//

llvm::StringRef mercator::nameIn(mlir::Location location) {
  llvm::StringRef name;
  location->walk([&](mlir::Location inner) {
    auto named = llvm::dyn_cast<mlir::NameLoc>(inner);
    if (!named)
      return mlir::WalkResult::advance();
    name = named.getName().strref();
    return mlir::WalkResult::interrupt();
  });
  return name;
}

// Names of other importers (the call path that JAX writes, for one) are not
// unique: they get a number.
std::string mercator::instructionName(mlir::Operation *op) {
  llvm::StringRef name = nameIn(op->getLoc());
  if (!name.empty() && name.find_first_of("/( ") == llvm::StringRef::npos)
    return name.str();
  auto number = std::distance(op->getBlock()->begin(), op->getIterator());
  return (name.empty() ? op->getName().stripDialect() : name).str() + "#" +
         std::to_string(number);
}

llvm::StringRef mercator::resultName(llvm::StringRef instruction,
                                     unsigned result) {
  if (!instruction.starts_with("%") || !instruction.contains(','))
    return {};
  for (; result > 0; --result)
    instruction = instruction.split(',').second;
  return instruction.split(',').first;
}

std::string mercator::modulePath(mlir::Operation *op) {
  auto module = op->getParentOfType<mlir::ModuleOp>();
  if (!module || !module->getParentOp())
    return {};
  std::optional<llvm::StringRef> name = module.getSymName();
  return modulePath(module) + (name ? name->str() : instructionName(module)) +
         "/";
}

std::string mercator::computationName(mlir::Region *region) {
  mlir::Operation *op = region->getParentOp();
  if (auto fusion = llvm::dyn_cast<hlo::FusionOp>(op))
    return modulePath(op) + fusion.getCalls().str();
  if (auto name = op->getAttrOfType<mlir::StringAttr>(
          mlir::SymbolTable::getSymbolAttrName()))
    return modulePath(op) + name.str();
  mlir::Region *outer = op->getParentRegion();
  if (!outer)
    return op->getName().getStringRef().str();
  return computationName(outer) + "/" + instructionName(op) + "." +
         std::to_string(region->getRegionNumber());
}

llvm::StringRef mercator::nameWithin(llvm::StringRef source,
                                     mlir::Region *region) {
  if (source.consume_front(computationName(region) + "/"))
    return source;
  return source.split('/').second;
}

SourceName mercator::sourceName(mlir::Value value) {
  SourceName source{computationName(value.getParentRegion()) + "/"};
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    llvm::StringRef name = nameIn(argument.getLoc());
    source.name += name.empty()
                       ? "arg" + std::to_string(argument.getArgNumber())
                       : name.str();
    return source;
  }
  auto result = llvm::cast<mlir::OpResult>(value);
  std::string name = instructionName(result.getOwner());
  llvm::StringRef own = resultName(name, result.getResultNumber());
  source.name += own.empty() ? llvm::StringRef(name) : own;
  if (own.empty() && result.getOwner()->getNumResults() > 1)
    source.element = result.getResultNumber();
  return source;
}

Source mercator::internSource(Arena &arena, mlir::Value value) {
  SourceName name = sourceName(value);
  // The results of one operation have one number.
  if (name.element >= 0)
    value = value.getDefiningOp()->getResult(0);
  return {arena.internSource(name.name, {value.getAsOpaquePointer()}),
          name.element};
}

//===--- What the models stand on -----------------------------------------===//

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

std::optional<int64_t> maps::elementCount(indexing::Sizes sizes) {
  if (!productFits(sizes))
    return std::nullopt;
  if (llvm::is_contained(sizes, 0))
    return 0;
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

bool maps::productFits(llvm::ArrayRef<int64_t> factors) {
  if (llvm::is_contained(factors, 0))
    return true;
  int64_t product = 1;
  for (int64_t factor : factors)
    if (factor < 0 || __builtin_mul_overflow(product, factor, &product) ||
        !fits(product))
      return false;
  return true;
}
