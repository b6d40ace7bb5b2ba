// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/SumCode.h"
#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"
#include "mercator/targets/cpu/kernels/SumOrder.h"
#include "mercator/targets/cpu/machine/Buffers.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>
#include <functional>

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

namespace {
/// A result that is combined from terms.
struct Sum {
  unsigned init;
  Operation *combine; ///< of the body
  mlir::Value term;   ///< the operand of `combine` that is no accumulator
  Type type;          ///< of accumulators
};

struct Reduction {
  mutable linalg::LinalgOp op; ///< its methods are not const
  SmallVector<Sum> sums;
  SmallVector<unsigned> others; ///< inits with an element for each term
  SmallVector<unsigned> parallel, reduced; ///< dimensions, without the columns
  std::optional<unsigned> columns;
  SumOrder order;

  static std::optional<Reduction> of(linalg::LinalgOp op);

private:
  bool findSums();
  [[nodiscard]] bool canBeColumns(unsigned dim) const;
};
} // namespace

//===----------------------------------------------------------------------===//
// What is a reduction
//===----------------------------------------------------------------------===//

/// The element that changes no other one: -0 for sums, since 0 + -0 is 0.
static Attribute identityOf(OpBuilder &builder, Operation *combine, Type type) {
  auto real = [&](double value) -> Attribute {
    return builder.getFloatAttr(type, value);
  };
  auto whole = [&](const APInt &value) -> Attribute {
    return builder.getIntegerAttr(type, value);
  };
  if (isa<arith::AddFOp>(combine))
    return real(-0.0);
  if (isa<arith::MulFOp>(combine))
    return real(1);
  auto own = dyn_cast<FloatType>(type);
  // Formats without infinities have other codes for what is lowest.
  bool hasInfinity = own && APFloat::semanticsHasInf(own.getFloatSemantics());
  if (hasInfinity && isa<arith::MaximumFOp, arith::MaxNumFOp>(combine))
    return real(-INFINITY);
  if (hasInfinity && isa<arith::MinimumFOp, arith::MinNumFOp>(combine))
    return real(INFINITY);
  if (!type.isInteger())
    return {};
  unsigned bits = type.getIntOrFloatBitWidth();
  if (isa<arith::AddIOp, arith::OrIOp, arith::XOrIOp, arith::MaxUIOp>(combine))
    return whole(APInt::getZero(bits));
  if (isa<arith::MulIOp>(combine))
    return whole(APInt(bits, 1));
  if (isa<arith::AndIOp, arith::MinUIOp>(combine))
    return whole(APInt::getAllOnes(bits));
  if (isa<arith::MaxSIOp>(combine))
    return whole(APInt::getSignedMinValue(bits));
  if (isa<arith::MinSIOp>(combine))
    return whole(APInt::getSignedMaxValue(bits));
  return {};
}

/// The type in which a result is accumulated.
static Type accumulatorOf(Operation *combine, Type type) {
  auto own = dyn_cast<FloatType>(type);
  return own && own.getWidth() < 32 && isa<arith::AddFOp>(combine)
             ? Float32Type::get(type.getContext())
             : type;
}

/// Whether the order of terms does not matter.
static bool isExactSum(const Sum &sum) {
  return isa<IntegerType>(sum.type) ||
         isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MinimumFOp,
             arith::MinNumFOp>(sum.combine);
}

bool Reduction::findSums() {
  Block &body = *op.getBlock();
  OpBuilder builder(op->getContext());
  for (OpOperand &init : op.getDpsInitsMutable()) {
    unsigned number = init.getOperandNumber() - op.getNumDpsInputs();
    AffineMap map = op.getMatchingIndexingMap(&init);
    bool dependsOnTerm = llvm::any_of(
        reduced, [&](unsigned dim) { return map.isFunctionOfDim(dim); });
    if (dependsOnTerm) {
      if (!map.isPermutation())
        return false;
      others.push_back(number);
      continue;
    }
    BlockArgument own = op.getMatchingBlockArgument(&init);
    Operation *combine =
        body.getTerminator()->getOperand(number).getDefiningOp();
    if (!combine || combine->getBlock() != &body || !combine->hasOneUse() ||
        !own.hasOneUse() || *own.user_begin() != combine ||
        combine->getNumOperands() != 2 || !map.isProjectedPermutation())
      return false;
    Type type = accumulatorOf(combine, combine->getResult(0).getType());
    if (!isa<complex::AddOp>(combine) && !identityOf(builder, combine, type))
      return false;
    mlir::Value term = combine->getOperand(combine->getOperand(0) == own);
    sums.push_back({number, combine, term, type});
  }
  return !sums.empty();
}

/// Whether results along the dimension can be computed side by side: it is the
/// fastest one of the sums, and of each operand the fastest or none.
bool Reduction::canBeColumns(unsigned dim) const {
  if (!canBeInnermost(op, dim))
    return false;
  bool isUsed = false;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool isPart = movesAlong(op, operand, dim);
    bool isSum =
        op.isDpsInit(&operand) && llvm::none_of(reduced, [&](unsigned r) {
          return map.isFunctionOfDim(r);
        });
    if (isSum && !isPart)
      return false;
    isUsed |= isPart && !isSum;
  }
  return isUsed;
}

std::optional<Reduction> Reduction::of(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumReductionLoops() == 0 ||
      !op.getBlock() ||
      op.getBlock()->getNumArguments() != op->getNumOperands())
    return std::nullopt;
  Reduction own;
  own.op = op;
  SmallVector<int64_t> extents;
  for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool isReduced = kind == utils::IteratorType::reduction;
    (isReduced ? own.reduced : own.parallel).push_back(unsigned(dim));
    int64_t extent = op.getStaticLoopRanges()[dim];
    if (isReduced)
      extents.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
  }
  if (!own.findSums())
    return std::nullopt;
  AffineMap result =
      op.getMatchingIndexingMap(op.getDpsInitOperand(own.sums.front().init));
  if (result.getNumResults() != 0) {
    unsigned last = result.getDimPosition(result.getNumResults() - 1);
    if (own.canBeColumns(last)) {
      own.columns = last;
      llvm::erase(own.parallel, last);
    }
  }
  bool isExact = !own.columns && llvm::all_of(own.sums, isExactSum);
  own.order = isExact ? SumOrder::ofExact(extents) : SumOrder::of(extents);
  return own;
}

bool cpu::isReduction(linalg::LinalgOp op) {
  return Reduction::of(op).has_value();
}

std::optional<unsigned> cpu::columnsOf(linalg::LinalgOp op) {
  std::optional<Reduction> own = Reduction::of(op);
  return own ? own->columns : std::nullopt;
}

std::optional<Division> cpu::chooseReductionDivision(linalg::LinalgOp op) {
  constexpr int64_t kEnough = 8;
  std::optional<Reduction> own = Reduction::of(op);
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (!own || llvm::any_of(extents, ShapedType::isDynamic) ||
      llvm::is_contained(extents, 0))
    return std::nullopt;
  int64_t parts = partsFor(costOf(op)), most = 1;
  for (unsigned dim : own->parallel)
    most = std::max(most, extents[dim]);
  if (parts > 1 && most >= std::min(parts, kEnough))
    return chooseDivision(op, own->columns);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Steps whose terms are added to the accumulators at a time: those of columns are many;
/// of a result alone, a node.
static constexpr int64_t kTogether = 4;

namespace {
using Values = SmallVector<mlir::Value>;

class SumEmitter {
public:
  SumEmitter(Reduction reduction, const Machine &machine)
      : own(std::move(reduction)), machine(machine), order(own.order),
        builder(own.op), loc(own.op->getLoc()), at(own.op.getNumLoops()) {}

  void run();

private:
  /// The part that this code is in, and their number.
  struct Part {
    mlir::Value number;
    int64_t count = 1;
  };
  using Body = llvm::function_ref<void(mlir::Value)>;

  [[nodiscard]] bool hasColumns() const { return own.columns.has_value(); }
  [[nodiscard]] bool isFew() const { return order.nodes.front() != order.kFan; }
  mlir::Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  void loop(mlir::Value from, mlir::Value to, mlir::Value step, Body body);
  void loop(mlir::Value to, Body body) { loop(index(0), to, index(1), body); }
  void loops(ArrayRef<unsigned> dims, llvm::function_ref<void()> body);
  mlir::Value least(mlir::Value a, mlir::Value b) {
    return arith::MinSIOp::create(builder, loc, a, b);
  }

  void chooseColumns();
  Part enclosingPart();
  Block *stackOf(Part part);
  Values allocate(Part part, unsigned level);
  Values placeOf(mlir::Value lane, mlir::Value column);
  void forAccumulators(llvm::function_ref<void(ArrayRef<mlir::Value>)> body);
  void clear(ArrayRef<mlir::Value> into);
  void copy(ArrayRef<mlir::Value> from, ArrayRef<mlir::Value> into);
  void addTo(ArrayRef<mlir::Value> from, ArrayRef<mlir::Value> into);

  mlir::Value combine(const Sum &sum, mlir::Value a, mlir::Value b);
  mlir::Value convert(mlir::Value value, Type type);
  Values indicesOf(AffineMap map);
  Values point();
  Values pointIf(mlir::Value condition);
  void addPoint(ArrayRef<mlir::Value> into, mlir::Value lane,
                mlir::Value condition = {});
  void addLanes(ArrayRef<mlir::Value> into, mlir::Value first,
                mlir::Value count);
  void step(mlir::Value number, ArrayRef<mlir::Value> into);
  [[nodiscard]] bool joinsSteps();
  [[nodiscard]] int64_t together() {
    return hasColumns() ? kTogether : SumOrder::kFan;
  }
  void setTerm(mlir::Value number, mlir::Value lane);
  [[nodiscard]] bool readsByColumns(OpOperand &input);
  void fetch(int64_t later, int64_t cacheBytes, unsigned level);
  void stepsTogether(mlir::Value number, ArrayRef<mlir::Value> into);
  void setReduced(ArrayRef<unsigned> dims, mlir::Value number);
  void node(unsigned level, mlir::Value from, mlir::Value to,
            ArrayRef<mlir::Value> into);
  mlir::Value treeOf(const Sum &sum, mlir::Value from, mlir::Value column);
  void finish(ArrayRef<mlir::Value> from);

  void tiles(int64_t parts, llvm::function_ref<void(Part)> body, Part part);
  [[nodiscard]] bool computesMuch();
  void fewTerms(Part part, ArrayRef<mlir::Value> into);
  void whole(Part part);
  void byNodes(unsigned level, int64_t parts);
  Values partialOf(ArrayRef<mlir::Value> partials, mlir::Value node);

  Reduction own;
  const Machine &machine;
  const SumOrder &order;
  OpBuilder builder;
  Location loc;
  Values at; ///< the current point: a value for each loop
  SmallVector<mlir::Value> extents;
  mlir::Value firstColumn, width; ///< of the current tile
  int64_t mostColumns = 1;        ///< of a tile
  SmallVector<Values> levels;     ///< the accumulators of each level
};
} // namespace

void SumEmitter::loop(mlir::Value from, mlir::Value to, mlir::Value step,
                      Body body) {
  auto made = scf::ForOp::create(builder, loc, from, to, step);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(made.getBody());
  body(made.getInductionVar());
  hoistSame(made);
}

void SumEmitter::loops(ArrayRef<unsigned> dims,
                       llvm::function_ref<void()> body) {
  if (dims.empty())
    return body();
  loop(extents[dims.front()], [&](mlir::Value i) {
    at[dims.front()] = i;
    loops(dims.drop_front(), body);
  });
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

static int64_t bytesOf(Type type) {
  return isa<ComplexType>(type)
             ? 2 * bytesOf(cast<ComplexType>(type).getElementType())
             : std::max<int64_t>(1, elementBytes(type));
}

/// The accumulators of level 0 stay in the first-level cache.
void SumEmitter::chooseColumns() {
  if (!hasColumns())
    return;
  constexpr int64_t kBytes = 16 * 1024, kUnit = 16;
  int64_t bytes = 0;
  for (const Sum &sum : own.sums)
    bytes += order.lanes * bytesOf(sum.type);
  mostColumns = std::max(kUnit, kBytes / bytes / kUnit * kUnit);
  int64_t extent = own.op.getStaticLoopRanges()[*own.columns];
  if (!ShapedType::isDynamic(extent))
    mostColumns = std::min(mostColumns, extent);
}

SumEmitter::Part SumEmitter::enclosingPart() {
  scf::ForOp outermost;
  for (auto loop = own.op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    if (loop->hasAttr(kParallel))
      outermost = loop;
  if (!outermost)
    return {};
  auto from = getConstantIntValue(outermost.getLowerBound()),
       to = getConstantIntValue(outermost.getUpperBound()),
       step = getConstantIntValue(outermost.getStep());
  assert(from && to && step && "parallel loops have known bounds");
  mlir::Value number = arith::SubIOp::create(
      builder, loc, outermost.getInductionVar(), index(*from));
  number = arith::DivUIOp::create(builder, loc, number, index(*step));
  return {number, (*to - *from + *step - 1) / *step};
}

/// The block whose stack a part uses.
Block *SumEmitter::stackOf(Part part) {
  Block *block = &own.op->getParentOfType<func::FuncOp>().getBody().front();
  if (!part.number)
    return block;
  Operation *loop = builder.getInsertionBlock()->getParentOp();
  for (; loop && !isa<func::FuncOp>(loop); loop = loop->getParentOp())
    if (loop->hasAttr(kParallel))
      block = &loop->getRegion(0).front();
  return block;
}

/// Accumulators of one level, for each sum: of level 0 on the stack of the part.
Values SumEmitter::allocate(Part part, unsigned level) {
  Values made;
  Block *entry = &own.op->getParentOfType<func::FuncOp>().getBody().front();
  for (const Sum &sum : own.sums) {
    SmallVector<int64_t> shape{order.lanes};
    if (hasColumns())
      shape.push_back(mostColumns);
    OpBuilder::InsertionGuard guard(builder);
    if (level == 0 || !hasColumns()) {
      builder.setInsertionPointToStart(stackOf(part));
      made.push_back(memref::AllocaOp::create(builder, loc,
                                              MemRefType::get(shape, sum.type),
                                              builder.getI64IntegerAttr(64)));
      continue;
    }
    SmallVector<int64_t> all = shape;
    all.insert(all.begin(), part.count);
    mlir::Value memory;
    {
      OpBuilder::InsertionGuard inner(builder);
      builder.setInsertionPointToStart(entry);
      memory =
          memref::AllocOp::create(builder, loc, MemRefType::get(all, sum.type),
                                  builder.getI64IntegerAttr(64));
    }
    made.push_back(memory);
  }
  if (level == 0 || !hasColumns())
    return made;
  for (mlir::Value &memory : made) {
    ArrayRef<int64_t> all = cast<MemRefType>(memory.getType()).getShape();
    SmallVector<OpFoldResult> offsets(all.size(), builder.getIndexAttr(0)),
        sizes, strides(all.size(), builder.getIndexAttr(1));
    offsets[0] = part.number ? OpFoldResult(part.number) : offsets[0];
    for (int64_t extent : all)
      sizes.push_back(builder.getIndexAttr(extent));
    sizes[0] = builder.getIndexAttr(1);
    auto view = memref::SubViewOp::inferRankReducedResultType(
        all.drop_front(), cast<MemRefType>(memory.getType()), offsets, sizes,
        strides);
    memory = memref::SubViewOp::create(builder, loc, view, memory, offsets,
                                       sizes, strides);
  }
  return made;
}

Values SumEmitter::placeOf(mlir::Value lane, mlir::Value column) {
  Values place{lane};
  if (hasColumns())
    place.push_back(column);
  return place;
}

/// The body for the place of each accumulator.
void SumEmitter::forAccumulators(
    llvm::function_ref<void(ArrayRef<mlir::Value>)> body) {
  loop(index(order.lanes), [&](mlir::Value lane) {
    if (!hasColumns())
      return body(lane);
    loop(width, [&](mlir::Value column) { body({lane, column}); });
  });
}

void SumEmitter::clear(ArrayRef<mlir::Value> into) {
  forAccumulators([&](ArrayRef<mlir::Value> place) {
    for (auto [sum, memory] : llvm::zip(own.sums, into)) {
      mlir::Value none;
      if (auto type = dyn_cast<ComplexType>(sum.type)) {
        Attribute zero = builder.getFloatAttr(type.getElementType(), -0.0);
        none = complex::ConstantOp::create(builder, loc, type,
                                           builder.getArrayAttr({zero, zero}));
      } else {
        none = arith::ConstantOp::create(
            builder, loc,
            cast<TypedAttr>(identityOf(builder, sum.combine, sum.type)));
      }
      memref::StoreOp::create(builder, loc, none, memory, place);
    }
  });
}

void SumEmitter::copy(ArrayRef<mlir::Value> from, ArrayRef<mlir::Value> into) {
  forAccumulators([&](ArrayRef<mlir::Value> place) {
    for (auto [own, other] : llvm::zip(from, into)) {
      mlir::Value value = memref::LoadOp::create(builder, loc, own, place);
      memref::StoreOp::create(builder, loc, value, other, place);
    }
  });
}

void SumEmitter::addTo(ArrayRef<mlir::Value> from, ArrayRef<mlir::Value> into) {
  forAccumulators([&](ArrayRef<mlir::Value> place) {
    for (auto [sum, own, all] : llvm::zip(own.sums, from, into)) {
      mlir::Value a = memref::LoadOp::create(builder, loc, all, place),
                  b = memref::LoadOp::create(builder, loc, own, place);
      memref::StoreOp::create(builder, loc, combine(sum, a, b), all, place);
    }
  });
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

mlir::Value SumEmitter::combine(const Sum &sum, mlir::Value a, mlir::Value b) {
  IRMapping mapping;
  bool isFirst = sum.combine->getOperand(0) != sum.term;
  OperationState state(loc, sum.combine->getName());
  state.addOperands(isFirst ? ValueRange{a, b} : ValueRange{b, a});
  state.addTypes(a.getType());
  state.addAttributes(sum.combine->getAttrs());
  return builder.create(state)->getResult(0);
}

/// A float of another width.
mlir::Value SumEmitter::convert(mlir::Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (value.getType().getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::TruncFOp::create(builder, loc, type, value);
}

Values SumEmitter::indicesOf(AffineMap map) {
  Values indices;
  for (AffineExpr expr : map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      indices.push_back(at[dim.getPosition()]);
      continue;
    }
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      indices.push_back(index(constant.getValue()));
      continue;
    }
    // Only the loops of this index: at another one there may be no value yet.
    AffineMap one = AffineMap::get(map.getNumDims(), 0, expr);
    Values operands;
    for (unsigned dim = 0; dim < at.size(); ++dim)
      operands.push_back(one.isFunctionOfDim(dim) ? at[dim] : index(0));
    indices.push_back(
        affine::AffineApplyOp::create(builder, loc, one, operands));
  }
  return indices;
}

/// The body at the current point: stores its other results, and gives the term of
/// each sum.
Values SumEmitter::point() {
  linalg::LinalgOp op = own.op;
  Block &body = *op.getBlock();
  IRMapping mapping;
  auto isSum = [&](OpOperand &operand) {
    return op.isDpsInit(&operand) &&
           llvm::any_of(own.sums, [&](const Sum &sum) {
             return sum.init ==
                    operand.getOperandNumber() - op.getNumDpsInputs();
           });
  };
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (argument.use_empty() || isSum(operand))
      continue;
    mlir::Value value = operand.get();
    if (isa<MemRefType>(value.getType()))
      value = memref::LoadOp::create(
          builder, loc, value, indicesOf(op.getMatchingIndexingMap(&operand)));
    mapping.map(argument, value);
  }
  for (Operation &inner : body.without_terminator()) {
    if (llvm::any_of(own.sums,
                     [&](const Sum &sum) { return sum.combine == &inner; }))
      continue;
    if (auto number = dyn_cast<linalg::IndexOp>(inner)) {
      mapping.map(number.getResult(), at[number.getDim()]);
      continue;
    }
    Operation *made = builder.clone(inner, mapping);
    made->walk([&](linalg::IndexOp number) {
      number.replaceAllUsesWith(at[number.getDim()]);
      number.erase();
    });
  }
  for (unsigned other : own.others)
    memref::StoreOp::create(
        builder, loc,
        mapping.lookupOrDefault(body.getTerminator()->getOperand(other)),
        op.getDpsInits()[other],
        indicesOf(op.getMatchingIndexingMap(op.getDpsInitOperand(other))));
  Values terms;
  for (const Sum &sum : own.sums)
    terms.push_back(convert(mapping.lookupOrDefault(sum.term), sum.type));
  return terms;
}

/// The terms of a point if the condition holds; otherwise what changes no sum.
Values SumEmitter::pointIf(mlir::Value condition) {
  SmallVector<Type> types;
  for (const Sum &sum : own.sums)
    types.push_back(sum.type);
  auto made = scf::IfOp::create(builder, loc, types, condition,
                                /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&made.getThenRegion().front());
  scf::YieldOp::create(builder, loc, point());
  // Operations that do not depend on the lane need no condition: the first lane always has
  // a term.
  auto lanes = made->getParentOfType<scf::ForOp>();
  for (Operation &inner :
       llvm::make_early_inc_range(made.thenBlock()->without_terminator()))
    if ((isa<memref::LoadOp>(inner) || isMemoryEffectFree(&inner)) &&
        llvm::all_of(inner.getOperands(), [&](mlir::Value operand) {
          return lanes.isDefinedOutsideOfLoop(operand);
        }))
      inner.moveBefore(made);
  builder.setInsertionPointToStart(&made.getElseRegion().front());
  Values identities;
  for (const Sum &sum : own.sums)
    identities.push_back(arith::ConstantOp::create(
        builder, loc,
        cast<TypedAttr>(identityOf(builder, sum.combine, sum.type))));
  scf::YieldOp::create(builder, loc, identities);
  return Values(made.getResults());
}

void SumEmitter::addPoint(ArrayRef<mlir::Value> into, mlir::Value lane,
                          mlir::Value condition) {
  auto add = [&](mlir::Value column) {
    Values terms = condition ? pointIf(condition) : point(),
           place = placeOf(lane, column);
    for (auto [sum, term, memory] : llvm::zip(own.sums, terms, into)) {
      mlir::Value old = memref::LoadOp::create(builder, loc, memory, place);
      memref::StoreOp::create(builder, loc, combine(sum, old, term), memory,
                              place);
    }
  };
  if (!hasColumns())
    return add({});
  fetch(order.lanes, machine.ownCacheBytes(), 1);
  loop(width, [&](mlir::Value column) {
    at[*own.columns] = arith::AddIOp::create(builder, loc, firstColumn, column);
    add(column);
  });
}

/// Whether the columns of an operand are neighbors in memory, and its rows are terms.
bool SumEmitter::readsByColumns(OpOperand &input) {
  AffineMap map = own.op.getMatchingIndexingMap(&input);
  return isa<MemRefType>(input.get().getType()) &&
         map.isFunctionOfDim(own.reduced.back()) &&
         movesAlong(own.op, input, *own.columns);
}

/// Fetches the tile's columns of the row that is `later` terms after the current one, if
/// the operands are larger than the cache. The pieces of rows are short and far apart, so
/// the processor does not fetch them by itself.
void SumEmitter::fetch(int64_t later, int64_t cacheBytes, unsigned level) {
  int64_t bytes = 0;
  SmallVector<OpOperand *> inputs;
  for (OpOperand *input : own.op.getDpsInputOperands()) {
    if (!readsByColumns(*input))
      continue;
    auto type = cast<MemRefType>(input->get().getType());
    if (!type.hasStaticShape())
      return;
    bytes += type.getNumElements() * bytesOf(type.getElementType());
    inputs.push_back(input);
  }
  if (bytes <= cacheBytes)
    return;
  constexpr int64_t kLine = 64;
  Values here = at;
  unsigned row = own.reduced.back();
  at[row] = least(arith::AddIOp::create(builder, loc, at[row], index(later)),
                  arith::SubIOp::create(builder, loc, extents[row], index(1)));
  for (OpOperand *input : inputs) {
    int64_t step = std::max<int64_t>(
        1, kLine / bytesOf(getElementTypeOrSelf(input->get().getType())));
    loop(index(0), width, index(step), [&](mlir::Value column) {
      at[*own.columns] =
          arith::AddIOp::create(builder, loc, firstColumn, column);
      memref::PrefetchOp::create(
          builder, loc, input->get(),
          indicesOf(own.op.getMatchingIndexingMap(input)), /*isWrite=*/false,
          /*localityHint=*/4 - level, /*isDataCache=*/true);
    });
  }
  at = here;
}

/// The indices of some reduced dimensions from a number that counts their points.
void SumEmitter::setReduced(ArrayRef<unsigned> dims, mlir::Value number) {
  for (unsigned dim : llvm::reverse(dims.drop_front(!dims.empty()))) {
    at[dim] = arith::RemUIOp::create(builder, loc, number, extents[dim]);
    number = arith::DivUIOp::create(builder, loc, number, extents[dim]);
  }
  if (!dims.empty())
    at[dims.front()] = number;
}

/// Terms of a row, from `first` on, to lanes from 0 on. With a mask if they are fewer
/// than the lanes. Then all accumulators are stored: a processor cannot forward a masked
/// store to a load.
void SumEmitter::addLanes(ArrayRef<mlir::Value> into, mlir::Value first,
                          mlir::Value count) {
  auto terms = getConstantIntValue(count);
  bool isPart = terms && *terms < order.lanes && !hasColumns(),
       fills = isPart &&
               llvm::none_of(
                   own.sums,
                   [](const Sum &sum) { return isa<ComplexType>(sum.type); });
  loop(fills ? index(order.lanes) : count, [&](mlir::Value lane) {
    if (isPart)
      setMasked(cast<scf::ForOp>(builder.getBlock()->getParentOp()));
    mlir::Value term = arith::AddIOp::create(builder, loc, first, lane), isTerm;
    setReduced(ArrayRef(own.reduced).take_back(order.rowDims), term);
    if (fills)
      isTerm = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                     lane, count);
    addPoint(into, lane, isTerm);
  });
}

void SumEmitter::step(mlir::Value number, ArrayRef<mlir::Value> into) {
  ArrayRef<unsigned> outerDims = ArrayRef(own.reduced).drop_back(order.rowDims);
  mlir::Value row, inRow = number, lanes = index(order.lanes);
  bool isKnown = order.inner >= 0;
  mlir::Value rowExtent = index(1);
  for (unsigned dim : ArrayRef(own.reduced).take_back(order.rowDims))
    rowExtent = arith::MulIOp::create(builder, loc, rowExtent, extents[dim]);
  mlir::Value stepsOfRow = isKnown ? index(order.rowSteps())
                                   : mlir::Value(arith::CeilDivSIOp::create(
                                         builder, loc, rowExtent, lanes));
  if (!outerDims.empty()) {
    if (isKnown && order.rowSteps() == 1) {
      row = number;
      inRow = index(0);
    } else {
      row = arith::DivUIOp::create(builder, loc, number, stepsOfRow);
      inRow = arith::RemUIOp::create(builder, loc, number, stepsOfRow);
    }
    setReduced(outerDims, row);
  }
  mlir::Value first = arith::MulIOp::create(builder, loc, inRow, lanes);
  if (!isKnown) {
    mlir::Value left = arith::SubIOp::create(builder, loc, rowExtent, first);
    return addLanes(into, first, least(left, lanes));
  }
  int64_t rest = order.inner % order.lanes;
  if (rest == 0)
    return addLanes(into, first, lanes);
  if (order.rowSteps() == 1)
    return addLanes(into, first, index(rest));
  mlir::Value isWhole =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, inRow,
                            index(order.rowSteps() - 1));
  auto made = scf::IfOp::create(builder, loc, isWhole, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&made.getThenRegion().front());
  addLanes(into, first, lanes);
  builder.setInsertionPointToStart(&made.getElseRegion().front());
  addLanes(into, first, index(rest));
}

/// Whether the accumulators and the loop, not the terms, take the time, and all steps, or
/// all but the last one, are whole.
bool SumEmitter::joinsSteps() {
  constexpr unsigned kMostInputs = 2;
  bool isOneRow = size_t(order.rowDims) == own.reduced.size();
  // A maximum takes longer than the loop.
  bool isShort = llvm::all_of(own.sums, [](const Sum &sum) {
    return isa<arith::AddFOp, arith::AddIOp>(sum.combine);
  });
  return (hasColumns() || isShort) && order.inner >= 0 &&
         (isOneRow || order.inner % order.lanes == 0) && own.others.empty() &&
         own.op.getNumDpsInputs() <= kMostInputs && !computesMuch();
}

/// Sets the reduced dimensions to the term of a lane in a whole step.
void SumEmitter::setTerm(mlir::Value number, mlir::Value lane) {
  mlir::Value stepsOfRow = index(order.rowSteps());
  ArrayRef<unsigned> outerDims = ArrayRef(own.reduced).drop_back(order.rowDims);
  if (!outerDims.empty()) {
    setReduced(outerDims,
               arith::DivUIOp::create(builder, loc, number, stepsOfRow));
    number = arith::RemUIOp::create(builder, loc, number, stepsOfRow);
  }
  mlir::Value first =
      arith::MulIOp::create(builder, loc, number, index(order.lanes));
  setReduced(ArrayRef(own.reduced).take_back(order.rowDims),
             arith::AddIOp::create(builder, loc, first, lane));
}

/// Several steps from one on. Their terms are added in a register, so that an
/// accumulator is loaded and stored once for them.
void SumEmitter::stepsTogether(mlir::Value number, ArrayRef<mlir::Value> into) {
  loop(index(order.lanes), [&](mlir::Value lane) {
    SmallVector<Values> points;
    for (int64_t k = 0; k < together(); ++k) {
      setTerm(arith::AddIOp::create(builder, loc, number, index(k)), lane);
      points.push_back(at);
    }
    if (hasColumns())
      for (const Values &where : points) {
        at = where;
        fetch(together() * order.lanes, machine.lastCacheBytes(), 2);
      }
    auto add = [&](mlir::Value column) {
      Values place = placeOf(lane, column), sums;
      for (mlir::Value memory : into)
        sums.push_back(memref::LoadOp::create(builder, loc, memory, place));
      mlir::Value result;
      if (column)
        result = arith::AddIOp::create(builder, loc, firstColumn, column);
      for (const Values &where : points) {
        at = where;
        if (column)
          at[*own.columns] = result;
        Values terms = point();
        for (auto [sum, term, value] : llvm::zip(own.sums, terms, sums))
          value = combine(sum, value, term);
      }
      for (auto [value, memory] : llvm::zip(sums, into))
        memref::StoreOp::create(builder, loc, value, memory, place);
    };
    if (hasColumns())
      loop(width, add);
    else
      add({});
  });
}

/// Adds steps to accumulators of a level.
void SumEmitter::node(unsigned level, mlir::Value from, mlir::Value to,
                      ArrayRef<mlir::Value> into) {
  if (level == 0) {
    mlir::Value next = from;
    if (joinsSteps()) {
      mlir::Value size = index(together()), end = to;
      if (order.inner % order.lanes != 0)
        end = least(to, index(order.inner / order.lanes));
      mlir::Value count = arith::SubIOp::create(builder, loc, end, from);
      mlir::Value rest = arith::RemUIOp::create(builder, loc, count, size);
      next = arith::SubIOp::create(builder, loc, end, rest);
      loop(from, next, size,
           [&](mlir::Value number) { stepsTogether(number, into); });
    }
    return loop(next, to, index(1),
                [&](mlir::Value number) { step(number, into); });
  }
  mlir::Value size = index(order.nodes[level - 1]);
  ArrayRef<mlir::Value> below = levels[level - 1];
  loop(from, to, size, [&](mlir::Value first) {
    mlir::Value end =
        least(arith::AddIOp::create(builder, loc, first, size), to);
    clear(below);
    node(level - 1, first, end, below);
    addTo(below, into);
  });
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Whether a vector in memory is its elements one after the other. Elements of less
/// than a byte have a byte each alone, and are packed in a vector.
static bool isWholeBytes(mlir::Type type) {
  return type.isIntOrFloat() && type.getIntOrFloatBitWidth() % 8 == 0;
}

/// All lanes of an accumulator, halves by halves.
mlir::Value SumEmitter::treeOf(const Sum &sum, mlir::Value from,
                               mlir::Value column) {
  if (!hasColumns() && order.lanes > 1 && isWholeBytes(sum.type)) {
    mlir::Value lanes = vector::LoadOp::create(
        builder, loc, VectorType::get({order.lanes}, sum.type), from, index(0));
    for (int64_t half = order.lanes / 2; half >= 1; half /= 2) {
      auto part = [&](int64_t first) -> mlir::Value {
        return vector::ExtractStridedSliceOp::create(builder, loc, lanes,
                                                     {first}, {half}, {1});
      };
      lanes = combine(sum, part(0), part(half));
    }
    return vector::ExtractOp::create(builder, loc, lanes, ArrayRef<int64_t>{0});
  }
  Values lanes;
  for (int64_t lane = 0; lane < order.lanes; ++lane)
    lanes.push_back(memref::LoadOp::create(builder, loc, from,
                                           placeOf(index(lane), column)));
  while (lanes.size() > 1) {
    size_t half = lanes.size() / 2;
    for (size_t lane = 0; lane < half; ++lane)
      lanes[lane] = combine(sum, lanes[lane], lanes[lane + half]);
    lanes.truncate(half);
  }
  return lanes.front();
}

/// Combines the results with their accumulators.
void SumEmitter::finish(ArrayRef<mlir::Value> from) {
  auto add = [&](mlir::Value column) {
    for (auto [sum, memory] : llvm::zip(own.sums, from)) {
      OpOperand *init = own.op.getDpsInitOperand(sum.init);
      Values place = indicesOf(own.op.getMatchingIndexingMap(init));
      mlir::Value old =
          memref::LoadOp::create(builder, loc, init->get(), place);
      mlir::Value all =
          combine(sum, convert(old, sum.type), treeOf(sum, memory, column));
      memref::StoreOp::create(builder, loc, convert(all, old.getType()),
                              init->get(), place);
    }
  };
  if (!hasColumns())
    return add({});
  loop(width, [&](mlir::Value column) {
    at[*own.columns] = arith::AddIOp::create(builder, loc, firstColumn, column);
    add(column);
  });
}

/// The body for each tile of columns, in parallel parts if there are several.
void SumEmitter::tiles(int64_t parts, llvm::function_ref<void(Part)> body,
                       Part part) {
  if (!hasColumns())
    return body(part);
  mlir::Value all = extents[*own.columns];
  auto extent = getConstantIntValue(all);
  if (extent && *extent == mostColumns) {
    firstColumn = index(0);
    width = all;
    return body(part);
  }
  auto tile = [&](mlir::Value first, Part part) {
    firstColumn = first;
    width = extent && *extent % mostColumns == 0
                ? index(mostColumns)
                : least(arith::SubIOp::create(builder, loc, all, first),
                        index(mostColumns));
    body(part);
  };
  if (parts > 1) {
    int64_t count = (*extent + mostColumns - 1) / mostColumns;
    return forEachPart(builder, loc, count, [&](mlir::Value number) {
      tile(arith::MulIOp::create(builder, loc, number, index(mostColumns)),
           Part{number, count});
    });
  }
  loop(index(0), all, index(mostColumns),
       [&](mlir::Value first) { tile(first, part); });
}

/// Whether a term costs so much that it should be computed in vectors.
bool SumEmitter::computesMuch() {
  return llvm::any_of(*own.op.getBlock(), [](Operation &inner) {
    return isa<math::MathDialect>(inner.getDialect());
  });
}

/// Adds few terms, one after another. Expensive terms are computed before, for a
/// row at a time: a loop that adds cannot have vectors.
void SumEmitter::fewTerms(Part part, ArrayRef<mlir::Value> into) {
  constexpr int64_t kLeast = 4;
  unsigned last = own.reduced.back();
  int64_t extent = own.op.getStaticLoopRanges()[last];
  if (hasColumns() || extent < kLeast || !computesMuch())
    return loops(own.reduced, [&] { addPoint(into, index(0)); });
  Values terms;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(stackOf(part));
    for (const Sum &sum : own.sums)
      terms.push_back(memref::AllocaOp::create(
          builder, loc, MemRefType::get({extent}, sum.type),
          builder.getI64IntegerAttr(64)));
  }
  loops(ArrayRef(own.reduced).drop_back(), [&] {
    loop(extents[last], [&](mlir::Value i) {
      at[last] = i;
      for (auto [term, memory] : llvm::zip(point(), terms))
        memref::StoreOp::create(builder, loc, term, memory, i);
    });
    loop(extents[last], [&](mlir::Value i) {
      for (auto [sum, memory, all] : llvm::zip(own.sums, terms, into)) {
        mlir::Value a = memref::LoadOp::create(builder, loc, all, index(0)),
                    b = memref::LoadOp::create(builder, loc, memory, i);
        memref::StoreOp::create(builder, loc, combine(sum, a, b), all,
                                index(0));
      }
    });
  });
}

/// All results of the columns of a tile.
void SumEmitter::whole(Part part) {
  levels.clear();
  for (unsigned level = 0; level < order.nodes.size(); ++level)
    levels.push_back(allocate(part, level));
  loops(own.parallel, [&] {
    const Values &top = levels.back();
    clear(top);
    if (isFew()) {
      fewTerms(part, top);
    } else {
      mlir::Value steps = index(1), lanes = index(order.lanes);
      for (unsigned dim : ArrayRef(own.reduced).take_back(order.rowDims))
        steps = arith::MulIOp::create(builder, loc, steps, extents[dim]);
      steps = arith::CeilDivSIOp::create(builder, loc, steps, lanes);
      for (unsigned dim : ArrayRef(own.reduced).drop_back(order.rowDims))
        steps = arith::MulIOp::create(builder, loc, steps, extents[dim]);
      node(unsigned(order.nodes.size()) - 1, index(0), steps, top);
    }
    finish(top);
  });
}

/// The accumulators of a node at the current point and tile.
Values SumEmitter::partialOf(ArrayRef<mlir::Value> partials, mlir::Value node) {
  Values views;
  for (mlir::Value memory : partials) {
    auto type = cast<MemRefType>(memory.getType());
    ArrayRef<int64_t> all = type.getShape();
    size_t outer = 1 + own.parallel.size();
    SmallVector<OpFoldResult> offsets(all.size(), builder.getIndexAttr(0)),
        sizes(all.size(), builder.getIndexAttr(1)),
        strides(all.size(), builder.getIndexAttr(1));
    offsets[0] = node;
    for (auto [i, dim] : llvm::enumerate(own.parallel))
      offsets[1 + i] = at[dim];
    sizes[outer] = builder.getIndexAttr(order.lanes);
    SmallVector<int64_t> shape{order.lanes};
    if (hasColumns()) {
      offsets[outer + 1] = firstColumn;
      auto constant = getConstantIntValue(width);
      sizes[outer + 1] = constant
                             ? OpFoldResult(builder.getIndexAttr(*constant))
                             : OpFoldResult(width);
      shape.push_back(constant ? *constant : ShapedType::kDynamic);
    }
    auto view = memref::SubViewOp::inferRankReducedResultType(
        shape, type, offsets, sizes, strides);
    views.push_back(memref::SubViewOp::create(builder, loc, view, memory,
                                              offsets, sizes, strides));
  }
  return views;
}

/// Divides the nodes of a level: first their accumulators, then the levels above.
void SumEmitter::byNodes(unsigned level, int64_t parts) {
  int64_t count = order.count(level);
  Block *entry = &own.op->getParentOfType<func::FuncOp>().getBody().front();
  Values partials;
  for (const Sum &sum : own.sums) {
    SmallVector<int64_t> shape{count};
    SmallVector<int64_t> ranges = own.op.getStaticLoopRanges();
    for (unsigned dim : own.parallel)
      shape.push_back(ranges[dim]);
    shape.push_back(order.lanes);
    if (hasColumns())
      shape.push_back(ranges[*own.columns]);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry);
    partials.push_back(memref::AllocOp::create(builder, loc,
                                               MemRefType::get(shape, sum.type),
                                               builder.getI64IntegerAttr(64)));
  }
  int64_t pieces = std::min(parts, count);
  mlir::Value steps = index(order.steps()), size = index(order.nodes[level]);
  forEachPart(builder, loc, pieces, [&](mlir::Value number) {
    Part part{number, pieces};
    levels.clear();
    for (unsigned below = 0; below <= level; ++below)
      levels.push_back(allocate(part, below));
    PartRange range = rangeOfPart(builder, loc, number, count, pieces);
    loop(range.begin, range.end, index(1), [&](mlir::Value place) {
      mlir::Value from = arith::MulIOp::create(builder, loc, place, size);
      mlir::Value to =
          least(arith::AddIOp::create(builder, loc, from, size), steps);
      loops(own.parallel, [&] {
        tiles(
            1,
            [&](Part) {
              Values into = partialOf(partials, place);
              const Values &sums = levels.back();
              clear(sums);
              node(level, from, to, sums);
              copy(sums, into);
            },
            part);
      });
    });
  });
  // The levels above: the steps are nodes.
  SumOrder all = order;
  levels.clear();
  for (unsigned above = level + 1; above < all.nodes.size(); ++above)
    levels.push_back(allocate({}, above));
  if (levels.empty()) // one node
    return;
  std::function<void(unsigned, mlir::Value, mlir::Value, const Values &)>
      addNodes = [&](unsigned above, mlir::Value from, mlir::Value to,
                     const Values &into) {
        if (above == level + 1)
          return loop(from, to, index(1), [&](mlir::Value place) {
            addTo(partialOf(partials, place), into);
          });
        mlir::Value size = index(all.nodes[above - 1] / all.nodes[level]);
        const Values &below = levels[above - level - 2];
        loop(from, to, size, [&](mlir::Value first) {
          mlir::Value end =
              least(arith::AddIOp::create(builder, loc, first, size), to);
          clear(below);
          addNodes(above - 1, first, end, below);
          addTo(below, into);
        });
      };
  loops(own.parallel, [&] {
    tiles(1,
          [&](Part) {
            clear(levels.back());
            addNodes(unsigned(all.nodes.size()) - 1, index(0), index(count),
                     levels.back());
            finish(levels.back());
          },
          {});
  });
}

void SumEmitter::run() {
  linalg::LinalgOp op = own.op;
  for (Range range : op.createLoopRanges(builder, loc))
    extents.push_back(
        getValueOrCreateConstantIndexOp(builder, loc, range.size));
  chooseColumns();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  bool isKnown = llvm::none_of(ranges, ShapedType::isDynamic) &&
                 !llvm::is_contained(ranges, 0);
  Part part = enclosingPart();
  int64_t parts = isKnown && !part.number ? partsFor(costOf(op)) : 1;
  constexpr int64_t kEnough = 8;
  int64_t wanted = std::min(parts, kEnough);
  int64_t tileCount =
      hasColumns() && isKnown
          ? (ranges[*own.columns] + mostColumns - 1) / mostColumns
          : 1;
  unsigned level = 0;
  if (isKnown)
    while (level + 1 < order.nodes.size() && order.count(level + 1) >= wanted)
      ++level;
  bool hasNodes = isKnown && order.count(level) >= 2;
  if (parts > 1 && tileCount < wanted && hasNodes)
    byNodes(level, parts);
  else
    tiles(std::min(parts, tileCount), [&](Part part) { whole(part); }, part);
  op->erase();
}

void cpu::emitSums(func::FuncOp kernel, const Machine &machine) {
  SmallVector<linalg::LinalgOp> operations;
  kernel.walk([&](linalg::LinalgOp op) { operations.push_back(op); });
  for (linalg::LinalgOp op : operations)
    if (std::optional<Reduction> reduction = Reduction::of(op))
      SumEmitter(std::move(*reduction), machine).run();
}
