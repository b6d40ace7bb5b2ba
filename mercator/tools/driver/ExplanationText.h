// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The two parts of the text that `mercator explain` prints.

#ifndef MERCATOR_TOOLS_DRIVER_EXPLANATIONTEXT_H
#define MERCATOR_TOOLS_DRIVER_EXPLANATIONTEXT_H

#include "mercator/compiler/Explanation.h"

namespace mercator {

void printGathers(const Explanation &explanation, bool color,
                  llvm::raw_ostream &os);
void printDispatches(const Explanation &explanation, llvm::raw_ostream &os);

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_EXPLANATIONTEXT_H
