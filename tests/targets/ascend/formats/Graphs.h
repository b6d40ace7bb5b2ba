// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs from text, as files and back.

#ifndef MERCATOR_TESTS_TARGETS_ASCEND_FORMATS_GRAPHS_H
#define MERCATOR_TESTS_TARGETS_ASCEND_FORMATS_GRAPHS_H

#include "mercator/dialects/Register.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/targets/ascend/formats/Air.h"
#include "mercator/targets/ascend/formats/AirReader.h"
#include "mercator/targets/ascend/formats/Text.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <string>

namespace mercator::ascend {

/// A context that records its diagnostics.
class Graphs {
public:
  Graphs() {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
    context.disableMultithreading();
    handler = std::make_unique<mlir::ScopedDiagnosticHandler>(
        &context, [this](mlir::Diagnostic &it) {
          messages += it.str() + "\n";
          location = it.getLocation();
        });
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }
  static GraphOp graph(mlir::ModuleOp module) {
    return *module.getOps<GraphOp>().begin();
  }
  mlir::OwningOpRef<mlir::ModuleOp> read(llvm::StringRef bytes) {
    messages.clear();
    return readAir(bytes, "t.air", &context);
  }
  /// Empty on failure.
  std::string air(mlir::ModuleOp module) {
    return written(writeAir, graph(module));
  }
  std::string text(mlir::ModuleOp module) {
    return written(writeText, graph(module));
  }
  std::string airOf(llvm::StringRef text) {
    mlir::OwningOpRef<mlir::ModuleOp> module = parse(text);
    return module ? air(*module) : "";
  }
  static std::string print(mlir::ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module.print(os);
    return text;
  }

  mlir::MLIRContext context;
  std::string messages;
  std::optional<mlir::Location> location;

private:
  std::string written(llvm::LogicalResult (*write)(GraphOp,
                                                   llvm::raw_ostream &),
                      GraphOp graph) {
    messages.clear();
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    bool isWritten = succeeded(write(graph, os));
    // On failure nothing is written.
    if (!isWritten && !bytes.empty())
      messages += "bytes were written\n";
    return isWritten ? bytes : "";
  }

  std::unique_ptr<mlir::ScopedDiagnosticHandler> handler;
};

/// Rows of a table, by ids.
inline constexpr llvm::StringLiteral kRows = R"(
ascend.graph @rows {
  %table = ascend.Data {index = 0, name = "table"} : tensor<9x4xf32>
  %ids = ascend.Data {index = 1, name = "ids"} : tensor<2x3xi32>
  %low = ascend.Const dense<0> : tensor<i32>
  %high = ascend.Const dense<8> : tensor<i32>
  %safe = ascend.ClipByValue(%ids, %low, %high)
      : (tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> tensor<2x3xi32>
  %rows = ascend.GatherV2(%table, %safe, %low) {negative_index_support = true}
      : (tensor<9x4xf32>, tensor<2x3xi32>, tensor<i32>) -> tensor<2x3x4xf32>
  ascend.NetOutput %rows : tensor<2x3x4xf32>
}
)";

} // namespace mercator::ascend

#endif // MERCATOR_TESTS_TARGETS_ASCEND_FORMATS_GRAPHS_H
