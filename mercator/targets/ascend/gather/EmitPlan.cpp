// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/gather/EmitPlan.h"
#include "mercator/dialects/ascend/Registry.h"

#include "mercator/targets/ascend/operators/Build.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;
using gather::Plan;
using gather::PlanStep;
using gather::StepKind;

/// The operator of a step; empty for a step without an operator.
static StringRef operatorOf(StepKind kind) {
  switch (kind) {
  case StepKind::Operand:
  case StepKind::Starts:
  case StepKind::Constant:
  case StepKind::Empty:
    return "";
  case StepKind::Reshape:
    return "Reshape";
  case StepKind::Transpose:
    return "Transpose";
  case StepKind::Slice:
  case StepKind::DynamicSlice:
    return "Slice";
  case StepKind::Broadcast:
    return "BroadcastTo";
  case StepKind::Cast:
    return "Cast";
  case StepKind::Minimum:
    return "Minimum";
  case StepKind::Maximum:
    return "Maximum";
  case StepKind::Clamp:
    return "ClipByValue";
  case StepKind::Range:
    return "Range";
  case StepKind::Multiply:
    return "Mul";
  case StepKind::Add:
    return "Add";
  case StepKind::Concat:
    return "ConcatV2";
  case StepKind::GatherV2:
    return "GatherV2";
  case StepKind::GatherElements:
    return "GatherElements";
  case StepKind::GatherNd:
    return "GatherNd";
  case StepKind::IndexByTensor:
    return "IndexByTensor";
  }
  return "";
}

/// The element type of a step if the operand's is `element`.
static Type elementOf(const PlanStep &step, Type element) {
  if (!step.indexBits)
    return element;
  return IntegerType::get(element.getContext(), step.indexBits,
                          step.indexIsSigned ? IntegerType::Signless
                                             : IntegerType::Unsigned);
}

/// Slices of booleans are slices of bytes: GE has no others.
static bool slicesBooleans(const PlanStep &step, Type element) {
  return (step.kind == StepKind::Slice ||
          step.kind == StepKind::DynamicSlice) &&
         elementOf(step, element).isInteger(1);
}

/// Minimum does not support unsigned integers; Less and SelectV2 do.
static bool isUnsignedMinimum(const PlanStep &step) {
  return step.kind == StepKind::Minimum && !step.indexIsSigned;
}

/// The type of the indices; none if GE has no integers of this width.
static std::optional<GeType> indexType(const PlanStep &step) {
  switch (step.indexBits) {
  case 8:
    return step.indexIsSigned ? GeType::int8 : GeType::uint8;
  case 16:
    return step.indexIsSigned ? GeType::int16 : GeType::uint16;
  case 32:
    return step.indexIsSigned ? GeType::int32 : GeType::uint32;
  case 64:
    return step.indexIsSigned ? GeType::int64 : GeType::uint64;
  default:
    return std::nullopt;
  }
}

std::function<std::string(const Plan &, const PlanStep &)>
ascend::refusals(Type element, const Device &device) {
  // Called for each step of each strategy, so messages are only built on
  // failure.
  std::optional<GeType> known = geType(element);
  return [known, element, &device](const Plan &plan,
                                   const PlanStep &step) -> std::string {
    constexpr size_t kMaxRank = 8;
    StringRef op = operatorOf(step.kind);
    if (step.shape.size() > kMaxRank)
      return ((op.empty() ? "the " + gather::name(step.kind) : Twine(op)) +
              " has " + Twine(step.shape.size()) +
              " dimensions, GE has tensors of at most 8")
          .str();
    // A cast is checked with its source type, like all other steps.
    const PlanStep &data =
        step.inputs.empty() ? step : plan.steps[step.inputs[0]];
    std::optional<GeType> type = data.indexBits ? indexType(data) : known;
    if (!type) {
      std::string text;
      llvm::raw_string_ostream(text) << elementOf(data, element);
      return "there is no conversion of elements of type " + text;
    }
    if (op.empty() || slicesBooleans(step, element) || isUnsignedMinimum(step))
      return "";
    const Operator *entry = findOperator(op);
    if (!entry->inputs.front().types.has(*type))
      return (op + " does not support " + name(*type)).str();
    return whyNotOnCore(device, op, name(*type));
  };
}

std::vector<StepBesideCores>
ascend::besideCores(const Plan &plan, const gather::GatherProblem &problem,
                    Type element, const Device &device) {
  std::vector<StepBesideCores> beside;
  for (auto [i, step] : llvm::enumerate(plan.steps)) {
    const PlanStep &data =
        step.inputs.empty() ? step : plan.steps[step.inputs[0]];
    std::optional<GeType> type =
        data.indexBits ? indexType(data) : geType(element);
    StringRef op = operatorOf(step.kind);
    if (!type || op.empty() || slicesBooleans(step, element))
      continue;
    auto add = [&](StringRef op, int64_t bytes) {
      if (std::string why = whyNotOnCore(device, op, name(*type)); !why.empty())
        beside.push_back({i, std::move(why), bytes});
    };
    if (!isUnsignedMinimum(step)) {
      add(op, gather::bytesMovedBy(plan, i, problem));
      continue;
    }
    int64_t mask = step.size(), bytes = mask * (step.indexBits / 8);
    add("Less", bytes + mask);
    add("SelectV2", mask + 2 * bytes);
  }
  return beside;
}

gather::Planning ascend::planFor(const gather::GatherProblem &problem,
                                 Type element, const PlanOptions &options) {
  const Device &device = *options.device;
  gather::Planning planning =
      gather::planGather(problem, refusals(element, device));
  planning.forced = options.way;
  const gather::Candidate *best = planning.best();
  bool isDone = best && (!options.way || best->strategy == *options.way);
  if (device.coreOperators.empty() || isDone)
    return planning;
  gather::Planning anywhere =
      gather::planGather(problem, refusals(element, devices::ascendAny()));
  anywhere.forced = options.way;
  // Not the forced strategy either: what the cores do is better.
  if (best && anywhere.best()->strategy != *options.way)
    return planning;
  for (auto [candidate, onCores] :
       llvm::zip_equal(anywhere.candidates, planning.candidates))
    if (candidate.feasible)
      candidate.why = onCores.why;
  return anywhere;
}

namespace {
class Emitter {
public:
  Emitter(ImplicitLocOpBuilder &b, Value operand, ValueRange starts,
          bool gatherV2D, SymbolOf symbolOf)
      : b(b), operand(operand), starts(starts), gatherV2D(gatherV2D),
        symbolOf(symbolOf) {}

  Value emit(const PlanStep &step);
  SmallVector<Value> done;
  /// The plan uses only some of the scalar start indices, so only these are
  /// packed.
  bool packsParts = false;

private:
  Value in(const PlanStep &step, size_t i) const {
    return done[step.inputs[i]];
  }
  DynamicShape shape(const PlanStep &step) const {
    DynamicShape out;
    for (const SymbolicExtent &extent : step.shape) {
      out.push_back(DynamicExtent::of(extent.known()));
      for (SymbolicExtent::Symbol symbol : extent.symbols())
        out.back() = out.back() * symbolOf(symbol);
    }
    return out;
  }
  RankedTensorType type(const PlanStep &step) const {
    return RankedTensorType::get(
        sizesOf(shape(step)),
        elementOf(step, typeOf(operand).getElementType()));
  }
  Value limit(const PlanStep &step);
  Value startTensor(const PlanStep &step, size_t first = 0);
  Value sliced(const PlanStep &step, Value offsets);
  Value gatherV2(const PlanStep &step);

  ImplicitLocOpBuilder &b;
  Value operand;
  ValueRange starts;
  bool gatherV2D;
  SymbolOf symbolOf;
};
} // namespace

/// The start indices as one tensor: unchanged, or some of the scalars of a
/// dynamic_slice.
Value Emitter::startTensor(const PlanStep &step, size_t first) {
  if (starts.size() == 1 &&
      typeOf(starts[0]).getRank() == int64_t(step.shape.size()))
    return starts[0];
  size_t count = step.shape[0].number();
  return PackOp::create(b, type(step), starts.slice(first, count), /*axis=*/0,
                        count);
}

/// The limit of a minimum or a maximum: one number, or one for each column.
Value Emitter::limit(const PlanStep &step) {
  Type element = type(step).getElementType();
  if (step.values.size() == 1)
    return constantScalar(b, element, step.values[0]);
  return constantInts(
      b, RankedTensorType::get({(int64_t)step.values.size()}, element),
      step.values);
}

/// Requires: a slice with constant offsets takes unknown extents whole.
Value Emitter::sliced(const PlanStep &step, Value offsets) {
  Value x = in(step, 0);
  bool isBoolean = slicesBooleans(step, typeOf(operand).getElementType());
  if (isBoolean)
    x = cast(b, x, b.getI8Type());
  RankedTensorType to = type(step);
  Value part;
  if (to.hasStaticShape() || step.kind == StepKind::Slice)
    part = slice(b, x, offsets, to.getShape());
  else
    part = SliceOp::create(b, typeOf(x).clone(to.getShape()), x, offsets,
                           shapeVector(b, shape(step)));
  return isBoolean ? cast(b, part, b.getI1Type()) : part;
}

/// GatherV2D has its axis as an attribute, no batch dimensions and fewer types.
Value Emitter::gatherV2(const PlanStep &step) {
  int64_t axis = step.ints[0], batchDims = step.ints[1];
  std::optional<GeType> element = geType(typeOf(operand).getElementType());
  if (gatherV2D && batchDims == 0 && element &&
      findOperator("GatherV2D")->inputs.front().types.has(*element))
    return GatherV2DOp::create(b, type(step), in(step, 0), in(step, 1), axis);
  return GatherV2Op::create(b, type(step), in(step, 0), in(step, 1),
                            constantScalar(b, b.getI64Type(), axis), batchDims);
}

Value Emitter::emit(const PlanStep &step) {
  switch (step.kind) {
  case StepKind::Operand:
    return operand;
  case StepKind::Starts:
    return packsParts ? Value() : startTensor(step);
  case StepKind::Constant:
    return constantInts(b, type(step), step.values);
  case StepKind::Empty:
    return ConstOp::create(
        b, type(step),
        DenseElementsAttr::get(type(step), ArrayRef<Attribute>()));
  case StepKind::Reshape:
    return reshape(b, in(step, 0), shape(step));
  case StepKind::Transpose:
    return transpose(b, in(step, 0), step.ints);
  case StepKind::Slice:
    if (!in(step, 0))
      return startTensor(step, step.ints[0]);
    return sliced(step, constantVector(b, step.ints));
  case StepKind::DynamicSlice:
    return sliced(step, in(step, 1));
  case StepKind::Broadcast:
    return broadcastTo(b, in(step, 0), shape(step));
  case StepKind::Cast:
    return cast(b, in(step, 0), type(step).getElementType());
  case StepKind::Minimum: {
    Value x = in(step, 0), most = limit(step);
    if (!isUnsignedMinimum(step))
      return MinimumOp::create(b, type(step), x, most);
    Value isBelow = LessOp::create(b, typeOf(x).clone(b.getI1Type()), x, most);
    return SelectV2Op::create(b, type(step), isBelow, x, most);
  }
  case StepKind::Maximum:
    return MaximumOp::create(b, type(step), in(step, 0), limit(step));
  case StepKind::Clamp: {
    Type element = type(step).getElementType();
    return ClipByValueOp::create(b, type(step), in(step, 0),
                                 constantScalar(b, element, step.values[0]),
                                 constantScalar(b, element, step.values[1]));
  }
  case StepKind::Range: {
    DynamicShape to = shape(step);
    DynamicExtent &extent = to[step.ints[0]];
    Type element = type(step).getElementType();
    int64_t first = step.values[0];
    Value start = constantScalar(b, element, first), limit;
    if (extent.isKnown()) {
      limit = constantScalar(b, element, first + extent.known);
    } else {
      limit = extentScalar(b, extent, element);
      if (first != 0)
        limit = AddOp::create(b, limit.getType(), limit, start);
    }
    Value numbers =
        RangeOp::create(b, RankedTensorType::get({extent.size()}, element),
                        start, limit, constantScalar(b, element, 1));
    if (!extent.isKnown())
      extent = extentOf(numbers, 0);
    return reshape(b, numbers, to);
  }
  case StepKind::Multiply:
    return MulOp::create(
        b, type(step), in(step, 0),
        constantScalar(b, type(step).getElementType(), step.values[0]));
  case StepKind::Add:
    return AddOp::create(b, type(step), in(step, 0), in(step, 1));
  case StepKind::Concat: {
    SmallVector<Value> parts;
    for (unsigned input : step.inputs)
      parts.push_back(done[input]);
    return concat(b, parts, (int64_t)step.shape.size() - 1);
  }
  case StepKind::GatherV2:
    return gatherV2(step);
  case StepKind::GatherElements:
    return GatherElementsOp::create(b, type(step), in(step, 0), in(step, 1),
                                    /*dim=*/(int64_t)step.shape.size() - 1);
  case StepKind::GatherNd:
    return GatherNdOp::create(b, type(step), in(step, 0), in(step, 1));
  case StepKind::IndexByTensor: {
    SmallVector<int64_t> mask(step.ints.back() + 1, 0);
    SmallVector<Value> indices;
    for (auto [k, dim] : llvm::enumerate(step.ints)) {
      mask[dim] = 1;
      indices.push_back(in(step, k + 1));
    }
    return IndexByTensorOp::create(b, type(step), in(step, 0), indices, mask);
  }
  }
  return nullptr;
}

Value ascend::emitPlan(ImplicitLocOpBuilder &b, const Plan &plan, Value operand,
                       ValueRange starts, bool gatherV2D, SymbolOf symbolOf) {
  Emitter emitter(b, operand, starts, gatherV2D, symbolOf);
  auto isSliced = [&](const PlanStep &step) {
    return step.kind == StepKind::Slice ||
           llvm::none_of(step.inputs, [&](unsigned input) {
             return plan.steps[input].kind == StepKind::Starts;
           });
  };
  emitter.packsParts = starts.size() > 1 && llvm::all_of(plan.steps, isSliced);
  for (const PlanStep &step : plan.steps)
    emitter.done.push_back(emitter.emit(step));
  return emitter.done.back();
}
