// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Collectives as calls that move data (runtime/Collectives.h), with the computation
/// around them in StableHLO:
///
///   %r = stablehlo.all_reduce(%x) {groups {0, 1}}, add : tensor<4xf32>
///
///   %to = tensor.empty() : tensor<2x4xf32>
///   %all = call @mercator_gather(%x, %to, ..) : tensor<2x4xf32>
///   %r = map(%all[0], %all[1]), add
///
/// What a reduction combines lies in the order of the group, and the program combines
/// it in this order: its bits are those of the specification's interpreter, in every
/// run. Large tensors are cut into a piece for each member, which combines its piece
/// of all tensors; the results are gathered.
///
/// An asynchronous pair runs where it starts. Each function asks once for the number
/// of its process. Operations whose other end is the host stay.

#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/transforms/stablehlo/Passes.h"
#include "mercator/transforms/stablehlo/collectives/Groups.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::stablehlo;

namespace {

using Values = SmallVector<Value>;
using Row = std::vector<int64_t>;

/// The numbers of runtime/Collectives.h.
enum class Code : int64_t {
  AllGather = 1,
  AllReduce = 2,
  AllToAll = 3,
  CollectiveBroadcast = 4,
  CollectivePermute = 5,
  CollectiveReduce = 6,
  CrossReplicaSum = 7,
  Recv = 8,
  ReduceScatter = 9,
  Send = 10,
};

RankedTensorType tensorOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Without a layout, which does not change the elements.
RankedTensorType plain(RankedTensorType type) {
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

/// The bytes of an element in memory; 0 for a type that is not exchanged.
int64_t elementBytesOf(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * elementBytesOf(complex.getElementType());
  if (!element.isIntOrFloat())
    return 0;
  return (element.getIntOrFloatBitWidth() + 7) / 8;
}

/// The calls of a module.
class Exchanger {
public:
  Exchanger(ModuleOp module, const ProcessCounts &grid)
      : module(module), grid(grid), symbols(module),
        b(module.getLoc(), module.getContext()) {}

  LogicalResult run();

private:
  // Operations. Each creates the values that replace the results, or fails after an
  // error.
  FailureOr<Values> exchange(Operation *op);
  FailureOr<Values> allGather(AllGatherOp op);
  FailureOr<Values> allReduce(Operation *op, Code code, Region *body);
  FailureOr<Values> reduceScatter(ReduceScatterOp op);
  FailureOr<Values> allToAll(AllToAllOp op);
  FailureOr<Values> tupleAllToAll(Operation *op);
  FailureOr<Values> broadcast(CollectiveBroadcastOp op);
  FailureOr<Values> collectiveReduce(CollectiveReduceOp op);
  FailureOr<Values> permute(CollectivePermuteOp op);
  FailureOr<Values> send(SendOp op);
  FailureOr<Values> receive(RecvOp op);
  FailureOr<Values> id(Operation *op);
  LogicalResult finishAsync(AsyncStartOp start);

  // Data.
  LogicalResult check(Operation *op);
  Values header(Code code, Operation *op, Type element);
  Values grouped(Code code, Operation *op, Type element,
                 const ProcessGroups &groups);
  Values paired(Code code, Operation *op, Type element,
                ArrayRef<std::pair<int64_t, int64_t>> pairs);
  Value call(StringRef name, ValueRange operands, RankedTensorType result,
             ValueRange numbers);
  Value callInto(StringRef name, ValueRange operands, Value to,
                 ValueRange numbers);
  Value gather(Code code, Operation *op, Value x, const ProcessGroups &groups);

  // Computation.
  Value number(int64_t value);
  Value ofType(Value tensor, Type type);
  Value reshape(Value tensor, ArrayRef<int64_t> shape);
  Value transpose(Value tensor, ArrayRef<int64_t> order);
  Value rowOf(Value rows, int64_t i);
  Value combine(Value rows, Region *body, Type element,
                const ProcessGroups &groups);
  Value combineTwo(Value first, Value second, Region *body, Type element);
  Value reduceHalves(Code code, Operation *op, Value x, Region *body,
                     Type element, const ProcessGroups &groups);
  Value reduce(Code code, Operation *op, Value x, Region *body,
               const ProcessGroups &groups);
  Value process();
  Value lookUp(ArrayRef<int64_t> table);
  Value isAtMost(Value x, Value y, ComparisonDirection direction);
  Value zeros(RankedTensorType type);
  /// The value where the scalar is true, else zeros.
  Value orZeros(Value isGiven, Value value);
  Value rootOf(Operation *op, size_t i, const ProcessGroups &groups);
  /// By process: its place in its group, or -1.
  [[nodiscard]] Row placesOf(const ProcessGroups &groups) const;

  ModuleOp module;
  ProcessCounts grid;
  SymbolTable symbols;
  ImplicitLocOpBuilder b;
  llvm::DenseMap<Operation *, Value> processes; ///< by function
  llvm::DenseMap<std::pair<Attribute, Type>, func::FuncOp> functions;
};

} // namespace

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

LogicalResult Exchanger::check(Operation *op) {
  for (Type type :
       llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                SmallVector<Type>(op->getResultTypes()))) {
    if (isa<TokenType>(type))
      continue;
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape() ||
        elementBytesOf(tensor.getElementType()) == 0)
      return op->emitOpError()
             << "expected tensors of numbers and of known extents, to exchange "
                "them between processes, got "
             << type;
  }
  return success();
}

Value Exchanger::number(int64_t value) {
  return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
}

Values Exchanger::header(Code code, Operation *op, Type element) {
  return {number(int64_t(code)), number(channelOf(op)),
          number(elementBytesOf(element))};
}

Values Exchanger::grouped(Code code, Operation *op, Type element,
                          const ProcessGroups &groups) {
  Values numbers = header(code, op, element);
  numbers.push_back(number(int64_t(groups.groups.size())));
  for (const Row &group : groups.groups) {
    numbers.push_back(number(int64_t(group.size())));
    for (int64_t member : group)
      numbers.push_back(number(member));
  }
  return numbers;
}

Values Exchanger::paired(Code code, Operation *op, Type element,
                         ArrayRef<std::pair<int64_t, int64_t>> pairs) {
  Values numbers = header(code, op, element);
  numbers.push_back(number(int64_t(pairs.size())));
  for (auto [source, target] : pairs) {
    numbers.push_back(number(source));
    numbers.push_back(number(target));
  }
  return numbers;
}

/// Null without a result.
Value Exchanger::call(StringRef name, ValueRange operands,
                      RankedTensorType result, ValueRange numbers) {
  Value to;
  if (result)
    to = tensor::EmptyOp::create(b, result.getShape(), result.getElementType());
  return callInto(name, operands, to, numbers);
}

/// The result is `to` with what the call writes; null without a result.
Value Exchanger::callInto(StringRef name, ValueRange operands, Value to,
                          ValueRange numbers) {
  Values all(operands);
  SmallVector<Type> types;
  if (to) {
    all.push_back(to);
    types.push_back(to.getType());
  }
  llvm::append_range(all, numbers);
  FunctionType type = b.getFunctionType(ValueRange(all).getTypes(), types);
  func::FuncOp &function = functions[{b.getStringAttr(name), type}];
  if (!function) {
    std::string own = name.str();
    for (int64_t suffix = 1; symbols.lookup(own); ++suffix)
      own = (name + "." + Twine(suffix)).str();
    function = func::FuncOp::create(b.getUnknownLoc(), own, type);
    function.setPrivate();
    symbols.insert(function, module.getBody()->end());
  }
  auto made = func::CallOp::create(b, function, all);
  return to ? made.getResult(0) : Value();
}

/// The tensors of a group: [n, shape of x].
Value Exchanger::gather(Code code, Operation *op, Value x,
                        const ProcessGroups &groups) {
  RankedTensorType type = tensorOf(x);
  SmallVector<int64_t> shape = {groups.size()};
  llvm::append_range(shape, type.getShape());
  return call("mercator_gather", x,
              RankedTensorType::get(shape, type.getElementType()),
              grouped(code, op, type.getElementType(), groups));
}

//===----------------------------------------------------------------------===//
// Computation
//===----------------------------------------------------------------------===//

/// The same elements, with or without a layout, or converted.
Value Exchanger::ofType(Value tensor, Type wanted) {
  auto type = cast<RankedTensorType>(wanted);
  if (tensorOf(tensor).getElementType() != type.getElementType())
    tensor = ConvertOp::create(b,
                               TypeRange{RankedTensorType::get(
                                   type.getShape(), type.getElementType())},
                               ValueRange{tensor});
  if (tensor.getType() == type)
    return tensor;
  return hlo::CopyOp::create(b, type, tensor);
}

Value Exchanger::reshape(Value tensor, ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, tensorOf(tensor).getElementType());
  if (type == tensor.getType())
    return tensor;
  return ReshapeOp::create(b, TypeRange{type}, ValueRange{tensor});
}

Value Exchanger::transpose(Value tensor, ArrayRef<int64_t> order) {
  if (llvm::is_sorted(order))
    return tensor;
  SmallVector<int64_t> shape;
  for (int64_t dim : order)
    shape.push_back(tensorOf(tensor).getDimSize(unsigned(dim)));
  return TransposeOp::create(
      b,
      TypeRange{
          RankedTensorType::get(shape, tensorOf(tensor).getElementType())},
      ValueRange{tensor},
      b.getNamedAttr("permutation", I64ArrayAttr::get(b.getContext(), order)));
}

/// Row `i`, without its dimension.
Value Exchanger::rowOf(Value rows, int64_t i) {
  RankedTensorType type = tensorOf(rows);
  SmallVector<int64_t> starts(size_t(type.getRank()), 0),
      limits(type.getShape()), strides(size_t(type.getRank()), 1);
  starts[0] = i;
  limits[0] = i + 1;
  SmallVector<int64_t> shape(type.getShape());
  shape[0] = 1;
  auto array = [&](ArrayRef<int64_t> values) {
    return I64ArrayAttr::get(b.getContext(), values);
  };
  Value row = SliceOp::create(
      b, TypeRange{RankedTensorType::get(shape, type.getElementType())},
      ValueRange{rows},
      ArrayRef<NamedAttribute>{b.getNamedAttr("start_indices", array(starts)),
                               b.getNamedAttr("limit_indices", array(limits)),
                               b.getNamedAttr("strides", array(strides))});
  return reshape(row, type.getShape().drop_front());
}

Value Exchanger::zeros(RankedTensorType type) {
  Value zero = ConstantOp::create(
      b, cast<ElementsAttr>(
             b.getZeroAttr(RankedTensorType::get({}, type.getElementType()))));
  return BroadcastInDimOp::create(
      b, TypeRange{plain(type)}, ValueRange{zero},
      b.getNamedAttr("broadcast_dimensions",
                     I64ArrayAttr::get(b.getContext(), {})));
}

Value Exchanger::orZeros(Value isGiven, Value value) {
  return SelectOp::create(b, TypeRange{value.getType()},
                          ValueRange{isGiven, value, zeros(tensorOf(value))});
}

/// The number of this process, asked at the beginning of the function.
Value Exchanger::process() {
  auto function =
      b.getInsertionBlock()->getParentOp()->getParentOfType<func::FuncOp>();
  if (auto own = dyn_cast<func::FuncOp>(b.getInsertionBlock()->getParentOp()))
    function = own;
  Value &known = processes[function];
  if (known)
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&function.getBody().front());
  auto type = RankedTensorType::get({}, b.getI32Type());
  if (grid.size() == 1)
    return known =
               ConstantOp::create(b, DenseElementsAttr::get(type, int32_t(0)));
  return known = call("mercator_process", {}, type,
                      {number(0), number(0), number(4)});
}

/// The element of a table, by the number of this process: tensor<i64>.
Value Exchanger::lookUp(ArrayRef<int64_t> table) {
  auto scalar = RankedTensorType::get({}, b.getI64Type());
  if (llvm::all_equal(table))
    return ConstantOp::create(b, DenseElementsAttr::get(scalar, table.front()));
  auto type = RankedTensorType::get({int64_t(table.size())}, b.getI64Type());
  Value all = ConstantOp::create(b, DenseElementsAttr::get(type, table));
  Value own = DynamicSliceOp::create(
      b, TypeRange{RankedTensorType::get({1}, b.getI64Type())},
      ValueRange{all, process()},
      b.getNamedAttr("slice_sizes", I64ArrayAttr::get(b.getContext(), {1})));
  return reshape(own, {});
}

Row Exchanger::placesOf(const ProcessGroups &groups) const {
  Row places(size_t(grid.size()), -1);
  for (const Row &group : groups.groups)
    for (auto [place, member] : llvm::enumerate(group))
      places[size_t(member)] = int64_t(place);
  return places;
}

Value Exchanger::isAtMost(Value x, Value y, ComparisonDirection direction) {
  return CompareOp::create(
      b, TypeRange{RankedTensorType::get({}, b.getI1Type())}, ValueRange{x, y},
      b.getNamedAttr("comparison_direction",
                     ComparisonDirectionAttr::get(b.getContext(), direction)));
}

/// Combined by the body; a sum without one.
Value Exchanger::combineTwo(Value first, Value second, Region *body,
                            Type element) {
  auto own = RankedTensorType::get(tensorOf(first).getShape(), element);
  Value value = ofType(first, own), next = ofType(second, own);
  if (!body)
    return AddOp::create(b, TypeRange{own}, ValueRange{value, next})
        ->getResult(0);
  SmallVector<int64_t> dims(
      llvm::to_vector(llvm::seq<int64_t>(0, own.getRank())));
  auto map = MapOp::create(
      b, TypeRange{own}, ValueRange{value, next},
      b.getNamedAttr("dimensions", I64ArrayAttr::get(b.getContext(), dims)));
  IRMapping mapping;
  body->cloneInto(&map->getRegion(0), mapping);
  return map->getResult(0);
}

/// The rows, combined from the first to the last by the body; a sum without one. In a
/// group that is smaller than others, the last rows do not exist.
Value Exchanger::combine(Value rows, Region *body, Type element,
                         const ProcessGroups &groups) {
  RankedTensorType type = tensorOf(rows);
  ArrayRef<int64_t> shape = type.getShape().drop_front();
  auto own = RankedTensorType::get(shape, element);
  Value size;
  if (!groups.isRegular()) {
    Row sizes(size_t(grid.size()), 0);
    for (const Row &group : groups.groups)
      for (int64_t member : group)
        sizes[size_t(member)] = int64_t(group.size());
    size = lookUp(sizes);
  }
  Value value = ofType(rowOf(rows, 0), own);
  for (int64_t i = 1; i < type.getDimSize(0); ++i) {
    Value both = combineTwo(value, rowOf(rows, i), body, element);
    if (size) {
      Value place = ConstantOp::create(
          b,
          DenseElementsAttr::get(RankedTensorType::get({}, b.getI64Type()), i));
      both = SelectOp::create(
          b, TypeRange{own},
          ValueRange{isAtMost(place, size, ComparisonDirection::LT), both,
                     value});
    }
    value = both;
  }
  return value;
}

/// Above this, each member combines one piece. Each has then to wait twice, but moves
/// 2 (n - 1) / n tensors in place of n - 1.
static bool isInPieces(int64_t bytes, int64_t members) {
  constexpr int64_t kOfTwo = 512 << 10, kOfMore = 96 << 10;
  return members > 1 && bytes > (members == 2 ? kOfTwo : kOfMore);
}

/// The combination of the tensors of a group of two, of an even number of elements.
/// Each member combines the half of its place, and writes it where it lies in the
/// result:
///
///   %other = call @mercator_scatter_others(%x, ..)
///   %half = if (this process is the first) {
///     insert(body(%x[first half], %other), %result, first half)
///   } else {
///     insert(body(%other, %x[second half]), %result, second half)
///   }
///   %all = call @mercator_gather_others(%half, ..)
Value Exchanger::reduceHalves(Code code, Operation *op, Value x, Region *body,
                              Type element, const ProcessGroups &groups) {
  RankedTensorType type = tensorOf(x);
  int64_t total = type.getNumElements(), chunk = total / 2;
  auto whole = RankedTensorType::get({total}, element);
  Value other = call("mercator_scatter_others", x,
                     RankedTensorType::get({chunk}, type.getElementType()),
                     grouped(code, op, type.getElementType(), groups));
  Value first = lookUp(Row(size_t(grid.size()), 0)),
        second = lookUp(Row(size_t(grid.size()), chunk));
  Row places = placesOf(groups);
  Value isFirst = isAtMost(lookUp(places), first, ComparisonDirection::EQ);
  Value to = tensor::EmptyOp::create(b, whole.getShape(), element);
  auto choice = IfOp::create(b, TypeRange{whole}, ValueRange{isFirst});
  for (bool isOfFirst : {true, false}) {
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&choice->getRegion(isOfFirst ? 0 : 1));
    Value own = rowOf(reshape(x, {2, chunk}), isOfFirst ? 0 : 1);
    Value half = isOfFirst ? combineTwo(own, other, body, element)
                           : combineTwo(other, own, body, element);
    Value made = DynamicUpdateSliceOp::create(
        b, TypeRange{whole}, ValueRange{to, half, isOfFirst ? first : second});
    ReturnOp::create(b, ValueRange{made});
  }
  return callInto("mercator_gather_others", {}, choice->getResult(0),
                  grouped(code, op, element, groups));
}

/// The combination of the tensors of a group, at all members.
Value Exchanger::reduce(Code code, Operation *op, Value x, Region *body,
                        const ProcessGroups &groups) {
  RankedTensorType type = tensorOf(x);
  Type element = type.getElementType();
  if (body)
    element =
        cast<RankedTensorType>(body->getArgument(0).getType()).getElementType();
  int64_t size = groups.size(), total = type.getNumElements();
  int64_t bytes = total * elementBytesOf(type.getElementType());
  if (!groups.isRegular() || !isInPieces(bytes, size))
    return combine(gather(code, op, x, groups), body, element, groups);
  if (size == 2 && total % 2 == 0)
    return reshape(
        reduceHalves(code, op, reshape(x, {total}), body, element, groups),
        type.getShape());
  int64_t chunk = (total + size - 1) / size;
  Value rows = call("mercator_scatter", reshape(x, {total}),
                    RankedTensorType::get({size, chunk}, type.getElementType()),
                    grouped(code, op, type.getElementType(), groups));
  Value piece = combine(rows, body, element, groups);
  Value whole =
      call("mercator_gather", piece, RankedTensorType::get({total}, element),
           grouped(code, op, element, groups));
  return reshape(whole, type.getShape());
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> insertedAt(ArrayRef<int64_t> shape, int64_t dim,
                                       int64_t extent) {
  SmallVector<int64_t> made(shape);
  made.insert(made.begin() + dim, extent);
  return made;
}

/// 1, .., dim, 0, dim + 1, ..: dimension 0 goes before dimension `dim` of the others.
static SmallVector<int64_t> sinkFirst(int64_t rank, int64_t dim) {
  SmallVector<int64_t> order;
  for (int64_t i = 1; i < rank; ++i)
    order.push_back(i);
  order.insert(order.begin() + dim, 0);
  return order;
}

/// Dimension `dim` goes to the front.
static SmallVector<int64_t> raiseToFront(int64_t rank, int64_t dim) {
  SmallVector<int64_t> order = {dim};
  for (int64_t i = 0; i < rank; ++i)
    if (i != dim)
      order.push_back(i);
  return order;
}

FailureOr<Values> Exchanger::allGather(AllGatherOp op) {
  FailureOr<ProcessGroups> groups = groupsOf(op, grid);
  if (failed(groups))
    return failure();
  int64_t dim = op.getAllGatherDim(), size = groups->size();
  Values results;
  for (auto [operand, result] : llvm::zip(op.getOperands(), op.getResults())) {
    Value x = ofType(operand, plain(tensorOf(operand)));
    SmallVector<int64_t> shape(tensorOf(x).getShape());
    shape[size_t(dim)] *= size;
    if (ArrayRef<int64_t>(shape) != tensorOf(result).getShape())
      return op.emitOpError()
             << "expected a result of " << size << " x "
             << tensorOf(x).getDimSize(unsigned(dim)) << " along dimension "
             << dim << ", for the " << size << " processes of a group, got "
             << result.getType();
    Value all = gather(Code::AllGather, op, x, *groups);
    all = transpose(all, sinkFirst(tensorOf(all).getRank(), dim));
    results.push_back(ofType(reshape(all, shape), result.getType()));
  }
  return results;
}

FailureOr<Values> Exchanger::allReduce(Operation *op, Code code, Region *body) {
  FailureOr<ProcessGroups> groups = groupsOf(op, grid);
  if (failed(groups))
    return failure();
  Values results;
  for (auto [operand, result] :
       llvm::zip(op->getOperands(), op->getResults())) {
    Value x = ofType(operand, plain(tensorOf(operand)));
    results.push_back(
        ofType(reduce(code, op, x, body, *groups), result.getType()));
  }
  return results;
}

FailureOr<Values> Exchanger::reduceScatter(ReduceScatterOp op) {
  FailureOr<ProcessGroups> groups = groupsOf(op, grid);
  if (failed(groups))
    return failure();
  int64_t dim = op.getScatterDimension(), size = groups->size();
  Value x = ofType(op.getOperand(), plain(op.getOperand().getType()));
  RankedTensorType type = tensorOf(x);
  int64_t extent = type.getDimSize(unsigned(dim));
  SmallVector<int64_t> part(type.getShape());
  part[size_t(dim)] = extent / size;
  if (extent % size != 0 || ArrayRef<int64_t>(part) != op.getType().getShape())
    return op.emitOpError()
           << "expected a result of " << extent << " / " << size
           << " along dimension " << dim << ", for the " << size
           << " processes of a group, got " << op.getType();
  Value pieces = reshape(x, insertedAt(part, dim, size));
  pieces = transpose(pieces, raiseToFront(type.getRank() + 1, dim));
  Value rows =
      call("mercator_scatter", pieces, tensorOf(pieces),
           grouped(Code::ReduceScatter, op, type.getElementType(), *groups));
  Region &body = op.getComputation();
  Type element =
      cast<RankedTensorType>(body.getArgument(0).getType()).getElementType();
  return Values{ofType(combine(rows, &body, element, *groups), op.getType())};
}

FailureOr<Values> Exchanger::allToAll(AllToAllOp op) {
  FailureOr<ProcessGroups> groups = groupsOf(op, grid);
  if (failed(groups))
    return failure();
  int64_t split = op.getSplitDimension(), concat = op.getConcatDimension(),
          size = groups->size();
  if (op.getSplitCount() != uint64_t(size))
    return op.emitOpError()
           << "expected `split_count` to be " << size
           << ", the processes of a group, got " << op.getSplitCount();
  Values results;
  for (auto [operand, result] : llvm::zip(op.getOperands(), op.getResults())) {
    Value x = ofType(operand, plain(tensorOf(operand)));
    SmallVector<int64_t> part(tensorOf(x).getShape());
    part[size_t(split)] /= size;
    Value pieces = reshape(x, insertedAt(part, split, size));
    pieces = transpose(pieces, raiseToFront(tensorOf(pieces).getRank(), split));
    Value rows = call(
        "mercator_scatter", pieces, tensorOf(pieces),
        grouped(Code::AllToAll, op, tensorOf(x).getElementType(), *groups));
    Value all = transpose(rows, sinkFirst(tensorOf(rows).getRank(), concat));
    results.push_back(
        ofType(reshape(all, tensorOf(result).getShape()), result.getType()));
  }
  return results;
}

/// HLO's form with a tuple: operand k goes to member k.
FailureOr<Values> Exchanger::tupleAllToAll(Operation *op) {
  FailureOr<ProcessGroups> groups = groupsOf(op, grid);
  if (failed(groups))
    return failure();
  auto tuple = op->getNumResults() == 1
                   ? dyn_cast<TupleType>(op->getResult(0).getType())
                   : TupleType();
  SmallVector<Type> types(tuple ? SmallVector<Type>(tuple.getTypes())
                                : SmallVector<Type>(op->getResultTypes()));
  int64_t size = groups->size();
  bool isAlike = int64_t(op->getNumOperands()) == size &&
                 int64_t(types.size()) == size && groups->isRegular() &&
                 llvm::all_of(op->getOperands(), [&](Value operand) {
                   auto type = dyn_cast<RankedTensorType>(operand.getType());
                   return type && type.hasStaticShape() &&
                          elementBytesOf(type.getElementType()) > 0 &&
                          plain(type) == plain(tensorOf(op->getOperand(0)));
                 });
  if (!isAlike)
    return op->emitOpError()
           << "expected " << size
           << " operands of one type, for the processes of a group, got "
           << op->getNumOperands();
  RankedTensorType type = plain(tensorOf(op->getOperand(0)));
  Values rows;
  for (Value operand : op->getOperands())
    rows.push_back(
        reshape(ofType(operand, type), insertedAt(type.getShape(), 0, 1)));
  auto all = RankedTensorType::get(insertedAt(type.getShape(), 0, size),
                                   type.getElementType());
  Value whole = size == 1
                    ? rows.front()
                    : Value(ConcatenateOp::create(
                          b, TypeRange{all}, ValueRange(rows),
                          b.getNamedAttr("dimension", b.getI64IntegerAttr(0))));
  Value made =
      call("mercator_scatter", whole, all,
           grouped(Code::AllToAll, op, type.getElementType(), *groups));
  Values results;
  for (auto [i, wanted] : llvm::enumerate(types))
    results.push_back(ofType(rowOf(made, int64_t(i)), wanted));
  if (tuple)
    return Values{TupleOp::create(b, TypeRange{tuple}, ValueRange(results))
                      ->getResult(0)};
  return results;
}

/// The place of the root of tensor `i` in the group, which the last operand has:
/// tensor<i64>. The program fails if it is none.
Value Exchanger::rootOf(Operation *op, size_t i, const ProcessGroups &groups) {
  Value roots = op->getOperands().back();
  Value all = ofType(roots, plain(tensorOf(roots)));
  RankedTensorType scalar = RankedTensorType::get({}, b.getI64Type());
  Value root = rowOf(all, int64_t(i));
  root = ofType(root, scalar);
  Row sizes(size_t(grid.size()), 1);
  for (const Row &group : groups.groups)
    for (int64_t member : group)
      sizes[size_t(member)] = int64_t(group.size());
  Value number = tensor::ExtractOp::create(b, root, ValueRange());
  Value count = tensor::ExtractOp::create(b, lookUp(sizes), ValueRange());
  // A process in no group has no root.
  Value place =
      tensor::ExtractOp::create(b, lookUp(placesOf(groups)), ValueRange());
  Value zero = this->number(0);
  Value holds =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, number, count);
  Value isAlone =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, place, zero);
  cf::AssertOp::create(
      b, arith::OrIOp::create(b, holds, isAlone),
      b.getStringAttr("expected a root below the processes of the group"));
  return root;
}

FailureOr<Values> Exchanger::broadcast(CollectiveBroadcastOp op) {
  FailureOr<ProcessGroups> groups = groupsOf(op, grid, /*mayBeAlone=*/true);
  if (failed(groups))
    return failure();
  Values results;
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    Value operand = op.getOperands()[i];
    Value x = ofType(operand, plain(tensorOf(operand)));
    RankedTensorType type = tensorOf(x);
    if (!op.getHasDynamicRoot()) {
      std::vector<std::pair<int64_t, int64_t>> pairs;
      for (const Row &group : groups->groups)
        for (int64_t member : group)
          pairs.push_back({group.front(), member});
      results.push_back(ofType(call("mercator_permute", x, type,
                                    paired(Code::CollectiveBroadcast, op,
                                           type.getElementType(), pairs)),
                               result.getType()));
      continue;
    }
    Value root = rootOf(op, i, *groups);
    Value all = gather(Code::CollectiveBroadcast, op, x, *groups);
    Values starts = {root};
    Value zero = zeros(RankedTensorType::get({}, b.getI64Type()));
    starts.append(size_t(type.getRank()), zero);
    starts.insert(starts.begin(), all);
    SmallVector<int64_t> shape = insertedAt(type.getShape(), 0, 1);
    Value row = DynamicSliceOp::create(
        b, TypeRange{RankedTensorType::get(shape, type.getElementType())},
        ValueRange(starts),
        b.getNamedAttr("slice_sizes",
                       I64ArrayAttr::get(b.getContext(), shape)));
    row = reshape(row, type.getShape());
    Value isMember =
        isAtMost(zero, lookUp(placesOf(*groups)), ComparisonDirection::LE);
    results.push_back(ofType(orZeros(isMember, row), result.getType()));
  }
  return results;
}

FailureOr<Values> Exchanger::collectiveReduce(CollectiveReduceOp op) {
  FailureOr<ProcessGroups> groups = groupsOf(op, grid, /*mayBeAlone=*/true);
  if (failed(groups))
    return failure();
  Values results;
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    Value operand = op.getOperands()[i];
    Value x = ofType(operand, plain(tensorOf(operand)));
    Value root = op.getHasDynamicRoot()
                     ? rootOf(op, i, *groups)
                     : zeros(RankedTensorType::get({}, b.getI64Type()));
    Value sum =
        reduce(Code::CollectiveReduce, op, x, &op.getComputation(), *groups);
    Value isRoot =
        isAtMost(root, lookUp(placesOf(*groups)), ComparisonDirection::EQ);
    results.push_back(ofType(orZeros(isRoot, sum), result.getType()));
  }
  return results;
}

FailureOr<Values> Exchanger::permute(CollectivePermuteOp op) {
  auto pairs = pairsOf(op, grid);
  if (failed(pairs))
    return failure();
  Value x = ofType(op.getOperand(), plain(op.getOperand().getType()));
  return Values{ofType(call("mercator_permute", x, tensorOf(x),
                            paired(Code::CollectivePermute, op,
                                   tensorOf(x).getElementType(), *pairs)),
                       op.getType())};
}

FailureOr<Values> Exchanger::send(SendOp op) {
  auto pairs = pairsOf(op, grid);
  if (failed(pairs))
    return failure();
  for (Value operand : op.getInputs()) {
    Value x = ofType(operand, plain(tensorOf(operand)));
    call("mercator_send", x, {},
         paired(Code::Send, op, tensorOf(x).getElementType(), *pairs));
  }
  return Values{op.getToken()};
}

FailureOr<Values> Exchanger::receive(RecvOp op) {
  auto pairs = pairsOf(op, grid);
  if (failed(pairs))
    return failure();
  Values results;
  for (Value result : op.getResults()) {
    if (isa<TokenType>(result.getType())) {
      results.push_back(op.getToken());
      continue;
    }
    RankedTensorType type = plain(tensorOf(result));
    results.push_back(
        ofType(call("mercator_receive", {}, type,
                    paired(Code::Recv, op, type.getElementType(), *pairs)),
               result.getType()));
  }
  return results;
}

FailureOr<Values> Exchanger::id(Operation *op) {
  Value own = process();
  RankedTensorType type = tensorOf(own);
  Value partitions = ConstantOp::create(
      b, DenseElementsAttr::get(type, int32_t(grid.partitions)));
  Value made =
      isa<ReplicaIdOp>(op)
          ? DivOp::create(b, TypeRange{type}, ValueRange{own, partitions})
                ->getResult(0)
          : RemOp::create(b, TypeRange{type}, ValueRange{own, partitions})
                ->getResult(0);
  return Values{ofType(made, op->getResult(0).getType())};
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static bool isTupleAllToAll(Operation *op) {
  auto opaque = dyn_cast<hlo::OpaqueOp>(op);
  return opaque && opaque.getOpcode() == "all-to-all" &&
         op->hasAttr("replica_groups");
}

static bool isCollective(Operation *op) {
  if (auto out = dyn_cast<SendOp>(op))
    return !out.getIsHostTransfer();
  if (auto in = dyn_cast<RecvOp>(op))
    return !in.getIsHostTransfer();
  return isa<AllGatherOp, AllReduceOp, AllToAllOp, CollectiveBroadcastOp,
             CollectivePermuteOp, CollectiveReduceOp, CrossReplicaSumOp,
             PartitionIdOp, ReduceScatterOp, ReplicaIdOp>(op) ||
         isTupleAllToAll(op);
}

FailureOr<Values> Exchanger::exchange(Operation *op) {
  if (isTupleAllToAll(op))
    return tupleAllToAll(op);
  if (failed(check(op)))
    return failure();
  if (auto gathered = dyn_cast<AllGatherOp>(op))
    return allGather(gathered);
  if (auto reduced = dyn_cast<AllReduceOp>(op))
    return allReduce(op, Code::AllReduce, &reduced.getComputation());
  if (isa<CrossReplicaSumOp>(op))
    return allReduce(op, Code::CrossReplicaSum, nullptr);
  if (auto scattered = dyn_cast<ReduceScatterOp>(op))
    return reduceScatter(scattered);
  if (auto exchanged = dyn_cast<AllToAllOp>(op))
    return allToAll(exchanged);
  if (auto sent = dyn_cast<CollectiveBroadcastOp>(op))
    return broadcast(sent);
  if (auto reduced = dyn_cast<CollectiveReduceOp>(op))
    return collectiveReduce(reduced);
  if (auto moved = dyn_cast<CollectivePermuteOp>(op))
    return permute(moved);
  if (auto sent = dyn_cast<SendOp>(op))
    return send(sent);
  if (auto received = dyn_cast<RecvOp>(op))
    return receive(received);
  return id(op);
}

/// The body takes the place of the start, and its results that of each end.
LogicalResult Exchanger::finishAsync(AsyncStartOp start) {
  Block &body = start.getBody().front();
  for (auto [argument, operand] :
       llvm::zip(body.getArguments(), start->getOperands()))
    argument.replaceAllUsesWith(operand);
  Values results(body.getTerminator()->getOperands());
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator()))
    op.moveBefore(start);
  SmallVector<Value> futures = {start->getResult(0)};
  while (!futures.empty()) {
    Value future = futures.pop_back_val();
    for (Operation *user : llvm::make_early_inc_range(future.getUsers())) {
      if (auto done = dyn_cast<AsyncDoneOp>(user)) {
        b.setInsertionPoint(done);
        b.setLoc(done.getLoc());
        for (auto [result, value] : llvm::zip(done->getResults(), results))
          result.replaceAllUsesWith(ofType(value, result.getType()));
        done->erase();
      } else if (isa<hlo::CopyOp>(user)) {
        user->getResult(0).replaceAllUsesWith(future);
        futures.push_back(future);
        user->erase();
        break;
      } else {
        return user->emitOpError()
               << "expected the end of an asynchronous operation, and nothing "
                  "else that uses its state";
      }
    }
  }
  start->erase();
  return success();
}

LogicalResult Exchanger::run() {
  SmallVector<AsyncStartOp> starts;
  module.walk([&](AsyncStartOp op) { starts.push_back(op); });
  for (AsyncStartOp op : starts)
    if (failed(finishAsync(op)))
      return failure();
  SmallVector<Operation *> all;
  module.walk([&](Operation *op) {
    // Its body is a program for one device of a mesh.
    if (op->getName().getStringRef() == "sdy.manual_computation")
      return WalkResult::skip();
    if (isCollective(op))
      all.push_back(op);
    return WalkResult::advance();
  });
  for (Operation *op : all) {
    b.setInsertionPoint(op);
    b.setLoc(op->getLoc());
    FailureOr<Values> values = exchange(op);
    if (failed(values))
      return failure();
    op->replaceAllUsesWith(ValueRange(*values));
    op->erase();
  }
  return success();
}

namespace {
class ExchangeCollectives
    : public PassWrapper<ExchangeCollectives, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExchangeCollectives)

  ExchangeCollectives() = default;
  explicit ExchangeCollectives(const ProcessCounts &given) {
    replicas = given.replicas;
    partitions = given.partitions;
  }
  ExchangeCollectives(const ExchangeCollectives &other) : PassWrapper(other) {
    replicas = other.replicas;
    partitions = other.partitions;
  }

  StringRef getArgument() const final {
    return "stablehlo-exchange-collectives";
  }
  StringRef getDescription() const final {
    return "replace collectives by calls that move data between processes";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
                hlo::HloDialect, tensor::TensorDialect>();
  }

  void runOnOperation() override {
    ProcessCounts grid{replicas, partitions};
    if (failed(Exchanger(getOperation(), grid).run()))
      signalPassFailure();
  }

private:
  Option<int64_t> replicas{*this, "replicas",
                           llvm::cl::desc("the number of replicas"),
                           llvm::cl::init(1)};
  Option<int64_t> partitions{*this, "partitions",
                             llvm::cl::desc("the number of partitions"),
                             llvm::cl::init(1)};
};
} // namespace

std::unique_ptr<Pass>
stablehlo::createExchangeCollectives(const ProcessCounts &grid) {
  return std::make_unique<ExchangeCollectives>(grid);
}
