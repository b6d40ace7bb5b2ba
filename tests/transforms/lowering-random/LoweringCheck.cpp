// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LoweringCheck.h"
#include "Tolerance.h"
#include "tests/random/programs/Generator.h"
#include "tests/random/programs/Outline.h"

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/compiler/native/CompileCache.h"
#include "mercator/compiler/native/Native.h"
#include "mercator/compiler/run/StageValues.h"
#include "mercator/dialects/Register.h"
#include "mercator/reference/AllRules.h"
#include "mercator/reference/core/Perturbation.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/PrettyStackTrace.h"

using namespace mercator::reference;
using llvm::StringRef;
using RValue = mercator::reference::Value;
using mlir::func::FuncOp;

namespace mercator::testing {

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

namespace {
struct Ran {
  std::vector<RValue> values;
  bool isDone = false;
  bool isUnsupported = false; ///< or over a limit
};
} // namespace

static Ran run(mlir::ModuleOp module, llvm::ArrayRef<RValue> arguments) {
  Limits limits;
  limits.operations = 200'000;
  limits.elementOperations = 3'000'000;
  limits.calls = 100;
  Evaluator evaluator(module, allRules(), limits);
  auto results = evaluator.call(module.lookupSymbol<FuncOp>("f"), arguments);
  Ran ran;
  ran.isUnsupported = evaluator.isUnsupported() || evaluator.isOverLimit();
  if (failed(results))
    return ran;
  ran.isDone = true;
  ran.values = std::move(*results);
  return ran;
}

/// As machine code: as it was made, or as it is read from the cache.
static Ran runNative(mlir::ModuleOp module, llvm::ArrayRef<RValue> arguments,
                     bool isCached) {
  Ran ran;
  auto emitError = [&] { return mlir::emitError(module.getLoc()); };
  auto code = makeNativeCode(module, "f");
  std::optional<NativeCode> own;
  if (succeeded(code) && isCached)
    own = CompileCache::read(CompileCache::print(*code));
  else if (succeeded(code))
    own = std::move(*code);
  auto native =
      own ? NativeProgram::link(std::move(*own), module.getContext(), emitError)
          : llvm::FailureOr<NativeProgram>(llvm::failure());
  if (failed(native)) {
    ran.isUnsupported = true;
    return ran;
  }
  auto results = native->call(arguments, emitError);
  if (failed(results))
    return ran;
  ran.isDone = true;
  ran.values = std::move(*results);
  return ran;
}

static const char *nameOf(Stage stage) {
  return stage == Stage::Cpu ? "cpu" : stage == Stage::Flow ? "flow" : "linalg";
}

/// The tensors of values, in and outside of tuples.
static std::vector<Tensor> tensorsOf(llvm::ArrayRef<RValue> values) {
  std::vector<Tensor> tensors;
  for (const RValue &value : values) {
    if (const Tensor *tensor = value.tensor())
      tensors.push_back(*tensor);
    if (const Tuple *tuple = value.tuple())
      llvm::append_range(tensors, tensorsOf(tuple->members));
  }
  return tensors;
}

/// True if the error says that an operation has no lowering, or that a form of
/// it has none.
static bool isRefusal(StringRef message) {
  return message.contains("cannot be lowered to") ||
         message.starts_with("'chlo."); // which says it in other words
}

LoweringChecker::LoweringChecker() = default;
LoweringChecker::~LoweringChecker() = default;

/// True for functions whose series are summed in the element type: their limits
/// at large arguments are those of that type, and the evaluator's are those of
/// a wider one.
static bool hasSeries(const Sample &sample) {
  return llvm::any_of(sample.operations, [](const SampleOperation &op) {
    return StringRef(op.name).ends_with("zeta") ||
           StringRef(op.name).ends_with("polygamma") ||
           op.name == "chlo._asin_acos_kernel";
  });
}

/// True for sums of products. Machine code does not round a product before it adds
/// it: where the evaluator's overflows and meets the other infinity, there is none.
static bool hasProducts(const Sample &sample) {
  return llvm::any_of(sample.operations, [](const SampleOperation &op) {
    return StringRef(op.name).contains("dot") ||
           op.name == "stablehlo.convolution";
  });
}

/// Infinities of machine code in place of the evaluator's NaN.
static Tensor withInfinities(const Tensor &wanted, const Tensor &got) {
  auto own = wanted.clone([] { return mlir::InFlightDiagnostic(); });
  if (failed(own))
    return wanted;
  for (int64_t i = 0; i < own->size(); ++i)
    if (own->element().isReal() && std::isnan(own->at(i).re) &&
        std::isinf(got.at(i).re))
      own->set(i, got.at(i));
  return *own;
}

llvm::ArrayRef<Formation> allFormations() {
  // Memory is slow, and there is one core with much cache.
  static const Formation all[] = {
      {},
      {.device = R"({"schema": "mercator.device/1", "name": "slow",
          "title": "slow", "lanes": 1, "sector_bytes": 64, "line_bytes": 64,
          "base_alignment": 64, "banks": 0, "bank_bytes": 0,
          "caches": [{"name": "L1", "bytes": 1000000000000}],
          "memory_gb_per_s": 0.001})"},
      {.fusion = Fusion::Aggressive},
      {.fusion = Fusion::Seed}};
  return all;
}

LoweringOutcome LoweringChecker::whole(const Sample &sample, uint64_t seed,
                                       Stage stage, double ulps) {
  using Kind = LoweringOutcome::Kind;
  // Types and attributes are never freed.
  if (!context || ++uses % 1024 == 0) {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    registerMapInterfaces(registry);
    context = std::make_unique<mlir::MLIRContext>(
        registry, mlir::MLIRContext::Threading::DISABLED);
  }
  std::string message;
  mlir::ScopedDiagnosticHandler handler(
      context.get(), [&](mlir::Diagnostic &said) {
        if (message.empty() &&
            said.getSeverity() == mlir::DiagnosticSeverity::Error)
          message = said.str();
      });
  auto parse = [&](const std::string &text) {
    return mlir::parseSourceString<mlir::ModuleOp>(
        text, mlir::ParserConfig(context.get()));
  };
  Variation variation = variationOf(seed);
  if (variation.draw == Variation::Draw::Anything && hasSeries(sample))
    variation.draw = Variation::Draw::Fractions;
  auto module = parse(varied(sample.text(), variation));
  if (!module) {
    message.clear();
    module = parse(sample.text());
  }
  if (!module)
    return {Kind::NotRun, "it is no program: " + message};
  if (variation.outlines) {
    outlined += outlineSome(*module, seed);
    if (failed(mlir::verify(*module)))
      return {Kind::NotRun, "it is no program with functions: " + message};
  }
  message.clear();

  FuncOp function = module->lookupSymbol<FuncOp>("f");
  std::vector<int> values = sample.arguments();
  std::vector<RValue> arguments;
  for (auto [value, type] :
       llvm::zip_equal(values, function.getArgumentTypes())) {
    auto shaped = mlir::RankedTensorType::get(sample.values[value].type.shape,
                                              mlir::getElementTypeOrSelf(type));
    auto tensor = Tensor::zeros(shaped, [&] { return function.emitError(); });
    if (failed(tensor))
      return {Kind::NotRun, message};
    // Each argument has its own elements, so that a smaller program has them.
    std::mt19937_64 engine(seed * 77 + uint64_t(value));
    fill(*tensor, sample.values[value], variation.draw, engine);
    arguments.emplace_back(*tensor);
  }

  Ran before = run(*module, arguments);
  if (!before.isDone)
    return {Kind::NotRun, "before: " + message};
  // Machine code takes subnormal numbers for zero.
  std::vector<Tensor> flushed;
  if (stage == Stage::Cpu) {
    Perturbation perturbation({.flushes = true});
    flushed = tensorsOf(run(*module, arguments).values);
  }
  message.clear();
  mlir::FunctionType type = function.getFunctionType();
  LoweringOptions options;
  maps = {};
  if (stage != Stage::Cpu) // as before it
    options.verifyMaps = &maps;
  options.formation =
      formation.value_or(allFormations()[seed % allFormations().size()]);
  CellsTally here;
  options.instrument = [&](mlir::PassManager &passes) {
    passes.addInstrumentation(createCellsCheck(here));
  };
  bool isLowered = succeeded(lowerTo(*module, stage, options));
  cells.edges += here.edges;
  cells.repeated += here.repeated;
  cells.unchecked += here.unchecked;
  if (!here.wrong.empty())
    return {Kind::Differs, here.wrong};
  if (!isLowered)
    return {isRefusal(message) ? Kind::Refused : Kind::Differs,
            message.empty() ? "a pass failed" : message};
  if (maps.refuted)
    return {Kind::Differs, message};
  message.clear();
  function = module->lookupSymbol<FuncOp>("f");
  auto given = function ? toStage(arguments, type.getInputs(),
                                  function.getArgumentTypes())
                        : std::optional<std::vector<RValue>>();
  if (!given)
    return {Kind::Differs, "its parameters are others"};
  Ran after = stage == Stage::Cpu
                  ? runNative(*module, *given, /*isCached=*/seed % 2 == 1)
                  : run(*module, *given);
  if (!after.isDone)
    return {after.isUnsupported ? Kind::NotRun : Kind::Differs,
            "after: " + message};
  auto results = fromStage(after.values, type.getResults());
  if (!results)
    return {Kind::Differs, "its results are others"};
  std::vector<Tensor> wanted = tensorsOf(before.values);
  std::vector<Tensor> got = tensorsOf(*results);
  LoweringOutcome outcome;
  for (auto [i, want, result] : llvm::enumerate(wanted, got)) {
    if (result.shape() != want.shape())
      return {Kind::Differs, "a result has another type"};
    std::string where;
    double by = distance(want, result, where);
    if (by > ulps && i < flushed.size() && flushed[i].shape() == want.shape())
      by = std::min(by, distance(flushed[i], result, where));
    if (by > ulps && stage == Stage::Cpu && hasProducts(sample))
      by = distance(withInfinities(want, result), result, where);
    if (by > ulps)
      return {Kind::Differs, where};
    if (by > 0)
      outcome.kind = Kind::Near;
  }
  return outcome;
}

LoweringOutcome LoweringChecker::check(const Sample &sample, uint64_t seed,
                                       Stage stage) {
  llvm::PrettyStackTraceFormat place("MERCATOR_SEED=%llu",
                                     (unsigned long long)seed);
  using Kind = LoweringOutcome::Kind;
  for (const SampleOperation &op : sample.operations)
    if (op.name == "stablehlo.rng")
      return {Kind::NotRun, "random numbers without a seed"};
  LoweringOutcome outcome = whole(sample, seed, stage, ulpsOf(sample));
  if (outcome.kind != Kind::Differs || sample.operations.size() < 2 ||
      ulpsOf(sample) == 0)
    return outcome;
  // Cut after each operation that may give other bits.
  std::vector<int> cuts;
  for (size_t i = 0; i < sample.operations.size(); ++i)
    if (ulpsOf(sample, sample.operations[i]) > 0 &&
        sample.operations[i].operandTypes.empty() &&
        sample.operations[i].resultTypes.empty())
      cuts.push_back(int(i));
  auto part = [&](std::vector<int> returned, int upTo) {
    Sample cut = sample;
    for (int i : cuts)
      if (i < upTo)
        for (int v : sample.operations[i].results)
          cut.values[v].operation = -1;
    cut.returned = std::move(returned);
    cut.prune();
    return cut;
  };
  for (int i : cuts) {
    Sample cut = part(sample.operations[i].results, i);
    LoweringOutcome alone =
        whole(cut, seed, stage, ulpsOf(sample, sample.operations[i]));
    if (alone.kind == Kind::Differs)
      return outcome;
  }
  Sample rest = part(sample.returned, int(sample.operations.size()));
  if (!rest.operations.empty() &&
      whole(rest, seed, stage, ulpsOf(rest)).kind == Kind::Differs)
    return outcome;
  return {Kind::Near, ""};
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

std::string lastOperation(const Sample &sample) {
  return sample.operations.empty() ? "" : sample.operations.back().name;
}

std::pair<Stage, LoweringOutcome> LoweringChecker::check(const Sample &sample,
                                                         uint64_t seed,
                                                         LoweringTally &tally) {
  std::pair<Stage, LoweringOutcome> last;
  for (Stage stage : {Stage::Linalg, Stage::Flow}) {
    last = {stage, check(sample, seed, stage)};
    tally.add(lastOperation(sample), stage, last.second);
    verify::MapCounts &counts = tally.maps[stage];
    counts.proved += maps.proved;
    counts.dropped += maps.dropped;
    counts.notRefuted += maps.notRefuted;
    counts.refuted += maps.refuted;
    for (const auto &[reason, count] : maps.notCompared)
      counts.notCompared[reason] += count;
    if (last.second.kind != LoweringOutcome::Equal &&
        last.second.kind != LoweringOutcome::Near)
      break;
  }
  return last;
}

static const char *nameOf(LoweringOutcome::Kind kind) {
  static constexpr const char *names[] = {"equal", "near", "refused", "not run",
                                          "differ"};
  return names[kind];
}

void LoweringTally::add(const std::string &operation, Stage stage,
                        const LoweringOutcome &outcome) {
  ++operations[operation][outcome.kind];
  ++total[outcome.kind];
  if (outcome.why.empty())
    return;
  std::string reason = std::string(nameOf(outcome.kind)) + ", " +
                       std::string(nameOf(stage)) + ": ";
  // Without the types, which differ from program to program.
  for (char c : outcome.why.substr(0, outcome.why.find(", got")))
    if (!llvm::isDigit(c))
      reason += c == '\n' ? ' ' : c;
    else if (reason.back() != 'N')
      reason += 'N';
  if (outcome.kind != LoweringOutcome::Differs)
    ++reasons[reason];
}

std::string LoweringTally::summary() const {
  std::string out;
  for (int kind = 0; kind <= LoweringOutcome::Differs; ++kind) {
    auto it = total.find(LoweringOutcome::Kind(kind));
    out += (kind ? ", " : "") +
           std::to_string(it == total.end() ? 0 : it->second) + " " +
           nameOf(LoweringOutcome::Kind(kind));
  }
  llvm::raw_string_ostream os(out);
  for (const auto &[stage, counts] : maps)
    os << "\nmaps to " << nameOf(stage) << ": " << counts;
  return out;
}

std::string LoweringTally::table() const {
  std::string out =
      llvm::formatv("{0,-38} {1,8} {2,8} {3,8} {4,8} {5,8}\n", "last operation",
                    "equal", "near", "refused", "not run", "differ");
  for (const auto &[name, kinds] : operations) {
    auto at = [&](LoweringOutcome::Kind kind) {
      auto it = kinds.find(kind);
      return it == kinds.end() ? 0 : it->second;
    };
    out +=
        llvm::formatv("{0,-38} {1,8} {2,8} {3,8} {4,8} {5,8}\n", name,
                      at(LoweringOutcome::Equal), at(LoweringOutcome::Near),
                      at(LoweringOutcome::Refused), at(LoweringOutcome::NotRun),
                      at(LoweringOutcome::Differs));
  }
  std::vector<std::pair<int64_t, std::string>> lines;
  for (const auto &[reason, count] : reasons)
    lines.push_back({-count, reason});
  llvm::sort(lines);
  out += "\n";
  for (const auto &[count, reason] : lines)
    out += llvm::formatv("{0,8} {1}\n", -count, reason);
  return out;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

Sample loweringSampleOf(uint64_t seed, const std::string &only) {
  std::vector<std::string> names, further;
  for (const std::string &name : generatedNames())
    if (StringRef(name).contains(only))
      names.push_back(name);
  for (const auto &[name, generator] : furtherGenerators())
    if (StringRef(name).contains(only))
      further.push_back(name);
  Generator choice(seed * 31 + 7);
  bool isFurther = names.empty() || (!further.empty() && choice.once(8));
  const std::vector<std::string> &from = isFurther ? further : names;
  if (from.empty())
    return {};
  std::string name = from[seed % from.size()];
  Sizes sizes;
  if (choice.once(4))
    sizes = {.rank = 8, .extent = 3, .elements = 96};
  bool isNamed = choice.once(2) || isFurther || !only.empty();
  int count = choice.once(2) ? 1 : int(choice.in(2, 8));
  return randomProgram(seed, count, isNamed ? name : "", sizes);
}

std::string LoweringChecker::minimised(const Sample &sample, uint64_t seed,
                                       Stage stage) {
  Sample best = sample;
  LoweringOutcome bestOutcome = check(sample, seed, stage);
  uint64_t bestSeed = seed;
  auto take = [&](const Sample &candidate, uint64_t with) {
    if (candidate.operations.empty() || candidate.weight() >= best.weight())
      return false;
    LoweringOutcome found = check(candidate, with, stage);
    if (found.kind != LoweringOutcome::Differs)
      return false;
    best = candidate;
    bestOutcome = found;
    bestSeed = with;
    return true;
  };
  for (bool gotSmaller = true; gotSmaller;) {
    gotSmaller = false;
    for (const Sample &candidate : best.smaller())
      if (take(candidate, bestSeed)) {
        gotSmaller = true;
        break;
      }
  }
  // The same number of operations in smaller sizes, with the types of the seed.
  std::string last = lastOperation(best);
  for (uint64_t other = 0; other < 60; ++other)
    take(
        randomProgram(other, int(best.operations.size()), last, Sizes{2, 2, 8}),
        seed);
  return "after " + std::string(nameOf(stage)) + ": " + bestOutcome.why + "\n" +
         variationOf(bestSeed).text() + "\n" +
         varied(best.text(), variationOf(bestSeed));
}

} // namespace mercator::testing
