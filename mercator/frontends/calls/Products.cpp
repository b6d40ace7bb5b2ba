// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Products: cuBLAS.
//
//   D = epilogue(alpha * A x B + beta * C + bias)
//
// Operands: A, B, then C if beta is not 0, then the bias. The f8 product has the
// scales of A and B before the bias, and the scale of D at the end if D has
// elements of 8 bits. The sums and the epilogue have elements of 32 bits or more.

#include "mercator/frontends/calls/Body.h"

#include <cmath>

using namespace mlir;
using namespace mercator;
using namespace mercator::calls;
using llvm::StringRef;

/// Factors of integers are far from the limits of integers.
static constexpr double kMostFactor = 1 << 30;

/// The type of the sums, for elements of the operands.
static Type sumElement(Type element) {
  if (auto real = dyn_cast<FloatType>(element))
    return real.getWidth() < 32 ? Float32Type::get(element.getContext())
                                : element;
  if (element.isInteger())
    return IntegerType::get(element.getContext(), 32);
  return element;
}

/// x * sigmoid(x); 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
static Value silu(Body &body, Value x) {
  return body.binary<stablehlo::MulOp>(x, body.unary<stablehlo::LogisticOp>(x));
}
static Value gelu(Body &body, Value x) {
  Value square = body.binary<stablehlo::MulOp>(x, x);
  Value cube = body.binary<stablehlo::MulOp>(square, x);
  Value inner = body.binary<stablehlo::AddOp>(
      x, body.binary<stablehlo::MulOp>(cube, body.number(0.044715, x)));
  inner = body.binary<stablehlo::MulOp>(inner,
                                        body.number(0.79788456080286535588, x));
  Value factor = body.binary<stablehlo::AddOp>(
      body.unary<stablehlo::TanhOp>(inner), body.number(1, x));
  return body.binary<stablehlo::MulOp>(
      body.binary<stablehlo::MulOp>(x, body.number(0.5, x)), factor);
}

/// The bias lies along the fastest dimensions of the result.
static Value spreadBias(Reader &call, Value bias, RankedTensorType to) {
  int64_t rank = typeOf(bias).getRank();
  if (rank > to.getRank())
    return {};
  llvm::SmallVector<int64_t> dims(rank);
  for (auto [own, result] :
       llvm::zip(hlo::minorToMajor(typeOf(bias)), hlo::minorToMajor(to))) {
    if (typeOf(bias).getDimSize(unsigned(own)) !=
        to.getDimSize(unsigned(result)))
      return {};
    dims[own] = result;
  }
  Body &body = call.body;
  return body.spread(body.cast(bias, to.getElementType()), to, dims);
}

static bool readAny(Reader &call, bool isScaled) {
  const Config &config = call.config;
  Body &body = call.body;
  llvm::SmallVector<Value> operands = call.operands;
  double beta = config.number("beta", 0);
  std::string epilogue = config.word("epilogue", "DEFAULT");
  bool hasBias = StringRef(epilogue).starts_with("BIAS");
  bool hasAux = StringRef(epilogue).ends_with("_AUX");
  StringRef activation = epilogue;
  activation.consume_front("BIAS");
  activation.consume_front("_");
  activation.consume_back("_AUX");
  if (activation != "" && activation != "DEFAULT" && activation != "RELU" &&
      activation != "GELU" && activation != "SILU")
    return call.unknown("the epilogue " + epilogue + " is not known");
  if (call.types.empty() || operands.size() < 2)
    return call.unknown("it has no two operands");
  RankedTensorType type = call.types.front();
  auto real = dyn_cast<FloatType>(type.getElementType());
  bool isNarrow = isScaled && real && real.getWidth() == 8;
  size_t expected =
      2 + (beta != 0) + 2 * isScaled + hasBias + (isScaled && isNarrow);
  if (operands.size() != expected)
    return call.unknown("its fields name " + llvm::Twine(expected) +
                        " operands, and it has " +
                        llvm::Twine(operands.size()));

  // The product.
  Value lhs = operands[0], rhs = operands[1];
  if (elementOf(lhs) != elementOf(rhs)) {
    Type wide = Float32Type::get(body.b.getContext());
    lhs = body.cast(lhs, wide);
    rhs = body.cast(rhs, wide);
  }
  auto list = [&](StringRef name) {
    return config.integers(("dot_dimension_numbers." + name).str());
  };
  auto numbers = stablehlo::DotDimensionNumbersAttr::get(
      body.b.getContext(), list("lhs_batch_dimensions"),
      list("rhs_batch_dimensions"), list("lhs_contracting_dimensions"),
      list("rhs_contracting_dimensions"));
  double alpha = config.number("alpha_real", 1),
         imaginary = config.number("alpha_imag", 0);
  bool isPlain = alpha == 1 && imaginary == 0 && beta == 0 && !isScaled &&
                 epilogue == "DEFAULT";
  Type sum = sumElement(elementOf(lhs));
  bool isReal = type.getElementType().isIntOrFloat();
  if (isReal && imaginary != 0)
    return call.unknown("it has a complex factor of real numbers");
  // An integer product of real factors continues in f32.
  bool isInteger = sum.isInteger();
  Type dotElement = isPlain && !isInteger ? type.getElementType() : sum;
  Value value = stablehlo::DotGeneralOp::create(
      body.b, body.loc, type.clone(dotElement), lhs, rhs, numbers,
      /*precision_config=*/ArrayAttr(), stablehlo::DotAlgorithmAttr());
  if (isPlain) {
    call.values.push_back(value);
    return true;
  }
  Type wide = isInteger && !type.getElementType().isInteger()
                  ? Type(Float32Type::get(body.b.getContext()))
                  : sum;
  value = body.cast(value, wide);

  if (isa<IntegerType>(wide))
    for (double factor : {alpha, beta})
      if (factor != std::rint(factor) || std::abs(factor) > kMostFactor)
        return call.unknown("it multiplies integers with a fraction");

  // alpha, the scales, beta, the bias.
  size_t next = 2;
  Value c = beta != 0 ? operands[next++] : Value();
  auto scale = [&](Value by) {
    if (typeOf(by).getRank() != 0)
      return false;
    value = body.binary<stablehlo::MulOp>(
        value, body.spread(body.cast(by, wide), typeOf(value), {}));
    return true;
  };
  for (int i = 0; i < 2 * isScaled; ++i)
    if (!scale(operands[next++]))
      return call.unknown("a scale is not a single number");
  if (alpha != 1 || imaginary != 0) {
    Value factor = body.number(alpha, value);
    if (imaginary != 0) {
      auto part =
          typeOf(value).clone(llvm::cast<ComplexType>(wide).getElementType());
      factor = stablehlo::ComplexOp::create(body.b, body.loc, typeOf(value),
                                            body.number(alpha, part),
                                            body.number(imaginary, part));
    }
    value = body.binary<stablehlo::MulOp>(value, factor);
  }
  if (c) {
    if (typeOf(c).getShape() != type.getShape())
      return call.unknown("the added matrix has another shape");
    c = body.as(c, typeOf(value));
    if (beta != 1)
      c = body.binary<stablehlo::MulOp>(c, body.number(beta, c));
    value = body.binary<stablehlo::AddOp>(value, c);
  }
  if (hasBias) {
    Value bias = spreadBias(call, operands[next++], typeOf(value));
    if (!bias)
      return call.unknown("the bias does not fit the result");
    value = body.binary<stablehlo::AddOp>(value, bias);
  }

  // The epilogue.
  Value aux = value;
  bool hasActivation = activation != "" && activation != "DEFAULT";
  if (hasActivation && !isa<FloatType>(wide))
    return call.unknown("it has an activation of no floats");
  if (activation == "RELU")
    value = body.binary<stablehlo::MaxOp>(value, body.number(0, value));
  else if (activation == "GELU")
    value = gelu(body, value);
  else if (activation == "SILU")
    value = silu(body, value);
  Value greatest;
  if (config.flag("damax_output", false)) {
    if (!isa<FloatType>(wide))
      return call.unknown("it has a greatest element of no floats");
    llvm::SmallVector<int64_t> all =
        llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    greatest = body.reduce<stablehlo::MaxOp>(
        body.unary<stablehlo::AbsOp>(value), all, 0);
  }
  if (isNarrow) {
    if (!scale(operands[next++]))
      return call.unknown("a scale is not a single number");
    value = body.saturate(value, type.getElementType());
  }
  call.values.push_back(value);
  if (hasAux)
    call.values.push_back(aux);
  if (greatest)
    call.values.push_back(greatest);
  return true;
}

bool calls::readProduct(Reader &call) { return readAny(call, false); }
bool calls::readScaledProduct(Reader &call) { return readAny(call, true); }
