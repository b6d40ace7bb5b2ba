// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/maps/Diff.h"
#include "mercator/analysis/Correspondence.h"
#include "mercator/analysis/Leaves.h"
#include "mercator/analysis/ValueHashes.h"
#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/maps/Dependence.h"
#include "mercator/compiler/maps/DispatchMaps.h"
#include "mercator/compiler/maps/Maps.h"
#include "mercator/compiler/program/Kernels.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/transforms/verify/CompareReads.h"
#include "mercator/transforms/verify/InlineDispatches.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <set>

using namespace mercator;
using indexing::MapSet;
using verify::FunctionReads;
using verify::ReadVerdict;

Proof::Verdict ProgramDiff::verdict() const {
  if (!notComparable.empty())
    return Proof::Verdict::Different;
  Proof::Verdict all = Proof::Verdict::Equal;
  for (const Reads &each : reads) {
    if (each.verdict == Proof::Verdict::Different)
      return Proof::Verdict::Different;
    if (each.verdict == Proof::Verdict::Undecided)
      all = Proof::Verdict::Undecided;
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

namespace {

/// The places of the operations of one program.
class Places {
public:
  explicit Places(const InstructionTable &table) : table(table) {
    for (const Computation &computation : table.getComputations())
      names[computation.block] = computation.name;
  }

  /// Nothing for an operation that the import inserted.
  std::optional<ProgramDiff::Place> of(mlir::Operation *op) const {
    bool isRoot = op->hasTrait<mlir::OpTrait::IsTerminator>();
    std::string name = isRoot ? "ROOT" : table.nameOf(op);
    if (name.empty())
      return std::nullopt;
    return ProgramDiff::Place{names.lookup(op->getBlock()), std::move(name),
                              op->getName().getStringRef().str(),
                              placeOf(op->getLoc()), originOf(op->getLoc())};
  }

private:
  const InstructionTable &table;
  llvm::DenseMap<mlir::Block *, std::string> names;
};

} // namespace

static void compareInstructions(const Correspondence &all, const Places &first,
                                const Places &second, ProgramDiff &diff) {
  for (const OperationPair &pair : all.pairs) {
    auto a = first.of(pair.first), b = second.of(pair.second);
    if (!a || !b)
      continue;
    if (pair.isEqual)
      ++diff.equal;
    else if (pair.changes.empty())
      ++diff.affected;
    else
      diff.changed.push_back({*a, *b, pair.changes});
  }
  for (auto [ops, places, list] :
       {std::tuple(&all.onlyFirst, &first, &diff.onlyFirst),
        std::tuple(&all.onlySecond, &second, &diff.onlySecond)})
    for (mlir::Operation *op : *ops)
      if (auto place = places->of(op))
        list->push_back(std::move(*place));
}

/// The operation of the entry that contains `op`, or is it.
static mlir::Operation *outermost(mlir::Operation *op) {
  while (!llvm::isa_and_nonnull<mlir::func::FuncOp>(op->getParentOp()) &&
         op->getParentOp())
    op = op->getParentOp();
  return op;
}

/// The kernels that are not equal, those of the first program first.
static void compareKernels(const Correspondence &all, const Places &first,
                           const Places &second, ProgramDiff &diff) {
  llvm::DenseSet<mlir::Operation *> changed;
  for (const OperationPair &pair : all.pairs)
    if (!pair.changes.empty()) {
      changed.insert(outermost(pair.first));
      changed.insert(outermost(pair.second));
    }
  for (const auto *ops : {&all.onlyFirst, &all.onlySecond})
    for (mlir::Operation *op : *ops)
      changed.insert(outermost(op));
  for (const OperationPair &pair : all.pairs) {
    if (!isKernel(pair.first) || !isKernel(pair.second) ||
        (!changed.contains(pair.first) && !changed.contains(pair.second)))
      continue;
    auto a = first.of(pair.first), b = second.of(pair.second);
    if (a && b)
      diff.kernels.push_back(
          {*a, *b, kernelBytes(pair.first), kernelBytes(pair.second)});
  }
  for (mlir::Operation *op : all.onlyFirst)
    if (auto place = first.of(op); place && isKernel(op))
      diff.kernels.push_back({*place, {}, kernelBytes(op), {}});
  for (mlir::Operation *op : all.onlySecond)
    if (auto place = second.of(op); place && isKernel(op))
      diff.kernels.push_back({{}, *place, {}, kernelBytes(op)});
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

static std::string textOf(llvm::ArrayRef<int64_t> numbers) {
  std::string text = "(";
  for (auto [i, x] : llvm::enumerate(numbers))
    text += (i ? ", " : "") + std::to_string(x);
  return text + ")";
}

static std::string textOf(const verify::ReadCounterexample &c,
                          llvm::StringRef reader) {
  std::string text = "at " + textOf(c.at);
  for (const auto &[name, value] : c.runtimes)
    text += ", where " + name + " is " + std::to_string(value);
  return text + ", element " + textOf(c.element) + " is read by the " +
         reader.str() + " program only";
}

/// The maps, each with the elements that its runtime variables are.
static std::vector<std::string> textsOf(const MapSet &maps) {
  std::vector<std::string> texts;
  for (const indexing::OperandMap &m : maps) {
    MapDescription described = describe(m);
    std::string text = described.map;
    for (const auto &v : described.runtimeVariables)
      text += "; " + v.name + ": " + v.source + ", " + v.map;
    if (!m.exact)
      text += " (over-approximation: " + m.reason + ")";
    texts.push_back(std::move(text));
  }
  return texts;
}

/// Whether one result reads the same elements of one parameter. Two sets are
/// equal if each contains the other.
static ProgramDiff::Reads compareSets(unsigned result, unsigned parameter,
                                      const FunctionReads &a,
                                      const FunctionReads &b,
                                      Dependence *dependences[2]) {
  static const MapSet nothing;
  auto of = [&](const FunctionReads &reads) -> const MapSet & {
    auto it = reads.reads[result].find(parameter);
    return it == reads.reads[result].end() ? nothing : it->second;
  };
  ProgramDiff::Reads out{.result = result, .parameter = parameter};
  out.first = textsOf(of(a));
  out.second = textsOf(of(b));
  ReadVerdict forth = verify::compareReads(of(a), of(b), a.results[result],
                                           a.arguments[parameter]);
  ReadVerdict back = verify::compareReads(of(b), of(a), a.results[result],
                                          a.arguments[parameter]);
  if (forth.kind == ReadVerdict::Proved && back.kind == ReadVerdict::Proved) {
    out.verdict = Proof::Verdict::Equal;
    return out;
  }
  bool hasState = a.hasState || b.hasState,
       isSize = a.isSize(result, parameter) || b.isSize(result, parameter);
  // The values of an index are not all that its interval has: what is read at one
  // of them may never be read. Only an index of both programs is compared.
  bool hasOwnIndex = a.computed[result] != b.computed[result];
  for (auto [verdict, last, other] : {std::tuple(&forth, "second", "first"),
                                      std::tuple(&back, "first", "second")})
    if (verdict->kind == ReadVerdict::Refuted && !hasState && !isSize &&
        !hasOwnIndex) {
      const verify::ReadCounterexample &c = *verdict->counterexample;
      llvm::StringRef reader = c.isAdded ? last : other;
      out.reason = textOf(c, reader);
      // What is read may cancel: the programs are different if one depends on it.
      std::string why =
          dependences[reader == "second"]->whyUnknown({.result = result,
                                                       .at = c.at,
                                                       .parameter = parameter,
                                                       .element = c.element});
      if (why.empty())
        out.verdict = Proof::Verdict::Different;
      else
        out.reason += ", and may cancel: " + why;
      return out;
    }
  out.reason = hasState      ? "the program has state"
               : isSize      ? "an element of it is the size of a tensor, or "
                               "a start that is always 0"
               : hasOwnIndex ? "an index is computed in different ways"
               : of(a).isExact() && of(b).isExact()
                   ? "neither proved nor refuted"
                   : "a map is an over-approximation";
  return out;
}

static std::string counted(size_t n, llvm::StringRef what) {
  return std::to_string(n) + " " + what.str() + (n == 1 ? "" : "s");
}

namespace {

/// A function, without dispatches where they can be inlined, and hashes that say
/// what its values are.
struct Entry {
  mlir::func::FuncOp function, given = {}, copy = {};
  ValueHashes hashes = {};

  Entry() = default;
  Entry(const Entry &) = delete;
  ~Entry() {
    if (copy)
      copy.erase();
  }

  void lookThroughDispatches() {
    given = function;
    copy = verify::copyWithoutDispatches(function);
    if (copy)
      function = copy;
  }
  /// The hash of a dispatch is that of its name.
  bool hasDispatches() {
    return function
        .walk([](mlir::Operation *op) {
          return isDispatch(op) ? mlir::WalkResult::interrupt()
                                : mlir::WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// The hash of the value that a leaf of a result is.
  uint64_t hashOf(Leaf leaf) {
    while (auto tuple = leaf.value.getDefiningOp<stablehlo::TupleOp>()) {
      auto [member, inside] = leaves.member(tuple.getType(), leaf.leaf);
      leaf = {tuple.getOperand(member), inside};
    }
    return ValueHashes::mix(hashes.up(leaf.value), leaf.leaf);
  }

  /// Two values have one name if they are computed by equal instructions.
  std::string nameOf(maps::SourcePlace place, const indexing::Arena &arena) {
    uint64_t hash = 0;
    while (place.call) {
      hash = ValueHashes::mix(hash, hashes.up(place.call));
      place = maps::sourcePlace(arena, place.inside, -1);
    }
    if (!place.value)
      return {};
    hash = ValueHashes::mix(hash, hashes.up(place.value));
    return "a value computed alike (" + llvm::utohexstr(hash, true) + ")";
  }

private:
  maps::Leaves leaves;
};

} // namespace

/// Empty if the parameters and results have the same number and shapes.
static std::string notComparable(const FunctionReads &a,
                                 const FunctionReads &b) {
  for (auto [x, y, what] : {std::tuple(&a.arguments, &b.arguments, "parameter"),
                            std::tuple(&a.results, &b.results, "result")}) {
    if (x->size() != y->size())
      return counted(x->size(), what) + " in the first, " +
             std::to_string(y->size()) + " in the second";
    for (auto [i, sizes] : llvm::enumerate(llvm::zip(*x, *y)))
      if (std::get<0>(sizes) != std::get<1>(sizes))
        return (llvm::Twine(what) + " " + llvm::Twine(i) + " has the shape " +
                textOf(std::get<0>(sizes)) + " in the first, " +
                textOf(std::get<1>(sizes)) + " in the second")
            .str();
  }
  return {};
}

static void compareMaps(Entry &first, Entry &second, ProgramDiff &diff) {
  for (Entry *entry : {&first, &second})
    entry->lookThroughDispatches();
  bool hasDispatches = first.hasDispatches() || second.hasDispatches();
  std::vector<bool> isEqual;
  for (auto [x, y] : llvm::zip(verify::resultsOf(first.function),
                               verify::resultsOf(second.function)))
    isEqual.push_back(!hasDispatches && first.hashOf(x) == second.hashOf(y));
  auto isLeftOut = [&](unsigned result) {
    return result < isEqual.size() && isEqual[result];
  };
  indexing::Arena arena;
  auto readsOf = [&](Entry &entry) {
    auto nameOf = [&](maps::SourcePlace place) {
      return entry.nameOf(place, arena);
    };
    return verify::readsOf(entry.function, arena,
                           {.isLeftOut = isLeftOut, .nameOf = nameOf});
  };
  FunctionReads a = readsOf(first), b = readsOf(second);
  diff.notComparable = notComparable(a, b);
  if (!diff.notComparable.empty())
    return;
  std::string refusal = a.refusal.empty() ? b.refusal : a.refusal;
  Dependence ofFirst(first.given), ofSecond(second.given);
  Dependence *dependences[] = {&ofFirst, &ofSecond};
  for (unsigned r = 0; r < a.results.size(); ++r) {
    if (isLeftOut(r)) {
      ++diff.equalResults;
      continue;
    }
    if (!refusal.empty()) {
      diff.reads.push_back({.result = r, .reason = refusal});
      continue;
    }
    std::set<unsigned> parameters;
    for (const auto *reads : {&a.reads[r], &b.reads[r]})
      for (const auto &[parameter, maps] : *reads)
        parameters.insert(parameter);
    for (unsigned k : parameters)
      diff.reads.push_back(compareSets(r, k, a, b, dependences));
  }
}

Answer<ProgramDiff> Compilation::diff(Compilation &second) {
  Compilation &first = *this;
  ProgramDiff diff;
  Entry entries[2];
  for (auto [compilation, entry, name] :
       {std::tuple(&first, &entries[0], &diff.firstName),
        std::tuple(&second, &entries[1], &diff.secondName)}) {
    *name = compilation->getName().str();
    auto computations = compilation->getInstructions().getEntries();
    if (!computations.empty())
      entry->function = llvm::dyn_cast<mlir::func::FuncOp>(
          computations.front()->block->getParentOp());
    if (!entry->function ||
        !llvm::hasSingleElement(entry->function.getBody())) {
      (void)diagnostics.error({}, "expected a function with one block in " +
                                      quote(*name));
      return ExitCode::InputRejected;
    }
  }
  for (auto [compilation, count] :
       {std::pair(&first, &diff.firstKernels), {&second, &diff.secondKernels}})
    if (auto kernels = findKernels(compilation->getModule()); !kernels.empty())
      *count = kernels.size();
  Correspondence all = correspond(entries[0].function.getBody().front(),
                                  entries[1].function.getBody().front());
  Places places[] = {Places(first.getInstructions()),
                     Places(second.getInstructions())};
  compareInstructions(all, places[0], places[1], diff);
  if (diff.firstKernels && diff.secondKernels)
    compareKernels(all, places[0], places[1], diff);
  compareMaps(entries[0], entries[1], diff);
  return diff;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void write(const ProgramDiff::Place &place, llvm::json::OStream &json) {
  json.attribute("computation", place.computation);
  json.attribute("instruction", place.instruction);
  json.attribute("operation", place.operation);
  json.attribute("location", place.location);
  if (!place.origin.empty())
    json.attribute("origin", place.origin);
}

static void write(const ProgramDiff::Kernel &kernel,
                  llvm::json::OStream &json) {
  for (auto [key, place, bytes] :
       {std::tuple("first", &kernel.first, &kernel.firstBytes),
        std::tuple("second", &kernel.second, &kernel.secondBytes)})
    if (!place->instruction.empty())
      json.attributeObject(key, [&] {
        write(*place, json);
        if (*bytes)
          json.attribute("bytes", **bytes);
      });
}

static void write(llvm::StringRef key, llvm::ArrayRef<std::string> texts,
                  llvm::json::OStream &json) {
  json.attributeArray(key, [&] {
    for (const std::string &text : texts)
      json.value(text);
  });
}

void mercator::writeJson(const ProgramDiff &diff, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, 2);
  json.object([&] {
    json.attribute("schema", "mercator.diff/1");
    json.attribute("first", diff.firstName);
    json.attribute("second", diff.secondName);
    json.attribute("verdict", nameOf(diff.verdict()));
    if (!diff.notComparable.empty())
      json.attribute("reason", diff.notComparable);
    if (diff.firstKernels && diff.secondKernels) {
      json.attribute("first_kernels", *diff.firstKernels);
      json.attribute("second_kernels", *diff.secondKernels);
      json.attributeArray("kernels", [&] {
        for (const ProgramDiff::Kernel &kernel : diff.kernels)
          json.object([&] { write(kernel, json); });
      });
    }
    json.attribute("equal", diff.equal);
    json.attribute("affected", diff.affected);
    json.attributeArray("changed", [&] {
      for (const ProgramDiff::Change &change : diff.changed)
        json.object([&] {
          json.attributeObject("first", [&] { write(change.first, json); });
          json.attributeObject("second", [&] { write(change.second, json); });
          write("changes", change.changes, json);
        });
    });
    for (auto [key, list] : {std::pair("only_first", &diff.onlyFirst),
                             std::pair("only_second", &diff.onlySecond)})
      json.attributeArray(key, [&] {
        for (const ProgramDiff::Place &place : *list)
          json.object([&] { write(place, json); });
      });
    json.attribute("equal_results", diff.equalResults);
    json.attributeArray("reads", [&] {
      for (const ProgramDiff::Reads &reads : diff.reads)
        json.object([&] {
          json.attribute("result", reads.result);
          json.attribute("parameter", reads.parameter);
          json.attribute("verdict", nameOf(reads.verdict));
          if (!reads.reason.empty())
            json.attribute("reason", reads.reason);
          write("first", reads.first, json);
          write("second", reads.second, json);
        });
    });
  });
  os << "\n";
}
