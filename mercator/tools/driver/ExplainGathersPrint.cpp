// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/support/Table.h"
#include "mercator/targets/ascend/gather/Cost.h"
#include "mercator/tools/driver/ExplainGathers.h"
#include "mercator/tools/driver/MapWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace mercator;
using namespace mercator::gather;
using llvm::StringRef;

static std::string number(int64_t value) { return std::to_string(value); }

static StringRef plural(int64_t count) { return count == 1 ? "" : "s"; }

//===--- Sentences --------------------------------------------------------===//

/// What is taken of a dimension, and where it begins.
static std::string howTaken(const GatherProblem &problem, int64_t dim,
                            Role role) {
  const Column *column = problem.column(dim);
  std::string starts =
      column ? "start " + number(column - problem.columns.begin()) : "";
  switch (role) {
  case Role::batching:
    return "goes along with batch axis " + number(problem.batchingAxes()[dim]);
  case Role::full:
    return column ? "whole; " + starts + " has no choice but 0" : "whole";
  case Role::trimmed:
    return "the first " + number(problem.sliceSizes[dim]);
  case Role::point:
    return "one, at " + starts;
  case Role::window:
    return number(problem.sliceSizes[dim]) + ", from " + starts + " on";
  }
  return "";
}

/// Which axis of the result a dimension is; none where it is collapsed or goes
/// along with the batch.
static std::optional<int64_t> resultAxis(const GatherProblem &problem,
                                         int64_t dim) {
  if (!problem.isOffset(dim))
    return std::nullopt;
  int64_t before = 0;
  for (int64_t other = 0; other < dim; ++other)
    before += problem.isOffset(other);
  return problem.offsetDims[before];
}

static std::string clampText(const GatherProblem &problem,
                             const KnownStart &known) {
  std::string last =
      number(problem.lastStart(problem.columns[known.column].dim));
  if (problem.constantStarts)
    return "clamped to [0, " + last + "] now";
  if (known.idleBelow.empty() && known.idleAbove.empty())
    return "clamped to [0, " + last + "]";
  if (known.idleBelow.empty())
    return "clamped to 0 from below; not from above: " + known.idleAbove;
  if (known.idleAbove.empty())
    return "clamped to " + last +
           " from above; not from below: " + known.idleBelow;
  return "none: " + known.idleBelow + ", " + known.idleAbove + ", and [0, " +
         last + "] holds that";
}

static std::string knownText(const GatherProblem &problem,
                             const KnownStart &known) {
  if (problem.columns[known.column].iotaAxis)
    return "counts along batch axis " +
           number(*problem.columns[known.column].iotaAxis);
  if (problem.constantStarts)
    return "constant";
  return known.range.value_or("any");
}

/// Why a candidate is not taken.
static std::string whyNot(const Candidate &candidate, const Candidate *best) {
  if (!candidate.feasible || !best)
    return candidate.why;
  return (name(best->strategy) + " comes before it").str();
}

//===--- For people -------------------------------------------------------===//

static void printDimensions(const GatherProblem &problem, bool color,
                            llvm::raw_ostream &os) {
  if (problem.operandShape.empty())
    return;
  Table table({{"dimension", Style::plain, Align::right},
               {"extent", Style::plain, Align::right},
               {"is", Style::cyan},
               {"what a slice takes"},
               {"in the result"}});
  for (auto [dim, role] : llvm::enumerate(problem.roles())) {
    std::optional<int64_t> axis = resultAxis(problem, dim);
    table.addRow({number(dim), number(problem.operandShape[dim]),
                  name(role).str(), howTaken(problem, dim, role),
                  axis                     ? "axis " + number(*axis)
                  : role == Role::batching ? ""
                                           : "collapsed"});
  }
  table.print(os, color, /*indent=*/2);
}

static void printStarts(const GatherProblem &problem, bool color,
                        llvm::raw_ostream &os) {
  if (problem.columns.empty())
    return;
  Table table({{"start", Style::plain, Align::right},
               {"of dimension", Style::plain, Align::right},
               {"known"},
               {"clamp"}});
  auto roles = problem.roles();
  for (size_t k = 0; k < problem.columns.size(); ++k) {
    KnownStart known = knownStart(problem, k);
    Role role = roles[problem.columns[k].dim];
    table.addRow({number(k), number(problem.columns[k].dim),
                  knownText(problem, known),
                  role == Role::full       ? "not read"
                  : role == Role::batching ? "not read: all of them lie inside"
                                           : clampText(problem, known)});
  }
  os << '\n';
  table.print(os, color, /*indent=*/2);
}

static void printWays(const GatherExplanation &gather, bool color,
                      llvm::raw_ostream &os) {
  const Candidate *best = gather.planning.best();
  Table table({{"way", Style::cyan},
               {"bytes moved", Style::plain, Align::right},
               {"index entries", Style::plain, Align::right},
               {""},
               {""}});
  for (const Candidate &candidate : gather.planning.candidates) {
    std::vector<std::string> row{name(candidate.strategy).str(), "", "", "",
                                 ""};
    if (candidate.plan) {
      Cost cost = costOf(*candidate.plan, gather.problem.elementBytes);
      row[1] = number(cost.bytes);
      row[2] = number(cost.indexEntries);
    }
    row[3] = &candidate == best   ? "taken"
             : candidate.feasible ? "possible"
             : candidate.plan     ? "refused"
                                  : "no";
    row[4] = &candidate == best ? "" : whyNot(candidate, best);
    table.addRow(std::move(row));
  }
  os << '\n';
  table.print(os, color, /*indent=*/2);
}

/// The table of `mercator map`, indented, without its heading.
static void printMaps(const MapProgram &program,
                      const GatherExplanation &gather, bool color,
                      llvm::raw_ostream &os) {
  std::string text;
  llvm::raw_string_ostream all(text);
  std::unique_ptr<MapWriter> writer = makeMapTable(all, color, "operands");
  forEachRecord(program, gather.instruction, indexing::Direction::OutToIn,
                [&](const MapRecord &record) { writer->write(record); });
  writer->finish();
  llvm::SmallVector<StringRef> lines;
  StringRef(text).rtrim().split(lines, '\n');
  os << '\n';
  for (StringRef line : llvm::drop_begin(lines))
    os << line << '\n';
}

static void printPlan(const GatherExplanation &gather, llvm::raw_ostream &os) {
  const Candidate *best = gather.planning.best();
  if (!best) {
    os << "\n  no plan: the device can carry out none of these\n";
    return;
  }
  os << "\n  plan: " << name(best->strategy) << '\n';
  for (const std::string &note : best->plan->notes)
    os << "    because " << note << '\n';
  if (!best->why.empty())
    os << "    but not on the cores: " << best->why
       << "; the processors beside them do it\n";
  std::string steps;
  llvm::raw_string_ostream all(steps);
  best->plan->print(all);
  llvm::SmallVector<StringRef> lines;
  StringRef(steps).rtrim().split(lines, '\n');
  for (StringRef line : lines)
    os << "    " << line << '\n';
}

static void printGather(const MapProgram &program,
                        const GatherExplanation &gather, bool color,
                        llvm::raw_ostream &os) {
  mlir::Operation *op = gather.instruction.op;
  auto print = [&](StringRef what, mlir::Value value, bool withMaker = false) {
    Explanation::Tensor tensor = describe(value);
    os << "  " << what << " " << program.nameOf(value) << ", " << tensor.type;
    if (tensor.bytes)
      os << ", " << *tensor.bytes << " byte" << plural(*tensor.bytes);
    if (mlir::Operation *maker = value.getDefiningOp(); maker && withMaker)
      os << ", of " << maker->getName().getStringRef();
    os << '\n';
  };
  os << program.nameOf(op) << " = " << op->getName().getStringRef();
  if (std::string place = placeOf(op->getLoc()); place != "?")
    os << ", at " << place;
  os << '\n';
  print("from ", op->getOperand(0));
  for (mlir::Value starts : llvm::drop_begin(op->getOperands()))
    print("at   ", starts, /*withMaker=*/true);
  print("gives", op->getResult(0));
  os << '\n';
  if (!gather.unknown.empty()) {
    os << "  no plan: " << gather.unknown << '\n';
  } else {
    printDimensions(gather.problem, color, os);
    printStarts(gather.problem, color, os);
    printWays(gather, color, os);
    printPlan(gather, os);
  }
  printMaps(program, gather, color, os);
}

void mercator::printGathers(const MapProgram &program,
                            llvm::ArrayRef<GatherExplanation> gathers,
                            bool color, llvm::raw_ostream &os) {
  bool isFirst = true;
  while (!gathers.empty()) {
    const Computation *computation = gathers.front().instruction.computation;
    llvm::ArrayRef<GatherExplanation> here =
        gathers.take_while([&](const GatherExplanation &gather) {
          return gather.instruction.computation == computation;
        });
    gathers = gathers.drop_front(here.size());
    os << (isFirst ? "" : "\n") << computation->name << ": " << here.size()
       << " gather" << plural(here.size()) << '\n';
    isFirst = false;
    for (const GatherExplanation &gather : here) {
      os << '\n';
      printGather(program, gather, color, os);
    }
  }
}

//===--- For programs -----------------------------------------------------===//

/// Names in quotes may be any bytes; JSON may not.
static std::string clean(StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

static void writeTensor(llvm::json::OStream &json, const MapProgram &program,
                        mlir::Value value) {
  Explanation::Tensor tensor = describe(value);
  json.object([&] {
    json.attribute("name", clean(program.nameOf(value)));
    json.attribute("type", clean(tensor.type));
    if (tensor.bytes)
      json.attribute("bytes", *tensor.bytes);
  });
}

static void writeProblem(llvm::json::OStream &json,
                         const GatherProblem &problem) {
  auto roles = problem.roles();
  json.attributeArray("dimensions", [&] {
    for (auto [dim, role] : llvm::enumerate(roles))
      json.object([&] {
        json.attribute("extent", problem.operandShape[dim]);
        json.attribute("taken", problem.sliceSizes[dim]);
        json.attribute("role", name(role));
        if (role == Role::batching)
          json.attribute("batch_axis", problem.batchingAxes()[dim]);
        if (auto axis = resultAxis(problem, dim))
          json.attribute("result_axis", *axis);
      });
  });
  json.attributeArray("starts", [&] {
    for (auto [k, column] : llvm::enumerate(problem.columns)) {
      KnownStart known = knownStart(problem, k);
      bool isRead =
          roles[column.dim] == Role::point || roles[column.dim] == Role::window;
      json.object([&] {
        json.attribute("dimension", column.dim);
        json.attribute("last", problem.lastStart(column.dim));
        json.attribute("constant", problem.constantStarts.has_value());
        if (column.lower)
          json.attribute("lower", *column.lower);
        if (column.upper)
          json.attribute("upper", *column.upper);
        if (column.iotaAxis)
          json.attribute("counts_along_batch_axis", *column.iotaAxis);
        bool atRuntime = isRead && !problem.constantStarts;
        json.attribute("clamp_below", atRuntime && known.idleBelow.empty());
        json.attribute("clamp_above", atRuntime && known.idleAbove.empty());
      });
    }
  });
}

static void writePlanning(llvm::json::OStream &json,
                          const GatherExplanation &gather) {
  const Candidate *best = gather.planning.best();
  json.attributeArray("ways", [&] {
    for (const Candidate &candidate : gather.planning.candidates)
      json.object([&] {
        json.attribute("way", name(candidate.strategy));
        json.attribute("taken", &candidate == best);
        json.attribute("possible", candidate.feasible);
        if (candidate.plan) {
          Cost cost = costOf(*candidate.plan, gather.problem.elementBytes);
          json.attribute("bytes", cost.bytes);
          json.attribute("index_entries", cost.indexEntries);
        }
        std::string why =
            &candidate == best ? candidate.why : whyNot(candidate, best);
        if (!why.empty())
          json.attribute("why", why);
      });
  });
  if (!best)
    return;
  json.attributeArray("notes", [&] {
    for (const std::string &note : best->plan->notes)
      json.value(note);
  });
  json.attributeArray("plan", [&] {
    std::string steps;
    llvm::raw_string_ostream all(steps);
    best->plan->print(all);
    llvm::SmallVector<StringRef> lines;
    StringRef(steps).rtrim().split(lines, '\n');
    for (StringRef line : lines)
      json.value(line);
  });
}

void mercator::printGathersJson(const MapProgram &program,
                                llvm::ArrayRef<GatherExplanation> gathers,
                                llvm::raw_ostream &os) {
  os << '[';
  StringRef separator = "\n  ";
  for (const GatherExplanation &gather : gathers) {
    os << separator;
    separator = ",\n  ";
    mlir::Operation *op = gather.instruction.op;
    llvm::json::OStream json(os);
    json.object([&] {
      json.attribute("function", clean(gather.instruction.computation->name));
      json.attribute("instruction", clean(program.nameOf(op)));
      json.attribute("operation", op->getName().getStringRef());
      json.attribute("at", clean(placeOf(op->getLoc())));
      json.attributeBegin("from");
      writeTensor(json, program, op->getOperand(0));
      json.attributeEnd();
      json.attributeArray("start_indices", [&] {
        for (mlir::Value starts : llvm::drop_begin(op->getOperands()))
          writeTensor(json, program, starts);
      });
      json.attributeBegin("gives");
      writeTensor(json, program, op->getResult(0));
      json.attributeEnd();
      if (!gather.unknown.empty()) {
        json.attribute("unknown", gather.unknown);
      } else {
        writeProblem(json, gather.problem);
        writePlanning(json, gather);
      }
      json.attributeArray("maps", [&] {
        forEachRecord(
            program, gather.instruction, indexing::Direction::OutToIn,
            [&](const MapRecord &record) { writeMapRecord(json, record); });
      });
    });
  }
  os << ']';
}
