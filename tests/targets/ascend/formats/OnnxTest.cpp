// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Graphs as models of ONNX: consistency, refusals and their messages.
// tests/peers checks their meaning by running them with other programs.

#include "mercator/targets/ascend/formats/Onnx.h"
#include "mercator/targets/ascend/formats/OnnxNode.h"
#include "tests/targets/ascend/formats/Operators.h"
#include "tests/targets/ascend/formats/Writing.h"

#include "gtest/gtest.h"

using namespace mercator;
using namespace mercator::ascend;
using mlir::ModuleOp;

namespace {
class OnnxModels : public Writing<onnx::ModelProto, writeOnnx> {};
} // namespace

/// Every tensor has one producer, which precedes its users.
static void checkModel(const onnx::ModelProto &model) {
  EXPECT_EQ(model.ir_version(), 8);
  ASSERT_EQ(model.opset_import_size(), 1);
  EXPECT_EQ(model.opset_import(0).domain(), "");
  EXPECT_EQ(model.opset_import(0).version(), 18);
  std::set<std::string> made, nodes, outputs;
  const onnx::GraphProto &graph = model.graph();
  for (const onnx::ValueInfoProto &input : graph.input())
    EXPECT_TRUE(made.insert(input.name()).second) << input.name();
  for (const onnx::TensorProto &tensor : graph.initializer()) {
    EXPECT_TRUE(made.insert(tensor.name()).second) << tensor.name();
    EXPECT_TRUE(tensor.has_raw_data());
  }
  for (const onnx::NodeProto &node : graph.node()) {
    EXPECT_TRUE(nodes.insert(node.name()).second) << node.name();
    for (const std::string &input : node.input())
      EXPECT_TRUE(made.contains(input)) << input;
    ASSERT_GE(node.output_size(), 1);
    for (const std::string &output : node.output()) {
      EXPECT_TRUE(made.insert(output).second) << output;
      outputs.insert(output);
    }
    EXPECT_NE(onnxTypes(node.op_type()).list(), "") << node.op_type();
    for (const onnx::AttributeProto &attribute : node.attribute())
      EXPECT_NE(attribute.type(), onnx::AttributeProto::UNDEFINED);
  }
  for (const onnx::ValueInfoProto &output : graph.output())
    EXPECT_TRUE(outputs.erase(output.name()))
        << output.name() << " is made by no node, or is an output twice";
}

TEST_F(OnnxModels, EveryOperator) {
  Refusals refusals;
  int64_t written = 0;
  std::set<std::string> ofComplex;
  forEveryOperator(graphs, [&](llvm::StringRef name, GeType type,
                               ModuleOp module) {
    bool isComplex = type == GeType::complex64 || type == GeType::complex128;
    std::optional<onnx::ModelProto> model = write(module);
    if (!model)
      return refusals.add(name, type, graphs.messages);
    ++written;
    if (isComplex)
      ofComplex.insert(name.str());
    checkModel(*model);
  });
  std::printf("  %ld operators of a type are written\n", long(written));
  EXPECT_GT(written, 800);
  // ONNX only moves complex numbers.
  EXPECT_EQ(
      llvm::join(ofComplex, " "),
      "BroadcastTo ConcatV2 Fill GatherNd GatherV2 IndexByTensor Pack PadV2 "
      "Reshape ReverseV2 ScatterElements ScatterNdUpdate Select SelectV2 "
      "Slice StridedSlice TensorMove TensorScatterUpdate Transpose");
  EXPECT_EQ(refusals.without("complex"),
            R"(Atan2: bfloat16 float16 float32 float64
BesselI1e: float16 float32 float64
Complex: float32
MaxPoolV3: int64
NextAfter: float32 float64
Pow: int8 uint8
Range: bfloat16 float16
RealDiv: int16 int32 int64 int8 uint16 uint8
Tan: int32 int64
)");
}

TEST_F(OnnxModels, OutputsAreMadeByNodes) {
  std::optional<onnx::ModelProto> model = write(R"(
ascend.graph @outputs {
  %x = ascend.Data {index = 1, name = "x"} : tensor<2xf32>
  %y = ascend.Data {index = 0, name = "NetOutput_0/Identity"} : tensor<2xi1>
  %c = ascend.Const dense<[true, false]> : tensor<2xi1>
  %n = ascend.Neg(%x) : (tensor<2xf32>) -> tensor<2xf32>
  ascend.NetOutput %x, %n, %n, %c : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi1>
})");
  ASSERT_TRUE(model) << graphs.messages;
  checkModel(*model);
  // In the order of their indices.
  EXPECT_EQ(model->graph().input(0).name(), "NetOutput_0/Identity");
  EXPECT_EQ(model->graph().input(1).name(), "x");
  EXPECT_EQ(model->graph().output_size(), 4);
  ASSERT_EQ(model->graph().initializer_size(), 1);
  EXPECT_EQ(model->graph().initializer(0).raw_data(), std::string("\1\0", 2));
  EXPECT_EQ(model->graph().initializer(0).data_type(), 9);
}

TEST_F(OnnxModels, ExtentsOfZeroAreNotCopied) {
  std::optional<onnx::ModelProto> model = write(R"(
ascend.graph @empty {
  %x = ascend.Data {index = 0} : tensor<4x0xf32>
  %shape = ascend.Const dense<[0, 7]> : tensor<2xi64>
  %r = ascend.Reshape(%x, %shape) : (tensor<4x0xf32>, tensor<2xi64>) -> tensor<0x7xf32>
  ascend.NetOutput %r : tensor<0x7xf32>
})");
  ASSERT_TRUE(model) << graphs.messages;
  const onnx::NodeProto &reshape = model->graph().node(0);
  ASSERT_EQ(reshape.attribute_size(), 1);
  EXPECT_EQ(reshape.attribute(0).name(), "allowzero");
  EXPECT_EQ(reshape.attribute(0).i(), 1);
  // An extent of 0 is written, because an omitted extent would be unknown.
  EXPECT_TRUE(model->graph()
                  .output(0)
                  .type()
                  .tensor_type()
                  .shape()
                  .dim(0)
                  .has_dim_value());
}

TEST_F(OnnxModels, UnknownExtents) {
  auto model = write(R"(
ascend.graph @unknown {
  %x = ascend.Data {index = 0, bounds = array<i64: 9, -1>} : tensor<?x4xf32>
  %s = ascend.Shape(%x) : (tensor<?x4xf32>) -> tensor<2xi32>
  %n = ascend.Const dense<1.0> : tensor<f32>
  %y = ascend.Fill(%s, %n) : (tensor<2xi32>, tensor<f32>) -> tensor<?x4xf32>
  ascend.NetOutput %y : tensor<?x4xf32>
})");
  ASSERT_TRUE(model) << graphs.messages;
  for (const onnx::ValueInfoProto &info :
       {model->graph().input(0), model->graph().output(0)}) {
    const auto &shape = info.type().tensor_type().shape();
    ASSERT_EQ(shape.dim_size(), 2);
    EXPECT_FALSE(shape.dim(0).has_dim_value());
    EXPECT_EQ(shape.dim(1).dim_value(), 4);
  }
  std::string types;
  for (const onnx::NodeProto &node : model->graph().node())
    types += node.op_type() + " ";
  EXPECT_EQ(types, "Shape Cast Cast Expand ");
}

TEST_F(OnnxModels, InvalidModels) {
  refuseWhatNoFileHolds();
  refuse(R"(
ascend.graph @axis {
  %x = ascend.Data {index = 0} : tensor<4x4xf32>
  %a = ascend.Data {index = 1} : tensor<i32>
  %r = ascend.GatherV2(%x, %a, %a) : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4xf32>
  ascend.NetOutput %r : tensor<4xf32>
})",
         "'ascend.GatherV2' op expected 'axis' to be a Const");
  refuse(R"(
ascend.graph @concat {
  %x = ascend.Data {index = 0} : tensor<4x4xf32>
  %a = ascend.Data {index = 1} : tensor<i32>
  %r = ascend.ConcatV2(%x, %x, %x, %a) {N = 3} : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<i32>) -> tensor<12x4xf32>
  ascend.NetOutput %r : tensor<12x4xf32>
})",
         "'ascend.ConcatV2' op expected 'concat_dim' to be a Const");
  refuse(R"(
ascend.graph @masks {
  %x = ascend.Data {index = 0} : tensor<4xf32>
  %a = ascend.Const dense<1> : tensor<1xi32>
  %r = ascend.StridedSlice(%x, %a, %a, %a) {end_mask = 1} : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xf32>
  ascend.NetOutput %r : tensor<3xf32>
})",
         "'ascend.StridedSlice' op expected no masks");
  refuse(R"(
ascend.graph @decimals {
  %x = ascend.Data {index = 0} : tensor<4xf32>
  %r = ascend.Round(%x) {decimals = 2} : (tensor<4xf32>) -> tensor<4xf32>
  ascend.NetOutput %r : tensor<4xf32>
})",
         "'ascend.Round' op expected no decimals");
  refuse(R"(
ascend.graph @none {
  %x = ascend.Data {index = 0} : tensor<0x4xf32>
  %a = ascend.Const dense<0> : tensor<1xi32>
  %r = ascend.ReduceMax(%x, %a) : (tensor<0x4xf32>, tensor<1xi32>) -> tensor<4xf32>
  ascend.NetOutput %r : tensor<4xf32>
})",
         "'ascend.ReduceMax' op expected elements to reduce");
}
