// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What the handles of the C interface hold. Internal.

#ifndef MERCATOR_C_HANDLES_H
#define MERCATOR_C_HANDLES_H

#include "mercator/c/mercator.h"
#include "mercator/support/Diagnostic.h"
#include "mercator/support/ExitCode.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <string>
#include <utility>

// NOLINTNEXTLINE(readability-identifier-naming): a name of C
struct mercator_text {
  std::string bytes;
};

namespace mercator {

/// Null for an empty text.
inline mercator_text *makeText(std::string bytes) {
  return bytes.empty() ? nullptr : new mercator_text{std::move(bytes)};
}

inline mercator_status statusOf(ExitCode code) {
  return static_cast<mercator_status>(code);
}

/// Diagnostics of one call or of one handle, as lines of JSON.
class Messages {
public:
  Messages() : os(text) { restart(); }

  /// The same object in the life of the messages, also after `take`.
  DiagnosticEngine &diagnostics() { return *engine; }
  /// What has been said since the last call.
  std::string take() {
    restart();
    return std::exchange(text, {});
  }

private:
  /// An engine drops errors after the first twenty; each question has its own twenty.
  void restart() {
    engine.emplace(os);
    engine->useJson();
  }

  std::string text;
  llvm::raw_string_ostream os;
  std::optional<DiagnosticEngine> engine;
};

/// Gives the messages to the caller, if it wants them.
inline void give(std::string messages, mercator_text **to) {
  if (to)
    *to = makeText(std::move(messages));
}

/// An error that is about no text.
inline mercator_status refuse(mercator_text **messages, const char *message) {
  Messages said;
  (void)said.diagnostics().error({}, message);
  give(said.take(), messages);
  return MERCATOR_WRONG_USAGE;
}

} // namespace mercator

#endif // MERCATOR_C_HANDLES_H
