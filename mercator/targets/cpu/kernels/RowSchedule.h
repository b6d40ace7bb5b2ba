// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How operations pass over rows (RowLoops.h): a decision, as data.
///
///   softmax of 4096 rows of 1000 numbers
///
///   rows=16 parts=64
///
/// Operations in a group are computed for `rows` rows, then for the next ones. The rows
/// are divided into `parts`. An operation alone is divided only.
///
/// In the text of a program, the operations of a group stand one after another, and
/// each says which of its loops are the rows. The first one says the rest. A fill has no
/// attribute: it is in the group of the next operation that accesses its buffer, if
/// nothing else stands between them.
///
///   %5 = linalg.generic {mercator.rows = "group=0 loop=0 rows=16 parts=64"} ..
///   %6 = linalg.generic {mercator.rows = "group=0 loop=0"} ..
///   %7 = linalg.generic {mercator.rows = "alone loop=1 parts=8"} ..
///
/// Laws. check(choose(p, f, c)) and check(drawn(p)) hold. Schedules that `check` accepts
/// compute the same bits.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_ROWSCHEDULE_H
#define MERCATOR_TARGETS_CPU_KERNELS_ROWSCHEDULE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <random>
#include <string>

namespace mercator::cpu {

/// The attribute of an operation of a group.
inline constexpr llvm::StringLiteral kRows = "mercator.rows";

/// What a schedule is chosen for.
struct RowProblem {
  int64_t extent = 1;    ///< the number of rows
  double operations = 0; ///< of all rows
  int64_t members = 1;   ///< operations that are joined
  struct Buffer {
    int64_t bytes;
    int64_t pieceBytes; ///< of a row that are neighbors in memory
  };
  llvm::SmallVector<Buffer> buffers = {};

  [[nodiscard]] int64_t bytes() const; ///< of all buffers
};

struct RowSchedule {
  int64_t rows = 0;  ///< of a block; 0 for an operation alone
  int64_t parts = 1; ///< that several threads may compute

  /// None if it does not pay to join the operations. A block is as many rows as half of
  /// the first cache holds, and at least one. If the pieces of buffers in such a block are
  /// short, it is as many rows as a quarter of the largest cache of a single core holds.
  [[nodiscard]] static std::optional<RowSchedule>
  choose(const RowProblem &problem, int64_t firstCacheBytes,
         int64_t ownCacheBytes);
  /// Any schedule, for tests.
  [[nodiscard]] static RowSchedule drawn(const RowProblem &problem,
                                         std::mt19937_64 &random);

  /// Why the problem cannot be computed like this; empty if it can.
  [[nodiscard]] std::string check(const RowProblem &problem) const;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] static llvm::Expected<RowSchedule> parse(llvm::StringRef text);

  bool operator==(const RowSchedule &) const = default;
};

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_ROWSCHEDULE_H
