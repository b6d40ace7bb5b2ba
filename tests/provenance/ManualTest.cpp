// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The maps of random manual computations, against running them: an element of a
// result reads an element of an operand if changing the latter changes the
// former. The bodies only move and add, so that nothing cancels.

#include "Relation.h"
#include "tests/Seed.h"

#include "mercator/analysis/maps/FusionMaps.h"
#include "mercator/dialects/Register.h"
#include "mercator/reference/AllRules.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <random>

using namespace mercator;
using namespace mercator::testing;
using indexing::Direction;

namespace {

/// A program of one computation with an operand and two results.
class Writer {
public:
  explicit Writer(uint64_t seed) : engine(seed) {}

  std::string program() {
    do {
      axes.clear();
      devices = 1;
      for (int64_t i = number(1, 3); i > 0; --i)
        devices *= axes.emplace_back(number(1, 3));
    } while (devices > 8);
    Numbers part = {number(1, 3), number(1, 3)};
    auto [in, whole] = sharding(part);
    value = "%a";
    shape = part;
    next = 0;
    for (int64_t i = number(1, 4); i > 0; --i) {
      step();
      if (i == 2)
        early = {value, shape};
    }
    if (early.first.empty())
      early = {value, shape};
    auto [out, result] = sharding(shape);
    auto [earlyOut, earlyResult] = sharding(early.second);
    std::string mesh, manual;
    for (size_t i = 0; i < axes.size(); ++i) {
      mesh += (i ? ", " : "") + name(i) + "=" + std::to_string(axes[i]);
      manual += (i ? ", " : "") + name(i);
    }
    std::string results = tensor(result) + ", " + tensor(earlyResult);
    return "module attributes {mhlo.num_partitions = " +
           std::to_string(devices) + " : i32} {\nsdy.mesh @m = <[" + mesh +
           "]>\nfunc.func @main(%x: " + tensor(whole) + ") -> (" + results +
           ") {\n%r:2 = sdy.manual_computation(%x) in_shardings=[" + in +
           "] out_shardings=[" + out + ", " + earlyOut + "] manual_axes={" +
           manual + "} (%a: " + tensor(part) + ") {\n" + body + "sdy.return " +
           value + ", " + early.first + " : " + tensor(shape) + ", " +
           tensor(early.second) + "\n} : (" + tensor(whole) + ") -> (" +
           results + ")\nreturn %r#0, %r#1 : " + results + "\n}\n}\n";
  }

private:
  int64_t number(int64_t low, int64_t high) {
    return low + int64_t(engine() % uint64_t(high - low + 1));
  }
  static std::string tensor(const Numbers &shape) {
    return TensorType{shape, "i32"}.text();
  }
  static std::string name(size_t axis) {
    return std::string("\"") + "xyz"[axis] + "\"";
  }

  /// The sharding of a tensor with these parts, and its shape.
  std::pair<std::string, Numbers> sharding(Numbers whole) {
    std::vector<size_t> left(axes.size());
    for (size_t i = 0; i < left.size(); ++i)
      left[i] = i;
    std::shuffle(left.begin(), left.end(), engine);
    std::string text = "<@m, [";
    for (size_t dim = 0; dim < whole.size(); ++dim) {
      text += dim ? ", {" : "{";
      for (bool first = true; !left.empty() && number(0, 1); first = false) {
        text += (first ? "" : ", ") + name(left.back());
        whole[dim] *= axes[left.back()];
        left.pop_back();
      }
      text += "}";
    }
    return {text + "]>", whole};
  }

  /// The devices along one axis, for each position on the other axes.
  std::string groups(size_t axis) const {
    int64_t stride = 1;
    for (size_t i = axis + 1; i < axes.size(); ++i)
      stride *= axes[i];
    std::string rows;
    for (int64_t device = 0; device < devices; ++device) {
      if (device / stride % axes[axis] != 0)
        continue;
      rows += rows.empty() ? "[" : ", [";
      for (int64_t i = 0; i < axes[axis]; ++i)
        rows += (i ? ", " : "") + std::to_string(device + i * stride);
      rows += "]";
    }
    return "replica_groups = dense<[" + rows + "]> : tensor<" +
           std::to_string(devices / axes[axis]) + "x" +
           std::to_string(axes[axis]) + "xi64>";
  }

  void add(const std::string &operation, const std::string &operands,
           const std::string &attributes, const std::string &region,
           Numbers result) {
    std::string name = "%v" + std::to_string(next++);
    body += name + " = \"stablehlo." + operation + "\"(" + operands + ")";
    if (!attributes.empty())
      body += " <{" + attributes + "}>";
    body += region + " : (" + tensor(shape);
    if (operands.find(',') != std::string::npos)
      body += ", " + tensor(shape);
    body += ") -> " + tensor(result) + "\n";
    value = name;
    shape = std::move(result);
  }

  void step() {
    const std::string channel =
        "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>";
    const std::string global = channel + ", use_global_device_ids";
    const std::string sum =
        " ({\n^bb0(%b: tensor<i32>, %c: tensor<i32>):\n%s = stablehlo.add %b, "
        "%c : tensor<i32>\nstablehlo.return %s : tensor<i32>\n})";
    size_t axis = number(0, int64_t(axes.size()) - 1);
    int64_t count = axes[axis], dim = number(0, 1), other = number(0, 1);
    Numbers result = shape;
    switch (number(0, 6)) {
    case 0:
      return add("all_reduce", value, global + ", " + groups(axis), sum, shape);
    case 1:
      result[dim] *= count;
      return add("all_gather", value,
                 "all_gather_dim = " + std::to_string(dim) + " : i64, " +
                     global + ", " + groups(axis),
                 "", result);
    case 2:
      if (shape[dim] % count != 0)
        return;
      result[dim] /= count;
      return add("reduce_scatter", value,
                 "scatter_dimension = " + std::to_string(dim) + " : i64, " +
                     global + ", " + groups(axis),
                 sum, result);
    case 3:
      if (shape[dim] % count != 0)
        return;
      result[dim] /= count;
      result[other] *= count;
      return add("all_to_all", value,
                 "split_dimension = " + std::to_string(dim) +
                     " : i64, concat_dimension = " + std::to_string(other) +
                     " : i64, split_count = " + std::to_string(count) +
                     " : i64, " + channel + ", " + groups(axis),
                 "", result);
    case 4: {
      std::string pairs;
      int64_t distance = number(1, devices);
      for (int64_t i = 0; i < devices; ++i)
        pairs += (i ? ", [" : "[") + std::to_string(i) + ", " +
                 std::to_string((i + distance) % devices) + "]";
      return add("collective_permute", value,
                 channel + ", source_target_pairs = dense<[" + pairs +
                     "]> : tensor<" + std::to_string(devices) + "x2xi64>",
                 "", shape);
    }
    case 5:
      return add("transpose", value, "permutation = array<i64: 1, 0>", "",
                 {shape[1], shape[0]});
    default:
      return add("add", value + ", " + value, "", "", shape);
    }
  }

  std::mt19937_64 engine;
  Numbers axes;
  int64_t devices = 1;
  int next = 0;
  std::string body, value;
  Numbers shape;
  std::pair<std::string, Numbers> early;
};

/// The values of all results, in order.
std::optional<std::vector<Numbers>> run(mlir::ModuleOp module,
                                        const reference::Tensor &x) {
  reference::Evaluator evaluator(module, reference::allRules());
  auto results =
      evaluator.call(module.lookupSymbol<mlir::func::FuncOp>("main"), {x});
  if (failed(results))
    return std::nullopt;
  std::vector<Numbers> values;
  for (const reference::Value &value : *results) {
    Numbers &list = values.emplace_back();
    for (int64_t i = 0; i < value.tensor()->size(); ++i)
      list.push_back(value.tensor()->at(i).integer);
  }
  return values;
}

Numbers shapeOf(mlir::Type type) {
  llvm::ArrayRef<int64_t> shape =
      llvm::cast<mlir::RankedTensorType>(type).getShape();
  return {shape.begin(), shape.end()};
}

void check(const std::string &text, mlir::MLIRContext &context, int &exact) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  ASSERT_TRUE(module) << text;
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  mlir::Operation *op = &main.getBody().front().front();
  auto emitError = [&] { return op->emitError(); };
  auto type = llvm::cast<mlir::RankedTensorType>(main.getArgument(0).getType());
  reference::Tensor zero = *reference::Tensor::zeros(type, emitError);
  std::optional<std::vector<Numbers>> before = run(*module, zero);
  ASSERT_TRUE(before) << text;
  std::vector<Relation> expected;
  for (mlir::Value result : op->getResults())
    expected.emplace_back(shapeOf(result.getType()), shapeOf(type));
  for (int64_t i = 0; i < zero.size(); ++i) {
    reference::Tensor x = *zero.clone(emitError);
    x.set(i, reference::Scalar::whole(1));
    std::optional<std::vector<Numbers>> after = run(*module, x);
    ASSERT_TRUE(after) << text;
    for (size_t r = 0; r < expected.size(); ++r)
      for (size_t d = 0; d < (*after)[r].size(); ++d)
        if ((*after)[r][d] != (*before)[r][d])
          expected[r].set(int64_t(d), i);
  }
  auto noValue = [](const indexing::RuntimeVariable &,
                    llvm::ArrayRef<int64_t>) -> std::optional<int64_t> {
    return std::nullopt;
  };
  for (Direction direction : {Direction::OutToIn, Direction::InToOut})
    for (size_t r = 0; r < expected.size(); ++r) {
      indexing::Arena arena;
      Relation want = direction == Direction::OutToIn
                          ? expected[r]
                          : expected[r].transposed();
      Relation got(want.from, want.to);
      indexing::MapSet maps = mapsOf(op, arena, direction, 0, unsigned(r));
      for (const indexing::OperandMap &m : maps)
        ASSERT_EQ(addMap(got, m.map, noValue), "") << text;
      EXPECT_TRUE(got.contains(want)) << text << difference(want, got);
      if (!maps.isExact())
        continue;
      ++exact;
      EXPECT_EQ(got, want) << text << difference(want, got);
    }
}

TEST(Manual, MapsAgreeWithExecution) {
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  registerMapInterfaces(registry);
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();
  SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(testSeed()));
  constexpr int kPrograms = 120;
  int exact = 0;
  for (int i = 0; i < kPrograms && !HasFailure(); ++i)
    check(Writer(testSeed() + uint64_t(i)).program(), context, exact);
  // Two results, two directions.
  EXPECT_EQ(exact, 4 * kPrograms);
}

} // namespace
