// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/program/Folding.h"
#include "mercator/reference/AllRules.h"

using namespace mercator;
using namespace mlir;

static constexpr int64_t kMostElementOperations = 20'000'000;

ElementsAttr mercator::elementsOf(const reference::Tensor &tensor) {
  RankedTensorType type = tensor.type();
  if (tensor.size() == 0)
    return DenseElementsAttr::get(type, ArrayRef<Attribute>());
  Type elementType = type.getElementType();
  if (elementType.isInteger(1))
    return DenseElementsAttr::get(
        type, ArrayRef(reinterpret_cast<const bool *>(tensor.data()),
                       size_t(tensor.size())));
  // The width of both parts of a complex number.
  unsigned bits = tensor.element().bits * (isa<ComplexType>(elementType) + 1);
  if (isa<IntegerType>(elementType) && bits % 8 != 0) {
    SmallVector<APInt> numbers;
    numbers.reserve(tensor.size());
    for (int64_t i = 0; i < tensor.size(); ++i)
      numbers.push_back(APInt(64, uint64_t(tensor.at(i).integer)).trunc(bits));
    return DenseElementsAttr::get(type, numbers);
  }
  if (auto narrow = dyn_cast<FloatType>(elementType); narrow && bits % 8 != 0) {
    SmallVector<APFloat> numbers;
    numbers.reserve(tensor.size());
    for (int64_t i = 0; i < tensor.size(); ++i)
      numbers.emplace_back(narrow.getFloatSemantics(),
                           APInt(bits, uint64_t(tensor.data()[i])));
    return DenseElementsAttr::get(type, numbers);
  }
  if (!isa<IntegerType, FloatType, ComplexType>(elementType) ||
      bits != tensor.element().bytes * 8)
    return {};
  ArrayRef<char> bytes(reinterpret_cast<const char *>(tensor.data()),
                       tensor.byteSize());
  bool isSplat = true;
  size_t width = tensor.element().bytes;
  for (size_t at = width; at < bytes.size() && isSplat; at += width)
    isSplat = bytes.slice(at, width) == bytes.take_front(width);
  // MLIR takes a single element for a splat.
  return DenseElementsAttr::getFromRawBuffer(
      type, isSplat ? bytes.take_front(width) : bytes);
}

stablehlo::FoldFn mercator::foldByEvaluator(ModuleOp module) {
  reference::Limits limits;
  limits.elementOperations = kMostElementOperations;
  auto evaluator = std::make_shared<reference::Evaluator>(
      module, reference::allRules(), limits);
  return [evaluator](Operation *op, ArrayRef<ElementsAttr> operands,
                     SmallVectorImpl<ElementsAttr> &results) -> LogicalResult {
    // What cannot be evaluated is no error here.
    ScopedDiagnosticHandler quiet(op->getContext(), [](Diagnostic &) {});
    auto emit = [&] { return op->emitError(); };
    std::vector<reference::Value> values, computed(op->getNumResults());
    for (ElementsAttr operand : operands) {
      FailureOr<reference::Tensor> tensor =
          reference::Tensor::from(operand, emit);
      if (failed(tensor))
        return failure();
      values.push_back(std::move(*tensor));
    }
    if (failed(evaluator->single(op, values, computed)))
      return failure();
    for (const reference::Value &value : computed) {
      const reference::Tensor *tensor = value.tensor();
      ElementsAttr elements = tensor ? elementsOf(*tensor) : ElementsAttr();
      if (!elements)
        return failure();
      results.push_back(elements);
    }
    return success();
  };
}
