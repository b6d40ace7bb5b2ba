// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What belongs to one run of a program, not to the process.
///
/// ```cpp (mercator_program *program, mercator_context *context)
/// #include "mercator/runtime/Abi.h"
/// #include "mercator/runtime/Trace.h"
/// Trace trace;
/// {
///   Run run({.threads = 2, .trace = &trace});
///   program(context, nullptr, nullptr); // no tensors
/// }
/// std::string json = printTrace(trace.getEvents(), {{"%dot", 4096, 131072}});
/// ```
///
/// A program runs with the arguments of the innermost Run of the thread that calls it.
/// Runs in other threads have their own. Results do not depend on them.

#ifndef MERCATOR_RUNTIME_RUN_H
#define MERCATOR_RUNTIME_RUN_H

#include <cstdint>

namespace mercator {

class Trace;

struct RunArguments {
  /// How many threads run a kernel, at most 1024; 0: as many as mercator_set_threads
  /// says (Abi.h).
  int64_t threads = 0;
  /// Records the dispatches of a program that is compiled for it (Trace.h). Null: no.
  Trace *trace = nullptr;
};

/// Programs that this thread calls have the arguments, as long as it exists.
class Run {
public:
  explicit Run(const RunArguments &arguments);
  ~Run();
  Run(const Run &) = delete;
  Run &operator=(const Run &) = delete;

  /// Of the innermost run of this thread; without one, those of the process.
  [[nodiscard]] static const RunArguments &current();

private:
  RunArguments before;
};

} // namespace mercator

#endif // MERCATOR_RUNTIME_RUN_H
