// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the tensor dialect, and operations of linalg without a body:
// the maps, against enumerating all elements.

#include "Elements.h"

#include <functional>

using namespace mercator;
using namespace mercator::testing;
using indexing::testing::forEachIndex;

namespace {

Index shapeOf(mlir::Type type) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  return tensor ? Index(tensor.getShape()) : Index();
}

/// The element of an operand that element `d` of the result reads, if any.
using Reads = std::function<std::optional<Index>(const Index &d)>;

/// Checks the maps of one operand of an operation.
void check(const std::string &arguments, const std::string &operation,
           const std::string &name, unsigned operand, const Reads &reads,
           Fidelity fidelity = Fidelity::Exact, const Reader &read = nullptr) {
  SCOPED_TRACE(operation);
  Program program(around(operation, arguments));
  ASSERT_TRUE(program.module);
  mlir::Operation *op = program.find(name);
  Relation relation;
  forEachIndex(shapeOf(op->getResult(0).getType()), [&](const Index &d) {
    if (std::optional<Index> e = reads(d))
      relation.add(d, *e);
  });
  expectReads(op, operand, 0, relation, fidelity, read);
}

std::optional<Index> none(const Index &) { return std::nullopt; }
std::optional<Index> same(const Index &d) { return d; }
std::optional<Index> scalar(const Index &) { return Index{}; }

/// The index of the element at `number` in row-major order.
Index atNumber(int64_t number, const Index &sizes) {
  Index index(sizes.size());
  for (size_t i = sizes.size(); i-- > 0; number /= sizes[i])
    index[i] = number % sizes[i];
  return index;
}
int64_t numberOf(const Index &index, const Index &sizes) {
  int64_t number = 0;
  for (size_t i = 0; i < sizes.size(); ++i)
    number = number * sizes[i] + index[i];
  return number;
}

TEST(TensorMaps, CopiesAndShapes) {
  check("%a: tensor<2x3xf32>",
        "%r = tensor.cast %a : tensor<2x3xf32> to "
        "tensor<2x3xf32>",
        "tensor.cast", 0, same);
  check("%a: tensor<2x3xf32>",
        "%r = tensor.bitcast %a : tensor<2x3xf32> to tensor<2x3xi32>",
        "tensor.bitcast", 0, same);
  check("%a: tensor<2x3xf32>, %i: index",
        "%r = tensor.dim %a, %i : tensor<2x3xf32>", "tensor.dim", 0, none);
  check("%a: tensor<2x3xf32>, %i: index",
        "%r = tensor.dim %a, %i : tensor<2x3xf32>", "tensor.dim", 1, scalar);
  check("%a: tensor<*xf32>", "%r = tensor.rank %a : tensor<*xf32>",
        "tensor.rank", 0, none);
  check("%a: f32", "%r = tensor.splat %a : tensor<2x3xf32>", "tensor.splat", 0,
        scalar);
  for (unsigned k = 0; k < 6; ++k)
    check("%a: f32, %b: f32",
          "%r = tensor.from_elements %a, %b, %a, %b, %a, %b : tensor<2x3xf32>",
          "tensor.from_elements", k, [=](const Index &d) {
            return numberOf(d, {2, 3}) == k ? scalar(d) : std::nullopt;
          });
  for (unsigned k : {0, 1, 2})
    check("%a: tensor<2x3xf32>, %b: tensor<2x1xf32>",
          "%r = tensor.concat dim(1) %a, %b, %a : (tensor<2x3xf32>, "
          "tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x7xf32>",
          "tensor.concat", k, [=](const Index &d) -> std::optional<Index> {
            int64_t begin[] = {0, 3, 4, 7};
            if (d[1] < begin[k] || d[1] >= begin[k + 1])
              return std::nullopt;
            return Index{d[0], d[1] - begin[k]};
          });
}

TEST(TensorMaps, Reshapes) {
  auto between = [](Index from, Index to) {
    return [=](const Index &d) { return atNumber(numberOf(d, to), from); };
  };
  check("%a: tensor<6x4xf32>",
        "%r = tensor.expand_shape %a [[0, 1], [2, 3, 4]] output_shape [2, 3, "
        "2, 1, 2] : tensor<6x4xf32> into tensor<2x3x2x1x2xf32>",
        "tensor.expand_shape", 0, between({6, 4}, {2, 3, 2, 1, 2}));
  check("%a: tensor<2x3x2x1x2xf32>",
        "%r = tensor.collapse_shape %a [[0, 1], [2, 3, 4]] : "
        "tensor<2x3x2x1x2xf32> into tensor<6x4xf32>",
        "tensor.collapse_shape", 0, between({2, 3, 2, 1, 2}, {6, 4}));
  check("%a: tensor<2x6xf32>, %s: tensor<2xindex>",
        "%r = tensor.reshape %a(%s) : (tensor<2x6xf32>, tensor<2xindex>) -> "
        "tensor<4x3xf32>",
        "tensor.reshape", 0, between({2, 6}, {4, 3}));
  check("%a: tensor<2x6xf32>, %s: tensor<2xindex>",
        "%r = tensor.reshape %a(%s) : (tensor<2x6xf32>, tensor<2xindex>) -> "
        "tensor<4x3xf32>",
        "tensor.reshape", 1, none);
}

TEST(TensorMaps, ReshapesWithAnUnknownFirstSize) {
  Program program(around("%r = tensor.collapse_shape %a [[0, 1], [2]] : "
                         "tensor<?x4x5xf32> into tensor<?x5xf32>",
                         "%a: tensor<?x4x5xf32>"));
  Arena arena;
  mlir::Operation *op = program.find("tensor.collapse_shape");
  MapSet maps = mapsOf(op, arena, kOut, 0, 0);
  ASSERT_TRUE(maps.isExact());
  const Map &m = maps.front().map;
  EXPECT_EQ(toString(arena, m.results[0]), "d0 / 4");
  EXPECT_EQ(toString(arena, m.results[1]), "d0 mod 4");
  EXPECT_EQ(toString(arena, m.results[2]), "d1");
  maps = mapsOf(op, arena, kIn, 0, 0);
  ASSERT_TRUE(maps.isExact());
  EXPECT_EQ(toString(arena, maps.front().map.results[0]), "d0 * 4 + d1");
  Program none(around("%r = tensor.expand_shape %a [[0, 1]] output_shape [%n, "
                      "0] : tensor<?xf32> into tensor<?x0xf32>",
                      "%a: tensor<?xf32>, %n: index"));
  for (Direction direction : {kOut, kIn})
    EXPECT_TRUE(mapsOf(none.find("tensor.expand_shape"), arena, direction, 0, 0)
                    .front()
                    .map.isKnownEmpty());
  Program inner(around("%r = tensor.collapse_shape %a [[0, 1], [2]] : "
                       "tensor<4x?x5xf32> into tensor<?x5xf32>",
                       "%a: tensor<4x?x5xf32>"));
  maps = mapsOf(inner.find("tensor.collapse_shape"), arena, kOut, 0, 0);
  EXPECT_EQ(maps.front().reason, "a size is known only when the program runs");
  EXPECT_EQ(toString(arena, maps.front().map.results[2]), "d1");
}

TEST(TensorMaps, Slices) {
  const char *large = "%a: tensor<9x8x4xf32>, %s: tensor<3x2xf32>, %i: index "
                      "loc(\"i\"), %j: index loc(\"j\")";
  // The middle dimension has size 1 and is omitted.
  for (int64_t i : {0, 1, 4})
    for (int64_t j : {0, 5, 7}) {
      auto read = [=](const indexing::RuntimeVariable &v, const Index &) {
        return v.bounds.upper == 4 ? i : j;
      };
      auto toLarge = [=](const Index &d) {
        return Index{i + 2 * d[0], j, 1 + d[1]};
      };
      check(large,
            "%r = tensor.extract_slice %a[%i, %j, 1] [3, 1, 2] [2, 1, 1] : "
            "tensor<9x8x4xf32> to tensor<3x2xf32>",
            "tensor.extract_slice", 0, toLarge, Fidelity::Exact, read);
      Reads fromSmall = [=](const Index &d) -> std::optional<Index> {
        for (int64_t x = 0; x < 3; ++x)
          for (int64_t y = 0; y < 2; ++y)
            if (toLarge({x, y}) == d)
              return Index{x, y};
        return std::nullopt;
      };
      const char *insert =
          "%r = tensor.insert_slice %s into %a[%i, %j, 1] [3, 1, 2] [2, 1, 1] "
          ": tensor<3x2xf32> into tensor<9x8x4xf32>";
      check(large, insert, "tensor.insert_slice", 0, fromSmall, Fidelity::Exact,
            read);
      check(
          large, insert, "tensor.insert_slice", 1,
          [=](const Index &d) { return fromSmall(d) ? none(d) : same(d); },
          Fidelity::Exact, read);
      check(large, insert, "tensor.insert_slice", 2, scalar);
    }
  // The whole tensor, at constant offsets.
  check("%a: tensor<4xf32>, %s: tensor<4xf32>",
        "%r = tensor.insert_slice %s into %a[0] [4] [1] : tensor<4xf32> into "
        "tensor<4xf32>",
        "tensor.insert_slice", 1, none);
}

TEST(TensorMaps, SlicesOfUnknownSizeAndStride) {
  Program program(around("%r = tensor.extract_slice %a[%i, 0] [%i, 3] [1, %i] "
                         ": tensor<9x8xf32> to tensor<?x3xf32>",
                         "%a: tensor<9x8xf32>, %i: index"));
  Arena arena;
  mlir::Operation *op = program.find("tensor.extract_slice");
  MapSet maps = mapsOf(op, arena, kOut, 0, 0);
  EXPECT_EQ(maps.front().reason,
            "a stride is known only when the program runs");
  EXPECT_EQ(toString(arena, maps.front().map.results[1]), "s0");
  // The size is not read, the stride is.
  EXPECT_TRUE(mapsOf(op, arena, kOut, 2, 0).front().map.isKnownEmpty());
  EXPECT_FALSE(mapsOf(op, arena, kOut, 3, 0).front().map.isKnownEmpty());
}

TEST(TensorMaps, SingleElements) {
  const char *arguments = "%a: tensor<3x4xf32>, %x: f32, %i: index, %j: index";
  const char *extract = "%r = tensor.extract %a[%i, %j] : tensor<3x4xf32>";
  const char *insert = "%r = tensor.insert %x into %a[%i, %j] : "
                       "tensor<3x4xf32>";
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 4; ++j) {
      auto read = [=](const indexing::RuntimeVariable &v, const Index &) {
        return v.bounds.upper == 2 ? i : j;
      };
      check(
          arguments, extract, "tensor.extract", 0,
          [=](const Index &) { return Index{i, j}; }, Fidelity::Exact, read);
      check(
          arguments, insert, "tensor.insert", 0,
          [=](const Index &d) {
            return d == Index{i, j} ? scalar(d) : std::nullopt;
          },
          Fidelity::Exact, read);
      check(
          arguments, insert, "tensor.insert", 1,
          [=](const Index &d) {
            return d == Index{i, j} ? std::nullopt : same(d);
          },
          Fidelity::Exact, read);
    }
  check(arguments, extract, "tensor.extract", 1, scalar);
  check(arguments, insert, "tensor.insert", 3, scalar);
}

TEST(TensorMaps, Padding) {
  const char *arguments = "%a: tensor<3x4xf32>, %z: f32, %i: index";
  auto pad = [](const char *low, const char *high) {
    return std::string("%r = tensor.pad %a low[1, ") + low + "] high[0, " +
           high +
           "] {\n^bb0(%x: index, %y: index):\n tensor.yield %z : f32\n} : "
           "tensor<3x4xf32> to tensor<4x9xf32>";
  };
  auto reads = [](int64_t low) {
    return [=](const Index &d) -> std::optional<Index> {
      Index e{d[0] - 1, d[1] - low};
      bool inside = e[0] >= 0 && 0 <= e[1] && e[1] < 4;
      return inside ? std::optional(e) : std::nullopt;
    };
  };
  check(arguments, pad("2", "3"), "tensor.pad", 0, reads(2));
  for (int64_t low : {0, 3, 5}) {
    auto read = [=](const indexing::RuntimeVariable &, const Index &) {
      return low;
    };
    check(arguments, pad("%i", "%i"), "tensor.pad", 0, reads(low),
          Fidelity::Exact, read);
  }
  check(arguments, pad("%i", "%i"), "tensor.pad", 1, scalar);
  check(arguments, pad("%i", "%i"), "tensor.pad", 2, none);
}

TEST(TensorMaps, Gather) {
  // Coordinates (i, j) of an index vector: some function of its position.
  auto coordinate = [](const Index &at) {
    int64_t x = at[0] * 5 + at[1] * 3 + at[2];
    return at[2] == 0 ? x % 4 : x % 3;
  };
  auto read = [=](const indexing::RuntimeVariable &, const Index &at) {
    return coordinate(at);
  };
  const char *arguments = "%a: tensor<4x5x3xf32>, %i: tensor<2x3x2xindex>";
  check(
      arguments,
      "%r = tensor.gather %a[%i] gather_dims([0, 2]) : "
      "(tensor<4x5x3xf32>, tensor<2x3x2xindex>) -> tensor<2x3x5xf32>",
      "tensor.gather", 0,
      [=](const Index &d) {
        return Index{coordinate({d[0], d[1], 0}), d[2],
                     coordinate({d[0], d[1], 1})};
      },
      Fidelity::Exact, read);
  check(
      arguments,
      "%r = tensor.gather %a[%i] gather_dims([0, 2]) : "
      "(tensor<4x5x3xf32>, tensor<2x3x2xindex>) -> tensor<2x3x1x5x1xf32>",
      "tensor.gather", 0,
      [=](const Index &d) {
        return Index{coordinate({d[0], d[1], 0}), d[3],
                     coordinate({d[0], d[1], 1})};
      },
      Fidelity::Exact, read);
  // Each element reads both coordinates of its index vector.
  Program program(around(
      "%r = tensor.gather %a[%i] gather_dims([0, 2]) : (tensor<4x5x3xf32>, "
      "tensor<2x3x2xindex>) -> tensor<2x3x5xf32>",
      arguments));
  Relation relation;
  forEachIndex({2, 3, 5, 2}, [&](const Index &at) {
    relation.add({at[0], at[1], at[2]}, {at[0], at[1], at[3]});
  });
  expectReads(program.find("tensor.gather"), 1, 0, relation);
}

TEST(TensorMaps, Scatter) {
  auto read = [](const indexing::RuntimeVariable &, const Index &at) {
    return (at[0] * 3 + 1) % 5; // unique
  };
  const char *arguments =
      "%s: tensor<3x4xf32>, %a: tensor<4x5xf32>, %i: tensor<3x1xindex>";
  const char *scatter =
      "%r = tensor.scatter %s into %a[%i] scatter_dims([1]) unique : "
      "(tensor<3x4xf32>, tensor<4x5xf32>, tensor<3x1xindex>) -> "
      "tensor<4x5xf32>";
  auto source = [](const Index &d) -> std::optional<Index> {
    for (int64_t k = 0; k < 3; ++k)
      if ((k * 3 + 1) % 5 == d[1])
        return Index{k, d[0]};
    return std::nullopt;
  };
  check(arguments, scatter, "tensor.scatter", 0, source, Fidelity::Exact, read);
  check(
      arguments, scatter, "tensor.scatter", 1,
      [=](const Index &d) { return source(d) ? none(d) : same(d); },
      Fidelity::Approximate, read);
}

//===--- linalg without bodies --------------------------------------------===//

TEST(LinalgMaps, PackAndUnpack) {
  // Dimension 0 by tiles of 3, dimension 1 by tiles of 4; outer dimensions
  // exchanged.
  const char *arguments =
      "%a: tensor<7x8xf32>, %o: tensor<2x3x4x3xf32>, %z: f32, "
      "%p: tensor<2x3x4x3xf32>, %u: tensor<7x8xf32>";
  const char *pack =
      "%r = linalg.pack %a padding_value(%z : f32) outer_dims_perm = [1, 0] "
      "inner_dims_pos = [1, 0] inner_tiles = [4, 3] into %o : "
      "tensor<7x8xf32> -> tensor<2x3x4x3xf32>";
  auto unpacked = [](const Index &d) -> std::optional<Index> {
    Index e{d[1] * 3 + d[3], d[0] * 4 + d[2]};
    return e[0] < 7 ? std::optional(e) : std::nullopt;
  };
  check(arguments, pack, "linalg.pack", 0, unpacked);
  check(arguments, pack, "linalg.pack", 1, none);
  check(arguments, pack, "linalg.pack", 2,
        [=](const Index &d) { return unpacked(d) ? std::nullopt : scalar(d); });
  const char *unpack =
      "%r = linalg.unpack %p outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] "
      "inner_tiles = [4, 3] into %u : tensor<2x3x4x3xf32> -> tensor<7x8xf32>";
  check(arguments, unpack, "linalg.unpack", 0, [](const Index &d) {
    return Index{d[1] / 4, d[0] / 3, d[1] % 4, d[0] % 3};
  });
  check(arguments, unpack, "linalg.unpack", 1, none);
}

TEST(LinalgMaps, PackPermutesOuterDimensions) {
  check("%a: tensor<4x3x5xf32>, %o: tensor<5x2x3x2xf32>",
        "%r = linalg.pack %a outer_dims_perm = [2, 0, 1] inner_dims_pos = [0] "
        "inner_tiles = [2] into %o : tensor<4x3x5xf32> -> "
        "tensor<5x2x3x2xf32>",
        "linalg.pack", 0,
        [](const Index &d) { return Index{d[1] * 2 + d[3], d[2], d[0]}; });
}

TEST(LinalgMaps, SoftmaxReadsItsLine) {
  Program program(around(
      "%r = linalg.softmax dimension(1) ins(%a : tensor<2x3x2xf32>) outs(%o : "
      "tensor<2x3x2xf32>) -> tensor<2x3x2xf32>",
      "%a: tensor<2x3x2xf32>, %o: tensor<2x3x2xf32>"));
  ASSERT_TRUE(program.module);
  Relation line;
  forEachIndex({2, 3, 2, 3}, [&](const Index &at) {
    line.add({at[0], at[1], at[2]}, {at[0], at[3], at[2]});
  });
  expectReads(program.find("linalg.softmax"), 0, 0, line);
  expectReads(program.find("linalg.softmax"), 1, 0, {});
}

TEST(LinalgMaps, WinogradTransformsReadTheirImageAndChannel) {
  Arena arena;
  Program program(
      around("%r = linalg.winograd_filter_transform fmr(F_4_3) ins(%f : "
             "tensor<2x3x3x5xf32>) outs(%o : tensor<6x6x5x2xf32>) -> "
             "tensor<6x6x5x2xf32>",
             "%f: tensor<2x3x3x5xf32>, %o: tensor<6x6x5x2xf32>"));
  ASSERT_TRUE(program.module);
  expectMaps(arena,
             mapsOf(program.find("linalg.winograd_filter_transform"), arena,
                    kOut, 0, 0),
             {"~(d0, d1, d2, d3)[s0, s1] -> (d3, s0, s1, d2), domain: d0 in "
              "[0, 5], d1 in [0, 5], d2 in [0, 4], d3 in [0, 1], s0 in [0, 2], "
              "s1 in [0, 2]"});
}

//===--- arith and math ---------------------------------------------------===//

TEST(TensorMaps, ArithmeticOfTensors) {
  check("%a: tensor<2x3xf32>, %b: tensor<2x3xf32>",
        "%r = arith.addf %a, %b : tensor<2x3xf32>", "arith.addf", 1, same);
  check("%a: tensor<2x3xf32>", "%r = math.exp %a : tensor<2x3xf32>", "math.exp",
        0, same);
  check("%c: i1, %a: tensor<2x3xf32>",
        "%r = arith.select %c, %a, %a : tensor<2x3xf32>", "arith.select", 0,
        scalar);
  check("%a: tensor<2x3xi32>",
        "%r = arith.sitofp %a : tensor<2x3xi32> to tensor<2x3xf32>",
        "arith.sitofp", 0, same);
}

TEST(TensorMaps, CastsHaveTheExtentsOfBothTypes) {
  Program program("func.func @f(%a: tensor<2x?xf32>) -> tensor<?x?xf32> {\n"
                  "%r = tensor.cast %a : tensor<2x?xf32> to tensor<?x3xf32>\n"
                  "%s = tensor.cast %r : tensor<?x3xf32> to tensor<?x?xf32>\n"
                  "return %s : tensor<?x?xf32>\n}");
  Arena arena;
  expectMaps(arena, mapsOf(program.find("tensor.cast"), arena, kOut, 0, 0),
             {"(d0, d1) -> (d0, d1), domain: d0 in [0, 1], d1 in [0, 2]"});
}

// Every operation of the dialect with operands and results has a model.
TEST(TensorMaps, AllOperationsAnswer) {
  Program program("func.func @f(%a: tensor<f32>) { %r = tensor.cast %a : "
                  "tensor<f32> to tensor<f32>\nreturn }");
  size_t count = 0;
  for (mlir::RegisteredOperationName name :
       program.context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "tensor")
      continue;
    ++count;
    bool hasNoResult = name.getStringRef() == "tensor.yield" ||
                       name.getStringRef() == "tensor.parallel_insert_slice";
    EXPECT_NE(name.hasInterface<MapInterface>(), hasNoResult)
        << name.getStringRef().str();
  }
  EXPECT_GT(count, 20u);
}

} // namespace
