// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Whether the code of an operation on all devices reads what the operation reads.
///
///   %0 = add %x, %y                    (d0) -> (d0), domain: d0 in [0, 7]
///
///   on 2 devices, in numbers of the whole tensor
///     device 0                         (d0) -> (d0), domain: d0 in [0, 3]
///     device 1                         (d0) -> (d0), domain: d0 in [4, 7]
///
/// The maps of the code are composed over devices and messages (Expansion.h). They
/// are equal to the map of the operation if
///   1. each is that map in a box of result elements and operand elements, and
///   2. the map reads nothing outside of all these boxes.
/// Here the boxes are [0, 3] to [0, 3] and [4, 7] to [4, 7]. Outside of both is [0, 3]
/// to [4, 7], for example, where d0 -> d0 has no element. Devices that have the same
/// shard are compared apart. What the boxes do not prove is left to CompareReads.h.
///
/// Proved is a statement about elements that are read, as in `diff`: a wrong
/// arithmetic operation changes no map. Rows of a divided table at computed indices
/// are read, and then chosen, by values; such an operation is open.
///
/// Complexity: the code of the operation times devices. Beyond `kMostProofDevices`,
/// every operation is open.

#ifndef MERCATOR_TRANSFORMS_SPMD_PROOF_H
#define MERCATOR_TRANSFORMS_SPMD_PROOF_H

#include "mercator/transforms/spmd/Expansion.h"

#include <string>

namespace mercator::spmd {

inline constexpr int64_t kMostProofDevices = 64;

struct OperationProof {
  enum class Verdict : uint8_t { Equal, Different, Open };
  Verdict verdict = Verdict::Open;
  /// Why it is open; the element that is read on one side only.
  std::string reason = {};
};

/// `equal`, `different` or `open`.
[[nodiscard]] llvm::StringRef nameOf(OperationProof::Verdict verdict);

/// Compares one operation, or, if it is null, the movement of the only operand to
/// the only result. `results` have the shardings of the results.
[[nodiscard]] OperationProof proveOnDevices(mlir::Operation *op,
                                            const Mesh &mesh,
                                            llvm::ArrayRef<Placed> operands,
                                            llvm::ArrayRef<Placed> results);

} // namespace mercator::spmd

#endif // MERCATOR_TRANSFORMS_SPMD_PROOF_H
