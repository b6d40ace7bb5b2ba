// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives: the elements and devices that are read, against a simulation
// that moves pairs (device, element) as the definitions say.

#include "Computation.h"
#include "tests/indexing/BruteForce.h"

using namespace mercator;
using namespace mercator::testing;
using namespace mercator::indexing::testing;

namespace {

using Groups = std::vector<std::vector<int64_t>>;

std::string text(const Groups &groups) {
  std::string rows;
  size_t columns = 0;
  for (const auto &group : groups)
    columns = std::max(columns, group.size());
  for (auto group : groups) {
    std::string row;
    group.resize(columns, -1);
    for (int64_t id : group)
      row += (row.empty() ? "" : ", ") + std::to_string(id);
    rows += (rows.empty() ? "[" : ", [") + row + "]";
  }
  return "dense<[" + rows + "]> : tensor<" + std::to_string(groups.size()) +
         "x" + std::to_string(columns) + "xi64>";
}

const std::vector<Groups> kGroups = {
    {{0, 1, 2, 3}},
    {{0, 1}, {2, 3}},
    {{0, 2}, {1, 3}},
    {{1, 0}, {2, 3}},             // irregular
    {{0, 1, 4, 5}, {2, 3, 6, 7}}, // two axes of a mesh of three
    {{0, 4, 2, 6}, {1, 5, 3, 7}}, // the outer axis runs faster
    {{3, 1, 0, 2}},
};

Relation unionOf(const MapSet &maps) {
  Relation out;
  for (const OperandMap &m : maps) {
    Relation one = relationOf(m.map);
    out.pairs.insert(out.pairs.end(), one.pairs.begin(), one.pairs.end());
  }
  out.normalize();
  return out;
}

/// Expects the relation `expected` for both directions of the first collective
/// of a program.
void expectRelation(llvm::StringRef text, llvm::StringRef name,
                    Relation expected) {
  Program program(text);
  ASSERT_TRUE(program.module);
  mlir::Operation *op = program.find(name);
  Arena arena;
  expected.normalize();
  MapSet maps = mapsOf(op, arena, kOut, 0, 0);
  EXPECT_TRUE(maps.isExact()) << toString(maps);
  Relation got = unionOf(maps);
  EXPECT_TRUE(got == expected)
      << text.str() << difference(expected, got) << toString(maps);
  MapSet back = mapsOf(op, arena, kIn, 0, 0);
  got = unionOf(back);
  expected = expected.inverse();
  EXPECT_TRUE(got == expected)
      << text.str() << difference(expected, got) << toString(back);
}

std::string collective(const std::string &name, const std::string &attributes,
                       const std::string &in, const std::string &out,
                       const std::string &region = "") {
  return "func.func @f(%p: tensor<" + in + "xf32>) -> tensor<" + out +
         "xf32> {\n  %r = \"stablehlo." + name + "\"(%p) <{" + attributes +
         "}> " + region + " : (tensor<" + in + "xf32>) -> tensor<" + out +
         "xf32>\n  return %r : tensor<" + out + "xf32>\n}";
}

const std::string kSum = R"(({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }))";

TEST(DeviceMaps, AllGather) {
  for (const Groups &groups : kGroups) {
    Relation expected;
    int64_t size = groups.front().size();
    for (const auto &group : groups)
      for (int64_t device : group)
        for (int64_t member = 0; member < size; ++member)
          for (int64_t i = 0; i < 2; ++i)
            for (int64_t j = 0; j < 3; ++j)
              expected.add({i, member * 3 + j, device}, {i, j, group[member]});
    expectRelation(
        collective("all_gather",
                   "all_gather_dim = 1 : i64, replica_groups = " + text(groups),
                   "2x3", "2x" + std::to_string(3 * size)),
        "stablehlo.all_gather", expected);
  }
}

TEST(DeviceMaps, AllReduceAndReduceScatter) {
  for (const Groups &groups : kGroups) {
    Relation all, scattered;
    int64_t size = groups.front().size();
    for (const auto &group : groups)
      for (int64_t self = 0; self < size; ++self)
        for (int64_t source : group)
          for (int64_t i = 0; i < 8; ++i) {
            all.add({i, group[self]}, {i, source});
            if (i < 8 / size)
              scattered.add({i, group[self]}, {self * (8 / size) + i, source});
          }
    expectRelation(collective("all_reduce", "replica_groups = " + text(groups),
                              "8", "8", kSum),
                   "stablehlo.all_reduce", all);
    expectRelation(collective("reduce_scatter",
                              "scatter_dimension = 0 : i64, replica_groups = " +
                                  text(groups),
                              "8", std::to_string(8 / size), kSum),
                   "stablehlo.reduce_scatter", scattered);
  }
}

TEST(DeviceMaps, AllToAll) {
  for (const Groups &groups : kGroups)
    for (bool sameDimension : {true, false}) {
      Relation expected;
      int64_t size = groups.front().size(), part = 8 / size;
      for (const auto &group : groups)
        for (int64_t self = 0; self < size; ++self)
          for (int64_t member = 0; member < size; ++member)
            for (int64_t i = 0; i < part; ++i)
              for (int64_t j = 0; j < 3; ++j)
                if (sameDimension)
                  expected.add({member * part + i, j, group[self]},
                               {self * part + i, j, group[member]});
                else
                  expected.add({i, member * 3 + j, group[self]},
                               {self * part + i, j, group[member]});
      std::string out =
          sameDimension ? "8x3"
                        : std::to_string(part) + "x" + std::to_string(3 * size);
      expectRelation(
          collective("all_to_all",
                     "split_dimension = 0 : i64, concat_dimension = " +
                         std::string(sameDimension ? "0" : "1") +
                         " : i64, split_count = " + std::to_string(size) +
                         " : i64, replica_groups = " + text(groups),
                     "8x3", out),
          "stablehlo.all_to_all", expected);
    }
}

TEST(DeviceMaps, CollectivePermute) {
  const std::vector<std::vector<std::pair<int64_t, int64_t>>> cases = {
      {{0, 1}, {1, 2}, {2, 3}, {3, 0}}, // a ring
      {{0, 1}, {1, 0}, {2, 3}, {3, 2}}, // neighbors
      {{0, 3}, {2, 1}},                 // some devices only
      {{1, 4}, {5, 0}, {2, 2}}};
  for (const auto &pairs : cases) {
    std::string list;
    Relation expected;
    for (auto [source, target] : pairs) {
      list += (list.empty() ? "[" : ", [") + std::to_string(source) + ", " +
              std::to_string(target) + "]";
      for (int64_t i = 0; i < 4; ++i)
        expected.add({i, target}, {i, source});
    }
    expectRelation(collective("collective_permute",
                              "source_target_pairs = dense<[" + list +
                                  "]> : tensor<" +
                                  std::to_string(pairs.size()) + "x2xi64>",
                              "4", "4"),
                   "stablehlo.collective_permute", expected);
  }
}

TEST(DeviceMaps, CollectiveBroadcast) {
  for (const Groups &groups : {kGroups[1], kGroups[2], kGroups[6],
                               Groups{{2, 1}}}) { // 0 is in no group
    Relation expected;
    for (const auto &group : groups)
      for (int64_t device : group)
        for (int64_t i = 0; i < 4; ++i)
          expected.add({i, device}, {i, group[0]});
    expectRelation(collective("collective_broadcast",
                              "replica_groups = " + text(groups), "4", "4"),
                   "stablehlo.collective_broadcast", expected);
  }
}

TEST(DeviceMaps, Printed) {
  Program program(collective(
      "all_gather",
      "all_gather_dim = 1 : i64, use_global_device_ids, channel_handle = "
      "#stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = "
      "dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>",
      "2x3", "2x6"));
  Arena arena;
  MapSet maps = mapsOf(program.find("stablehlo.all_gather"), arena, kOut, 0, 0);
  ASSERT_EQ(maps.size(), 1u);
  EXPECT_EQ(maps[0].devices, 4);
  EXPECT_EQ(indexing::toString(maps[0].map),
            "(d0, d1, device) -> (d0, d1 mod 3, (device / 2) * 2 + d1 / 3), "
            "domain: d0 in [0, 1], d1 in [0, 5], device in [0, 3]");
}

// Partitions of one replica, and replicas with all their partitions.
TEST(DeviceMaps, ReplicasAndPartitions) {
  auto program = [](const std::string &attributes) {
    return "module attributes {mhlo.num_replicas = 2 : i32, "
           "mhlo.num_partitions = 3 : i32} {\n" +
           collective("all_reduce", attributes, "2", "2", kSum) + "}";
  };
  std::string groups = ", replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>";
  Relation sameP, all;
  for (int64_t a = 0; a < 6; ++a)
    for (int64_t b = 0; b < 6; ++b)
      for (int64_t i = 0; i < 2; ++i) {
        if (a % 3 == b % 3)
          sameP.add({i, a}, {i, b});
        all.add({i, a}, {i, b});
      }
  expectRelation(program("channel_handle = #stablehlo.channel_handle<handle = "
                         "0, type = 0>" +
                         groups),
                 "stablehlo.all_reduce", sameP);
  expectRelation(program("channel_handle = #stablehlo.channel_handle<handle = "
                         "1, type = 0>" +
                         groups),
                 "stablehlo.all_reduce", all);
}

// Several collectives, and operations between them.
TEST(DeviceMaps, Chained) {
  Computation c(R"(
  func.func @f(%p: tensor<2x3xf32>) -> tensor<6x4xf32> {
    %g = "stablehlo.all_gather"(%p) <{all_gather_dim = 0 : i64,
        replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}>
        : (tensor<2x3xf32>) -> tensor<4x3xf32>
    %t = stablehlo.transpose %g, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
    %h = "stablehlo.all_gather"(%t) <{all_gather_dim = 0 : i64,
        replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}>
        : (tensor<3x4xf32>) -> tensor<6x4xf32>
    return %h : tensor<6x4xf32>
  })");
  Relation expected;
  for (int64_t device = 0; device < 4; ++device)
    for (int64_t i = 0; i < 6; ++i)
      for (int64_t j = 0; j < 4; ++j) {
        int64_t outer = i / 3 * 2 + device % 2; // of {0, 2} or {1, 3}
        int64_t inner = outer / 2 * 2 + j / 2;  // of {0, 1} or {2, 3}
        expected.add({i, j, device}, {j % 2, i % 3, inner});
      }
  expected.normalize();
  MapSet maps = c.toArgument(0);
  EXPECT_TRUE(maps.isExact());
  Relation got = unionOf(maps);
  EXPECT_TRUE(got == expected) << difference(expected, got) << toString(maps);
  got = unionOf(c.toResult(0));
  EXPECT_TRUE(got == expected.inverse());
}

TEST(DeviceMaps, OnThisDeviceAndOnOthers) {
  Computation c(R"(
  func.func @f(%p: tensor<4xf32>) -> tensor<4xf32> {
    %s = "stablehlo.collective_permute"(%p) <{
        source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}>
        : (tensor<4xf32>) -> tensor<4xf32>
    %r = stablehlo.reverse %s, dims = [0] : tensor<4xf32>
    %a = stablehlo.add %p, %r : tensor<4xf32>
    return %a : tensor<4xf32>
  })");
  MapSet maps = c.toArgument(0);
  ASSERT_EQ(maps.size(), 3u) << toString(maps);
  EXPECT_EQ(llvm::count_if(maps, [](const OperandMap &m) { return m.devices; }),
            2);
}

} // namespace
