// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Lets MLIR read bytecode with operations, attributes and types of VHLO, and of
/// StableHLO and CHLO as they are.
///
/// An attribute or type of VHLO is read as that of StableHLO or of MLIR with the
/// same meaning: `!vhlo.tensor_v1<4x!vhlo.f32_v1>` becomes `tensor<4xf32>`, and
/// `#vhlo.fft_type_v1<RFFT>` becomes `#stablehlo<fft_type RFFT>`. So there are no
/// classes for them. Operations keep their names (`vhlo.add_v1`) until Convert.h
/// renames them; their attributes are in the attribute dictionary.

#ifndef MERCATOR_FRONTENDS_VHLO_ENCODINGS_H
#define MERCATOR_FRONTENDS_VHLO_ENCODINGS_H

#include "mlir/Bytecode/BytecodeReaderConfig.h"
#include "mlir/IR/MLIRContext.h"

namespace mercator::vhlo {

/// Adds the dialect `vhlo`, and the encodings of StableHLO and CHLO. May be called
/// twice. Requires: the dialects of Mercator are registered with the context.
void loadEncodings(mlir::MLIRContext &context);

/// Reads MLIR's own attributes and types where its reader trusts their parts:
/// counts of members, the bytes of elements, widths of integers. Also stops it where
/// an attribute is a part of itself. `size` is the number of bytes of the file.
void addBuiltinEncodings(mlir::BytecodeReaderConfig &config, size_t size);

} // namespace mercator::vhlo

#endif // MERCATOR_FRONTENDS_VHLO_ENCODINGS_H
