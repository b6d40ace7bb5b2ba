// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Converts convolutions and reductions of windows to the operators that GE has
/// for them:
///
///   convolution                      Conv2D of NCHW, Conv3D of NCDHW
///   reduce_window by a maximum       MaxPoolV3, of two dimensions
///   .. by a sum, divided by the
///      number of elements            AvgPoolV2, of two dimensions
///   .. by a sum of all elements up
///      to each one                   Cumsum
///
///   %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[..
///
/// becomes a transpose of %x to NCHW and of %k to OIHW, `ascend.Conv2D`, and
/// a transpose back. The operations around an operator are those of StableHLO,
/// with a rule of their own.
///
/// A convolution or window stays if GE's operator cannot express it: elements
/// that the operator or the cores of the device do not support, and windows,
/// strides, dilations or extents beyond the documented limits. SpellWindows.h
/// writes it with simpler operations.
///
/// Sources: CANN's operator prototypes (the limits, at the constants in
/// ConvertWindows.cpp) and the StableHLO specification.

#ifndef MERCATOR_TARGETS_ASCEND_RULES_CONVERTWINDOWS_H
#define MERCATOR_TARGETS_ASCEND_RULES_CONVERTWINDOWS_H

#include "mercator/analysis/device/Device.h"

#include "mlir/IR/BuiltinOps.h"

namespace mercator::ascend {

/// Batch groups become feature groups also where the convolution stays. Linear
/// in the number of operations.
void convertWindows(mlir::ModuleOp module, const Device &device);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_RULES_CONVERTWINDOWS_H
