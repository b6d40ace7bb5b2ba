// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Any text gives modules or a diagnostic, and the printed modules parse again.

#include "mercator/frontends/hlo/Parser.h"
#include "mercator/frontends/hlo/Printer.h"
#include "mercator/frontends/hlo/ReplicaGroups.h"

#include <cstdlib>

using namespace mercator;

static void check(bool holds, const char *law, const std::string &text) {
  if (holds)
    return;
  llvm::errs() << law << ":\n" << text << '\n';
  std::abort();
}

/// The modules, or none and the diagnostics for a refused text.
static std::vector<std::unique_ptr<hlo::Module>> read(const std::string &text,
                                                      std::string &said) {
  llvm::raw_string_ostream os(said);
  SourceBuffer buffer("t.hlo", text);
  DiagnosticEngine diagnostics(os);
  auto modules = hlo::parseAll(buffer, diagnostics);
  check(modules.empty() == diagnostics.hasErrors(),
        "a text is modules exactly if there was no error", text);
  return modules;
}

/// Checks the properties that the importer relies on.
static void checkPromises(const hlo::Module &module, const std::string &text) {
  for (uint32_t c = 0; c < module.computations.size(); ++c) {
    const hlo::Computation &computation = module.computations[c];
    check(computation.root < computation.instructions.size(), "a root", text);
    for (uint32_t parameter : computation.parameters)
      check(parameter < computation.instructions.size(), "dense parameters",
            text);
    for (uint32_t i = 0; i < computation.instructions.size(); ++i) {
      const hlo::Instruction &node = computation.instructions[i];
      check(node.shape != nullptr, "every instruction has a shape", text);
      for (uint32_t operand : node.operands)
        check(operand < i, "definitions come before uses", text);
      for (const hlo::Attribute &attribute : node.attributes)
        if (attribute.kind == hlo::AttrKind::Computation ||
            attribute.kind == hlo::AttrKind::Computations)
          for (const hlo::ComputationRef &ref : attribute.computations())
            check(ref.builtin ? ref.index == hlo::kNone : ref.index < c,
                  "callees come before callers", text);
    }
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size), said;
  for (const std::unique_ptr<hlo::Module> &module : read(text, said)) {
    checkPromises(*module, text);
    for (const hlo::Computation &computation : module->computations)
      for (const hlo::Instruction &node : computation.instructions)
        if (const hlo::Attribute *groups =
                node.find(hlo::AttrName::ReplicaGroups))
          (void)hlo::readReplicaGroups(groups->text);
    std::string printed = toString(*module), complaint;
    auto again = read(printed, complaint);
    check(again.size() == 1, "what is printed can be read",
          printed + complaint);
    check(toString(*again.front()) == printed,
          "what is printed is the same module", printed);
  }
  return 0;
}
