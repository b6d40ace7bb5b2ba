// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The special registers of PTX that a kernel may read: `%tid.x` and so on.
///
/// Each has a row: its name, and its value for a thread. `%clock` is not among them.

#ifndef MERCATOR_REFERENCE_PTX_SPECIALS_H
#define MERCATOR_REFERENCE_PTX_SPECIALS_H

#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>

namespace mercator::reference::ptx {

struct Thread {
  std::array<uint32_t, 3> grid, block; ///< the launch
  std::array<uint32_t, 3> blockId;
  uint32_t index; ///< in the block, in the order x, y, z
};

struct SpecialRegister {
  llvm::StringLiteral name;
  uint32_t (*value)(const Thread &);
};

inline constexpr SpecialRegister kSpecialRegisters[] = {
    {"%tid.x", [](const Thread &t) { return t.index % t.block[0]; }},
    {"%tid.y",
     [](const Thread &t) { return t.index / t.block[0] % t.block[1]; }},
    {"%tid.z",
     [](const Thread &t) { return t.index / t.block[0] / t.block[1]; }},
    {"%ntid.x", [](const Thread &t) { return t.block[0]; }},
    {"%ntid.y", [](const Thread &t) { return t.block[1]; }},
    {"%ntid.z", [](const Thread &t) { return t.block[2]; }},
    {"%ctaid.x", [](const Thread &t) { return t.blockId[0]; }},
    {"%ctaid.y", [](const Thread &t) { return t.blockId[1]; }},
    {"%ctaid.z", [](const Thread &t) { return t.blockId[2]; }},
    {"%nctaid.x", [](const Thread &t) { return t.grid[0]; }},
    {"%nctaid.y", [](const Thread &t) { return t.grid[1]; }},
    {"%nctaid.z", [](const Thread &t) { return t.grid[2]; }},
    {"%laneid", [](const Thread &t) { return t.index % 32; }},
    {"%warpid", [](const Thread &t) { return t.index / 32; }},
    {"%lanemask_eq",
     [](const Thread &t) { return uint32_t(1) << t.index % 32; }},
    {"%lanemask_lt",
     [](const Thread &t) { return (uint32_t(1) << t.index % 32) - 1; }},
    {"%lanemask_le",
     [](const Thread &t) { return (uint32_t(2) << t.index % 32) - 1; }},
    {"%lanemask_gt",
     [](const Thread &t) { return ~((uint32_t(2) << t.index % 32) - 1); }},
    {"%lanemask_ge",
     [](const Thread &t) { return ~((uint32_t(1) << t.index % 32) - 1); }},
    // A launch without clusters has clusters of one block.
    {"%cluster_ctarank", [](const Thread &) { return uint32_t(0); }},
    {"%cluster_nctarank", [](const Thread &) { return uint32_t(1); }},
};

} // namespace mercator::reference::ptx

#endif // MERCATOR_REFERENCE_PTX_SPECIALS_H
