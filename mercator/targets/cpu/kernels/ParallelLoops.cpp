// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/ParallelLoops.h"
#include "mercator/targets/cpu/kernels/BufferArguments.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mercator;

int64_t cpu::partsFor(double operations) {
  constexpr double kEach = 256 * 1024;
  return std::clamp<int64_t>(int64_t(operations / kEach), 1, 64);
}

void cpu::forEachPart(OpBuilder &builder, Location loc, int64_t parts,
                      llvm::function_ref<void(mlir::Value)> body) {
  mlir::Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  if (parts == 1)
    return body(zero);
  mlir::Value one = arith::ConstantIndexOp::create(builder, loc, 1),
              end = arith::ConstantIndexOp::create(builder, loc, parts);
  auto loop = scf::ForOp::create(builder, loc, zero, end, one);
  loop->setAttr(kParallel, builder.getUnitAttr());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

mlir::Value cpu::workerOf(OpBuilder &builder, Location loc, mlir::Value part) {
  if (getConstantIntValue(part))
    return part;
  auto made = UnrealizedConversionCastOp::create(
      builder, loc, builder.getI64Type(), ValueRange(part));
  made->setAttr(cpu::kWorker, builder.getUnitAttr());
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    made.getResult(0));
}

mlir::Value cpu::allocateForWorkers(OpBuilder &builder, Location loc,
                                    MemRefType type, int64_t workers) {
  auto memory = memref::AllocOp::create(builder, loc, type,
                                        builder.getI64IntegerAttr(64));
  if (workers > 1)
    memory->setAttr(kWorkers, builder.getI64IntegerAttr(workers));
  return memory;
}

mlir::Value cpu::localMemory(OpBuilder &builder, Location loc, mlir::Value part,
                             int64_t parts, ArrayRef<int64_t> shape,
                             Type element, int64_t padding) {
  SmallVector<int64_t> all(shape);
  all.insert(all.begin(), parts);
  all.back() += padding;
  mlir::Value memory;
  {
    OpBuilder::InsertionGuard guard(builder);
    auto function = part.getParentRegion()->getParentOfType<func::FuncOp>();
    builder.setInsertionPointToStart(&function.getBody().front());
    memory =
        allocateForWorkers(builder, loc, MemRefType::get(all, element), parts);
  }
  SmallVector<OpFoldResult> offsets(all.size(), builder.getIndexAttr(0)), sizes,
      strides(all.size(), builder.getIndexAttr(1));
  offsets[0] = workerOf(builder, loc, part);
  sizes.push_back(builder.getIndexAttr(1));
  for (int64_t extent : shape)
    sizes.push_back(builder.getIndexAttr(extent));
  auto view = memref::SubViewOp::inferRankReducedResultType(
      shape, cast<MemRefType>(memory.getType()), offsets, sizes, strides);
  auto piece = memref::SubViewOp::create(builder, loc, view, memory, offsets,
                                         sizes, strides);
  if (!getConstantIntValue(offsets[0]))
    piece->setAttr(kPiece, builder.getUnitAttr());
  return piece;
}

/// Loops that are no tasks have one worker; those inside of tasks, too.
static void numberOneWorker(ModuleOp module) {
  module.walk([](UnrealizedConversionCastOp op) {
    if (!op->hasAttr(cpu::kWorker))
      return;
    OpBuilder builder(op);
    op.getResult(0).replaceAllUsesWith(arith::ConstantIntOp::create(
        builder, op.getLoc(), builder.getI64Type(), 0));
    op.erase();
  });
}

cpu::PartRange cpu::rangeOfPart(OpBuilder &builder, Location loc,
                                mlir::Value number, int64_t total,
                                int64_t parts) {
  auto index = [&](int64_t value) -> mlir::Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto beginOf = [&](mlir::Value part) -> mlir::Value {
    mlir::Value scaled =
        arith::MulIOp::create(builder, loc, part, index(total));
    return arith::DivUIOp::create(builder, loc, scaled, index(parts));
  };
  mlir::Value next = arith::AddIOp::create(builder, loc, number, index(1));
  return {beginOf(number), beginOf(next)};
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

double cpu::costOf(linalg::LinalgOp op) {
  double cost = 4; // loads and stores
  op->walk([&](Operation *inner) {
    if (isa<math::MathDialect>(inner->getDialect()))
      cost += 16;
    else if (isa<arith::ArithDialect>(inner->getDialect()))
      cost += 1;
  });
  for (int64_t extent : op.getStaticLoopRanges())
    cost *= double(extent);
  return cost;
}

bool cpu::canDivide(linalg::LinalgOp op, unsigned dim) {
  if (op.getIteratorTypesArray()[dim] != utils::IteratorType::parallel)
    return false;
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    return llvm::any_of(op.getMatchingIndexingMap(&init).getResults(),
                        [&](AffineExpr e) {
                          auto d = dyn_cast<AffineDimExpr>(e);
                          return d && d.getPosition() == dim;
                        });
  });
}

int64_t cpu::evenParts(int64_t extent, int64_t parts) {
  parts = std::min(extent, parts);
  for (int64_t p = parts; 2 * p >= parts && p > 1; --p)
    if (extent % p == 0)
      return p;
  return parts;
}

std::optional<cpu::Division>
cpu::chooseDivision(linalg::LinalgOp op, std::optional<unsigned> excluded) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (int64_t extent : extents)
    if (ShapedType::isDynamic(extent) || extent == 0)
      return std::nullopt;
  int64_t parts = cpu::partsFor(costOf(op));
  if (parts == 1)
    return std::nullopt;
  // The outermost dimension that gives enough parts.
  std::optional<unsigned> best;
  for (unsigned dim = 0; dim < extents.size(); ++dim)
    if (dim != excluded && canDivide(op, dim) && extents[dim] > 1 &&
        (!best || (extents[*best] < std::min<int64_t>(parts, 8) &&
                   extents[dim] > extents[*best])))
      best = dim;
  if (!best)
    return std::nullopt;
  return Division{*best, evenParts(extents[*best], parts)};
}

void cpu::divideOperation(linalg::LinalgOp op, Division division) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges(),
                       sizes(extents.size(), 0);
  sizes[division.loop] =
      (extents[division.loop] + division.parts - 1) / division.parts;
  IRRewriter rewriter(op->getContext());
  rewriter.setInsertionPoint(op);
  auto tiled = linalg::tileLinalgOp(
      rewriter, op,
      linalg::LinalgTilingOptions().setTileSizes(sizes).setLoopType(
          linalg::LinalgTilingLoopType::Loops));
  if (failed(tiled))
    return;
  for (Operation *loop : tiled->loops)
    if (isa<scf::ForOp>(loop))
      loop->setAttr(cpu::kParallel, rewriter.getUnitAttr());
  op->erase();
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

namespace {
struct Task {
  func::FuncOp function;
  LLVM::AddressOfOp address; ///< in the only place that names it
};

/// One loop becomes a function.
class Outliner {
public:
  Outliner(ModuleOp module, scf::ForOp loop, unsigned number)
      : module(module), loop(loop), number(number), types(module.getContext()),
        builder(loop), loc(loop.getLoc()) {}

  FailureOr<Task> run();

private:
  Type pointer() { return LLVM::LLVMPointerType::get(module.getContext()); }
  Type word() { return builder.getI64Type(); }
  mlir::Value integer(int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, word(), value);
  }
  mlir::Value cast(mlir::Value value, Type type) {
    return value.getType() == type
               ? value
               : UnrealizedConversionCastOp::create(builder, loc, type, value)
                     .getResult(0);
  }
  mlir::Value at(mlir::Value data, int64_t bytes) {
    return LLVM::GEPOp::create(builder, loc, pointer(), builder.getI8Type(),
                               data, ArrayRef<LLVM::GEPArg>{int32_t(bytes)});
  }
  func::FuncOp makeTask(ArrayRef<mlir::Value> captured, TypeRange passed);
  LLVM::AddressOfOp callRuntime(func::FuncOp task, mlir::Value data);

  ModuleOp module;
  scf::ForOp loop;
  unsigned number;
  LLVMTypeConverter types;
  OpBuilder builder;
  Location loc;
  SmallVector<int64_t> places; ///< of passed values in the data
};
} // namespace

func::FuncOp Outliner::makeTask(ArrayRef<mlir::Value> captured,
                                TypeRange passed) {
  auto parent = loop->getParentOfType<func::FuncOp>();
  auto task = func::FuncOp::create(
      loc, (parent.getName() + "_part" + Twine(number)).str(),
      builder.getFunctionType({word(), word(), pointer()}, {}));
  task.setPrivate();
  module.push_back(task);
  Block *entry = task.addEntryBlock();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(entry);
  IRMapping mapping;
  SmallVector<mlir::Value> own;
  for (auto [type, place] : llvm::zip(passed, places))
    own.push_back(
        cast(LLVM::LoadOp::create(builder, loc, types.convertType(type),
                                  at(entry->getArgument(2), place)),
             type));
  ValueRange rest = own;
  for (mlir::Value value : captured)
    mapping.map(value,
                cpu::receiveValue(builder, loc, types, value.getType(), rest));
  // Constants are made again.
  llvm::SetVector<mlir::Value> above;
  getUsedValuesDefinedAbove(loop.getRegion(), above);
  for (mlir::Value value : {loop.getLowerBound(), loop.getStep()})
    above.insert(value);
  for (mlir::Value value : above)
    if (!mapping.contains(value))
      mapping.map(value, builder.clone(*value.getDefiningOp())->getResult(0));
  mlir::Value part = arith::IndexCastOp::create(
      builder, loc, builder.getIndexType(), entry->getArgument(0));
  part =
      arith::MulIOp::create(builder, loc, part, mapping.lookup(loop.getStep()));
  part = arith::AddIOp::create(builder, loc, part,
                               mapping.lookup(loop.getLowerBound()));
  mapping.map(loop.getInductionVar(), part);
  for (Operation &op : loop.getBody()->without_terminator())
    builder.clone(op, mapping);
  func::ReturnOp::create(builder, loc);
  task.walk([&](UnrealizedConversionCastOp op) {
    if (!op->hasAttr(cpu::kWorker) || op.getOperand(0) != part)
      return;
    op.getResult(0).replaceAllUsesWith(entry->getArgument(1));
    op.erase();
  });
  return task;
}

LLVM::AddressOfOp Outliner::callRuntime(func::FuncOp task, mlir::Value data) {
  constexpr StringLiteral name = "mercator_parallel";
  auto none = LLVM::LLVMVoidType::get(module.getContext());
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    LLVM::LLVMFuncOp::create(
        builder, loc, name,
        LLVM::LLVMFunctionType::get(none, {word(), pointer(), pointer()}));
  }
  mlir::Value extent = arith::SubIOp::create(builder, loc, loop.getUpperBound(),
                                             loop.getLowerBound());
  mlir::Value count =
      arith::CeilDivSIOp::create(builder, loc, extent, loop.getStep());
  count = arith::IndexCastOp::create(builder, loc, word(), count);
  auto address =
      LLVM::AddressOfOp::create(builder, loc, pointer(), task.getName());
  LLVM::CallOp::create(builder, loc, TypeRange(), name,
                       ValueRange{count, address, data});
  return address;
}

FailureOr<Task> Outliner::run() {
  llvm::SetVector<mlir::Value> above;
  getUsedValuesDefinedAbove(loop.getRegion(), above);
  for (mlir::Value value : {loop.getLowerBound(), loop.getStep()})
    above.insert(value);
  SmallVector<mlir::Value> captured;
  for (mlir::Value value : above)
    if (Operation *op = value.getDefiningOp();
        !op || !op->hasTrait<OpTrait::ConstantLike>())
      captured.push_back(value);
  SmallVector<mlir::Value> passed;
  for (mlir::Value value : captured)
    cpu::passValue(builder, loc, types, value, passed);
  int64_t bytes = 0;
  DataLayout layout(module);
  for (mlir::Value value : passed) {
    Type type = types.convertType(value.getType());
    if (!type)
      return loop.emitError() << "captures a value that has no form in LLVM";
    places.push_back(bytes);
    bytes += (int64_t(layout.getTypeSize(type)) + 15) / 16 * 16;
  }
  func::FuncOp task = makeTask(captured, ValueRange(passed).getTypes());
  mlir::Value data;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(
        &loop->getParentOfType<func::FuncOp>().getBody().front());
    data = LLVM::AllocaOp::create(builder, loc, pointer(), builder.getI8Type(),
                                  integer(std::max<int64_t>(bytes, 16)),
                                  /*alignment=*/16);
  }
  for (auto [value, place] : llvm::zip(passed, places))
    LLVM::StoreOp::create(builder, loc,
                          cast(value, types.convertType(value.getType())),
                          at(data, place));
  Task made{task, callRuntime(task, data)};
  loop.erase();
  return made;
}

/// The same for equal functions, wherever they come from.
static llvm::hash_code hashOf(func::FuncOp function) {
  llvm::hash_code hash{};
  function.getBody().walk([&](Operation *op) {
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

/// Layers of a network are loops that differ only in what they capture: such
/// tasks are one function.
static void mergeEqual(ArrayRef<Task> tasks) {
  DenseMap<size_t, SmallVector<func::FuncOp, 1>> known;
  for (auto [function, address] : tasks) {
    SmallVector<func::FuncOp, 1> &others = known[hashOf(function)];
    auto *equal = llvm::find_if(others, [&](func::FuncOp other) {
      return OperationEquivalence::isRegionEquivalentTo(
          &other.getBody(), &function.getBody(),
          OperationEquivalence::IgnoreLocations);
    });
    if (equal == others.end()) {
      others.push_back(function);
      continue;
    }
    address.setGlobalName(equal->getName());
    function.erase();
  }
}

LogicalResult cpu::outlineParallelLoops(ModuleOp module) {
  SmallVector<scf::ForOp> loops;
  module.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    if (!loop->hasAttr(kParallel) || !loop.getInitArgs().empty())
      return WalkResult::advance();
    loops.push_back(loop);
    return WalkResult::skip(); // loops inside run in one thread
  });
  SmallVector<Task> tasks;
  for (auto [number, loop] : llvm::enumerate(loops)) {
    FailureOr<Task> task = Outliner(module, loop, unsigned(number)).run();
    if (failed(task))
      return failure();
    tasks.push_back(*task);
  }
  numberOneWorker(module);
  mergeEqual(tasks);
  return success();
}
