// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Extents that are known at run time only and may disagree: machine code refuses
// what the evaluator refuses, and computes the same otherwise. Every access is
// checked.

#include "mercator/compiler/native/Native.h"
#include "mercator/compiler/program/Load.h"
#include "mercator/compiler/program/Stage.h"
#include "mercator/compiler/run/StageValues.h"
#include "tests/Scale.h"
#include "tests/Seed.h"
#include "tests/targets/ascend/rules/Programs.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "gtest/gtest.h"

using namespace mercator;
using reference::Tensor;
using reference::Value;

namespace {
using Module = mlir::OwningOpRef<mlir::ModuleOp>;

/// The parameters and results of @main, and its operations. `?` is an extent from
/// 0 to 3.
struct Row {
  const char *name, *types, *text;
};

#define SUM                                                                    \
  "({\n ^bb0(%p: tensor<i32>, %q: tensor<i32>):\n"                             \
  "  %z = stablehlo.add %p, %q : tensor<i32>\n"                                \
  "  stablehlo.return %z : tensor<i32>\n})"

const Row kRows[] = {
    {"add", "(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32>",
     "%r = stablehlo.add %a, %b : tensor<?xi32>"},
    {"add_known", "(%a: tensor<?xi32>, %b: tensor<2xi32>) -> tensor<2xi32>",
     "%r = stablehlo.add %a, %b : (tensor<?xi32>, tensor<2xi32>) -> "
     "tensor<2xi32>"},
    {"add_matrix",
     "(%a: tensor<?x?xi32>, %b: tensor<?x2xi32>) -> tensor<?x2xi32>",
     "%r = stablehlo.add %a, %b : (tensor<?x?xi32>, tensor<?x2xi32>) -> "
     "tensor<?x2xi32>"},
    {"add_chain",
     "(%a: tensor<?xi32>, %b: tensor<?xi32>, %c: tensor<?xi32>) -> "
     "tensor<?xi32>",
     "%n = stablehlo.negate %a : tensor<?xi32>\n"
     "%m = stablehlo.multiply %n, %b : tensor<?xi32>\n"
     "%r = stablehlo.subtract %m, %c : tensor<?xi32>"},
    {"select",
     "(%p: tensor<?xi1>, %a: tensor<?xi32>, %b: tensor<?xi32>) -> "
     "tensor<?xi32>",
     "%r = stablehlo.select %p, %a, %b : tensor<?xi1>, tensor<?xi32>"},
    {"select_scalar",
     "(%p: tensor<i1>, %a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32>",
     "%r = stablehlo.select %p, %a, %b : tensor<i1>, tensor<?xi32>"},
    {"compare", "(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi1>",
     "%r = stablehlo.compare LT, %a, %b : (tensor<?xi32>, tensor<?xi32>) -> "
     "tensor<?xi1>"},
    {"clamp",
     "(%a: tensor<?xi32>, %b: tensor<?xi32>, %c: tensor<?xi32>) -> "
     "tensor<?xi32>",
     "%r = stablehlo.clamp %a, %b, %c : tensor<?xi32>"},
    {"map", "(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32>",
     "%r = \"stablehlo.map\"(%a, %b) " SUM
     " {dimensions = array<i64: 0>} : (tensor<?xi32>, tensor<?xi32>) -> "
     "tensor<?xi32>"},
    {"broadcast_add",
     "(%a: tensor<?x?xi32>, %b: tensor<?xi32>) -> tensor<?x?xi32>",
     "%r = chlo.broadcast_add %a, %b : (tensor<?x?xi32>, tensor<?xi32>) -> "
     "tensor<?x?xi32>"},
    {"dot", "(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) -> tensor<?x?xi32>",
     "%r = stablehlo.dot %a, %b : (tensor<?x?xi32>, tensor<?x?xi32>) -> "
     "tensor<?x?xi32>"},
    {"dot_general",
     "(%a: tensor<?x2x?xi32>, %b: tensor<?x?x2xi32>) -> tensor<?x2x2xi32>",
     "%r = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], "
     "contracting_dims = [2] x [1] : (tensor<?x2x?xi32>, tensor<?x?x2xi32>) -> "
     "tensor<?x2x2xi32>"},
    {"concatenate",
     "(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>, %c: tensor<1x?xi32>) -> "
     "tensor<?x?xi32>",
     "%r = stablehlo.concatenate %a, %b, %c, dim = 0 : (tensor<?x?xi32>, "
     "tensor<?x?xi32>, tensor<1x?xi32>) -> tensor<?x?xi32>"},
    {"concatenate_known",
     "(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<3xi32>",
     "%r = stablehlo.concatenate %a, %b, dim = 0 : (tensor<?xi32>, "
     "tensor<?xi32>) -> tensor<3xi32>"},
    {"broadcast", "(%a: tensor<?xi32>, %s: tensor<2xi32>) -> tensor<?x?xi32>",
     "%r = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1] : "
     "(tensor<?xi32>, tensor<2xi32>) -> tensor<?x?xi32>"},
    {"broadcast_of_other",
     "(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32>",
     "%n = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?xi32>) -> "
     "tensor<i32>\n"
     "%s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>\n"
     "%r = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0] : "
     "(tensor<?xi32>, tensor<1xi32>) -> tensor<?xi32>"},
    {"broadcast_to_known", "(%a: tensor<?xi32>) -> tensor<2x3xi32>",
     "%r = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<?xi32>) -> "
     "tensor<2x3xi32>"},
    {"reshape", "(%a: tensor<?x?xi32>, %s: tensor<2xi32>) -> tensor<?x?xi32>",
     "%r = stablehlo.dynamic_reshape %a, %s : (tensor<?x?xi32>, "
     "tensor<2xi32>) -> tensor<?x?xi32>"},
    {"reshape_to_known", "(%a: tensor<?x?xi32>) -> tensor<6xi32>",
     "%r = stablehlo.reshape %a : (tensor<?x?xi32>) -> tensor<6xi32>"},
    {"slice", "(%a: tensor<?xi32>) -> tensor<1xi32>",
     "%r = stablehlo.slice %a [1:2] : (tensor<?xi32>) -> tensor<1xi32>"},
    {"real_dynamic_slice",
     "(%a: tensor<?xi32>, %s: tensor<1xi32>, %l: tensor<1xi32>, %t: "
     "tensor<1xi32>) -> tensor<?xi32>",
     "%r = stablehlo.real_dynamic_slice %a, %s, %l, %t : (tensor<?xi32>, "
     "tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>"},
    {"dynamic_slice", "(%a: tensor<?xi32>, %i: tensor<i32>) -> tensor<2xi32>",
     "%r = stablehlo.dynamic_slice %a, %i, sizes = [2] : (tensor<?xi32>, "
     "tensor<i32>) -> tensor<2xi32>"},
    {"dynamic_update_slice",
     "(%a: tensor<?xi32>, %u: tensor<?xi32>, %i: tensor<i32>) -> "
     "tensor<?xi32>",
     "%r = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<?xi32>, "
     "tensor<?xi32>, tensor<i32>) -> tensor<?xi32>"},
    {"pad_negative", "(%a: tensor<?xi32>, %v: tensor<i32>) -> tensor<?xi32>",
     "%r = stablehlo.pad %a, %v, low = [-2], high = [1], interior = [0] : "
     "(tensor<?xi32>, tensor<i32>) -> tensor<?xi32>"},
    {"dynamic_pad",
     "(%a: tensor<?xi32>, %v: tensor<i32>, %l: tensor<1xi32>, %h: "
     "tensor<1xi32>, %i: tensor<1xi32>) -> tensor<?xi32>",
     "%r = stablehlo.dynamic_pad %a, %v, %l, %h, %i : (tensor<?xi32>, "
     "tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> "
     "tensor<?xi32>"},
    {"gather", "(%a: tensor<?x?xi32>, %i: tensor<?x1xi32>) -> tensor<?x2xi32>",
     "%r = \"stablehlo.gather\"(%a, %i) {dimension_numbers = "
     "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
     "start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: "
     "1, 2>} : (tensor<?x?xi32>, tensor<?x1xi32>) -> tensor<?x2xi32>"},
    {"scatter",
     "(%a: tensor<?x2xi32>, %i: tensor<?x1xi32>, %u: tensor<?x2xi32>) -> "
     "tensor<?x2xi32>",
     "%r = \"stablehlo.scatter\"(%a, %i, %u) " SUM
     " {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = "
     "[1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
     "index_vector_dim = 1>} : (tensor<?x2xi32>, tensor<?x1xi32>, "
     "tensor<?x2xi32>) -> tensor<?x2xi32>"},
    {"reduce_two",
     "(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) -> tensor<?xi32>",
     "%c = stablehlo.constant dense<0> : tensor<i32>\n"
     "%r:2 = \"stablehlo.reduce\"(%a, %b, %c, %c) ({\n"
     "^bb0(%p: tensor<i32>, %q: tensor<i32>, %s: tensor<i32>, %t: "
     "tensor<i32>):\n"
     "  %y = stablehlo.add %p, %s : tensor<i32>\n"
     "  %z = stablehlo.maximum %q, %t : tensor<i32>\n"
     "  stablehlo.return %y, %z : tensor<i32>, tensor<i32>\n"
     "}) {dimensions = array<i64: 1>} : (tensor<?x?xi32>, tensor<?x?xi32>, "
     "tensor<i32>, tensor<i32>) -> (tensor<?xi32>, tensor<?xi32>)"},
    {"sort_two", "(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32>",
     "%r:2 = \"stablehlo.sort\"(%a, %b) ({\n"
     "^bb0(%p: tensor<i32>, %q: tensor<i32>, %s: tensor<i32>, %t: "
     "tensor<i32>):\n"
     "  %y = stablehlo.compare LT, %p, %q : (tensor<i32>, tensor<i32>) -> "
     "tensor<i1>\n"
     "  stablehlo.return %y : tensor<i1>\n"
     "}) {dimension = 0 : i64, is_stable = true} : (tensor<?xi32>, "
     "tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>)"},
    {"convolution",
     "(%a: tensor<?x3x?xi32>, %k: tensor<2x?x1xi32>) -> tensor<?x2x1xi32>",
     "%r = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, "
     "o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, "
     "feature_group_count = 1 : i64} : (tensor<?x3x?xi32>, tensor<2x?x1xi32>) "
     "-> tensor<?x2x1xi32>"},
    {"reduce_window_two",
     "(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32>",
     "%c = stablehlo.constant dense<0> : tensor<i32>\n"
     "%r:2 = \"stablehlo.reduce_window\"(%a, %b, %c, %c) ({\n"
     "^bb0(%p: tensor<i32>, %q: tensor<i32>, %s: tensor<i32>, %t: "
     "tensor<i32>):\n"
     "  %y = stablehlo.add %p, %s : tensor<i32>\n"
     "  %z = stablehlo.maximum %q, %t : tensor<i32>\n"
     "  stablehlo.return %y, %z : tensor<i32>, tensor<i32>\n"
     "}) {window_dimensions = array<i64: 2>} : (tensor<?xi32>, "
     "tensor<?xi32>, tensor<i32>, tensor<i32>) -> (tensor<?xi32>, "
     "tensor<?xi32>)"},
    {"while",
     "(%a: tensor<?xi32>, %b: tensor<?xi32>, %m: tensor<i32>) -> "
     "tensor<?xi32>",
     "%i = stablehlo.constant dense<0> : tensor<i32>\n"
     "%o = stablehlo.constant dense<1> : tensor<i32>\n"
     "%w:2 = stablehlo.while(%j = %i, %x = %a) : tensor<i32>, tensor<?xi32>\n"
     "cond {\n"
     "  %c = stablehlo.compare LT, %j, %m : (tensor<i32>, tensor<i32>) -> "
     "tensor<i1>\n"
     "  stablehlo.return %c : tensor<i1>\n"
     "} do {\n"
     "  %k = stablehlo.add %j, %o : tensor<i32>\n"
     "  %y = stablehlo.add %x, %b : tensor<?xi32>\n"
     "  stablehlo.return %k, %y : tensor<i32>, tensor<?xi32>\n"
     "}\n"
     "%r = stablehlo.multiply %w#1, %b : tensor<?xi32>"},
    {"growing_loop",
     "(%a: tensor<?xi32>, %b: tensor<?xi32>, %m: tensor<i32>) -> "
     "tensor<?xi32>",
     "%i = stablehlo.constant dense<0> : tensor<i32>\n"
     "%o = stablehlo.constant dense<1> : tensor<i32>\n"
     "%e = stablehlo.constant dense<7> : tensor<1xi32>\n"
     "%w:2 = stablehlo.while(%j = %i, %x = %a) : tensor<i32>, tensor<?xi32>\n"
     "cond {\n"
     "  %c = stablehlo.compare LT, %j, %m : (tensor<i32>, tensor<i32>) -> "
     "tensor<i1>\n"
     "  stablehlo.return %c : tensor<i1>\n"
     "} do {\n"
     "  %k = stablehlo.add %j, %o : tensor<i32>\n"
     "  %y = stablehlo.concatenate %x, %e, dim = 0 : (tensor<?xi32>, "
     "tensor<1xi32>) -> tensor<?xi32>\n"
     "  stablehlo.return %k, %y : tensor<i32>, tensor<?xi32>\n"
     "}\n"
     "%r = stablehlo.add %w#1, %b : tensor<?xi32>"},
    {"if",
     "(%a: tensor<?xi32>, %b: tensor<?xi32>, %p: tensor<i1>) -> tensor<?xi32>",
     "%r = \"stablehlo.if\"(%p) ({\n"
     "  %y = stablehlo.add %a, %b : tensor<?xi32>\n"
     "  stablehlo.return %y : tensor<?xi32>\n"
     "}, {\n"
     "  stablehlo.return %a : tensor<?xi32>\n"
     "}) : (tensor<i1>) -> tensor<?xi32>"},
    {"after_if",
     "(%a: tensor<?xi32>, %b: tensor<?xi32>, %p: tensor<i1>) -> tensor<?xi32>",
     "%t = \"stablehlo.if\"(%p) ({\n"
     "  %y = stablehlo.add %a, %b : tensor<?xi32>\n"
     "  stablehlo.return %y : tensor<?xi32>\n"
     "}, {\n"
     "  stablehlo.return %a : tensor<?xi32>\n"
     "}) : (tensor<i1>) -> tensor<?xi32>\n"
     "%r = stablehlo.add %t, %b : tensor<?xi32>"},
    {"call", "(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32>",
     "%t = func.call @f(%a, %b) : (tensor<?xi32>, tensor<?xi32>) -> "
     "tensor<?xi32>\n"
     "%r = stablehlo.add %t, %a : tensor<?xi32>"},
    {"unused", "(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32>",
     "%t = stablehlo.add %a, %b : tensor<?xi32>\n"
     "%r = stablehlo.negate %a : tensor<?xi32>"},
    {"cholesky_and_solve",
     "(%a: tensor<?x?xf32>, %b: tensor<?x1xf32>) -> tensor<?x1xf32>",
     "%r = \"stablehlo.triangular_solve\"(%a, %b) {left_side = true, lower = "
     "true, unit_diagonal = true, transpose_a = #stablehlo<transpose "
     "NO_TRANSPOSE>} : (tensor<?x?xf32>, tensor<?x1xf32>) -> "
     "tensor<?x1xf32>"},
    {"iota", "(%s: tensor<2xi32>) -> tensor<?x?xi32>",
     "%r = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi32>) -> "
     "tensor<?x?xi32>"},
};
#undef SUM

/// `tensor<?xi32>` and the like, of extents that the engine draws.
std::vector<Value> drawInputs(mlir::func::FuncOp main,
                              std::mt19937_64 &engine) {
  auto number = [&](int64_t low, int64_t high) {
    return low + int64_t(engine() % uint64_t(high - low + 1));
  };
  // Extents agree often.
  int64_t common = number(0, 3);
  std::vector<Value> inputs;
  for (mlir::Type type : main.getArgumentTypes()) {
    auto tensorType = llvm::cast<mlir::RankedTensorType>(type);
    llvm::SmallVector<int64_t> shape(tensorType.getShape());
    for (int64_t &extent : shape)
      if (mlir::ShapedType::isDynamic(extent))
        extent = number(0, 2) ? common : number(0, 3);
    mlir::Type element = tensorType.getElementType();
    Tensor tensor = *Tensor::zeros(mlir::RankedTensorType::get(shape, element),
                                   [&] { return main.emitError(); });
    for (int64_t i = 0; i < tensor.size(); ++i) {
      int64_t value = element.isInteger(1) ? number(0, 1)
                      : number(0, 2)       ? common
                                           : number(-1, 4);
      tensor.set(i, llvm::isa<mlir::FloatType>(element)
                        ? reference::Scalar::real(double(value))
                        : reference::Scalar::whole(value));
    }
    inputs.emplace_back(std::move(tensor));
  }
  return inputs;
}

std::string shapesOf(llvm::ArrayRef<Value> values) {
  std::string text;
  for (const Value &value : values) {
    text += text.empty() ? "[" : ", [";
    for (int64_t extent : value.tensor()->shape())
      text += std::to_string(extent) + " ";
    text += ":";
    for (int64_t i = 0; i < value.tensor()->size(); ++i)
      text += " " + std::to_string(value.tensor()->at(i).integer);
    text += "]";
  }
  return text;
}
} // namespace

class ExtentChecks : public testing::TestWithParam<Row> {};

TEST_P(ExtentChecks, MachineCodeRefusesWhatTheEvaluatorRefuses) {
  Programs programs;
  std::string text =
      "func.func @main" + std::string(GetParam().types) + " {\n" +
      GetParam().text + "\nreturn %r" +
      (llvm::StringRef(GetParam().text).contains("%r:2") ? "#0" : "") + " : " +
      llvm::StringRef(GetParam().types).rsplit("-> ").second.str() +
      "\n}\n"
      "func.func private @f(%a: tensor<?xi32>, %b: "
      "tensor<?xi32>) -> tensor<?xi32> {\n"
      "%r = stablehlo.add %a, %b : tensor<?xi32>\n"
      "return %r : tensor<?xi32>\n}\n";
  Module module = programs.parse(text);
  ASSERT_TRUE(module) << programs.messages << text;
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  mlir::FunctionType types = main.getFunctionType();
  Module lowered = module->clone();
  ASSERT_TRUE(succeeded(lowerTo(*lowered, Stage::Flow))) << programs.messages;
  auto native = NativeProgram::compile(*lowered, "main", {.isChecked = true});
  ASSERT_TRUE(succeeded(native)) << programs.messages;
  std::mt19937_64 engine(givenSeed().value_or(testSeed()));
  int64_t accepted = 0, refused = 0;
  for (int i = 0; i < 120; ++i) {
    std::vector<Value> inputs = drawInputs(main, engine);
    SCOPED_TRACE(shapesOf(inputs));
    programs.messages.clear();
    reference::Evaluator evaluator(*module, reference::allRules());
    auto wanted = evaluator.call(main, inputs);
    std::string why = programs.messages;
    programs.messages.clear();
    auto given = toStage(inputs, types.getInputs(), native->type().getInputs());
    ASSERT_TRUE(given);
    auto values = native->call(*given, [&] { return module->emitError(); });
    EXPECT_EQ(succeeded(values), succeeded(wanted))
        << "the evaluator: " << why << "machine code: " << programs.messages;
    (failed(wanted) ? refused : accepted) += 1;
    if (failed(values)) {
      EXPECT_TRUE(native->hasRejected());
      EXPECT_NE(programs.messages.find("expected "), std::string::npos)
          << programs.messages;
      continue;
    }
    if (failed(wanted))
      continue;
    auto got = fromStage(*values, types.getResults());
    ASSERT_TRUE(got);
    const Tensor &mine = *got->front().tensor(),
                 &theirs = *wanted->front().tensor();
    ASSERT_EQ(mine.shape(), theirs.shape());
    if (mine.element().isInteger())
      for (int64_t k = 0; k < mine.size(); ++k)
        ASSERT_EQ(mine.at(k).integer, theirs.at(k).integer) << k;
  }
  EXPECT_GT(accepted, 0);
  EXPECT_GT(refused, 0);
}

INSTANTIATE_TEST_SUITE_P(Rows, ExtentChecks, testing::ValuesIn(kRows),
                         [](const testing::TestParamInfo<Row> &info) {
                           return info.param.name;
                         });

/// What follows from the types, from other checks and from the program itself costs
/// nothing.
TEST(ExtentChecksOfProvable, AreNotMade) {
  Programs programs;
  Module module = programs.parse(
      "func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> "
      "tensor<?xf32> {\n"
      "  %0 = stablehlo.add %a, %b : tensor<?x4xf32>\n"
      "  %1 = stablehlo.multiply %0, %b : tensor<?x4xf32>\n"
      "  %n = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?x4xf32>) -> "
      "tensor<i32>\n"
      "  %s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>\n"
      "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "  %2 = stablehlo.dynamic_broadcast_in_dim %z, %s, dims = [] : "
      "(tensor<f32>, tensor<1xi32>) -> tensor<?xf32>\n"
      "  %3 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across "
      "dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>\n"
      "  %4 = stablehlo.maximum %2, %3 : tensor<?xf32>\n"
      "  return %4 : tensor<?xf32>\n}\n");
  ASSERT_TRUE(module) << programs.messages;
  ASSERT_TRUE(succeeded(lowerTo(*module, Stage::Linalg))) << programs.messages;
  int64_t checks = 0;
  module->walk([&](mlir::cf::AssertOp) { ++checks; });
  EXPECT_EQ(checks, 1); // that of %0
}
