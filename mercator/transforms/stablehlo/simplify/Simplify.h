// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Simplification of StableHLO: a table of equations, each of which holds bit
/// for bit, for NaN, infinities and -0.0 too (a NaN may change its payload).
///
///   {AddOp,       "x + 0 = x",             ...}    SimplifyArithmetic.cpp
///   {TransposeOp, "a transpose of a transpose", ...}  SimplifyMovement.cpp
///
/// Every row makes a program smaller or moves a broadcast toward its users, so
/// the table has a normal form. An operation is visited again only when one of
/// its operands changes: the time is linear in the size of the program.
///
/// A new row is one line in a table, and a function in
/// tests/transforms/stablehlo/simplify.mlir, which is run before and after.

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_SIMPLIFY_SIMPLIFY_H
#define MERCATOR_TRANSFORMS_STABLEHLO_SIMPLIFY_SIMPLIFY_H

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/transforms/stablehlo/Passes.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseMap.h"

namespace mercator::stablehlo {

/// What stands for the result of an operation, or null. It may create
/// operations at `b`, before the operation. A value of another type is not
/// taken.
using Equation = mlir::Value (*)(mlir::Operation *op,
                                 mlir::ImplicitLocOpBuilder &b);

/// The equations by the class of the operation on their left side.
class Equations {
public:
  template <typename Op,
            mlir::Value (*equation)(Op, mlir::ImplicitLocOpBuilder &)>
  void add() {
    rules[mlir::TypeID::get<Op>()].push_back(
        [](mlir::Operation *op, mlir::ImplicitLocOpBuilder &b) {
          return equation(llvm::cast<Op>(op), b);
        });
  }
  /// For several classes.
  template <typename... Ops> void addTo(Equation equation) {
    (rules[mlir::TypeID::get<Ops>()].push_back(equation), ...);
  }
  /// For each elementwise operation.
  void addElementwise(Equation equation) { elementwise.push_back(equation); }

  [[nodiscard]] llvm::ArrayRef<Equation> find(mlir::Operation *op) const;
  [[nodiscard]] llvm::ArrayRef<Equation> ofElementwise() const {
    return elementwise;
  }

private:
  llvm::DenseMap<mlir::TypeID, llvm::SmallVector<Equation, 4>> rules;
  llvm::SmallVector<Equation, 2> elementwise;
};

void addArithmeticEquations(Equations &equations);
void addMovementEquations(Equations &equations);
void addSliceEquations(Equations &equations);
void addBroadcastEquations(Equations &equations);
void addSumEquations(Equations &equations);

//===--- What the equations ask -------------------------------------------===//

/// The element that all elements of a constant are; null if it is none. Looks
/// through operations that only move elements.
[[nodiscard]] mlir::Attribute splatOf(mlir::Value value);
/// Whether all elements are this number, with its sign.
[[nodiscard]] bool isSplat(mlir::Value value, double number);
/// A constant of the type, a splat.
mlir::Value splat(mlir::ImplicitLocOpBuilder &b, mlir::Type type,
                  mlir::Attribute element);

/// Whether numbers are only compared, after sums at most, as those of a mask are. Where
/// they follow from an index, a product sees what the mask excludes.
[[nodiscard]] bool isOfMask(mlir::Operation *numbers, unsigned depth = 8);

/// Whether it is a tensor of integers, booleans or floats that is not
/// quantized.
[[nodiscard]] bool isPlain(mlir::Type tensor);
[[nodiscard]] bool isFloat(mlir::Type tensor);
[[nodiscard]] bool isInteger(mlir::Type tensor);
[[nodiscard]] bool isStatic(mlir::Type tensor);
[[nodiscard]] mlir::RankedTensorType tensorOf(mlir::Value value);
/// The type with another shape, without an encoding.
[[nodiscard]] mlir::RankedTensorType withShape(mlir::Type tensor,
                                               llvm::ArrayRef<int64_t> shape);

/// Applies the equations to the operations under `root` until nothing changes.
/// `fold` may be null.
void simplify(mlir::Operation *root, const FoldFn &fold);

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_SIMPLIFY_SIMPLIFY_H
