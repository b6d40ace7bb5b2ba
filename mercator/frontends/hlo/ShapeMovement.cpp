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
// Broadcast to bitcast: the text gives the shape, and it must fit
//===----------------------------------------------------------------------===//

bool ShapeRules::broadcast() {
  if (!needArray(0))
    return false;
  const Shape &from = operand(0);
  ArrayRef<int64_t> dims = node.ints(AttrName::Dimensions);
  if (!node.shape || !node.shape->isArray())
    return true;
  const Shape &to = *node.shape;
  if (!node.find(AttrName::Dimensions) && !from.isScalar())
    return fail("'broadcast' of " + describe(0) +
                " needs the attribute 'dimensions'");
  if (dims.size() != from.rank())
    return failAttr(AttrName::Dimensions,
                    "expected " + Twine(from.rank()) +
                        " dimensions, one for each of the operand's, got " +
                        Twine(dims.size()));
  if (!checkDims(AttrName::Dimensions, dims, to.rank()))
    return false;
  for (auto [i, dim] : llvm::enumerate(dims))
    if (from.dims[i] != to.dims[dim] && !from.isDynamic(i) &&
        !to.isDynamic(dim))
      return failAttr(AttrName::Dimensions,
                      "dimension " + Twine(i) + " of the operand has extent " +
                          Twine(from.dims[i]) + ", dimension " + Twine(dim) +
                          " of the result " + Twine(to.dims[dim]));
  return result(from.elementType, to.dims, to.dynamic);
}

bool ShapeRules::iota() {
  if (!node.shape)
    return true;
  int64_t dim = node.integer(AttrName::IotaDimension, 0);
  if (!node.shape->isArray() || dim < 0 || dim >= node.shape->rank())
    return failAttr(AttrName::IotaDimension, "dimension " + Twine(dim) +
                                                 " is out of range for " +
                                                 quote(toString(*node.shape)));
  return true;
}

bool ShapeRules::reshape() {
  if (!needArray(0))
    return false;
  if (!node.shape || !node.shape->isArray())
    return true;
  const Shape &from = operand(0), &to = *node.shape;
  bool known = from.isStatic() && to.isStatic();
  if (known && from.elementCount() != to.elementCount())
    return failOperand(
        0, "'reshape' keeps the number of elements: " + describe(0) + " has " +
               Twine(from.elementCount()) + ", the result " +
               Twine(to.elementCount()));
  return result(from.elementType, to.dims, to.dynamic);
}

bool ShapeRules::bitcast() {
  if (!node.shape || !node.shape->isArray() || !operand(0).isArray())
    return true;
  const Shape &from = operand(0), &to = *node.shape;
  // Tiles add bytes that the extents do not show, and small integers may be
  // packed.
  auto unclear = [](const Shape &s) {
    bool packed =
        bitWidth(s.elementType) < 8 && s.elementType != ElementType::PRED;
    return packed || !s.isStatic() ||
           (s.layout &&
            (!s.layout->tiles.empty() || s.layout->elementSizeInBits));
  };
  if (unclear(from) || unclear(to))
    return true;
  auto bytes = [](const Shape &s) {
    return Wide(s.elementCount()) * byteWidth(s.elementType);
  };
  if (bytes(from) != bytes(to))
    return failOperand(0,
                       "'bitcast' keeps the number of bytes: " + describe(0) +
                           " does not have those of " + quote(toString(to)));
  return true;
}

//===----------------------------------------------------------------------===//
// Transpose to pad
//===----------------------------------------------------------------------===//

bool ShapeRules::transpose() {
  if (!needArray(0))
    return false;
  const Shape &from = operand(0);
  ArrayRef<int64_t> dims = node.ints(AttrName::Dimensions);
  if (dims.size() != from.rank())
    return failAttr(AttrName::Dimensions,
                    "expected a permutation of " + Twine(from.rank()) +
                        " dimensions, got " + Twine(dims.size()));
  if (!checkDims(AttrName::Dimensions, dims, from.rank()))
    return false;
  return result(
      arrayOf(from.elementType, *stablehlo::transposed(extentsOf(from), dims)));
}

bool ShapeRules::reverse() {
  return needArray(0) &&
         checkDims(AttrName::Dimensions, node.ints(AttrName::Dimensions),
                   operand(0).rank()) &&
         resultLike(operand(0));
}

bool ShapeRules::concatenate() {
  int64_t dim;
  if (!needAllArrays() || !oneDim(AttrName::Dimensions, operand(0).rank(), dim))
    return false;
  const Shape &first = operand(0);
  Wide extent = 0;
  bool dynamic = false;
  for (unsigned i = 0; i < operandCount(); ++i) {
    const Shape &next = operand(i);
    bool fits = next.rank() == first.rank();
    for (unsigned d = 0; fits && d < first.rank(); ++d)
      fits = d == unsigned(dim) || next.dims[d] == first.dims[d] ||
             next.isDynamic(d) || first.isDynamic(d);
    if (!fits)
      return failOperand(
          i, "the operands of 'concatenate' differ outside of dimension " +
                 Twine(dim) + ": " + describe(0) + " and " + describe(i));
    if (next.elementType != first.elementType)
      return failOperand(
          i, "the operands of 'concatenate' differ in element type: " +
                 describe(0) + " and " + describe(i));
    extent += std::max<int64_t>(next.dims[dim], 0);
    dynamic |= next.isDynamic(dim);
  }
  if (extent > INT64_MAX)
    return fail("the result of this instruction is too large a shape");
  Dims dims(first.dims.begin(), first.dims.end());
  dims[dim] = int64_t(extent);
  llvm::SmallVector<bool, 8> flags;
  for (unsigned d = 0; d < first.rank(); ++d)
    flags.push_back(d == unsigned(dim) ? dynamic : first.isDynamic(d));
  return result(first.elementType, dims, flags);
}

bool ShapeRules::slice() {
  if (!needArray(0))
    return false;
  const Shape &from = operand(0);
  ArrayRef<SliceDim> slices = node.find(AttrName::Slice)->slices();
  if (slices.size() != from.rank())
    return failAttr(AttrName::Slice,
                    "expected " + Twine(from.rank()) +
                        " slices, one for each dimension, got " +
                        Twine(slices.size()));
  Dims dims;
  for (auto [i, s] : llvm::enumerate(slices)) {
    if (s.stride <= 0)
      return failAttr(AttrName::Slice,
                      "expected a stride above 0 in dimension " + Twine(i) +
                          ", got " + Twine(s.stride));
    bool bounded = from.dims[i] != Shape::kUnbounded;
    if (s.start < 0 || s.limit < s.start || (bounded && s.limit > from.dims[i]))
      return failAttr(AttrName::Slice,
                      "slice [" + Twine(s.start) + ":" + Twine(s.limit) +
                          "] is out of range for dimension " + Twine(i) +
                          " of extent " + Twine(from.dims[i]));
    dims.push_back(stablehlo::sliced(s.start, s.limit, s.stride));
  }
  return result(from.elementType, dims);
}

bool ShapeRules::pad() {
  if (!needAllArrays())
    return false;
  const Shape &from = operand(0);
  ArrayRef<PadDim> padding = node.find(AttrName::Padding)->padding();
  if (padding.size() != from.rank())
    return failAttr(AttrName::Padding,
                    "expected padding for " + Twine(from.rank()) +
                        " dimensions, got " + Twine(padding.size()));
  if (!operand(1).isScalar() || operand(1).elementType != from.elementType)
    return failOperand(1, "expected a scalar to pad " + describe(0) +
                              " with, got " + describe(1));
  Dims dims;
  for (auto [i, p] : llvm::enumerate(padding)) {
    if (p.interior < 0)
      return failAttr(AttrName::Padding,
                      "expected interior padding of 0 or more in dimension " +
                          Twine(i) + ", got " + Twine(p.interior));
    Wide extent = stablehlo::paddedSize(std::max<int64_t>(from.dims[i], 0),
                                        p.low, p.high, p.interior);
    if (extent < 0 || extent > INT64_MAX)
      return failPadded(AttrName::Padding, i, extent);
    dims.push_back(int64_t(extent));
  }
  return result(from.elementType, dims, from.dynamic);
}

//===----------------------------------------------------------------------===//
// Dynamic slices
//===----------------------------------------------------------------------===//

/// The start of a dynamic slice: one scalar for each dimension from operand
/// `first` on, or (in old texts) one vector.
bool ShapeRules::startIndices(unsigned first, unsigned rank) {
  unsigned count = operandCount() - first;
  bool vector =
      count == 1 && operand(first).isArray() && operand(first).rank() == 1;
  if (vector ? operand(first).dims[0] != rank : count != rank)
    return fail("expected " + Twine(rank) + " start indices for " +
                quote(spelling(node.opcode)) +
                ", one for each dimension, got " +
                Twine(vector ? operand(first).dims[0] : int64_t(count)));
  for (unsigned i = first; i < operandCount(); ++i)
    if (!operand(i).isArray() || operand(i).rank() != unsigned(vector) ||
        !isInteger(operand(i).elementType))
      return failOperand(i, "expected an integer scalar as start index, got " +
                                describe(i));
  return true;
}

bool ShapeRules::dynamicSlice() {
  if (!needAllArrays() || !startIndices(1, operand(0).rank()))
    return false;
  const Shape &from = operand(0);
  ArrayRef<int64_t> sizes = node.ints(AttrName::DynamicSliceSizes);
  if (sizes.size() != from.rank())
    return failAttr(AttrName::DynamicSliceSizes,
                    "expected " + Twine(from.rank()) +
                        " sizes, one for each dimension, got " +
                        Twine(sizes.size()));
  for (auto [i, size] : llvm::enumerate(sizes))
    if (size < 0 || (from.dims[i] != Shape::kUnbounded && size > from.dims[i]))
      return failAttr(AttrName::DynamicSliceSizes,
                      "size " + Twine(size) +
                          " is out of range for dimension " + Twine(i) +
                          " of extent " + Twine(from.dims[i]));
  return result(from.elementType, sizes);
}

bool ShapeRules::dynamicUpdateSlice() {
  if (!needAllArrays() || !startIndices(2, operand(0).rank()))
    return false;
  const Shape &into = operand(0), &update = operand(1);
  if (update.elementType != into.elementType)
    return failOperand(1, "the update differs in element type: " + describe(1) +
                              " into " + describe(0));
  bool fits = update.rank() == into.rank();
  for (unsigned i = 0; fits && i < into.rank(); ++i)
    fits = into.dims[i] == Shape::kUnbounded || update.dims[i] <= into.dims[i];
  if (!fits)
    return failOperand(1, "the update does not fit: " + describe(1) + " into " +
                              describe(0));
  return resultLike(into);
}

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

/// Checks the index vector: index_vector_dim is a dimension of the indices or
/// the one after the last, and the vector is as long as the map to operand
/// dimensions.
bool ShapeRules::checkIndexVector(unsigned indicesOperand, AttrName mapAttr,
                                  unsigned operandRank) {
  const Shape &indices = operand(indicesOperand);
  int64_t vectorDim = node.integer(AttrName::IndexVectorDim, 0);
  if (!isInteger(indices.elementType))
    return failOperand(indicesOperand, "expected integer indices, got " +
                                           describe(indicesOperand));
  if (vectorDim < 0 || vectorDim > indices.rank())
    return failAttr(AttrName::IndexVectorDim, "dimension " + Twine(vectorDim) +
                                                  " is out of range for " +
                                                  describe(indicesOperand));
  int64_t length = vectorDim == indices.rank() ? 1 : indices.dims[vectorDim];
  ArrayRef<int64_t> map = node.ints(mapAttr);
  if (int64_t(map.size()) != length)
    return failAttr(mapAttr,
                    "expected " + Twine(length) +
                        " dimensions, the length of an index vector, got " +
                        Twine(map.size()));
  return checkDims(mapAttr, map, operandRank);
}

bool ShapeRules::gather() {
  if (!needAllArrays())
    return false;
  const Shape &from = operand(0), &indices = operand(1);
  if (!checkIndexVector(1, AttrName::StartIndexMap, from.rank()))
    return false;
  ArrayRef<int64_t> offset = node.ints(AttrName::OffsetDims);
  ArrayRef<int64_t> collapsed = node.ints(AttrName::CollapsedSliceDims);
  ArrayRef<int64_t> batching = node.ints(AttrName::OperandBatchingDims);
  ArrayRef<int64_t> startBatching =
      node.ints(AttrName::StartIndicesBatchingDims);
  ArrayRef<int64_t> sizes = node.ints(AttrName::SliceSizes);
  int64_t vectorDim = node.integer(AttrName::IndexVectorDim, 0);
  if (!checkDims(AttrName::CollapsedSliceDims, collapsed, from.rank(), true) ||
      !checkDims(AttrName::OperandBatchingDims, batching, from.rank(), true) ||
      !checkDims(AttrName::StartIndicesBatchingDims, startBatching,
                 indices.rank()))
    return false;
  if (sizes.size() != from.rank())
    return failAttr(AttrName::SliceSizes,
                    "expected " + Twine(from.rank()) +
                        " sizes, one for each dimension, got " +
                        Twine(sizes.size()));
  llvm::SmallBitVector hidden(from.rank()); // collapsed or batching
  for (int64_t dim : collapsed)
    hidden.set(dim);
  for (int64_t dim : batching) {
    if (hidden.test(dim))
      return failAttr(AttrName::OperandBatchingDims,
                      "dimension " + Twine(dim) + " is collapsed as well");
    hidden.set(dim);
    if (llvm::is_contained(node.ints(AttrName::StartIndexMap), dim))
      return failAttr(AttrName::OperandBatchingDims,
                      "dimension " + Twine(dim) +
                          " is in start_index_map as well");
  }
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (size < 0 || size > from.dims[i])
      return failAttr(AttrName::SliceSizes,
                      "size " + Twine(size) +
                          " is out of range for dimension " + Twine(i) +
                          " of extent " + Twine(from.dims[i]));
    if (hidden.test(i) && size > 1)
      return failAttr(AttrName::SliceSizes,
                      "dimension " + Twine(i) +
                          " is collapsed or batching, its "
                          "size must be 0 or 1, got " +
                          Twine(size));
  }
  if (batching.size() != startBatching.size())
    return failAttr(
        AttrName::OperandBatchingDims,
        "expected as many batching dimensions of the operand as of the "
        "indices");
  for (auto [of, to] : llvm::zip(batching, startBatching)) {
    if (to == vectorDim)
      return failAttr(AttrName::StartIndicesBatchingDims,
                      "dimension " + Twine(to) + " is the index vector's");
    if (from.dims[of] != indices.dims[to])
      return failAttr(
          AttrName::OperandBatchingDims,
          "batching dimensions differ in extent: " + Twine(from.dims[of]) +
              " and " + Twine(indices.dims[to]));
  }

  unsigned window = from.rank() - hidden.count(),
           batch = indices.rank() - (vectorDim < indices.rank());
  if (offset.size() != window)
    return failAttr(
        AttrName::OffsetDims,
        "expected " + Twine(window) +
            " dimensions, one for each of the slice that is neither "
            "collapsed nor batching, got " +
            Twine(offset.size()));
  if (!checkDims(AttrName::OffsetDims, offset, batch + window, true))
    return false;
  Extents extents =
      *stablehlo::gathered(sizesOf(indices), stablehlo::known(sizes),
                           {offset, collapsed, batching, vectorDim});
  return result(arrayOf(from.elementType, extents));
}

/// scatter(operands.., indices, updates..)
bool ShapeRules::scatter() {
  if (!needAllArrays())
    return false;
  if (operandCount() % 2 == 0)
    return fail(
        "expected an odd number of operands for 'scatter': n operands, the "
        "indices, n updates; got " +
        Twine(operandCount()));
  unsigned inputs = operandCount() / 2;
  const Shape &into = operand(0), &indices = operand(inputs);
  if (!checkIndexVector(inputs, AttrName::ScatterDimsToOperandDims,
                        into.rank()))
    return false;
  ArrayRef<int64_t> window = node.ints(AttrName::UpdateWindowDims);
  ArrayRef<int64_t> inserted = node.ints(AttrName::InsertedWindowDims);
  ArrayRef<int64_t> batching = node.ints(AttrName::InputBatchingDims);
  ArrayRef<int64_t> indexBatching =
      node.ints(AttrName::ScatterIndicesBatchingDims);
  int64_t vectorDim = node.integer(AttrName::IndexVectorDim, 0);
  unsigned batchRank = indices.rank() - (vectorDim < indices.rank());
  if (!checkDims(AttrName::InsertedWindowDims, inserted, into.rank(), true) ||
      !checkDims(AttrName::InputBatchingDims, batching, into.rank(), true) ||
      !checkDims(AttrName::ScatterIndicesBatchingDims, indexBatching,
                 indices.rank()) ||
      !checkDims(AttrName::UpdateWindowDims, window, batchRank + window.size(),
                 true))
    return false;
  llvm::SmallBitVector hidden(into.rank());
  for (int64_t dim : inserted)
    hidden.set(dim);
  for (int64_t dim : batching) {
    if (hidden.test(dim) ||
        llvm::is_contained(node.ints(AttrName::ScatterDimsToOperandDims), dim))
      return failAttr(AttrName::InputBatchingDims,
                      "dimension " + Twine(dim) +
                          " is inserted or scattered to as well");
    hidden.set(dim);
  }
  if (batching.size() != indexBatching.size())
    return failAttr(
        AttrName::InputBatchingDims,
        "expected as many batching dimensions of the operand as of the "
        "indices");
  if (window.size() + hidden.count() != into.rank())
    return failAttr(
        AttrName::UpdateWindowDims,
        "expected " + Twine(into.rank() - hidden.count()) +
            " dimensions, one for each of the operand that is neither "
            "inserted nor batching, got " +
            Twine(window.size()));
  Extents batch = stablehlo::batchExtents(sizesOf(indices), vectorDim);
  for (unsigned i = 0; i < inputs; ++i) {
    unsigned u = inputs + 1 + i;
    const Shape &update = operand(u);
    if (operand(i).dims != into.dims)
      return failOperand(i, "the operands of 'scatter' differ in extent: " +
                                describe(0) + " and " + describe(i));
    // A window may be smaller than the dimensions it goes to.
    bool fits = update.rank() == batchRank + window.size();
    Extents sizes;
    if (fits)
      for (auto [to, from] : llvm::zip(
               stablehlo::keptDims(into.rank(), inserted, batching), window)) {
        fits &= update.dims[from] <= into.dims[to];
        sizes.push_back(Extent::of(update.dims[from]));
      }
    if (!fits || *stablehlo::merged(batch, sizes, window) != sizesOf(update))
      return failOperand(u, "the updates do not fit: " + describe(u) +
                                " into " + describe(i) + " at " +
                                describe(inputs));
  }
  if (inputs == 1)
    return resultLike(into);
  llvm::SmallVector<const Shape *> members;
  for (unsigned i = 0; i < inputs; ++i)
    members.push_back(&operand(i));
  return result(makeTuple(module, members));
}
