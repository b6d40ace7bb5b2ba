// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What must be sent so that each device has the elements that it needs.
///
///   tensor<16xf32>, [{"x"}] on 4 devices      device i has [4i : 4i + 4]
///   device i needs [4i - 1 : 4i + 5]          a window of three elements
///
///   receives   [4i - 1] from device i - 1, [4i + 4] from device i + 1
///   outside    elements -1 and 16 do not exist: the reader fills them
///
/// The law. A device receives the elements that it needs minus the elements
/// that it has. Both are boxes, so the difference is a set of boxes, one for
/// each shard that the needed box meets. `least` counts its elements.
///
/// A plan is data, in one of two forms:
///
///   steps    collectives that change one sharding into another: slice (nothing
///            is sent), all_to_all, all_gather. Taken if they send no more than
///            `least`.
///   rounds   messages of exactly these boxes. The messages of one round have
///            one shape, and no device sends or receives two of them, so a
///            round is one collective_permute. Always possible.
///
/// A device that does not hold an element receives it from the holder that has
/// the same coordinates along all axes that do not divide the tensor.
///
/// Complexity: devices times the shards that a needed box meets.

#ifndef MERCATOR_TRANSFORMS_SPMD_MOVEMENT_H
#define MERCATOR_TRANSFORMS_SPMD_MOVEMENT_H

#include "mercator/transforms/spmd/Mesh.h"

#include <optional>

namespace mercator::spmd {

/// A box of the whole tensor for each device. All have one size; elements that
/// lie outside the tensor are not needed.
struct Need {
  llvm::SmallVector<int64_t, 4> sizes;
  std::vector<llvm::SmallVector<int64_t, 4>> starts; ///< by device
  /// Elements from here on are not needed: they belong to no element of the result.
  /// Empty: the ends of the boxes.
  std::vector<llvm::SmallVector<int64_t, 4>> ends = {};
  /// Whether elements outside the tensor must have the reader's fill.
  bool isFilled = false;
  /// The sharding whose shards the boxes are, if they are shards.
  std::optional<Sharding> sharding = {};

  /// The shards of a sharding.
  [[nodiscard]] static Need shards(const Mesh &mesh, const Sharding &sharding,
                                   llvm::ArrayRef<int64_t> shape);
};

struct Movement {
  struct Step {
    enum class Kind : uint8_t { Slice, AllToAll, AllGather };
    Kind kind;
    unsigned dim; ///< that is sliced, that loses its axes
    unsigned to;  ///< all_to_all: the dimension that gains the axes
    Axes axes;
  };
  /// Offsets within the shard of the source and the box of the target.
  struct Message {
    int64_t source, target;
    llvm::SmallVector<int64_t, 4> from, to;
  };
  struct Round {
    llvm::SmallVector<int64_t, 4> sizes;
    bool isLocal; ///< source and target are one device
    std::vector<Message> messages;
  };
  bool isNothing = true; ///< every device has its box as it is
  std::vector<Step> steps;
  std::vector<Round> rounds; ///< used if there are no steps

  /// Elements that a device receives: the largest number, and of all devices.
  int64_t received = 0, receivedByAll = 0;
  std::vector<int64_t> receivedBy; ///< each device; empty: nothing is sent
  /// The lower bound of the same: needed minus owned.
  int64_t least = 0, leastOfAll = 0;

  /// `all-gather "model" along 1`, `3 messages a device at most`.
  [[nodiscard]] std::string text(const Mesh &mesh) const;
};

/// How much is received, without the messages: a candidate among plans.
/// Requires: shapes and shardings of one rank.
[[nodiscard]] Movement measureMovement(const Mesh &mesh, const Sharding &from,
                                       llvm::ArrayRef<int64_t> shape,
                                       const Need &need);

/// Requires: shapes and shardings of one rank.
[[nodiscard]] Movement planMovement(const Mesh &mesh, const Sharding &from,
                                    llvm::ArrayRef<int64_t> shape,
                                    const Need &need);

/// Why a plan does not give each device what it needs; empty if it does. Checks
/// the messages only: steps are proved by their rule.
[[nodiscard]] std::string checkMovement(const Mesh &mesh, const Sharding &from,
                                        llvm::ArrayRef<int64_t> shape,
                                        const Need &need,
                                        const Movement &movement);

} // namespace mercator::spmd

#endif // MERCATOR_TRANSFORMS_SPMD_MOVEMENT_H
