// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/stablehlo/lowering/Loops.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace mercator::stablehlo {

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

FailureOr<Values> loop(ImplicitLocOpBuilder &b, Value begin, Value end,
                       Value step, ValueRange carried, LoopFn body) {
  bool hasFailed = false;
  auto op = scf::ForOp::create(
      b, begin, end, step, carried,
      [&](OpBuilder &nested, Location loc, Value at, ValueRange inside) {
        ImplicitLocOpBuilder builder(loc, nested);
        FailureOr<Values> next = body(builder, at, inside);
        hasFailed = failed(next);
        scf::YieldOp::create(builder, hasFailed ? inside : ValueRange(*next));
      });
  if (hasFailed)
    return failure();
  return Values(op.getResults());
}

/// The loops inside of those whose indices are `at`.
static FailureOr<Values> nest(ImplicitLocOpBuilder &b,
                              ArrayRef<OpFoldResult> sizes, Values &at,
                              ValueRange carried, NestFn body) {
  if (at.size() == sizes.size())
    return body(b, at, carried);
  if (isConstantIntValue(sizes[at.size()], 1)) {
    at.push_back(indexConstant(b, 0));
    FailureOr<Values> next = nest(b, sizes, at, carried, body);
    at.pop_back();
    return next;
  }
  return loop(b, indexConstant(b, 0), valueOf(b, sizes[at.size()]),
              indexConstant(b, 1), carried,
              [&](ImplicitLocOpBuilder &inside, Value i, ValueRange values) {
                at.push_back(i);
                FailureOr<Values> next = nest(inside, sizes, at, values, body);
                at.pop_back();
                return next;
              });
}

FailureOr<Values> forEach(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> sizes,
                          ValueRange carried, NestFn body) {
  Values at;
  return nest(b, sizes, at, carried, body);
}

FailureOr<Values> conditional(ImplicitLocOpBuilder &b, Value condition,
                              BranchFn then, BranchFn otherwise) {
  bool hasFailed = false;
  auto branch = [&](BranchFn body) {
    return [&hasFailed, body](OpBuilder &nested, Location loc) {
      ImplicitLocOpBuilder builder(loc, nested);
      FailureOr<Values> values = body(builder);
      hasFailed |= failed(values);
      scf::YieldOp::create(builder, succeeded(values) ? ValueRange(*values)
                                                      : ValueRange());
    };
  };
  auto op = scf::IfOp::create(b, condition, branch(then), branch(otherwise));
  if (hasFailed)
    return failure();
  return Values(op.getResults());
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Values extractAll(ImplicitLocOpBuilder &b, ValueRange tensors,
                  ValueRange index) {
  Values numbers;
  for (Value tensor : tensors)
    numbers.push_back(tensor::ExtractOp::create(b, tensor, index));
  return numbers;
}

Values insertAll(ImplicitLocOpBuilder &b, ValueRange numbers,
                 ValueRange tensors, ValueRange index) {
  Values updated;
  for (auto [number, tensor] : llvm::zip(numbers, tensors))
    updated.push_back(tensor::InsertOp::create(b, number, tensor, index));
  return updated;
}

Value isWithin(ImplicitLocOpBuilder &b, ValueRange index,
               ArrayRef<OpFoldResult> extents) {
  Value all = integer(b, b.getI1Type(), 1);
  for (auto [i, extent] : llvm::zip(index, extents)) {
    // A negative index is larger than each extent.
    Value isBelow = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, i,
                                          valueOf(b, extent));
    all = b.createOrFold<arith::AndIOp>(isBelow, all);
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Wider types
//===----------------------------------------------------------------------===//

static Value convertFloat(ImplicitLocOpBuilder &b, Value number, Type to) {
  unsigned from = number.getType().getIntOrFloatBitWidth(),
           width = to.getIntOrFloatBitWidth();
  if (from < width)
    return arith::ExtFOp::create(b, to, number);
  if (from == width) // f16 and bf16
    number = arith::ExtFOp::create(b, b.getF32Type(), number);
  return arith::TruncFOp::create(b, to, number);
}

static Value convertInteger(ImplicitLocOpBuilder &b, Value number,
                            bool isUnsigned, Type to) {
  if (number.getType().getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth())
    return arith::TruncIOp::create(b, to, number);
  if (isUnsigned)
    return arith::ExtUIOp::create(b, to, number);
  return arith::ExtSIOp::create(b, to, number);
}

FailureOr<Value> promote(Lowering &l, ImplicitLocOpBuilder &b, Value number,
                         Type from, Type to) {
  if (from == to)
    return number;
  Type lowered = loweredElement(to);
  bool isQuantized =
      isa<quant::QuantizedType>(from) || isa<quant::QuantizedType>(to);
  auto isInteger = [](Type type) {
    Kind kind = kindOf(type);
    return kind == Kind::SignedInt || kind == Kind::UnsignedInt;
  };
  if (isQuantized ||
      (kindOf(from) != kindOf(to) && !(isInteger(from) && isInteger(to))))
    return l.refuse("its body has other element types than its operands");
  if (number.getType() == lowered)
    return number;
  switch (kindOf(from)) {
  case Kind::Boolean:
  case Kind::SignedInt:
  case Kind::UnsignedInt:
    return convertInteger(b, number, isUnsigned(from), lowered);
  case Kind::Real:
    return convertFloat(b, number, lowered);
  case Kind::Complex: {
    Type part = cast<ComplexType>(lowered).getElementType();
    Value re = complex::ReOp::create(b, number);
    Value im = complex::ImOp::create(b, number);
    return Value(complex::CreateOp::create(
        b, lowered, convertFloat(b, re, part), convertFloat(b, im, part)));
  }
  }
  llvm_unreachable("all kinds are handled");
}

FailureOr<Value> promoteTensor(Lowering &l, Value tensor, Type from, Type to) {
  if (from == to)
    return tensor;
  auto type = cast<RankedTensorType>(tensor.getType());
  bool hasFailed = false;
  Value promoted =
      computeEach(l.b, type.clone(loweredElement(to)), {tensor},
                  [&](ImplicitLocOpBuilder &b, ValueRange numbers) -> Values {
                    FailureOr<Value> number =
                        promote(l, b, numbers[0], from, to);
                    hasFailed = failed(number);
                    return hasFailed ? Values() : Values{*number};
                  });
  if (hasFailed)
    return failure();
  return promoted;
}

} // namespace mercator::stablehlo
