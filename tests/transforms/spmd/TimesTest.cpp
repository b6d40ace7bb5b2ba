// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Predicted times, computed by hand beside.

#include "mercator/transforms/spmd/Times.h"

#include "mercator/dialects/Register.h"

#include "mlir/Parser/Parser.h"
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

/// On a device of 10^9 operations and 10^9 bytes per second.
double computeTimeOf(llvm::StringRef program) {
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(program, &context);
  if (!module)
    return -1;
  Device device;
  device.multiplyAdds = {{"f32", Device::Unit::Vector, 1}};
  device.gigabytesPerSecond = 1;
  return computeTime(module->lookupSymbol<mlir::func::FuncOp>("main"), device);
}

TEST(Times, AProductComputesOrReads) {
  // 2 * 8 * 8 * 8 operations, 3 * 64 * 4 bytes.
  EXPECT_DOUBLE_EQ(computeTimeOf(R"(
    func.func @main(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
      %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
          : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      return %0 : tensor<8x8xf32>
    })"),
                   1.024);
  // 2 * 8 * 8 operations, (8 + 64 + 8) * 4 bytes; the value between the two
  // products goes to memory and back.
  EXPECT_DOUBLE_EQ(computeTimeOf(R"(
    func.func @main(%x: tensor<1x8xf32>, %y: tensor<8x8xf32>) -> tensor<1x8xf32> {
      %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
          : (tensor<1x8xf32>, tensor<8x8xf32>) -> tensor<1x8xf32>
      %1 = stablehlo.tanh %0 : tensor<1x8xf32>
      %2 = stablehlo.dot_general %1, %y, contracting_dims = [1] x [0]
          : (tensor<1x8xf32>, tensor<8x8xf32>) -> tensor<1x8xf32>
      return %2 : tensor<1x8xf32>
    })"),
                   2 * 0.32);
}

TEST(Times, AGatherReadsItsRows) {
  // 3 rows of 4 are read and written, and 3 indices.
  EXPECT_DOUBLE_EQ(computeTimeOf(R"(
    func.func @main(%i: tensor<3x1xi32>) -> tensor<f32> {
      %x = stablehlo.constant dense<1.0> : tensor<1000x4xf32>
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = "stablehlo.gather"(%x, %i) <{
          dimension_numbers = #stablehlo.gather<offset_dims = [1],
          collapsed_slice_dims = [0], start_index_map = [0],
          index_vector_dim = 1>, indices_are_sorted = false,
          slice_sizes = array<i64: 1, 4>}>
          : (tensor<1000x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
      %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0, 1]
          : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>
      return %1 : tensor<f32>
    })"),
                   0.012 + 2 * 0.048 + (0.048 + 0.004 + 0.004));
}

TEST(Times, ArgumentsAndResultsAreTheLeast) {
  EXPECT_DOUBLE_EQ(computeTimeOf(R"(
    func.func @main(%x: tensor<100xf32>) -> tensor<100xf32> {
      %0 = stablehlo.tanh %x : tensor<100xf32>
      return %0 : tensor<100xf32>
    })"),
                   0.8);
}

} // namespace
