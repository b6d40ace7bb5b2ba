// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Writes one operator of a graph to an ONNX model.
///
///   OnnxTensor x = node.cast(node.input(0), GeType::int32);
///   OnnxTensor sum = node.step("ReduceSum", {x, node.ints({1})});
///   return node.finish("Cast", {sum}, {{"to", 3}});
///
/// writes three nodes: `NAME/Cast`, `NAME/ReduceSum` and, under the operator's
/// own name, the last one. An unsupported type is an error at the operator;
/// nodes written after it are unusable, and only `finish` returns success.

#ifndef MERCATOR_TARGETS_ASCEND_FORMATS_ONNXNODE_H
#define MERCATOR_TARGETS_ASCEND_FORMATS_ONNXNODE_H

#include "mercator/dialects/ascend/Registry.h"
#include "mercator/targets/ascend/formats/Nodes.h"
#include "mercator/targets/ascend/formats/OnnxModel.pb.h"

#include "llvm/ADT/StringSet.h"

#include <functional>
#include <variant>

namespace mercator::ascend {

/// A tensor of the model: its name and its element type.
struct OnnxTensor {
  std::string name;
  GeType type;
};

struct OnnxAttribute {
  llvm::StringRef name;
  std::variant<int64_t, llvm::SmallVector<int64_t, 6>, std::string, float>
      value;
};

/// The number of the type in ONNX's TensorProto.
[[nodiscard]] int32_t onnxNumber(GeType type);
/// The element types that an operator supports at opset 18; none for an
/// operator that is not written here.
[[nodiscard]] TypeSet onnxTypes(llvm::StringRef type);

/// A type in which an operator that does not support `element` gives the same
/// result; `element` itself if it is supported or no type gives that result.
[[nodiscard]] GeType onnxComputedIn(llvm::StringRef type, GeType element);

class OnnxNode {
public:
  /// `names` are the names already in use.
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
  [[nodiscard]] GeType resultType(unsigned i = 0) const;
  /// The integers of a Const operand; an error for any other operand.
  [[nodiscard]] llvm::FailureOr<llvm::SmallVector<int64_t, 6>>
  known(unsigned i);

  /// A constant vector.
  OnnxTensor ints(llvm::ArrayRef<int64_t> values);
  /// A scalar: an integer that the type can represent.
  OnnxTensor number(GeType type, int64_t value);
  /// A scalar, rounded to the type. Requires: the type is of floats.
  OnnxTensor real(GeType type, double value);
  /// Adds no node if the tensor already has the type.
  OnnxTensor cast(const OnnxTensor &x, GeType type);

  /// Adds a node. The type of its result is that of its data, or boolean for a
  /// comparison.
  OnnxTensor step(llvm::StringRef type, llvm::ArrayRef<OnnxTensor> inputs,
                  llvm::ArrayRef<OnnxAttribute> attributes = {});
  /// Adds a node with several results, of these types.
  llvm::SmallVector<OnnxTensor> steps(llvm::StringRef type,
                                      llvm::ArrayRef<OnnxTensor> inputs,
                                      llvm::ArrayRef<OnnxAttribute> attributes,
                                      llvm::ArrayRef<GeType> types);
  /// Adds the last node, whose result is the operator's first.
  llvm::LogicalResult finish(llvm::StringRef type,
                             llvm::ArrayRef<OnnxTensor> inputs,
                             llvm::ArrayRef<OnnxAttribute> attributes = {});
  /// Adds a cast, or an Identity without a change of type, as the last node.
  llvm::LogicalResult finishCast(const OnnxTensor &x, GeType type);
  /// The same for all results of the operator, each in its type.
  llvm::LogicalResult finishAll(llvm::ArrayRef<OnnxTensor> results);

  /// Reports an error at the operator.
  llvm::LogicalResult no(const llvm::Twine &why);

private:
  onnx::NodeProto &addNode(llvm::StringRef type,
                           llvm::ArrayRef<OnnxTensor> inputs,
                           llvm::ArrayRef<OnnxAttribute> attributes,
                           const std::string &name);
  OnnxTensor add(llvm::StringRef type, llvm::ArrayRef<OnnxTensor> inputs,
                 llvm::ArrayRef<OnnxAttribute> attributes, std::string name);
  OnnxTensor constant(GeType type, llvm::ArrayRef<int64_t> shape,
                      std::string bytes);
  OnnxTensor scalar(GeType type, const llvm::APInt &bits);
  std::string fresh(llvm::StringRef suffix);

  std::string name;
  onnx::GraphProto &graph;
  const llvm::DenseMap<mlir::Value, OnnxTensor> &tensors;
  llvm::StringSet<> &names;
  bool hasFailed = false;
};

using OnnxRule = std::function<llvm::LogicalResult(OnnxNode &)>;
/// The rule of an elementwise operator; null for other operators.
[[nodiscard]] OnnxRule onnxElementsRule(llvm::StringRef type);
/// Writes the nodes of an operator of the registry; fails after an error at it.
llvm::LogicalResult addOnnxOperator(OnnxNode &node);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_FORMATS_ONNXNODE_H
