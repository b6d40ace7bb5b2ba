// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/ascend/Operands.h"

using namespace mlir;

namespace mercator::reference {

Ints integersOf(const Tensor &tensor) {
  Ints values;
  for (int64_t i = 0; i < tensor.size(); ++i)
    values.push_back(tensor.at(i).integer);
  return values;
}

FailureOr<int64_t> scalarOf(Step &step, size_t i) {
  const Tensor &tensor = step.tensor(i);
  if (tensor.size() == 1)
    return tensor.scalar().integer;
  return step.error() << "expected one number for operand #" << i << ", got "
                      << tensor.type();
}

FailureOr<int64_t> axisOf(Step &step, int64_t axis, int64_t rank) {
  if (-rank <= axis && axis < rank)
    return axis < 0 ? axis + rank : axis;
  return step.error() << "expected an axis in [" << -rank << ", " << rank
                      << "), got " << axis;
}

FailureOr<Tensor> makeOf(Step &step, ArrayRef<int64_t> shape) {
  constexpr size_t kMostDims = 8;
  if (shape.size() > kMostDims)
    return step.error() << "expected at most " << kMostDims
                        << " dimensions, got " << shape.size();
  for (int64_t extent : shape)
    if (extent < 0)
      return step.error() << "expected extents of at least 0, got " << extent;
  return step.make(0, shape);
}

FailureOr<Ints> broadcastShape(Step &step) {
  Ints shape;
  for (const Value &operand : step.operands) {
    ArrayRef<int64_t> from = operand.tensor()->shape();
    if (from.size() > shape.size())
      shape.insert(shape.begin(), from.size() - shape.size(), 1);
    for (auto [extent, other] :
         llvm::zip(MutableArrayRef(shape).take_back(from.size()), from)) {
      if (extent != other && extent != 1 && other != 1)
        return step.error()
               << "expected shapes that broadcast, got "
               << step.tensor(0).type() << " and " << operand.tensor()->type();
      extent = extent == 1 ? other : extent;
    }
  }
  return shape;
}

int64_t broadcastPlace(const Tensor &x, ArrayRef<int64_t> index) {
  Ints from(index.take_back(x.rank()));
  for (auto [i, extent] : llvm::zip_equal(from, x.shape()))
    i = extent == 1 ? 0 : i;
  return x.linear(from);
}

} // namespace mercator::reference
