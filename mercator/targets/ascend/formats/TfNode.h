// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Writes one operator of a graph to a GraphDef of TensorFlow.
///
///   TfTensor axis = node.ints({1}, /*isScalar=*/true);
///   return node.finish("GatherV2", {x, indices, axis},
///                      {{"Tparams", x.type}, .., {"batch_dims", 1}});
///
/// writes the node of an operator under the operator's own name. Nodes before
/// it (`step`) have the name `NAME/TYPE`. Every node has its types as
/// attributes, as TensorFlow requires.

#ifndef MERCATOR_TARGETS_ASCEND_FORMATS_TFNODE_H
#define MERCATOR_TARGETS_ASCEND_FORMATS_TFNODE_H

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/dialects/ascend/Registry.h"
#include "mercator/targets/ascend/formats/TfGraph.pb.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

#include <variant>

namespace mercator::ascend {

/// The output of a node and its element type.
struct TfTensor {
  std::string name;
  GeType type;
};

struct TfAttribute {
  llvm::StringRef name;
  std::variant<GeType, int64_t, bool> value;
};

/// The number of the type in TensorFlow's DataType.
[[nodiscard]] int32_t tfNumber(GeType type);

/// Sets a Const from a type, a shape and the bytes of its elements.
void setTfConstant(tf::NodeDef &node, GeType type,
                   llvm::ArrayRef<int64_t> shape, std::string bytes);
void setTfType(tf::NodeDef &node, llvm::StringRef attribute, GeType type);

class TfNode {
public:
  /// `names` are the names already in use.
  TfNode(mlir::Operation *op, tf::GraphDef &graph,
         const llvm::DenseMap<mlir::Value, TfTensor> &tensors,
         llvm::StringSet<> &names)
      : op(op), graph(graph), tensors(tensors), names(names) {}

  mlir::Operation *const op;

  [[nodiscard]] TfTensor input(unsigned i) const {
    return tensors.find(op->getOperand(i))->second;
  }
  [[nodiscard]] llvm::SmallVector<TfTensor> inputs() const;
  [[nodiscard]] llvm::ArrayRef<int64_t> shape(unsigned i) const;
  /// A tensor of one element as a scalar, where TensorFlow requires one.
  TfTensor scalar(unsigned i);

  /// A constant: a vector, or the scalar of its single value.
  TfTensor ints(llvm::ArrayRef<int64_t> values, bool isScalar = false);
  /// A scalar, rounded to float32 or float64.
  TfTensor real(GeType type, double value);
  TfTensor step(llvm::StringRef type, llvm::ArrayRef<TfTensor> inputs,
                llvm::ArrayRef<TfAttribute> attributes,
                std::optional<GeType> result = std::nullopt);
  llvm::LogicalResult finish(llvm::StringRef type,
                             llvm::ArrayRef<TfTensor> inputs,
                             llvm::ArrayRef<TfAttribute> attributes);
  /// Reports an error at the operator.
  llvm::LogicalResult no(const llvm::Twine &why);

private:
  std::string fresh(llvm::StringRef suffix);

  tf::GraphDef &graph;
  const llvm::DenseMap<mlir::Value, TfTensor> &tensors;
  llvm::StringSet<> &names;
};

/// Writes the nodes of an operator of the registry; fails after an error at it.
llvm::LogicalResult addTfOperator(TfNode &node);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_FORMATS_TFNODE_H
