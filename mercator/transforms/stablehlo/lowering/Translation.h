// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A program on its way from StableHLO to linalg: which lowered values stand for
/// each value of the old program.
///
/// The old function is read in order and a new one is written beside it, so a
/// rule never sees half-lowered IR. Operations of other dialects (arith, tensor,
/// scf, func, ...) are copied, and the regions in them are translated.
/// Operations that stay what they are, such as collectives and unknown custom
/// calls, are copied too: their operands get their old types back.

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_TRANSLATION_H
#define MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_TRANSLATION_H

#include "mercator/transforms/stablehlo/lowering/Lowering.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mercator::stablehlo {

class Translation {
public:
  /// `symbols` may be shared by the translations of a module's functions.
  Translation(const LoweringRules &rules, mlir::SymbolTableCollection &symbols)
      : rules(rules), symbols(symbols) {}

  /// Replaces the body and the type of a function. Fails after an error.
  llvm::LogicalResult function(mlir::FunctionOpInterface function);

  /// The values that stand for a value of the old program: one for a tensor, any
  /// number for a tuple.
  [[nodiscard]] llvm::ArrayRef<mlir::Value> lookup(mlir::Value old) const;
  /// The one value that stands for a tensor.
  [[nodiscard]] mlir::Value one(mlir::Value old) const;
  /// The values of several, one after the other.
  [[nodiscard]] Values all(mlir::ValueRange old) const;
  /// States what stands for a value.
  void set(mlir::Value old, mlir::ValueRange lowered);
  /// The same for values whose lowered values stand one after the other.
  void setAll(mlir::ValueRange old, mlir::ValueRange lowered);

  /// Creates the lowered form of one operation at `b`. Its operands must be
  /// known.
  llvm::LogicalResult operation(mlir::Operation *op, mlir::OpBuilder &b);
  /// The same for the operations of a block but its terminator; the arguments
  /// must be known. Returns the values of the terminator's operands.
  llvm::FailureOr<Values> block(mlir::Block &block, mlir::OpBuilder &b);
  /// Fills `to`, which is empty, with the lowered blocks of `from`. Terminators
  /// are copied.
  llvm::LogicalResult region(mlir::Region &from, mlir::Region &to);
  /// Fills `to`, which is empty, with one block of the lowered operations of
  /// `from`, whose terminator `end` creates of the lowered results.
  llvm::LogicalResult region(
      mlir::Region &from, mlir::Region &to,
      llvm::function_ref<void(mlir::ImplicitLocOpBuilder &, mlir::ValueRange)>
          end);

  /// A value of an old type, such as a tuple or a tensor of unsigned integers,
  /// made of the lowered values that stand for it.
  mlir::Value raise(mlir::ImplicitLocOpBuilder &b, mlir::Type old,
                    mlir::ValueRange lowered);
  /// The lowered values of a value that has an old type.
  Values lower(mlir::ImplicitLocOpBuilder &b, mlir::Value old);

  /// Copies an operation as it is: operands get their old types.
  llvm::FailureOr<Values> keep(mlir::Operation *op,
                               mlir::ImplicitLocOpBuilder &b);

  /// A private declaration of an external function, at the end of the module of
  /// `user`. If the name is taken by a function of another type, the declaration
  /// has a suffix: `name.1`, `name.2`, ...
  mlir::func::FuncOp declare(mlir::Operation *user, llvm::StringRef name,
                             mlir::FunctionType type);

private:
  llvm::LogicalResult copy(mlir::Operation *op, mlir::OpBuilder &b);

  const LoweringRules &rules;
  mlir::SymbolTableCollection &symbols;
  llvm::DenseMap<mlir::Value, Values> known;
  llvm::DenseMap<mlir::Block *, mlir::Block *> blocks;
};

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_TRANSLATION_H
