// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator map FILE`: which elements of its operands does an element of each
/// result read, and the other way round.

#include "mercator/tools/driver/Command.h"
#include "mercator/tools/driver/MapWriter.h"

using namespace mercator;
using indexing::Direction;

static llvm::ArrayRef<Direction> parseDirections(llvm::StringRef word) {
  static constexpr Direction both[] = {Direction::OutToIn, Direction::InToOut};
  if (word == "both")
    return both;
  return llvm::ArrayRef(both).slice(word == "in-to-out" ? 1 : 0, 1);
}

/// Every instruction of the program.
static void mapAll(const MapProgram &program,
                   llvm::ArrayRef<Direction> directions, MapWriter &writer) {
  for (const Computation &computation : program.getComputations())
    for (Direction direction : directions)
      program.forEachOperation(computation, [&](mlir::Operation *op) {
        forEachRecord(program, {&computation, op, nullptr}, direction,
                      [&](const MapRecord &r) { writer.write(r); });
      });
}

static ExitCode run(Invocation &invocation) {
  const SourceBuffer *source = invocation.readInput(0);
  if (!source)
    return ExitCode::inputRejected;
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  std::unique_ptr<MapProgram> program = MapProgram::load(*source, diagnostics);
  if (!program)
    return ExitCode::inputRejected;

  bool fused = invocation.has("fused");
  std::optional<Instruction> instruction;
  if (invocation.has("instruction")) {
    instruction = program->find(invocation.get("instruction"), diagnostics);
    if (!instruction)
      return ExitCode::wrongUsage;
  }

  llvm::raw_ostream &out = invocation.getOut();
  std::unique_ptr<MapWriter> writer =
      invocation.has("json") ? makeMapJson(out, program->getName())
                             : makeMapTable(out, invocation.useColor(),
                                            fused ? "parameters" : "operands");
  auto write = [&](const MapRecord &record) { writer->write(record); };
  llvm::ArrayRef<Direction> directions =
      parseDirections(invocation.get("direction"));
  if (!fused && !instruction)
    mapAll(*program, directions, *writer);
  for (Direction direction : directions)
    if (fused && instruction)
      forEachFusedRecord(*program, *instruction, direction, write);
    else if (fused)
      forEachFusedRecord(*program,
                         program->root(program->getComputations().front()),
                         direction, write);
    else if (instruction)
      forEachRecord(*program, *instruction, direction, write);
  writer->finish();
  return ExitCode::done;
}

static constexpr Option options[] = {
    {.name = "instruction",
     .value = "NAME",
     .help = "only this one; NAME or COMPUTATION/NAME"},
    {.name = "fused",
     .help = "to the parameters of the computation, composed through all "
             "between"},
    {.name = "direction",
     .value = "out-to-in|in-to-out|both",
     .help = "what a result reads, what an operand reaches, or both"},
};

const Command mercator::mapCommand = {
    .name = "map",
    .operands = "FILE",
    .summary = "print which elements of its operands each instruction reads",
    .details =
        "FILE is HLO text or StableHLO, `-` is standard input. A map is exact, "
        "or it\ncontains more than is read and says why.\n",
    .options = options,
    .examples = "mercator map examples/softmax.hlo\n"
                "mercator map examples/softmax.hlo --fused\n"
                "mercator map examples/transpose_add.hlo --instruction=t "
                "--direction=both --json\n",
    .run = run};
