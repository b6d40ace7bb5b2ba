// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator map FILE`: the elements of its operands that an element of each
/// result reads, and the inverse.

#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/maps/Maps.h"
#include "mercator/support/File.h"
#include "mercator/tools/driver/Command.h"
#include "mercator/tools/driver/MapSummary.h"
#include "mercator/tools/driver/MapTable.h"
#include "mercator/tools/driver/StatusLine.h"

using namespace mercator;
using llvm::StringRef;

static MapQuery::Directions parseDirections(StringRef word) {
  if (word == "both")
    return MapQuery::Directions::Both;
  return word == "in-to-out" ? MapQuery::Directions::InToOut
                             : MapQuery::Directions::OutToIn;
}

/// Patterns select instructions; `--instruction`, `--from` and `--fused` name
/// them. Only computations can be selected with `--fused --computations`.
static llvm::LogicalResult
refuseBeside(Invocation &invocation, StringRef pattern, const MapQuery &query) {
  for (StringRef other : {"instruction", "from", "fused"}) {
    bool fits = pattern == "computation" && query.allComputations;
    if (invocation.has(other) && !(other == "fused" && fits))
      return invocation.getDiagnostics().error(
          {}, "expected --" + pattern + " or --" + other + ", got both");
  }
  return llvm::success();
}

/// None after an error.
static std::optional<MapQuery> parseMapQuery(Invocation &invocation) {
  DiagnosticEngine &diagnostics = invocation.getDiagnostics();
  MapQuery query{.fused = invocation.has("fused"),
                 .allComputations = invocation.has("computations")};
  if (invocation.has("direction"))
    query.directions = parseDirections(invocation.get("direction"));
  if (invocation.has("instruction"))
    query.instruction = invocation.get("instruction").str();
  query.inexact = invocation.has("inexact");
  for (auto [option, pattern] : {std::pair("op", &query.select.operation),
                                 {"computation", &query.select.computation},
                                 {"match", &query.select.match}})
    if (invocation.has(option)) {
      if (failed(refuseBeside(invocation, option, query)))
        return std::nullopt;
      *pattern = invocation.get(option).str();
    }
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
static ExitCode writeMaps(Compilation &compilation, const MapQuery &query,
                          Writer writer) {
  ExitCode code = compilation.map(
      query, [&](const MapRecord &record) { writer.write(record); });
  if (code == ExitCode::Done)
    writer.finish();
  return code;
}

/// A summary, if it is asked for or the text is long.
static ExitCode writeForPerson(Invocation &invocation, Compilation &compilation,
                               const MapQuery &query, StringRef targets) {
  std::string text;
  llvm::raw_string_ostream os(text);
  MapTable table(os, invocation.useColor(), targets, invocation.getColumns());
  MapSummary summary;
  StatusLine status;
  ExitCode code = compilation.map(query, [&](const MapRecord &record) {
    status.step(record.instruction);
    table.write(record);
    summary.add(record);
  });
  status.stop();
  if (code != ExitCode::Done)
    return code;
  table.finish();
  size_t lines = StringRef(text).count('\n');
  if (!invocation.summarizes(lines))
    invocation.getOut() << text;
  else
    summary.print("mercator map " + invocation.getOperand(0).str(), lines,
                  invocation.useColor(), invocation.getOut());
  return code;
}

static ExitCode runMap(Invocation &invocation) {
  std::optional<MapQuery> query = parseMapQuery(invocation);
  if (!query)
    return ExitCode::WrongUsage;
  Compilation *compilation = invocation.load(0);
  if (!compilation)
    return ExitCode::InputRejected;
  if (invocation.has("custom-call-maps") &&
      failed(stateCustomCalls(invocation, *compilation)))
    return ExitCode::InputRejected;
  llvm::raw_ostream &os = invocation.getOut();
  if (invocation.has("json"))
    return writeMaps(*compilation, *query,
                     MapsJson(os, compilation->getName()));
  StringRef targets = query->fused ? "parameters" : "operands";
  unsigned columns = invocation.getColumns();
  if (invocation.has("summary") ||
      (invocation.isTerminal() && !invocation.has("all")))
    return writeForPerson(invocation, *compilation, *query, targets);
  return writeMaps(*compilation, *query,
                   MapTable(os, invocation.useColor(), targets, columns));
}

static constexpr Option mapOptions[] = {
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
    {.name = "op",
     .value = "GLOB",
     .help = "only operations of this kind: fusion, 'dynamic*'"},
    {.name = "computation",
     .value = "GLOB",
     .help = "only instructions of these computations"},
    {.name = "match",
     .value = "GLOB",
     .help = "only instructions of these names"},
    {.name = "inexact", .help = "only operands whose maps are not all exact"},
    {.name = "summary",
     .help = "the number of maps by kind and reason, instead of all maps"},
    {.name = "all",
     .help = "on a terminal: no summary instead of more than 200 lines"},
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
    .options = mapOptions,
    .examples =
        "mercator map examples/softmax.hlo\n"
        "mercator map examples/softmax.hlo --fused\n"
        "mercator map examples/softmax.hlo --from=result --to=logits\n"
        "mercator map examples/transpose_add.hlo --instruction=t --direction=both --json\n",
    .run = runMap};
