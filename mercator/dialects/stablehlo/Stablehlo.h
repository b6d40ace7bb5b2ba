// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The `stablehlo` dialect, written from the public specification.
///
///   func.func @f(%a: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
///     %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<8xf32>) ->
///     tensor<4x8xf32> %1 = stablehlo.add %a, %0 : tensor<4x8xf32> return %1 :
///     tensor<4x8xf32>
///   }
///
/// Reading: the text that JAX, PyTorch/XLA and IREE print. Writing: the same.
/// Verifiers check what later code relies on (shapes, permutations, ranges) and
/// say "expected X, got Y". What is checked is listed where it is checked, in
/// VerifyData.cpp, VerifyReduction.cpp and VerifyControl.cpp.
///
/// Two tensor types *agree* where one tensor can have both: the element types
/// are equal, or quantised alike but for scales and zero points, or one is
/// quantised and the other the float it stands for; the extents are equal where
/// both are known, and a known one is within the bound of one that is not.
/// Layouts are never compared.

#ifndef MERCATOR_DIALECTS_STABLEHLO_STABLEHLO_H
#define MERCATOR_DIALECTS_STABLEHLO_STABLEHLO_H

#include "mercator/dialects/stablehlo/LenientArray.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mercator::stablehlo {

/// Whether two types agree, as defined above. Tuples agree member by member.
[[nodiscard]] bool typesAgree(mlir::Type a, mlir::Type b);

/// Whether the extents agree: equal, or at least one of them unknown.
[[nodiscard]] bool extentsAgree(int64_t a, int64_t b);
[[nodiscard]] bool shapesAgree(llvm::ArrayRef<int64_t> a,
                               llvm::ArrayRef<int64_t> b);

/// Checks bounds of dynamic dimensions against the shape they encode.
llvm::LogicalResult
verifyBounds(llvm::ArrayRef<int64_t> bounds, llvm::ArrayRef<int64_t> shape,
             llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Whether the type is a quantised element that the specification allows: an
/// integer of 2 to 32 bits that stands for a float, with scales that are finite
/// and above zero in the type of that float.
[[nodiscard]] bool isQuantizedElement(mlir::Type element);
/// Whether a quantisation along a dimension, if there is one, has that
/// dimension and a scale for each of its indices.
[[nodiscard]] bool axisFits(mlir::Type tensor);

/// Whether every extent is known or has a bound. An encoding of another dialect
/// (a layout) may hold bounds; it has the benefit of the doubt.
[[nodiscard]] bool isStaticOrBounded(mlir::Type tensor);

/// The value of a constant whose data the text left out: the attribute
/// `dense_resource<__elided__>` of the type. It has no elements.
[[nodiscard]] mlir::ElementsAttr elidedElements(mlir::RankedTensorType type);
/// Ensures: isElided(elidedElements(t)).
[[nodiscard]] bool isElided(mlir::ElementsAttr value);

namespace detail {
llvm::LogicalResult verifyElementwise(mlir::Operation *op);
llvm::LogicalResult verifySameElementType(mlir::Operation *op);
} // namespace detail

/// Element d of the result depends on element d of each operand, and on nothing
/// else; of a rank-0 operand, on its one element.
template <typename ConcreteType>
class Elementwise : public mlir::OpTrait::TraitBase<ConcreteType, Elementwise> {
public:
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifyElementwise(op);
  }
};

/// All operands and results have one element type.
template <typename ConcreteType>
class SameElementType
    : public mlir::OpTrait::TraitBase<ConcreteType, SameElementType> {
public:
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifySameElementType(op);
  }
};

} // namespace mercator::stablehlo

#include "mercator/dialects/stablehlo/StablehloDialect.h.inc"
#include "mercator/dialects/stablehlo/StablehloEnums.h.inc"
#define GET_TYPEDEF_CLASSES
#include "mercator/dialects/stablehlo/StablehloTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "mercator/dialects/stablehlo/StablehloAttrs.h.inc"
#define GET_OP_CLASSES
#include "mercator/dialects/stablehlo/StablehloOps.h.inc"

#endif // MERCATOR_DIALECTS_STABLEHLO_STABLEHLO_H
