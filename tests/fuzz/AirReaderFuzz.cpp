// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Any bytes give graphs or one error, and graphs round-trip.

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/targets/ascend/formats/Air.h"
#include "mercator/targets/ascend/formats/AirReader.h"
#include "mercator/targets/ascend/formats/Text.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <cstdlib>

using namespace mercator;

static void check(bool holds, const char *law, const std::string &text) {
  if (holds)
    return;
  llvm::errs() << law << ":\n" << text << '\n';
  std::abort();
}

static std::string print(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::string said;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &it) { said += it.str() + "\n"; });
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      ascend::readAir(bytes, "t.air", &context);
  check(!module == !said.empty(), "bytes are graphs or an error", said);
  check(llvm::StringRef(said).count('\n') <= 1, "there is one error", said);
  if (!module)
    return 0;
  auto graph = *module->getOps<ascend::GraphOp>().begin();
  std::string written, again, text;
  llvm::raw_string_ostream os(written), os2(again), lines(text);
  check(succeeded(ascend::writeAir(graph, os)), "a graph can be written", said);
  check(succeeded(ascend::writeText(graph, lines)), "and listed", said);
  mlir::OwningOpRef<mlir::ModuleOp> same =
      ascend::readAir(written, "t.air", &context);
  check(bool(same), "what is written can be read", said);
  auto twin = *same->getOps<ascend::GraphOp>().begin();
  check(succeeded(ascend::writeAir(twin, os2)) && again == written,
        "what is read is written as the same bytes", print(*same));
  return 0;
}
