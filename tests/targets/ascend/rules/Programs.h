// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs as text, their inputs, and their results in the evaluator.

#ifndef MERCATOR_TESTS_TARGETS_ASCEND_RULES_PROGRAMS_H
#define MERCATOR_TESTS_TARGETS_ASCEND_RULES_PROGRAMS_H

#include "mercator/dialects/Register.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/reference/AllRules.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mercator {

struct Programs {
  using Inputs = std::vector<reference::Value>;

  Programs() : context(registry(), mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<ascend::AscendDialect>();
    context.getDiagEngine().registerHandler(
        [this](mlir::Diagnostic &it) { messages += it.str() + "\n"; });
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    messages.clear();
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }

  /// One tensor for each parameter of @main; `element` gives a whole number for
  /// a parameter and a row-major place.
  Inputs inputs(mlir::ModuleOp module,
                llvm::function_ref<int64_t(size_t, int64_t)> element) {
    Inputs inputs;
    for (mlir::Type type : mainOf(module).getArgumentTypes()) {
      auto tensor =
          *reference::Tensor::zeros(llvm::cast<mlir::RankedTensorType>(type),
                                    [&] { return module->emitError(); });
      bool isFloat = llvm::isa<mlir::FloatType>(tensor.type().getElementType());
      for (int64_t i = 0; i < tensor.size(); ++i) {
        int64_t value = element(inputs.size(), i);
        tensor.set(i, isFloat ? reference::Scalar::real(double(value))
                              : reference::Scalar::whole(value));
      }
      inputs.push_back(tensor);
    }
    return inputs;
  }

  /// The results of @main; none if it fails.
  std::vector<reference::Tensor> results(mlir::ModuleOp module,
                                         const Inputs &inputs) {
    reference::Evaluator evaluator(module, reference::allRules());
    std::vector<reference::Tensor> tensors;
    auto results = evaluator.call(mainOf(module), inputs);
    if (succeeded(results))
      for (const reference::Value &value : *results)
        tensors.push_back(*value.tensor());
    return tensors;
  }
  /// The first result of @main; nothing if it fails.
  std::optional<reference::Tensor> result(mlir::ModuleOp module,
                                          const Inputs &inputs) {
    std::vector<reference::Tensor> all = results(module, inputs);
    if (all.empty())
      return std::nullopt;
    return all.front();
  }

  mlir::MLIRContext context;
  std::string messages; ///< of the last program

private:
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    return registry;
  }
  static mlir::func::FuncOp mainOf(mlir::ModuleOp module) {
    return module.lookupSymbol<mlir::func::FuncOp>("main");
  }
};

} // namespace mercator

#endif // MERCATOR_TESTS_TARGETS_ASCEND_RULES_PROGRAMS_H
