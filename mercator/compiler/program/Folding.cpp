// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/program/Folding.h"
#include "mercator/reference/AllRules.h"

using namespace mercator;

static constexpr int64_t kMostElementOperations = 20'000'000;

mlir::ElementsAttr mercator::elementsOf(const reference::Tensor &tensor) {
  mlir::RankedTensorType type = tensor.type();
  if (tensor.size() == 0)
    return mlir::DenseElementsAttr::get(type,
                                        llvm::ArrayRef<mlir::Attribute>());
  mlir::Type elementType = type.getElementType();
  if (elementType.isInteger(1))
    return mlir::DenseElementsAttr::get(
        type, llvm::ArrayRef(reinterpret_cast<const bool *>(tensor.data()),
                             size_t(tensor.size())));
  // The width of both parts of a complex number.
  unsigned bits =
      tensor.element().bits * (llvm::isa<mlir::ComplexType>(elementType) + 1);
  if (llvm::isa<mlir::IntegerType>(elementType) && bits % 8 != 0) {
    llvm::SmallVector<llvm::APInt> numbers;
    numbers.reserve(tensor.size());
    for (int64_t i = 0; i < tensor.size(); ++i)
      numbers.push_back(
          llvm::APInt(64, uint64_t(tensor.at(i).integer)).trunc(bits));
    return mlir::DenseElementsAttr::get(type, numbers);
  }
  if (auto narrow = llvm::dyn_cast<mlir::FloatType>(elementType);
      narrow && bits % 8 != 0) {
    llvm::SmallVector<llvm::APFloat> numbers;
    numbers.reserve(tensor.size());
    for (int64_t i = 0; i < tensor.size(); ++i)
      numbers.emplace_back(narrow.getFloatSemantics(),
                           llvm::APInt(bits, uint64_t(tensor.data()[i])));
    return mlir::DenseElementsAttr::get(type, numbers);
  }
  if (!llvm::isa<mlir::IntegerType, mlir::FloatType, mlir::ComplexType>(
          elementType) ||
      bits != tensor.element().bytes * 8)
    return {};
  llvm::ArrayRef<char> bytes(reinterpret_cast<const char *>(tensor.data()),
                             tensor.byteSize());
  bool isSplat = true;
  size_t width = tensor.element().bytes;
  for (size_t at = width; at < bytes.size() && isSplat; at += width)
    isSplat = bytes.slice(at, width) == bytes.take_front(width);
  // MLIR takes a single element for a splat.
  return mlir::DenseElementsAttr::getFromRawBuffer(
      type, isSplat ? bytes.take_front(width) : bytes);
}

/// Fails, after an error, for elements that the evaluator does not know.
static llvm::FailureOr<std::vector<reference::Value>>
valuesOf(llvm::ArrayRef<mlir::ElementsAttr> operands,
         reference::EmitError emitError) {
  std::vector<reference::Value> values;
  for (mlir::ElementsAttr operand : operands) {
    llvm::FailureOr<reference::Tensor> tensor =
        reference::Tensor::from(operand, emitError);
    if (failed(tensor))
      return llvm::failure();
    values.push_back(std::move(*tensor));
  }
  return values;
}

stablehlo::FoldFn mercator::foldByEvaluator(mlir::ModuleOp module) {
  reference::Limits limits;
  limits.elementOperations = kMostElementOperations;
  auto evaluator = std::make_shared<reference::Evaluator>(
      module, reference::allRules(), limits);
  return [evaluator](mlir::Operation *op,
                     llvm::ArrayRef<mlir::ElementsAttr> operands,
                     llvm::SmallVectorImpl<mlir::ElementsAttr> &results)
             -> llvm::LogicalResult {
    // What cannot be evaluated is no error here.
    mlir::ScopedDiagnosticHandler quiet(op->getContext(),
                                        [](mlir::Diagnostic &) {});
    auto emit = [&] { return op->emitError(); };
    auto values = valuesOf(operands, emit);
    std::vector<reference::Value> computed(op->getNumResults());
    if (failed(values) || failed(evaluator->single(op, *values, computed)))
      return llvm::failure();
    for (const reference::Value &value : computed) {
      const reference::Tensor *tensor = value.tensor();
      mlir::ElementsAttr elements =
          tensor ? elementsOf(*tensor) : mlir::ElementsAttr();
      if (!elements)
        return llvm::failure();
      results.push_back(elements);
    }
    return llvm::success();
  };
}

std::function<llvm::LogicalResult(mlir::Operation *,
                                  llvm::ArrayRef<mlir::ElementsAttr>)>
mercator::checkByEvaluator(mlir::ModuleOp module) {
  return
      [module](
          mlir::Operation *op,
          llvm::ArrayRef<mlir::ElementsAttr> operands) -> llvm::LogicalResult {
        auto values = valuesOf(operands, [op] { return op->emitError(); });
        if (failed(values))
          return llvm::failure();
        std::vector<reference::Value> none;
        reference::Evaluator evaluator(module, reference::allRules());
        return evaluator.single(op, *values, none);
      };
}
