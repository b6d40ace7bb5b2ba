// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/run/StageValues.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Normalize.h"

#include "mlir/IR/Builders.h"

using namespace mercator;
using namespace mercator::reference;
using mlir::RankedTensorType;
using mlir::Type;

//===----------------------------------------------------------------------===//
// Leaves of tuples
//===----------------------------------------------------------------------===//

/// Appends the members of tuples. A token is no value.
static void flatten(Type type, std::vector<Type> &into) {
  if (auto tuple = llvm::dyn_cast<mlir::TupleType>(type)) {
    for (Type member : tuple.getTypes())
      flatten(member, into);
    return;
  }
  if (!llvm::isa<stablehlo::TokenType>(type))
    into.push_back(type);
}

static void flatten(const Value &value, std::vector<Value> &into) {
  if (const Tuple *tuple = value.tuple()) {
    for (const Value &member : tuple->members)
      flatten(member, into);
    return;
  }
  if (!std::holds_alternative<Token>(value))
    into.push_back(value);
}

/// The value of a type, from its leaves.
static Value assemble(Type type, llvm::ArrayRef<Value> &leaves) {
  if (auto tuple = llvm::dyn_cast<mlir::TupleType>(type)) {
    Tuple members;
    for (Type member : tuple.getTypes())
      members.members.push_back(assemble(member, leaves));
    return members;
  }
  if (llvm::isa<stablehlo::TokenType>(type))
    return Token();
  Value leaf = leaves.front();
  leaves = leaves.drop_front();
  return leaf;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The same elements in another type; none if it is of another width.
static std::optional<Tensor> inType(const Tensor &tensor, Type element) {
  std::optional<Element> known = Element::of(element);
  if (!known || known->bytes != tensor.element().bytes)
    return std::nullopt;
  Tensor own = tensor.withType(RankedTensorType::get(tensor.shape(), element));
  if (known->bits >= 8 || known->kind == tensor.element().kind)
    return own;
  // The stage has no unsigned types; their bits beyond a narrow integer differ.
  auto clone = own.clone([&] {
    return mlir::emitError(mlir::UnknownLoc::get(element.getContext()));
  });
  if (failed(clone))
    return std::nullopt;
  normalize(*clone);
  return *clone;
}

/// `tensor<index>`, as an extent is passed.
static std::optional<Tensor> extentOf(int64_t extent,
                                      mlir::MLIRContext *context) {
  auto type = RankedTensorType::get({}, mlir::IndexType::get(context));
  auto tensor = Tensor::zeros(
      type, [&] { return mlir::emitError(mlir::UnknownLoc::get(context)); });
  if (failed(tensor))
    return std::nullopt;
  tensor->set(int64_t(0), Scalar::whole(extent));
  return *tensor;
}

static bool isExtent(const Value &value) {
  const Tensor *tensor = value.tensor();
  return tensor && tensor->rank() == 0 &&
         tensor->type().getElementType().isIndex();
}

std::optional<std::vector<Value>>
mercator::toStage(llvm::ArrayRef<Value> values, mlir::TypeRange types,
                  mlir::TypeRange lowered) {
  std::vector<Type> sources;
  std::vector<Value> leaves, arguments;
  for (Type type : types)
    flatten(type, sources);
  for (const Value &value : values)
    flatten(value, leaves);
  unsigned next = 0, count = lowered.size();
  bool isExpanded = count > leaves.size();
  for (auto [leaf, source] : llvm::zip_equal(leaves, sources)) {
    const Tensor *tensor = leaf.tensor();
    if (!tensor || next == count)
      return std::nullopt;
    Type type = lowered[next++];
    std::optional<Tensor> own =
        inType(*tensor, mlir::getElementTypeOrSelf(type));
    if (!own)
      return std::nullopt;
    arguments.emplace_back(std::move(*own));
    auto shape = llvm::cast<RankedTensorType>(source).getShape();
    for (auto [declared, extent] : llvm::zip_equal(shape, tensor->shape())) {
      if (!isExpanded || !mlir::ShapedType::isDynamic(declared))
        continue;
      std::optional<Tensor> number = extentOf(extent, type.getContext());
      if (!number)
        return std::nullopt;
      arguments.emplace_back(std::move(*number));
      ++next;
    }
  }
  if (next != count)
    return std::nullopt;
  return arguments;
}

std::optional<std::vector<Value>>
mercator::fromStage(llvm::ArrayRef<Value> results, mlir::TypeRange types) {
  std::vector<Type> sources;
  for (Type type : types)
    flatten(type, sources);
  bool isExpanded = results.size() > sources.size();
  std::vector<Value> leaves;
  size_t next = 0;
  for (Type source : sources) {
    if (next == results.size())
      return std::nullopt;
    const Tensor *tensor = results[next++].tensor();
    std::optional<Tensor> own;
    if (tensor)
      own = inType(*tensor, mlir::getElementTypeOrSelf(source));
    if (!own)
      return std::nullopt;
    leaves.emplace_back(std::move(*own));
    while (isExpanded && next < results.size() && isExtent(results[next]))
      ++next;
  }
  if (next != results.size())
    return std::nullopt;
  std::vector<Value> values;
  llvm::ArrayRef<Value> rest = leaves;
  for (Type type : types)
    values.push_back(assemble(type, rest));
  return values;
}
