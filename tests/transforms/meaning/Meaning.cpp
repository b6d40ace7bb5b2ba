// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Meaning.h"

#include "mercator/dialects/hal/Hal.h"
#include "mercator/dialects/util/Util.h"
#include "mercator/dialects/util/UtilInterfaces.h"
#include "mercator/reference/AllRules.h"
#include "mercator/reference/core/Numbers.h"
#include "mercator/reference/linalg/Globals.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/Support/MathExtras.h"

#include <bit>
#include <cmath>

using namespace mlir;
using namespace mercator::reference;
using llvm::StringRef;
using mlir::func::FuncOp;

namespace mercator::testing {

using RValue = reference::Value;

/// A value passed to an unknown operation.
struct Meaning::Event {
  std::string name;
  std::vector<Tensor> values;
};

/// All observable effects of a run.
struct Meaning::Outcome {
  std::vector<std::vector<Tensor>> results; // of each call
  std::vector<Event> events;
  std::vector<std::pair<std::string, Tensor>> globals;
};

//===----------------------------------------------------------------------===//
// Random values
//===----------------------------------------------------------------------===//

static Tensor makeTensor(ArrayRef<int64_t> shape, Type element) {
  FailureOr<Tensor> tensor =
      Tensor::zeros(RankedTensorType::get(shape, element), [&] {
        return emitError(UnknownLoc::get(element.getContext()));
      });
  return *tensor;
}

static bool isNumber(Type element) {
  std::optional<Element> known = Element::of(element);
  return known && !known->isComplex() && (element.isIntOrIndexOrFloat());
}

/// NaN, infinity, zeros, the extremes of a type.
static Scalar drawSpecial(const Element &element, std::mt19937_64 &engine) {
  if (element.isReal()) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double numbers[] = {std::numeric_limits<double>::quiet_NaN(),
                                  infinity,
                                  -infinity,
                                  0.0,
                                  -0.0,
                                  1e-40,
                                  -1.0,
                                  3.4e38};
    return Scalar::real(numbers[engine() % std::size(numbers)]);
  }
  const int64_t numbers[] = {0, 1, -1, llvm::minIntN(element.bits),
                             llvm::maxIntN(element.bits)};
  return Scalar::whole(numbers[engine() % std::size(numbers)]);
}

/// Small numbers: integers, which are added and multiplied exactly, or numbers
/// with some digits after the point.
static Tensor drawTensor(ArrayRef<int64_t> shape, Type element, bool isWhole,
                         std::mt19937_64 &engine, bool hasSpecials = false) {
  Tensor tensor = makeTensor(shape, element);
  for (int64_t i = 0; i < tensor.size(); ++i) {
    if (hasSpecials && engine() % 2 != 0) {
      tensor.set(i, drawSpecial(tensor.element(), engine));
      continue;
    }
    auto small = int64_t(engine() % 9) - 4;
    if (!tensor.element().isReal()) {
      tensor.set(i, Scalar::whole(small));
      continue;
    }
    // Representable in f32, so that f64 and f32 begin with the same number.
    double digits = double(int64_t(engine() % 2048) - 1024) / 512;
    tensor.set(i, Scalar::real(isWhole ? double(small) : digits));
  }
  return tensor;
}

static uint64_t seedOf(uint64_t seed, StringRef name, uint64_t number) {
  uint64_t hash = 0xcbf29ce484222325; // FNV-1a, the same on every machine
  for (char c : name)
    hash = (hash ^ uint64_t(uint8_t(c))) * 0x100000001b3;
  return hash ^ (seed * 0x9e3779b97f4a7c15) ^ (number << 32);
}

/// The contents of a buffer view that is only imported with one type.
static RankedTensorType importedType(mlir::Value view) {
  RankedTensorType type;
  for (Operation *user : view.getUsers()) {
    if (user->getName().getStringRef() != "hal.tensor.import")
      continue;
    auto imported = dyn_cast<RankedTensorType>(user->getResult(0).getType());
    if (!imported || (type && type != imported))
      return RankedTensorType();
    type = imported;
  }
  return type;
}

std::optional<std::vector<RValue>>
Meaning::drawArguments(FuncOp function, int attempt, std::string &whyNot) {
  std::mt19937_64 engine(seedOf(options.seed, function.getName(), attempt));
  // Equal extents suit most programs; other programs need different ones.
  static constexpr int64_t extents[] = {4, 0, 0, 0, 3, 8, 4, 5, 6};
  static constexpr int64_t indices[] = {4, 0, 0, 0, 3, 8, 1, 0, 2};
  bool isFree = size_t(attempt) >= std::size(extents) || extents[attempt] == 0;
  int64_t common = int64_t(engine() % 6) + 1;
  auto extent = [&]() -> int64_t {
    if (!isFree)
      return extents[attempt];
    return engine() % 2 ? common : int64_t(engine() % 6) + 1;
  };
  bool isWhole = attempt % 2 == 0;
  std::vector<RValue> arguments;
  for (BlockArgument argument : function.getArguments()) {
    Type type = argument.getType();
    auto shaped = dyn_cast<RankedTensorType>(type);
    if (isa<hal::BufferViewType>(type)) {
      shaped = importedType(argument);
      if (!shaped) {
        whyNot = "a buffer view of which nothing is known";
        return std::nullopt;
      }
    }
    if (auto wanted = function.getArgAttrOfType<IntegerAttr>(
            argument.getArgNumber(), kValueAttribute);
        wanted && type.isIntOrIndex()) {
      Tensor number = makeTensor({}, type);
      number.set(int64_t(0), Scalar::whole(wanted.getInt()));
      arguments.emplace_back(number);
      continue;
    }
    if (isa<IndexType>(type)) {
      Tensor index = makeTensor({}, type);
      int64_t value = isFree ? int64_t(engine() % 8) : indices[attempt];
      index.set(int64_t(0), Scalar::whole(value));
      arguments.emplace_back(index);
      continue;
    }
    if (!shaped && type.isIntOrFloat())
      shaped = RankedTensorType::get({}, type);
    if (!shaped || !isNumber(shaped.getElementType())) {
      llvm::raw_string_ostream(whyNot) << "a parameter of type " << type;
      return std::nullopt;
    }
    SmallVector<int64_t> shape(shaped.getShape());
    if (auto wanted = function.getArgAttrOfType<DenseI64ArrayAttr>(
            argument.getArgNumber(), kShapeAttribute))
      shape.assign(wanted.asArrayRef().begin(), wanted.asArrayRef().end());
    int64_t size = 1;
    for (int64_t &each : shape) {
      if (ShapedType::isDynamic(each))
        each = extent();
      size = each > options.work ? options.work + 1 : size * each;
      if (size > options.work) {
        whyNot = "it takes too long";
        return std::nullopt;
      }
    }
    arguments.emplace_back(drawTensor(shape, shaped.getElementType(), isWhole,
                                      engine, options.hasSpecials));
  }
  return arguments;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static Tensor converted(const Tensor &tensor, Type element) {
  if (tensor.type().getElementType() == element)
    return tensor;
  Tensor result = makeTensor(tensor.shape(), element);
  for (int64_t i = 0; i < tensor.size(); ++i)
    result.set(i, tensor.at(i));
  return result;
}

/// The arguments for a function whose signature passes have changed: narrower
/// floats; the extents of a tensor after it.
static std::optional<std::vector<RValue>>
argumentsFor(FuncOp function, ArrayRef<RValue> arguments, FuncOp original) {
  std::vector<RValue> result;
  size_t next = 0;
  bool isExpanded = function.getNumArguments() > arguments.size();
  for (auto [argument, type] :
       llvm::zip(arguments, original.getArgumentTypes())) {
    if (next >= function.getNumArguments())
      return std::nullopt;
    const Tensor &tensor = *argument.tensor();
    Type wanted = getElementTypeOrSelf(function.getArgumentTypes()[next++]);
    if (wanted != tensor.type().getElementType() &&
        !(isa<FloatType>(wanted) && tensor.element().isReal()) &&
        !isa<hal::BufferViewType>(wanted))
      return std::nullopt;
    result.emplace_back(isa<FloatType>(wanted) ? converted(tensor, wanted)
                                               : tensor);
    auto shaped = dyn_cast<RankedTensorType>(type);
    if (!isExpanded || !shaped)
      continue;
    for (auto [declared, extent] : llvm::zip(shaped.getShape(), tensor.shape()))
      if (ShapedType::isDynamic(declared)) {
        Tensor index = makeTensor({}, IndexType::get(function.getContext()));
        index.set(int64_t(0), Scalar::whole(extent));
        result.emplace_back(index);
        ++next;
      }
  }
  if (next != function.getNumArguments())
    return std::nullopt;
  return result;
}

/// The inverse for results: nothing if the extents after a tensor are not its
/// extents.
static std::optional<std::vector<Tensor>> resultsOf(ArrayRef<RValue> results,
                                                    FuncOp original) {
  std::vector<Tensor> list;
  size_t next = 0;
  bool isExpanded = results.size() > original.getNumResults();
  for (Type type : original.getResultTypes()) {
    if (next >= results.size() || !results[next].tensor())
      return std::nullopt;
    list.push_back(*results[next++].tensor());
    auto shaped = dyn_cast<RankedTensorType>(type);
    if (!isExpanded || !shaped)
      continue;
    SmallVector<int64_t> shape(list.back().shape());
    for (auto [declared, extent] : llvm::zip(shaped.getShape(), shape))
      if (ShapedType::isDynamic(declared) &&
          (next >= results.size() ||
           results[next++].tensor()->scalar().integer != extent))
        return std::nullopt;
  }
  return next == results.size() ? std::optional(std::move(list)) : std::nullopt;
}

std::optional<Meaning::Outcome> Meaning::run(bool isAfter, ArrayRef<Call> calls,
                                             bool second, Failure &failure) {
  ModuleOp module = isAfter ? after : before;
  Limits limits;
  limits.operations = options.work;
  limits.elementOperations = options.work;
  limits.calls = 100;
  Evaluator evaluator(module, allRules(), limits);
  if (second)
    evaluator.setUnwritten({-7.25, 0x3C3C3C3C3C3C3C3C});
  std::string message;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &said) {
    if (message.empty())
      llvm::raw_string_ostream(message) << said;
  });
  auto fail = [&](StringRef otherwise = "it gives no tensor") {
    failure.isUnsupported = evaluator.isUnsupported();
    failure.why = evaluator.isUnsupported()
                      ? evaluator.getWhyUnsupported().str()
                  : evaluator.isOverLimit() ? "it takes too long"
                  : message.empty()         ? otherwise.str()
                                            : "it traps: " + message;
    if (evaluator.isOverLimit())
      failure.isUnsupported = true;
    return std::nullopt;
  };

  Outcome outcome;
  llvm::StringMap<uint64_t> occurrences;
  evaluator.setOpaque([&](Step &step, StringRef name) -> LogicalResult {
    if (step.op->getNumRegions() != 0 ||
        step.op->hasTrait<OpTrait::IsTerminator>())
      return step.unsupported("nothing is known of it");
    Event &event = outcome.events.emplace_back();
    event.name = name.str();
    for (const RValue &operand : step.operands) {
      if (!operand.tensor())
        return step.unsupported("an operand is no tensor");
      event.values.push_back(*operand.tensor());
    }
    auto aware = dyn_cast<util::ShapeAwareOpInterface>(step.op);
    std::mt19937_64 engine(seedOf(options.seed, name, occurrences[name]++));
    for (auto [i, result] : llvm::enumerate(step.results)) {
      Type type = step.op->getResult(i).getType();
      auto shaped = dyn_cast<RankedTensorType>(type);
      if (!shaped && type.isIntOrIndexOrFloat())
        shaped = RankedTensorType::get({}, type);
      if (!shaped || !isNumber(shaped.getElementType()) ||
          (!shaped.hasStaticShape() && !aware))
        return step.unsupported("nothing is known of its results");
      FailureOr<SmallVector<int64_t>> shape = shapeOf(
          step, shaped, aware ? aware.getResultDynamicDims(i) : ValueRange());
      if (mlir::failed(shape) || mlir::failed(step.charge(*shape)))
        return llvm::failure();
      // A demoted program receives the same numbers as the original.
      Tensor drawn = drawTensor(*shape, shaped.getElementType(), true, engine);
      if (isa<IndexType>(shaped.getElementType()))
        for (int64_t at = 0; at < drawn.size(); ++at)
          drawn.set(at, Scalar::whole(std::abs(drawn.at(at).integer)));
      result = drawn;
    }
    return success();
  });

  // Globals without an initial value. The extents that passes store for one
  // have their own names: g__d0, ..
  llvm::StringMap<Tensor> begins;
  for (auto global : module.getOps<util::GlobalOp>()) {
    if (global.getInitialValue())
      continue;
    Type type = global.getType();
    auto shaped = dyn_cast<RankedTensorType>(type);
    if (!shaped && type.isIntOrIndexOrFloat())
      shaped = RankedTensorType::get({}, type);
    if (!shaped || !isNumber(shaped.getElementType()))
      continue;
    std::mt19937_64 engine(seedOf(options.seed, global.getSymName(), 0));
    SmallVector<int64_t> shape(shaped.getShape());
    bool isDynamic = !shaped.hasStaticShape();
    for (int64_t &extent : shape)
      extent = ShapedType::isDynamic(extent) ? 4 : extent;
    auto [owner, dim] = global.getSymName().rsplit("__d");
    uint64_t position = 0;
    auto owning = begins.find(owner);
    Tensor value = drawTensor(shape, shaped.getElementType(), true, engine);
    if (!dim.empty() && !dim.getAsInteger(10, position) &&
        owning != begins.end() && int64_t(position) < owning->second.rank()) {
      value.set(int64_t(0), Scalar::whole(owning->second.dim(position)));
    } else if (!options.globalsHoldSomething && !isDynamic) {
      const Evaluator::Unwritten &held = evaluator.getUnwritten();
      for (int64_t i = 0; i < value.size(); ++i)
        value.set(i, value.element().isReal() ? Scalar::real(held.real)
                                              : Scalar::whole(held.whole));
    }
    begins.insert({global.getSymName(), value});
    evaluator.global(global) = RValue(value);
  }
  if (mlir::failed(initializeGlobals(evaluator)))
    return fail();

  for (Call call : calls) {
    FuncOp function = isAfter ? call.after : call.before;
    std::optional<std::vector<RValue>> arguments =
        argumentsFor(function, call.arguments, call.before);
    if (!arguments) {
      failure = {true, "its signature has changed"};
      return std::nullopt;
    }
    FailureOr<std::vector<RValue>> values =
        evaluator.call(function, *arguments);
    if (mlir::failed(values))
      return fail();
    std::optional<std::vector<Tensor>> results =
        resultsOf(*values, call.before);
    size_t numResults = call.before.getFunctionType().getNumResults();
    if (!results) {
      failure = {!isAfter || values->size() < numResults,
                 "what it gives is not the tensors it gave and their extents"};
      return std::nullopt;
    }
    outcome.results.push_back(std::move(*results));
  }
  for (auto global : module.getOps<util::GlobalOp>())
    if (const std::optional<RValue> &held = evaluator.global(global);
        held && held->tensor())
      outcome.globals.emplace_back(global.getSymName(), *held->tensor());
  return outcome;
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

namespace {

/// The first difference between the outcomes of four runs.
class Difference {
public:
  explicit Difference(Tolerance tolerance) : tolerance(tolerance) {}

  /// Whether the second program's two values refine those of the first.
  void values(const llvm::Twine &where, const Tensor &a, const Tensor &b,
              const Tensor &c, const Tensor &d) {
    if (!text.empty())
      return;
    llvm::raw_string_ostream os(text);
    if (a.shape() != b.shape())
      return; // it depends on unwritten elements
    if (a.shape() != c.shape() || a.shape() != d.shape()) {
      os << where << ": expected " << a.type() << ", got " << c.type();
      return;
    }
    bool isReal = a.element().isReal();
    double largest = 0;
    for (int64_t i = 0; isReal && i < a.size(); ++i)
      if (std::isfinite(a.at(i).re))
        largest = std::fmax(largest, std::fabs(a.at(i).re));
    for (int64_t i = 0; i < a.size(); ++i) {
      if (!same(isReal, a.at(i), b.at(i), -1))
        continue; // undefined
      ++defined;
      Scalar expected = a.at(i);
      if (isReal && c.element().bits < a.element().bits)
        expected = c.element().round(expected);
      for (const Tensor *other : {&c, &d}) {
        double unit = isReal ? std::ldexp(1, -precisionOf(c.element())) : 0,
               apart = tolerance.ulps * unit * std::fmax(largest, 1);
        if (same(isReal, expected, other->at(i),
                 tolerance.ulps == 0 ? -1 : apart))
          continue;
        os << where << ", element " << i << " of " << a.type() << ": expected ";
        show(os, isReal, expected);
        os << ", got ";
        show(os, isReal, other->at(i));
        if (other == &d)
          os << " (it reads what nobody has written)";
        return;
      }
    }
  }

  std::string text;
  /// The number of compared elements.
  int64_t defined = 0;

private:
  static int precisionOf(const Element &element) {
    return int(llvm::APFloat::semanticsPrecision(*element.format));
  }
  static void show(llvm::raw_ostream &os, bool isReal, Scalar value) {
    if (isReal)
      os << value.re;
    else
      os << value.integer;
  }
  /// Negative `apart`: bit for bit.
  static bool same(bool isReal, Scalar a, Scalar b, double apart) {
    if (!isReal)
      return a.integer == b.integer;
    if (std::isnan(a.re) || std::isnan(b.re))
      return std::isnan(a.re) && std::isnan(b.re);
    if (apart < 0)
      return std::bit_cast<uint64_t>(a.re) == std::bit_cast<uint64_t>(b.re);
    return a.re == b.re || std::fabs(a.re - b.re) <= apart;
  }

  Tolerance tolerance;
};

} // namespace

/// Values other than indices: extents appear and disappear with their tensors.
static std::vector<Tensor> withoutIndices(ArrayRef<Tensor> values) {
  std::vector<Tensor> kept;
  for (const Tensor &value : values)
    if (!isa<IndexType>(value.type().getElementType()))
      kept.push_back(value);
  return kept;
}

FunctionVerdict Meaning::compare(StringRef name, ArrayRef<Call> calls) {
  FunctionVerdict verdict{FunctionVerdict::NotRun, name.str(), ""};
  Failure failure;
  std::optional<Outcome> a = run(false, calls, false, failure);
  std::optional<Outcome> b =
      a ? run(false, calls, true, failure) : std::nullopt;
  if (!a || !b) {
    verdict.why = failure.why;
    return verdict;
  }
  std::optional<Outcome> c = run(true, calls, false, failure);
  std::optional<Outcome> d = c ? run(true, calls, true, failure) : std::nullopt;
  if (!c || !d) {
    verdict.kind = failure.isUnsupported ? FunctionVerdict::NotRun
                                         : FunctionVerdict::Differs;
    verdict.why = "after the passes: " + failure.why;
    return verdict;
  }
  Difference difference(options.tolerance);
  for (size_t call = 0; call < calls.size(); ++call)
    for (size_t i = 0; i < a->results[call].size(); ++i)
      difference.values("result #" + llvm::Twine(i), a->results[call][i],
                        b->results[call][i], c->results[call][i],
                        d->results[call][i]);
  bool sameEvents = a->events.size() == c->events.size() &&
                    c->events.size() == d->events.size();
  if (a->events.size() != b->events.size()) {
    verdict.why = "it depends on what nobody has written";
    return verdict;
  }
  for (size_t i = 0; sameEvents && i < a->events.size(); ++i) {
    sameEvents &= a->events[i].name == c->events[i].name;
    std::vector<Tensor> lists[4];
    size_t next = 0;
    for (const Outcome *outcome : {&*a, &*b, &*c, &*d})
      lists[next++] = outcome->events[i].values;
    if (lists[0].size() != lists[2].size())
      for (std::vector<Tensor> &list : lists)
        list = withoutIndices(list);
    sameEvents &= lists[0].size() == lists[2].size();
    for (size_t v = 0; sameEvents && v < lists[0].size(); ++v)
      difference.values("operand #" + llvm::Twine(v) + " of " +
                            a->events[i].name,
                        lists[0][v], lists[1][v], lists[2][v], lists[3][v]);
    ++difference.defined;
  }
  if (!sameEvents && difference.text.empty()) {
    auto names = [](const Outcome &outcome) -> std::string {
      std::string all;
      for (const Event &event : outcome.events)
        all += " " + event.name;
      return all;
    };
    difference.text = "expected the effects" + names(*a) + ", got" + names(*c);
  }
  for (size_t i = 0; i < a->globals.size(); ++i)
    for (size_t j = 0; j < c->globals.size(); ++j)
      if (a->globals[i].first == c->globals[j].first && i < b->globals.size() &&
          j < d->globals.size())
        difference.values("global @" + a->globals[i].first,
                          a->globals[i].second, b->globals[i].second,
                          c->globals[j].second, d->globals[j].second);
  verdict.kind = !difference.text.empty()  ? FunctionVerdict::Differs
                 : difference.defined == 0 ? FunctionVerdict::Silent
                                           : FunctionVerdict::Same;
  verdict.why = difference.text;
  return verdict;
}

std::vector<FunctionVerdict> Meaning::compare() {
  std::vector<FunctionVerdict> verdicts;
  std::vector<Call> all;
  for (auto function : before.getOps<FuncOp>()) {
    if (function.isExternal())
      continue;
    FunctionVerdict verdict{FunctionVerdict::NotRun, function.getName().str(),
                            ""};
    auto other = after.lookupSymbol<FuncOp>(function.getName());
    if (!other || other.isExternal()) {
      verdict.why = "it is gone";
      verdicts.push_back(verdict);
      continue;
    }
    int compared = 0;
    bool takesNothing = function.getNumArguments() == 0;
    for (int attempt = 0;
         attempt < (takesNothing ? 1 : 20) && compared < options.runs &&
         verdict.kind != FunctionVerdict::Differs;
         ++attempt) {
      std::string whyNot;
      std::optional<std::vector<RValue>> arguments =
          drawArguments(function, attempt, whyNot);
      if (!arguments) {
        if (verdict.kind == FunctionVerdict::NotRun)
          verdict.why = whyNot;
        break;
      }
      Call call{function, other, *arguments};
      FunctionVerdict next = compare(function.getName(), call);
      if (next.kind == FunctionVerdict::Silent) {
        if (verdict.kind == FunctionVerdict::NotRun)
          verdict = next;
        break;
      }
      if (next.kind == FunctionVerdict::NotRun) {
        if (verdict.kind == FunctionVerdict::NotRun && verdict.why.empty())
          verdict.why = next.why;
        if (next.why.find("it traps") == std::string::npos)
          break; // other arguments will not help
        continue;
      }
      if (++compared == 1)
        all.push_back(call);
      verdict = next;
    }
    verdicts.push_back(verdict);
  }
  if (!before.getOps<util::GlobalOp>().empty() && !all.empty()) {
    std::vector<Call> twice = all;
    twice.insert(twice.end(), all.begin(), all.end());
    FunctionVerdict verdict = compare("(all)", twice);
    if (verdict.kind == FunctionVerdict::Differs)
      verdicts.push_back(verdict);
  }
  return verdicts;
}

} // namespace mercator::testing
