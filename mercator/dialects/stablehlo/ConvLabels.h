// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The spelling `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`, shared by the
/// attribute `#stablehlo.conv` and the operation `stablehlo.convolution`. Entry
/// k of a bracket is the role of dimension k: batch, feature, or spatial number
/// n. `?` is a dimension without a role.

#ifndef MERCATOR_DIALECTS_STABLEHLO_CONVLABELS_H
#define MERCATOR_DIALECTS_STABLEHLO_CONVLABELS_H

#include "mercator/dialects/stablehlo/Stablehlo.h"

namespace mercator::stablehlo {

mlir::ParseResult parseConvLabels(mlir::AsmParser &parser,
                                  ConvDimensionNumbersAttr &labels);
void printConvLabels(mlir::AsmPrinter &printer,
                     ConvDimensionNumbersAttr labels);

} // namespace mercator::stablehlo

#endif // MERCATOR_DIALECTS_STABLEHLO_CONVLABELS_H
