// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a partitioned program computes what the whole one does. The reference
// evaluator is the judge: it runs the whole program once, and the partitioned one
// as so many processes, and every element of every shard is compared.
//
//   Outcome outcome = runSharded(text, {}, /*seed=*/1);
//   ASSERT_EQ(outcome.kind, Outcome::Kind::Equal) << outcome.text;

#ifndef MERCATOR_TESTS_TRANSFORMS_SPMD_SHARDED_H
#define MERCATOR_TESTS_TRANSFORMS_SPMD_SHARDED_H

#include "mercator/transforms/spmd/Partition.h"

#include <string>

namespace mercator::spmd {

struct Outcome {
  enum class Kind {
    Equal,
    Different, ///< or the partitioned program is not valid
    Refused,   ///< by the partitioner
    Invalid    ///< the whole program is refused by the parser or the evaluator
  };
  Kind kind = Kind::Equal;
  std::string text;        ///< the error, or the first difference
  std::string partitioned; ///< the program, if there is one
  PartitionReport report;
};

/// Operations are proved, too (Proof.h). Arguments are random, of the seed: floats
/// are small whole numbers, integers lie in [0, 6].
///
/// With the path of a `mercator`, processes of MPI run the partitioned program, too,
/// twice: they compute the shards of the evaluator, with the same bits in both runs.
[[nodiscard]] Outcome runSharded(llvm::StringRef program,
                                 const Request &request, uint64_t seed,
                                 const std::string &mercator = {});

} // namespace mercator::spmd

#endif // MERCATOR_TESTS_TRANSFORMS_SPMD_SHARDED_H
