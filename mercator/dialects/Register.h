// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// All dialects of a Mercator program: Mercator's own, and the MLIR dialects
/// that are mixed with them or that they are lowered to.

#ifndef MERCATOR_DIALECTS_REGISTER_H
#define MERCATOR_DIALECTS_REGISTER_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mercator {

/// Registers stablehlo, hlo, chlo, check, interpreter, sdy, util, flow, hal and
/// ascend; MLIR's func, arith, math, tensor, linalg, scf, cf, affine and quant;
/// and the indexing maps of their operations (MapInterface.h). Loading is lazy:
/// a registered dialect costs nothing until it is used.
void registerAllMercatorDialects(mlir::DialectRegistry &registry);

} // namespace mercator

#endif // MERCATOR_DIALECTS_REGISTER_H
