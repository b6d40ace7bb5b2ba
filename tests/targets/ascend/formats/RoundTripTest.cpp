// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A written graph reads back as the same graph and is written again as the same
// bytes.

#include "mercator/dialects/ascend/Infer.h"
#include "mercator/dialects/ascend/Registry.h"
#include "mercator/targets/ascend/Passes.h"
#include "mercator/targets/ascend/formats/Attributes.h"
#include "mercator/targets/ascend/formats/GeModel.pb.h"
#include "tests/Seed.h"
#include "tests/targets/ascend/formats/Graphs.h"
#include "tests/targets/ascend/gather/RandomGather.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

using namespace mercator;
using namespace mercator::ascend;
using mlir::ModuleOp;
using mlir::OwningOpRef;

namespace {
class AirRoundTrip : public ::testing::Test {
protected:
  /// Also returns the graph that was read.
  OwningOpRef<ModuleOp> check(ModuleOp module) {
    std::string bytes = graphs.air(module);
    EXPECT_NE(bytes, "") << graphs.messages;
    EXPECT_EQ(bytes, graphs.air(module)) << "the same graph, other bytes";
    OwningOpRef<ModuleOp> again = graphs.read(bytes);
    if (!again) {
      ADD_FAILURE() << graphs.messages << Graphs::print(module);
      return nullptr;
    }
    EXPECT_EQ(graphs.air(*again), bytes) << Graphs::print(module);
    if (std::distance(module.getOps<GraphOp>().begin(),
                      module.getOps<GraphOp>().end()) == 1) {
      EXPECT_EQ(Graphs::print(*again), Graphs::print(module));
    }
    EXPECT_EQ(graphs.text(*again), graphs.text(module));
    EXPECT_NE(graphs.text(module), "") << graphs.messages;
    return again;
  }

  Graphs graphs;
};
} // namespace

TEST_F(AirRoundTrip, Rows) {
  OwningOpRef<ModuleOp> module = graphs.parse(kRows);
  ASSERT_TRUE(module) << graphs.messages;
  OwningOpRef<ModuleOp> again = check(*module);
  ASSERT_TRUE(again);
  // The location of a node is the file and its name.
  GraphOp graph = Graphs::graph(*again);
  auto gather = *graph.getOps<GatherV2Op>().begin();
  auto name = llvm::dyn_cast<mlir::NameLoc>(gather->getLoc());
  ASSERT_TRUE(name);
  EXPECT_EQ(name.getName(), "GatherV2_0");
  auto file = llvm::dyn_cast<mlir::FileLineColLoc>(name.getChildLoc());
  ASSERT_TRUE(file);
  EXPECT_EQ(file.getFilename(), "t.air");
  EXPECT_EQ(file.getLine(), 0u);
}

TEST_F(AirRoundTrip, NamesOfLocationsThatCollide) {
  OwningOpRef<ModuleOp> module = graphs.parse(R"(
ascend.graph @names {
  %x = ascend.Data {index = 0} : tensor<2xf32>
  %a = ascend.Neg(%x) : (tensor<2xf32>) -> tensor<2xf32> loc("a:0")
  %b = ascend.Neg(%a) : (tensor<2xf32>) -> tensor<2xf32> loc("a:0")
  %c = ascend.Neg(%b) : (tensor<2xf32>) -> tensor<2xf32> loc("NetOutput")
  %d = ascend.Neg(%c) : (tensor<2xf32>) -> tensor<2xf32> loc("größer\n")
  ascend.NetOutput %d, %d, %x : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
})");
  ASSERT_TRUE(module) << graphs.messages;
  check(*module);
}

TEST_F(AirRoundTrip, EveryElementType) {
  std::string data, uses, types, constants;
  for (unsigned i = 0; i < kGeTypes; ++i) {
    std::string element, n = std::to_string(i);
    llvm::raw_string_ostream(element)
        << elementType(GeType(i), &graphs.context);
    std::string type = "tensor<2x3x" + element + ">";
    data += "  %d" + n + " = ascend.Data {index = " + n + "} : " + type + "\n";
    bool isFloat = !llvm::StringRef(element).contains('i');
    bool isComplex = llvm::StringRef(element).starts_with("complex");
    std::string zero = isFloat ? "0.0" : "0", one = isFloat ? "1.5" : "1";
    if (isComplex)
      zero = "(-1.0, 2.0)", one = "(0.5, 0x7F800001)", one = "(0.5, 0.0)";
    data += "  %s" + n + " = ascend.Const dense<" + one + "> : " + type + "\n";
    data += "  %c" + n + " = ascend.Const dense<[[" + zero + ", " + one + ", " +
            one + "], [" + one + ", " + zero + ", " + zero + "]]> : " + type +
            "\n";
    data +=
        "  %e" + n + " = ascend.Const dense<> : tensor<0x3x" + element + ">\n";
    data += "  %r" + n + " = ascend.Const dense<" + one + "> : tensor<" +
            element + ">\n";
    for (const char *kind : {"d", "s", "c"}) {
      uses += (uses.empty() ? "%" : ", %") + (kind + n);
      types += (types.empty() ? "" : ", ") + type;
    }
  }
  OwningOpRef<ModuleOp> module =
      graphs.parse("ascend.graph @types {\n" + data + "  ascend.NetOutput " +
                   uses + " : " + types + "\n}");
  ASSERT_TRUE(module) << graphs.messages;
  check(*module);
}

TEST_F(AirRoundTrip, UnknownExtentsAndNoInputsAtAll) {
  OwningOpRef<ModuleOp> module = graphs.parse(R"(
ascend.graph @unknown {
  %x = ascend.Data {index = 0} : tensor<?x3xf32>
  %s = ascend.Data {index = 1} : tensor<2xi64>
  %a = ascend.Abs(%x) : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %r = ascend.Reshape(%a, %s) : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  ascend.NetOutput %r : tensor<?x?xf32>
})");
  ASSERT_TRUE(module) << graphs.messages;
  check(*module);
  module = graphs.parse("ascend.graph @none {\n  ascend.NetOutput\n}");
  ASSERT_TRUE(module) << graphs.messages;
  check(*module);
}

/// Elements in a resource are read back as elements.
TEST_F(AirRoundTrip, Resources) {
  OwningOpRef<ModuleOp> module = graphs.parse(R"(
ascend.graph @resource {
  %w = ascend.Const dense_resource<w> : tensor<2xi16>
  ascend.NetOutput %w : tensor<2xi16>
}
{-# dialect_resources: { builtin: { w: "0x020000000100FFFF" } } #-})");
  ASSERT_TRUE(module) << graphs.messages;
  OwningOpRef<ModuleOp> again = graphs.read(graphs.air(*module));
  ASSERT_TRUE(again) << graphs.messages;
  EXPECT_NE(Graphs::print(*again).find("dense<[1, -1]> : tensor<2xi16>"),
            std::string::npos)
      << Graphs::print(*again);
}

//===--- Every operator ---------------------------------------------------===//

/// Operators with inputs that determine the shape.
static std::string shapeOperators() {
  std::string text = R"(
ascend.graph @shapes {
  %x = ascend.Data {index = 0} : tensor<2x3xf32>
  %i = ascend.Data {index = 1} : tensor<2x1xi64>
  %b = ascend.Data {index = 2} : tensor<2x3xi1>
  %s = ascend.Data {index = 3} : tensor<f32>
  %v = ascend.Data {index = 4} : tensor<2x1xf32>
  %g = ascend.Data {index = 5} : tensor<3xf32>
  %k = ascend.Const dense<1> : tensor<i32>
  %zero = ascend.Const dense<0> : tensor<i64>
  %one = ascend.Const dense<1> : tensor<1xi64>
  %swap = ascend.Const dense<[1, 0]> : tensor<2xi64>
  %flat = ascend.Const dense<-1> : tensor<1xi64>
  %wide = ascend.Const dense<[4, 2, 3]> : tensor<3xi64>
  %zeros = ascend.Const dense<0> : tensor<2xi64>
  %ones = ascend.Const dense<1> : tensor<2xi64>
  %two = ascend.Const dense<2> : tensor<2xi64>
  %pads = ascend.Const dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>
  %r0 = ascend.GatherV2(%x, %i, %zero) {batch_dims = 0, is_preprocessed = true} : (tensor<2x3xf32>, tensor<2x1xi64>, tensor<i64>) -> tensor<2x1x3xf32>
  %r1 = ascend.GatherV2D(%x, %i) {axis = 1} : (tensor<2x3xf32>, tensor<2x1xi64>) -> tensor<2x2x1xf32>
  %r2 = ascend.GatherNd(%x, %i) : (tensor<2x3xf32>, tensor<2x1xi64>) -> tensor<2x3xf32>
  %r3 = ascend.GatherElements(%x, %i) {dim = 1} : (tensor<2x3xf32>, tensor<2x1xi64>) -> tensor<2x1xf32>
  %r4 = ascend.Transpose(%x, %swap) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  %r5 = ascend.Reshape(%x, %flat) : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<6xf32>
  %r6 = ascend.BroadcastTo(%x, %wide) : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<4x2x3xf32>
  %r7 = ascend.Slice(%x, %zeros, %ones) : (tensor<2x3xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x1xf32>
  %r8 = ascend.StridedSlice(%x, %zeros, %two, %ones) : (tensor<2x3xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xf32>
  %r9 = ascend.ConcatV2(%x, %x, %x, %zero) {N = 3} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<i64>) -> tensor<6x3xf32>
  %r10 = ascend.Pack(%x, %x) {N = 2, axis = 2} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3x2xf32>
  %r11 = ascend.PadV2(%x, %pads, %s) : (tensor<2x3xf32>, tensor<2x2xi64>, tensor<f32>) -> tensor<3x5xf32>
  %r12 = ascend.ReverseV2(%x, %one) : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
  %r13 = ascend.Range(%zero, %zero, %one) : (tensor<i64>, tensor<i64>, tensor<1xi64>) -> tensor<0xi64>
  %r14 = ascend.Fill(%two, %s) : (tensor<2xi64>, tensor<f32>) -> tensor<2x2xf32>
  %r15 = ascend.Cast(%x) {dst_type = 27} : (tensor<2x3xf32>) -> tensor<2x3xbf16>
  %r16 = ascend.ReduceAll(%b, %one) {keep_dims = true} : (tensor<2x3xi1>, tensor<1xi64>) -> tensor<2x1xi1>
  %r17 = ascend.ReduceAny(%b, %one) : (tensor<2x3xi1>, tensor<1xi64>) -> tensor<2xi1>
  %r18 = ascend.IndexByTensor(%x, %i) {indices_mask = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<2x1xi64>) -> tensor<2x2x1xf32>
  %r19 = ascend.ScatterElements(%x, %i, %v) {reduction = "add"} : (tensor<2x3xf32>, tensor<2x1xi64>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %r20:2 = ascend.Sort(%x) {stable = true} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  %r21:2 = ascend.TopKV2(%x, %k) {dim = 0, largest = false} : (tensor<2x3xf32>, tensor<i32>) -> (tensor<1x3xf32>, tensor<1x3xi32>)
  %r22 = ascend.SoftmaxV2(%x) {axes = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %r23 = ascend.GeluV2(%x) {approximate = "tanh"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %r24:3 = ascend.LayerNormV3(%x, %g, %g) {begin_norm_axis = 1, begin_params_axis = -1, epsilon = 0.1 : f32} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  %r25:2 = ascend.RmsNorm(%x, %g) {epsilon = 0.1 : f32} : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2x1xf32>)
)";
  text += R"(
  %image = ascend.Data {index = 6} : tensor<2x4x6x5xf32>
  %kernel = ascend.Data {index = 7} : tensor<6x2x3x2xf32>
  %volume = ascend.Data {index = 8} : tensor<1x2x3x4x5xf32>
  %cube = ascend.Data {index = 9} : tensor<3x2x2x2x2xf32>
  %w0 = ascend.Conv2D(%image, %kernel) {dilations = array<i64: 1, 1, 2, 3>, groups = 2 : i64, pads = array<i64: 1, 0, 2, 1>, strides = array<i64: 1, 1, 2, 1>} : (tensor<2x4x6x5xf32>, tensor<6x2x3x2xf32>) -> tensor<2x6x2x5xf32>
  %w1 = ascend.Conv3D(%volume, %cube) {pads = array<i64: 1, 0, 0, 1, 0, 0>, strides = array<i64: 1, 1, 1, 2, 1>} : (tensor<1x2x3x4x5xf32>, tensor<3x2x2x2x2xf32>) -> tensor<1x3x3x2x4xf32>
  %w2 = ascend.MaxPoolV3(%image) {ksize = array<i64: 1, 1, 2, 3>, pads = array<i64: 1, 0, 0, 2>, strides = array<i64: 1, 1, 1, 2>} : (tensor<2x4x6x5xf32>) -> tensor<2x4x6x3xf32>
  %w3 = ascend.AvgPoolV2(%image) {exclusive = false, ksize = array<i64: 1, 1, 2, 2>, strides = array<i64: 1, 1, 2, 2>} : (tensor<2x4x6x5xf32>) -> tensor<2x4x3x2xf32>
  %w4 = ascend.Cumsum(%x, %zero) {exclusive = true, reverse = true} : (tensor<2x3xf32>, tensor<i64>) -> tensor<2x3xf32>
)";
  for (const char *type :
       {"ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceMean"})
    text += std::string("  %") + type + " = ascend." + type +
            "(%x, %one) : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>\n";
  for (const char *type : {"Update", "Add"})
    text += std::string("  %Copy") + type +
            " = ascend.TensorMove(%x) : (tensor<2x3xf32>) -> "
            "tensor<2x3xf32>\n  %InPlace" +
            type + " = ascend.ScatterNd" + type + "(%Copy" + type +
            ", %i, %x) : (tensor<2x3xf32>, tensor<2x1xi64>, "
            "tensor<2x3xf32>) -> tensor<2x3xf32>\n";
  for (const char *type : {"Update", "Add", "Max", "Min"})
    text += std::string("  %Scatter") + type + " = ascend.TensorScatter" +
            type +
            "(%x, %i, %x) : (tensor<2x3xf32>, tensor<2x1xi64>, "
            "tensor<2x3xf32>) -> tensor<2x3xf32>\n";
  return text + "  ascend.NetOutput %r0, %r9, %r20#1, %r21#0, %r24#2 : "
                "tensor<2x1x3xf32>, tensor<6x3xf32>, tensor<2x3xi32>, "
                "tensor<1x3xf32>, tensor<2x1xf32>\n}";
}

static llvm::StringSet<> typesOf(ModuleOp module) {
  llvm::StringSet<> types;
  module.walk(
      [&](mlir::Operation *op) { types.insert(op->getName().stripDialect()); });
  return types;
}

/// One operator on square matrices; null where it does not support them.
static OwningOpRef<ModuleOp> squares(Graphs &graphs, const Operator &entry) {
  mlir::OpBuilder b(&graphs.context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(b.getUnknownLoc());
  b.setInsertionPointToEnd(module->getBody());
  auto graph = GraphOp::create(b, b.getUnknownLoc(), "one");
  b.createBlock(&graph.getBody());
  mlir::OperationState state(b.getUnknownLoc(), ("ascend." + entry.name).str());
  llvm::SmallVector<mlir::Value> inputs;
  for (const Input &input : entry.inputs) {
    unsigned type = 0;
    while (type < kGeTypes && !input.types.has(GeType(type)))
      ++type;
    auto matrix = mlir::RankedTensorType::get(
        {3, 3}, elementType(GeType(type), &graphs.context));
    inputs.push_back(DataOp::create(
        b, b.getUnknownLoc(), matrix, b.getI64IntegerAttr(inputs.size()),
        mlir::StringAttr(), mlir::DenseI64ArrayAttr()));
  }
  state.addOperands(inputs);
  state.addTypes(inputs[0].getType());
  mlir::Operation *op = b.create(state);
  auto shape = inferShape(op);
  auto element = inferElement(op);
  if (failed(shape) || !*shape || failed(element))
    return nullptr;
  op->getResult(0).setType(mlir::RankedTensorType::get(**shape, *element));
  NetOutputOp::create(b, b.getUnknownLoc(), op->getResults());
  return mlir::succeeded(mlir::verify(*module)) ? std::move(module) : nullptr;
}

TEST_F(AirRoundTrip, EveryOperator) {
  OwningOpRef<ModuleOp> shapes = graphs.parse(shapeOperators());
  ASSERT_TRUE(shapes) << graphs.messages;
  check(*shapes);
  llvm::StringSet<> types = typesOf(*shapes);
  for (const Operator &entry : allOperators()) {
    if (types.contains(entry.name))
      continue;
    SCOPED_TRACE(entry.name.str());
    OwningOpRef<ModuleOp> module = squares(graphs, entry);
    if (!module) {
      ADD_FAILURE() << "add the operator to shapeOperators() above: "
                    << graphs.messages;
      continue;
    }
    check(*module);
  }
}

/// A file has every attribute of an operation, so the table must have it too.
TEST_F(AirRoundTrip, EveryAttribute) {
  graphs.context.loadDialect<AscendDialect>();
  for (const Operator &entry : allOperators()) {
    auto name = mlir::RegisteredOperationName::lookup(
        ("ascend." + entry.name).str(), &graphs.context);
    ASSERT_TRUE(name) << entry.name.str();
    std::vector<std::string> got, want;
    for (const AttributeRule &rule : attributesOf(entry.name))
      want.push_back(rule.name.str());
    for (mlir::StringAttr attribute : name->getAttributeNames())
      got.push_back(attribute.str());
    EXPECT_TRUE(llvm::is_sorted(want)) << entry.name.str();
    llvm::sort(got);
    EXPECT_EQ(got, want) << entry.name.str()
                         << ": see targets/ascend/Attributes.cpp";
  }
}

/// Other tools write every attribute of a prototype. Attributes that operations
/// do not have are read at their default, and refused at any other value.
TEST_F(AirRoundTrip, FixedAttributes) {
  using Kind = FixedAttribute::Kind;
  auto set = [](ge::OpDef &op, const FixedAttribute &fixed, int value) {
    ge::AttrDef *out = nullptr;
    for (ge::AttrEntry &entry : *op.mutable_attr())
      if (entry.key() == fixed.name)
        out = entry.mutable_value();
    if (!out) {
      ge::AttrEntry &entry = *op.add_attr();
      entry.set_key(fixed.name.str());
      out = entry.mutable_value();
    }
    if (fixed.kind == Kind::Boolean)
      out->set_b(value != 0);
    else if (fixed.kind == Kind::Integer)
      out->set_i(value);
    else if (fixed.kind == Kind::Text)
      out->set_s(value == fixed.value ? fixed.text.str() : "NHWC");
    else if (fixed.kind == Kind::Real)
      out->set_f(float(value));
    else if (fixed.kind == Kind::Integer)
      out->set_i(value);
    else
      out->set_dt(value);
  };
  auto check = [&](ModuleOp module, llvm::StringSet<> &seen) {
    ge::ModelDef good;
    ASSERT_TRUE(good.ParseFromString(graphs.air(module))) << graphs.messages;
    for (int i = 0; i < good.graph(0).op_size(); ++i) {
      llvm::StringRef type = good.graph(0).op(i).type();
      for (const FixedAttribute &fixed : fixedAttributesOf(type)) {
        SCOPED_TRACE(type.str() + "." + fixed.name.str());
        seen.insert(type);
        ge::ModelDef model = good;
        ge::OpDef &op = *model.mutable_graph(0)->mutable_op(i);
        set(op, fixed, fixed.value);
        OwningOpRef<ModuleOp> again = graphs.read(model.SerializeAsString());
        ASSERT_TRUE(again) << graphs.messages;
        EXPECT_EQ(graphs.text(*again), graphs.text(module));
        // Without it, like files of older versions of this tool.
        op.clear_attr();
        for (const ge::AttrEntry &entry : good.graph(0).op(i).attr())
          if (entry.key() != fixed.name)
            *op.add_attr() = entry;
        EXPECT_EQ(bool(graphs.read(model.SerializeAsString())),
                  !fixed.isRequired)
            << graphs.messages;
        set(op, fixed,
            fixed.kind == Kind::Boolean ? !fixed.value : fixed.value + 3);
        again = graphs.read(model.SerializeAsString());
        // With axes the attribute has no effect.
        if (fixed.name == "noop_with_empty_axes") {
          EXPECT_TRUE(again) << graphs.messages;
          continue;
        }
        EXPECT_FALSE(again);
        EXPECT_NE(graphs.messages.find(
                      "expected attribute '" + fixed.name.str() +
                      (fixed.kind == Kind::Text
                           ? "' to be '" + fixed.text.str() + "', the only"
                           : "' to have its default")),
                  std::string::npos)
            << graphs.messages;
      }
    }
  };
  llvm::StringSet<> seen;
  OwningOpRef<ModuleOp> shapes = graphs.parse(shapeOperators());
  ASSERT_TRUE(shapes) << graphs.messages;
  check(*shapes, seen);
  for (const Operator &entry : allOperators())
    if (!fixedAttributesOf(entry.name).empty() && !seen.contains(entry.name)) {
      OwningOpRef<ModuleOp> module = squares(graphs, entry);
      ASSERT_TRUE(module) << graphs.messages;
      check(*module, seen);
      EXPECT_TRUE(seen.contains(entry.name)) << entry.name.str();
    }
  EXPECT_TRUE(seen.contains("Exp") && seen.contains("ReduceSum") &&
              seen.contains("Conv2D") && seen.contains("AvgPoolV2"));
}

/// TorchAir describes all inputs of a prototype. An optional input that is not
/// connected has an empty name.
TEST_F(AirRoundTrip, UnconnectedInputs) {
  OwningOpRef<ModuleOp> module = graphs.parse(shapeOperators());
  ASSERT_TRUE(module) << graphs.messages;
  ge::ModelDef model;
  ASSERT_TRUE(model.ParseFromString(graphs.air(*module))) << graphs.messages;
  int64_t count = 0;
  for (ge::OpDef &op : *model.mutable_graph(0)->mutable_op())
    if (op.type() == "Conv2D" || op.type() == "Conv3D") {
      for (const char *name : {"bias", "offset_w"}) {
        op.add_input("");
        op.add_input_desc()->set_name(name);
      }
      ++count;
    }
  EXPECT_EQ(count, 2);
  OwningOpRef<ModuleOp> again = graphs.read(model.SerializeAsString());
  ASSERT_TRUE(again) << graphs.messages;
  EXPECT_EQ(graphs.text(*again), graphs.text(*module));
  // A connected one would change the result.
  for (ge::OpDef &op : *model.mutable_graph(0)->mutable_op())
    if (op.type() == "Conv2D")
      op.set_input(2, op.input(0));
  EXPECT_FALSE(graphs.read(model.SerializeAsString()));
  EXPECT_NE(graphs.messages.find("expected 2 inputs, got 3"), std::string::npos)
      << graphs.messages;
}

/// Convolutions and poolings are those of NCHW and NCDHW.
TEST_F(AirRoundTrip, Layouts) {
  OwningOpRef<ModuleOp> module = graphs.parse(shapeOperators());
  ASSERT_TRUE(module) << graphs.messages;
  ge::ModelDef good;
  ASSERT_TRUE(good.ParseFromString(graphs.air(*module))) << graphs.messages;
  int64_t count = 0;
  for (int i = 0; i < good.graph(0).op_size(); ++i) {
    const Operator *entry = findOperator(good.graph(0).op(i).type());
    if (!entry || entry->layout.number == kPlain.number)
      continue;
    SCOPED_TRACE(entry->name.str());
    ++count;
    for (const ge::TensorDescriptor &desc : good.graph(0).op(i).input_desc())
      EXPECT_EQ(desc.layout(), entry->layout.name.str());
    ge::ModelDef model = good;
    model.mutable_graph(0)->mutable_op(i)->mutable_input_desc(0)->set_layout(
        "NHWC");
    EXPECT_FALSE(graphs.read(model.SerializeAsString()));
    EXPECT_NE(
        graphs.messages.find("expected a layout " + entry->layout.name.str()),
        std::string::npos)
        << graphs.messages;
  }
  EXPECT_EQ(count, 4);
}

/// Inputs have the ranges of their extents in the file, in GE's form.
TEST_F(AirRoundTrip, UnknownExtents) {
  OwningOpRef<ModuleOp> module = graphs.parse(R"(
    ascend.graph @dynamic {
      %x = ascend.Data {index = 0, name = "x", bounds = array<i64: 8, -1, -1>}
          : tensor<?x?x4xf32>
      %y = ascend.Data {index = 1, name = "y"} : tensor<?x4xf32>
      %rest = ascend.Const dense<[-1, 4]> : tensor<2xi64>
      %rows = ascend.Reshape(%x, %rest)
          : (tensor<?x?x4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
      %all = ascend.Shape(%x) : (tensor<?x?x4xf32>) -> tensor<3xi32>
      %zero = ascend.Const dense<0.0> : tensor<f32>
      %filled = ascend.Fill(%all, %zero)
          : (tensor<3xi32>, tensor<f32>) -> tensor<?x?x4xf32>
      ascend.NetOutput %rows, %filled, %y
          : tensor<?x4xf32>, tensor<?x?x4xf32>, tensor<?x4xf32>
    })");
  ASSERT_TRUE(module) << graphs.messages;
  check(*module);
  ge::ModelDef model;
  ASSERT_TRUE(model.ParseFromString(graphs.air(*module)));
  std::string text;
  for (const ge::OpDef &op : model.graph(0).op())
    for (const ge::TensorDescriptor &desc : op.output_desc())
      for (const ge::AttrEntry &entry : desc.attr())
        if (entry.key() == "shape_range") {
          text += op.name();
          for (const auto &range : entry.value().list_list_int().list_list_i())
            text += " " + std::to_string(range.list_i(0)) + "~" +
                    std::to_string(range.list_i(1));
          text += "\n";
        }
  EXPECT_EQ(text, "x 0~8 0~-1 4~4\ny 0~-1 4~4\n");
}

//===--- Random gathers ---------------------------------------------------===//

TEST_F(AirRoundTrip, RandomGathers) {
  static constexpr std::array<const char *, 7> elements = {
      "f32", "i32", "ui16", "i1", "bf16", "i8", "f64"};
  mlir::PassManager manager(&graphs.context);
  manager.addPass(createConvertStablehloToAscend({.soc = "any"}));
  manager.addPass(createFormAscendGraphs());
  constexpr int64_t kCases = 500;
  int64_t written = 0, kept = 0;
  uint64_t bytes = 0;
  for (int64_t i = 0; i < kCases && !HasFailure(); ++i) {
    uint64_t seed = testSeed() + i;
    gather::Draw draw(seed, elements[seed % elements.size()]);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + draw.text);
    OwningOpRef<ModuleOp> module = graphs.parse(draw.text);
    ASSERT_TRUE(module) << graphs.messages;
    ASSERT_TRUE(mlir::succeeded(manager.run(*module))) << graphs.messages;
    // Some gathers are not converted.
    if (module->getOps<GraphOp>().empty()) {
      ++kept;
      continue;
    }
    ++written;
    bytes += graphs.air(*module).size();
    check(*module);
  }
  std::printf("  %ld graphs of %lu bytes, %ld gathers kept, from seed %lu on\n",
              long(written), (unsigned long)bytes, long(kept),
              (unsigned long)testSeed());
  EXPECT_GT(written, kCases / 2);
}
