// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator explain FILE`: the dispatches of a program, what is in each, and
/// why each ends where it does. The reasons are the remarks of dispatch
/// formation (transforms/flow/formation/Reasons.h); nothing is decided here.

#include "mercator/tools/driver/Explain.h"
#include "mercator/frontends/stablehlo/Parse.h"
#include "mercator/tools/driver/Command.h"
#include "mercator/tools/driver/Program.h"
#include "mercator/transforms/flow/Pipeline.h"
#include "mercator/transforms/flow/formation/Reasons.h"
#include "mercator/transforms/util/Passes.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mercator;
using llvm::StringRef;

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
    StringRef question = remark.getCombinedCategoryName().rsplit(':').second;
    explanation.edges.push_back({function, place, find("Edge"),
                                 find("Answer") == "yes",
                                 remark.getRemarkName().str(), question.str(),
                                 find("Reason"), find("Made"), find("Read")});
  }

private:
  Explanation &explanation;
};
} // namespace

static ExitCode run(Invocation &invocation) {
  const SourceBuffer *source = invocation.readInput(0);
  if (!source)
    return ExitCode::inputRejected;
  // The context tells the note taker of its end.
  Explanation explanation;
  std::unique_ptr<Program> program =
      loadProgram(*source, invocation.getDiagnostics());
  if (!program)
    return ExitCode::inputRejected;
  explanation.module = program->name;
  mlir::MLIRContext &context = *program->context;
  auto handler = stablehlo::forwardDiagnostics(context, *source,
                                               invocation.getDiagnostics());
  mlir::remark::RemarkCategories categories;
  categories.passed = categories.missed = categories.analysis =
      flow::dispatchFormationCategory.str();
  if (failed(mlir::remark::enableOptimizationRemarks(
          context, std::make_unique<NoteTaker>(explanation),
          std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(),
          categories)))
    return ExitCode::inputRejected;

  // The pipeline names passes that it runs until nothing changes.
  util::registerUtilPasses();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  flow::PipelineOptions options;
  options.aggressiveFusion = invocation.has("aggressive-fusion");
  mlir::PassManager passes(&context);
  auto onError = [&](const llvm::Twine &message) -> llvm::LogicalResult {
    return invocation.getDiagnostics().error({}, message.str());
  };
  if (failed(flow::buildPipelineToRegions(passes, options, onError)) ||
      failed(passes.run(*program->module)) ||
      invocation.getDiagnostics().hasErrors())
    return ExitCode::inputRejected;
  collectDispatches(*program->module, explanation);
  if (invocation.has("json"))
    printJson(explanation, invocation.getOut());
  else
    printText(explanation, invocation.getOut());
  return ExitCode::done;
}

static constexpr Option options[] = {
    {.name = "aggressive-fusion",
     .help = "fuse inputs and producers with several uses too"},
};

const Command mercator::explainCommand = {
    .name = "explain",
    .operands = "FILE",
    .summary = "print the dispatches, and why there are that many",
    .details = "FILE is a program on tensors in linalg, or in flow; `-` is "
               "standard input. It is\nbrought to dispatches first, so what "
               "is told of may be several operations of the\ntext in one.\n",
    .options = options,
    .examples =
        "mercator explain examples/perceptron.mlir\n"
        "mercator explain examples/perceptron.mlir --aggressive-fusion\n"
        "mercator explain examples/perceptron.mlir --json\n",
    .run = run};
