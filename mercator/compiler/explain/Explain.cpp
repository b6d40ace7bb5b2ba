// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/explain/Explain.h"
#include "mercator/analysis/device/Device.h"
#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/explain/Dispatches.h"
#include "mercator/compiler/explain/Gathers.h"
#include "mercator/compiler/explain/Losses.h"
#include "mercator/compiler/explain/Scatters.h"
#include "mercator/compiler/program/AscendDevice.h"
#include "mercator/compiler/program/Stage.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/targets/ascend/scatter/Planner.h"
#include "mercator/targets/cpu/Compile.h"
#include "mercator/transforms/flow/formation/Reasons.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"

using namespace mercator;
using llvm::StringRef;

namespace {
/// Turns the remarks of dispatch formation into an explanation.
class RemarkReader : public mlir::remark::detail::MLIRRemarkStreamerBase {
public:
  explicit RemarkReader(Explanation &explanation) : explanation(explanation) {}

  void streamOptimizationRemark(
      const mlir::remark::detail::Remark &remark) override {
    auto find = [&](StringRef key) {
      for (const auto &arg : remark.getArgs())
        if (arg.key == key)
          return arg.val;
      return std::string();
    };
    auto numberOf = [&](StringRef key) -> std::optional<int64_t> {
      int64_t value = 0;
      if (StringRef(find(key)).getAsInteger(10, value))
        return std::nullopt;
      return value;
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
    if (remark.getRemarkName() == "totals") {
      auto number = [&](StringRef key) { return numberOf(key).value_or(0); };
      explanation.totals.push_back(
          {function, number("Operations"), number("BytesBefore"),
           number("NanosecondsBefore"), number("Dispatches"), number("Bytes"),
           number("Nanoseconds")});
      return;
    }
    Explanation::Edge edge{
        function, place,        find("Edge"), find("Answer") == "yes",
        {},       find("Made"), find("Read")};
    edge.cost = find("Cost");
    edge.help = find("Help");
    edge.producer = find("Producer");
    edge.consumer = find("Consumer");
    edge.producerPlace = find("ProducerAt");
    edge.bytes = numberOf("Bytes");
    edge.timeOfOne = numberOf("OneNanoseconds");
    edge.timeOfTwo = numberOf("TwoNanoseconds");
    llvm::SmallVector<StringRef> names = {remark.getRemarkName()};
    for (const auto &arg : remark.getArgs())
      if (arg.key == "Also")
        names.push_back(arg.val);
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

namespace {
/// Reads the remarks of a context while it lives.
class Listener {
public:
  Listener(mlir::MLIRContext &context, Explanation &explanation)
      : context(context) {
    mlir::remark::RemarkCategories categories;
    categories.passed = categories.missed = categories.analysis =
        flow::dispatchFormationCategory.str();
    isListening = succeeded(mlir::remark::enableOptimizationRemarks(
        context, std::make_unique<RemarkReader>(explanation),
        std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(), categories));
  }
  ~Listener() { context.setRemarkEngine(nullptr); }
  Listener(const Listener &) = delete;
  Listener &operator=(const Listener &) = delete;

  bool isListening = false;

private:
  mlir::MLIRContext &context;
};
} // namespace

/// How this CPU would compute the dispatches. False after an error.
static bool explainSchedules(mlir::ModuleOp program, StringRef name,
                             const Formation &formation,
                             std::vector<Explanation::Schedule> &schedules) {
  mlir::OwningOpRef<mlir::ModuleOp> module = program.clone();
  auto function = module->lookupSymbol<mlir::func::FuncOp>(name);
  for (auto each : module->getOps<mlir::func::FuncOp>())
    if (!function && each.isPublic() && !each.isExternal())
      function = each;
  if (!function)
    return true;
  function.setPublic();
  std::string entry = function.getName().str();
  // Of a kernel; inner ones are left out, but counted in those around them.
  constexpr size_t kMostLoops = 100;
  LoweringOptions lowering;
  lowering.formation = formation;
  if (failed(lowerTo(*module, Stage::Cpu, lowering)))
    return false;
  cpu::Machine machine = cpu::Machine::host();
  llvm::Expected<Device> device = readDevice(formation.device);
  if (device && device->target == "cpu")
    machine.device = std::move(*device);
  else if (!device)
    llvm::consumeError(device.takeError());
  auto kernels = cpu::schedulesOf(*module, entry, machine);
  if (failed(kernels))
    return false;
  for (const cpu::KernelSchedule &kernel : *kernels) {
    Explanation::Schedule schedule{kernel.name, {}, {}};
    if (kernel.predicted) {
      schedule.predicted = cpu::spell(*kernel.predicted);
      for (const cpu::Time::Cause &cause : cpu::Time::causes())
        if (double ns = *kernel.predicted.*cause.field; ns > 0)
          schedule.causes.emplace_back(cause.name.str(), ns);
    }
    for (const cpu::NestNode &node : cpu::outerNodes(kernel.nest, kMostLoops))
      schedule.loops.push_back(
          {.depth = node.depth,
           .iterations = node.isLoop ? node.iterations : 0,
           .isParallel = node.isParallel,
           .isPacking = node.isPacking,
           .nanoseconds = node.time.total(),
           .bytes = {node.bytes.begin(), node.bytes.end()}});
    for (const cpu::ScheduleNote &note : kernel.notes.lines) {
      std::string place = placeOf(note.loc);
      schedule.lines.push_back((note.isInTile ? "  " : "") +
                               (place.empty() ? "" : place + ": ") + note.text);
    }
    schedules.push_back(std::move(schedule));
  }
  return true;
}

/// The values inside a kernel, and how often each is computed.
static std::vector<ProducerAccess> producersOf(Compilation &compilation,
                                               const KernelRecord &kernel) {
  AccessQuery query;
  query.maps.instruction = kernel.computation + "/" + kernel.instruction;
  std::vector<ProducerAccess> producers;
  (void)compilation.access(query, [&](const InstructionAccess &access) {
    llvm::append_range(producers, access.producers);
  });
  return producers;
}

Answer<Explanation> Compilation::explain(const ExplainOptions &options) {
  std::optional<ascend::PlanOptions> plan;
  if (options.ascend) {
    plan = findPlanOptions(options.soc, options.way, diagnostics);
    if (!plan)
      return ExitCode::WrongUsage;
  }
  StringRef function;
  std::optional<OneModule> found =
      findModule(*program, function, diagnostics, /*canChoose=*/false);
  if (!found)
    return ExitCode::InputRejected;
  mlir::OwningOpRef<mlir::ModuleOp> module = found->module.clone();
  auto handler = forward();

  Explanation explanation;
  explanation.module = found->name;
  // The pipeline to dispatches changes the module; gathers come first.
  module->walk([&](mlir::Operation *op) {
    explanation.gatherCount += isGather(op);
    explanation.scatterCount += scatter::isScatter(op);
  });
  if (plan) {
    InstructionTable table(*program, {*module, found->name});
    explanation.gathers = explainGathers(table, *plan);
    program->context->loadDialect<ascend::AscendDialect>();
    explanation.scatters = explainScatters(table, *plan->device);
  }
  explanation.kernels = describeKernels(*module);
  if (options.gpu)
    forEachKernel({.device = *options.gpu}, [&](const KernelRecord &k) {
      explanation.launches.push_back(k);
    });
  if (options.cpu && !explainSchedules(*module, function, options.formation,
                                       explanation.schedules))
    return ExitCode::InputRejected;
  Listener listener(*module->getContext(), explanation);
  if (!listener.isListening)
    return ExitCode::InputRejected;
  // The rest of the pipeline may merge dispatches: they are numbered at its end.
  std::optional<DispatchDescriptions> descriptions;
  LoweringOptions lowering;
  lowering.formation = options.formation;
  lowering.atDispatches = [&](mlir::ModuleOp module) {
    descriptions.emplace(module);
  };
  if (failed(lowerTo(*module, Stage::Flow, lowering)) ||
      diagnostics.hasErrors())
    return ExitCode::InputRejected;
  descriptions->collect(*module, explanation);
  if (options.gpu)
    explanation.losses = findLosses(
        explanation.launches, explanation, *options.gpu,
        [&](const KernelRecord &k) { return producersOf(*this, k); });
  return explanation;
}
