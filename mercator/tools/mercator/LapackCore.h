// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The kernels of OpenBLAS on a CPU that it does not know.
///
/// OpenBLAS chooses its kernels by the model of the CPU when it is loaded, and those for
/// Prescott, with vectors of 16 bytes, for a model that it does not know. Version 0.3.21
/// does not know Emerald Rapids. A QR of 128x64 takes 0.19 ms with them, and 0.13 ms with
/// those for Haswell.

#ifndef MERCATOR_TOOLS_MERCATOR_LAPACKCORE_H
#define MERCATOR_TOOLS_MERCATOR_LAPACKCORE_H

namespace mercator {

/// Makes OpenBLAS use its kernels for Haswell if it uses those for Prescott, the CPU has
/// AVX2, and OPENBLAS_CORETYPE is not set. Nothing may call LAPACK at the same time.
void chooseLapackCore();

} // namespace mercator

#endif // MERCATOR_TOOLS_MERCATOR_LAPACKCORE_H
