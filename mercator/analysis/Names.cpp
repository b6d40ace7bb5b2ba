// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of values, taken from locations.

#include "mercator/analysis/Names.h"
#include "mercator/dialects/hlo/Hlo.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mercator;

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

mlir::Location mercator::sourceLocation(mlir::Operation *op) {
  if (!sourceOperationIn(op->getLoc()).empty())
    return op->getLoc();
  return mlir::FusedLoc::get(
      op->getContext(), {op->getLoc()},
      mlir::StringAttr::get(op->getContext(), op->getName().getStringRef()));
}

llvm::StringRef mercator::sourceOperationIn(mlir::Location location) {
  llvm::StringRef name;
  location->walk([&](mlir::Location inner) {
    auto fused = llvm::dyn_cast<mlir::FusedLoc>(inner);
    auto noted =
        fused ? llvm::dyn_cast_or_null<mlir::StringAttr>(fused.getMetadata())
              : mlir::StringAttr();
    if (!noted)
      return mlir::WalkResult::advance();
    name = noted.getValue();
    return mlir::WalkResult::interrupt();
  });
  return name;
}

// Names of other importers, such as the call path that JAX writes, are not
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

int32_t mercator::elementOf(mlir::Value value) {
  auto result = llvm::dyn_cast<mlir::OpResult>(value);
  if (!result || result.getOwner()->getNumResults() == 1)
    return -1;
  llvm::StringRef name = nameIn(result.getOwner()->getLoc());
  return resultName(name, result.getResultNumber()).empty()
             ? (int32_t)result.getResultNumber()
             : -1;
}

std::string mercator::valueName(mlir::Value value) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    llvm::StringRef name = nameIn(argument.getLoc());
    return name.empty() ? "arg" + std::to_string(argument.getArgNumber())
                        : name.str();
  }
  auto result = llvm::cast<mlir::OpResult>(value);
  std::string name = instructionName(result.getOwner());
  llvm::StringRef own = resultName(name, result.getResultNumber());
  return own.empty() ? name : own.str();
}

std::string mercator::sourceName(mlir::Value value) {
  return computationName(value.getParentRegion()) + "/" + valueName(value);
}
