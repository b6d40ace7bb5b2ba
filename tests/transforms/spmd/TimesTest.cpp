// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Predicted times, computed by hand beside.

#include "mercator/transforms/spmd/Times.h"

#include "gtest/gtest.h"

using namespace mercator;
using namespace mercator::spmd;

namespace {

/// 1 GB/s is 1000 bytes a microsecond.
Cluster pairs() {
  Cluster cluster;
  cluster.links = {{.name = "near",
                    .devices = 2,
                    .gigabytesPerSecond = 10,
                    .microseconds = 1},
                   {.name = "far", .gigabytesPerSecond = 1, .microseconds = 3}};
  return cluster;
}

Mesh meshOf(llvm::ArrayRef<int64_t> sizes) {
  Mesh mesh;
  for (int64_t size : sizes)
    mesh.axes.push_back({.name = "a", .size = size});
  mesh.finish();
  return mesh;
}

double timeOf(const Mesh &mesh, const Sharding &from, const Sharding &to,
              llvm::ArrayRef<int64_t> shape) {
  Cluster cluster = pairs();
  int64_t elements = 1;
  for (int64_t size : from.shardOf(mesh, shape))
    elements *= size;
  return SendTimes(cluster, mesh)
      .of(planMovement(mesh, from, shape, Need::shards(mesh, to, shape)),
          elements, 4);
}

Sharding dividedAlong(size_t rank, size_t dim, unsigned axis) {
  Sharding sharding = Sharding::whole(rank);
  sharding.dims[dim] = {axis};
  return sharding;
}

TEST(Times, AllGatherIsARing) {
  // Three steps of 1000 bytes, each over the far link.
  EXPECT_DOUBLE_EQ(
      timeOf(meshOf({4}), dividedAlong(1, 0, 0), Sharding::whole(1), {1000}),
      3 * (3 + 1));
  // Along the second axis of 2 by 2, each ring lies in a pair.
  EXPECT_DOUBLE_EQ(
      timeOf(meshOf({2, 2}), dividedAlong(1, 0, 1), Sharding::whole(1), {1000}),
      1 + 0.2);
}

TEST(Times, AllToAllSendsToEachOther) {
  // 500 bytes to the neighbor, and to two others.
  EXPECT_DOUBLE_EQ(timeOf(meshOf({4}), dividedAlong(2, 0, 0),
                          dividedAlong(2, 1, 0), {4, 500}),
                   (1 + 0.05) + 2 * (3 + 0.5));
}

TEST(Times, SlicesAreFree) {
  EXPECT_EQ(
      timeOf(meshOf({4}), Sharding::whole(1), dividedAlong(1, 0, 0), {1000}),
      0);
}

TEST(Times, SumsAreRingsOfPieces) {
  Cluster cluster = pairs();
  Mesh mesh = meshOf({4});
  SendTimes times(cluster, mesh);
  EXPECT_DOUBLE_EQ(times.ofSum({0u}, 4000, /*isScattered=*/false), 6 * (3 + 1));
  EXPECT_DOUBLE_EQ(times.ofSum({0u}, 4000, /*isScattered=*/true), 3 * (3 + 1));
}

} // namespace
