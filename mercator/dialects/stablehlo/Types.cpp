// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of types and attributes.

#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mercator::stablehlo;

/// The quant dialect checks that scales are positive and finite as doubles. The
/// expressed float type may have a smaller range.
static bool scaleFits(double scale, FloatType expressed) {
  APFloat value(scale);
  bool lossy;
  value.convert(expressed.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &lossy);
  return value.isFinite() && !value.isZero() && !value.isNegative();
}

bool mercator::stablehlo::isQuantizedElement(Type element) {
  auto type = dyn_cast<quant::QuantizedType>(element);
  if (!type)
    return false;
  auto storage = dyn_cast<IntegerType>(type.getStorageType());
  auto expressed = dyn_cast<FloatType>(type.getExpressedType());
  if (!storage || storage.isSigned() || !expressed ||
      !llvm::is_contained({2, 4, 8, 16, 32}, storage.getWidth()) ||
      type.getStorageTypeMin() >= type.getStorageTypeMax())
    return false;
  auto zeroFits = [&](int64_t zero) {
    return zero >= type.getStorageTypeMin() && zero <= type.getStorageTypeMax();
  };
  if (auto uniform = dyn_cast<quant::UniformQuantizedType>(type))
    return scaleFits(uniform.getScale(), expressed) &&
           zeroFits(uniform.getZeroPoint());
  auto axis = dyn_cast<quant::UniformQuantizedPerAxisType>(type);
  return axis &&
         llvm::all_of(axis.getScales(),
                      [&](double s) { return scaleFits(s, expressed); }) &&
         llvm::all_of(axis.getZeroPoints(), zeroFits);
}

bool mercator::stablehlo::axisFits(Type tensor) {
  auto type = cast<ShapedType>(tensor);
  auto axis =
      dyn_cast<quant::UniformQuantizedPerAxisType>(type.getElementType());
  if (!axis || !type.hasRank())
    return true;
  int64_t dim = axis.getQuantizedDimension();
  return dim >= 0 && dim < type.getRank() &&
         extentsAgree(type.getDimSize(dim), int64_t(axis.getScales().size()));
}

bool mercator::stablehlo::isStaticOrBounded(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  if (type.hasStaticShape())
    return true;
  auto extensions = dyn_cast_or_null<TypeExtensionsAttr>(type.getEncoding());
  if (!extensions)
    return bool(type.getEncoding());
  return llvm::all_of(llvm::enumerate(extensions.getBounds()), [&](auto bound) {
    return !type.isDynamicDim(bound.index()) ||
           !ShapedType::isDynamic(bound.value());
  });
}

LogicalResult FutureType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<Type> types) {
  for (Type type : types)
    if (!isa<RankedTensorType>(type))
      return emitError() << "expected a future of ranked tensors, got " << type;
  return success();
}

LogicalResult
ReplicaGroupMeshAxesAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 Attribute mesh, ArrayAttr) {
  if (isa<FlatSymbolRefAttr, MeshAttr>(mesh))
    return success();
  return emitError() << "expected a symbol or #stablehlo.mesh<..>, got "
                     << mesh;
}

LogicalResult
ResultAccuracyAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                           APFloat atol, APFloat rtol, int64_t ulps,
                           ResultAccuracyModeAttr mode) {
  if (atol.isNegative() || rtol.isNegative() || ulps < 0 || atol.isNaN() ||
      rtol.isNaN())
    return emitError() << "expected atol, rtol and ulps of at least 0";
  bool anyTolerance = !atol.isZero() || !rtol.isZero() || ulps != 0;
  if (anyTolerance && mode.getValue() != ResultAccuracyMode::TOLERANCE)
    return emitError() << "expected mode TOLERANCE with a tolerance, got "
                       << stringifyResultAccuracyMode(mode.getValue());
  return success();
}
