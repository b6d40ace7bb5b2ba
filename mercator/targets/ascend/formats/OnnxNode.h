// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// One operator of a graph on its way into a model of ONNX.
///
///   OnnxTensor x = node.cast(node.input(0), GeType::int32);
///   OnnxTensor sum = node.step("ReduceSum", {x, node.ints({1})});
///   return node.finish("Cast", {sum}, {{"to", 3}});
///
/// writes three nodes: `NAME/Cast`, `NAME/ReduceSum` and, under the operator's
/// own name, the last. What ONNX's operators cannot take is an error at the
/// operator, and whatever follows writes nothing of use: only `finish` says
/// that all went well.

#ifndef MERCATOR_TARGETS_ASCEND_FORMATS_ONNXNODE_H
#define MERCATOR_TARGETS_ASCEND_FORMATS_ONNXNODE_H

#include "mercator/dialects/ascend/Registry.h"
#include "mercator/targets/ascend/formats/Nodes.h"
#include "mercator/targets/ascend/formats/OnnxModel.pb.h"

#include "llvm/ADT/StringSet.h"

#include <functional>
#include <variant>

namespace mercator::ascend {

/// A tensor of the model: its name, and the type of its elements.
struct OnnxTensor {
  std::string name;
  GeType type;
};

struct OnnxAttribute {
  llvm::StringRef name;
  std::variant<int64_t, llvm::SmallVector<int64_t, 6>, std::string> value;
};

/// What ONNX's TensorProto calls the type.
[[nodiscard]] int32_t onnxNumber(GeType type);
/// The elements that an operator takes at opset 18; none for one that is not
/// written here.
[[nodiscard]] TypeSet onnxTypes(llvm::StringRef type);

/// A type in which an operator that does not take `element` gives the same;
/// `element` itself where there is none or none is needed.
[[nodiscard]] GeType onnxComputedIn(llvm::StringRef type, GeType element);

class OnnxNode {
public:
  /// `names` are those that no tensor may have any more.
  OnnxNode(mlir::Operation *op, std::string name, onnx::GraphProto &graph,
           const llvm::DenseMap<mlir::Value, OnnxTensor> &tensors,
           llvm::StringSet<> &names)
      : op(op), name(std::move(name)), graph(graph), tensors(tensors),
        names(names) {}

  mlir::Operation *const op;

  [[nodiscard]] OnnxTensor input(unsigned i) const {
    return tensors.find(op->getOperand(i))->second;
  }
  [[nodiscard]] llvm::SmallVector<OnnxTensor> inputs(size_t count) const;
  [[nodiscard]] llvm::ArrayRef<int64_t> shape(unsigned i) const;
  [[nodiscard]] llvm::ArrayRef<int64_t> resultShape() const;
  [[nodiscard]] GeType resultType() const;
  /// The integers of an operand that is a Const; an error for any other.
  [[nodiscard]] llvm::FailureOr<llvm::SmallVector<int64_t, 6>>
  known(unsigned i);

  /// A constant vector.
  OnnxTensor ints(llvm::ArrayRef<int64_t> values);
  /// A scalar: a whole number that the type has.
  OnnxTensor number(GeType type, int64_t value);
  /// Nothing for a tensor that is of the type already.
  OnnxTensor cast(const OnnxTensor &x, GeType type);

  /// A node; the type of its result is that of its data, or a boolean for what
  /// compares.
  OnnxTensor step(llvm::StringRef type, llvm::ArrayRef<OnnxTensor> inputs,
                  llvm::ArrayRef<OnnxAttribute> attributes = {});
  /// The last node, whose result is the operator's.
  llvm::LogicalResult finish(llvm::StringRef type,
                             llvm::ArrayRef<OnnxTensor> inputs,
                             llvm::ArrayRef<OnnxAttribute> attributes = {});
  /// The last node casts, or where there is nothing to cast is an Identity.
  llvm::LogicalResult finishCast(const OnnxTensor &x, GeType type);

  /// An error at the operator.
  llvm::LogicalResult no(const llvm::Twine &why);

private:
  OnnxTensor add(llvm::StringRef type, llvm::ArrayRef<OnnxTensor> inputs,
                 llvm::ArrayRef<OnnxAttribute> attributes, std::string name);
  OnnxTensor constant(GeType type, llvm::ArrayRef<int64_t> shape,
                      std::string bytes);
  std::string fresh(llvm::StringRef suffix);

  std::string name;
  onnx::GraphProto &graph;
  const llvm::DenseMap<mlir::Value, OnnxTensor> &tensors;
  llvm::StringSet<> &names;
  bool hasFailed = false;
};

using OnnxRule = std::function<llvm::LogicalResult(OnnxNode &)>;
/// How an operator that works element by element is written; null for any
/// other.
[[nodiscard]] OnnxRule onnxElementsRule(llvm::StringRef type);
/// Writes the nodes of an operator of the registry; fails after an error at it.
llvm::LogicalResult addOnnxOperator(OnnxNode &node);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_FORMATS_ONNXNODE_H
