// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What `mercator explain` is asked.

#ifndef MERCATOR_COMPILER_EXPLAIN_EXPLAIN_H
#define MERCATOR_COMPILER_EXPLAIN_EXPLAIN_H

#include "mercator/compiler/explain/Explanation.h"
#include "mercator/compiler/program/Stage.h"

namespace mercator {

struct ExplainOptions {
  Formation formation = {};
  /// Also say how machine code for this CPU computes the dispatches.
  bool cpu = false;
  /// The program is HLO compiled for this GPU: also say what its kernels do and lose.
  std::optional<Device> gpu = {};
  /// Also plan the gathers and scatters for Ascend.
  bool ascend = false;
  /// The generation of Ascend devices that gathers are planned for: `910b`, or
  /// `any` for the operators that all generations have.
  std::string soc = "910b";
  /// A strategy for gathers that is taken wherever it is possible, such as
  /// `gather-nd`; empty: the cheapest.
  std::string way = {};
};

} // namespace mercator

#endif // MERCATOR_COMPILER_EXPLAIN_EXPLAIN_H
