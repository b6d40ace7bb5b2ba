// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/Compilation.h"

#include "mercator/compiler/maps/CustomCallMaps.h"

using namespace mercator;

Compilation::Compilation(std::unique_ptr<LoadedProgram> program,
                         const SourceBuffer &source,
                         DiagnosticEngine &diagnostics)
    : source(source), diagnostics(diagnostics), program(std::move(program)) {}

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

llvm::LogicalResult
Compilation::stateCustomCallMaps(const SourceBuffer &statements) {
  return mercator::stateCustomCallMaps(*program->module, statements,
                                       diagnostics);
}

ExitCode Compilation::map(const MapQuery &query, RecordFn f) {
  return forEachRecord(getInstructions(), query, diagnostics, f);
}

Answer<std::vector<MapRecord>> Compilation::map(const MapQuery &query) {
  std::vector<MapRecord> records;
  ExitCode code =
      map(query, [&](const MapRecord &record) { records.push_back(record); });
  if (code != ExitCode::done)
    return code;
  return records;
}
