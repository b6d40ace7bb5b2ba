// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What `--timing` prints.

#ifndef MERCATOR_TOOLS_DRIVER_PHASETEXT_H
#define MERCATOR_TOOLS_DRIVER_PHASETEXT_H

#include "mercator/support/Phases.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace mercator {

inline void writePhases(const Phases &phases, llvm::raw_ostream &os) {
  for (const Phases::Phase &phase : phases.all())
    os << llvm::format("%10.3f s  ", phase.seconds) << phase.name << '\n';
  os << llvm::format("%10.3f s  ", phases.total()) << "in all\n";
}

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_PHASETEXT_H
