// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator explain FILE`: the dispatches of a program, what is in each, and
/// why each ends where it does; and the plans of gathers.

#include "mercator/compiler/Compilation.h"
#include "mercator/tools/driver/Command.h"
#include "mercator/tools/driver/ExplanationText.h"

using namespace mercator;

namespace {
/// Hears what the passes remark.
class NoteTaker : public mlir::remark::detail::MLIRRemarkStreamerBase {
public:
  explicit NoteTaker(Explanation &explanation) : explanation(explanation) {}

  void streamOptimizationRemark(
      const mlir::remark::detail::Remark &remark) override {
    auto find = [&](StringRef key) {
      for (const auto &arg : remark.getArgs())
        if (arg.key == key)
          return arg.val;
      return std::string();
    };
    std::string place = placeOf(remark.getLocation());
    std::string function = remark.getFunction().str();
    if (remark.getRemarkName() == "outside") {
      explanation.outside.push_back(
          {function, place, find("Operation"), find("Reason")});
      return;
    }
    if (remark.getRemarkName() == "dispatch")
      return;
    Explanation::Edge edge{
        function, place,        find("Edge"), find("Answer") == "yes",
        {},       find("Made"), find("Read")};
    llvm::SmallVector<StringRef> names = {remark.getRemarkName()};
    std::string others = find("Also");
    StringRef(others).split(names, ", ", -1, /*KeepEmpty=*/false);
    for (StringRef name : names) {
      flow::EdgeReason rule = flow::reasonNamed(name);
      edge.reasons.push_back({name.str(),
                              flow::nameOf(flow::questionOf(rule)).str(),
                              flow::sentenceOf(rule).str()});
    }
    explanation.edges.push_back(std::move(edge));
  }

private:
  Explanation &explanation;
};
} // namespace

/// Fails, after one error, where there is nothing but operations of StableHLO
/// of which nothing is told.
static llvm::LogicalResult refuseOthers(mlir::ModuleOp module) {
  mlir::Operation *other = nullptr;
  bool isLinalg = false;
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    llvm::StringRef dialect = op->getName().getDialectNamespace();
    isLinalg |= llvm::is_contained({"linalg", "flow"}, dialect);
    if (!other && llvm::is_contained({"stablehlo", "hlo", "chlo"}, dialect))
      other = op;
  });
  if (!other || isLinalg)
    return mlir::success();
  return other->emitError()
         << "there is nothing to explain: `explain` is for programs of linalg "
            "and flow, and for gathers of StableHLO and HLO; this program has "
            "only operations such as "
         << other->getName();
}

/// Takes out the functions that the pipeline to dispatches cannot take.
/// Returns whether anything is left for it.
static bool keepWhatDispatches(mlir::ModuleOp module,
                               DiagnosticEngine &diagnostics) {
  bool isLeft = false;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    bool isStablehlo = false, isLinalg = false;
    function.walk([&](mlir::Operation *op) {
      llvm::StringRef dialect = op->getName().getDialectNamespace();
      isStablehlo |= llvm::is_contained({"stablehlo", "hlo", "chlo"}, dialect);
      isLinalg |= llvm::is_contained({"linalg", "flow"}, dialect);
    });
    isLeft |= isLinalg && !isStablehlo;
    if (!isStablehlo)
      continue;
    if (isLinalg)
      diagnostics.note({}, "the dispatches of " + quote(function.getName()) +
                               " are not told: it holds operations of "
                               "stablehlo");
    function.eraseBody();
    function.setPrivate();
  }
  return isLeft;
}

/// Brings the module to dispatches and hears why.
static llvm::LogicalResult findDispatches(mlir::ModuleOp module,
                                          bool aggressiveFusion,
                                          Explanation &explanation,
                                          DiagnosticEngine &diagnostics) {
  mlir::MLIRContext &context = *module.getContext();
  mlir::remark::RemarkCategories categories;
  categories.passed = categories.missed = categories.analysis =
      flow::dispatchFormationCategory.str();
  if (failed(mlir::remark::enableOptimizationRemarks(
          context, std::make_unique<NoteTaker>(explanation),
          std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(),
          categories)))
    return mlir::failure();
  flow::PipelineOptions options;
  options.aggressiveFusion = aggressiveFusion;
  mlir::PassManager toDispatches(&context), fromDispatches(&context);
  auto onError = [&](const llvm::Twine &message) -> llvm::LogicalResult {
    return diagnostics.error({}, message.str());
  };
  if (failed(flow::buildPipelineToDispatches(toDispatches, options, onError)) ||
      failed(toDispatches.run(module)) || diagnostics.hasErrors())
    return mlir::failure();
  // Their number is that of the finished program: equal ones may have merged.
  DispatchDescriptions descriptions(module);
  flow::buildPipelineFromDispatches(fromDispatches, options);
  if (failed(fromDispatches.run(module)) || diagnostics.hasErrors())
    return mlir::failure();
  descriptions.collect(module, explanation);
  return mlir::success();
}

static ExitCode run(Invocation &invocation) {
  const SourceBuffer *source = invocation.readInput(0);
  if (!source)
    return ExitCode::inputRejected;
  auto compilation = Compilation::load(*source, invocation.getDiagnostics());
  if (!compilation)
    return ExitCode::inputRejected;
  std::unique_ptr<MapProgram> program = MapProgram::of(std::move(read));
  explanation.module = program->getName();
  mlir::ModuleOp module = program->getModule();
  auto handler =
      stablehlo::forwardDiagnostics(*module.getContext(), *source, diagnostics);

  // All of it is said before the way to dispatches changes the program.
  std::vector<GatherExplanation> gathers =
      explainGathers(*program, *findDevice("ascend", invocation.get("soc")));
  std::string told;
  llvm::raw_string_ostream os(told);
  if (invocation.has("json"))
    printGathersJson(*program, gathers, os);
  else
    printGathers(*program, gathers, invocation.useColor(), os);

  // Without gathers, what cannot become dispatches is refused.
  if (gathers.empty() && failed(refuseOthers(module))) {
    diagnostics.help("mercator map " + invocation.getOperand(0));
    return ExitCode::inputRejected;
  }
  bool hasDispatches =
      gathers.empty() || keepWhatDispatches(module, diagnostics);
  if (hasDispatches &&
      failed(findDispatches(module, invocation.get("fusion") == "aggressive",
                            explanation, diagnostics)))
    return ExitCode::inputRejected;
  llvm::raw_ostream &out = invocation.getOut();
  if (invocation.has("json")) {
    writeJson(*explanation, os);
    return ExitCode::done;
  }
  printGathers(*explanation, invocation.useColor(), os);
  if (explanation->hasDispatches) {
    os << (explanation->gathers.empty() ? "" : "\n");
    printDispatches(*explanation, os);
  }
  return ExitCode::done;
}

static constexpr Option options[] = {
    {.name = "fusion",
     .value = "aggressive|seed",
     .help = "how much goes into one dispatch; seed fuses less"},
    {.name = "soc",
     .value = "910b|any",
     .help = "plan gathers for this generation of Ascend, or for any"},
};

const Command mercator::explainCommand = {
    .name = "explain",
    .operands = "FILE",
    .summary = "print the dispatches, or how gathers are done, and why",
    .details =
        "FILE is a program on tensors in linalg, or in flow; `-` is standard input. It is\n"
        "brought to dispatches first, so one line may stand for several operations of the\n"
        "text. For the gathers of StableHLO or HLO text (gather, dynamic_gather,\n"
        "dynamic_slice) it prints what is known, every way to do them, and the plan.\n",
    .options = options,
    .examples = "mercator explain examples/perceptron.mlir\n"
                "mercator explain examples/perceptron.mlir --fusion=seed\n"
                "mercator explain examples/perceptron.mlir --json\n"
                "mercator explain examples/embedding.mlir\n",
    .run = run};
