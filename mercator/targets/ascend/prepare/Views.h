// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Values seen over the dimensions of one result, for matching a computation
/// independent of its spelling.
///
///   %m = .. : tensor<4xf32>
///   %1 = stablehlo.broadcast_in_dim %m, dims = [0] .. -> tensor<4x1xf32>
///   %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] .. -> tensor<4x8xf32>
///   %y = stablehlo.subtract %x, %2 : tensor<4x8xf32>
///
///   Views views(%y);                      // over 4x8
///   views.strip(views.whole(%2))          // %m, with the origin [0, -1]
///
/// The element of a view at an index is the element of its value that has
/// index[d] along dimension origin[d]. An origin of -1 means that the value does
/// not vary along d. It is -1 for every dimension of extent 1.
///
/// strip looks through operations that do not change elements: broadcasts,
/// reshapes that add or remove extents of 1, barriers, selections by a known
/// condition, and conversions that are exact. For a result of bf16 or f16 it
/// may also look through conversions of f32 to this type (`mayRound`).

#ifndef MERCATOR_TARGETS_ASCEND_PREPARE_VIEWS_H
#define MERCATOR_TARGETS_ASCEND_PREPARE_VIEWS_H

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/operators/Reductions.h"

#include "mlir/IR/Value.h"

#include <optional>

namespace mercator::ascend {

struct View {
  mlir::Value value;
  llvm::SmallVector<int64_t, 4> origin;

  [[nodiscard]] mlir::Operation *op() const { return value.getDefiningOp(); }
  /// The defining operation, if it is an `Op`.
  template <typename Op> [[nodiscard]] Op as() const {
    return value.getDefiningOp<Op>();
  }
  friend bool operator==(const View &, const View &) = default;
};

/// A sum or a maximum: its input, which has all dimensions, and the reduced
/// dimensions, ascending.
struct Reduced {
  mlir::Value input;
  llvm::SmallVector<int64_t, 4> dims;
};

class Views {
public:
  /// Requires: `result` is a static tensor of floats.
  explicit Views(mlir::Value result, bool mayRound = true)
      : type(llvm::cast<mlir::RankedTensorType>(result.getType())),
        mayRound(mayRound) {}

  [[nodiscard]] mlir::Type element() const { return type.getElementType(); }
  [[nodiscard]] llvm::ArrayRef<int64_t> shape() const {
    return type.getShape();
  }
  [[nodiscard]] int64_t rank() const { return type.getRank(); }
  /// The product of extents.
  [[nodiscard]] int64_t count(llvm::ArrayRef<int64_t> dims) const;

  /// A value of this shape.
  [[nodiscard]] bool isWhole(mlir::Value value) const;
  /// Requires: isWhole(value).
  [[nodiscard]] View whole(mlir::Value value) const;
  [[nodiscard]] View strip(View view) const;
  /// Operand `i` of the elementwise operation that defines a view, stripped.
  [[nodiscard]] View operand(const View &view, unsigned i) const;
  /// The view does not vary along dimensions other than these.
  [[nodiscard]] bool variesOnlyAlong(const View &view,
                                     llvm::ArrayRef<int64_t> dims) const;

  /// Whether two views have the same elements: they are the same value, or the
  /// same operation on such views.
  [[nodiscard]] bool same(const View &a, const View &b, int depth = 6) const;

  /// The number that all elements have, if it is known: a constant, or
  /// arithmetic on constants.
  [[nodiscard]] std::optional<double> number(const View &view) const;
  /// Whether all elements are this number, rounded to the type of the constant.
  [[nodiscard]] bool isNumber(const View &view, double number) const;

  /// By `sum` or `greatest`. The initial value does not change the result. For
  /// `greatest` it may be the lowest finite number: then only a maximum of -inf
  /// is another.
  [[nodiscard]] std::optional<Reduced> reduced(const View &view,
                                               Reduction by) const;
  /// The input of a mean: a sum that is divided by the number of elements.
  [[nodiscard]] std::optional<Reduced> mean(const View &view) const;
  /// The view whose square this is.
  [[nodiscard]] std::optional<View> square(const View &view) const;

  /// The value in the type of the result: the value itself, or the source of an
  /// exact conversion. Null if the value has another type.
  [[nodiscard]] mlir::Value inType(mlir::Value value) const;

private:
  mlir::RankedTensorType type;
  bool mayRound;
};

/// A number that a value consists of, and the number of bits of precision of the
/// constants that it is made of.
struct Known {
  double value;
  unsigned precision;
};
[[nodiscard]] std::optional<Known> knownNumber(mlir::Value value,
                                               int depth = 8);
/// Whether a number is another, rounded to its precision.
[[nodiscard]] bool isRounded(Known known, double number);

/// Whether no finite number of the type is lower.
[[nodiscard]] bool isLowest(double number, mlir::FloatType type);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_PREPARE_VIEWS_H
