// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/formats/Air.h"

#include "mercator/dialects/ascend/Registry.h"
#include "mercator/support/Diagnostic.h"
#include "mercator/targets/ascend/formats/Attributes.h"
#include "mercator/targets/ascend/formats/Elements.h"
#include "mercator/targets/ascend/formats/GeModel.pb.h"
#include "mercator/targets/ascend/formats/Nodes.h"

#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

/// Protobuf's limit on the size of a message.
static constexpr uint64_t kMaxBytes = INT32_MAX;

//===--- Attributes -------------------------------------------------------===//

namespace {
/// The entries of a map. A file has them in the order of their keys.
class Entries {
public:
  ge::AttrDef &operator[](StringRef key) {
    for (ge::AttrEntry &entry : entries)
      if (entry.key() == key)
        return *entry.mutable_value();
    ge::AttrEntry &entry = entries.emplace_back();
    entry.set_key(key.str());
    return *entry.mutable_value();
  }
  template <typename Message> void moveTo(Message &message) {
    llvm::sort(entries, [](const ge::AttrEntry &a, const ge::AttrEntry &b) {
      return a.key() < b.key();
    });
    for (ge::AttrEntry &entry : entries)
      *message.add_attr() = std::move(entry);
  }

private:
  std::vector<ge::AttrEntry> entries;
};
} // namespace

//===--- Tensors ----------------------------------------------------------===//

using Ranges = llvm::SmallVector<std::pair<int64_t, int64_t>, 6>;

/// Requires: GE has the element type.
static void describe(ge::TensorDescriptor &desc, RankedTensorType type,
                     StringRef name, const Layout &layout = kPlain,
                     const Ranges &ranges = {}) {
  desc.set_name(name.str());
  desc.set_dtype(int32_t(schemaNumber(*geType(type.getElementType()))));
  desc.set_layout(layout.name.str());
  desc.set_device_type("NPU");
  Entries entries;
  entries["format_for_int"].set_i(layout.number);
  entries["origin_format"].set_s(layout.name.str());
  entries["origin_format_for_int"].set_i(layout.number);
  // The shape before GE changes the layout of the tensor.
  ge::AttrDef::ListValue &origin = *entries["origin_shape"].mutable_list();
  origin.set_val_type(2);
  ge::ShapeDef &shape = *desc.mutable_shape();
  for (int64_t extent : type.getShape()) {
    shape.add_dim(ShapedType::isDynamic(extent) ? -1 : extent);
    origin.add_i(shape.dim().Get(shape.dim_size() - 1));
  }
  entries["origin_shape_initialized"].set_b(true);
  if (!ranges.empty())
    for (StringRef key : {"origin_shape_range", "shape_range"}) {
      ge::AttrDef::ListListInt &list = *entries[key].mutable_list_list_int();
      for (auto [least, most] : ranges) {
        ge::AttrDef::ListListInt::ListInt &pair = *list.add_list_list_i();
        pair.add_list_i(least);
        pair.add_list_i(most);
      }
    }
  entries.moveTo(desc);
}

/// The smallest and the largest extent of each dimension of an input; -1 is no
/// limit. Empty for a static shape, which GE describes without ranges.
static Ranges rangesOf(DataOp data) {
  Ranges ranges;
  RankedTensorType type = typeOf(data.getResult());
  if (type.hasStaticShape())
    return ranges;
  std::optional<ArrayRef<int64_t>> bounds = data.getBounds();
  for (auto [i, extent] : llvm::enumerate(type.getShape())) {
    if (ShapedType::isDynamic(extent))
      ranges.push_back({0, bounds ? (*bounds)[i] : -1});
    else
      ranges.push_back({extent, extent});
  }
  return ranges;
}

//===--- Nodes ------------------------------------------------------------===//

/// GE's names of inputs and outputs, in order.
static void addNames(Entries &entries, StringRef which,
                     ArrayRef<std::string> names) {
  if (names.empty())
    return;
  std::string stem = ("_" + which + "_name_").str();
  for (auto [i, name] : llvm::enumerate(names)) {
    entries[stem + "key"].mutable_list()->add_s(name);
    entries[stem + "value"].mutable_list()->add_i(int64_t(i));
  }
}

static std::vector<std::string> inputNames(Operation *op) {
  std::vector<std::string> names;
  size_t count = op->getNumOperands();
  if (isa<NetOutputOp>(op)) {
    for (size_t i = 0; i < count; ++i)
      names.push_back("input" + std::to_string(i));
  } else if (const Operator *entry =
                 findOperator(op->getName().stripDialect())) {
    for (const Input &input : entry->inputs) {
      if (!input.isList)
        names.push_back(input.name.str());
      for (size_t i = 0; input.isList && i + entry->inputs.size() <= count; ++i)
        names.push_back(input.name.str() + std::to_string(i));
    }
  }
  return names;
}

static LogicalResult checkTypes(Operation *op) {
  auto check = [&](Value value) -> LogicalResult {
    auto type = cast<RankedTensorType>(value.getType());
    if (!geType(type.getElementType()))
      return op->emitError(
                 "expected elements of a type that graphs can hold, got ")
             << type;
    if (hasTooManyElements(type.getShape()))
      return op->emitError("expected a tensor of at most 2^40 elements, got ")
             << type;
    return success();
  };
  for (Value value : op->getOperands())
    if (failed(check(value)))
      return failure();
  for (Value value : op->getResults())
    if (failed(check(value)))
      return failure();
  return success();
}

static void writeFixed(ge::AttrDef &out, const FixedAttribute &fixed) {
  switch (fixed.kind) {
  case FixedAttribute::Kind::Boolean:
    return out.set_b(fixed.value != 0);
  case FixedAttribute::Kind::Integer:
    return out.set_i(fixed.value);
  case FixedAttribute::Kind::Real:
    return out.set_f(float(fixed.value));
  case FixedAttribute::Kind::Type:
    return out.set_dt(fixed.value);
  case FixedAttribute::Kind::Text:
    return out.set_s(fixed.text.str());
  }
}

namespace {
struct WriteValue {
  ge::AttrDef &out;

  void operator()(bool value) { out.set_b(value); }
  void operator()(int64_t value) { out.set_i(value); }
  void operator()(float value) { out.set_f(value); }
  void operator()(const llvm::SmallVector<int64_t, 6> &values) {
    constexpr int32_t kIntegers = 2;
    out.mutable_list()->set_val_type(kIntegers);
    for (int64_t value : values)
      out.mutable_list()->add_i(value);
  }
  void operator()(const std::string &value) { out.set_s(value); }
};
} // namespace

static LogicalResult writeNode(ge::OpDef &out, Operation *op,
                               const Nodes &nodes) {
  if (failed(checkTypes(op)))
    return failure();
  StringRef type = op->getName().stripDialect();
  const Operator *entry = findOperator(type);
  const Layout &layout = entry ? entry->layout : kPlain;
  out.set_name(nodes.name(op).str());
  out.set_type(type.str());
  std::vector<std::string> inputs = inputNames(op), outputs;
  for (auto [operand, name] : llvm::zip_equal(op->getOperands(), inputs)) {
    unsigned output = cast<OpResult>(operand).getResultNumber();
    out.add_input(nodes.name(operand).str() + ":" + std::to_string(output));
    describe(*out.add_input_desc(), cast<RankedTensorType>(operand.getType()),
             name, layout);
  }
  Entries entries;
  Ranges ranges;
  if (auto data = dyn_cast<DataOp>(op)) {
    ranges = rangesOf(data);
    // An input that is fed from outside.
    entries["index"].set_i(int64_t(data.getIndex()));
    inputs.push_back("x");
    out.add_input("");
    describe(*out.add_input_desc(),
             cast<RankedTensorType>(data.getResult().getType()), "x", kPlain,
             ranges);
  }
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    outputs.push_back(entry ? entry->outputs[i].name.str() : "y");
    describe(*out.add_output_desc(), cast<RankedTensorType>(result.getType()),
             outputs.back(), layout, ranges);
  }
  // The elements are added later.
  if (auto constant = dyn_cast<ConstOp>(op))
    describe(*entries["value"].mutable_t()->mutable_desc(),
             cast<RankedTensorType>(constant.getResult().getType()), "");
  for (const AttributeRule &rule : attributesOf(type))
    std::visit(WriteValue{entries[rule.name]}, valueOf(op, rule));
  for (const FixedAttribute &fixed : fixedAttributesOf(type))
    if (fixed.isWritten)
      writeFixed(entries[fixed.name], fixed);
  addNames(entries, "input", inputs);
  addNames(entries, "output", outputs);
  entries.moveTo(out);
  return success();
}

//===--- Constants --------------------------------------------------------===//

namespace {
struct Weight {
  ConstOp op;
  ge::OpDef *node;
  uint64_t size;
};
} // namespace

/// Refuses a file that is too large before it is created.
static LogicalResult checkSize(GraphOp graph, const ge::ModelDef &model,
                               std::vector<Weight> weights) {
  // An upper bound on the length fields of six nested messages.
  constexpr uint64_t kLengths = 32;
  uint64_t elements = 0, rest = model.ByteSizeLong();
  for (const Weight &weight : weights) {
    elements = llvm::SaturatingAdd(elements, weight.size);
    rest += kLengths;
  }
  uint64_t total = llvm::SaturatingAdd(elements, rest);
  if (total <= kMaxBytes)
    return success();
  llvm::sort(weights, [](const Weight &a, const Weight &b) {
    return std::pair(b.size, a.node->id()) < std::pair(a.size, b.node->id());
  });
  constexpr size_t kShown = 3;
  weights.resize(std::min(weights.size(), kShown));
  InFlightDiagnostic error =
      graph.emitError("expected an .air file of at most ")
      << kMaxBytes << " bytes, protobuf's limit, got " << total
      << "; make inputs of constants, of which the largest are ";
  llvm::interleaveComma(weights, error, [&](const Weight &weight) {
    error << quote(weight.node->name()) << " of " << weight.size << " bytes";
  });
  return error;
}

static LogicalResult addElements(const Weight &weight) {
  FailureOr<std::string> bytes = elementBytes(weight.op);
  if (failed(bytes))
    return failure();
  for (ge::AttrEntry &entry : *weight.node->mutable_attr())
    if (entry.key() == "value")
      entry.mutable_value()->mutable_t()->set_data(std::move(*bytes));
  return success();
}

//===--- Files ------------------------------------------------------------===//

namespace {
class Sink : public google::protobuf::io::CopyingOutputStream {
public:
  explicit Sink(raw_ostream &os) : os(os) {}
  bool Write(const void *buffer, int size) override {
    os.write(static_cast<const char *>(buffer), size_t(size));
    return true;
  }

private:
  raw_ostream &os;
};
} // namespace

LogicalResult ascend::writeAir(GraphOp graph, raw_ostream &os) {
  FailureOr<Nodes> nodes = Nodes::of(graph);
  if (failed(nodes))
    return failure();
  if (!llvm::json::isUTF8(graph.getSymName()))
    return graph.emitError("expected a name in UTF-8, got other bytes");

  ge::ModelDef model;
  ge::GraphDef &out = *model.add_graph();
  out.set_name(graph.getSymName().str());
  std::vector<Weight> weights;
  llvm::SmallVector<StringRef> inputs(
      llvm::range_size(graph.getBody().getOps<DataOp>()));
  for (auto [i, op] : llvm::enumerate(nodes->operations())) {
    ge::OpDef &node = *out.add_op();
    node.set_id(int64_t(i));
    if (failed(writeNode(node, op, *nodes)))
      return failure();
    if (auto data = dyn_cast<DataOp>(op))
      inputs[data.getIndex()] = nodes->name(op);
    if (auto constant = dyn_cast<ConstOp>(op))
      weights.push_back(
          {constant, &node,
           byteSize(cast<RankedTensorType>(constant.getResult().getType()))
               .value_or(UINT64_MAX)});
  }
  for (StringRef input : inputs)
    out.add_input(input.str() + ":0");
  if (failed(checkSize(graph, model, weights)))
    return failure();
  for (const Weight &weight : weights)
    if (failed(addElements(weight)))
      return failure();

  // The output is deterministic: the schema has no maps.
  os.reserveExtraSpace(model.ByteSizeLong());
  Sink sink(os);
  google::protobuf::io::CopyingOutputStreamAdaptor stream(&sink);
  if (!model.SerializeToZeroCopyStream(&stream) || !stream.Flush())
    return graph.emitError("expected a graph that protobuf can hold");
  return success();
}
