// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/hlo/ShapeRules.h"
#include "mercator/support/Diagnostic.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mercator;
using namespace mercator::hlo;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// n inputs of equal extents, then n scalar initial values, and a reducer with
/// 2n parameters.
bool ShapeRules::reducerInputs(unsigned &inputs) {
  if (!needAllArrays())
    return false;
  StringRef name = spelling(node.opcode);
  if (operandCount() % 2)
    return fail("expected an even number of operands for " + quote(name) +
                ", inputs and their initial values, got " +
                Twine(operandCount()));
  inputs = operandCount() / 2;
  for (unsigned i = 1; i < inputs; ++i)
    if (operand(i).dims != operand(0).dims)
      return failOperand(i, "the inputs of " + quote(name) +
                                " differ in extent: " + describe(0) + " and " +
                                describe(i));
  for (unsigned i = inputs; i < operandCount(); ++i)
    if (!operand(i).isScalar())
      return failOperand(i,
                         "expected a scalar initial value, got " + describe(i));
  const Computation *called = callee(AttrName::ToApply);
  if (called && called->parameters.size() != operandCount())
    return failAttr(AttrName::ToApply,
                    "expected a reducer of " + Twine(operandCount()) +
                        " parameters, " + quote(called->name) + " has " +
                        Twine(called->parameters.size()));
  return true;
}

/// One array for each input, with the element type that the reducer returns.
bool ShapeRules::reducedResult(unsigned inputs, ArrayRef<Extent> extents) {
  llvm::SmallVector<const Shape *> members;
  const Computation *called = callee(AttrName::ToApply);
  bool isTuple =
      inputs > 1 || (called && called->rootInstruction().shape->isTuple());
  for (unsigned i = 0; i < inputs; ++i) {
    ElementType type = operand(i).elementType;
    if (called) {
      const Shape *root = called->rootInstruction().shape;
      if (isTuple) {
        if (!root->isTuple() || root->elements.size() != inputs)
          return failAttr(AttrName::ToApply,
                          "expected a reducer that returns a "
                          "tuple of " +
                              Twine(inputs) + ", got " +
                              quote(toString(*root)));
        root = root->elements[i];
      }
      if (!root->isScalar())
        return failAttr(AttrName::ToApply,
                        "expected a reducer of scalars, got " +
                            quote(toString(*root)));
      type = root->elementType;
    }
    members.push_back(arrayOf(type, extents));
    if (!members.back())
      return result(nullptr);
  }
  return isTuple ? result(makeTuple(module, members)) : result(members.front());
}

bool ShapeRules::reduce() {
  unsigned inputs;
  ArrayRef<int64_t> reduced = node.ints(AttrName::Dimensions);
  if (!reducerInputs(inputs) ||
      !checkDims(AttrName::Dimensions, reduced, operand(0).rank()))
    return false;
  return reducedResult(inputs,
                       stablehlo::without(extentsOf(operand(0)), reduced));
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

bool ShapeRules::checkWindow(unsigned rank) {
  const Attribute *attribute = node.find(AttrName::Window);
  ArrayRef<WindowDim> window =
      attribute ? attribute->window() : ArrayRef<WindowDim>();
  if (window.size() != rank) {
    std::string message = ("expected a window of rank " + Twine(rank) +
                           ", got " + Twine(window.size()))
                              .str();
    return attribute ? failAttr(AttrName::Window, message) : fail(message);
  }
  for (auto [i, dim] : llvm::enumerate(window)) {
    std::pair<StringRef, int64_t> positive[] = {
        {"size", dim.size},
        {"stride", dim.stride},
        {"lhs_dilate", dim.baseDilation},
        {"rhs_dilate", dim.windowDilation}};
    for (auto [key, value] : positive)
      if (value <= 0)
        return failAttr(AttrName::Window,
                        "expected " + quote(key) + " above 0 in dimension " +
                            Twine(i) + ", got " + Twine(value));
  }
  return true;
}

bool ShapeRules::windowed(int64_t extent, const WindowDim &dim,
                          int64_t &places) {
  stablehlo::WindowSpec window{dim.size,         dim.stride,
                               dim.padLow,       dim.padHigh,
                               dim.baseDilation, dim.windowDilation};
  extent = std::max<int64_t>(extent, 0);
  if (stablehlo::paddedBase(extent, window) < 0)
    return false;
  llvm::FailureOr<Extent> found =
      stablehlo::windowPlaces(Extent::of(extent), window);
  if (failed(found))
    return false;
  places = found->size;
  return true;
}

bool ShapeRules::failPadded(AttrName attr, unsigned dim,
                            stablehlo::Wide extent) {
  if (extent < 0)
    return failAttr(
        attr, "dimension " + Twine(dim) + " has the extent " +
                  Twine(int64_t(std::max<stablehlo::Wide>(extent, INT64_MIN))) +
                  " after padding, expected 0 or more");
  return failAttr(attr, "dimension " + Twine(dim) +
                            " has an extent after padding that does not fit "
                            "in 64 bits");
}

bool ShapeRules::failWindowed(unsigned dim, int64_t extent,
                              const WindowDim &window) {
  stablehlo::WindowSpec spec{window.size,         window.stride,
                             window.padLow,       window.padHigh,
                             window.baseDilation, window.windowDilation};
  return failPadded(AttrName::Window, dim,
                    stablehlo::paddedBase(std::max<int64_t>(extent, 0), spec));
}

bool ShapeRules::reduceWindow() {
  unsigned inputs;
  if (!reducerInputs(inputs) || !checkWindow(operand(0).rank()))
    return false;
  Extents extents;
  const Attribute *attribute = node.find(AttrName::Window);
  for (unsigned i = 0; i < operand(0).rank(); ++i) {
    int64_t extent;
    if (!windowed(operand(0).dims[i], attribute->window()[i], extent))
      return failWindowed(i, operand(0).dims[i], attribute->window()[i]);
    extents.push_back(operand(0).isDynamic(i) ? Extent::atMost(extent)
                                              : Extent::of(extent));
  }
  return reducedResult(inputs, extents);
}

/// select-and-scatter(operand, source, init): the extents of the source are the
/// numbers of window positions over the operand.
bool ShapeRules::selectAndScatter() {
  if (!needAllArrays() || !checkWindow(operand(0).rank()))
    return false;
  bool fits = operand(1).rank() == operand(0).rank();
  for (unsigned i = 0; fits && i < operand(0).rank(); ++i) {
    int64_t extent;
    fits = windowed(operand(0).dims[i],
                    node.find(AttrName::Window)->window()[i], extent) &&
           extent == operand(1).dims[i];
  }
  if (!fits)
    return failOperand(
        1, "the source does not have the extents of the windows over " +
               describe(0) + ": " + describe(1));
  if (!operand(2).isScalar())
    return failOperand(2,
                       "expected a scalar initial value, got " + describe(2));
  return resultLike(operand(0));
}

//===----------------------------------------------------------------------===//
// Dot and convolution
//===----------------------------------------------------------------------===//

bool ShapeRules::dot() {
  if (!needAllArrays())
    return false;
  const Shape &lhs = operand(0), &rhs = operand(1);
  llvm::SmallBitVector lhsUsed(lhs.rank()), rhsUsed(rhs.rank());
  const std::pair<AttrName, AttrName> pairs[] = {
      {AttrName::LhsBatchDims, AttrName::RhsBatchDims},
      {AttrName::LhsContractingDims, AttrName::RhsContractingDims}};
  for (auto [left, right] : pairs) {
    ArrayRef<int64_t> l = node.ints(left), r = node.ints(right);
    if (!checkDims(left, l, lhs.rank()) || !checkDims(right, r, rhs.rank()))
      return false;
    if (l.size() != r.size())
      return failAttr(l.empty() ? right : left,
                      "expected as many dimensions as in " +
                          quote(spelling(l.empty() ? left : right)) + ": " +
                          Twine(l.size()) + " and " + Twine(r.size()));
    for (auto [a, b] : llvm::zip(l, r)) {
      if (lhsUsed.test(a))
        return failAttr(left, "dimension " + Twine(a) +
                                  " is a batch dimension as well");
      if (rhsUsed.test(b))
        return failAttr(right, "dimension " + Twine(b) +
                                   " is a batch dimension as well");
      lhsUsed.set(a);
      rhsUsed.set(b);
      if (lhs.dims[a] != rhs.dims[b] && !lhs.isDynamic(a) && !rhs.isDynamic(b))
        return failAttr(left, "dimension " + Twine(a) + " of " + describe(0) +
                                  " and dimension " + Twine(b) + " of " +
                                  describe(1) + " differ in extent");
    }
  }
  Extents extents = stablehlo::contracted(
      sizesOf(lhs), sizesOf(rhs),
      {node.ints(AttrName::LhsBatchDims), node.ints(AttrName::RhsBatchDims),
       node.ints(AttrName::LhsContractingDims),
       node.ints(AttrName::RhsContractingDims)});
  return resultOfWrittenType(lhs.elementType, stablehlo::sizesOf(extents));
}

bool ShapeRules::convolution() {
  if (node.find(AttrName::SparsityConfig))
    return true; // sparse operands are tuples; the text gives the shape
  if (!needAllArrays())
    return false;
  const Shape &lhs = operand(0), &rhs = operand(1);
  const ConvLabels &labels = node.find(AttrName::DimLabels)->convLabels();
  unsigned spatial = labels.spatialRank();
  for (unsigned rank : {labels.lhs.rank, labels.rhs.rank, labels.result.rank})
    if (rank != spatial + 2)
      return failAttr(AttrName::DimLabels,
                      "the dimensions of a convolution all take "
                      "part: expected no '?'");
  for (unsigned i : {0u, 1u})
    if (operand(i).rank() != spatial + 2)
      return failOperand(i, "the dimension labels have rank " +
                                Twine(spatial + 2) + ", got " + describe(i));
  if (!checkWindow(spatial))
    return false;

  int64_t features = node.integer(AttrName::FeatureGroupCount, 1);
  int64_t batches = node.integer(AttrName::BatchGroupCount, 1);
  int64_t inputFeatures = lhs.dims[labels.lhs.feature];
  int64_t kernelInputs = rhs.dims[labels.rhs.feature];
  int64_t kernelOutputs = rhs.dims[labels.rhs.batch];
  int64_t batch = lhs.dims[labels.lhs.batch];
  if (features <= 0 || kernelOutputs % features || inputFeatures % features)
    return failAttr(AttrName::FeatureGroupCount,
                    "feature_group_count must divide the features, " +
                        Twine(inputFeatures) + " in and " +
                        Twine(kernelOutputs) + " out; got " + Twine(features));
  if (batches <= 0 || batch % batches || kernelOutputs % batches)
    return failAttr(AttrName::BatchGroupCount,
                    "batch_group_count must divide the batch of " +
                        Twine(batch) + " and the " + Twine(kernelOutputs) +
                        " output features; got " + Twine(batches));
  if (features > 1 && batches > 1)
    return failAttr(
        AttrName::BatchGroupCount,
        "expected feature_group_count or batch_group_count above 1, "
        "not both");
  if (inputFeatures / features != kernelInputs)
    return failOperand(1, "expected " + Twine(inputFeatures / features) +
                              " input features of the kernel, dimension " +
                              Twine(labels.rhs.feature) + " of " + describe(1));

  Extents places;
  const Attribute *window = node.find(AttrName::Window);
  for (unsigned i = 0; i < spatial; ++i) {
    const WindowDim &dim = window->window()[i];
    if (dim.size != rhs.dims[labels.rhs.spatial[i]])
      return failAttr(AttrName::Window,
                      "the window has size " + Twine(dim.size) +
                          " in dimension " + Twine(i) + ", the kernel " +
                          Twine(rhs.dims[labels.rhs.spatial[i]]));
    int64_t extent;
    if (!windowed(lhs.dims[labels.lhs.spatial[i]], dim, extent))
      return failWindowed(i, lhs.dims[labels.lhs.spatial[i]], dim);
    places.push_back(Extent::of(extent));
  }
  Extents extents =
      stablehlo::convolved(Extent::of(batch), Extent::of(kernelOutputs), places,
                           {labels.result.batch, labels.result.feature,
                            labels.result.spatial, batches});
  return resultOfWrittenType(lhs.elementType, stablehlo::sizesOf(extents));
}
