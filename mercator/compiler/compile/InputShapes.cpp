// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/compile/InputShapes.h"

#include "mercator/compiler/program/Folding.h"
#include "mercator/support/Suggest.h"
#include "mercator/targets/ascend/graph/InputNames.h"
#include "mercator/targets/ascend/prepare/Bounds.h"
#include "mercator/transforms/stablehlo/interface/RefineShapes.h"

#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using namespace mlir;
using stablehlo::shapeText;

static bool isDynamic(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

//===--- Words ------------------------------------------------------------===//

std::optional<ShapeChoice>
mercator::parseShape(StringRef word, mercator::DiagnosticEngine &diagnostics) {
  ShapeChoice choice;
  StringRef extents = word;
  // A name may have colons.
  if (size_t colon = word.rfind(':'); colon != StringRef::npos) {
    choice.name = word.take_front(colon).str();
    extents = word.drop_front(colon + 1);
  }
  SmallVector<StringRef> parts;
  if (!extents.empty())
    extents.split(parts, 'x');
  for (StringRef part : parts) {
    int64_t extent = 0;
    if (part.getAsInteger(10, extent) || extent < 0) {
      (void)diagnostics.error({}, "expected `--shape=NAME:4x8`, the extents of "
                                  "an input, got " +
                                      quote(word));
      return std::nullopt;
    }
    choice.extents.push_back(extent);
  }
  return choice;
}

std::vector<std::string> mercator::suggestShapes(func::FuncOp function) {
  constexpr int64_t kExample = 8;
  std::vector<std::string> words;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (!isDynamic(type))
      continue;
    auto bounds =
        function.getArgAttrOfType<DenseI64ArrayAttr>(i, ascend::kBoundsName);
    SmallVector<int64_t> shape(cast<RankedTensorType>(type).getShape());
    for (auto [dim, extent] : llvm::enumerate(shape))
      if (ShapedType::isDynamic(extent))
        extent = bounds && bounds[dim] >= 0 ? bounds[dim] : kExample;
    words.push_back(ascend::inputName(function, i) + ":" + shapeText(shape));
  }
  return words;
}

//===--- Inputs -----------------------------------------------------------===//

/// Why an input of the type cannot have the shape; empty if it can.
static std::string whyNotShape(RankedTensorType type, ArrayRef<int64_t> shape,
                               DenseI64ArrayAttr bounds) {
  std::string expected =
      "expected " + shapeText(type.getShape()) + ", got " + shapeText(shape);
  if (int64_t(shape.size()) != type.getRank())
    return expected;
  for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
    if (!ShapedType::isDynamic(extent) && extent != shape[dim])
      return expected;
    if (bounds && bounds[dim] >= 0 && shape[dim] > bounds[dim])
      return "expected dimension " + std::to_string(dim) + " to be at most " +
             std::to_string(bounds[dim]) + ", got " +
             std::to_string(shape[dim]);
  }
  return "";
}

/// The input that a choice names. None after an error.
static std::optional<unsigned>
inputOf(func::FuncOp function, const ShapeChoice &choice,
        mercator::DiagnosticEngine &diagnostics) {
  std::vector<std::string> names;
  SmallVector<unsigned> unknown;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    names.push_back(ascend::inputName(function, i));
    if (choice.name == names.back())
      return i;
    if (isDynamic(type))
      unknown.push_back(i);
  }
  if (!choice.name && unknown.size() == 1)
    return unknown.front();
  std::vector<std::string> words = suggestShapes(function);
  std::string help;
  for (const std::string &word : words)
    help += (help.empty() ? "--shape=" : " --shape=") + word;
  if (!choice.name) {
    (void)diagnostics.error(
        {}, "expected one input with unknown extents for `--shape=" +
                shapeText(choice.extents) + "`, got " +
                llvm::Twine(unknown.size()));
  } else {
    (void)diagnostics.error({}, "expected an input of @" +
                                    function.getSymName() + ", got " +
                                    quote(*choice.name) + "; its inputs are " +
                                    llvm::join(names, ", "));
  }
  if (!help.empty())
    diagnostics.help(help);
  return std::nullopt;
}

static LogicalResult setInputs(func::FuncOp function,
                               ArrayRef<ShapeChoice> choices,
                               mercator::DiagnosticEngine &diagnostics) {
  for (const ShapeChoice &choice : choices) {
    std::optional<unsigned> input = inputOf(function, choice, diagnostics);
    if (!input)
      return failure();
    BlockArgument argument = function.getArgument(*input);
    auto bounds = function.getArgAttrOfType<DenseI64ArrayAttr>(
        *input, ascend::kBoundsName);
    std::string name = ascend::inputName(function, *input), why;
    if (RankedTensorType type =
            dyn_cast<RankedTensorType>(argument.getType())) {
      why = whyNotShape(type, choice.extents, bounds);
      if (why.empty())
        argument.setType(
            RankedTensorType::get(choice.extents, type.getElementType()));
    } else {
      why = "expected a tensor";
    }
    if (!why.empty())
      return diagnostics.error({}, "input " + quote(name) + ": " + why);
    function.removeArgAttr(*input, ascend::kBoundsName);
  }
  return success();
}

LogicalResult mercator::refineShapes(func::FuncOp function,
                                     ArrayRef<ShapeChoice> choices,
                                     mercator::DiagnosticEngine &diagnostics) {
  if (failed(setInputs(function, choices, diagnostics)))
    return failure();
  auto module = function->getParentOfType<ModuleOp>();
  return stablehlo::refineShapes(function, {.fold = foldByEvaluator(module),
                                            .check = checkByEvaluator(module)});
}
