// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Custom calls that stand for operations, spelled in StableHLO and chlo:
///
///   @TopK                                chlo.top_k, or sort and slice
///   @ApproxTopK                          sort and slice
///   @stablehlo.dynamic_top_k             chlo.top_k, or sort and slice
///   @stablehlo.dynamic_approx_top_k      sort and slice
///   @stablehlo.dynamic_rng_bit_generator rng_bit_generator
///   @stablehlo.dynamic_reduce_window     reduce_window
///
/// The last four take attributes as operands. A random generator or a window
/// whose operands are not constants, or a call whose form is not as XLA's, stays
/// a call; DynamicRandom.cpp and DynamicWindows.cpp lower the former.

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/transforms/chlo/Rewrites.h"
#include "mercator/transforms/stablehlo/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::stablehlo;

namespace {

using Values = SmallVector<Value>;

/// One call while it is spelled.
struct Speller {
  CustomCallOp op;
  ImplicitLocOpBuilder b;

  explicit Speller(CustomCallOp op) : op(op), b(op.getLoc(), op) {}

  /// The values that replace the results; nothing if the call stays.
  std::optional<Values> spell();

private:
  std::optional<Values> topK();
  std::optional<Values> largest(Value operand, int64_t k);
  std::optional<Values> largestUnknown(Value operand, Value k);
  std::optional<Values> approxTopK();
  std::optional<Values> sorted(ValueRange inputs, int64_t dim, int64_t k);
  std::optional<Values> sortedUnknown(ValueRange inputs, int64_t dim, Value k);
  SortOp sort(ValueRange inputs, int64_t dim);
  std::optional<Values> randomBits();
  std::optional<Values> reduceWindow();

  SmallVector<RankedTensorType> given();
  Attribute attribute(StringRef name);
  std::optional<SmallVector<int64_t>> numbers(size_t operand);
  func::FuncOp calledFunction();
  bool copyBody(Region &into, size_t takes, size_t gives);
};

/// The types of the results, or of the members of a single tuple. Empty if one
/// is no tensor.
SmallVector<RankedTensorType> Speller::given() {
  SmallVector<Type> types(op->getResultTypes());
  if (types.size() == 1)
    if (auto tuple = dyn_cast<TupleType>(types[0]))
      types = llvm::to_vector(tuple.getTypes());
  SmallVector<RankedTensorType> tensors;
  for (Type type : types) {
    tensors.push_back(dyn_cast<RankedTensorType>(type));
    if (!tensors.back())
      return {};
  }
  return tensors;
}

Attribute Speller::attribute(StringRef name) {
  if (Attribute own = op->getAttr(name))
    return own;
  auto config = op->getAttrOfType<DictionaryAttr>("mhlo.backend_config");
  return config ? config.get(name) : Attribute();
}

/// Whether this is an integer of rank 0.
bool isNumber(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 0 && type.getElementType().isInteger();
}

/// The elements of an operand that is a constant of integers.
std::optional<SmallVector<int64_t>> Speller::numbers(size_t operand) {
  DenseIntElementsAttr constant;
  if (operand >= op->getNumOperands() ||
      !matchPattern(op->getOperand(operand), m_Constant(&constant)))
    return std::nullopt;
  SmallVector<int64_t> values;
  for (const APInt &value : constant.getValues<APInt>())
    values.push_back(value.sextOrTrunc(64).getSExtValue());
  return values;
}

/// The first function that the call names; null if it names none.
func::FuncOp Speller::calledFunction() {
  ArrayAttr called = op.getCalledComputationsAttr();
  auto name = called && !called.empty() ? dyn_cast<FlatSymbolRefAttr>(called[0])
                                        : FlatSymbolRefAttr();
  return name ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, name)
              : func::FuncOp();
}

/// The body of the function that the call names.
bool Speller::copyBody(Region &into, size_t takes, size_t gives) {
  func::FuncOp function = calledFunction();
  auto areScalars = [](TypeRange types) {
    return llvm::all_of(types, [](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return tensor && tensor.getRank() == 0;
    });
  };
  if (!function || function.isExternal() || !function.getBody().hasOneBlock() ||
      function.getNumArguments() != takes ||
      function.getNumResults() != gives ||
      !areScalars(function.getArgumentTypes()) ||
      !areScalars(function.getResultTypes()))
    return false;
  IRMapping mapping;
  function.getBody().cloneInto(&into, mapping);
  Operation *end = into.front().getTerminator();
  OpBuilder at(end);
  ReturnOp::create(at, end->getLoc(), end->getOperands());
  end->erase();
  return true;
}

std::optional<Values> Speller::largest(Value operand, int64_t k) {
  SmallVector<RankedTensorType> types = given();
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  if (types.size() != 2 || !type || type.getRank() == 0 || k < 0 ||
      !types[1].getElementType().isInteger(32))
    return std::nullopt;
  auto op = chlo::TopKOp::create(b, TypeRange{types[0], types[1]}, operand,
                                 b.getI64IntegerAttr(k), BoolAttr());
  return Values(op->getResults());
}

/// The same for a `k` that is known only at run time.
std::optional<Values> Speller::largestUnknown(Value operand, Value k) {
  SmallVector<RankedTensorType> types = given();
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  if (types.size() != 2 || !type || type.getRank() == 0 || !isNumber(k) ||
      types[0].getRank() != type.getRank() ||
      types[1].getRank() != type.getRank() ||
      !types[1].getElementType().isInteger(32))
    return std::nullopt;
  Values results;
  for (auto [tensor, wanted] :
       llvm::zip(chlo::sortDescending(b, operand), types))
    results.push_back(chlo::firstOf(b, tensor, type.getRank() - 1, k, wanted));
  return results;
}

/// The inputs in the order of the comparator; null if the call names none.
SortOp Speller::sort(ValueRange inputs, int64_t dim) {
  auto sort = SortOp::create(b, inputs.getTypes(), inputs,
                             b.getI64IntegerAttr(dim), b.getBoolAttr(true));
  size_t count = inputs.size();
  // XLA removes unused parameters of the comparator, those of the indices.
  func::FuncOp function = calledFunction();
  bool isOfValues = function && function.getNumArguments() == 2;
  if (copyBody(sort.getComparator(), isOfValues ? 2 : 2 * count, 1)) {
    for (Value input : inputs.drop_front(isOfValues ? 1 : count)) {
      auto element = cast<RankedTensorType>(input.getType()).getElementType();
      for (int side = 0; side < 2; ++side)
        sort.getComparator().addArgument(RankedTensorType::get({}, element),
                                         op.getLoc());
    }
    return sort;
  }
  sort.erase();
  return nullptr;
}

/// The first `k` of each slice along `dim`, where `k` or the shape is known only
/// at run time.
std::optional<Values> Speller::sortedUnknown(ValueRange inputs, int64_t dim,
                                             Value k) {
  SmallVector<RankedTensorType> types = given();
  if (types.size() != inputs.size() || !isNumber(k))
    return std::nullopt;
  for (auto [input, wanted] : llvm::zip(inputs, types)) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    if (!type || dim < 0 || dim >= type.getRank() ||
        wanted.getRank() != type.getRank())
      return std::nullopt;
  }
  SortOp all = sort(inputs, dim);
  if (!all)
    return std::nullopt;
  Values results;
  for (auto [tensor, wanted] : llvm::zip(all->getResults(), types))
    results.push_back(chlo::firstOf(b, tensor, dim, k, wanted));
  return results;
}

/// The first `k` of each slice along `dim`, in the order of the comparator.
std::optional<Values> Speller::sorted(ValueRange inputs, int64_t dim,
                                      int64_t k) {
  SmallVector<RankedTensorType> types = given();
  if (types.size() != inputs.size())
    return std::nullopt;
  for (Value input : inputs) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    if (!type || !type.hasStaticShape() || dim < 0 || dim >= type.getRank() ||
        k < 0 || k > type.getDimSize(unsigned(dim)))
      return std::nullopt;
  }
  SortOp all = sort(inputs, dim);
  if (!all)
    return std::nullopt;
  Values results;
  for (auto [result, wanted] : llvm::zip(all->getResults(), types)) {
    auto type = cast<RankedTensorType>(result.getType());
    SmallVector<int64_t> begin(type.getRank(), 0), end(type.getShape()),
        stride(type.getRank(), 1);
    end[dim] = k;
    results.push_back(SliceOp::create(b, wanted, result, begin, end, stride));
  }
  return results;
}

std::optional<Values> Speller::topK() {
  SmallVector<RankedTensorType> types = given();
  if (types.size() != 2 || op->getNumOperands() < 1 ||
      types[0].getRank() == 0 ||
      ShapedType::isDynamic(types[0].getShape().back()))
    return std::nullopt;
  int64_t k = types[0].getShape().back();
  Value operand = op->getOperand(0);
  if (!op.getCalledComputationsAttr() || op.getCalledComputationsAttr().empty())
    return largest(operand, k);
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  Value places = IotaOp::create(
      b, RankedTensorType::get(type.getShape(), types[1].getElementType()),
      type.getRank() - 1);
  return sorted({operand, places}, type.getRank() - 1, k);
}

std::optional<Values> Speller::approxTopK() {
  SmallVector<RankedTensorType> types = given();
  size_t count = types.size();
  auto dim = dyn_cast_or_null<IntegerAttr>(attribute("reduction_dim"));
  auto top = dyn_cast_or_null<IntegerAttr>(attribute("top_k"));
  auto aggregates = dyn_cast_or_null<BoolAttr>(attribute("aggregate_to_topk"));
  if (count == 0 || op->getNumOperands() < 2 * count || !dim)
    return std::nullopt;
  int64_t along = dim.getInt(), k = 0;
  if (op->getNumOperands() > 2 * count) {
    auto number = numbers(2 * count);
    if (!number)
      return aggregates && !aggregates.getValue()
                 ? std::nullopt
                 : sortedUnknown(op->getOperands().take_front(count), along,
                                 op->getOperand(2 * count));
    if (number->size() != 1)
      return std::nullopt;
    k = number->front();
  } else if (top) {
    k = top.getInt();
  } else {
    return std::nullopt;
  }
  if (aggregates && !aggregates.getValue()) {
    if (along < 0 || along >= types[0].getRank() ||
        types[0].isDynamicDim(unsigned(along)))
      return std::nullopt;
    k = types[0].getDimSize(unsigned(along));
  }
  return sorted(op->getOperands().take_front(count), along, k);
}

std::optional<Values> Speller::randomBits() {
  SmallVector<RankedTensorType> types = given();
  auto algorithm =
      dyn_cast_or_null<RngAlgorithmAttr>(attribute("rng_algorithm"));
  auto shape = numbers(1);
  if (types.size() != 2 || !algorithm || !shape ||
      int64_t(shape->size()) != types[1].getRank())
    return std::nullopt;
  auto known = RankedTensorType::get(*shape, types[1].getElementType());
  if (known != types[1])
    return std::nullopt;
  auto bits = RngBitGeneratorOp::create(
      b, TypeRange{types[0], types[1]}, ValueRange{op->getOperand(0)},
      b.getNamedAttr("rng_algorithm", algorithm));
  return Values(bits->getResults());
}

std::optional<Values> Speller::reduceWindow() {
  SmallVector<RankedTensorType> types = given();
  size_t count = types.size();
  if (count == 0 || op->getNumOperands() != 2 * count + 5)
    return std::nullopt;
  SmallVector<int64_t> lists[5];
  for (size_t i = 0; i < 5; ++i) {
    auto list = numbers(2 * count + i);
    if (!list)
      return std::nullopt;
    lists[i] = *list;
  }
  auto array = [&](size_t i) {
    return I64ArrayAttr::get(b.getContext(), lists[i]);
  };
  size_t rank = types[0].getRank();
  if (lists[0].size() != rank || lists[4].size() != 2 * rank)
    return std::nullopt;
  auto padding = DenseIntElementsAttr::get(
      RankedTensorType::get({int64_t(rank), 2}, b.getI64Type()),
      ArrayRef<int64_t>(lists[4]));
  OperationState state(b.getLoc(), ReduceWindowOp::getOperationName());
  state.addOperands(op->getOperands().take_front(2 * count));
  state.addTypes(SmallVector<Type>(types.begin(), types.end()));
  state.addAttribute("window_dimensions", array(0));
  state.addAttribute("window_strides", array(1));
  state.addAttribute("base_dilations", array(2));
  state.addAttribute("window_dilations", array(3));
  state.addAttribute("padding", padding);
  state.addRegion();
  auto window = cast<ReduceWindowOp>(b.create(state));
  if (!copyBody(window.getBody(), 2 * count, count)) {
    window.erase();
    return std::nullopt;
  }
  return Values(window->getResults());
}

std::optional<Values> Speller::spell() {
  StringRef target = op.getCallTargetName();
  if (target == "TopK")
    return topK();
  if (target == "ApproxTopK" || target == "stablehlo.dynamic_approx_top_k")
    return approxTopK();
  if (target == "stablehlo.dynamic_rng_bit_generator")
    return randomBits();
  if (target == "stablehlo.dynamic_reduce_window")
    return reduceWindow();
  if (target == "stablehlo.dynamic_top_k" && op->getNumOperands() == 2) {
    if (auto k = numbers(1); k && k->size() == 1)
      return largest(op->getOperand(0), k->front());
    return largestUnknown(op->getOperand(0), op->getOperand(1));
  }
  return std::nullopt;
}

class SpellCustomCalls
    : public PassWrapper<SpellCustomCalls, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SpellCustomCalls)

  StringRef getArgument() const final { return "stablehlo-spell-custom-calls"; }
  StringRef getDescription() const final {
    return "replace custom calls that stand for operations of StableHLO";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<chlo::ChloDialect>();
  }

  void runOnOperation() override {
    SmallVector<CustomCallOp> calls;
    getOperation().walk([&](CustomCallOp op) { calls.push_back(op); });
    for (CustomCallOp op : calls) {
      Speller speller(op);
      std::optional<Values> values = speller.spell();
      if (!values)
        continue;
      if (op->getNumResults() == 1 &&
          isa<TupleType>(op->getResult(0).getType()))
        values = Values{TupleOp::create(speller.b, op->getResultTypes(),
                                        ValueRange(*values))
                            ->getResult(0)};
      op->replaceAllUsesWith(*values);
      op->erase();
    }
  }
};

} // namespace

std::unique_ptr<Pass> stablehlo::createSpellCustomCalls() {
  return std::make_unique<SpellCustomCalls>();
}
