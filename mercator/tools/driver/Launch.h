// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// One command on several processes of MPI.
///
///   mercator run f.mlir --processes=4        becomes
///   mpirun -n 4 mercator run f.mlir --processes=4
///
/// which anybody may write as well, with the options of `mpirun`.

#ifndef MERCATOR_TOOLS_DRIVER_LAUNCH_H
#define MERCATOR_TOOLS_DRIVER_LAUNCH_H

#include "mercator/support/Diagnostic.h"
#include "mercator/support/ExitCode.h"

#include <string>

namespace mercator {

/// Replaces this process by `mpirun` with the words of its command line. Open MPI may
/// start more processes than there are processors, and as root. Returns after an
/// error.
[[nodiscard]] ExitCode launchProcesses(int64_t count,
                                       DiagnosticEngine &diagnostics);

/// Keeps what this process writes to standard error, until `release` or `drop`: all
/// processes would say the same before a program runs.
class KeptErrors {
public:
  explicit KeptErrors(bool keeps);
  KeptErrors(const KeptErrors &) = delete;
  KeptErrors &operator=(const KeptErrors &) = delete;
  ~KeptErrors() { (void)release(); }
  /// What was kept. From now on, nothing is.
  std::string release();

private:
  int file = -1, errors = -1;
};

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_LAUNCH_H
