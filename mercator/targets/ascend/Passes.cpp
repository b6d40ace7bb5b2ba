// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The passes of Passes.td. Each calls a function of the folders below.

#include "mercator/targets/ascend/Passes.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/graph/FormGraphs.h"
#include "mercator/targets/ascend/prepare/Bounds.h"
#include "mercator/targets/ascend/prepare/ControlFlow.h"
#include "mercator/targets/ascend/prepare/FuseOperators.h"
#include "mercator/targets/ascend/prepare/InlineCalls.h"
#include "mercator/targets/ascend/prepare/TotalOrder.h"
#include "mercator/targets/ascend/prepare/UndoHlo.h"
#include "mercator/targets/ascend/rules/ChloNames.h"
#include "mercator/transforms/chlo/Passes.h"
#include "mercator/transforms/stablehlo/Passes.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"

namespace mercator::ascend {
#define GEN_PASS_DEF_CONVERTCHLOTOASCEND
#define GEN_PASS_DEF_CONVERTSTABLEHLOTOASCEND
#define GEN_PASS_DEF_FOLDTUPLES
#define GEN_PASS_DEF_FORMASCENDGRAPHS
#define GEN_PASS_DEF_FUSEOPERATORS
#define GEN_PASS_DEF_HIDECOMPUTATIONS
#define GEN_PASS_DEF_INLINECALLSOFGRAPHS
#define GEN_PASS_DEF_MOVEBOUNDS
#define GEN_PASS_DEF_REMOVECONTROLFLOW
#define GEN_PASS_DEF_SPELLTOTALORDER
#define GEN_PASS_DEF_UNDOHLO
#include "mercator/targets/ascend/Passes.h.inc"
} // namespace mercator::ascend

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

//===--- Preparation ------------------------------------------------------===//

namespace {
struct HideComputations : ascend::impl::HideComputationsBase<HideComputations> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    getOperation().walk([&](stablehlo::CustomCallOp call) {
      call->getAttrDictionary().walk([&](SymbolRefAttr name) {
        if (auto callee =
                symbols.lookup<FunctionOpInterface>(name.getRootReference()))
          callee.setPrivate();
      });
    });
  }
};

struct UndoHlo : ascend::impl::UndoHloBase<UndoHlo> {
  void runOnOperation() override { undoHlo(getOperation()); }
};

struct MoveBounds : ascend::impl::MoveBoundsBase<MoveBounds> {
  void runOnOperation() override { moveBounds(getOperation()); }
};

struct InlineCallsOfGraphs
    : ascend::impl::InlineCallsOfGraphsBase<InlineCallsOfGraphs> {
  void runOnOperation() override {
    if (failed(inlineCalls(getOperation())))
      signalPassFailure();
  }
};

struct FoldTuples : ascend::impl::FoldTuplesBase<FoldTuples> {
  void runOnOperation() override { foldTuples(getOperation()); }
};

struct RemoveControlFlow
    : ascend::impl::RemoveControlFlowBase<RemoveControlFlow> {
  void runOnOperation() override { removeControlFlow(getOperation()); }
};

struct FuseOperators : ascend::impl::FuseOperatorsBase<FuseOperators> {
  void runOnOperation() override { fuseOperators(getOperation()); }
};

struct SpellTotalOrder : ascend::impl::SpellTotalOrderBase<SpellTotalOrder> {
  void runOnOperation() override { spellTotalOrder(getOperation()); }
};
} // namespace

//===--- Conversion -------------------------------------------------------===//

std::optional<ConvertOptions> ascend::parseConvertOptions(
    StringRef soc, StringRef way, bool gatherV2D,
    llvm::function_ref<LogicalResult(const Twine &)> onError) {
  const Device *device = findDevice("ascend", soc);
  if (!device) {
    (void)onError("expected 'any' or '910b' for the option 'soc', got '" + soc +
                  "'");
    return std::nullopt;
  }
  std::optional<gather::Strategy> known = gather::findStrategy(way);
  if (!known && !way.empty()) {
    (void)onError("expected a way of gathers for the option 'way', got '" +
                  way + "'");
    return std::nullopt;
  }
  return ConvertOptions{.plan = {.device = device, .way = known},
                        .gatherV2D = gatherV2D};
}

namespace {
/// What both conversions have: options, in words or as a struct, and a place for
/// what stays.
template <typename Base> class Conversions : public Base {
public:
  using Base::Base;
  Conversions(const ConvertOptions &options, NotConverted *rest)
      : given(options), rest(rest) {}

protected:
  /// Nothing after an error.
  std::optional<ConvertOptions> options() {
    if (given)
      return given;
    return parseConvertOptions(
        this->soc, this->way, this->gatherV2D,
        [&](const Twine &why) { return this->getOperation()->emitError(why); });
  }
  void stays(std::vector<Unconverted> left) {
    if (rest)
      rest->operations = std::move(left);
  }

private:
  std::optional<ConvertOptions> given;
  NotConverted *rest = nullptr;
};

struct ConvertStablehloToAscend
    : Conversions<ascend::impl::ConvertStablehloToAscendBase<
          ConvertStablehloToAscend>> {
  using Conversions::Conversions;

  void runOnOperation() override {
    if (std::optional<ConvertOptions> known = options())
      stays(convertToAscend(getOperation(), *known));
    else
      signalPassFailure();
  }
};

struct ConvertChloToAscend
    : Conversions<ascend::impl::ConvertChloToAscendBase<ConvertChloToAscend>> {
  using Conversions::Conversions;

  void getDependentDialects(DialectRegistry &registry) const override {
    Conversions::getDependentDialects(registry);
    spelling().getDependentDialects(registry);
  }

  void runOnOperation() override {
    std::optional<ConvertOptions> known = options();
    if (!known)
      return signalPassFailure();
    ChloNames names(getOperation());
    if (names.empty())
      return;
    OpPassManager passes = spelling();
    if (failed(runPipeline(passes, getOperation())))
      return signalPassFailure();
    std::vector<Unconverted> left = convertToAscend(getOperation(), *known);
    names.restore(left);
    stays(std::move(left));
  }

private:
  static OpPassManager spelling() {
    OpPassManager passes(ModuleOp::getOperationName());
    passes.addPass(chlo::createChloLegalizeToStablehlo());
    passes.addPass(stablehlo::createKeepBounded());
    return passes;
  }
};
} // namespace

std::unique_ptr<Pass>
ascend::createConvertStablehloToAscend(const ConvertOptions &options,
                                       NotConverted *rest) {
  return std::make_unique<ConvertStablehloToAscend>(options, rest);
}

std::unique_ptr<Pass>
ascend::createConvertChloToAscend(const ConvertOptions &options,
                                  NotConverted *rest) {
  return std::make_unique<ConvertChloToAscend>(options, rest);
}

//===--- Graphs -----------------------------------------------------------===//

namespace {
struct FormAscendGraphs : ascend::impl::FormAscendGraphsBase<FormAscendGraphs> {
  FormAscendGraphs(NotConverted *rest = nullptr) : rest(rest) {}

  void runOnOperation() override {
    std::vector<Unconverted> stay = formGraphs(getOperation());
    if (rest)
      rest->functions = std::move(stay);
  }

private:
  NotConverted *rest;
};
} // namespace

std::unique_ptr<Pass> ascend::createFormAscendGraphs(NotConverted *rest) {
  return std::make_unique<FormAscendGraphs>(rest);
}
