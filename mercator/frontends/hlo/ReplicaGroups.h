// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The groups of a collective in the notations of HLO text:
//
//   {{0,1},{2,3}}                       the groups one after the other
//   [2,4]<=[8]                          0, 1, .. in two groups of four
//   [4,2]<=[2,4]T(1,0)                  the same numbers, transposed first
//   mesh['x'=2,'y'=4] {'y'}             devices that differ only along 'y'
//   mesh['x'=2,'y'=4] {'y':(2)2}        .. along a part of 'y': of (2, 2, 1),
//                                       the middle
//   mesh['x'=2,'y'=2], device_ids=([2,2]T(1,0)) {'x'}
//   mesh['x'=2,'y'=2], device_ids=(0,2,1,3) {'x'}
//                                       devices in another order in the mesh
//
// In a group along several axes, the last axis varies fastest. Groups are
// ordered by the position of their first member in the mesh.
//
// ```cpp
// std::optional<ReplicaGroups> groups = readReplicaGroups("[2,4]<=[8]");
// assert(groups && groups->rows == 2 && groups->columns == 4);
// assert(groups->ids[4] == 4);
// ```

#ifndef MERCATOR_FRONTENDS_HLO_REPLICAGROUPS_H
#define MERCATOR_FRONTENDS_HLO_REPLICAGROUPS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mercator::hlo {

/// Larger groups are left as text.
inline constexpr int64_t kMaxGroupEntries = 1 << 20;

/// A matrix with one group in each row. Short rows are padded with -1.
struct ReplicaGroups {
  int64_t rows = 0, columns = 0;
  std::vector<int64_t> ids; // row by row
};

/// None for a text in another notation.
[[nodiscard]] std::optional<ReplicaGroups>
readReplicaGroups(llvm::StringRef text);

} // namespace mercator::hlo

#endif // MERCATOR_FRONTENDS_HLO_REPLICAGROUPS_H
