// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/hlo/ReplicaGroups.h"

#include <gtest/gtest.h>

using namespace mercator::hlo;

/// The groups as `{{0,1},{2,-1}}`, or "none".
static std::string groupsOf(llvm::StringRef text) {
  std::optional<ReplicaGroups> groups = readReplicaGroups(text);
  if (!groups)
    return "none";
  std::string out = "{";
  for (int64_t row = 0; row < groups->rows; ++row) {
    out += row ? ",{" : "{";
    for (int64_t column = 0; column < groups->columns; ++column)
      out += (column ? "," : "") +
             std::to_string(groups->ids[row * groups->columns + column]);
    out += "}";
  }
  return out + "}";
}

TEST(ReplicaGroups, Lists) {
  EXPECT_EQ(groupsOf("{}"), "{}");
  EXPECT_EQ(groupsOf("{{0,1},{2}}"), "{{0,1},{2,-1}}");
}

TEST(ReplicaGroups, Iotas) {
  EXPECT_EQ(groupsOf("[2,4]<=[8]"), "{{0,1,2,3},{4,5,6,7}}");
  EXPECT_EQ(groupsOf("[2,4]<=[4,2]T(1,0)"), "{{0,2,4,6},{1,3,5,7}}");
}

// The mesh 'x' = 2, 'y' = 2, 'z' = 2 has device 4x + 2y + z at (x, y, z).
TEST(ReplicaGroups, AxesOfAMesh) {
  EXPECT_EQ(groupsOf("mesh['x'=4,'y'=1] {'x'}"), "{{0,1,2,3}}");
  EXPECT_EQ(groupsOf("mesh['x'=2,'y'=2,'z'=2] {'x'}"),
            "{{0,4},{1,5},{2,6},{3,7}}");
  EXPECT_EQ(groupsOf("mesh['x'=2,'y'=2,'z'=2] {'x','z'}"),
            "{{0,1,4,5},{2,3,6,7}}");
  EXPECT_EQ(groupsOf("mesh['x'=2,'y'=2,'z'=2] {'z','x'}"),
            "{{0,4,1,5},{2,6,3,7}}");
}

// 'y' = 8 as (2, 2, 2): its middle part steps by 2.
TEST(ReplicaGroups, PartsOfAnAxis) {
  EXPECT_EQ(groupsOf("mesh['y'=8] {'y':(2)2}"), "{{0,2},{1,3},{4,6},{5,7}}");
  EXPECT_EQ(groupsOf("mesh['y'=8] {'y':(1)2}"), "{{0,4},{1,5},{2,6},{3,7}}");
  EXPECT_EQ(groupsOf("mesh['y'=8] {'y':(4)2,'y':(1)2}"),
            "{{0,4,1,5},{2,6,3,7}}");
}

TEST(ReplicaGroups, MeshesOfDevicesInAnotherOrder) {
  EXPECT_EQ(groupsOf("mesh['x'=2,'y'=2], device_ids=([2,2]T(1,0)) {'x'}"),
            "{{0,1},{2,3}}");
  EXPECT_EQ(groupsOf("mesh['x'=2,'y'=2], device_ids=(0,3,1,2) {'y'}"),
            "{{0,3},{1,2}}");
}

TEST(ReplicaGroups, OtherTextsAreRefused) {
  for (llvm::StringRef text :
       {"", "{", "{{0}", "[2,2]", "[2,2]<=[5]", "[4]<=[4]", "mesh", "mesh[]",
        "mesh['x'=2]", "mesh['x'=2] {}", "mesh['x'=2] {'y'}",
        "mesh['x'=0] {'x'}", "mesh['x'=2] {'x','x'}", "mesh['x'=8] {'x':(3)2}",
        "mesh['x'=8] {'x':(1)4,'x':(2)4}", "mesh['x'=2] {'x'} z",
        "mesh['x'=2], device_ids=(0,0) {'x'}",
        "mesh['x'=2], device_ids=(0,1,2) {'x'}",
        "mesh['x'=9223372036854775807,'y'=9223372036854775807] {'x'}"})
    EXPECT_EQ(groupsOf(text), "none") << text.str();
}
