// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Builds the body of a library call: operations of StableHLO on tensors of known
/// shapes. Values of other element types and layouts are converted where an
/// operation needs it.
///
///   Body body(builder, location);
///   Value scaled = body.binary<MulOp>(x, body.number(0.5, x));
///   Value wide = body.cast(scaled, builder.getF32Type());
///
/// Internal to this folder.

#ifndef MERCATOR_FRONTENDS_CALLS_BODY_H
#define MERCATOR_FRONTENDS_CALLS_BODY_H

#include "mercator/frontends/calls/Config.h"
#include "mercator/frontends/calls/LibraryCalls.h"

namespace mercator::calls {

/// A tensor type of the same shape and layout.
[[nodiscard]] inline mlir::RankedTensorType typeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}
[[nodiscard]] inline mlir::Type elementOf(mlir::Value value) {
  return typeOf(value).getElementType();
}

class Body {
public:
  Body(mlir::OpBuilder b, mlir::Location loc) : b(b), loc(loc) {}

  mlir::OpBuilder b;
  mlir::Location loc;

  /// The elements in another type.
  mlir::Value cast(mlir::Value value, mlir::Type element);
  /// The same value, of this type: the shape is the same.
  mlir::Value as(mlir::Value value, mlir::RankedTensorType type);
  /// A tensor like `like`, whose elements are all this number.
  mlir::Value number(double number, mlir::Value like);
  mlir::Value number(double number, mlir::RankedTensorType type);
  /// The operand's dimension i is the result's dimension dims[i].
  mlir::Value spread(mlir::Value value, mlir::RankedTensorType to,
                     llvm::ArrayRef<int64_t> dims);
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> sizes);
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> order);
  mlir::Value reverse(mlir::Value value, llvm::ArrayRef<int64_t> dims);
  mlir::Value iota(mlir::RankedTensorType type, int64_t dim);
  mlir::Value compare(mlir::Value a, mlir::Value b,
                      stablehlo::ComparisonDirection direction);
  /// Narrow floats: a number out of their range becomes the nearest one.
  mlir::Value saturate(mlir::Value value, mlir::Type element);
  /// The same for floats that become integers of 8 bits, and nothing else.
  mlir::Value saturateInteger(mlir::Value value, mlir::Type element);
  mlir::Value select(mlir::Value which, mlir::Value a, mlir::Value b);
  template <typename Op> mlir::Value unary(mlir::Value a) {
    return create(Op::getOperationName(), a, typeOf(a));
  }
  template <typename Op> mlir::Value binary(mlir::Value a, mlir::Value b) {
    return create(Op::getOperationName(), {a, as(b, typeOf(a))}, typeOf(a));
  }
  /// The fold of these dimensions by `Op`, which has the identity `identity`.
  template <typename Op>
  mlir::Value reduce(mlir::Value value, llvm::ArrayRef<int64_t> dims,
                     double identity) {
    return reduceBy(Op::getOperationName(), value, dims, identity);
  }

private:
  mlir::Value create(llvm::StringRef name, mlir::ValueRange operands,
                     mlir::Type result);
  mlir::Value reduceBy(llvm::StringRef name, mlir::Value value,
                       llvm::ArrayRef<int64_t> dims, double identity);
};

/// A call that is being read: its operands as arguments of the body, its fields,
/// and the values that the body returns.
struct Reader {
  const Call &call;
  const Config &config;
  Body &body;
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<mlir::RankedTensorType> types; ///< of the results
  llvm::SmallVector<mlir::Value> values = {};      ///< of the first results
  std::string reason = {};

  /// Says why the call is not read.
  bool unknown(const llvm::Twine &why) {
    reason = why.str();
    return false;
  }
};

/// Builds the values of the results before the workspaces. False: unknown.
bool readProduct(Reader &call);
bool readScaledProduct(Reader &call);
bool readConvolution(Reader &call);
bool readInputGradient(Reader &call);
bool readFilterGradient(Reader &call);
bool readFusedConvolution(Reader &call);
bool readConvolutionGraph(Reader &call);
bool readTriangularSolve(Reader &call);
bool readCholesky(Reader &call);
bool readLu(Reader &call);
bool readQr(Reader &call);
bool readQFactor(Reader &call);
bool readEigenvalues(Reader &call);
bool readSingularValues(Reader &call);
bool readTridiagonalSolve(Reader &call);
bool readPermutation(Reader &call);
bool readSort(Reader &call);
bool readTopK(Reader &call);

} // namespace mercator::calls

#endif // MERCATOR_FRONTENDS_CALLS_BODY_H
