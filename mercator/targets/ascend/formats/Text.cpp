// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/formats/Text.h"

#include "mercator/dialects/ascend/Registry.h"
#include "mercator/targets/ascend/formats/Attributes.h"
#include "mercator/targets/ascend/formats/Elements.h"
#include "mercator/targets/ascend/formats/Nodes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

namespace {
class Lister {
public:
  Lister(GraphOp graph, const Nodes &nodes, raw_ostream &os)
      : graph(graph), nodes(nodes), os(os) {}
  LogicalResult list();

private:
  LogicalResult listConstant(ConstOp op);
  void listOperator(Operation *op);

  void name(StringRef name);
  void element(Type type);
  void type(RankedTensorType type);
  /// Prints a node's name, or the elements of a short constant.
  void use(Value value);

  GraphOp graph;
  const Nodes &nodes;
  raw_ostream &os;
};
} // namespace

//===--- Names and types --------------------------------------------------===//

/// Quoted unless a reader can see where the name ends.
static void printName(raw_ostream &os, StringRef name) {
  bool isPlain = !name.empty() && llvm::all_of(name, [](char c) {
    return llvm::isAlnum(c) || llvm::StringRef("_.$-/").contains(c);
  });
  if (isPlain) {
    os << name;
    return;
  }
  os << '"';
  for (char c : name) {
    if (c == '"' || c == '\\')
      os << '\\' << c;
    else if (uint8_t(c) < 0x20 || c == 0x7f)
      os << '\\' << llvm::hexdigit(uint8_t(c) >> 4)
         << llvm::hexdigit(uint8_t(c) & 15);
    else
      os << c;
  }
  os << '"';
}

void Lister::name(StringRef name) {
  os << '%';
  printName(os, name);
}

void Lister::element(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    os << "c" << 2 * complex.getElementType().getIntOrFloatBitWidth();
  else
    os << type;
}

void Lister::type(RankedTensorType type) {
  element(type.getElementType());
  os << '[';
  llvm::interleave(
      type.getShape(), os,
      [&](int64_t extent) {
        if (ShapedType::isDynamic(extent))
          os << '?';
        else
          os << extent;
      },
      ",");
  os << ']';
}

//===--- Constants --------------------------------------------------------===//

/// Scalars and short vectors are printed where they are used.
static DenseElementsAttr shortElements(Value value) {
  constexpr int64_t kShort = 8;
  auto constant = value.getDefiningOp<ConstOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue())
                        : DenseElementsAttr();
  bool isShort = dense && dense.getType().getRank() <= 1 &&
                 dense.getNumElements() <= kShort;
  return isShort ? dense : DenseElementsAttr();
}

static void printFloat(raw_ostream &os, const APFloat &value) {
  llvm::SmallString<32> text;
  value.toString(text);
  os << text;
}

/// The first elements of a constant.
static void printElements(raw_ostream &os, DenseElementsAttr dense,
                          int64_t count) {
  Type element = dense.getElementType();
  llvm::ListSeparator separator;
  if (isa<FloatType>(element)) {
    for (const APFloat &value :
         llvm::make_range(dense.value_begin<APFloat>(),
                          dense.value_begin<APFloat>() + count)) {
      os << separator;
      printFloat(os, value);
    }
  } else if (auto integer = dyn_cast<IntegerType>(element)) {
    for (const APInt &value : llvm::make_range(
             dense.value_begin<APInt>(), dense.value_begin<APInt>() + count)) {
      os << separator;
      if (integer.getWidth() == 1)
        os << (value.isZero() ? "false" : "true");
      else
        value.print(os, /*isSigned=*/!integer.isUnsigned());
    }
  } else {
    for (const std::complex<APFloat> &value :
         llvm::make_range(dense.value_begin<std::complex<APFloat>>(),
                          dense.value_begin<std::complex<APFloat>>() + count)) {
      os << separator << '(';
      printFloat(os, value.real());
      os << ", ";
      printFloat(os, value.imag());
      os << ')';
    }
  }
}

void Lister::use(Value value) {
  DenseElementsAttr dense = shortElements(value);
  if (!dense) {
    name(nodes.name(value));
    // The outputs of a node after its first.
    if (unsigned output = cast<OpResult>(value).getResultNumber())
      os << ':' << output;
    return;
  }
  element(dense.getElementType());
  bool isScalar = dense.getType().getRank() == 0;
  os << (isScalar ? " " : "[");
  printElements(os, dense, dense.getNumElements());
  if (!isScalar)
    os << ']';
}

/// The first elements of a long constant and a hash of all elements.
LogicalResult Lister::listConstant(ConstOp op) {
  if (shortElements(op.getResult()))
    return success();
  os << "  ";
  name(nodes.name(op.getOperation()));
  os << " : ";
  auto type = cast<RankedTensorType>(op.getResult().getType());
  this->type(type);
  os << " = Const(";
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  if (dense && dense.isSplat()) {
    os << "all ";
    printElements(os, dense, 1);
    os << ")\n";
    return success();
  }
  FailureOr<std::string> bytes = elementBytes(op);
  if (failed(bytes))
    return failure();
  constexpr int64_t kShown = 4;
  if (dense) {
    int64_t count = std::min(kShown, dense.getNumElements());
    printElements(os, dense, count);
    os << (count < dense.getNumElements() ? ", .." : "");
  }
  os << ") hash " << llvm::format_hex_no_prefix(llvm::xxh3_64bits(*bytes), 16)
     << '\n';
  return success();
}

//===--- Nodes ------------------------------------------------------------===//

namespace {
struct PrintValue {
  raw_ostream &os;

  void operator()(bool value) { os << (value ? "true" : "false"); }
  void operator()(int64_t value) { os << value; }
  void operator()(float value) { os << llvm::format("%g", double(value)); }
  void operator()(const llvm::SmallVector<int64_t, 6> &values) {
    os << '[';
    llvm::interleaveComma(values, os);
    os << ']';
  }
  void operator()(const std::string &value) { printName(os, value); }
};
} // namespace

void Lister::listOperator(Operation *op) {
  StringRef kind = op->getName().stripDialect();
  os << "  ";
  name(nodes.name(op));
  os << " : ";
  llvm::interleaveComma(op->getResultTypes(), os, [&](Type result) {
    type(cast<RankedTensorType>(result));
  });
  os << " = " << kind << '(';
  const Operator *entry = findOperator(kind);
  size_t operand = 0, count = op->getNumOperands();
  llvm::ListSeparator separator;
  for (const Input &input : entry->inputs) {
    os << separator << input.name << '=';
    if (!input.isList) {
      use(op->getOperand(operand++));
      continue;
    }
    os << '[';
    llvm::ListSeparator inner;
    for (size_t i = 0; i + entry->inputs.size() <= count; ++i) {
      os << inner;
      use(op->getOperand(operand++));
    }
    os << ']';
  }
  os << ')';
  llvm::ListSeparator comma(", ", " {");
  bool hasAny = false;
  for (const AttributeRule &rule : attributesOf(kind)) {
    AttributeValue value = valueOf(op, rule);
    if (rule.isDefault(value))
      continue;
    hasAny = true;
    os << comma << rule.name << '=';
    std::visit(PrintValue{os}, value);
  }
  os << (hasAny ? "}\n" : "\n");
}

LogicalResult Lister::list() {
  os << "graph ";
  printName(os, graph.getSymName());
  os << '\n';
  llvm::SmallVector<DataOp> inputs(graph.getBody().getOps<DataOp>());
  llvm::sort(inputs,
             [](DataOp a, DataOp b) { return a.getIndex() < b.getIndex(); });
  for (DataOp input : inputs) {
    os << "  ";
    name(nodes.name(input.getOperation()));
    os << " : ";
    type(cast<RankedTensorType>(input.getResult().getType()));
    os << " = input " << input.getIndex() << '\n';
  }
  for (Operation *op : nodes.operations()) {
    if (auto constant = dyn_cast<ConstOp>(op)) {
      if (failed(listConstant(constant)))
        return failure();
    } else if (!isa<DataOp, NetOutputOp>(op)) {
      listOperator(op);
    }
  }
  auto results = cast<NetOutputOp>(nodes.operations().back());
  for (auto [i, result] : llvm::enumerate(results.getOperands())) {
    os << "  result " << i << " = ";
    use(result);
    os << '\n';
  }
  return success();
}

LogicalResult ascend::writeText(GraphOp graph, raw_ostream &os) {
  FailureOr<Nodes> nodes = Nodes::of(graph);
  if (failed(nodes))
    return failure();
  std::string text;
  llvm::raw_string_ostream lines(text);
  if (failed(Lister(graph, *nodes, lines).list()))
    return failure();
  os << text;
  return success();
}
