// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The parts of the text that `mercator explain` prints.

#ifndef MERCATOR_TOOLS_DRIVER_EXPLANATIONTEXT_H
#define MERCATOR_TOOLS_DRIVER_EXPLANATIONTEXT_H

#include "mercator/compiler/explain/Explanation.h"

namespace mercator {

void printGathers(const Explanation &explanation, bool color,
                  llvm::raw_ostream &os);
void printScatters(const Explanation &explanation, bool color,
                   llvm::raw_ostream &os);
/// A table of the dispatches of each function, the totals, and what stands
/// between dispatches, the largest tensors first.
void printDispatches(const Explanation &explanation, bool color,
                     llvm::raw_ostream &os);
/// All about one dispatch. Requires: it exists.
void printDispatch(const Explanation &explanation, size_t number,
                   llvm::raw_ostream &os);
/// How this CPU computes the dispatches.
void printSchedules(const Explanation &explanation, llvm::raw_ostream &os);
/// The kernels that compiled HLO itself has.
void printKernels(const Explanation &explanation, bool color,
                  llvm::raw_ostream &os);

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_EXPLANATIONTEXT_H
