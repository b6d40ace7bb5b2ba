// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/host/Host.h"

#include "mercator/dialects/flow/Flow.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/dialects/util/Util.h"
#include "mercator/runtime/Collectives.h"
#include "mercator/targets/cpu/estimate/Reuse.h"
#include "mercator/targets/cpu/host/ChecksFirst.h"
#include "mercator/targets/cpu/host/ComputedLate.h"
#include "mercator/targets/cpu/host/HostBuilder.h"
#include "mercator/targets/cpu/host/InPlace.h"
#include "mercator/targets/cpu/host/ReadsFirst.h"
#include "mercator/targets/cpu/kernels/Divisions.h"
#include "mercator/targets/cpu/kernels/LoopBodies.h"
#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/targets/cpu/kernels/Pipeline.h"
#include "mercator/targets/cpu/kernels/Splats.h"
#include "mercator/targets/cpu/machine/Arena.h"
#include "mercator/targets/cpu/machine/Buffers.h"

#include "mlir/Analysis/Liveness.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/StringSet.h"

#include <deque>
#include <map>

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

namespace {
/// Memory that values share. A value is in one piece of memory. Buffers of the arena
/// move to the memory of results that are written later (placeArena).
struct Storage {
  enum class Kind { Arena, Stack, Slot, Input, Constant, Result };
  Kind kind;
  int64_t bytes = 0; ///< of a buffer in the arena, on the stack, or of a result
  int64_t offset = 0; ///< of a buffer in the arena or in a result's memory
  int64_t number = 0; ///< of a slot, input, constant or result
  int64_t first = INT64_MAX, last = -1;
  /// The views of an arena buffer, whose offsets are not known yet.
  SmallVector<memref::ViewOp> views;
  bool isScratch = false;   ///< of a kernel
  int64_t alignment = 1;    ///< of the elements
  mlir::Value bytesOnStack; ///< memref<?xi8>

  void use(int64_t time) {
    first = std::min(first, time);
    last = std::max(last, time);
  }
};

/// Where a tensor is.
struct Place {
  Storage *storage;
  mlir::Value buffer; ///< a memref of the tensor's shape
};

struct Copy {
  mlir::Value from;
  Storage *fromStorage;
  mlir::Value to;
  Storage *toStorage;
};

/// What a call uses: the storage of each tensor, and its bytes; null of a number.
struct Use {
  Storage *storage = nullptr;
  int64_t bytes = 0;
};

/// A call of a kernel or of the runtime, or a copy.
struct Step {
  std::string kernel;    ///< empty: a copy
  int64_t dispatch = -1; ///< its number in a trace
  SmallVector<Use> uses;
};

/// Buffers that take the memory of another one, and that one.
using Moves = std::map<unsigned, unsigned>;

class Lowering {
public:
  Lowering(ModuleOp module, func::FuncOp source, const Machine &machine,
           const Kernels &kernels)
      : module(module), source(source), machine(machine), kernels(kernels),
        builder(module.getContext()), host(module, builder),
        loc(module.getLoc()), liveness(source),
        plan(source, machine.usesDonations), dominance(source),
        storageOfBuffer(plan.size()) {}

  FailureOr<HostProgram> run();

private:
  // Before the walk.
  void number();
  LogicalResult begin();
  // Operations.
  LogicalResult lower(Operation &op);
  LogicalResult dispatch(flow::DispatchOp op);
  LogicalResult callLibrary(func::CallOp op);
  LogicalResult constant(Operation &op, ElementsAttr elements);
  LogicalResult branch(cf::BranchOp op);
  Moves movesOf(cf::BranchOp op);
  void exchangeSlots(const Moves &moves);
  DenseMap<mlir::Value, Place> saveGrowing(cf::BranchOp op, const Moves &moves);
  LogicalResult finish(func::ReturnOp op);
  LogicalResult assertion(stablehlo::CustomCallOp op);
  LogicalResult assertion(cf::AssertOp op);
  void require(mlir::Value condition, Location at, StringRef message,
               ArrayRef<mlir::Value> compared);
  void requireIndices(Location at, ArrayRef<mlir::Value> indices,
                      mlir::Value buffer);
  mlir::Value text(StringRef words);
  SmallVector<mlir::Value> placeOf(Location at);
  mlir::Value failedUnless(mlir::Value holds);
  LogicalResult slice(flow::TensorSliceOp op);
  LogicalResult update(flow::TensorUpdateOp op);
  // Buffers.
  mlir::Value memoryOf(mlir::Value table, int64_t number);
  Storage *newStorage(Storage::Kind kind);
  Storage *storageOf(mlir::Value tensor);
  Place allocate(RankedTensorType type, ValueRange dims,
                 mlir::Value forValue = nullptr);
  Place placeOfUpdate(mlir::Value tensor, mlir::Value result, ValueRange dims,
                      SmallVectorImpl<Copy> &copies);
  Place inPlaceOrCopy(mlir::Value tensor, mlir::Value result, ValueRange dims);
  void copyAtOnce(ArrayRef<Copy> copies, bool savesAll = false);
  // Buffers of known size, which loops may permute.
  Block *rotationOf(unsigned buffer, Block *block);
  mlir::Value addressAt(unsigned buffer, Block *block);
  mlir::Value bufferAt(unsigned buffer, Block *block, MemRefType type);
  void bind(mlir::Value tensor, const Place &place);
  void alias(mlir::Value tensor, mlir::Value of, ValueRange dims);
  void checkSize(flow::TensorReshapeOp op);
  void copy(mlir::Value from, mlir::Value to);
  void copyTensor(mlir::Value from, mlir::Value to);
  void countCopies(func::FuncOp kernel);
  SmallVector<mlir::Value> dimsOf(mlir::Value buffer);
  SmallVector<mlir::Value> mapped(ValueRange values);
  void traceAround(func::CallOp call, flow::DispatchOp op);
  mlir::Value callTraced(func::CallOp op, StringRef name, ValueRange words);
  void joinRotatedLifetimes();
  void placeArena();
  void noteDistances();
  void noteDonations();
  void watchBuffers();

  ModuleOp module;
  func::FuncOp source;
  const Machine &machine;
  const Kernels &kernels;
  func::FuncOp entry;
  OpBuilder builder;
  HostBuilder host;
  Location loc;
  Liveness liveness;
  InPlace plan;
  DominanceInfo dominance;
  std::vector<Storage *> storageOfBuffer; ///< by the numbers of the plan
  /// The views and addresses of buffers of known size, at the beginning of the
  /// function or of a loop that permutes them.
  std::map<std::tuple<unsigned, Block *, const void *>, mlir::Value> views;
  int64_t stackBytes = 0;
  IRMapping mapping;
  llvm::DenseMap<mlir::Value, Place> places;
  llvm::DenseMap<Operation *, int64_t> times;
  llvm::DenseMap<Block *, std::pair<int64_t, int64_t>> spans;
  llvm::DenseMap<Attribute, std::string> constants;
  llvm::StringMap<std::string> texts; ///< symbols
  std::deque<Storage> storages;
  std::vector<Step> steps;
  int64_t slots = 0;
  mlir::Value context, inputs, results, arena;
  Operation *current = nullptr;
  HostProgram program;
};
} // namespace

//===----------------------------------------------------------------------===//
// Lifetimes
//===----------------------------------------------------------------------===//

void Lowering::number() {
  int64_t time = 0;
  for (Block &block : source.getBody()) {
    int64_t begin = time++;
    for (Operation &op : block)
      times[&op] = time++;
    spans[&block] = {begin, time};
  }
}

void Lowering::bind(mlir::Value tensor, const Place &place) {
  places[tensor] = place;
  Storage &storage = *place.storage;
  Block *home = tensor.getParentBlock();
  if (Operation *op = tensor.getDefiningOp())
    storage.use(times.lookup(op));
  else
    storage.use(spans.lookup(home).first);
  for (Operation *user : tensor.getUsers())
    storage.use(times.lookup(user));
  if (!tensor.isUsedOutsideOfBlock(home))
    return;
  for (Block &block : source.getBody()) {
    const auto *info = liveness.getLiveness(&block);
    if (info->isLiveIn(tensor))
      storage.use(spans.lookup(&block).first);
    if (info->isLiveOut(tensor))
      storage.use(spans.lookup(&block).second);
  }
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// The memory of a tensor in a table of the caller.
mlir::Value Lowering::memoryOf(mlir::Value table, int64_t number) {
  return host.bytesAt(host.load(host.pointer(), table, number * 24));
}

Storage *Lowering::newStorage(Storage::Kind kind) {
  storages.push_back({});
  storages.back().kind = kind;
  return &storages.back();
}

/// What the caller's memory of such a tensor is aligned to.
static int64_t elementAlignment(RankedTensorType type) {
  Type element = type.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  return elementBytes(element);
}

Storage *Lowering::storageOf(mlir::Value tensor) {
  unsigned number = plan.bufferOf(tensor);
  Storage *&storage = storageOfBuffer[number];
  if (storage)
    return storage;
  constexpr int64_t kMostStack = 16 * 1024;
  const InPlace::Buffer &buffer = plan[number];
  SmallVector<int64_t> alignments;
  for (mlir::Value member : buffer.members)
    alignments.push_back(elementAlignment(tensorType(member)));
  llvm::sort(alignments);
  if (buffer.result >= 0) {
    storage = newStorage(Storage::Kind::Result);
    storage->number = buffer.result;
    storage->bytes = buffer.bytes;
    storage->alignment = alignments.front();
  } else if (buffer.depth > 0 && buffer.bytes >= 0 &&
             buffer.bytes <= kMostStackBytes &&
             stackBytes + kAlignment <= kMostStack) {
    storage = newStorage(Storage::Kind::Stack);
    storage->bytes = std::max<int64_t>(buffer.bytes, 1);
    stackBytes += llvm::alignTo(storage->bytes, kAlignment);
  } else if (tensorType(tensor).hasStaticShape()) {
    storage = newStorage(Storage::Kind::Arena);
    storage->bytes = bytesOf(tensor);
    storage->alignment = alignments.back();
  } else {
    storage = newStorage(Storage::Kind::Slot);
    storage->number = slots++;
  }
  return storage;
}

/// The loop that permutes the places of a buffer, if the block is in one or
/// after one.
Block *Lowering::rotationOf(unsigned buffer, Block *block) {
  if (!plan[buffer].isRotated)
    return nullptr;
  auto *node = dominance.getNode(block);
  for (; node; node = node->getIDom())
    if (const Rotation *rotation = plan.rotationAt(node->getBlock()))
      if (llvm::is_contained(rotation->buffers, buffer))
        return node->getBlock();
  return nullptr;
}

/// The pointer to a buffer of known size.
mlir::Value Lowering::addressAt(unsigned buffer, Block *block) {
  Block *header = rotationOf(buffer, block);
  mlir::Value &address = views[{buffer, header, nullptr}];
  if (address)
    return address; // a loop's is there from the beginning
  MemRefType bytes = MemRefType::get({plan[buffer].bytes}, builder.getI8Type());
  mlir::Value view = bufferAt(buffer, block, bytes);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(view);
  return views[{buffer, header, nullptr}] = host.pointerTo(view);
}

/// A buffer of known size in a block.
mlir::Value Lowering::bufferAt(unsigned buffer, Block *block, MemRefType type) {
  Block *header = rotationOf(buffer, block);
  mlir::Value &view = views[{buffer, header, type.getAsOpaquePointer()}];
  if (view)
    return view;
  OpBuilder::InsertionGuard guard(builder);
  if (header) {
    builder.setInsertionPointToStart(mapping.lookup(header));
    mlir::Value address = views.at({buffer, header, nullptr});
    return view = host.view(type, host.bytesAt(address), 0, {});
  }
  builder.setInsertionPointAfterValue(arena);
  Storage *storage = storageOf(plan[buffer].members.front());
  switch (storage->kind) {
  case Storage::Kind::Arena:
    view = host.view(type, arena, 0, {});
    storage->views.push_back(view.getDefiningOp<memref::ViewOp>());
    return view;
  case Storage::Kind::Result:
    return view = host.view(type, memoryOf(results, storage->number), 0, {});
  case Storage::Kind::Input: // donated
    return view = host.view(type, memoryOf(inputs, storage->number), 0, {});
  case Storage::Kind::Stack:
    if (!storage->bytesOnStack)
      storage->bytesOnStack = memref::AllocaOp::create(
          builder, loc, MemRefType::get({storage->bytes}, builder.getI8Type()),
          builder.getI64IntegerAttr(kAlignment));
    builder.setInsertionPointAfterValue(storage->bytesOnStack);
    return view = host.view(type, storage->bytesOnStack, 0, {});
  default:
    llvm_unreachable("its size is not known");
  }
}

Place Lowering::allocate(RankedTensorType type, ValueRange dims,
                         mlir::Value forValue) {
  MemRefType buffer = bufferOf(type);
  if (forValue) {
    Storage *storage = storageOf(forValue);
    storage->use(times.lookup(current));
    if (storage->kind != Storage::Kind::Slot)
      return {storage,
              bufferAt(plan.bufferOf(forValue), current->getBlock(), buffer)};
  }
  if (type.hasStaticShape()) {
    Storage *storage = newStorage(Storage::Kind::Arena);
    storage->bytes =
        type.getNumElements() * elementBytes(type.getElementType());
    storage->alignment = elementAlignment(type);
    storage->use(times.lookup(current));
    storage->isScratch = !forValue;
    mlir::Value view = host.view(buffer, arena, 0, {});
    storage->views.push_back(view.getDefiningOp<memref::ViewOp>());
    return {storage, view};
  }
  Storage *storage = forValue ? storageOf(forValue) : nullptr;
  if (!storage) {
    storage = newStorage(Storage::Kind::Slot);
    storage->number = slots++;
  }
  mlir::Value size = host.byteSize(buffer, dims);
  mlir::Value address =
      host.call("mercator_slot", host.pointer(),
                {context, host.integer(storage->number), size});
  host.checkMemory(address);
  return {storage, host.view(buffer, host.bytesAt(address), 0, dims)};
}

SmallVector<mlir::Value> Lowering::dimsOf(mlir::Value buffer) {
  SmallVector<mlir::Value> dims;
  auto type = cast<MemRefType>(buffer.getType());
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(unsigned(i)))
      dims.push_back(memref::DimOp::create(builder, loc, buffer, i));
  return dims;
}

SmallVector<mlir::Value> Lowering::mapped(ValueRange values) {
  SmallVector<mlir::Value> own;
  for (mlir::Value value : values)
    own.push_back(mapping.lookup(value));
  return own;
}

void Lowering::copy(mlir::Value from, mlir::Value to) {
  if (from != to)
    memref::CopyOp::create(builder, loc, from, to);
}

/// Copies a tensor to another buffer, and says so.
void Lowering::copyTensor(mlir::Value from, mlir::Value to) {
  auto type = cast<MemRefType>(from.getType());
  program.copies.push_back(
      {current->getName().getStringRef().str(),
       type.hasStaticShape()
           ? type.getNumElements() * elementBytes(type.getElementType())
           : -1,
       plan.depthOf(current->getBlock())});
  copy(from, to);
}

/// The copies of parameters that a kernel makes in each call.
void Lowering::countCopies(func::FuncOp kernel) {
  kernel.walk([&](memref::CopyOp op) {
    auto type = cast<MemRefType>(op.getSource().getType());
    if (isa<BlockArgument>(rootOf(op.getSource())) && type.hasStaticShape())
      program.copies.push_back(
          {kernel.getName().str(),
           type.getNumElements() * elementBytes(type.getElementType()),
           plan.depthOf(current->getBlock())});
  });
}

/// Copies tensors, all at once: a source that another copy would overwrite is
/// saved first.
void Lowering::copyAtOnce(ArrayRef<Copy> copies, bool savesAll) {
  llvm::SmallPtrSet<Storage *, 8> written;
  for (const Copy &each : copies)
    written.insert(each.toStorage);
  SmallVector<mlir::Value> sources;
  for (const Copy &each : copies) {
    mlir::Value from = each.from;
    if (copies.size() > 1 && (savesAll || written.contains(each.fromStorage))) {
      auto type = cast<MemRefType>(from.getType());
      Place saved = allocate(
          RankedTensorType::get(type.getShape(), type.getElementType()),
          dimsOf(from));
      copyTensor(from, saved.buffer);
      from = saved.buffer;
    }
    sources.push_back(from);
  }
  for (auto [each, from] : llvm::zip_equal(copies, sources)) {
    copyTensor(from, each.to);
    if (auto type = cast<MemRefType>(each.to.getType());
        type.hasStaticShape()) {
      int64_t bytes =
          type.getNumElements() * elementBytes(type.getElementType());
      steps.push_back(
          {.kernel = "",
           .uses = {{each.fromStorage, bytes}, {each.toStorage, bytes}}});
    }
  }
}

/// Where an update writes: to the tensor's own buffer, or to another one to
/// which it must be copied first.
Place Lowering::placeOfUpdate(mlir::Value tensor, mlir::Value result,
                              ValueRange dims, SmallVectorImpl<Copy> &copies) {
  const Place place = places.find(tensor)->second;
  if (plan.areTogether(tensor, result))
    return place;
  Place fresh = allocate(tensorType(tensor), dims, result);
  // An empty tensor has no elements to keep.
  if (!tensor.getDefiningOp<flow::TensorEmptyOp>())
    copies.push_back(
        {place.buffer, place.storage, fresh.buffer, fresh.storage});
  return fresh;
}

/// A status: 0 if the condition holds.
mlir::Value Lowering::failedUnless(mlir::Value holds) {
  constexpr int32_t kFailed = 4; // mercator_failed_assertion
  auto number = [&](int32_t value) {
    return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), value);
  };
  return LLVM::SelectOp::create(builder, loc, holds, number(0),
                                number(kFailed));
}

Place Lowering::inPlaceOrCopy(mlir::Value tensor, mlir::Value result,
                              ValueRange dims) {
  SmallVector<Copy> copies;
  Place place = placeOfUpdate(tensor, result, dims, copies);
  copyAtOnce(copies);
  return place;
}

/// The same bytes in another shape. Equal types may have other extents at run
/// time, so a tensor with unknown extents always gets a view of its own.
void Lowering::alias(mlir::Value tensor, mlir::Value of, ValueRange dims) {
  const Place place = places.find(of)->second;
  MemRefType type = bufferOf(tensorType(tensor));
  mlir::Value buffer = place.buffer;
  if (buffer.getType() != type && type.hasStaticShape() &&
      plan[plan.bufferOf(tensor)].bytes >= 0 &&
      !plan[plan.bufferOf(tensor)].fixed) {
    buffer = bufferAt(plan.bufferOf(tensor), current->getBlock(), type);
  } else if (buffer.getType() != type || !dims.empty()) {
    mlir::Value bytes = host.bytesAt(host.pointerTo(buffer));
    buffer = host.view(type, bytes, 0, dims);
  }
  bind(tensor, {place.storage, buffer});
}

/// The extents that a program computes for a reshape may be wrong. The call fails
/// if the result has more elements than the source, or a negative extent.
void Lowering::checkSize(flow::TensorReshapeOp op) {
  RankedTensorType type = op.getType();
  if (type.hasStaticShape() && tensorType(op.getSource()).hasStaticShape())
    return;
  mlir::Value buffer = places.find(op.getSource())->second.buffer;
  auto from = cast<MemRefType>(buffer.getType());
  SmallVector<mlir::Value> dims = mapped(op.getResultDims());
  mlir::Value is = host.byteSize(from, dimsOf(buffer)),
              wanted = host.byteSize(bufferOf(type), dims);
  mlir::Value holds = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::sle, wanted, is);
  for (mlir::Value dim : dims)
    holds = arith::AndIOp::create(
        builder, loc, holds,
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, dim,
                              host.index(0)));
  host.check(failedUnless(holds));
}

//===----------------------------------------------------------------------===//
// The entry
//===----------------------------------------------------------------------===//

LogicalResult Lowering::begin() {
  MLIRContext *mlir = module.getContext();
  Type pointer = LLVM::LLVMPointerType::get(mlir);
  builder.setInsertionPointToEnd(module.getBody());
  entry =
      func::FuncOp::create(builder, loc, kEntry,
                           FunctionType::get(mlir, {pointer, pointer, pointer},
                                             {builder.getI32Type()}));
  Block *first = entry.addEntryBlock();
  context = first->getArgument(0);
  inputs = first->getArgument(1);
  results = first->getArgument(2);
  for (Block &block : llvm::drop_begin(source.getBody())) {
    Block *own = new Block;
    entry.getBody().push_back(own);
    mapping.map(&block, own);
    // Numbers, then the places of buffers that the loop permutes. Branches add
    // tensors of unknown extents.
    for (BlockArgument argument : block.getArguments())
      if (!tensorType(argument))
        mapping.map(argument, own->addArgument(argument.getType(), loc));
    if (const Rotation *rotation = plan.rotationAt(&block))
      for (unsigned buffer : rotation->buffers)
        views[{buffer, &block, nullptr}] = own->addArgument(pointer, loc);
  }
  mapping.map(&source.getBody().front(), first);
  builder.setInsertionPointToStart(first);
  arena = host.bytesAt(host.call("mercator_arena", pointer, {context}));

  int64_t input = 0;
  std::deque<mlir::Value> extents;
  for (BlockArgument argument : source.getArguments()) {
    RankedTensorType type = tensorType(argument);
    if (!type) {
      if (!argument.getType().isIndex() || extents.empty())
        return emitError(source.getLoc())
               << "expected parameters that are tensors, got "
               << argument.getType();
      mapping.map(argument, extents.front());
      extents.pop_front();
      continue;
    }
    extents.clear();
    mlir::Value bytes = memoryOf(inputs, input);
    SmallVector<mlir::Value> dims;
    if (!type.hasStaticShape()) {
      mlir::Value sizes = host.load(pointer, inputs, input * 24 + 16);
      for (int64_t i = 0; i < type.getRank(); ++i) {
        if (!type.isDynamicDim(unsigned(i)))
          continue;
        mlir::Value size = host.load(builder.getI64Type(), sizes, i * 8);
        dims.push_back(arith::IndexCastOp::create(
            builder, loc, builder.getIndexType(), size));
        extents.push_back(dims.back());
      }
    }
    Storage *storage = newStorage(Storage::Kind::Input);
    storage->number = input++;
    storageOfBuffer[plan.bufferOf(argument)] = storage;
    bind(argument, {storage, host.view(bufferOf(type), bytes, 0, dims)});
  }
  return success();
}

LogicalResult Lowering::finish(func::ReturnOp op) {
  unsigned number = 0;
  for (mlir::Value value : op.getOperands()) {
    RankedTensorType type = tensorType(value);
    if (!type) {
      if (value.getType().isIndex() && number > 0)
        continue; // an extent of the tensor before
      return op.emitOpError()
             << "returns " << value.getType() << ": expected tensors";
    }
    unsigned own = number++;
    const Place place = places.find(value)->second;
    const InPlace::Buffer &buffer = plan[plan.bufferOf(value)];
    bool isThere =
        buffer.result == int64_t(own) &&
        (place.storage->kind == Storage::Kind::Result ||
         (buffer.donated && place.storage->kind == Storage::Kind::Input));
    if (type.hasStaticShape()) {
      if (isThere)
        continue;
      copyTensor(place.buffer,
                 host.view(bufferOf(type), memoryOf(results, own), 0, {}));
      continue;
    }
    mlir::Value sizes = host.stack(entry, type.getRank() * 8);
    for (int64_t i = 0; i < type.getRank(); ++i)
      host.store(
          host.toInteger(memref::DimOp::create(builder, loc, place.buffer, i)),
          sizes, i * 8);
    SmallVector<mlir::Value> dims = dimsOf(place.buffer);
    mlir::Value address =
        host.call("mercator_result", host.pointer(),
                  {context, host.at(results, int64_t(own) * 24),
                   host.integer(type.getRank()), sizes,
                   host.byteSize(bufferOf(type), dims)});
    host.checkMemory(address);
    copyTensor(place.buffer,
               host.view(bufferOf(type), host.bytesAt(address), 0, dims));
  }
  func::ReturnOp::create(builder, loc,
                         ValueRange(LLVM::ConstantOp::create(
                             builder, loc, builder.getI32Type(), 0)));
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult Lowering::dispatch(flow::DispatchOp op) {
  const Kernel &kernel = kernels.find(op.getEntryPoint())->second;
  SmallVector<int64_t> tied = op.getTiedArguments();
  SmallVector<std::pair<mlir::Value, Place>> made;
  SmallVector<mlir::Value> operands;
  SmallVector<Copy> copies;
  Step step;
  auto use = [&](const Place &place) {
    operands.push_back(place.buffer);
    auto type = cast<MemRefType>(place.buffer.getType());
    int64_t bytes =
        type.hasStaticShape()
            ? type.getNumElements() * elementBytes(type.getElementType())
            : 0;
    step.uses.push_back({place.storage, bytes});
  };
  size_t workload = op.getWorkload().size();
  for (auto [i, argument] : llvm::enumerate(op.getArguments())) {
    if (!tensorType(argument)) {
      operands.push_back(mapping.lookup(argument));
      step.uses.push_back({});
      continue;
    }
    Place place = places.find(argument)->second;
    for (auto [result, from] : llvm::enumerate(tied))
      if (from == int64_t(i)) {
        place = placeOfUpdate(
            argument, op->getResult(unsigned(result)),
            mapped(op.getOperandDynamicDims(unsigned(workload + i))), copies);
        made.push_back({op->getResult(unsigned(result)), place});
      }
    use(place);
  }
  copyAtOnce(copies);
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    if (tied[i] >= 0)
      continue;
    RankedTensorType type = tensorType(result);
    if (!type)
      return op.emitOpError() << "has a result that is no tensor";
    Place place =
        allocate(type, mapped(op.getResultDynamicDims(unsigned(i))), result);
    use(place);
    made.push_back({result, place});
  }
  for (auto &[result, place] : made)
    bind(result, place);
  if (const Scratch &scratch = kernel.scratch; scratch.type) {
    use(allocate(RankedTensorType::get(scratch.type.getShape(),
                                       scratch.type.getElementType()),
                 {}));
    // There are at most as many workers as threads.
    step.uses.back().bytes -=
        scratch.bytesOfWorker *
        std::max<int64_t>(0, scratch.workers - machine.device.cores);
  }
  func::FuncOp function = kernel.function;
  step.kernel = function.getName().str();
  step.dispatch =
      machine.isTraced ? int64_t(program.dispatches.size()) : int64_t(-1);
  steps.push_back(std::move(step));
  for (auto [operand, type] :
       llvm::zip_equal(operands, function.getArgumentTypes()))
    if (operand.getType() != type)
      operand = memref::CastOp::create(builder, loc, type, operand);
  countCopies(function);
  auto call = func::CallOp::create(builder, op.getLoc(), function, operands);
  if (machine.isTraced)
    traceAround(call, op);
  else if (plan.depthOf(op->getBlock()) > 0)
    inlineIntoLoops(function);
  return success();
}

/// The names of the operations in a location, as the user wrote them.
static void addNames(Location loc, SmallVector<StringRef> &names) {
  loc->walk([&](Location inner) {
    auto named = dyn_cast<NameLoc>(inner);
    if (named && !llvm::is_contained(names, named.getName().strref()))
      names.push_back(named.getName().strref());
    return WalkResult::advance();
  });
}

/// Additions, multiplications and the like of one run; 0 if it is not known.
static int64_t flopsOf(func::FuncOp function) {
  double total = 0;
  function.walk([&](linalg::LinalgOp op) {
    double points = 1;
    for (int64_t extent : op.getStaticLoopRanges())
      points *= ShapedType::isDynamic(extent) ? 0 : double(extent);
    for (Operation &inner : *op.getBlock())
      if (inner.getNumResults() == 1 &&
          isa<FloatType>(getElementTypeOrSelf(inner.getResult(0))) &&
          inner.getName().getDialectNamespace() != "tensor")
        total += points;
  });
  return total < 9e18 ? int64_t(total) : 0;
}

void Lowering::traceAround(func::CallOp call, flow::DispatchOp op) {
  TracedDispatch traced;
  traced.kernel = call.getCallee().str();
  SymbolRefAttr name = op.getEntryPoint();
  auto executable =
      module.lookupSymbol<flow::ExecutableOp>(name.getRootReference());
  SmallVector<StringRef> names;
  executable.getInnerModule().walk([&](func::FuncOp function) {
    traced.flops = flopsOf(function);
    function.walk(
        [&](linalg::LinalgOp inner) { addNames(inner.getLoc(), names); });
  });
  addNames(op.getLoc(), names);
  traced.name = names.empty() ? name.getLeafReference().str()
                              : llvm::join(ArrayRef(names).take_front(8), ", ");
  auto add = [&](mlir::Value value) {
    RankedTensorType type = tensorType(value);
    if (type && type.hasStaticShape())
      traced.bytes +=
          type.getNumElements() * elementBytes(type.getElementType());
  };
  llvm::for_each(op.getArguments(), add);
  llvm::for_each(op.getResults(), add);
  mlir::Value number = host.integer(int64_t(program.dispatches.size()));
  auto none = LLVM::LLVMVoidType::get(module.getContext());
  builder.setInsertionPoint(call);
  host.call("mercator_trace_begin", none, number);
  builder.setInsertionPointAfter(call);
  host.call("mercator_trace_end", none, number);
  program.dispatches.push_back(std::move(traced));
}

/// `mercator_fft.3` of a tensor<4xcomplex<f32>> is mercator_fft_c64. Collectives have
/// one function for all types.
static std::string libraryName(func::CallOp op) {
  std::string name = op.getCallee().split('.').first.str();
  for (Type type :
       llvm::concat<const Type>(SmallVector<Type>(op.getOperandTypes()),
                                SmallVector<Type>(op.getResultTypes()))) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      continue;
    Type element = tensor.getElementType();
    if (auto complex = dyn_cast<ComplexType>(element))
      return name + "_c" +
             std::to_string(2 *
                            complex.getElementType().getIntOrFloatBitWidth());
    return name + (isa<FloatType>(element) ? "_f" : "_i") +
           std::to_string(element.getIntOrFloatBitWidth());
  }
  return name;
}

LogicalResult Lowering::callLibrary(func::CallOp op) {
  if (!op.getCallee().starts_with("mercator_"))
    return op.emitOpError()
           << "calls @" << op.getCallee() << ", which has no code for a CPU";
  SmallVector<mlir::Value> tensors, numbers;
  // An index is an extent of the tensor before it.
  for (mlir::Value operand : op.getOperands())
    if (!operand.getType().isIndex())
      (tensorType(operand) ? tensors : numbers).push_back(operand);
  size_t count = llvm::count_if(
      op.getResultTypes(), [](Type type) { return isa<TensorType>(type); });
  if (tensors.size() < count)
    return op.emitOpError() << "expected a destination for each result";
  ArrayRef<mlir::Value> read = ArrayRef(tensors).drop_back(count);
  auto pack = [&](ArrayRef<Place> all) {
    int64_t ranks = 0;
    for (const Place &place : all)
      ranks += cast<MemRefType>(place.buffer.getType()).getRank();
    mlir::Value table = host.stack(entry, int64_t(all.size()) * 24);
    mlir::Value sizes = host.stack(entry, ranks * 8);
    int64_t next = 0;
    for (auto [i, place] : llvm::enumerate(all)) {
      int64_t rank = cast<MemRefType>(place.buffer.getType()).getRank();
      int64_t at = int64_t(i) * 24;
      host.store(host.pointerTo(place.buffer), table, at);
      host.store(host.integer(rank), table, at + 8);
      host.store(host.at(sizes, next * 8), table, at + 16);
      for (int64_t d = 0; d < rank; ++d)
        host.store(host.toInteger(
                       memref::DimOp::create(builder, loc, place.buffer, d)),
                   sizes, (next + d) * 8);
      next += rank;
    }
    return table;
  };
  SmallVector<Place> operands, destinations;
  for (mlir::Value tensor : read)
    operands.push_back(places.find(tensor)->second);
  ArrayRef<mlir::Value> given = ArrayRef(tensors).take_back(count);
  std::deque<mlir::Value> extents;
  SmallVector<Copy> copies;
  for (mlir::Value result : op.getResults()) {
    if (!tensorType(result)) {
      if (extents.empty())
        return op.emitOpError() << "has a result that is no tensor";
      mapping.map(result, extents.front());
      extents.pop_front();
      continue;
    }
    mlir::Value to = given.front();
    given = given.drop_front();
    Place place = placeOfUpdate(to, result,
                                dimsOf(places.find(to)->second.buffer), copies);
    destinations.push_back(place);
    SmallVector<mlir::Value> dims = dimsOf(place.buffer);
    extents.assign(dims.begin(), dims.end());
    bind(result, place);
  }
  copyAtOnce(copies);
  mlir::Value numberTable = host.stack(entry, int64_t(numbers.size()) * 8);
  for (auto [i, number] : llvm::enumerate(numbers)) {
    mlir::Value own = mapping.lookup(number);
    if (own.getType().isIndex())
      own = host.toInteger(own);
    else if (own.getType().getIntOrFloatBitWidth() < 64)
      own = arith::ExtSIOp::create(builder, loc, builder.getI64Type(), own);
    host.store(own, numberTable, int64_t(i) * 8);
  }
  SmallVector<mlir::Value> words = {pack(operands), numberTable,
                                    pack(destinations)};
  std::string name = libraryName(op);
  std::string collective = (op.getCallee().split('.').first + "_bytes").str();
  if (mercator_find_collective(collective.c_str())) {
    SmallVector<mlir::Value> where = {context};
    llvm::append_range(where, placeOf(op.getLoc()));
    words.insert(words.begin(), where.begin(), where.end());
    host.check(host.call(collective, builder.getI32Type(), words));
    return success();
  }
  host.check(callTraced(op, name, words));
  return success();
}

/// The extents and numbers of a call; none where one is not known.
static std::optional<LibraryCall> describe(func::CallOp op, StringRef name) {
  LibraryCall call{.name = name.str()};
  call.name.erase(0, StringRef("mercator_").size());
  for (mlir::Value operand : op.getOperands()) {
    auto tensor = dyn_cast<RankedTensorType>(operand.getType());
    APInt number;
    if (tensor && tensor.hasStaticShape())
      call.operands.push_back(
          {tensor.getShape().vec(), elementBytes(tensor.getElementType())});
    else if (!tensor && matchPattern(operand, m_ConstantInt(&number)))
      call.numbers.push_back(number.getSExtValue());
    else
      return std::nullopt;
  }
  // A destination for each result comes after what is read.
  if (op.getNumResults() > call.operands.size())
    return std::nullopt;
  auto first = call.operands.end() - op.getNumResults();
  call.results.assign(first, call.operands.end());
  call.operands.erase(first, call.operands.end());
  return call;
}

/// The status of a call of the runtime, which is a dispatch for traces.
mlir::Value Lowering::callTraced(func::CallOp op, StringRef name,
                                 ValueRange words) {
  std::optional<LibraryCall> call = describe(op, name);
  std::string shortName = name.drop_front(StringRef("mercator_").size()).str();
  if (llvm::none_of(program.kernels, [&](const KernelSchedule &kernel) {
        return kernel.kernel == name && kernel.call == call;
      })) {
    KernelSchedule schedule{.name = shortName, .kernel = name.str()};
    schedule.notes.lines.push_back({op.getLoc(), "a function of the runtime"});
    schedule.call = call;
    program.kernels.push_back(std::move(schedule));
  }
  if (!machine.isTraced)
    return host.call(name, builder.getI32Type(), words);
  TracedDispatch traced;
  SmallVector<StringRef> names;
  addNames(op.getLoc(), names);
  traced.name = names.empty() ? shortName : names.front().str();
  traced.kernel = name.str();
  traced.call = call;
  if (call)
    for (const auto *tensors : {&call->operands, &call->results})
      for (const CallTensor &tensor : *tensors) {
        int64_t bytes = tensor.elementBytes;
        for (int64_t extent : tensor.shape)
          bytes *= extent;
        traced.bytes += bytes;
      }
  mlir::Value number = host.integer(int64_t(program.dispatches.size()));
  auto none = LLVM::LLVMVoidType::get(module.getContext());
  host.call("mercator_trace_begin", none, number);
  mlir::Value status = host.call(name, builder.getI32Type(), words);
  host.call("mercator_trace_end", none, number);
  program.dispatches.push_back(std::move(traced));
  return status;
}

LogicalResult Lowering::constant(Operation &op, ElementsAttr elements) {
  std::string &symbol = constants[elements];
  if (symbol.empty()) {
    symbol = "mercator_constant_" + std::to_string(program.constants.size());
    program.constants.push_back({symbol, elements});
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    auto type = cast<RankedTensorType>(elements.getType());
    int64_t bytes = type.getNumElements() * elementBytes(type.getElementType());
    LLVM::GlobalOp::create(
        builder, loc,
        LLVM::LLVMArrayType::get(builder.getI8Type(),
                                 uint64_t(std::max<int64_t>(bytes, 1))),
        /*isConstant=*/true, LLVM::Linkage::External, symbol, Attribute(),
        /*alignment=*/kConstantAlignment);
  }
  Storage *storage = newStorage(Storage::Kind::Constant);
  storageOfBuffer[plan.bufferOf(op.getResult(0))] = storage;
  auto own = RankedTensorType::get(elements.getShapedType().getShape(),
                                   elements.getElementType());
  mlir::Value buffer =
      host.view(bufferOf(own), host.bytesAt(host.addressOf(symbol)), 0, {});
  MemRefType wanted = bufferOf(tensorType(op.getResult(0)));
  if (wanted != buffer.getType())
    buffer = memref::CastOp::create(builder, loc, wanted, buffer);
  bind(op.getResult(0), {storage, buffer});
  return success();
}

/// JAX writes `custom_call @shape_assertion(%holds, ..)` for symbolic extents.
LogicalResult Lowering::assertion(stablehlo::CustomCallOp op) {
  host.check(failedUnless(memref::LoadOp::create(
      builder, loc, places.find(op->getOperand(0))->second.buffer,
      ValueRange())));
  return success();
}

/// The address of a text of C.
mlir::Value Lowering::text(StringRef words) {
  std::string &symbol = texts[words];
  if (symbol.empty()) {
    symbol = "mercator_text_" + std::to_string(texts.size());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    std::string bytes = words.str();
    bytes.push_back(0);
    LLVM::GlobalOp::create(
        builder, loc,
        LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal, symbol,
        builder.getStringAttr(bytes));
  }
  return host.addressOf(symbol);
}

/// The file, the line and the column of an operation, as mercator_failure has them.
SmallVector<mlir::Value> Lowering::placeOf(Location at) {
  auto place = at->findInstanceOf<FileLineColLoc>();
  auto compiled = module.getLoc()->findInstanceOf<FileLineColLoc>();
  bool isCompiled =
      !place || (compiled && compiled.getFilename() == place.getFilename());
  return {text(isCompiled ? StringRef() : place.getFilename().strref()),
          host.integer(place ? place.getLine() : 0),
          host.integer(place ? place.getColumn() : 0)};
}

/// The program ends if the condition does not hold, and notes the message and two
/// numbers that were compared, or none.
void Lowering::require(mlir::Value condition, Location at, StringRef message,
                       ArrayRef<mlir::Value> compared) {
  Block *rest =
      builder.getInsertionBlock()->splitBlock(builder.getInsertionPoint());
  Block *leave = new Block;
  builder.setInsertionPointToEnd(rest->getPrevNode());
  leave->insertBefore(rest);
  cf::CondBranchOp::create(builder, loc, condition, rest, leave);
  builder.setInsertionPointToEnd(leave);
  SmallVector<mlir::Value> operands = {context, text(message)};
  llvm::append_range(operands, placeOf(at));
  operands.push_back(host.integer(int64_t(compared.size())));
  for (mlir::Value number : compared)
    operands.push_back(host.toInteger(number));
  operands.resize(8, host.integer(0));
  func::ReturnOp::create(
      builder, loc, host.call("mercator_fail", builder.getI32Type(), operands));
  builder.setInsertionPointToStart(rest);
}

/// If the condition compares two extents, these are noted, too.
LogicalResult Lowering::assertion(cf::AssertOp op) {
  SmallVector<mlir::Value> compared;
  auto compare = op.getArg().getDefiningOp<arith::CmpIOp>();
  if (compare && compare.getLhs().getType().isIndex())
    compared = mapped(compare->getOperands());
  require(mapping.lookup(op.getArg()), op.getLoc(), op.getMsg(), compared);
  return success();
}

/// The program ends if an index is not below its extent. There is no code for what is
/// known when it is compiled.
void Lowering::requireIndices(Location at, ArrayRef<mlir::Value> indices,
                              mlir::Value buffer) {
  auto shape = cast<MemRefType>(buffer.getType()).getShape();
  for (auto [i, index] : llvm::enumerate(indices)) {
    auto known = getConstantIntValue(index);
    if (known && shape[i] >= 0 && *known >= 0 && *known < shape[i])
      continue;
    mlir::Value extent = memref::DimOp::create(builder, loc, buffer, i);
    // A negative index is a large one without a sign.
    require(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                  index, extent),
            at,
            "expected an index below the extent of dimension " +
                std::to_string(i),
            {index, extent});
  }
}

LogicalResult Lowering::slice(flow::TensorSliceOp op) {
  const Place from = places.find(op.getSource())->second;
  Place to = allocate(op.getType(), mapped(op.getResultDims()), op.getResult());
  SmallVector<OpFoldResult> offsets, sizes, strides;
  for (mlir::Value offset : mapped(op.getStartIndices()))
    offsets.push_back(getAsOpFoldResult(offset));
  auto type = cast<MemRefType>(to.buffer.getType());
  SmallVector<mlir::Value> dims = dimsOf(to.buffer);
  size_t next = 0;
  for (int64_t extent : type.getShape()) {
    sizes.push_back(ShapedType::isDynamic(extent)
                        ? OpFoldResult(dims[next++])
                        : OpFoldResult(builder.getIndexAttr(extent)));
    strides.push_back(builder.getIndexAttr(1));
  }
  copy(memref::SubViewOp::create(builder, loc, from.buffer, offsets, sizes,
                                 strides),
       to.buffer);
  bind(op.getResult(), to);
  return success();
}

LogicalResult Lowering::update(flow::TensorUpdateOp op) {
  const Place from = places.find(op.getUpdate())->second;
  Place to =
      inPlaceOrCopy(op.getTarget(), op.getResult(), mapped(op.getTargetDims()));
  SmallVector<OpFoldResult> offsets, sizes, strides;
  for (mlir::Value offset : mapped(op.getStartIndices()))
    offsets.push_back(getAsOpFoldResult(offset));
  auto type = cast<MemRefType>(from.buffer.getType());
  SmallVector<mlir::Value> dims = dimsOf(from.buffer);
  size_t next = 0;
  for (int64_t extent : type.getShape()) {
    sizes.push_back(ShapedType::isDynamic(extent)
                        ? OpFoldResult(dims[next++])
                        : OpFoldResult(builder.getIndexAttr(extent)));
    strides.push_back(builder.getIndexAttr(1));
  }
  copy(from.buffer, memref::SubViewOp::create(builder, loc, to.buffer, offsets,
                                              sizes, strides));
  bind(op.getResult(), to);
  return success();
}

/// What the next iteration of a loop has in slots, and this one gives in others.
/// Their memory is exchanged, if each is given once, and what is given in a slot
/// without an argument is not needed there any more:
///
///   ^loop(%a, %b):                 // in slots 0 and 1
///     %c = ...                     // in slot 2
///     cf.br ^loop(%b, %c)          // 0 has the memory of 1, 1 of 2, and 2 of 0
Moves Lowering::movesOf(cf::BranchOp op) {
  Moves moves;
  Block *dest = op.getDest();
  if (!dominance.dominates(dest, op->getBlock()))
    return moves;
  std::map<unsigned, unsigned> uses;
  llvm::SmallDenseSet<unsigned> targets, shared;
  auto isSlot = [&](mlir::Value tensor) {
    return storageOf(tensor)->kind == Storage::Kind::Slot;
  };
  for (auto [argument, value] :
       llvm::zip_equal(dest->getArguments(), op.getDestOperands())) {
    if (!tensorType(value))
      continue;
    unsigned own = plan.bufferOf(argument), given = plan.bufferOf(value);
    ++uses[given];
    if (plan.equalTo(argument))
      continue;
    if (!targets.insert(own).second)
      shared.insert(own); // with an argument that is not used
    if (own != given && isSlot(argument) && !plan[given].fixed &&
        isSlot(value) && places.find(value)->second.storage == storageOf(value))
      moves[own] = given;
  }
  for (unsigned own : shared)
    moves.erase(own);
  const LivenessBlockInfo *live = liveness.getLiveness(dest);
  auto isPossible = [&](unsigned given) {
    if (uses[given] != 1)
      return false;
    if (targets.contains(given))
      return moves.count(given) != 0;
    return llvm::none_of(plan[given].members, [&](mlir::Value member) {
      return live->isLiveIn(member);
    });
  };
  for (bool again = true; again;) {
    again = false;
    for (auto [own, given] : moves)
      if (!isPossible(given)) {
        moves.erase(own);
        again = true;
        break;
      }
  }
  return moves;
}

void Lowering::exchangeSlots(const Moves &moves) {
  auto slotOf = [&](unsigned buffer) {
    return host.integer(storageOf(plan[buffer].members.front())->number);
  };
  llvm::SmallDenseSet<unsigned> given, done;
  for (auto [own, other] : moves)
    given.insert(other);
  // A chain is followed from its end, a cycle from anywhere.
  for (bool isChain : {true, false})
    for (auto [first, second] : moves) {
      if (isChain && given.contains(first))
        continue;
      auto it = moves.find(first);
      for (; it != moves.end() && done.insert(it->first).second;
           it = moves.find(it->second)) {
        if (it->second == first)
          break;
        host.call("mercator_exchange_slots",
                  LLVM::LLVMVoidType::get(module.getContext()),
                  {context, slotOf(it->first), slotOf(it->second)});
      }
    }
}

/// Saves those tensors of unknown extents that a branch copies and whose memory
/// another copy may replace by a larger one.
DenseMap<mlir::Value, Place> Lowering::saveGrowing(cf::BranchOp op,
                                                   const Moves &moves) {
  DenseMap<mlir::Value, Place> saved;
  llvm::SmallDenseSet<unsigned> written;
  auto isCopied = [&](mlir::Value argument, mlir::Value value) {
    return tensorType(argument) && !tensorType(argument).hasStaticShape() &&
           !plan.areTogether(argument, value) &&
           moves.count(plan.bufferOf(argument)) == 0;
  };
  auto pairs =
      llvm::zip_equal(op.getDest()->getArguments(), op.getDestOperands());
  for (auto [argument, value] : pairs)
    if (isCopied(argument, value))
      written.insert(plan.bufferOf(argument));
  for (auto [argument, value] : pairs) {
    if (!isCopied(argument, value) || !written.contains(plan.bufferOf(value)) ||
        saved.contains(value))
      continue;
    mlir::Value buffer = places.find(value)->second.buffer;
    Place own = allocate(tensorType(value), dimsOf(buffer));
    copyTensor(buffer, own.buffer);
    saved.insert({value, own});
  }
  return saved;
}

/// Copies tensors to the buffers of the block's arguments, those that are not
/// there.
LogicalResult Lowering::branch(cf::BranchOp op) {
  Block *here = op->getBlock(), *dest = op.getDest();
  const Rotation *rotation = plan.rotationAt(dest);
  bool turns = rotation && rotation->latch == here;
  // The buffer whose place the loop's next iteration has for a buffer.
  auto nextOf = [&](unsigned buffer) {
    if (turns)
      for (auto [own, next] :
           llvm::zip_equal(rotation->buffers, rotation->next))
        if (own == buffer)
          return next;
    return buffer;
  };
  auto isPassed = [&](unsigned buffer) {
    return rotation && llvm::is_contained(rotation->buffers, buffer);
  };
  SmallVector<mlir::Value> operands, buffers;
  SmallVector<Copy> copies;
  bool leaves = false; // a loop that permutes what it copies
  Moves moves = movesOf(op);
  exchangeSlots(moves);
  DenseMap<mlir::Value, Place> saved = saveGrowing(op, moves);
  for (auto [argument, value] :
       llvm::zip_equal(dest->getArguments(), op.getDestOperands())) {
    if (!tensorType(value)) {
      operands.push_back(mapping.lookup(value));
      continue;
    }
    bool isBound = places.contains(argument);
    if (mlir::Value same = plan.equalTo(argument)) {
      if (!isBound)
        bind(argument, Place(places.find(same)->second));
      continue;
    }
    Storage *storage = storageOf(argument);
    storage->use(times.lookup(op));
    Place from = places.find(value)->second;
    if (auto found = saved.find(value); found != saved.end())
      from = found->second;
    unsigned own = plan.bufferOf(argument), given = plan.bufferOf(value);
    if (storage->kind == Storage::Kind::Slot ||
        !tensorType(argument).hasStaticShape()) {
      if (!isBound)
        bind(argument, {storage, mapping.lookup(dest)->addArgument(
                                     bufferOf(tensorType(argument)), loc)});
      mlir::Value buffer = from.buffer;
      if (own != given && moves.count(own) == 0) {
        SmallVector<mlir::Value> dims = dimsOf(buffer);
        buffer = allocate(tensorType(argument), dims, argument).buffer;
        copies.push_back({from.buffer, from.storage, buffer, storage});
      }
      buffers.push_back(buffer);
      continue;
    }
    MemRefType type = bufferOf(tensorType(argument));
    if (!isBound)
      bind(argument, {storage, bufferAt(own, dest, type)});
    if (isPassed(own)) {
      unsigned next = nextOf(own);
      if (next != given)
        copies.push_back({from.buffer, from.storage, bufferAt(next, here, type),
                          storageOf(plan[next].members.front())});
      continue;
    }
    bool isThere =
        own == given && rotationOf(own, here) == rotationOf(own, dest);
    if (isThere)
      continue;
    leaves |= rotationOf(own, here) != rotationOf(own, dest) ||
              rotationOf(given, here) != rotationOf(given, dest);
    copies.push_back(
        {from.buffer, from.storage, bufferAt(own, dest, type), storage});
  }
  copyAtOnce(copies, leaves);
  if (rotation)
    for (unsigned buffer : rotation->buffers)
      operands.push_back(addressAt(nextOf(buffer), here));
  llvm::append_range(operands, buffers);
  cf::BranchOp::create(builder, op.getLoc(), mapping.lookup(dest), operands);
  return success();
}

LogicalResult Lowering::lower(Operation &op) {
  current = &op;
  if (auto dispatchOp = dyn_cast<flow::DispatchOp>(op))
    return dispatch(dispatchOp);
  if (auto call = dyn_cast<func::CallOp>(op))
    return callLibrary(call);
  if (auto end = dyn_cast<func::ReturnOp>(op))
    return finish(end);
  if (auto jump = dyn_cast<cf::BranchOp>(op))
    return branch(jump);
  if (auto jump = dyn_cast<cf::CondBranchOp>(op)) {
    cf::CondBranchOp::create(builder, op.getLoc(),
                             mapping.lookup(jump.getCondition()),
                             mapping.lookup(jump.getTrueDest()),
                             mapping.lookup(jump.getFalseDest()));
    return success();
  }
  if (auto jump = dyn_cast<cf::SwitchOp>(op)) {
    SmallVector<Block *> cases;
    for (Block *dest : jump.getCaseDestinations())
      cases.push_back(mapping.lookup(dest));
    SmallVector<ValueRange> none(cases.size());
    cf::SwitchOp::create(builder, op.getLoc(), mapping.lookup(jump.getFlag()),
                         mapping.lookup(jump.getDefaultDestination()),
                         ValueRange(), jump.getCaseValuesAttr(), cases, none);
    return success();
  }
  if (auto call = dyn_cast<stablehlo::CustomCallOp>(op))
    if (call.getCallTargetName() == "shape_assertion" &&
        op.getNumOperands() > 0 && op.getNumResults() == 0)
      return assertion(call);
  if (auto check = dyn_cast<cf::AssertOp>(op))
    return assertion(check);
  if (auto part = dyn_cast<flow::TensorSliceOp>(op))
    return slice(part);
  if (auto part = dyn_cast<flow::TensorUpdateOp>(op))
    return update(part);
  if (isa<flow::TensorTraceOp>(op))
    return success();
  if (auto reshape = dyn_cast<flow::TensorReshapeOp>(op)) {
    checkSize(reshape);
    alias(reshape.getResult(), reshape.getSource(),
          mapped(reshape.getResultDims()));
    return success();
  }
  if (auto cast = dyn_cast<flow::TensorBitCastOp>(op)) {
    alias(cast.getResult(), cast.getSource(), mapped(cast.getResultDims()));
    return success();
  }
  if (auto tie = dyn_cast<flow::TensorTieShapeOp>(op)) {
    alias(tie.getResult(), tie.getOperand(), mapped(tie.getDynamicDims()));
    return success();
  }
  if (auto clone = dyn_cast<flow::TensorCloneOp>(op)) {
    alias(clone.getResult(), clone.getOperand(),
          mapped(clone.getArgumentDims()));
    return success();
  }
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    const Place place = places.find(cast.getSource())->second;
    MemRefType type = bufferOf(mlir::cast<RankedTensorType>(cast.getType()));
    bind(cast.getResult(),
         {place.storage,
          memref::CastOp::create(builder, loc, type, place.buffer)});
    return success();
  }
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    mapping.map(dim.getResult(),
                memref::DimOp::create(
                    builder, loc, places.find(dim.getSource())->second.buffer,
                    mapping.lookup(dim.getIndex()))
                    .getResult());
    return success();
  }
  if (auto load = dyn_cast<flow::TensorLoadOp>(op)) {
    mlir::Value buffer = places.find(load.getSource())->second.buffer;
    SmallVector<mlir::Value> indices = mapped(load.getIndices());
    requireIndices(op.getLoc(), indices, buffer);
    mapping.map(load.getResult(),
                memref::LoadOp::create(builder, op.getLoc(), buffer, indices)
                    .getResult());
    return success();
  }
  if (auto store = dyn_cast<flow::TensorStoreOp>(op)) {
    Place place = inPlaceOrCopy(store.getTarget(), store.getResult(),
                                mapped(store.getTargetDims()));
    SmallVector<mlir::Value> indices = mapped(store.getIndices());
    requireIndices(op.getLoc(), indices, place.buffer);
    memref::StoreOp::create(builder, op.getLoc(),
                            mapping.lookup(store.getValue()), place.buffer,
                            indices);
    bind(store.getResult(), place);
    return success();
  }
  if (auto empty = dyn_cast<flow::TensorEmptyOp>(op)) {
    bind(empty.getResult(),
         allocate(empty.getType(), mapped(empty.getResultDims()),
                  empty.getResult()));
    return success();
  }
  if (auto splat = dyn_cast<flow::TensorSplatOp>(op)) {
    Place place = allocate(splat.getType(), mapped(splat.getResultDims()),
                           splat.getResult());
    linalg::FillOp::create(builder, op.getLoc(),
                           mapping.lookup(splat.getValue()), place.buffer);
    bind(splat.getResult(), place);
    return success();
  }
  if (op.getNumResults() == 1 && tensorType(op.getResult(0))) {
    ElementsAttr elements;
    if (auto constantOp = dyn_cast<arith::ConstantOp>(op))
      elements = dyn_cast<ElementsAttr>(constantOp.getValue());
    else if (auto constantOp = dyn_cast<flow::TensorConstantOp>(op))
      elements = constantOp.getValue();
    if (elements)
      return constant(op, elements);
  }
  bool hasTensors =
      llvm::any_of(op.getOperandTypes(),
                   [](Type type) { return isa<TensorType>(type); }) ||
      llvm::any_of(op.getResultTypes(),
                   [](Type type) { return isa<TensorType>(type); });
  if (hasTensors || op.getNumRegions() != 0 ||
      op.hasTrait<OpTrait::IsTerminator>()) {
    if (auto call = dyn_cast<stablehlo::CustomCallOp>(op))
      return op.emitOpError() << "calls @" << call.getCallTargetName()
                              << ", which has no code for a CPU yet";
    bool exchanges =
        op.hasAttr("replica_groups") || op.hasAttr("source_target_pairs");
    return op.emitOpError()
           << (exchanges ? "exchanges data between processes; only `mercator "
                           "run --processes` does that yet"
                         : "has no code for a CPU yet");
  }
  builder.clone(op, mapping);
  return success();
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// What exchanges places with others is needed as long as they are.
void Lowering::joinRotatedLifetimes() {
  llvm::EquivalenceClasses<unsigned> together;
  for (const auto &[header, rotation] : plan.allRotations())
    for (unsigned buffer : rotation.buffers)
      together.unionSets(rotation.buffers.front(), buffer);
  for (const auto *set : together) {
    if (!set->isLeader())
      continue;
    int64_t first = INT64_MAX, last = -1;
    for (unsigned buffer : together.members(*set))
      if (Storage *storage = storageOfBuffer[buffer]) {
        first = std::min(first, storage->first);
        last = std::max(last, storage->last);
      }
    for (unsigned buffer : together.members(*set))
      if (Storage *storage = storageOfBuffer[buffer]) {
        storage->use(first);
        storage->use(last);
      }
  }
}

/// A tensor that is not needed any more when a result is written may lie in the
/// result's memory.
void Lowering::placeArena() {
  joinRotatedLifetimes();
  std::vector<Lifetime> lifetimes;
  std::vector<Room> rooms;
  std::vector<Storage *> own, owners;
  for (Storage &storage : storages) {
    if (storage.kind == Storage::Kind::Result) {
      owners.push_back(&storage);
      rooms.push_back(
          {storage.first, storage.last, storage.bytes, storage.alignment});
    } else if (storage.kind == Storage::Kind::Arena) {
      own.push_back(&storage);
      lifetimes.push_back({storage.first, storage.last, storage.bytes,
                           storage.isScratch, storage.alignment});
      // What is checked shares no bytes, and has a distance to others.
      if (machine.isChecked)
        lifetimes.back() = {0, 1, storage.bytes + 4 * kAlignment};
    }
  }
  if (machine.isChecked)
    rooms.clear();
  ArenaPlan plan = planArena(lifetimes, rooms);
  std::vector<mlir::Value> memory(rooms.size());
  for (auto [storage, offset, room] :
       llvm::zip_equal(own, plan.offsets, plan.rooms)) {
    storage->offset = offset;
    for (memref::ViewOp view : storage->views) {
      builder.setInsertionPoint(view);
      view.getByteShiftMutable().assign(host.index(offset));
    }
    if (room == ArenaPlan::kArena)
      continue;
    storage->kind = Storage::Kind::Result;
    storage->number = owners[size_t(room)]->number;
    mlir::Value &bytes = memory[size_t(room)];
    if (!bytes) {
      builder.setInsertionPointAfterValue(arena);
      bytes = memoryOf(results, storage->number);
    }
    for (memref::ViewOp view : storage->views)
      view.getSourceMutable().assign(bytes);
  }
  program.arenaBytes = plan.bytes;
}

/// How much the program touches between two uses of what each call uses.
void Lowering::noteDistances() {
  auto touchOf = [&](const Use &use) {
    if (!use.storage || use.storage->kind == Storage::Kind::Slot)
      return Touch{-1, 0, use.bytes};
    // Inputs, constants and results have numbers; what is on the stack has none.
    constexpr int64_t kKinds = 8;
    bool isNumbered = use.storage->kind != Storage::Kind::Arena &&
                      use.storage->kind != Storage::Kind::Stack;
    return Touch{int64_t(use.storage->kind) +
                     (isNumbered ? kKinds * use.storage->number : 0),
                 use.storage->offset, use.bytes};
  };
  // The caller has prepared the memory of results.
  std::vector<std::vector<Touch>> touches(1);
  for (const Step &step : steps) {
    std::vector<Touch> &own = touches.emplace_back();
    for (const Use &use : step.uses) {
      own.push_back(touchOf(use));
      if (use.storage && use.storage->kind == Storage::Kind::Result)
        touches.front().push_back(own.back());
    }
  }
  std::vector<std::vector<double>> distances = distancesOf(touches);
  distances.erase(distances.begin());
  llvm::StringSet<> seen;
  for (auto [step, own] : llvm::zip_equal(steps, distances)) {
    if (step.dispatch >= 0)
      program.dispatches[size_t(step.dispatch)].distances = own;
    if (!step.kernel.empty() && seen.insert(step.kernel).second)
      program.distances[step.kernel] = own;
  }
}

/// Reports where the buffers are, for programs that check their accesses.
void Lowering::watchBuffers() {
  SmallVector<memref::ViewOp> views(entry.getOps<memref::ViewOp>());
  auto none = LLVM::LLVMVoidType::get(module.getContext());
  for (memref::ViewOp view : views) {
    builder.setInsertionPointAfter(view);
    host.call(
        "mercator_watch", none,
        {host.pointerTo(view), host.byteSize(view.getType(), view.getSizes())});
  }
  builder.setInsertionPointToStart(&entry.getBody().front());
  host.call("mercator_unwatch_all", none, {});
}

/// What the caller must know of the parameters that it gives away.
void Lowering::noteDonations() {
  program.aliases.assign(
      size_t(llvm::count_if(source.getResultTypes(),
                            [](Type type) { return isa<TensorType>(type); })),
      -1);
  for (size_t i = 0; i < plan.size(); ++i) {
    const InPlace::Buffer &buffer = plan[unsigned(i)];
    if (!buffer.donated)
      continue;
    int64_t parameter = storageOfBuffer[i]->number;
    if (buffer.result >= 0)
      program.aliases[size_t(buffer.result)] = parameter;
    if (buffer.result >= 0 || buffer.members.size() > 1)
      program.overwritten.push_back(parameter);
  }
}

FailureOr<HostProgram> Lowering::run() {
  number();
  if (failed(begin()))
    return failure();
  for (Block &block : source.getBody()) {
    Block *own = mapping.lookup(&block);
    if (!block.isEntryBlock())
      builder.setInsertionPointToEnd(own);
    for (Operation &op : block)
      if (failed(lower(op)))
        return failure();
  }
  placeArena();
  noteDistances();
  if (machine.isChecked)
    watchBuffers();
  noteDonations();
  return std::move(program);
}

/// One of two tensors is a conditional whose branches compute nothing. A branch
/// that gives a tensor whose buffer the result has copies nothing.
static void branchForSelects(func::FuncOp function) {
  SmallVector<arith::SelectOp> selects;
  function.walk([&](arith::SelectOp op) {
    if (isa<RankedTensorType>(op.getType()) &&
        op.getCondition().getType().isInteger(1))
      selects.push_back(op);
  });
  for (arith::SelectOp op : selects) {
    Block *before = op->getBlock();
    Block *after = before->splitBlock(op);
    mlir::Value result = after->addArgument(op.getType(), op.getLoc());
    OpBuilder builder = OpBuilder::atBlockEnd(before);
    cf::CondBranchOp::create(builder, op.getLoc(), op.getCondition(), after,
                             ValueRange(op.getTrueValue()), after,
                             ValueRange(op.getFalseValue()));
    op.replaceAllUsesWith(result);
    op.erase();
  }
}

/// Branches on a condition pass no values: they go through blocks of their own.
static void splitEdges(func::FuncOp function) {
  SmallVector<BranchOpInterface> branches;
  function.walk([&](BranchOpInterface op) {
    if (op->getNumSuccessors() > 1)
      branches.push_back(op);
  });
  for (BranchOpInterface op : branches)
    for (unsigned i = 0; i < op->getNumSuccessors(); ++i) {
      Block *dest = op->getSuccessor(i);
      SuccessorOperands operands = op.getSuccessorOperands(i);
      if (operands.empty())
        continue;
      Block *edge = new Block;
      edge->insertAfter(op->getBlock());
      OpBuilder builder = OpBuilder::atBlockBegin(edge);
      cf::BranchOp::create(builder, op.getLoc(), dest,
                           operands.getForwardedOperands());
      operands.erase(0, operands.size());
      op->setSuccessor(edge, i);
    }
}

/// Blocks in an order where a block follows those that dominate it.
static void sortBlocks(func::FuncOp function) {
  Region &region = function.getBody();
  llvm::ReversePostOrderTraversal<Region *> order(&region);
  SmallVector<Block *> blocks(order.begin(), order.end());
  llvm::SmallPtrSet<Block *, 16> reached(blocks.begin(), blocks.end());
  for (Block &block : llvm::make_early_inc_range(region))
    if (!reached.contains(&block)) {
      block.dropAllDefinedValueUses();
      block.dropAllReferences();
      block.erase();
    }
  for (Block *block : blocks)
    block->moveBefore(&region, region.end());
}

FailureOr<HostProgram> cpu::lowerHost(ModuleOp module, StringRef name,
                                      const Machine &machine) {
  PassManager passes(module.getContext());
  passes.addPass(createInlinerPass());
  passes.addNestedPass<func::FuncOp>(createSCFToControlFlowPass());
  if (failed(passes.run(module)))
    return failure();
  guardDivisions(module);
  auto source = module.lookupSymbol<func::FuncOp>(name);
  if (!source || source.isExternal())
    return emitError(module.getLoc()) << "expected a function @" << name;
  branchForSelects(source);
  splitEdges(source);
  sortBlocks(source);
  fillSplats(source, updatedTensor);
  readBeforeUpdates(source);
  computeLate(source, machine.usesDonations);
  checkFirst(source);
  FailureOr<Kernels> kernels = makeKernels(module, source, machine);
  if (failed(kernels))
    return failure();
  std::vector<KernelSchedule> schedules;
  llvm::SmallDenseSet<Attribute> seen;
  source.walk([&](flow::DispatchOp op) {
    if (!seen.insert(op.getEntryPoint()).second)
      return;
    Kernel &kernel = kernels->find(op.getEntryPoint())->second;
    schedules.push_back({op.getEntryPoint().getLeafReference().str(),
                         kernel.function.getName().str(), kernel.notes});
  });
  FailureOr<HostProgram> program =
      Lowering(module, source, machine, *kernels).run();
  if (failed(program))
    return failure();
  program->kernels.insert(program->kernels.begin(),
                          std::make_move_iterator(schedules.begin()),
                          std::make_move_iterator(schedules.end()));
  for (KernelSchedule &kernel : program->kernels)
    kernel.distances = program->distances.lookup(kernel.kernel);
  for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
    auto function = dyn_cast<func::FuncOp>(op);
    bool stays = function ? function.getName() == kEntry ||
                                function.getName().starts_with("kernel_")
                          : op.getDialect()->getNamespace() == "llvm" ||
                                op.getDialect()->getNamespace() == "memref";
    if (!stays)
      op.erase();
  }
  return program;
}
