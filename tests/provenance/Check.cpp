// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Check.h"
#include "Relation.h"
#include "Uses.h"
#include "tests/random/programs/Generator.h"

#include "mercator/analysis/maps/FusionMaps.h"
#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/Register.h"
#include "mercator/indexing/notation/Notation.h"
#include "mercator/reference/provenance/Provenance.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace mercator::testing {

using namespace indexing;
using reference::Provenance;
using reference::ProvenanceSets;
using reference::Scalar;
using reference::Tensor;
using reference::Traced;
using reference::Value;

void Seen::add(const Seen &other) {
  programs += other.programs;
  exact += other.exact;
  approximate += other.approximate;
  pairsGiven += other.pairsGiven;
  pairsRead += other.pairsRead;
}

static std::string overReadOf(const Seen &seen) {
  if (seen.approximate == 0)
    return "";
  if (seen.pairsRead == 0)
    return "from 0";
  return llvm::formatv("{0:f2}", double(seen.pairsGiven) / seen.pairsRead);
}

std::string Coverage::table() const {
  std::string out =
      llvm::formatv("{0,-38} {1,9} {2,9} {3,7} {4,9}\n", "operation",
                    "programs", "exact", "not", "over-read");
  Seen all;
  for (const auto &[name, seen] : operations) {
    all.add(seen);
    out +=
        llvm::formatv("{0,-38} {1,9} {2,9} {3,7} {4,9}\n", name, seen.programs,
                      seen.exact, seen.approximate, overReadOf(seen));
  }
  out += llvm::formatv(
      "{0} sets of maps, {1:f2} % of them exact, the others "
      "over-read {2}\n",
      all.exact + all.approximate,
      100.0 * double(all.exact) /
          double(std::max<int64_t>(all.exact + all.approximate, 1)),
      overReadOf(all));
  return out;
}

std::string Coverage::reasonTable() const {
  std::vector<std::pair<int64_t, std::string>> lines;
  for (const auto &[key, seen] : reasons)
    lines.push_back({-seen.approximate,
                     llvm::formatv("{0,9} {1,9}  {2}: {3}\n", seen.approximate,
                                   overReadOf(seen), key.first, key.second)});
  llvm::sort(lines);
  std::string out =
      llvm::formatv("{0,9} {1,9}  {2}\n", "not exact", "over-read", "reason");
  for (const auto &[count, line] : lines)
    out += line;
  return out;
}

//===----------------------------------------------------------------------===//
// One program
//===----------------------------------------------------------------------===//

namespace {

Numbers shapeOf(mlir::Value value) {
  llvm::ArrayRef<int64_t> shape =
      llvm::cast<mlir::RankedTensorType>(value.getType()).getShape();
  return Numbers(shape.begin(), shape.end());
}
bool isTensor(mlir::Value value) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  return type && type.hasStaticShape();
}

std::string toText(const MapSet &maps) {
  std::string out;
  for (const OperandMap &m : maps)
    out += "\n    " + indexing::toString(m.map) +
           (m.exact ? "" : " [" + m.reason + "]");
  return out.empty() ? "\n    nothing" : out;
}

/// The reason of the first map that is not exact, with N for numbers.
std::string reasonOf(const MapSet &maps) {
  std::string out;
  for (const OperandMap &m : maps)
    if (!m.exact) {
      for (char c : m.reason)
        if (!llvm::isDigit(c))
          out += c;
        else if (out.empty() || out.back() != 'N')
          out += 'N';
      break;
    }
  return out;
}

/// The maps between two values, to be checked.
struct Claim {
  std::string operation, question;
  mlir::Operation *op; ///< null: the whole program
  unsigned source, result;
  mlir::Value from, to; ///< maps from elements of `from` to those of `to`
  Direction direction;
  MapSet maps;
  std::optional<Uses> uses = {}; ///< of the first run
};

/// The public function, which calls the others.
mlir::func::FuncOp publicFunction(mlir::ModuleOp module) {
  for (auto function : module.getOps<mlir::func::FuncOp>())
    if (function.isPublic())
      return function;
  return nullptr;
}

class ProgramCheck {
public:
  ProgramCheck(mlir::ModuleOp module, Coverage &coverage)
      : module(module), coverage(coverage), function(publicFunction(module)),
        block(function.getBody().front()) {}

  void collect() {
    std::map<std::string, bool> names;
    for (mlir::Operation &op : block.without_terminator()) {
      std::string name = op.getName().getStringRef().str();
      names[name] = true;
      for (unsigned r = 0; r < op.getNumResults(); ++r)
        for (unsigned k = 0; k < op.getNumOperands(); ++k) {
          if (!isTensor(op.getResult(r)) || !isTensor(op.getOperand(k)))
            continue;
          for (Direction direction : {Direction::OutToIn, Direction::InToOut})
            add(name, &op, k, r, op.getOperand(k), op.getResult(r), direction,
                mapsOf(&op, arena, direction, k, r));
        }
    }
    for (const auto &[name, unused] : names)
      ++coverage.operations[name].programs;
    ++coverage.operations["(program)"].programs;
    FusionMaps fusion(arena);
    mlir::Operation *end = block.getTerminator();
    std::map<std::pair<unsigned, unsigned>, MapSet> back, forth;
    for (unsigned r = 0; r < end->getNumOperands(); ++r)
      for (Reached &reached : fusion.toArguments({end->getOperand(r)}))
        back[{reached.number, r}] = std::move(reached.maps);
    for (unsigned k = 0; k < block.getNumArguments(); ++k)
      for (Reached &reached : fusion.toResults({block.getArgument(k)}))
        forth[{k, reached.number}] = std::move(reached.maps);
    for (unsigned r = 0; r < end->getNumOperands(); ++r)
      for (unsigned k = 0; k < block.getNumArguments(); ++k) {
        mlir::Value from = block.getArgument(k), to = end->getOperand(r);
        if (!isTensor(from) || !isTensor(to))
          continue;
        add("(program)", nullptr, k, r, from, to, Direction::OutToIn,
            back[{k, r}]);
        add("(program)", nullptr, k, r, from, to, Direction::InToOut,
            forth[{k, r}]);
      }
  }

  /// Checks every claim for these arguments.
  Outcome run(llvm::ArrayRef<Value> arguments) {
    ++coverage.runs;
    size_t bound = 0;
    auto sizeOf = [](mlir::Value value) {
      return isTensor(value)
                 ? size_t(llvm::cast<mlir::RankedTensorType>(value.getType())
                              .getNumElements())
                 : size_t(4096);
    };
    auto total = [&](mlir::ValueRange values) {
      size_t sum = 0;
      for (mlir::Value value : values)
        sum += sizeOf(value);
      return sum;
    };
    bound = total(block.getArguments());
    for (mlir::Operation &op : block.without_terminator())
      bound = std::max(bound, total(op.getOperands()));
    ProvenanceSets sets(bound);
    Provenance whole(module, sets), alone(module, sets);
    size_t next = 0;
    std::vector<Traced> traced;
    for (const Value &argument : arguments)
      traced.push_back(whole.identify(argument, next));
    llvm::FailureOr<std::vector<Traced>> results = whole.call(function, traced);
    if (failed(results))
      return {Outcome::Invalid, "", ""};
    auto hold = [&](mlir::Value value) {
      Traced known = *whole.lookup(value);
      clear(known.origin);
      alone.bind(value, known);
    };
    for (mlir::Value value : block.getArguments())
      hold(value);
    for (mlir::Operation &op : block.without_terminator())
      for (mlir::Value value : op.getResults())
        hold(value);
    values = &whole;

    mlir::Operation *last = nullptr;
    std::vector<Traced> ofLast;
    for (Claim &claim : claims) {
      if (claim.op && claim.op != last) {
        last = claim.op;
        std::vector<Traced> operands;
        size_t first = 0;
        for (mlir::Value operand : last->getOperands())
          operands.push_back(alone.identify(*whole.lastValue(operand), first));
        llvm::FailureOr<std::vector<Traced>> found =
            alone.apply(last, operands);
        if (failed(found))
          return {Outcome::Invalid, "", ""};
        ofLast = std::move(*found);
      }
      const Traced &result = (claim.op ? ofLast : *results)[claim.result];
      mlir::ValueRange sources = claim.op
                                     ? mlir::ValueRange(claim.op->getOperands())
                                     : mlir::ValueRange(block.getArguments());
      size_t first = 0;
      for (unsigned k = 0; k < claim.source; ++k)
        first += countElements(*whole.lastValue(sources[k]));
      Relation expected(shapeOf(claim.to), shapeOf(claim.from));
      for (int64_t row = 0; row < expected.rows; ++row)
        sets.forEach(result.origin.elements[row], [&](size_t number) {
          if (number >= first && number < first + expected.columns)
            expected.set(row, int64_t(number - first));
        });
      Outcome outcome = compare(claim, std::move(expected));
      if (outcome.kind != Outcome::Agrees)
        return outcome;
    }
    return {};
  }

private:
  void add(std::string name, mlir::Operation *op, unsigned source,
           unsigned result, mlir::Value from, mlir::Value to,
           Direction direction, MapSet maps) {
    bool isBack = direction == Direction::OutToIn;
    std::string question =
        (isBack ? "result " + std::to_string(result) + " -> operand "
                : "operand " + std::to_string(source) + " -> result ") +
        std::to_string(isBack ? source : result);
    claims.push_back({std::move(name), std::move(question), op, source, result,
                      from, to, direction, std::move(maps)});
  }
  static void clear(reference::Origin &origin) {
    for (ProvenanceSets::Id &element : origin.elements)
      element = ProvenanceSets::kNone;
    for (reference::Origin &member : origin.members)
      clear(member);
  }
  static size_t countElements(const Value &value) {
    if (const reference::Tuple *tuple = value.tuple()) {
      size_t sum = 0;
      for (const Value &member : tuple->members)
        sum += countElements(member);
      return sum;
    }
    return value.tensor() ? size_t(value.tensor()->size()) : 1;
  }

  /// The value of the program that a runtime variable is read from.
  std::optional<int64_t> read(const RuntimeVariable &v,
                              llvm::ArrayRef<int64_t> index) {
    mlir::Value source = maps::sourcePlace(arena, v.source, v.element).value;
    if (!source)
      return std::nullopt;
    const Value *value = values->lastValue(source);
    if (!value || !value->tensor() ||
        value->tensor()->rank() != int64_t(index.size()))
      return std::nullopt;
    for (size_t d = 0; d < index.size(); ++d)
      if (index[d] < 0 || index[d] >= value->tensor()->dim(d))
        return std::nullopt;
    return value->tensor()->at(index).integer;
  }

  Uses &usesOf(Claim &claim, const Relation &read) {
    if (!claim.uses)
      claim.uses.emplace(claim.maps, read.from, read.to, ++usesSeed);
    return *claim.uses;
  }

  Outcome compare(Claim &claim, Relation expected) {
    if (claim.direction == Direction::InToOut)
      expected = expected.transposed();
    Relation got(expected.from, expected.to);
    std::string error;
    for (const OperandMap &m : claim.maps)
      if (error.empty())
        error = addMap(
            got, m.map,
            [&](const RuntimeVariable &v, llvm::ArrayRef<int64_t> index) {
              return read(v, index);
            });
    bool isExact = claim.maps.isExact();
    Seen &seen = coverage.operations[claim.operation];
    ++(isExact ? seen.exact : seen.approximate);
    if (!isExact) {
      Seen less{.approximate = 1,
                .pairsGiven = got.count(),
                .pairsRead = expected.count()};
      seen.pairsGiven += less.pairsGiven;
      seen.pairsRead += less.pairsRead;
      coverage.reasons[{claim.operation, reasonOf(claim.maps)}].add(less);
    }
    bool agrees =
        error.empty() && (isExact ? got == expected : got.contains(expected));
    if (agrees)
      error = usesOf(claim, expected).differenceFrom(expected, coverage.uses);
    if (agrees && error.empty())
      return {};
    return {Outcome::Differs, claim.operation,
            claim.operation + ": " + claim.question +
                (isExact ? " (exact)" : " (not exact)") + toText(claim.maps) +
                (error.empty() ? difference(expected, got) : "\n  " + error)};
  }

  mlir::ModuleOp module;
  Coverage &coverage;
  mlir::func::FuncOp function;
  mlir::Block &block;
  Arena arena;
  std::vector<Claim> claims;
  Provenance *values = nullptr;
  uint64_t usesSeed = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Checker
//===----------------------------------------------------------------------===//

Checker::Checker() = default;
Checker::~Checker() = default;

Outcome Checker::check(const Sample &sample, uint64_t seed,
                       bool everyAssignment, Coverage &coverage) {
  std::vector<SampleValue> arguments;
  for (int number : sample.arguments())
    arguments.push_back(sample.values[number]);
  return check(sample.text(), arguments, seed, everyAssignment, coverage);
}

/// Gives several values the same location, as inlining and cloning do.
static void nameAlike(mlir::ModuleOp module) {
  mlir::MLIRContext *context = module.getContext();
  mlir::Location same =
      mlir::NameLoc::get(mlir::StringAttr::get(context, "same"));
  module.walk([&](mlir::Operation *op) {
    op->setLoc(same);
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        for (mlir::BlockArgument argument : block.getArguments())
          argument.setLoc(same);
  });
}

Outcome Checker::check(llvm::StringRef text,
                       const std::vector<SampleValue> &holds, uint64_t seed,
                       bool everyAssignment, Coverage &coverage) {
  // Types and attributes are never freed.
  if (!context || ++uses % 4096 == 0) {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    registerMapInterfaces(registry);
    context = std::make_unique<mlir::MLIRContext>(
        registry, mlir::MLIRContext::Threading::DISABLED);
  }
  std::string messages;
  mlir::ScopedDiagnosticHandler handler(
      context.get(),
      [&](mlir::Diagnostic &it) { messages += it.str() + "\n"; });
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(
          text, mlir::ParserConfig(context.get()));
  if (!module)
    return {Outcome::Invalid, "", messages};
  ++coverage.programs;
  if (seed % 8 == 0)
    nameAlike(*module);
  ProgramCheck check(*module, coverage);
  check.collect();

  std::mt19937_64 engine(seed * 77 + 5);
  auto in = [&](int64_t lower, int64_t upper) {
    return std::uniform_int_distribution<int64_t>(lower, upper)(engine);
  };
  mlir::func::FuncOp function = publicFunction(*module);
  mlir::Block &block = function.getBody().front();
  std::vector<Value> arguments;
  /// The elements to be varied: argument and position.
  std::vector<std::pair<size_t, int64_t>> indices;
  int64_t assignments = 1;
  constexpr int64_t kMost = 256;
  for (size_t k = 0; k < holds.size(); ++k) {
    const SampleValue &v = holds[k];
    auto type =
        llvm::cast<mlir::RankedTensorType>(block.getArgument(k).getType());
    llvm::FailureOr<Tensor> tensor =
        Tensor::zeros(type, [&] { return module->emitError(); });
    if (failed(tensor))
      return {Outcome::Invalid, "", messages};
    bool isInteger = tensor->element().isInteger() ||
                     tensor->element().kind == reference::ElementKind::Boolean;
    for (int64_t i = 0; i < tensor->size(); ++i) {
      tensor->set(
          i, isInteger ? Scalar::whole(in(v.lowest, v.highest))
                       : Scalar::complex(double(in(-3, 3)), double(in(-3, 3))));
      if (v.isIndex && isInteger) {
        indices.push_back({k, i});
        assignments =
            std::min(kMost + 1, assignments * (v.highest - v.lowest + 1));
      }
    }
    arguments.push_back(*tensor);
  }
  if (!everyAssignment || assignments > kMost)
    assignments = 1;
  for (int64_t n = 0; n < assignments; ++n) {
    if (assignments > 1) {
      int64_t rest = n;
      for (auto [k, i] : indices) {
        const SampleValue &v = holds[k];
        int64_t count = v.highest - v.lowest + 1;
        std::get<Tensor>(arguments[k])
            .set(i, Scalar::whole(v.lowest + rest % count));
        rest /= count;
      }
    }
    Outcome outcome = check.run(arguments);
    if (outcome.kind == Outcome::Agrees)
      continue;
    outcome.text += outcome.kind == Outcome::Invalid ? messages : "";
    if (outcome.kind == Outcome::Differs)
      for (size_t k = 0; k < holds.size(); ++k) {
        const Tensor &tensor = std::get<Tensor>(arguments[k]);
        if (!tensor.element().isInteger() &&
            tensor.element().kind != reference::ElementKind::Boolean)
          continue;
        Numbers elements;
        for (int64_t i = 0; i < tensor.size(); ++i)
          elements.push_back(tensor.at(i).integer);
        outcome.text +=
            "\n  argument " + std::to_string(k) + " = " + list(elements);
      }
    return outcome;
  }
  return {};
}

Sample sampleOf(uint64_t seed) {
  const std::vector<std::string> &names = generatedNames();
  const std::string &name = names[seed % names.size()];
  Generator choice(seed * 31 + 7);
  return choice.once(2) ? randomProgram(seed, 1, name)
                        : randomProgram(seed, int(choice.in(2, 8)));
}

Sample furtherSampleOf(uint64_t seed, const std::string &name) {
  const auto &all = furtherGenerators();
  std::string which = name;
  if (which.empty())
    which = std::next(all.begin(), int64_t(seed % all.size()))->first;
  Generator choice(seed * 31 + 7);
  return randomProgram(seed, choice.once(2) ? 1 : int(choice.in(4, 7)), which);
}

std::string minimised(Checker &checker, const Sample &sample, uint64_t seed,
                      const Outcome &outcome) {
  Coverage unused;
  Sample best = sample;
  Outcome bestOutcome = outcome;
  auto take = [&](const Sample &candidate, uint64_t with) {
    if (candidate.operations.empty() || candidate.weight() >= best.weight())
      return false;
    Outcome found = checker.check(candidate, with, true, unused);
    if (found.kind != Outcome::Differs || found.operation != outcome.operation)
      return false;
    best = candidate;
    bestOutcome = found;
    return true;
  };
  bool gotSmaller = true;
  while (gotSmaller) {
    gotSmaller = false;
    for (const Sample &candidate : best.smaller())
      if (take(candidate, seed)) {
        gotSmaller = true;
        break;
      }
  }
  // The same operations in smaller sizes.
  std::string last = best.operations.back().name;
  for (int64_t extent = 1; extent <= 3; ++extent)
    for (uint64_t other = 0; other < 300; ++other)
      take(randomProgram(other, int(best.operations.size()), last,
                         Sizes{2, extent, 12}),
           other);
  return bestOutcome.text + "\n" + best.text();
}

} // namespace mercator::testing
