// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The kernels of compiled HLO, as `mercator explain` and `mercator access` print them.

#ifndef MERCATOR_TOOLS_DRIVER_KERNELSTEXT_H
#define MERCATOR_TOOLS_DRIVER_KERNELSTEXT_H

#include "mercator/compiler/explain/Losses.h"
#include "mercator/compiler/maps/Kernels.h"
#include "mercator/tools/driver/Command.h"

namespace mercator {

/// A table of all kernels in the order of execution: emitter, launch, bytes against
/// the least, predicted time and its cause, line of Python.
void printKernelTable(llvm::ArrayRef<KernelRecord> kernels,
                      const Device &device, bool color, llvm::raw_ostream &os);
/// What the kernels lose, the most first.
void printLosses(const Explanation &explanation, bool color,
                 llvm::raw_ostream &os);
/// What a profile has measured, beside the prediction.
void printMeasured(const Explanation &explanation, bool color,
                   llvm::raw_ostream &os);
/// How the kernels differ from those of another compilation, the largest difference of
/// time first. `other` is the name of its file.
void printAgainst(const Explanation &explanation, llvm::StringRef other,
                  const Device &device, bool color, llvm::raw_ostream &os);

/// "4.8 us", "1.2 ms".
[[nodiscard]] std::string timeText(double microseconds);
/// "800 blocks of 128", or why that is not known.
[[nodiscard]] std::string launchText(const kernels::Kernel &kernel);

/// One kernel: its launch, and each load and store of its text.
void printKernel(const KernelRecord &kernel, bool color, llvm::raw_ostream &os);

/// `--kernel=loop:unroll=1,block=256`; false after an error.
[[nodiscard]] bool readKernelChoice(Invocation &invocation,
                                    kernels::ByHand &choice);

/// Whether the program is HLO compiled for a GPU; then the device is h100 if no option
/// says otherwise.
[[nodiscard]] bool hasGpuKernels(Invocation &invocation,
                                 Compilation &compilation, Device &device);

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_KERNELSTEXT_H
