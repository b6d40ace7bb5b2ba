// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/formation/Regions.h"
#include "mercator/transforms/flow/formation/maps/Arrange.h"
#include "mercator/transforms/flow/formation/maps/GroupByMaps.h"
#include "mercator/transforms/flow/formation/seed/GroupByHeuristic.h"
#include "mercator/transforms/flow/operations/Unstored.h"

namespace mercator::flow {
#define GEN_PASS_DEF_FORMDISPATCHREGIONS
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

namespace {
struct FormDispatchRegions
    : flow::impl::FormDispatchRegionsBase<FormDispatchRegions> {
  using Base::Base;
  FormDispatchRegions(flow::FormDispatchRegionsOptions options,
                      flow::DispatchTime *time)
      : Base(std::move(options)), time(time) {}

  void runOnOperation() override {
    FunctionOpInterface function = getOperation();
    if (failed(readOptions()))
      return signalPassFailure();
    // Code in executables is already dispatched.
    if (function.isExternal() ||
        function->getParentOfType<flow::ExecutableOp>())
      return;
    flow::Reasons reasons(function);
    flow::DispatchGroups grouping;
    if (fusion == "maps") {
      // An extent of a result would be between what makes and what reads it.
      flow::ExtentResolver extents(&getContext());
      function.walk([&](tensor::DimOp op) { extents.askOrigin(op); });
      grouping = flow::groupByMaps(function, *machine, fused, reasons, time);
      flow::takeCirclesApart(function, grouping);
    } else {
      grouping = flow::groupByHeuristic(function, aggressiveFusion, reasons);
      if (reasons.isListening())
        reasons.note(
            flow::estimateGroups(function, *machine, grouping, reasons));
    }
    reasons.report(grouping);
    for (Operation *op : grouping.operations)
      op->removeAttr(flow::kUnstored);
    if (fusion == "maps")
      flow::arrange(function, grouping);
    flow::formRegions(&getContext(), grouping, generateWorkloadRegion);
  }

private:
  flow::DispatchTime *time = nullptr;
  std::optional<flow::Machine> machine;
  llvm::SmallVector<flow::FusedLines> fused;

  LogicalResult readOptions() {
    FunctionOpInterface function = getOperation();
    if (fusion != "heuristic" && fusion != "maps")
      return function->emitError()
             << "expected 'heuristic' or 'maps' for the option 'fusion', got '"
             << fusion << "'";
    llvm::Expected<Device> known = readDevice(device);
    if (!known)
      return function->emitError() << llvm::toString(known.takeError());
    machine.emplace(*known);
    fused.clear();
    llvm::SmallVector<StringRef> pairs;
    StringRef(fuse).split(pairs, ';', -1, /*KeepEmpty=*/false);
    for (StringRef pair : pairs) {
      auto [producer, rest] = pair.split(',');
      auto [consumer, number] = rest.split(':');
      flow::FusedLines lines;
      if (producer.getAsInteger(10, lines.producer) ||
          consumer.getAsInteger(10, lines.consumer) ||
          (!number.empty() && number.getAsInteger(10, lines.number)))
        return function->emitError()
               << "expected two lines, as in 12,20, got '" << pair << "'";
      fused.push_back(lines);
    }
    return success();
  }
};
} // namespace

std::unique_ptr<Pass>
flow::createFormDispatchRegions(FormDispatchRegionsOptions options,
                                DispatchTime *time) {
  return std::make_unique<FormDispatchRegions>(std::move(options), time);
}
