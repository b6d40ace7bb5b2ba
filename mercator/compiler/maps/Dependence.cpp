// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/maps/Dependence.h"
#include "mercator/compiler/program/Inputs.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/AllRules.h"
#include "mercator/reference/core/Perturbation.h"
#include "mercator/transforms/verify/FunctionReads.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mercator;
using namespace mercator::reference;

static constexpr int64_t kMostOperations = 2'000'000;

/// All tensors of a value, one after the other.
static void addTensors(const Value &value, std::vector<const Tensor *> &all) {
  if (const Tuple *tuple = value.tuple()) {
    for (const Value &member : tuple->members)
      addTensors(member, all);
    return;
  }
  all.push_back(value.tensor());
}

std::optional<Value> Dependence::draw(mlir::Type type, const Pair &pair,
                                      const Trial &trial, unsigned number) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      tensor.getNumElements() > kMostOperations)
    return std::nullopt;
  auto emitError = [&] { return mlir::emitError(function.getLoc()); };
  auto make = [&](uint64_t seed) {
    return randomTensor(tensor, {.seed = seed, .scale = 1}, number,
                        /*fanIn=*/1, emitError);
  };
  llvm::FailureOr<Tensor> value = make(trial.seed);
  if (failed(value))
    return std::nullopt;
  if (trial.isChanged && number == pair.parameter) {
    constexpr uint64_t kOther = 1 << 20, kDraws = 8;
    int64_t place = value->linear(pair.element);
    auto bytesOf = [&](const Tensor &tensor) {
      size_t size = tensor.element().bytes;
      return llvm::ArrayRef(tensor.data() + place * size, size);
    };
    for (uint64_t i = 1; i <= kDraws; ++i) {
      llvm::FailureOr<Tensor> other = make(trial.seed + i * kOther);
      if (failed(other) || bytesOf(*other) == bytesOf(*value))
        continue;
      value->copy(place, *other, place);
      break;
    }
  }
  return *value;
}

/// The parts of the element of the result; none if the program cannot be run.
std::optional<Dependence::Numbers> Dependence::run(const Pair &pair,
                                                   const Trial &trial) {
  constexpr int kMostRuns = 400;
  if (++runs > kMostRuns)
    refusal = "it is one of many";
  if (!refusal.empty())
    return std::nullopt;
  // What cannot be run is no error of the user.
  mlir::ScopedDiagnosticHandler quiet(
      function.getContext(),
      [](mlir::Diagnostic &) { return llvm::success(); });
  std::vector<Value> arguments;
  unsigned number = 0;
  for (mlir::Type type : function.getArgumentTypes()) {
    std::optional<Value> value = valueOfLeaves(type, [&](mlir::Type leaf) {
      return draw(leaf, pair, trial, number++);
    });
    if (!value) {
      refusal = "the program is too large to be run, or has parameters of "
                "unknown extents";
      return std::nullopt;
    }
    arguments.push_back(std::move(*value));
  }
  Evaluator evaluator(function->getParentOfType<mlir::ModuleOp>(), allRules(),
                      {.elementOperations = kMostOperations});
  std::optional<Perturbation> perturbation;
  if (trial.rounds)
    perturbation.emplace(Perturbation::Options{.seed = trial.rounds});
  llvm::FailureOr<std::vector<Value>> results =
      evaluator.call(function, arguments);
  if (failed(results)) {
    refusal = evaluator.isOverLimit() ? "the program is too large to be run"
                                      : "the program cannot be run";
    return std::nullopt;
  }
  std::vector<const Tensor *> tensors;
  for (const Value &value : *results)
    addTensors(value, tensors);
  const Tensor *tensor =
      pair.result < tensors.size() ? tensors[pair.result] : nullptr;
  if (!tensor || size_t(tensor->rank()) != pair.at.size()) {
    refusal = "a result is no tensor";
    return std::nullopt;
  }
  Scalar value = tensor->at(pair.at);
  const Element &element = tensor->element();
  if (element.isComplex())
    return Numbers{value.re, value.im};
  return Numbers{element.isReal() ? value.re : double(value.integer)};
}

/// Whether another value of the element changes the result by more than rounding does.
std::optional<bool> Dependence::changes(const Pair &pair, uint64_t seed) {
  constexpr uint64_t kRoundings = 4;
  constexpr double kBeyond = 16;
  std::optional<Numbers> before = run(pair, {.seed = seed}),
                         after = run(pair, {.seed = seed, .isChanged = true});
  if (!before || !after)
    return std::nullopt;
  auto distance = [](const Numbers &a, const Numbers &b) {
    double most = 0;
    for (size_t i = 0; i < a.size(); ++i)
      most = std::max(most, a[i] == b[i] ? 0 : std::abs(a[i] - b[i]));
    return most;
  };
  double change = distance(*before, *after), rounding = 0;
  if (change == 0)
    return false;
  for (uint64_t i = 1; i <= kRoundings; ++i)
    for (bool isChanged : {false, true}) {
      std::optional<Numbers> other = run(
          pair, {.seed = seed, .isChanged = isChanged, .rounds = seed * 8 + i});
      if (!other)
        return std::nullopt;
      rounding =
          std::max(rounding, distance(*other, isChanged ? *after : *before));
    }
  // Nothing is greater than NaN: the trial then shows nothing.
  return change > kBeyond * rounding;
}

/// Whether the result is made of copies of elements.
bool Dependence::isCopied(const Pair &pair) {
  std::vector<mlir::Value> work = {
      verify::resultsOf(function)[pair.result].value};
  llvm::DenseSet<mlir::Value> seen;
  while (!work.empty()) {
    mlir::Value value = work.back();
    work.pop_back();
    if (!seen.insert(value).second || llvm::isa<mlir::BlockArgument>(value))
      continue;
    mlir::Operation *op = value.getDefiningOp();
    if (!llvm::isa<stablehlo::ConstantOp, stablehlo::SliceOp,
                   stablehlo::TransposeOp, stablehlo::ReshapeOp,
                   stablehlo::BroadcastInDimOp, stablehlo::ConcatenateOp,
                   stablehlo::PadOp, stablehlo::ReverseOp, hlo::BitcastOp,
                   hlo::CopyOp>(op))
      return false;
    llvm::append_range(work, op->getOperands());
  }
  return true;
}

/// Whether there is anything but whole numbers in the program.
static bool roundsNumbers(mlir::ModuleOp module) {
  return module
      ->walk([](mlir::Operation *op) {
        bool isWhole = llvm::all_of(op->getResultTypes(), [](mlir::Type type) {
          return mlir::getElementTypeOrSelf(type).isIntOrIndex();
        });
        return isWhole ? mlir::WalkResult::advance()
                       : mlir::WalkResult::interrupt();
      })
      .wasInterrupted();
}

std::string Dependence::whyUnknown(const Pair &pair) {
  if (isCopied(pair))
    return {};
  bool isRounded = roundsNumbers(function->getParentOfType<mlir::ModuleOp>());
  // One change may be a rounding that happens to go the other way.
  constexpr uint64_t kTrials = 8;
  int enough = isRounded ? 2 : 1, found = 0;
  for (uint64_t seed = 1; seed <= kTrials; ++seed) {
    std::optional<bool> own = changes(pair, seed);
    if (!own)
      return refusal;
    found += *own;
    if (found == enough)
      return {};
  }
  return "no value of it was found that changes the result by more than rounding";
}
