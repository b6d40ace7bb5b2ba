// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The `stablehlo` dialect, written from the public specification.
///
///   func.func @f(%a: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
///     %0 = stablehlo.broadcast_in_dim %b, dims = [1]
///         : (tensor<8xf32>) -> tensor<4x8xf32>
///     %1 = stablehlo.add %a, %0 : tensor<4x8xf32>
///     return %1 : tensor<4x8xf32>
///   }
///
/// Reads and prints the text that JAX, PyTorch/XLA and IREE print. Verifiers
/// check the properties that later code relies on (shapes, permutations,
/// ranges) and report "expected X, got Y". The files Verify*.cpp list the
/// constraints next to their checks.
///
/// Two tensor types *agree* if one tensor can have both types. The element
/// types are equal, or quantized types that differ only in scales and zero
/// points, or a quantized type and the float type it expresses. Known extents
/// are equal, and a known extent is within the bound of an unknown one. Layouts
/// are never compared.

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

/// Whether the extents agree: they are equal, or at least one is unknown.
[[nodiscard]] bool extentsAgree(int64_t a, int64_t b);
[[nodiscard]] bool shapesAgree(llvm::ArrayRef<int64_t> a,
                               llvm::ArrayRef<int64_t> b);

/// Checks bounds of dynamic dimensions against the shape they encode.
llvm::LogicalResult
verifyBounds(llvm::ArrayRef<int64_t> bounds, llvm::ArrayRef<int64_t> shape,
             llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Whether the type is a quantized element type that the specification allows:
/// an integer of 2 to 32 bits that expresses a float, with scales that are
/// finite and positive in the type of that float.
[[nodiscard]] bool isQuantizedElement(mlir::Type element);
/// Whether a per-axis quantization, if there is one, names a dimension of the
/// tensor and has a scale for each of its indices.
[[nodiscard]] bool axisFits(mlir::Type tensor);

/// Whether every extent is known or bounded. The encoding of another dialect (a
/// layout) may hold bounds; such a type is accepted.
[[nodiscard]] bool isStaticOrBounded(mlir::Type tensor);

/// The value of a constant whose data is omitted from the text: the attribute
/// `dense_resource<__elided__>` of the type. It has no elements.
[[nodiscard]] mlir::ElementsAttr elidedElements(mlir::RankedTensorType type);
/// Ensures: isElided(elidedElements(t)).
[[nodiscard]] bool isElided(mlir::ElementsAttr value);

namespace detail {
llvm::LogicalResult verifyElementwise(mlir::Operation *op);
llvm::LogicalResult verifySameElementType(mlir::Operation *op);
} // namespace detail

/// Element d of the result depends only on element d of each operand; of a
/// rank-0 operand, on its single element.
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
