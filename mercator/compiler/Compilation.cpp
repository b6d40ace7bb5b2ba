// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/Compilation.h"

using namespace mercator;

Compilation::Compilation(std::unique_ptr<LoadedProgram> program,
                         const SourceBuffer &source,
                         DiagnosticEngine &diagnostics)
    : source(program->decoded ? *program->decoded : source),
      diagnostics(diagnostics), program(std::move(program)) {}

Compilation::~Compilation() = default;

std::unique_ptr<Compilation> Compilation::load(const SourceBuffer &source,
                                               DiagnosticEngine &diagnostics,
                                               const LoadOptions &options) {
  auto program = loadProgram(source, diagnostics, options);
  if (!program)
    return nullptr;
  return std::unique_ptr<Compilation>(
      new Compilation(std::move(program), source, diagnostics));
}

std::unique_ptr<Compilation> Compilation::load(std::string name,
                                               std::string text,
                                               DiagnosticEngine &diagnostics,
                                               const LoadOptions &options) {
  auto source =
      std::make_unique<SourceBuffer>(std::move(name), std::move(text));
  auto compilation = load(*source, diagnostics, options);
  if (compilation)
    compilation->ownSource = std::move(source);
  return compilation;
}

std::unique_ptr<mlir::ScopedDiagnosticHandler> Compilation::forward() {
  return forwardDiagnostics(*program->context, source, diagnostics,
                            program->isAir);
}

const InstructionTable &Compilation::getInstructions() {
  if (!instructions)
    instructions = std::make_unique<InstructionTable>(
        *program, OneModule{*program->module, program->name});
  return *instructions;
}

bool Compilation::lacksOrigins() const {
  mlir::ModuleOp module = *program->module;
  if (!module->hasAttr("mhlo.num_partitions"))
    return false;
  return !module
              ->walk([](mlir::Operation *op) {
                return originOf(op->getLoc()).empty()
                           ? mlir::WalkResult::advance()
                           : mlir::WalkResult::interrupt();
              })
              .wasInterrupted();
}
