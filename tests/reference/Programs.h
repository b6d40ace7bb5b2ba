// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Programs and values as text, for tests of the evaluator:
///
///   Programs programs;
///   programs.expect("stablehlo.add %0, %1 : tensor<2xi8>",
///                   {"dense<[1, 127]> : tensor<2xi8>",
///                    "dense<[2, 1]> : tensor<2xi8>"},
///                   "dense<[3, -128]> : tensor<2xi8>");

#ifndef MERCATOR_TESTS_REFERENCE_PROGRAMS_H
#define MERCATOR_TESTS_REFERENCE_PROGRAMS_H

#include "mercator/dialects/Register.h"
#include "mercator/reference/core/Evaluator.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace mercator::reference {

class Programs {
public:
  Programs() {
    mlir::DialectRegistry registry;
    mercator::registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// The results of @main for these arguments; nothing, and `messages`, if it
  /// cannot be parsed or evaluated.
  std::optional<std::vector<Value>> run(llvm::StringRef text,
                                        llvm::ArrayRef<Value> arguments = {}) {
    messages.clear();
    mlir::ScopedDiagnosticHandler handler(
        &context, [&](mlir::Diagnostic &it) { messages += it.str() + "\n"; });
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      return std::nullopt;
    Evaluator evaluator(*module);
    auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
    llvm::FailureOr<std::vector<Value>> results =
        evaluator.call(main, arguments);
    if (failed(results))
      return std::nullopt;
    return *results;
  }

  /// A constant.
  Tensor tensor(llvm::StringRef text) {
    auto value =
        llvm::cast<mlir::ElementsAttr>(mlir::parseAttribute(text, &context));
    return *Tensor::from(value, [&] {
      return mlir::emitError(mlir::UnknownLoc::get(&context));
    });
  }

  /// The program of one operation on constants %0, %1, .., and its result.
  std::optional<std::vector<Value>>
  apply(llvm::StringRef operation, llvm::ArrayRef<llvm::StringRef> operands,
        llvm::StringRef resultType) {
    std::string text = "func.func @main() -> " + resultType.str() + " {\n";
    for (auto [i, operand] : llvm::enumerate(operands))
      text += "  %" + std::to_string(i) + " = stablehlo.constant " +
              operand.str() + "\n";
    text += "  %result = " + operation.str() +
            "\n  return %result : " + resultType.str() + "\n}\n";
    return run(text);
  }

  /// Expects a result of `operation` with the same bytes as `expected`. Any NaN
  /// matches a NaN; floats may differ by `ulps`.
  void expect(llvm::StringRef operation,
              llvm::ArrayRef<llvm::StringRef> operands,
              llvm::StringRef expected, int64_t ulps = 0) {
    std::optional<std::vector<Value>> results =
        apply(operation, operands, expected.rsplit(" : ").second);
    ASSERT_TRUE(results) << operation.str() << "\n" << messages;
    expectSame(*results->front().tensor(), tensor(expected), ulps, operation);
  }

  static void expectSame(const Tensor &got, const Tensor &expected,
                         int64_t ulps, llvm::StringRef where) {
    ASSERT_EQ(got.shape(), expected.shape()) << where.str();
    ASSERT_EQ(got.element(), expected.element()) << where.str();
    for (int64_t i = 0; i < got.size(); ++i) {
      Scalar a = got.at(i), b = expected.at(i);
      if (got.element().isReal() || got.element().isComplex()) {
        EXPECT_TRUE(isNear(got.element(), a.re, b.re, ulps) &&
                    isNear(got.element(), a.im, b.im, ulps))
            << where.str() << "\nelement " << i << ": got (" << a.re << ", "
            << a.im << "), expected (" << b.re << ", " << b.im << ")";
      } else {
        EXPECT_EQ(a.integer, b.integer) << where.str() << "\nelement " << i;
      }
    }
  }

  mlir::MLIRContext context;
  std::string messages;

private:
  static bool isNear(const Element &element, double a, double b, int64_t ulps) {
    if (std::isnan(a) || std::isnan(b))
      return std::isnan(a) && std::isnan(b);
    if (std::bit_cast<int64_t>(a) == std::bit_cast<int64_t>(b))
      return true;
    if (ulps == 0 || std::isinf(a) || std::isinf(b))
      return false;
    int exponent = b == 0 ? -1000 : std::ilogb(b);
    int digits = int(llvm::APFloat::semanticsPrecision(*element.format)) - 1;
    return std::fabs(a - b) <= double(ulps) * std::ldexp(1, exponent - digits);
  }
};

} // namespace mercator::reference

#endif // MERCATOR_TESTS_REFERENCE_PROGRAMS_H
