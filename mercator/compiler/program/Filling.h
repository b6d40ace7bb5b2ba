// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Elements for constants that the text leaves out. Internal.

#ifndef MERCATOR_COMPILER_PROGRAM_FILLING_H
#define MERCATOR_COMPILER_PROGRAM_FILLING_H

#include "mercator/compiler/program/FanIn.h"
#include "mercator/compiler/program/Folding.h"
#include "mercator/compiler/program/Inputs.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Value.h"

#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <optional>

namespace mercator {

/// The elements of constants that the text leaves out. The operations of a
/// module have numbers, and an elided constant has the elements of its number.
class Filling {
public:
  Filling(mlir::ModuleOp module, std::optional<RandomElements> seed)
      : seed(seed) {
    module->walk([&](mlir::Operation *op) {
      streams.insert({op, streams.size() + 1});
      auto constant = llvm::dyn_cast<stablehlo::ConstantOp>(op);
      if (!constant || !constant.isElided())
        return;
      hasElided = true;
      fanIns[op] = fanInOf(constant.getResult(), {});
    });
  }

  llvm::FailureOr<reference::Tensor> draw(mlir::Operation *op,
                                          mlir::RankedTensorType type,
                                          reference::EmitError emitError) {
    if (seed)
      return randomTensor(type, *seed, streams.lookup(op), fanIns.lookup(op),
                          emitError);
    isMissing = true;
    emitError() << "expected the elements of this constant, which the text "
                   "leaves out";
    return llvm::failure();
  }

  /// Writes the elements into the constants, because a lowered program has
  /// other operations.
  llvm::LogicalResult write() {
    for (auto [op, stream] : streams) {
      auto constant = llvm::dyn_cast<stablehlo::ConstantOp>(op);
      if (!seed || !constant || !constant.isElided())
        continue;
      auto type = llvm::cast<mlir::RankedTensorType>(constant.getType());
      llvm::FailureOr<reference::Tensor> tensor =
          draw(op, type, [&] { return constant.emitError(); });
      mlir::ElementsAttr elements =
          failed(tensor) ? mlir::ElementsAttr() : elementsOf(*tensor);
      if (!elements)
        return constant.emitError()
               << "expected elements of whole bytes to fill and lower";
      constant.setValueAttr(elements);
    }
    return llvm::success();
  }

  /// Lowering takes the locations of constants that it moves, and merges those
  /// that are equal. So each elided constant gets a resource of its own, by
  /// which written() finds it.
  void trackElided() {
    for (auto [op, stream] : streams)
      for (mlir::NamedAttribute named : op->getAttrs()) {
        auto value =
            llvm::dyn_cast<mlir::DenseResourceElementsAttr>(named.getValue());
        if (!value || !stablehlo::isElided(value))
          continue;
        auto handle = value.getRawHandle();
        mlir::MLIRContext *context = op->getContext();
        auto own =
            mlir::DenseResourceElementsHandle::getManagerInterface(context)
                .insert(handle.getKey());
        tracked.try_emplace(own.getKey(), Written{value, op->getLoc()});
        op->setAttr(named.getName(),
                    mlir::DenseResourceElementsAttr::get(value.getType(), own));
      }
  }

  struct Written {
    mlir::ElementsAttr elements;
    mlir::Location at;
  };
  /// An elided constant of the lowered program as it was written; none for
  /// another constant. Notes that it is needed.
  std::optional<Written> written(mlir::ElementsAttr elements) {
    auto resource = llvm::dyn_cast<mlir::DenseResourceElementsAttr>(elements);
    auto it = resource ? tracked.find(resource.getRawHandle().getKey())
                       : tracked.end();
    if (it == tracked.end())
      return std::nullopt;
    isMissing = true;
    return it->second;
  }

  bool isMissing = false; ///< An elided constant was needed.
  bool hasElided = false; ///< There is one.

private:
  std::optional<RandomElements> seed;
  llvm::StringMap<Written> tracked; ///< by the keys of their resources
  llvm::DenseMap<mlir::Operation *, uint64_t> streams;
  llvm::DenseMap<mlir::Operation *, int64_t> fanIns; ///< before it is lowered
};

} // namespace mercator

#endif // MERCATOR_COMPILER_PROGRAM_FILLING_H
