// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What the simplifier makes of two maps of a program, one after the other.
///
///   %1 reads %0 by (d0) -> (d0 / 4, d0 mod 4), %0 reads %x by
///   (d0, d1) -> (d0 * 4 + d1):  d0 / 4 * 4 + d0 mod 4 => d0, by two rules
///
/// Internal.

#ifndef MERCATOR_COMPILER_EXPLORE_SIMPLIFICATIONS_H
#define MERCATOR_COMPILER_EXPLORE_SIMPLIFICATIONS_H

#include "mercator/compiler/explore/Explore.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace mercator {

class ComposedPairs {
public:
  /// A map of the instruction whose maps are being added, which reads `producer`.
  void add(unsigned producer, const indexing::OperandMap &m);
  /// The maps of instruction `number` are complete.
  void finish(unsigned number, const Exploration::Instruction &instruction);
  /// The simplifications that used a rule, as `mercator.simplify/1`, each once.
  [[nodiscard]] std::vector<std::string> take();

private:
  static constexpr size_t kMostTried = 512, kMostKept = 48;

  void tryPair(const std::string &reader, const std::string &read);

  /// The first map of each instruction, as text.
  llvm::DenseMap<unsigned, std::string> ofInstruction;
  std::string first;
  llvm::StringSet<> tried;
  std::vector<std::string> found;
};

} // namespace mercator

#endif // MERCATOR_COMPILER_EXPLORE_SIMPLIFICATIONS_H
