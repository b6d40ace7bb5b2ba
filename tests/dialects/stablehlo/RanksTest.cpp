// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks of elementwise operations, stablehlo and chlo: every operand has the
// shape of the result. Only the pred of select and the bounds of clamp may have
// rank 0.

#include "mercator/dialects/Register.h"
#include "mercator/dialects/chlo/Chlo.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSet.h"

#include "gtest/gtest.h"

#include <map>

using namespace mercator;
using namespace mlir;

namespace {

struct Form {
  SmallVector<StringRef> operands; ///< element types
  StringRef result;
  std::string rest;
};

/// By name: the forms other than one or two operands of f32.
std::map<StringRef, Form> otherForms() {
  constexpr StringRef f = "f32", i = "i32", p = "i1", c = "complex<f32>",
                      q = "!quant.uniform<i8:f32, 5.000000e-01:3>";
  std::map<StringRef, Form> forms;
  for (StringRef name :
       {"stablehlo.and", "stablehlo.or", "stablehlo.xor",
        "stablehlo.shift_left", "stablehlo.shift_right_arithmetic",
        "stablehlo.shift_right_logical", "chlo.mulhi"})
    forms[name] = {{i, i}, i, ""};
  for (StringRef name :
       {"stablehlo.not", "stablehlo.popcnt", "stablehlo.count_leading_zeros"})
    forms[name] = {{i}, i, ""};
  for (StringRef name : {"stablehlo.is_finite", "chlo.is_inf",
                         "chlo.is_neg_inf", "chlo.is_pos_inf"})
    forms[name] = {{f}, p, ""};
  forms["stablehlo.imag"] = forms["stablehlo.real"] = {{c}, f, ""};
  forms["chlo._asin_acos_kernel"] = {{c}, c, ""};
  forms["stablehlo.convert"] = {{f}, i, ""};
  forms["stablehlo.complex"] = {{f, f}, c, ""};
  forms["stablehlo.uniform_quantize"] = {{f}, q, ""};
  forms["stablehlo.uniform_dequantize"] = {{q}, f, ""};
  forms["stablehlo.reduce_precision"] = {
      {f}, f, "<{exponent_bits = 5 : i32, mantissa_bits = 2 : i32}>"};
  forms["stablehlo.compare"] = {
      {f, f},
      p,
      "<{comparison_direction = #stablehlo<comparison_direction LT>}>"};
  forms["stablehlo.select"] = {{p, f, f}, f, ""};
  forms["stablehlo.clamp"] = {{f, f, f}, f, ""};
  forms["chlo.constant_like"] = {{f}, f, "<{value = 3.2 : f32}>"};
  return forms;
}

Form formOf(RegisteredOperationName name) {
  static const std::map<StringRef, Form> others = otherForms();
  StringRef text = name.getStringRef();
  if (auto other = others.find(text); other != others.end())
    return other->second;
  static const llvm::StringSet<> binary = {
      "stablehlo.add",     "stablehlo.atan2",     "stablehlo.divide",
      "stablehlo.maximum", "stablehlo.minimum",   "stablehlo.multiply",
      "stablehlo.power",   "stablehlo.remainder", "stablehlo.subtract",
      "chlo.next_after",   "chlo.polygamma",      "chlo.zeta"};
  if (binary.contains(text))
    return {{"f32", "f32"}, "f32", ""};
  return {{"f32"}, "f32", ""};
}

bool mayBeScalar(StringRef name, size_t operand) {
  return (name == "stablehlo.select" && operand == 0) ||
         (name == "stablehlo.clamp" && operand != 1);
}

class RanksTest : public ::testing::Test {
protected:
  RanksTest() {
    DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// All except stablehlo.map, whose computation has its own test.
  SmallVector<RegisteredOperationName> elementwise() {
    SmallVector<RegisteredOperationName> names;
    for (RegisteredOperationName name : context.getRegisteredOperations())
      if ((name.hasTrait<stablehlo::Elementwise>() ||
           name.hasTrait<chlo::SameShape>()) &&
          name.getStringRef() != "stablehlo.map")
        names.push_back(name);
    return names;
  }

  /// The verifier's diagnostics for operands and a result of these shapes (""
  /// or "2x3x"); empty if it succeeds.
  std::string said(StringRef name, const Form &form, ArrayRef<StringRef> shapes,
                   StringRef resultShape) {
    std::string arguments, operands, types;
    for (auto [i, element] : llvm::enumerate(form.operands)) {
      std::string comma = i ? ", " : "", value = "%a" + std::to_string(i),
                  type = ("tensor<" + shapes[i] + element + ">").str();
      operands += comma + value;
      types += comma + type;
      arguments += comma + value + ": " + type;
    }
    std::string text = "func.func @f(" + arguments + ") {\n  %0 = \"" +
                       name.str() + "\"(" + operands + ") " + form.rest +
                       " : (" + types + ") -> tensor<" + resultShape.str() +
                       form.result.str() + ">\n  return\n}\n";
    std::string errors;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        errors += diagnostic.str() + "\n";
      return success();
    });
    auto module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_EQ(bool(module), errors.empty()) << text << errors;
    return errors.empty() ? "" : text + errors;
  }

  MLIRContext context;
};

TEST_F(RanksTest, OperandsHaveTheShapeOfTheResult) {
  SmallVector<RegisteredOperationName> names = elementwise();
  EXPECT_GT(names.size(), 60u);
  for (RegisteredOperationName registered : names) {
    StringRef name = registered.getStringRef();
    SCOPED_TRACE(name.str());
    Form form = formOf(registered);
    SmallVector<StringRef> tensors(form.operands.size(), "2x3x"),
        scalars(form.operands.size(), "");
    EXPECT_EQ(said(name, form, tensors, "2x3x"), "");
    EXPECT_EQ(said(name, form, scalars, ""), "");
    EXPECT_NE(said(name, form, scalars, "2x3x"), "");
    EXPECT_NE(said(name, form, tensors, ""), "");
    EXPECT_NE(said(name, form, tensors, "2x3x1x"), "");
    for (size_t i = 0; i < form.operands.size(); ++i)
      for (StringRef shape : {"", "3x", "1x2x3x"}) {
        SmallVector<StringRef> shapes = tensors;
        shapes[i] = shape;
        std::string errors = said(name, form, shapes, "2x3x");
        EXPECT_EQ(errors.empty(), shape.empty() && mayBeScalar(name, i))
            << "operand " << i << " of shape " << shape.str() << "\n"
            << errors;
      }
  }
}

TEST_F(RanksTest, Map) {
  auto map = [&](StringRef lhs, StringRef result) {
    std::string text =
        ("func.func @f(%a: tensor<" + lhs + "f32>, %b: tensor<2xf32>) {\n" +
         "  %0 = \"stablehlo.map\"(%a, %b) ({\n  ^bb0(%x: tensor<f32>, %y: "
         "tensor<f32>):\n    stablehlo.return %x : tensor<f32>\n  }) "
         "{dimensions = array<i64: 0>} : (tensor<" +
         lhs + "f32>, tensor<2xf32>) -> tensor<" + result +
         "f32>\n  return\n}\n")
            .str();
    ScopedDiagnosticHandler handler(&context,
                                    [](Diagnostic &) { return success(); });
    return bool(parseSourceString<ModuleOp>(text, &context));
  };
  EXPECT_TRUE(map("2x", "2x"));
  EXPECT_FALSE(map("", "2x"));
  EXPECT_FALSE(map("2x", ""));
}

} // namespace
