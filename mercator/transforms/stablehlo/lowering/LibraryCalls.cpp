// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/stablehlo/lowering/LibraryCalls.h"
#include "mercator/transforms/stablehlo/lowering/Translation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace mercator::stablehlo {

Values callLibrary(Lowering &l, const Twine &name, ValueRange operands,
                   ArrayRef<LibraryResult> results, ArrayRef<int64_t> numbers) {
  Values all(operands);
  SmallVector<Type> types;
  for (const LibraryResult &result : results) {
    all.push_back(empty(l.b, result.sizes, result.element));
    types.push_back(all.back().getType());
  }
  for (int64_t value : numbers)
    all.push_back(integer(l.b, l.b.getI64Type(), value));
  func::FuncOp callee = l.translation.declare(
      l.op, name.str(), l.b.getFunctionType(ValueRange(all).getTypes(), types));
  return Values(func::CallOp::create(l.b, callee, all).getResults());
}

bool isLibraryElement(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  return element.isF32() || element.isF64();
}

} // namespace mercator::stablehlo
