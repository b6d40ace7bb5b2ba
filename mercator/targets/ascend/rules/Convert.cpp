// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/rules/Convert.h"
#include "mercator/analysis/extents/EqualExtents.h"
#include "mercator/dialects/ascend/Registry.h"
#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/operators/Build.h"
#include "mercator/targets/ascend/operators/NodeCost.h"
#include "mercator/targets/ascend/prepare/SpellWindows.h"
#include "mercator/targets/ascend/rules/ConvertGather.h"
#include "mercator/targets/ascend/rules/ConvertWindows.h"
#include "mercator/targets/ascend/scatter/Planner.h"

#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <vector>

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

static remark::RemarkOpts remarkOf(StringRef name, Operation *op,
                                   StringRef category) {
  return remark::RemarkOpts::name(name).category(category).function(
      op->getName().getStringRef());
}

/// The way to take, whose nodes are before the operation; or nothing and the
/// reason. Emits a remark.
static std::optional<scatter::Candidate>
planScatter(Operation *op, const Device &device, std::string &why) {
  scatter::Planning planning = scatter::planScatter(op, device);
  const scatter::Candidate *best = planning.best();
  planning.keep(best);
  if (!best) {
    why = planning.refused;
    return std::nullopt;
  }
  remark::passed(op->getLoc(), remarkOf(scatter::identifier(best->way), op,
                                        "scatter-planning"))
      << std::to_string(best->cost.bytes) + " bytes, " +
             std::to_string(best->cost.indexEntries) + " index entries";
  return *best;
}

/// Whether an empty constant replaces the operation, whatever it computes.
static bool hasNoElements(Operation *op) {
  if (op->getNumResults() != 1 || !isMemoryEffectFree(op))
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return type && type.hasStaticShape() &&
         llvm::is_contained(type.getShape(), 0) && type.getRank() <= 8 &&
         geType(type.getElementType());
}

static FailureOr<Value> convertOther(Conversion &c) {
  // It only prevents other operations from moving across.
  if (isa<stablehlo::OptimizationBarrierOp>(c.op) &&
      c.op->getNumOperands() != 0) {
    llvm::append_range(c.others, c.op->getOperands().drop_front());
    return c.op->getOperand(0);
  }
  // GE accepts tensors without elements, but few of its operators define the
  // result.
  if (hasNoElements(c.op))
    return Value(ConstOp::create(
        c.b, c.type(),
        DenseElementsAttr::get(c.type(), ArrayRef<Attribute>())));
  c.why = whyNoConversion(c.op);
  if (!c.why.empty())
    return failure();
  for (Converter convert : {convertElementwise, convertDataMovement,
                            convertReduction, convertProduct, convertSort}) {
    FailureOr<Value> result = convert(c);
    if (succeeded(result) || !c.why.empty())
      return result;
  }
  return c.no("there is no conversion of it yet");
}

/// Reports the operators that the device's cores leave to the AI CPU.
static void tellOfAiCpu(Operation *op, Operation *first, const Device &device) {
  SmallVector<Operation *> made;
  for (; first != op; first = first->getNextNode())
    made.push_back(first);
  for (const BesideCores &it : besideCores(made, device))
    remark::analysis(op->getLoc(), remarkOf("ai-cpu", op, "ascend-conversion"))
        << it.why + ", so it runs on the AI CPU";
}

/// Erases what a graph does not check: that the extents of the inputs are those
/// that the program was made for.
static void dropShapeAssertions(ModuleOp module) {
  module.walk([](stablehlo::CustomCallOp call) {
    if (call.getCallTargetName() != "shape_assertion" ||
        call->getNumResults() != 0)
      return;
    remark::missed(call.getLoc(),
                   remarkOf("dropped", call, "ascend-conversion"))
        << "the assertion is dropped: a graph does not check the extents of "
           "its inputs";
    call.erase();
  });
}

/// Why operators are invalid, from the first up to `end`; empty if they are
/// valid. With unknown extents, an operation may be valid and its operands not:
/// a slice out of range.
static std::string whyInvalid(Operation *first, Operation *end) {
  std::string why;
  ScopedDiagnosticHandler handler(end->getContext(), [&](Diagnostic &it) {
    if (why.empty())
      why = "it is not defined for its operands: " + it.str();
  });
  for (Operation *made = first; made != end; made = made->getNextNode())
    if (failed(verify(made)))
      return why;
  return "";
}

static bool hasUnknownExtents(Operation *op) {
  auto isUnknown = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  };
  return llvm::any_of(op->getOperandTypes(), isUnknown) ||
         llvm::any_of(op->getResultTypes(), isUnknown);
}

/// The value with the extents that the type has.
static Value withTypeOf(ImplicitLocOpBuilder &b, Value value, Type declared) {
  auto type = dyn_cast<RankedTensorType>(declared);
  if (!type || value.getType() == declared ||
      typeOf(value).getRank() != type.getRank())
    return value;
  DynamicShape shape = dynamicShapeOf(value);
  bool isMore = false;
  for (auto [i, extent] : llvm::enumerate(shape))
    if (!extent.isKnown() && !type.isDynamicDim(i)) {
      extent = DynamicExtent::of(type.getDimSize(i));
      isMore = true;
    }
  return isMore ? reshape(b, value, shape) : value;
}

std::vector<Unconverted>
ascend::convertToAscend(ModuleOp module, const ConvertOptions &options) {
  convertWindows(module, *options.plan.device);
  spellWindows(module);
  // Facts about start indices and extents come from the original program, so
  // all gathers and scatters are planned before any operation changes.
  struct Planned {
    Operation *op;
    std::optional<GatherPlan> gather;
    std::string why; // if there is no plan
    std::optional<scatter::Candidate> scatter = std::nullopt;
    bool isDynamic = false, isSlice = false;
  };
  EqualExtents extents(module);
  dropShapeAssertions(module);
  std::vector<Planned> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa_and_nonnull<stablehlo::StablehloDialect, chlo::ChloDialect>(
            op->getDialect()))
      return WalkResult::advance();
    Planned &planned = ops.emplace_back(Planned{op, std::nullopt, ""});
    planned.isDynamic =
        isGather(op) ? isDynamicGather(op, extents) : hasUnknownExtents(op);
    planned.isSlice = isGather(op) && planned.isDynamic && isSingleSlice(op);
    if (isGather(op) && !planned.isSlice)
      planned.gather = planGather(op, options.plan, extents, planned.why);
    else if (scatter::isScatter(op) && !planned.isDynamic)
      planned.scatter = planScatter(op, *options.plan.device, planned.why);
    return WalkResult::skip(); // its regions belong to it
  });

  std::vector<Unconverted> left;
  for (auto &[op, gather, noPlan, scatter, isDynamic, isSlice] : ops) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    Operation *before = op->getPrevNode();
    if (scatter && !scatter->nodes.empty())
      before = scatter->nodes.front()->getPrevNode();
    Conversion c{op, b, options, ""};
    c.extents = &extents;
    FailureOr<Value> result = failure();
    if (gather)
      result = convertGather(c, *gather);
    else if (isSlice)
      result = convertSingleSlice(c);
    else if (isGather(op))
      c.why = "no plan of the gather can be executed: " + noPlan;
    else if (scatter)
      result = scatter->resultFor(op);
    else if (scatter::isScatter(op) && !isDynamic)
      c.why = noPlan;
    else
      result = convertOther(c);
    auto firstMade = [&] {
      return before ? before->getNextNode() : &op->getBlock()->front();
    };
    if (succeeded(result) && hasUnknownExtents(op)) {
      c.why = whyInvalid(firstMade(), op);
      if (!c.why.empty())
        result = failure();
    }
    if (succeeded(result)) {
      c.others.insert(c.others.begin(), *result);
      for (auto [old, made] : llvm::zip(op->getResults(), c.others)) {
        Value value = withTypeOf(b, made, old.getType());
        extents.replace(old, value);
        old.replaceAllUsesWith(value);
      }
      tellOfAiCpu(op, firstMade(), *options.plan.device);
      op->erase();
      continue;
    }
    while (op->getPrevNode() != before)
      op->getPrevNode()->erase();
    remark::missed(op->getLoc(),
                   remarkOf("not-converted", op, "ascend-conversion"))
        << c.why;
    left.push_back({op, std::move(c.why)});
  }
  return left;
}
