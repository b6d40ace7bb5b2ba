// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Invalid files, each with its diagnostic, and graphs that no file can hold.

#include "mercator/targets/ascend/formats/GeModel.pb.h"
#include "tests/targets/ascend/formats/Graphs.h"

#include "gtest/gtest.h"

#include <functional>

using namespace mercator;
using namespace mercator::ascend;
using mlir::ModuleOp;
using mlir::OwningOpRef;

//===--- Wrong files ------------------------------------------------------===//

namespace {
/// A modified file of kRows. Its nodes: table, ids, Const_0, Const_1,
/// ClipByValue_0, GatherV2_0, NetOutput.
struct Wrong {
  const char *what;
  std::function<void(ge::ModelDef &)> change;
  const char *words;
};
} // namespace

static ge::OpDef &op(ge::ModelDef &model, int i) {
  return *model.mutable_graph(0)->mutable_op(i);
}
static ge::AttrDef &attr(ge::OpDef &op, llvm::StringRef key) {
  for (ge::AttrEntry &entry : *op.mutable_attr())
    if (entry.key() == key)
      return *entry.mutable_value();
  ge::AttrEntry &entry = *op.add_attr();
  entry.set_key(key.str());
  return *entry.mutable_value();
}
static void setShape(ge::TensorDescriptor &desc,
                     std::initializer_list<int64_t> shape) {
  desc.mutable_shape()->clear_dim();
  for (int64_t extent : shape)
    desc.mutable_shape()->add_dim(extent);
  for (ge::AttrEntry &entry : *desc.mutable_attr())
    if (entry.key() == "origin_shape")
      *entry.mutable_value()->mutable_list()->mutable_i() = desc.shape().dim();
}

static std::vector<Wrong> wrongFiles() {
  return {
      {"no graph", [](ge::ModelDef &m) { m.clear_graph(); },
       "expected an .air file with a graph, got an empty file"},
      {"only a name",
       [](ge::ModelDef &m) {
         m.clear_graph();
         m.set_name("x");
       },
       "expected an .air file with a graph, got none in it"},
      {"a graph twice",
       [](ge::ModelDef &m) { *m.add_graph() = ge::GraphDef(m.graph(0)); },
       "expected graphs of different names, got 'rows' twice"},
      {"a graph's name",
       [](ge::ModelDef &m) { m.mutable_graph(0)->set_name("\xff"); },
       "expected the name of a graph in UTF-8, got '<FF>'"},
      {"no name", [](ge::ModelDef &m) { op(m, 4).clear_name(); },
       "node '': expected a name in UTF-8 for node 4 of graph 'rows'"},
      {"a bad name", [](ge::ModelDef &m) { op(m, 4).set_name("a\xc3(z"); },
       "expected a name in UTF-8 for node 4"},
      {"a name twice", [](ge::ModelDef &m) { op(m, 1).set_name("table"); },
       "node 'table': expected each name once, got it again"},
      {"an unknown type", [](ge::ModelDef &m) { op(m, 4).set_type("LSTM"); },
       "node 'ClipByValue_0': expected a known operator, got "
       "'LSTM'"},
      {"Data of the dialect, no operator",
       [](ge::ModelDef &m) { op(m, 4).set_type("graph"); },
       "expected a known operator, got 'graph'"},
      {"no such node", [](ge::ModelDef &m) { op(m, 5).set_input(0, "t:0"); },
       "node 'GatherV2_0': expected an input of the form 'node:0' of a node of "
       "the graph, got 't:0'"},
      {"no colon", [](ge::ModelDef &m) { op(m, 5).set_input(0, "table"); },
       "expected an output of 'table', which has only output 0, got 'table'"},
      {"output 1", [](ge::ModelDef &m) { op(m, 5).set_input(0, "table:1"); },
       "expected an output of 'table', which has only output 0, got 'table:1'"},
      {"of the NetOutput",
       [](ge::ModelDef &m) { op(m, 5).set_input(0, "NetOutput:0"); },
       "expected an output of 'NetOutput', which has none"},
      {"not connected", [](ge::ModelDef &m) { op(m, 5).set_input(0, ""); },
       "node 'GatherV2_0': expected all inputs to be connected, got ''"},
      {"an order on no node",
       [](ge::ModelDef &m) { op(m, 5).add_input("nobody:-1"); },
       "of a node of the graph, got 'nobody:-1'"},
      {"a circle",
       [](ge::ModelDef &m) { op(m, 4).set_input(0, "GatherV2_0:0"); },
       "expected a graph without cycles, got a node that depends "
       "on its own result"},
      {"too few inputs",
       [](ge::ModelDef &m) {
         op(m, 5).mutable_input()->RemoveLast();
         op(m, 5).mutable_input_desc()->RemoveLast();
       },
       "node 'GatherV2_0': expected 3 inputs, got 2"},
      {"inputs of Data",
       [](ge::ModelDef &m) { op(m, 1).set_input(0, "table:0"); },
       "node 'ids': expected a node of type Data without inputs, got 1"},
      {"no NetOutput",
       [](ge::ModelDef &m) { m.mutable_graph(0)->mutable_op()->RemoveLast(); },
       "expected graph 'rows' to have one node of type NetOutput, got 0"},
      {"two NetOutputs",
       [](ge::ModelDef &m) {
         *m.mutable_graph(0)->add_op() = ge::OpDef(op(m, 6));
         op(m, 7).set_name("again");
       },
       "expected graph 'rows' to have one node of type NetOutput, got 2"},
      {"no index", [](ge::ModelDef &m) { op(m, 0).clear_attr(); },
       "node 'table': expected attribute 'index' to be an integer, got none"},
      {"an index that is none",
       [](ge::ModelDef &m) { attr(op(m, 0), "index").set_s("0"); },
       "expected attribute 'index' to be an integer, got a string"},
      {"an index twice",
       [](ge::ModelDef &m) { attr(op(m, 1), "index").set_i(0); },
       "node 'ids': expected each of the indices 0 to 1 once for 2 Data nodes, "
       "got 0"},
      {"an index too many",
       [](ge::ModelDef &m) { attr(op(m, 1), "index").set_i(2); },
       "once for 2 Data nodes, got 2"},
      {"an unknown attribute",
       [](ge::ModelDef &m) { attr(op(m, 5), "validate_indices").set_b(true); },
       "node 'GatherV2_0': expected only attributes that a node of type "
       "'GatherV2' has, got 'validate_indices'"},
      {"an attribute of another kind",
       [](ge::ModelDef &m) { attr(op(m, 5), "batch_dims").set_b(false); },
       "expected attribute 'batch_dims' to be an integer, got a boolean"},
      {"an integer for a boolean",
       [](ge::ModelDef &m) { attr(op(m, 5), "is_preprocessed").set_i(0); },
       "expected attribute 'is_preprocessed' to be a boolean, got an integer"},
      {"an attribute twice",
       [](ge::ModelDef &m) {
         ge::AttrEntry entry = op(m, 5).attr(0);
         *op(m, 5).add_attr() = entry;
       },
       "once"},
      {"an unknown number of a type",
       [](ge::ModelDef &m) { op(m, 0).mutable_output_desc(0)->set_dtype(13); },
       "node 'table': expected the number of a type (1 is float32), got 13"},
      {"no type at all",
       [](ge::ModelDef &m) { op(m, 0).mutable_output_desc(0)->clear_dtype(); },
       "expected the number of a type (1 is float32), got 0"},
      {"no shape of an input",
       [](ge::ModelDef &m) { op(m, 0).mutable_output_desc(0)->clear_shape(); },
       "node 'table': expected the shape of an input of the graph, got none"},
      {"no rank of an input",
       [](ge::ModelDef &m) {
         setShape(*op(m, 0).mutable_output_desc(0), {-2});
       },
       "expected the shape of an input of the graph, got none"},
      {"a negative extent",
       [](ge::ModelDef &m) {
         setShape(*op(m, 0).mutable_output_desc(0), {-3, 4});
       },
       "expected extents of at least 0, or -1 for one that is unknown, got "
       "-3"},
      {"the least extent",
       [](ge::ModelDef &m) {
         setShape(*op(m, 0).mutable_output_desc(0), {INT64_MIN, 4});
       },
       "expected extents of at least 0, or -1 for one that is unknown, got "
       "-2"},
      {"a huge extent",
       [](ge::ModelDef &m) {
         setShape(*op(m, 0).mutable_output_desc(0), {INT64_MAX, 2});
       },
       "expected a tensor of at most 2^40 elements, got shape "
       "[9223372036854775807, 2]"},
      {"huge as a whole",
       [](ge::ModelDef &m) {
         setShape(*op(m, 0).mutable_output_desc(0),
                  {0, 1 << 30, 1 << 30, 1 << 30, 1 << 30});
       },
       "expected a tensor of at most 2^40 elements"},
      {"ranges of other dimensions",
       [](ge::ModelDef &m) {
         ge::TensorDescriptor &desc = *op(m, 0).mutable_output_desc(0);
         ge::AttrEntry &entry = *desc.add_attr();
         entry.set_key("shape_range");
         entry.mutable_value()->mutable_list_list_int()->add_list_list_i();
       },
       "node 'table': expected 'shape_range' to have 2 ranges, one for each "
       "dimension, got 1"},
      {"a range of three numbers",
       [](ge::ModelDef &m) {
         ge::TensorDescriptor &desc = *op(m, 0).mutable_output_desc(0);
         ge::AttrEntry &entry = *desc.add_attr();
         entry.set_key("shape_range");
         auto &ranges = *entry.mutable_value()->mutable_list_list_int();
         for (int i = 0; i < 2; ++i)
           for (int64_t number : {1, 2, 3})
             (i < ranges.list_list_i_size() ? ranges.mutable_list_list_i(i)
                                            : ranges.add_list_list_i())
                 ->add_list_i(number);
       },
       "expected a range of 'shape_range' to be two numbers, the smallest and "
       "the largest extent or -1, got [1, 2, 3]"},
      {"nine dimensions",
       [](ge::ModelDef &m) {
         setShape(*op(m, 0).mutable_output_desc(0),
                  {1, 1, 1, 1, 1, 1, 1, 1, 1});
       },
       "expected a tensor of at most 8 dimensions, got 9"},
      {"tiles",
       [](ge::ModelDef &m) {
         op(m, 0).mutable_output_desc(0)->set_layout("FRACTAL_NZ");
       },
       "node 'table': expected a layout ND, NCHW, NHWC, NCDHW or NDHWC, got 'FRACTAL_NZ'"},
      {"tiles by their number",
       [](ge::ModelDef &m) {
         for (ge::AttrEntry &entry :
              *op(m, 0).mutable_output_desc(0)->mutable_attr())
           if (entry.key() == "format_for_int")
             entry.mutable_value()->set_i(29);
       },
       "expected 'format_for_int' to be 0, 1, 2, 27 or 30, as tiled elements are "
       "not supported, got 29"},
      {"another shape before",
       [](ge::ModelDef &m) {
         for (ge::AttrEntry &entry :
              *op(m, 0).mutable_output_desc(0)->mutable_attr())
           if (entry.key() == "origin_shape")
             entry.mutable_value()->mutable_list()->set_i(0, 36);
       },
       "expected 'origin_shape' to be the shape [9, 4], got [36, 4]"},
      {"another shape",
       [](ge::ModelDef &m) {
         setShape(*op(m, 5).mutable_output_desc(0), {2, 3, 5});
       },
       "node 'GatherV2_0': expected shape [2, 3, 4], which follows "
       "from the inputs, got [2, 3, 5]"},
      {"another rank",
       [](ge::ModelDef &m) {
         setShape(*op(m, 5).mutable_output_desc(0), {2, 3});
       },
       "expected shape [2, 3, 4], which follows from the inputs, got [2, 3]"},
      {"another type of the result",
       [](ge::ModelDef &m) { op(m, 5).mutable_output_desc(0)->set_dtype(2); },
       "node 'GatherV2_0': 'ascend.GatherV2' op expected a result of 'f32', "
       "got 'f16'"},
      {"inputs that do not go together",
       [](ge::ModelDef &m) { attr(op(m, 5), "batch_dims").set_i(1); },
       "node 'GatherV2_0': 'ascend.GatherV2' op expected batch_dims in"},
      {"an input described as another",
       [](ge::ModelDef &m) { setShape(*op(m, 5).mutable_input_desc(0), {9}); },
       "node 'GatherV2_0': expected input 0 to be described as "
       "'tensor<9x4xf32>', got 'tensor<9xf32>'"},
      {"one description too few",
       [](ge::ModelDef &m) { op(m, 5).mutable_input_desc()->RemoveLast(); },
       "expected an input_desc for each of 3 inputs, got 2"},
      {"no result", [](ge::ModelDef &m) { op(m, 5).clear_output_desc(); },
       "node 'GatherV2_0': expected 1 output_desc, got 0"},
      {"a result of the NetOutput",
       [](ge::ModelDef &m) { op(m, 6).add_output_desc(); },
       "node 'NetOutput': expected 0 output_desc, got 1"},
      {"a subgraph",
       [](ge::ModelDef &m) { op(m, 5).add_subgraph_name("then"); },
       "node 'GatherV2_0': expected a node without subgraphs, got 'then'"},
      {"an element too many",
       [](ge::ModelDef &m) {
         attr(op(m, 2), "value").mutable_t()->mutable_data()->append("\0", 1);
       },
       "node 'Const_0': expected the elements of 'tensor<i32>' in 4 bytes, got "
       "5 bytes"},
      {"no elements",
       [](ge::ModelDef &m) {
         attr(op(m, 2), "value").mutable_t()->clear_data();
       },
       "in 4 bytes, got 0 bytes"},
      {"elements of an unknown number",
       [](ge::ModelDef &m) {
         setShape(*attr(op(m, 2), "value").mutable_t()->mutable_desc(), {-1});
         setShape(*op(m, 2).mutable_output_desc(0), {-1});
       },
       "expected the elements of 'tensor<?xi32>', got 4 bytes"},
      {"no value", [](ge::ModelDef &m) { op(m, 2).clear_attr(); },
       "node 'Const_0': expected attribute 'value' to be a tensor with a "
       "shape, got none"},
      {"a number for a value",
       [](ge::ModelDef &m) { attr(op(m, 2), "value").set_i(0); },
       "expected attribute 'value' to be a tensor with a shape, got an "
       "integer"},
      {"a constant described as another",
       [](ge::ModelDef &m) { setShape(*op(m, 2).mutable_output_desc(0), {1}); },
       "node 'Const_0': expected the output to be described as 'tensor<i32>', "
       "got 'tensor<1xi32>'"},
      {"a boolean of two",
       [](ge::ModelDef &m) {
         ge::TensorDef &value = *attr(op(m, 2), "value").mutable_t();
         value.mutable_desc()->set_dtype(11);
         op(m, 2).mutable_output_desc(0)->set_dtype(11);
         value.set_data("\2");
       },
       "node 'Const_0': expected booleans to be 0 or 1, got 2"},
      {"names of inputs that are none",
       [](ge::ModelDef &m) {
         attr(op(m, 5), "_input_name_key").mutable_list()->set_s(0, "params");
       },
       "node 'GatherV2_0': expected an input called 'x', got 'params, indices, "
       "axis'"},
      {"places of inputs outside",
       [](ge::ModelDef &m) {
         attr(op(m, 5), "_input_name_value").mutable_list()->set_i(0, 3);
       },
       "expected '_input_name_key' and '_input_name_value' to name each of 3 "
       "inputs once"},
      {"a Cast to nothing",
       [](ge::ModelDef &m) {
         ge::OpDef &cast = op(m, 4);
         cast.set_type("Cast");
         cast.clear_attr();
         while (cast.input_size() > 1) {
           cast.mutable_input()->RemoveLast();
           cast.mutable_input_desc()->RemoveLast();
         }
         attr(cast, "dst_type").set_i(13);
       },
       "expected dst_type to be the number of a type, got 13"},
      {"a Cast without a type",
       [](ge::ModelDef &m) {
         ge::OpDef &cast = op(m, 4);
         cast.set_type("Cast");
         cast.clear_attr();
         while (cast.input_size() > 1) {
           cast.mutable_input()->RemoveLast();
           cast.mutable_input_desc()->RemoveLast();
         }
       },
       "node 'ClipByValue_0': expected attribute 'dst_type' to be an integer, "
       "got none"},
      {"a type that the operator does not support",
       [](ge::ModelDef &m) {
         op(m, 4).set_type("Minimum");
         op(m, 4).mutable_attr()->Clear();
         op(m, 4).mutable_input()->RemoveLast();
         op(m, 4).mutable_input_desc()->RemoveLast();
         for (int i : {1, 2})
           op(m, i).mutable_output_desc(0)->set_dtype(9);
         op(m, 1).clear_input_desc();
         attr(op(m, 2), "value").mutable_t()->mutable_desc()->set_dtype(9);
         op(m, 4).clear_input_desc();
       },
       "node 'ClipByValue_0': 'ascend.Minimum' op expected"},
  };
}

TEST(AirErrors, EachOnce) {
  Graphs graphs;
  std::string bytes = graphs.airOf(kRows);
  ge::ModelDef good;
  ASSERT_TRUE(good.ParseFromString(bytes));
  for (const Wrong &wrong : wrongFiles()) {
    SCOPED_TRACE(wrong.what);
    ge::ModelDef model = good;
    wrong.change(model);
    EXPECT_FALSE(graphs.read(model.SerializeAsString()));
    EXPECT_NE(graphs.messages.find(wrong.words), std::string::npos)
        << "expected \"" << wrong.words << "\", got \"" << graphs.messages
        << '"';
    EXPECT_EQ(llvm::StringRef(graphs.messages).count('\n'), 1u);
    auto file = llvm::dyn_cast<mlir::FileLineColLoc>(*graphs.location);
    ASSERT_TRUE(file);
    EXPECT_EQ(file.getFilename(), "t.air");
  }
}

//===--- Files that are unusual -------------------------------------------===//

static OwningOpRef<ModuleOp>
readChanged(Graphs &graphs, llvm::StringRef text,
            llvm::function_ref<void(ge::ModelDef &)> change) {
  ge::ModelDef model;
  if (!model.ParseFromString(graphs.airOf(text)))
    return nullptr;
  change(model);
  return graphs.read(model.SerializeAsString());
}

TEST(AirReader, NodesInAnyOrder) {
  Graphs graphs;
  OwningOpRef<ModuleOp> module =
      readChanged(graphs, kRows, [](ge::ModelDef &model) {
        auto &ops = *model.mutable_graph(0)->mutable_op();
        std::reverse(ops.pointer_begin(), ops.pointer_end());
      });
  ASSERT_TRUE(module) << graphs.messages;
  EXPECT_EQ(graphs.text(*module), graphs.text(*graphs.parse(kRows)));
}

TEST(AirReader, InputsInAnyOrder) {
  Graphs graphs;
  // In GE's order: by name.
  OwningOpRef<ModuleOp> module =
      readChanged(graphs, kRows, [](ge::ModelDef &model) {
        ge::OpDef &gather = op(model, 5);
        gather.mutable_input()->SwapElements(0, 2);
        gather.mutable_input_desc()->SwapElements(0, 2);
        auto &names = *attr(gather, "_input_name_key").mutable_list();
        names.set_s(0, "indices");
        names.set_s(1, "x");
        names.set_s(2, "axis");
        auto &places = *attr(gather, "_input_name_value").mutable_list();
        places.set_i(0, 1);
        places.set_i(1, 2);
        places.set_i(2, 0);
      });
  ASSERT_TRUE(module) << graphs.messages;
  EXPECT_EQ(Graphs::print(*module), Graphs::print(*graphs.parse(kRows)));
}

/// An export from before GE's shape inference: outputs without a type, with the
/// type of an unset description; GE's annotations everywhere.
TEST(AirReader, WhatIsNotSaidIsInferred) {
  Graphs graphs;
  for (int how : {0, 1, 2}) {
    auto forget = [&](ge::TensorDescriptor &desc) {
      desc.set_dtype(1);
      if (how == 0) {
        desc.clear_shape();
      } else if (how == 1) {
        setShape(desc, {-2});
      } else {
        setShape(desc, {});
        for (ge::AttrEntry &entry : *desc.mutable_attr())
          if (entry.key() == "origin_shape_initialized")
            entry.mutable_value()->set_b(false);
      }
    };
    OwningOpRef<ModuleOp> module =
        readChanged(graphs, kRows, [&](ge::ModelDef &model) {
          model.set_version(1);
          model.set_custom_version("7");
          for (int i : {4, 5}) {
            forget(*op(model, i).mutable_output_desc(0));
            attr(op(model, i), "_fx_name").set_s("n");
            op(model, i).add_is_input_const(true);
            op(model, i).clear_id();
            // A control edge.
            op(model, i).add_input("table:-1");
          }
          forget(*op(model, 5).mutable_input_desc(1));
          forget(*op(model, 6).mutable_input_desc(0));
          op(model, 6).clear_attr();
          attr(op(model, 2), "_readable_value").set_s("0");
        });
    ASSERT_TRUE(module) << graphs.messages;
    EXPECT_EQ(Graphs::print(*module), Graphs::print(*graphs.parse(kRows)));
  }
}

TEST(AirReader, ResultsWithoutANetOutput) {
  Graphs graphs;
  OwningOpRef<ModuleOp> module =
      readChanged(graphs, kRows, [](ge::ModelDef &model) {
        ge::GraphDef &graph = *model.mutable_graph(0);
        graph.mutable_op()->RemoveLast();
        graph.add_output("GatherV2_0:0");
      });
  ASSERT_TRUE(module) << graphs.messages;
  EXPECT_EQ(Graphs::print(*module), Graphs::print(*graphs.parse(kRows)));
}

TEST(AirReader, FurtherGraphs) {
  Graphs graphs;
  OwningOpRef<ModuleOp> module =
      readChanged(graphs, kRows, [](ge::ModelDef &model) {
        *model.add_graph() = ge::GraphDef(model.graph(0));
        model.mutable_graph(1)->set_name("more");
      });
  ASSERT_TRUE(module) << graphs.messages;
  llvm::SmallVector<GraphOp> found(module->getOps<GraphOp>());
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].getSymName(), "rows");
  EXPECT_EQ(found[1].getSymName(), "more");
}

/// Graphs in attributes of graphs: refused or ignored, never followed
/// recursively.
TEST(AirReader, GraphsInsideOneAnother) {
  Graphs graphs;
  for (size_t depth : {10, 10'000}) {
    std::string bytes;
    for (size_t i = 0; i < depth; ++i) {
      // A message as a field of another: tag, length, bytes.
      auto wrap = [&](unsigned field) {
        std::string length;
        for (size_t n = bytes.size();; n >>= 7) {
          length += char((n & 127) | (n > 127 ? 128 : 0));
          if (n <= 127)
            break;
        }
        bytes = char(field << 3 | 2) + length + bytes;
      };
      wrap(13); // AttrDef.g
      wrap(2);  // AttrEntry.value
      wrap(11); // GraphDef.attr
    }
    std::string model;
    std::string length;
    for (size_t n = bytes.size();; n >>= 7) {
      length += char((n & 127) | (n > 127 ? 128 : 0));
      if (n <= 127)
        break;
    }
    model = char(7 << 3 | 2) + length + bytes;
    EXPECT_FALSE(graphs.read(model));
    EXPECT_NE(graphs.messages.find("expected"), std::string::npos);
  }
}

TEST(AirReader, LongChains) {
  Graphs graphs;
  std::string text = "ascend.graph @chain {\n  %0 = ascend.Data {index = 0} : "
                     "tensor<2xf32>\n";
  constexpr int kLength = 10'000;
  for (int i = 1; i <= kLength; ++i)
    text += "  %" + std::to_string(i) + " = ascend.Neg(%" +
            std::to_string(i - 1) + ") : (tensor<2xf32>) -> tensor<2xf32>\n";
  text +=
      "  ascend.NetOutput %" + std::to_string(kLength) + " : tensor<2xf32>\n}";
  // Backwards, so that the last node needs all others.
  OwningOpRef<ModuleOp> module =
      readChanged(graphs, text, [](ge::ModelDef &model) {
        auto &ops = *model.mutable_graph(0)->mutable_op();
        std::reverse(ops.pointer_begin(), ops.pointer_end());
      });
  ASSERT_TRUE(module) << graphs.messages;
  EXPECT_EQ(Graphs::print(*module), Graphs::print(*graphs.parse(text)));
}

//===--- Graphs that no file can hold -------------------------------------===//

TEST(AirWriter, Errors) {
  struct Row {
    const char *text, *words;
  };
  const Row rows[] = {
      {R"(ascend.graph @g {
            %x = ascend.Data {index = 0, name = "a\FF"} : tensor<2xf32>
            ascend.NetOutput %x : tensor<2xf32> })",
       "expected a name in UTF-8"},
      {R"(ascend.graph @"g\FF" { ascend.NetOutput })",
       "expected a name in UTF-8"},
      {R"(ascend.graph @g {
            %x = ascend.Data {index = 0} : tensor<2xi4>
            ascend.NetOutput %x : tensor<2xi4> })",
       "expected elements of a type that graphs can hold, got "
       "'tensor<2xi4>'"},
      {R"(ascend.graph @g {
            %x = ascend.Data {index = 0} : tensor<67108864x67108864xf32>
            ascend.NetOutput %x : tensor<67108864x67108864xf32> })",
       "expected a tensor of at most 2^40 elements, got "
       "'tensor<67108864x67108864xf32>'"},
      {R"(ascend.graph @g {
            %x = ascend.Const dense_resource<__elided__> : tensor<2xf32>
            ascend.NetOutput %x : tensor<2xf32> })",
       "expected the elements of the constant, which the text omits"},
      {R"(ascend.graph @g {
            %w = ascend.Const dense<1.0> : tensor<1024x1024x512xf32> loc("w")
            %v = ascend.Const dense<1.0> : tensor<1024x1024x1024xf32> loc("v")
            %b = ascend.Const dense<1.0> : tensor<1024xf32>
            %s = ascend.Const dense<1.0> : tensor<f32>
            ascend.NetOutput %v, %w : tensor<1024x1024x1024xf32>,
                                      tensor<1024x1024x512xf32> })",
       "expected an .air file of at most 2147483647 bytes, protobuf's limit, "
       "got 64424"},
      {R"(ascend.graph @g {
            %v = ascend.Const dense<1.0>
                : tensor<1048576x1048576xf64> loc("v")
            ascend.NetOutput %v : tensor<1048576x1048576xf64> })",
       "make inputs of constants, of which the largest are 'v' of "
       "8796093022208 bytes"},
  };
  Graphs graphs;
  for (const Row &row : rows) {
    OwningOpRef<ModuleOp> module = graphs.parse(row.text);
    ASSERT_TRUE(module) << graphs.messages << row.text;
    EXPECT_EQ(graphs.air(*module), "");
    EXPECT_NE(graphs.messages.find(row.words), std::string::npos)
        << "expected \"" << row.words << "\", got \"" << graphs.messages << '"';
  }
}

TEST(AirWriter, TheLargestConstantsAreNamed) {
  Graphs graphs;
  OwningOpRef<ModuleOp> module = graphs.parse(R"(ascend.graph @g {
      %s = ascend.Const dense<1.0> : tensor<f32> loc("s")
      %w = ascend.Const dense<1.0> : tensor<1024x1024x512xf32> loc("w")
      %v = ascend.Const dense<1.0> : tensor<1024x1024x1024xf32> loc("v")
      %b = ascend.Const dense<1.0> : tensor<1024xf32> loc("b")
      ascend.NetOutput %v : tensor<1024x1024x1024xf32> })");
  ASSERT_TRUE(module) << graphs.messages;
  EXPECT_EQ(graphs.air(*module), "");
  EXPECT_NE(graphs.messages.find(
                "; make inputs of constants, of which the largest are 'v' of "
                "4294967296 bytes, 'w' of 2147483648 bytes, 'b' of 4096 bytes"),
            std::string::npos)
      << graphs.messages;
}
