// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/stablehlo/lowering/Builders.h"
#include "mercator/transforms/stablehlo/scalars/Scalar.h"

using namespace mlir;

namespace mercator::stablehlo {

static FailureOr<Values> lowerElementwise(Lowering &l) {
  Values operands = operandsOf(l);
  bool hasFailed = false;
  Value result =
      computeEach(l.b, l.type(), operands,
                  [&](ImplicitLocOpBuilder &b, ValueRange numbers) -> Values {
                    FailureOr<Value> number = emitScalar(b, l.op, numbers);
                    hasFailed = failed(number);
                    return hasFailed ? Values() : Values{*number};
                  });
  if (hasFailed)
    return failure();
  return Values{result};
}

void addElementwiseRules(LoweringRules &rules) {
  rules.addWhere(hasScalarForm, lowerElementwise);
}

} // namespace mercator::stablehlo
