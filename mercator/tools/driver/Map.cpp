// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator map FILE`: the elements of its operands that an element of each
/// result reads, and the inverse.

#include "mercator/compiler/Compilation.h"
#include "mercator/support/File.h"
#include "mercator/tools/driver/Command.h"
#include "mercator/tools/driver/MapTable.h"

using namespace mercator;
using llvm::StringRef;

static MapQuery::Directions parseDirections(StringRef word) {
  if (word == "both")
    return MapQuery::Directions::both;
  return word == "in-to-out" ? MapQuery::Directions::inToOut
                             : MapQuery::Directions::outToIn;
}

/// None after an error.
static std::optional<MapQuery> parseQuery(Invocation &invocation) {
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  MapQuery query{.fused = invocation.has("fused"),
                 .allComputations = invocation.has("computations")};
  if (invocation.has("direction"))
    query.directions = parseDirections(invocation.get("direction"));
  if (invocation.has("instruction"))
    query.instruction = invocation.get("instruction").str();
  if (!invocation.has("from") && !invocation.has("to"))
    return query;

  for (auto [given, missing] : {std::pair("from", "to"), {"to", "from"}})
    if (!invocation.has(missing)) {
      (void)diagnostics.error({}, llvm::Twine("expected --") + missing +
                                      " beside --" + given + ", got none");
      return std::nullopt;
    }
  for (StringRef other : {"instruction", "fused"})
    if (invocation.has(other)) {
      (void)diagnostics.error({}, "expected --from and --to alone, got --" +
                                      other + " as well");
      return std::nullopt;
    }
  query.between.emplace(invocation.get("from"), invocation.get("to"));
  return query;
}

/// `--custom-call-maps FILE`.
static llvm::LogicalResult stateCustomCalls(Invocation &invocation,
                                            Compilation &compilation) {
  std::string path = invocation.get("custom-call-maps").str();
  llvm::Expected<std::string> text = readFile(path);
  if (!text)
    return invocation.getDiagnostics().error({},
                                             llvm::toString(text.takeError()));
  SourceBuffer source(path, std::move(*text));
  return compilation.stateCustomCallMaps(source);
}

template <typename Writer>
static ExitCode write(Compilation &compilation, const MapQuery &query,
                      Writer writer) {
  ExitCode code = compilation.map(
      query, [&](const MapRecord &record) { writer.write(record); });
  if (code == ExitCode::done)
    writer.finish();
  return code;
}

static ExitCode run(Invocation &invocation) {
  std::optional<MapQuery> query = parseQuery(invocation);
  if (!query)
    return ExitCode::wrongUsage;
  const SourceBuffer *source = invocation.readInput(0);
  if (!source)
    return ExitCode::inputRejected;
  auto compilation = Compilation::load(*source, invocation.getDiagnostics());
  if (!compilation)
    return ExitCode::inputRejected;
  if (invocation.has("custom-call-maps") &&
      failed(stateCustomCalls(invocation, *compilation)))
    return ExitCode::inputRejected;
  llvm::raw_ostream &os = invocation.getOut();
  if (invocation.has("json"))
    return write(*compilation, *query, MapsJson(os, compilation->getName()));
  return write(*compilation, *query,
               MapTable(os, invocation.useColor(),
                        query->fused ? "parameters" : "operands"));
}

static constexpr Option options[] = {
    {.name = "instruction",
     .value = "NAME",
     .help = "only this one; NAME or COMPUTATION/NAME"},
    {.name = "fused",
     .help =
         "to the parameters of the computation, composed through everything between"},
    {.name = "computations",
     .help = "with --fused: of every computation, not only of the entry"},
    {.name = "from",
     .value = "NAME",
     .help = "with --to: between two instructions, anywhere in the program"},
    {.name = "to",
     .value = "NAME",
     .help = "the other one; the first reads it, or it reads the first"},
    {.name = "custom-call-maps",
     .value = "FILE",
     .help = "the maps of custom calls"},
    {.name = "direction",
     .value = "out-to-in|in-to-out|both",
     .help = "what a result reads, what reads an operand, or both"},
};

const Command mercator::mapCommand = {
    .name = "map",
    .operands = "FILE",
    .summary = "print which elements of its operands each instruction reads",
    .details =
        "FILE is HLO text or StableHLO, `-` is standard input. A map is exact, or it is an\n"
        "over-approximation and says why.\n",
    .options = options,
    .examples =
        "mercator map examples/softmax.hlo\n"
        "mercator map examples/softmax.hlo --fused\n"
        "mercator map examples/softmax.hlo --from=result --to=logits\n"
        "mercator map examples/transpose_add.hlo --instruction=t --direction=both --json\n",
    .run = run};
