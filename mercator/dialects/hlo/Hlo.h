// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The `hlo` dialect: the parts of HLO that StableHLO lacks.
///
///   hlo.fusion     a computation compiled to one kernel; its body is a region
///   hlo.bitcast    the same bytes in another shape and layout
///   hlo.copy       the same value in another layout
///   hlo.element    get-tuple-element of an operation with several results
///   hlo.opaque     any other HLO instruction, named by its opcode
///   #hlo.layout    the memory layout of a tensor: the encoding of its type
///
/// Layouts. A tensor type without an encoding is row-major (minor to major n-1,
/// .., 1, 0). The importer never writes this layout out, so two types with the
/// same meaning are the same type.
///
///   HLO               here
///   f32[4,8]{1,0}     tensor<4x8xf32>
///   f32[4,8]{0,1}     tensor<4x8xf32, #hlo.layout<[0, 1]>>
///   f32[<=4,8]{1,0}   tensor<?x8xf32, #stablehlo.bounds<4, ?>>

#ifndef MERCATOR_DIALECTS_HLO_HLO_H
#define MERCATOR_DIALECTS_HLO_HLO_H

#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mercator/dialects/hlo/HloDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "mercator/dialects/hlo/HloTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "mercator/dialects/hlo/HloAttrs.h.inc"
#define GET_OP_CLASSES
#include "mercator/dialects/hlo/HloOps.h.inc"

namespace mercator::hlo {

/// The discardable unit attribute on the function of the entry computation.
inline constexpr llvm::StringLiteral kEntryAttr = "hlo.entry";
/// The discardable string attribute on an operation whose region is the body of
/// a named computation (`to_apply`, `select`, ..). It holds the computation's
/// name.
inline constexpr llvm::StringLiteral kToApplyAttr = "hlo.to_apply";

/// The discardable string attribute of a custom call with a target that is known
/// (frontends/calls/LibraryCalls.h): why its meaning is not.
inline constexpr llvm::StringLiteral kUnreadAttr = "hlo.unread";
/// The `kind` of a fusion that is a call of a library.
inline constexpr llvm::StringLiteral kLibraryKind = "library";

/// The dimensions of `type` from the fastest to the slowest in memory. Ensures:
/// a permutation of 0 .. rank-1; descending if there is no layout.
[[nodiscard]] llvm::SmallVector<int64_t>
minorToMajor(mlir::RankedTensorType type);

/// The largest extents of `type`: the extent if it is static, else its bound,
/// else mlir::ShapedType::kDynamic.
[[nodiscard]] llvm::SmallVector<int64_t>
boundedShape(mlir::RankedTensorType type);

} // namespace mercator::hlo

#endif // MERCATOR_DIALECTS_HLO_HLO_H
