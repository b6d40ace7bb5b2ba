// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Graphs as GraphDefs of TensorFlow: consistency, refusals and their messages.

#include "mercator/targets/ascend/formats/GraphDef.h"
#include "mercator/targets/ascend/formats/TfNode.h"
#include "tests/targets/ascend/formats/Operators.h"
#include "tests/targets/ascend/formats/Writing.h"

#include "llvm/Support/Regex.h"
#include "gtest/gtest.h"

using namespace mercator;
using namespace mercator::ascend;
using mlir::ModuleOp;

namespace {
class GraphDefs : public Writing<tf::GraphDef, writeGraphDef> {};
} // namespace

/// Names are valid in TensorFlow and unique; inputs precede their users.
static void checkGraph(const tf::GraphDef &graph) {
  EXPECT_GT(graph.versions().producer(), 0);
  llvm::Regex spelling("^[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*$");
  std::set<std::string> made;
  for (const tf::NodeDef &node : graph.node()) {
    // "node:1" is an output after the first.
    for (const std::string &input : node.input())
      EXPECT_TRUE(made.contains(input.substr(0, input.find(':')))) << input;
    EXPECT_TRUE(spelling.match(node.name())) << node.name();
    EXPECT_TRUE(made.insert(node.name()).second) << node.name();
    std::set<std::string> keys;
    for (const tf::NodeDef::Attr &attribute : node.attr())
      EXPECT_TRUE(keys.insert(attribute.key()).second)
          << node.op() << " " << attribute.key();
  }
}

TEST_F(GraphDefs, EveryOperator) {
  Refusals refusals;
  int64_t written = 0;
  forEveryOperator(graphs,
                   [&](llvm::StringRef name, GeType type, ModuleOp module) {
                     std::optional<tf::GraphDef> graph = write(module);
                     if (!graph)
                       return refusals.add(name, type, graphs.messages);
                     ++written;
                     checkGraph(*graph);
                   });
  std::printf("  %ld operators of a type are written\n", long(written));
  EXPECT_GT(written, 500);
  EXPECT_EQ(refusals.without(""), R"(AvgPoolV2: bfloat16 float16 float32 float64
ClipByValue: complex128 complex64
Conv2D: bfloat16 float16 float32
Conv3D: bfloat16 float16 float32
LayerNormV3: bfloat16 float16 float32
MaxPoolV3: bfloat16 float16 float32 float64 int16 int32 int64 int8 uint16 uint8
Pow: uint8
RealDiv: int16 int32 int64 int8 uint16 uint8
ReduceMax: complex128 complex64
ReduceMin: complex128 complex64
RmsNorm: bfloat16 float16 float32
ScatterElements: bfloat16 complex128 complex64 float16 float32 float64 int16 int32 int64 int8 uint16 uint32 uint64 uint8
Sort: bfloat16 float16 float32 int16 int32 int64 int8 uint16 uint32 uint64 uint8
Tan: int32 int64
TopKV2: bfloat16 float16 float32 float64 int16 int32 int64 int8 uint16 uint32 uint64 uint8
)");
}

TEST_F(GraphDefs, NormsInSeveralNodes) {
  std::optional<tf::GraphDef> graph = write(R"(
ascend.graph @norms {
  %x = ascend.Data {index = 0, name = "x"} : tensor<2x3xbf16>
  %g = ascend.Data {index = 1, name = "g"} : tensor<3xf32>
  %n:3 = ascend.LayerNormV3(%x, %g, %g) {begin_norm_axis = 1, begin_params_axis = 1} : (tensor<2x3xbf16>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xbf16>, tensor<2x1xf32>, tensor<2x1xf32>)
  %r:2 = ascend.RmsNorm(%n#0, %g) : (tensor<2x3xbf16>, tensor<3xf32>) -> (tensor<2x3xbf16>, tensor<2x1xf32>)
  ascend.NetOutput %r#0 : tensor<2x3xbf16>
})");
  ASSERT_TRUE(graph) << graphs.messages;
  checkGraph(*graph);
  std::string types;
  for (const tf::NodeDef &node : graph->node())
    if (node.op() != "Const")
      types += node.op() + " ";
  EXPECT_EQ(types, "Placeholder Placeholder "
                   "Cast Mean Sub Square Mean AddV2 Rsqrt Mul Mul AddV2 Cast "
                   "Cast Square Mean AddV2 Rsqrt Mul Mul Cast Identity ");
}

TEST_F(GraphDefs, Names) {
  std::optional<tf::GraphDef> graph = write(R"(
ascend.graph @names {
  %x = ascend.Data {index = 1, name = "x[0]"} : tensor<2xf32>
  %y = ascend.Data {index = 0, name = "x{0}"} : tensor<2xf32>
  %a = ascend.Neg(%x) : (tensor<2xf32>) -> tensor<2xf32> loc("_größer:0")
  %b = ascend.Neg(%a) : (tensor<2xf32>) -> tensor<2xf32> loc("x_0_")
  %c = ascend.Neg(%b) : (tensor<2xf32>) -> tensor<2xf32> loc("NetOutput_0")
  ascend.NetOutput %c, %x : tensor<2xf32>, tensor<2xf32>
})");
  ASSERT_TRUE(graph) << graphs.messages;
  checkGraph(*graph);
  std::string names;
  for (const tf::NodeDef &node : graph->node())
    names += node.op() + " " + node.name() + "\n";
  EXPECT_EQ(names, "Placeholder x_0__1\nPlaceholder x_0_\nNeg n_gr____er_0\n"
                   "Neg x_0__2\nNeg NetOutput_0\nIdentity NetOutput_0_1\n"
                   "Identity NetOutput_1\n");
}

TEST_F(GraphDefs, UnknownExtents) {
  auto graph = write(R"(
ascend.graph @unknown {
  %x = ascend.Data {index = 0} : tensor<?x4xf32>
  %s = ascend.Shape(%x) : (tensor<?x4xf32>) -> tensor<2xi32>
  ascend.NetOutput %s : tensor<2xi32>
})");
  ASSERT_TRUE(graph) << graphs.messages;
  for (const tf::NodeDef &node : graph->node())
    for (const tf::NodeDef::Attr &attr : node.attr())
      if (attr.key() == "shape") {
        EXPECT_EQ(attr.value().shape().dim(0).size(), -1);
        EXPECT_EQ(attr.value().shape().dim(1).size(), 4);
      }
}

TEST_F(GraphDefs, InvalidGraphDefs) {
  refuseWhatNoFileHolds();
  refuse(R"(
ascend.graph @decimals {
  %x = ascend.Data {index = 0} : tensor<4xf32>
  %r = ascend.Round(%x) {decimals = 2} : (tensor<4xf32>) -> tensor<4xf32>
  ascend.NetOutput %r : tensor<4xf32>
})",
         "'ascend.Round' op expected no decimals");
}
