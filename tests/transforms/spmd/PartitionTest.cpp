// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Partitioned programs compute what whole ones do, and send what they must.

#include "Sharded.h"

#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"

using namespace mercator;
using namespace mercator::spmd;

namespace {

/// Runs a program, and expects it to be partitioned into an equal one.
PartitionReport expectEqual(llvm::StringRef program,
                            const Request &request = {}, uint64_t seed = 1) {
  Outcome outcome = runSharded(program, request, seed);
  EXPECT_EQ(int(outcome.kind), int(Outcome::Kind::Equal))
      << outcome.text << "\n"
      << outcome.partitioned;
  return outcome.report;
}

TEST(Partition, AllReduceOfAContractedDimension) {
  // Each of 4 devices has a quarter of the sum: 2 * 3/4 of 8x4 floats.
  PartitionReport report = expectEqual(R"(
    sdy.mesh @mesh = <["a"=4]>
    func.func @main(
        %x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>},
        %w: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>})
        -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
          : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
      return %0 : tensor<8x4xf32>
    })");
  EXPECT_EQ(report.received, 0);
  EXPECT_EQ(report.reduced, 2 * 32 * 4 * 3 / 4);
}

TEST(Partition, ReduceScatterWhereTheResultIsDivided) {
  PartitionReport report = expectEqual(R"(
    sdy.mesh @mesh = <["a"=4]>
    func.func @main(
        %x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>},
        %w: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>})
        -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
          : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
      return %0 : tensor<8x4xf32>
    })");
  EXPECT_EQ(report.received, 0);
  EXPECT_EQ(report.reduced, 32 * 4 * 3 / 4);
}

TEST(Partition, ReductionsOfADividedDimension) {
  // Of some seeds, all elements are negative.
  for (uint64_t seed = 0; seed < 30; ++seed)
    for (const char *body : {"add", "maximum", "multiply"})
      expectEqual(std::string(R"(
    func.func @main(%x: tensor<8x6xf32>, %i: tensor<f32>) -> tensor<6xf32> {
      %0 = stablehlo.reduce(%x init: %i) applies stablehlo.)") +
                      body + R"( across dimensions = [0]
          : (tensor<8x6xf32>, tensor<f32>) -> tensor<6xf32>
      return %0 : tensor<6xf32>
    })",
                  {.mesh = "a:4", .in = {"0=a,-"}}, seed);
}

TEST(Partition, ElementwiseFollowsItsOperands) {
  PartitionReport report = expectEqual(R"(
    func.func @main(%x: tensor<8x6xf32>, %y: tensor<8x6xf32>)
        -> tensor<8x6xf32> {
      %0 = stablehlo.add %x, %y : tensor<8x6xf32>
      %1 = stablehlo.tanh %0 : tensor<8x6xf32>
      return %1 : tensor<8x6xf32>
    })",
                                       {.mesh = "a:2,b:2", .in = {"0=a,b"}});
  // The second argument follows the first.
  EXPECT_EQ(report.arguments[1].text(report.mesh), "[{\"a\"}, {\"b\"}]");
  EXPECT_EQ(report.received, 0);
}

TEST(Partition, ClosedDimensionsTakeNoAxes) {
  PartitionReport report = expectEqual(R"(
    sdy.mesh @mesh = <["a"=2]>
    func.func @main(
        %x: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>},
        %y: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {?}]>},
        %z: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {}]>})
        -> tensor<4x4xf32> {
      %0 = stablehlo.add %x, %y : tensor<4x4xf32>
      %1 = stablehlo.add %0, %z : tensor<4x4xf32>
      return %1 : tensor<4x4xf32>
    })");
  EXPECT_EQ(report.arguments[1].text(report.mesh), "[{}, {}]");
  EXPECT_EQ(report.arguments[2].text(report.mesh), "[{\"a\"}, {}]");
  EXPECT_EQ(report.results[0].text(report.mesh), "[{\"a\"}, {}]");
}

/// The sharding of x + y, whose operands ask for one axis in this order.
std::string sumOf(const char *x, const char *y) {
  PartitionReport report = expectEqual(
      std::string("sdy.mesh @mesh = <[\"a\"=2]>\nfunc.func @main(%x: "
                  "tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, ") +
      x + ">}, %y: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, " + y +
      R"(>}) -> tensor<4x4xf32> {
        %0 = stablehlo.add %x, %y : tensor<4x4xf32>
        return %0 : tensor<4x4xf32>
      })");
  return report.results[0].text(report.mesh);
}

TEST(Partition, PrioritiesOfTheUserSpreadInTheirOrder) {
  EXPECT_EQ(sumOf(R"([{"a"}, {}])", R"([{}, {"a"}])"), R"([{"a"}, {}])");
  EXPECT_EQ(sumOf(R"([{"a"}p1, {}])", R"([{}, {"a"}])"), R"([{}, {"a"}])");
  EXPECT_EQ(sumOf(R"([{"a"}p1, {}])", R"([{}, {"a"}p1])"), R"([{"a"}, {}])");
  EXPECT_EQ(sumOf(R"([{"a"}p2, {}])", R"([{}, {"a"}p1])"), R"([{}, {"a"}])");
  // An axis that waits for its turn divides no other dimension of its tensor, and an
  // open dimension that waits takes none before.
  EXPECT_EQ(sumOf(R"([{"a"}p1, {?}])", R"([{?}, {"a"}])"), R"([{}, {"a"}])");
  EXPECT_EQ(sumOf(R"([{?}p1, {?}])", R"([{"a"}, {}])"), R"([{"a"}, {}])");
}

TEST(Partition, PrioritiesOfResultsSpreadInTheirOrder) {
  // Of priority 0, the result asks before the operands spread: both move. Later, the
  // sum moves alone.
  for (auto [priority, received] :
       {std::pair("", 2 * 8 / 2 * 4), std::pair("p1", 8 / 2 * 4)}) {
    PartitionReport report = expectEqual(std::string(R"(
    sdy.mesh @mesh = <["a"=2]>
    func.func @main(
        %x: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>},
        %y: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>})
        -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"})") +
                                         priority + R"(]>}) {
      %0 = stablehlo.add %x, %y : tensor<4x4xf32>
      return %0 : tensor<4x4xf32>
    })");
    EXPECT_EQ(report.received, received) << priority;
  }
}

TEST(Partition, RollSendsOneRow) {
  // 16 rows on 4 devices: the last row of each device goes to the next one.
  PartitionReport report = expectEqual(R"(
    func.func @main(%x: tensor<16x4xf32>) -> tensor<16x4xf32> {
      %0 = stablehlo.slice %x [15:16, 0:4]
          : (tensor<16x4xf32>) -> tensor<1x4xf32>
      %1 = stablehlo.slice %x [0:15, 0:4]
          : (tensor<16x4xf32>) -> tensor<15x4xf32>
      %2 = stablehlo.concatenate %0, %1, dim = 0
          : (tensor<1x4xf32>, tensor<15x4xf32>) -> tensor<16x4xf32>
      return %2 : tensor<16x4xf32>
    })",
                                       {.mesh = "a:4", .in = {"0=a,-"}});
  EXPECT_EQ(report.received, 4 * 4);
}

TEST(Partition, SlicesGoWhereTheyAreConcatenated) {
  // 13 rows and 3, on 4 devices: a device has one row of its shard and receives
  // three. The columns are sliced as well, and the last piece is no slice.
  PartitionReport report = expectEqual(R"(
    func.func @main(%x: tensor<16x6xi32>, %y: tensor<4x4xi32>)
        -> (tensor<16x4xi32>, tensor<20x4xi32>) {
      %0 = stablehlo.slice %x [3:16, 1:5]
          : (tensor<16x6xi32>) -> tensor<13x4xi32>
      %1 = stablehlo.slice %x [0:3, 2:6]
          : (tensor<16x6xi32>) -> tensor<3x4xi32>
      %2 = stablehlo.concatenate %0, %1, dim = 0
          : (tensor<13x4xi32>, tensor<3x4xi32>) -> tensor<16x4xi32>
      %3 = stablehlo.slice %x [4:12, 0:4]
          : (tensor<16x6xi32>) -> tensor<8x4xi32>
      %4 = stablehlo.slice %x [8:16, 2:6]
          : (tensor<16x6xi32>) -> tensor<8x4xi32>
      %5 = stablehlo.concatenate %3, %4, %y, dim = 0
          : (tensor<8x4xi32>, tensor<8x4xi32>, tensor<4x4xi32>)
          -> tensor<20x4xi32>
      return %2, %5 : tensor<16x4xi32>, tensor<20x4xi32>
    })",
                                       {.mesh = "a:4", .in = {"0=a,-"}});
  ASSERT_GE(report.operations.size(), 2u);
  EXPECT_EQ(report.operations[0].name, "pad");
  EXPECT_EQ(report.operations[0].operands[0].received, 3 * 4 * 4);
  EXPECT_EQ(report.leastOfAll, report.receivedByAll);
}

TEST(Partition, PaddingBetweenElementsIsNoSameIndex) {
  // The second element is cut off, and the result has the size of the operand.
  expectEqual(R"(
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %v = stablehlo.constant dense<2.0> : tensor<f32>
      %0 = stablehlo.pad %x, %v, low = [0], high = [-1], interior = [1]
          : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    })",
              {.mesh = "a:2", .in = {"0=a"}});
}

TEST(Partition, ConstantIndicesInOrderAreReadByTheCode) {
  // The map of the gather is that of a slice, but its code counts from the first row
  // of the table.
  expectEqual(R"(
    func.func @main(%x: tensor<8x3xf32>) -> tensor<8x3xf32> {
      %i = stablehlo.constant dense<[[0], [1], [2], [3], [4], [5], [6], [7]]>
          : tensor<8x1xi32>
      %0 = "stablehlo.gather"(%x, %i) <{
          dimension_numbers = #stablehlo.gather<offset_dims = [1],
          collapsed_slice_dims = [0], start_index_map = [0],
          index_vector_dim = 1>, indices_are_sorted = false,
          slice_sizes = array<i64: 1, 3>}>
          : (tensor<8x3xf32>, tensor<8x1xi32>) -> tensor<8x3xf32>
      return %0 : tensor<8x3xf32>
    })",
              {.mesh = "a:4", .in = {"0=a,-"}, .out = {"0=a,-"}});
}

TEST(Partition, TheDevicesOfAMeshHaveAnOrder) {
  // Row i of 4 is on device 2, 0, 3, 1: a halo, an all-gather and a sum.
  PartitionReport report = expectEqual(R"(
    sdy.mesh @mesh = <["a"=4], device_ids=[2, 0, 3, 1]>
    func.func @main(%x: tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>})
        -> (tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>},
            tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
            tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %p = stablehlo.pad %x, %z, low = [1, 0], high = [-1, 0], interior = [0, 0]
          : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
      %g = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0]
          : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
      %h = stablehlo.dot_general %x, %g, contracting_dims = [1] x [0]
          : (tensor<4x3xf32>, tensor<3x3xf32>) -> tensor<4x3xf32>
      return %p, %x, %h : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>
    })");
  EXPECT_EQ(report.receivedByAll, report.leastOfAll);
}

TEST(Partition, WindowsBetweenElementsReadNothing) {
  // Every window lies on a zero between two rows.
  expectEqual(R"(
    func.func @main(%x: tensor<4x6x8xf32>, %w: tensor<1x8x2xf32>)
        -> tensor<4x7x2xf32> {
      %0 = stablehlo.convolution(%x, %w)
          dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
          window = {stride = [2], pad = [[1, 2]], lhs_dilate = [2]}
          {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
          : (tensor<4x6x8xf32>, tensor<1x8x2xf32>) -> tensor<4x7x2xf32>
      return %0 : tensor<4x7x2xf32>
    })",
              {.mesh = "a:2,b:2", .in = {"0=a,-,-"}, .out = {"0=a,-,b"}});
}

TEST(Partition, ShortTilesNeedLess) {
  // The slice of one row has one element on the first device and none elsewhere:
  // 3 rows move for the first slice, and one for the concatenate.
  PartitionReport report = expectEqual(R"(
    func.func @main(%x: tensor<16x4xf32>) -> tensor<16x4xf32> {
      %0 = stablehlo.slice %x [1:16, 0:4]
          : (tensor<16x4xf32>) -> tensor<15x4xf32>
      %1 = stablehlo.slice %x [0:1, 0:4]
          : (tensor<16x4xf32>) -> tensor<1x4xf32>
      %2 = stablehlo.concatenate %0, %1, dim = 0
          : (tensor<15x4xf32>, tensor<1x4xf32>) -> tensor<16x4xf32>
      return %2 : tensor<16x4xf32>
    })",
                                       {.mesh = "a:4", .in = {"0=a,-"}});
  EXPECT_EQ(report.receivedByAll, 4 * 4 * 4);
}

TEST(Partition, ConvolutionReceivesAHalo) {
  // Windows of 3 rows: a row from each neighbor, 8 columns of 3 floats.
  PartitionReport report = expectEqual(R"(
    func.func @main(%x: tensor<1x16x8x3xf32>, %w: tensor<3x3x3x4xf32>)
        -> tensor<1x16x8x4xf32> {
      %0 = stablehlo.convolution(%x, %w)
          dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
          window = {pad = [[1, 1], [1, 1]]}
          {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
          : (tensor<1x16x8x3xf32>, tensor<3x3x3x4xf32>)
          -> tensor<1x16x8x4xf32>
      return %0 : tensor<1x16x8x4xf32>
    })",
                                       {.mesh = "a:4", .in = {"0=-,a,-,-"}});
  EXPECT_EQ(report.received, 2 * 8 * 3 * 4);
  EXPECT_EQ(report.leastOfAll, report.receivedByAll);
}

TEST(Partition, ASliceOfPaddingKeepsIt) {
  // The slices begin and end in the padding.
  expectEqual(R"(
    func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
      %v = stablehlo.constant dense<2.0> : tensor<f32>
      %0 = stablehlo.pad %x, %v, low = [2], high = [0], interior = [0]
          : (tensor<8xf32>, tensor<f32>) -> tensor<10xf32>
      %1 = stablehlo.slice %0 [1:9] : (tensor<10xf32>) -> tensor<8xf32>
      %2 = stablehlo.pad %x, %v, low = [0], high = [2], interior = [0]
          : (tensor<8xf32>, tensor<f32>) -> tensor<10xf32>
      %3 = stablehlo.slice %2 [1:9] : (tensor<10xf32>) -> tensor<8xf32>
      return %1, %3 : tensor<8xf32>, tensor<8xf32>
    })",
              {.mesh = "a:4", .in = {"0=a"}});
}

TEST(Partition, ADilatedWindowReachesFurther) {
  // Windows of rows 0, 2 and 4: two rows from each neighbor, of 3 floats.
  PartitionReport report = expectEqual(R"(
    func.func @main(%x: tensor<1x16x3xf32>, %w: tensor<3x3x4xf32>)
        -> tensor<1x16x4xf32> {
      %0 = stablehlo.convolution(%x, %w)
          dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
          window = {pad = [[2, 2]], rhs_dilate = [2]}
          {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
          : (tensor<1x16x3xf32>, tensor<3x3x4xf32>) -> tensor<1x16x4xf32>
      return %0 : tensor<1x16x4xf32>
    })",
                                       {.mesh = "a:4", .in = {"0=-,a,-"}});
  EXPECT_EQ(report.received, 2 * 2 * 3 * 4);
  EXPECT_EQ(report.leastOfAll, report.receivedByAll);
}

TEST(Partition, TwoSumsTakeNoAxisTwice) {
  // Both contracted dimensions have the axis, one of each operand. Blocks along the
  // diagonal would cost least.
  expectEqual(R"(
    func.func @main(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<f32> {
      %0 = stablehlo.dot_general %x, %y, contracting_dims = [0, 1] x [0, 1]
          : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<f32>
      return %0 : tensor<f32>
    })",
              {.mesh = "a:4", .in = {"0=a,-", "1=-,a"}});
}

TEST(Partition, APartOfAnAxisIsCountedFromTheSlowest) {
  PartitionReport report = expectEqual(R"(
    sdy.mesh @mesh = <["x"=4]>
    func.func @main(%x: tensor<4x4xf32> {sdy.sharding =
        #sdy.sharding<@mesh, [{"x":(1)2}, {"x":(2)2}]>}) -> tensor<4x4xf32> {
      %0 = stablehlo.negate %x : tensor<4x4xf32>
      return %0 : tensor<4x4xf32>
    })");
  EXPECT_EQ(report.arguments[0].text(report.mesh),
            R"([{"x":(1)2}, {"x":(2)2}])");
  // Device 1 has the first rows and the last columns.
  EXPECT_EQ(report.arguments[0].partOf(report.mesh, 1),
            (llvm::SmallVector<int64_t>{0, 1}));
}

TEST(Partition, AxesMoveByAllToAll) {
  PartitionReport report =
      expectEqual(R"(
    func.func @main(%x: tensor<8x12xf32>) -> tensor<8x12xf32> {
      %0 = stablehlo.negate %x : tensor<8x12xf32>
      return %0 : tensor<8x12xf32>
    })",
                  {.mesh = "a:4", .in = {"0=a,-"}, .out = {"0=-,a"}});
  EXPECT_EQ(report.received, 8 * 12 / 4 * 3 / 4 * 4);
}

TEST(Partition, ShortPiecesOfASumAreFilled) {
  // 14 rows on 4 devices: 4, 4, 4 and 2. The end of the last shard has elements of
  // the padding, which would change a sum and a maximum.
  for (const char *body : {"add", "maximum"}) {
    PartitionReport report = expectEqual(std::string(R"(
    func.func @main(%x: tensor<16x6xf32>, %w: tensor<14x3xf32>)
        -> (tensor<6xf32>, tensor<6x3xf32>) {
      %i = stablehlo.constant dense<-100.0> : tensor<f32>
      %q = stablehlo.constant dense<9.0> : tensor<f32>
      %p = stablehlo.pad %x, %q, low = [-1, 0], high = [-1, 0], interior = [0, 0]
          : (tensor<16x6xf32>, tensor<f32>) -> tensor<14x6xf32>
      %e = stablehlo.exponential %p : tensor<14x6xf32>
      %0 = stablehlo.reduce(%e init: %i) applies stablehlo.)") +
                                             body + R"( across dimensions = [0]
          : (tensor<14x6xf32>, tensor<f32>) -> tensor<6xf32>
      %1 = stablehlo.dot_general %e, %w, contracting_dims = [0] x [0]
          : (tensor<14x6xf32>, tensor<14x3xf32>) -> tensor<6x3xf32>
      return %0, %1 : tensor<6xf32>, tensor<6x3xf32>
    })",
                                         {.mesh = "a:4", .in = {"0=a,-"}});
    EXPECT_EQ(report.reduced, 2 * (6 + 18) * 4 * 3 / 4);
  }
}

TEST(Partition, PaddingReplacesTheEndOfAShortShard) {
  // 14 rows and 16 rows have equal shards on 4 devices, but the last two rows of the
  // latter are padding.
  PartitionReport report =
      expectEqual(R"(
    func.func @main(%x: tensor<16x2xf32>) -> tensor<16x2xf32> {
      %q = stablehlo.constant dense<9.0> : tensor<f32>
      %c = stablehlo.constant dense<5.0> : tensor<f32>
      %p = stablehlo.pad %x, %q, low = [-1, 0], high = [-1, 0], interior = [0, 0]
          : (tensor<16x2xf32>, tensor<f32>) -> tensor<14x2xf32>
      %e = stablehlo.exponential %p : tensor<14x2xf32>
      %r = stablehlo.pad %e, %c, low = [0, 0], high = [2, 0], interior = [0, 0]
          : (tensor<14x2xf32>, tensor<f32>) -> tensor<16x2xf32>
      return %r : tensor<16x2xf32>
    })",
                  {.mesh = "a:4", .in = {"0=a,-"}, .out = {"0=a,-"}});
  EXPECT_EQ(report.receivedByAll, report.leastOfAll);
}

TEST(Partition, SortsMoveToAnotherDimension) {
  // There and back, 3/4 of a shard of 24 floats. All rows on every device would be
  // 288 bytes.
  PartitionReport report =
      expectEqual(R"(
    func.func @main(%x: tensor<8x12xf32>) -> tensor<8x12xf32> {
      %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.compare LT, %a, %b
            : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }) : (tensor<8x12xf32>) -> tensor<8x12xf32>
      return %0 : tensor<8x12xf32>
    })",
                  {.mesh = "a:4", .in = {"0=a,-"}, .out = {"0=a,-"}});
  EXPECT_EQ(report.received, 2 * 24 * 3 / 4 * 4);
}

TEST(Partition, ASortAlongItsOnlyDimensionSaysWhyItReadsAll) {
  PartitionReport report =
      expectEqual(R"(
    func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
      %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.compare LT, %a, %b
            : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }) : (tensor<16xf32>) -> tensor<16xf32>
      return %0 : tensor<16xf32>
    })",
                  {.mesh = "a:4", .in = {"0=a"}, .out = {"0=a"}});
  ASSERT_EQ(report.operations.size(), 1u);
  EXPECT_EQ(report.operations[0].whole, "along 0, any element may come first");
  EXPECT_EQ(report.received, 12 * 4);
}

TEST(Partition, SelectAndScatterIsDividedOutsideOfItsWindows) {
  PartitionReport report =
      expectEqual(R"(
    func.func @main(%x: tensor<8x6x4xf32>, %s: tensor<8x3x4xf32>)
        -> tensor<8x6x4xf32> {
      %i = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{
        window_dimensions = array<i64: 1, 2, 1>,
        window_strides = array<i64: 1, 2, 1>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.compare GE, %a, %b
            : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }, {
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
      }) : (tensor<8x6x4xf32>, tensor<8x3x4xf32>, tensor<f32>)
          -> tensor<8x6x4xf32>
      return %0 : tensor<8x6x4xf32>
    })",
                  {.mesh = "a:4,b:2", .in = {"0=a,-,b"}, .out = {"0=a,-,b"}});
  EXPECT_EQ(report.received, 0);
  EXPECT_LT(report.work * 7, report.wholeWork);
}

TEST(Partition, FreeAxesOfAManualComputation) {
  // The body sees rows of a device. Columns, which "b" divides, are gathered for it,
  // and cut again.
  PartitionReport report = expectEqual(R"(
    sdy.mesh @mesh = <["a"=2, "b"=4]>
    func.func @main(%x: tensor<8x16xf32>
                        {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>})
        -> (tensor<8x16xf32>
                {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}) {
      %0 = sdy.manual_computation(%x)
          in_shardings=[<@mesh, [{"a"}, {"b"}]>]
          out_shardings=[<@mesh, [{"a"}, {"b"}]>]
          manual_axes={"a"} (%y: tensor<4x16xf32>) {
        %1 = stablehlo.reverse %y, dims = [1] : tensor<4x16xf32>
        sdy.return %1 : tensor<4x16xf32>
      } : (tensor<8x16xf32>) -> tensor<8x16xf32>
      return %0 : tensor<8x16xf32>
    })");
  EXPECT_EQ(report.received, 4 * 4 * 3 * 4);
}

TEST(Partition, ErrorsNameTheCause) {
  const char *program = R"(
    func.func @main(%x: tensor<6x4xf32>) -> tensor<6x4xf32> {
      %0 = stablehlo.negate %x : tensor<6x4xf32>
      return %0 : tensor<6x4xf32>
    })";
  auto error = [&](const Request &request) {
    Outcome outcome = runSharded(program, request, 1);
    EXPECT_EQ(int(outcome.kind), int(Outcome::Kind::Refused));
    return outcome.text;
  };
  EXPECT_NE(error({.mesh = "a:4", .in = {"0=a,-"}})
                .find("expected axes that divide the sizes of argument 0"),
            std::string::npos);
  EXPECT_NE(error({.mesh = "a:x"}).find("expected a mesh such as"),
            std::string::npos);
  EXPECT_NE(error({.mesh = "a:2", .in = {"0=b,-"}}).find("got 'b'"),
            std::string::npos);
  EXPECT_NE(error({.mesh = "a:2", .in = {"3=a,-"}})
                .find("expected the number of one of 1 arguments"),
            std::string::npos);
  EXPECT_NE(error({.mesh = "a:2", .in = {"0=a"}}).find("expected 2 dimensions"),
            std::string::npos);
}

} // namespace
