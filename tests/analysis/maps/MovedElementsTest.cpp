// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that move elements to places given by other operands, for every
// assignment of small numbers to these. Each element of the data is its own
// number, so the result of the reference evaluator shows which element was
// read.

#include "Program.h"
#include "mercator/reference/AllRules.h"
#include "tests/indexing/BruteForce.h"

#include <map>

using namespace mercator;
using namespace mercator::testing;
using namespace mercator::indexing::testing;

namespace {

using indexing::testing::Index;

/// Arguments of 64 bits are indices, arguments of 32 bits are data.
struct Case {
  const char *arguments, *body, *name, *type;
  int64_t lowest, highest; ///< of the indices
  bool exact = true;
  int operands = 1; ///< the number of data operands
};

class Moves {
public:
  explicit Moves(const Case &c)
      : c(c),
        program("func.func @f(" + std::string(c.arguments) + ") -> " + c.type +
                " {\n" + c.body + "\nreturn %r : " + c.type + "\n}"),
        function(program.function("f")), op(program.find(c.name)) {
    for (int k = 0; k < c.operands; ++k)
      for (Direction direction : {kOut, kIn}) {
        maps[{k, direction == kIn}] = mapsOf(op, arena, direction, k, 0);
        EXPECT_EQ((maps[{k, direction == kIn}].isExact()), c.exact)
            << toString(maps[{k, direction == kIn}]);
      }
  }

  int run() {
    Index sizes; // one for each index
    for (mlir::Type type : function.getArgumentTypes())
      if (isIndices(type))
        sizes.insert(sizes.end(), tensor(type).getNumElements(),
                     c.highest - c.lowest + 1);
    forEachIndex(sizes, [&](const Index &numbers) {
      if (!::testing::Test::HasFailure())
        check(numbers);
    });
    return ran;
  }

private:
  static mlir::RankedTensorType tensor(mlir::Type type) {
    return llvm::cast<mlir::RankedTensorType>(type);
  }
  static bool isIndices(mlir::Type type) {
    return tensor(type).getElementTypeBitWidth() == 64;
  }

  void check(const Index &numbers) {
    std::vector<reference::Value> arguments;
    std::map<std::string, reference::Tensor> named;
    size_t next = 0;
    int64_t element = 0;
    for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
      reference::Tensor t = *reference::Tensor::zeros(tensor(type), [&] {
        return mlir::emitError(mlir::UnknownLoc::get(&program.context));
      });
      for (int64_t place = 0; place < t.size(); ++place)
        t.set(place, reference::Scalar::whole(isIndices(type)
                                                  ? numbers[next++] + c.lowest
                                                  : element++));
      named.emplace("f/arg" + std::to_string(i), t);
      arguments.push_back(t);
    }
    mlir::ScopedDiagnosticHandler quiet(
        &program.context, [](mlir::Diagnostic &) { return mlir::success(); });
    reference::Evaluator evaluator(*program.module, reference::allRules());
    auto results = evaluator.call(function, arguments);
    if (failed(results))
      return; // undefined for these arguments
    ++ran;
    const reference::Tensor &result = *results->front().tensor();
    Reader reader = [&](const indexing::RuntimeVariable &v,
                        const Index &index) {
      auto found = named.find(arena.name(v.source).str());
      EXPECT_NE(found, named.end()) << arena.name(v.source).str();
      return found == named.end() ? 0 : found->second.at(index).integer;
    };
    int64_t first = 0;
    for (int k = 0; k < c.operands; ++k) {
      reference::Tensor data = *arguments[k].tensor();
      Relation expected;
      for (mercator::Index d(result.shape()); d; ++d) {
        int64_t x = result.at(*d).integer - first;
        if (x < 0 || x >= data.size())
          continue;
        for (mercator::Index e(data.shape()); e; ++e)
          if (data.linear(*e) == x)
            expected.add({(*d).begin(), (*d).end()},
                         {(*e).begin(), (*e).end()});
      }
      first += data.size();
      expected.normalize();
      for (bool inToOut : {false, true}) {
        const MapSet &set = maps[{k, inToOut}];
        Relation want = inToOut ? expected.inverse() : expected, got;
        for (const OperandMap &m : set)
          for (auto &pair : relationOf(m.map, reader).pairs)
            // An index beyond the size of the result, but within its bound, has
            // no element.
            if (inside(inToOut ? pair.second : pair.first, result.shape()))
              got.add(pair.first, pair.second);
        got.normalize();
        EXPECT_TRUE(c.exact ? got == want : got.contains(want))
            << "operand " << k << toString(set) << "\n  at "
            << mercator::indexing::testing::toString(numbers)
            << difference(want, got);
      }
    }
  }
  static bool inside(const Index &index, llvm::ArrayRef<int64_t> sizes) {
    for (size_t i = 0; i < index.size(); ++i)
      if (index[i] >= sizes[i])
        return false;
    return true;
  }

  const Case &c;
  Program program;
  mlir::func::FuncOp function;
  mlir::Operation *op;
  Arena arena;
  std::map<std::pair<int, bool>, MapSet> maps;
  int ran = 0;
};

void checkMoved(const Case &c, int atLeast) {
  SCOPED_TRACE(c.body);
  EXPECT_GE(Moves(c).run(), atLeast);
}

TEST(MovedElements, DynamicSlices) {
  checkMoved({"%x: tensor<4x5xi32>, %a: tensor<i64>, %b: tensor<i64>",
              "%r = stablehlo.dynamic_slice %x, %a, %b, sizes = [2, 3] : "
              "(tensor<4x5xi32>, tensor<i64>, tensor<i64>) -> tensor<2x3xi32>",
              "stablehlo.dynamic_slice", "tensor<2x3xi32>", -3, 6},
             100);
  checkMoved({"%x: tensor<4x5xi32>, %u: tensor<2x3xi32>, %a: tensor<i64>, %b: "
              "tensor<i64>",
              "%r = stablehlo.dynamic_update_slice %x, %u, %a, %b : "
              "(tensor<4x5xi32>, tensor<2x3xi32>, tensor<i64>, tensor<i64>) -> "
              "tensor<4x5xi32>",
              "stablehlo.dynamic_update_slice", "tensor<4x5xi32>", -3, 6, true,
              2},
             100);
  // One index for both dimensions, and one that is known to be small.
  checkMoved({"%x: tensor<4x5xi32>, %u: tensor<2x3xi32>, %a: tensor<i64>",
              "%c = stablehlo.constant dense<1> : tensor<i64>\n"
              "%z = stablehlo.constant dense<0> : tensor<i64>\n"
              "%m = stablehlo.clamp %z, %a, %c : tensor<i64>\n"
              "%r = stablehlo.dynamic_update_slice %x, %u, %a, %a : "
              "(tensor<4x5xi32>, tensor<2x3xi32>, tensor<i64>, tensor<i64>) -> "
              "tensor<4x5xi32>",
              "stablehlo.dynamic_update_slice", "tensor<4x5xi32>", -3, 6, true,
              2},
             10);
}

TEST(MovedElements, Gathers) {
  checkMoved(
      {"%x: tensor<3x4xi32>, %i: tensor<2x2xi64>",
       R"(%r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}>
           : (tensor<3x4xi32>, tensor<2x2xi64>) -> tensor<2x2xi32>)",
       "stablehlo.gather", "tensor<2x2xi32>", -1, 3},
      600);
  // The batch dimensions of the indices are in another order than those of the
  // operand.
  checkMoved(
      {"%x: tensor<2x3x4xi32>, %i: tensor<1x2xi64>",
       R"(%r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], operand_batching_dims = [0], collapsed_slice_dims = [1], start_indices_batching_dims = [1], start_index_map = [2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2>}>
           : (tensor<2x3x4xi32>, tensor<1x2xi64>) -> tensor<1x2x2xi32>)",
       "stablehlo.gather", "tensor<1x2x2xi32>", -2, 5},
      60);
  // The rows come from an iota, the columns are read.
  checkMoved({"%x: tensor<3x4xi32>, %j: tensor<5x1xi64>",
              R"(%n = stablehlo.iota dim = 0 : tensor<5x1xi64>
            %i = stablehlo.concatenate %n, %j, dim = 1 : (tensor<5x1xi64>, tensor<5x1xi64>) -> tensor<5x2xi64>
            %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}>
           : (tensor<3x4xi32>, tensor<5x2xi64>) -> tensor<5xi32>)",
              "stablehlo.gather", "tensor<5xi32>", -1, 3},
             3000);
  for (const char *indices :
       {"%i = stablehlo.constant dense<[3, -1, 9, 2]> : tensor<4xi64>",
        "%i = stablehlo.constant dense<[-1, 1, 3, 5]> : tensor<4xi64>",
        "%n = stablehlo.iota dim = 0 : tensor<4xi64>\n"
        "%c = stablehlo.constant dense<2> : tensor<4xi64>\n"
        "%d = stablehlo.divide %n, %c : tensor<4xi64>\n"
        "%i = stablehlo.reverse %d, dims = [0] : tensor<4xi64>"}) {
    std::string body = std::string(indices) + R"(
      %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}>
        : (tensor<4xi32>, tensor<4xi64>) -> tensor<4xi32>)";
    // A table is read when the program runs, like any other tensor.
    if (std::string(indices).find("[3, -1") == std::string::npos)
      checkMoved({"%x: tensor<4xi32>", body.c_str(), "stablehlo.gather",
                  "tensor<4xi32>", 0, 0},
                 1);
  }
}

TEST(MovedElements, TorchIndexSelect) {
  checkMoved(
      {"%x: tensor<2x3x2xi32>, %i: tensor<2xi64>",
       R"(%r = "stablehlo.torch_index_select"(%x, %i) <{dim = 1 : i64, batch_dims = 0 : i64}>
           : (tensor<2x3x2xi32>, tensor<2xi64>) -> tensor<2x2x2xi32>)",
       "stablehlo.torch_index_select", "tensor<2x2x2xi32>", -2, 4},
      40);
  checkMoved(
      {"%x: tensor<2x2x3xi32>, %i: tensor<2x2xi64>",
       R"(%r = "stablehlo.torch_index_select"(%x, %i) <{dim = 2 : i64, batch_dims = 1 : i64}>
           : (tensor<2x2x3xi32>, tensor<2x2xi64>) -> tensor<2x2x2xi32>)",
       "stablehlo.torch_index_select", "tensor<2x2x2xi32>", -1, 3},
      600);
}

TEST(MovedElements, RealDynamicSlice) {
  checkMoved(
      {"%x: tensor<7xi32>, %s: tensor<1xi64>, %l: tensor<1xi64>, %t: "
       "tensor<1xi64>",
       R"(%r = stablehlo.real_dynamic_slice %x, %s, %l, %t : (tensor<7xi32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi32>)",
       "stablehlo.real_dynamic_slice", "tensor<3xi32>", 0, 7},
      10);
  checkMoved(
      {"%x: tensor<7xi32>, %s: tensor<1xi64>, %l: tensor<1xi64>, %t: "
       "tensor<1xi64>",
       R"(%r = stablehlo.real_dynamic_slice %x, %s, %l, %t : (tensor<7xi32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xi32, #stablehlo.bounds<7>>)",
       "stablehlo.real_dynamic_slice", "tensor<?xi32, #stablehlo.bounds<7>>", 0,
       7},
      100);
  checkMoved({"%x: tensor<7x5xi32>, %l: tensor<2xi64>",
              R"(%s = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
            %t = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
            %r = stablehlo.real_dynamic_slice %x, %s, %l, %t : (tensor<7x5xi32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<3x2xi32>)",
              "stablehlo.real_dynamic_slice", "tensor<3x2xi32>", 0, 7},
             1);
}

TEST(MovedElements, DynamicPad) {
  checkMoved(
      {"%x: tensor<3xi32>, %v: tensor<i32>, %l: tensor<1xi64>, %h: "
       "tensor<1xi64>, %i: tensor<1xi64>",
       R"(%r = stablehlo.dynamic_pad %x, %v, %l, %h, %i : (tensor<3xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<5xi32>)",
       "stablehlo.dynamic_pad", "tensor<5xi32>", -6, 6},
      30);
}

// Every element reads the operands that determine its place, and no element
// reads the operands that determine the size only.
TEST(MovedElements, IndicesAreReadAndShapesAreNot) {
  struct {
    const char *arguments, *operation, *name;
    std::vector<unsigned> read, notRead;
  } cases[] = {
      {"%s: tensor<2xi64>",
       "%0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> "
       "tensor<3x4xi32>",
       "stablehlo.dynamic_iota",
       {},
       {0}},
      {"%x: tensor<7xi32>, %s: tensor<1xi64>",
       "%0 = stablehlo.real_dynamic_slice %x, %s, %s, %s : (tensor<7xi32>, "
       "tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi32>",
       "stablehlo.real_dynamic_slice",
       {1, 3},
       {2}},
      {"%x: tensor<7xi32>, %v: tensor<i32>, %s: tensor<1xi64>",
       "%0 = stablehlo.dynamic_pad %x, %v, %s, %s, %s : (tensor<7xi32>, "
       "tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> "
       "tensor<9xi32>",
       "stablehlo.dynamic_pad",
       {2, 4},
       {3}},
      {"%x: tensor<7xi32>, %s: tensor<i32>",
       "%0 = stablehlo.set_dimension_size %x, %s, dim = 0 : (tensor<7xi32>, "
       "tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<7>>",
       "stablehlo.set_dimension_size",
       {0},
       {1}}};
  for (const auto &c : cases) {
    Program program(around(c.operation, c.arguments));
    mlir::Operation *op = program.find(c.name);
    Arena arena;
    for (Direction direction : {kOut, kIn}) {
      for (unsigned k : c.read) {
        MapSet maps = mapsOf(op, arena, direction, k, 0);
        EXPECT_TRUE(maps.isExact());
        EXPECT_FALSE(maps.front().map.isKnownEmpty());
      }
      for (unsigned k : c.notRead) {
        MapSet maps = mapsOf(op, arena, direction, k, 0);
        EXPECT_TRUE(maps.isExact());
        EXPECT_TRUE(maps.front().map.isKnownEmpty());
      }
    }
  }
}

// Only the shape of the operand matters.
TEST(MovedElements, SizesReadNoElement) {
  Program program(around("%0 = stablehlo.get_dimension_size %x, dim = 0 : "
                         "(tensor<?x4xi32>) -> tensor<i32>",
                         "%x: tensor<?x4xi32>"));
  Arena arena;
  for (Direction direction : {kOut, kIn}) {
    MapSet maps = mapsOf(program.find("stablehlo.get_dimension_size"), arena,
                         direction, 0, 0);
    ASSERT_EQ(maps.size(), 1u);
    EXPECT_TRUE(maps.front().map.isKnownEmpty());
  }
}

} // namespace
