// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Passes the dynamic extents of tensors through the program as values:
//
//   func.func @f(%t: tensor<?x4xf32>) -> tensor<?x4xf32>
//
//   func.func @f(%t: tensor<?x4xf32>, %d: index) -> (tensor<?x4xf32>, index) {
//     %0 = flow.tensor.tie_shape %t : tensor<?x4xf32>{%d}
//
// Expands globals (one additional global for each extent), functions, calls,
// branches, selects, and the loops and conditionals of `scf`. There are two
// rounds over the program, so the order of its blocks does not matter. The
// first round computes the extents of every value at its definition, and
// inserts a tie_shape that replaces the value for all users. The second round
// passes the extents along with each value that is passed on. The value itself
// is passed without its tie.

#include "mercator/dialects/flow/Flow.h"
#include "mercator/dialects/hal/Hal.h"
#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/operations/ScalarLoops.h"

#include "llvm/ADT/DenseSet.h"

namespace mercator::flow {
#define GEN_PASS_DEF_EXPANDTENSORSHAPES
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;
using flow::isScalarLoop;

static bool isDynamicTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

/// After each tensor one index for each of its dynamic extents.
static SmallVector<Type> expandTypes(TypeRange types) {
  SmallVector<Type> expanded;
  for (Type type : types) {
    expanded.push_back(type);
    if (isDynamicTensor(type))
      expanded.append(util::getNumDynamicDims(type),
                      IndexType::get(type.getContext()));
  }
  return expanded;
}

/// The attributes of values of these types; extents have none.
static ArrayAttr expandAttrs(ArrayAttr attrs, TypeRange types) {
  if (!attrs)
    return {};
  MLIRContext *context = attrs.getContext();
  SmallVector<Attribute> expanded;
  for (auto [attr, type] : llvm::zip(attrs, types)) {
    expanded.push_back(attr);
    if (isDynamicTensor(type))
      expanded.append(util::getNumDynamicDims(type),
                      DictionaryAttr::get(context));
  }
  return ArrayAttr::get(context, expanded);
}

namespace {

class Expansion {
public:
  explicit Expansion(ModuleOp module)
      : module(module), builder(module.getContext()) {}

  void run();

private:
  // Chooses what to expand.
  void expandGlobals();
  void chooseFunctions(ArrayRef<Operation *> ops);
  SmallVector<Operation *> collectOperations();
  bool takesExtents(Operation *func);
  bool takesExtents(Block &block);

  // The first round.
  void define(Operation *op);
  void defineArguments(Block &block);
  void defineSignature(func::FuncOp func);
  void defineLoad(util::GlobalLoadOp load);
  void defineSelect(arith::SelectOp select);
  void defineCall(func::CallOp call);
  Operation *defineResults(Operation *op);
  void defineControl(Operation *op);
  void tie(Value tensor, ValueRange dims);

  // The second round.
  struct Expanded {
    Value tensor;
    SmallVector<Value> dims;
  };
  Expanded getExpanded(Operation *user, Value tensor);
  SmallVector<Value> expandValues(Operation *user, ValueRange values);
  void passToSuccessors(BranchOpInterface branch);
  void passToGlobal(util::GlobalStoreOp store);
  void passSelected(arith::SelectOp select, ArrayRef<Operation *> dims);

  ModuleOp module;
  OpBuilder builder;
  struct Global {
    RankedTensorType type;
    // The global that holds the extent of each dimension; null for static
    // extents.
    SmallVector<util::GlobalOp> dims;
  };
  DenseMap<StringAttr, Global> globals;
  // Functions with extents as parameters.
  llvm::DenseSet<StringAttr> functions;
  // Blocks with extents as arguments.
  llvm::DenseSet<Block *> blocks;
  // The operations of the second round: operations that pass on all their
  // operands, branches, stores, and selects with those of their extents.
  SmallVector<Operation *> users;
  SmallVector<BranchOpInterface> branches;
  SmallVector<util::GlobalStoreOp> stores;
  SmallVector<std::pair<arith::SelectOp, SmallVector<Operation *>>> selects;
};

} // namespace

//===----------------------------------------------------------------------===//
// Operations to expand
//===----------------------------------------------------------------------===//

void Expansion::expandGlobals() {
  // A store through an address would store a tensor without its extents.
  llvm::DenseSet<StringAttr> hasAddress;
  module.walk([&](util::GlobalAddressOp address) {
    hasAddress.insert(address.getGlobalAttr().getAttr());
  });
  SymbolTable symbols(module);
  for (auto global : llvm::to_vector(module.getOps<util::GlobalOp>())) {
    if (!isDynamicTensor(global.getType()) ||
        hasAddress.contains(global.getSymNameAttr()))
      continue;
    auto type = cast<RankedTensorType>(global.getType());
    RankedTensorType initial;
    if (TypedAttr value = global.getInitialValueAttr())
      initial = dyn_cast<RankedTensorType>(value.getType());
    Global &expanded = globals[global.getSymNameAttr()];
    expanded.type = type;
    builder.setInsertionPointAfter(global);
    for (int64_t i = 0; i < type.getRank(); ++i) {
      util::GlobalOp &dim = expanded.dims.emplace_back();
      if (!type.isDynamicDim(i))
        continue;
      TypedAttr extent;
      if (initial && initial.getRank() == type.getRank() &&
          !initial.isDynamicDim(i))
        extent = builder.getIndexAttr(initial.getDimSize(i));
      dim = util::GlobalOp::create(
          builder, global.getLoc(),
          (global.getSymName() + "__d" + Twine(i)).str(), global.getIsMutable(),
          builder.getIndexType(), extent);
      if (StringAttr visibility = global.getSymVisibilityAttr())
        dim.setSymVisibilityAttr(visibility);
      symbols.insert(dim);
    }
  }
}

/// Functions that are only called. A function that is used in any other way
/// keeps its type.
void Expansion::chooseFunctions(ArrayRef<Operation *> ops) {
  for (auto func : module.getOps<func::FuncOp>())
    functions.insert(func.getSymNameAttr());
  for (Operation *op : ops) {
    auto call = dyn_cast<func::CallOp>(op);
    Attribute callee = call ? call.getCalleeAttr() : FlatSymbolRefAttr();
    op->getAttrDictionary().walk<WalkOrder::PreOrder>([&](SymbolRefAttr name) {
      if (name != callee)
        functions.erase(name.getRootReference());
      return WalkResult::skip();
    });
  }
}

/// All operations, except those in nested modules, executables and the like,
/// and scalar loops.
SmallVector<Operation *> Expansion::collectOperations() {
  SmallVector<Operation *> found;
  for (Operation &root : *module.getBody())
    root.walk<WalkOrder::PreOrder>([&](Operation *op) {
      // A scalar loop becomes a dispatch, which needs no extents in its body.
      bool isDispatch = isScalarLoop(op);
      if (!isDispatch)
        found.push_back(op);
      return isDispatch || op->hasTrait<OpTrait::SymbolTable>()
                 ? WalkResult::skip()
                 : WalkResult::advance();
    });
  return found;
}

bool Expansion::takesExtents(Operation *op) {
  auto func = dyn_cast<func::FuncOp>(op);
  return func && func->getParentOp() == module &&
         functions.contains(func.getSymNameAttr());
}

/// Whether all branches to the block can pass additional values.
bool Expansion::takesExtents(Block &block) {
  if (block.isEntryBlock() ||
      llvm::none_of(block.getArgumentTypes(), isDynamicTensor))
    return false;
  for (auto it = block.pred_begin(), end = block.pred_end(); it != end; ++it) {
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    if (!branch || branch.getSuccessorOperands(it.getSuccessorIndex())
                           .getProducedOperandCount() != 0)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// First round: values and their extents
//===----------------------------------------------------------------------===//

/// Makes all users of `tensor` use it with its extents.
void Expansion::tie(Value tensor, ValueRange dims) {
  Operation *tied =
      flow::TensorTieShapeOp::create(builder, tensor.getLoc(), tensor, dims);
  tensor.replaceAllUsesExcept(tied->getResult(0), tied);
}

void Expansion::defineArguments(Block &block) {
  builder.setInsertionPointToStart(&block);
  for (unsigned i = 0; i < block.getNumArguments(); ++i) {
    BlockArgument tensor = block.getArgument(i);
    if (!isDynamicTensor(tensor.getType()))
      continue;
    unsigned count = util::getNumDynamicDims(tensor.getType());
    SmallVector<Value> dims;
    for (unsigned j = 0; j < count; ++j)
      dims.push_back(
          block.insertArgument(++i, builder.getIndexType(), tensor.getLoc()));
    tie(tensor, dims);
  }
}

void Expansion::defineSignature(func::FuncOp func) {
  FunctionType type = func.getFunctionType();
  if (llvm::none_of(type.getInputs(), isDynamicTensor) &&
      llvm::none_of(type.getResults(), isDynamicTensor))
    return;
  ArrayAttr argAttrs = expandAttrs(func.getArgAttrsAttr(), type.getInputs());
  ArrayAttr resAttrs = expandAttrs(func.getResAttrsAttr(), type.getResults());
  func.setFunctionType(builder.getFunctionType(expandTypes(type.getInputs()),
                                               expandTypes(type.getResults())));
  if (argAttrs)
    func.setArgAttrsAttr(argAttrs);
  if (resAttrs)
    func.setResAttrsAttr(resAttrs);
  if (!func.isExternal())
    defineArguments(func.front());
}

void Expansion::defineLoad(util::GlobalLoadOp load) {
  auto it = globals.find(load.getGlobalAttr().getAttr());
  auto type = dyn_cast<RankedTensorType>(load.getType());
  if (it == globals.end() || !type || type.hasStaticShape() ||
      type.getRank() != it->second.type.getRank())
    return;
  builder.setInsertionPointAfter(load);
  SmallVector<Value> dims;
  for (auto [i, global] : llvm::enumerate(it->second.dims)) {
    if (!type.isDynamicDim(i))
      continue;
    // The type of the global may be more static than that of the load.
    if (!global) {
      dims.push_back(arith::ConstantIndexOp::create(
          builder, load.getLoc(), it->second.type.getDimSize(i)));
      continue;
    }
    auto dim = util::GlobalLoadOp::create(builder, load.getLoc(), global);
    dim.setIsImmutable(load.getIsImmutable());
    dims.push_back(dim);
  }
  tie(load.getResult(), dims);
}

/// Selects extents in the same way as tensors. The operands follow later.
void Expansion::defineSelect(arith::SelectOp select) {
  // An elementwise select does not select extents.
  if (!isDynamicTensor(select.getType()) ||
      !select.getCondition().getType().isInteger(1))
    return;
  builder.setInsertionPointAfter(select);
  SmallVector<Operation *> ops;
  SmallVector<Value> dims;
  for (unsigned i = 0; i < util::getNumDynamicDims(select.getType()); ++i) {
    OperationState state(select.getLoc(), arith::SelectOp::getOperationName());
    state.addOperands(SmallVector<Value>(3, select.getCondition()));
    state.addTypes(builder.getIndexType());
    dims.push_back(ops.emplace_back(builder.create(state))->getResult(0));
  }
  tie(select.getResult(), dims);
  selects.emplace_back(select, ops);
}

/// The operation with the extents added after each dynamic result.
Operation *Expansion::defineResults(Operation *op) {
  if (llvm::none_of(op->getResultTypes(), isDynamicTensor))
    return op;
  builder.setInsertionPoint(op);
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.addTypes(expandTypes(op->getResultTypes()));
  state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *expanded = builder.create(state);
  expanded->copyProperties(op->getPropertiesStorage());
  builder.setInsertionPointAfter(expanded);
  unsigned i = 0;
  for (OpResult old : op->getResults()) {
    Value fresh = expanded->getResult(i++);
    old.replaceAllUsesWith(fresh);
    if (!isDynamicTensor(old.getType()))
      continue;
    unsigned count = util::getNumDynamicDims(old.getType());
    tie(fresh, expanded->getResults().slice(i, count));
    i += count;
  }
  op->erase();
  return expanded;
}

void Expansion::defineCall(func::CallOp call) {
  if (!functions.contains(call.getCalleeAttr().getAttr()))
    return;
  ArrayAttr argAttrs =
      expandAttrs(call.getArgAttrsAttr(), call.getOperandTypes());
  ArrayAttr resAttrs =
      expandAttrs(call.getResAttrsAttr(), call.getResultTypes());
  call = cast<func::CallOp>(defineResults(call));
  if (argAttrs)
    call.setArgAttrsAttr(argAttrs);
  if (resAttrs)
    call.setResAttrsAttr(resAttrs);
  users.push_back(call);
}

/// A loop or a conditional: its operands, block arguments and results are lists
/// of values of the same types.
void Expansion::defineControl(Operation *op) {
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    defineArguments(region.front());
    for (Block &block : region)
      if (isa<scf::YieldOp, scf::ConditionOp>(block.getTerminator()))
        users.push_back(block.getTerminator());
  }
  users.push_back(defineResults(op));
}

void Expansion::define(Operation *op) {
  if (op->hasTrait<OpTrait::SymbolTable>())
    return;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (takesExtents(block)) {
        blocks.insert(&block);
        defineArguments(block);
      }
  if (isa<func::FuncOp>(op)) {
    if (takesExtents(op))
      defineSignature(cast<func::FuncOp>(op));
  } else if (isa<func::ReturnOp>(op)) {
    if (takesExtents(op->getParentOp()))
      users.push_back(op);
  } else if (auto call = dyn_cast<func::CallOp>(op)) {
    defineCall(call);
  } else if (auto load = dyn_cast<util::GlobalLoadOp>(op)) {
    defineLoad(load);
  } else if (auto store = dyn_cast<util::GlobalStoreOp>(op)) {
    if (globals.contains(store.getGlobalAttr().getAttr()))
      stores.push_back(store);
  } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
    defineSelect(select);
  } else if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    branches.push_back(branch);
  } else if (isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::IndexSwitchOp,
                 scf::ExecuteRegionOp>(op)) {
    defineControl(op);
  }
}

//===----------------------------------------------------------------------===//
// Second round: operations that pass values on
//===----------------------------------------------------------------------===//

/// A tensor without its tie, and its extents for the use by `user`.
Expansion::Expanded Expansion::getExpanded(Operation *user, Value tensor) {
  if (auto tied = tensor.getDefiningOp<flow::TensorTieShapeOp>())
    return {tied.getOperand(), llvm::to_vector(tied.getDynamicDims())};
  builder.setInsertionPoint(user);
  return {tensor,
          util::buildDynamicDimsForValue(user->getLoc(), tensor, builder)};
}

/// Whether canonicalization may find the extents and turn the value into a
/// tensor.cast. MLIR 22 then uses the type before the cast for all iterations
/// of a loop (ForOpTensorCastFolder), although the loop may change the extents.
/// A tie hides the cast.
static bool mayBecomeCast(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  return op &&
         !isa_and_nonnull<flow::FlowDialect, util::UtilDialect, hal::HalDialect,
                          func::FuncDialect, scf::SCFDialect>(op->getDialect());
}

SmallVector<Value> Expansion::expandValues(Operation *user, ValueRange values) {
  SmallVector<Value> expanded;
  for (Value value : values) {
    if (!isDynamicTensor(value.getType())) {
      expanded.push_back(value);
      continue;
    }
    Expanded tensor = getExpanded(user, value);
    if (isa<scf::ForOp>(user) && mayBecomeCast(tensor.tensor)) {
      builder.setInsertionPoint(user);
      tensor.tensor = flow::TensorTieShapeOp::create(
          builder, tensor.tensor.getLoc(), tensor.tensor, tensor.dims);
    }
    expanded.push_back(tensor.tensor);
    expanded.append(tensor.dims);
  }
  return expanded;
}

void Expansion::passToSuccessors(BranchOpInterface branch) {
  for (auto [i, block] : llvm::enumerate(branch->getSuccessors()))
    if (blocks.contains(block)) {
      MutableOperandRange operands =
          branch.getSuccessorOperands(i).getMutableForwardedOperands();
      operands.assign(expandValues(branch, operands.getAsOperandRange()));
    }
}

void Expansion::passToGlobal(util::GlobalStoreOp store) {
  auto type = cast<RankedTensorType>(store.getValue().getType());
  Expanded stored{store.getValue(), {}};
  if (!type.hasStaticShape())
    stored = getExpanded(store, store.getValue());
  store.getValueMutable().assign(stored.tensor);
  builder.setInsertionPointAfter(store);
  // The type of the value may be more or less static than that of the global.
  auto next = stored.dims.begin();
  const Global &global = globals[store.getGlobalAttr().getAttr()];
  for (auto [i, dim] : llvm::enumerate(global.dims)) {
    Value extent = type.isDynamicDim(i) ? *next++ : Value();
    if (!dim)
      continue;
    if (!extent)
      extent = arith::ConstantIndexOp::create(builder, store.getLoc(),
                                              type.getDimSize(i));
    util::GlobalStoreOp::create(builder, store.getLoc(), extent, dim);
  }
}

void Expansion::passSelected(arith::SelectOp select,
                             ArrayRef<Operation *> dims) {
  Expanded ifTrue = getExpanded(select, select.getTrueValue());
  Expanded ifFalse = getExpanded(select, select.getFalseValue());
  for (auto [op, first, second] : llvm::zip(dims, ifTrue.dims, ifFalse.dims)) {
    op->setOperand(1, first);
    op->setOperand(2, second);
  }
}

void Expansion::run() {
  expandGlobals();
  SmallVector<Operation *> ops = collectOperations();
  chooseFunctions(ops);
  for (Operation *op : ops)
    define(op);
  for (Operation *op : users)
    op->setOperands(expandValues(op, op->getOperands()));
  for (BranchOpInterface branch : branches)
    passToSuccessors(branch);
  for (util::GlobalStoreOp store : stores)
    passToGlobal(store);
  for (auto &[select, dims] : selects)
    passSelected(select, dims);
}

namespace {
struct ExpandTensorShapes
    : flow::impl::ExpandTensorShapesBase<ExpandTensorShapes> {
  using Base::Base;

  void runOnOperation() override { Expansion(getOperation()).run(); }
};
} // namespace
