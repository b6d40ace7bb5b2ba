// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Any text of PTX is a module or a diagnostic, and each of its kernels runs, stops with
/// a diagnostic, or reaches the limit.

#include "mercator/reference/ptx/Machine.h"

#include <cstdlib>

using namespace mercator;
using namespace mercator::reference;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  SourceBuffer text("fuzz.ptx",
                    std::string(reinterpret_cast<const char *>(data), size));
  std::string out;
  llvm::raw_string_ostream os(out);
  DiagnosticEngine diagnostics(os);
  std::optional<ptx::Module> module = ptx::parse(text, diagnostics);
  if (module.has_value() == diagnostics.hasErrors()) {
    llvm::errs() << "expected a module or an error\n" << out;
    std::abort();
  }
  if (!module)
    return 0;
  for (const ptx::Kernel &kernel : module->kernels) {
    ptx::Memory memory;
    uint64_t buffer = memory.allocate(4096);
    ptx::Launch launch = {{2, 1, 1}, {64, 1, 1}, 4096, {}};
    if (kernel.block[0] != 0)
      launch.block = kernel.block;
    launch.arguments.assign(kernel.parameters.size(), buffer);
    DiagnosticEngine run(os);
    std::optional<ptx::Outcome> outcome =
        ptx::run(*module, kernel, launch, memory,
                 {.findRaces = true, .limit = 2000}, run);
    if (outcome.has_value() == run.hasErrors()) {
      llvm::errs() << "expected an outcome or an error\n" << out;
      std::abort();
    }
    for (const ptx::Race &race :
         outcome ? outcome->races : std::vector<ptx::Race>())
      ptx::report(*module, kernel, race, run);
  }
  return 0;
}
