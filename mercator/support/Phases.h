// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The parts of a long piece of work, and how long each took.
///
/// ```cpp
/// Phases phases;
/// phases.begin("parse");
/// phases.begin("lower"); // ends `parse`
/// phases.begin("parse"); // adds to the first one
/// phases.end();
/// assert(phases.all().size() == 2);
/// ```

#ifndef MERCATOR_SUPPORT_PHASES_H
#define MERCATOR_SUPPORT_PHASES_H

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace mercator {

class Phases {
public:
  struct Phase {
    std::string name;
    double seconds = 0;
  };

  /// Is called when a phase begins.
  std::function<void(const char *)> onBegin = {};

  void begin(const char *name) {
    end();
    if (onBegin)
      onBegin(name);
    current = name;
    since = Clock::now();
  }
  void end() {
    if (!current)
      return;
    add(current, std::chrono::duration<double>(Clock::now() - since).count());
    current = nullptr;
  }
  void add(const std::string &name, double seconds) {
    for (Phase &phase : phases)
      if (phase.name == name) {
        phase.seconds += seconds;
        return;
      }
    phases.push_back({name, seconds});
  }
  /// In the order in which they began for the first time.
  [[nodiscard]] const std::vector<Phase> &all() const { return phases; }
  [[nodiscard]] double total() const {
    double sum = 0;
    for (const Phase &phase : phases)
      sum += phase.seconds;
    return sum;
  }

private:
  using Clock = std::chrono::steady_clock;
  std::vector<Phase> phases;
  const char *current = nullptr; ///< a literal
  Clock::time_point since;
};

} // namespace mercator

#endif // MERCATOR_SUPPORT_PHASES_H
