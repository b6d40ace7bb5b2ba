// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Verifiers and canonicalizations of globals and initializers.

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/dialects/util/Util.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mercator::util;

void GlobalOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                     bool isMutable, Type type, TypedAttr initialValue) {
  build(builder, state, /*sym_visibility=*/StringAttr(),
        isMutable ? builder.getUnitAttr() : UnitAttr(),
        builder.getStringAttr(name), TypeAttr::get(type), initialValue);
}

void GlobalAddressOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), ("ptr_" + getGlobal()).str());
}
void GlobalLoadOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), getGlobal());
}

void GlobalLoadOp::build(OpBuilder &builder, OperationState &state,
                         GlobalOp global) {
  build(builder, state, global.getType(), global.getSymName());
}
void GlobalStoreOp::build(OpBuilder &builder, OperationState &state,
                          Value value, GlobalOp global) {
  build(builder, state, value, global.getSymName());
}

/// SymbolTable::lookupNearestSymbolFrom() for globals. Looks among the
/// operations around `op` first, where globals usually are. Effects are queried
/// often, and nothing can be cached between two queries.
static GlobalOp findGlobal(Operation *op, FlatSymbolRefAttr name) {
  Operation *table = SymbolTable::getNearestSymbolTable(op);
  if (!table || table == op || table->getRegion(0).empty())
    return {};
  OperationName kind(GlobalOp::getOperationName(), op->getContext());
  auto isIt = [&](Operation *other) {
    return other->getName() == kind &&
           cast<GlobalOp>(other).getSymNameAttr() == name.getAttr();
  };
  Operation *start = table->getRegion(0).front().findAncestorOpInBlock(*op);
  for (Operation *up = start; up; up = up->getPrevNode())
    if (isIt(up))
      return cast<GlobalOp>(up);
  for (Operation *down = start; down; down = down->getNextNode())
    if (isIt(down))
      return cast<GlobalOp>(down);
  return {};
}

void GlobalLoadOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (getIsImmutable())
    return;
  GlobalOp global = findGlobal(*this, getGlobalAttr());
  // An initializer may have stored to the global before or may do so after.
  if (global && !global.getIsMutable() &&
      !(*this)->getParentOfType<InitializerOp>())
    return;
  effects.emplace_back(MemoryEffects::Read::get());
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// Expects a global of that name that holds values of `type`.
static FailureOr<GlobalOp> expectGlobal(Operation *op,
                                        SymbolTableCollection &symbols,
                                        FlatSymbolRefAttr name, Type type) {
  auto global = symbols.lookupNearestSymbolFrom<GlobalOp>(op, name);
  if (!global)
    return op->emitOpError()
           << "expected the name of a util.global, got " << name;
  if (mercator::stablehlo::typesAgree(global.getType(), type))
    return global;
  InFlightDiagnostic error = op->emitOpError()
                             << "expected a value of type " << global.getType()
                             << ", got " << type;
  error.attachNote(global.getLoc()) << "the global is here";
  return error;
}

LogicalResult
GlobalAddressOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return expectGlobal(*this, symbols, getGlobalAttr(),
                      getResult().getType().getTargetType());
}

LogicalResult GlobalLoadOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return expectGlobal(*this, symbols, getGlobalAttr(), getResult().getType());
}

LogicalResult GlobalStoreOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<GlobalOp> global =
      expectGlobal(*this, symbols, getGlobalAttr(), getValue().getType());
  if (failed(global))
    return failure();
  if (global->getIsMutable() || (*this)->getParentOfType<InitializerOp>())
    return success();
  InFlightDiagnostic error = emitOpError() << "expected a mutable global, got "
                                           << getGlobalAttr();
  error.attachNote(global->getLoc()) << "the global is here";
  return error;
}

static LogicalResult expectTarget(Operation *op, PtrType pointer, Type type) {
  if (mercator::stablehlo::typesAgree(pointer.getTargetType(), type))
    return success();
  return op->emitOpError() << "expected a value of type "
                           << pointer.getTargetType() << ", got " << type;
}

LogicalResult GlobalLoadIndirectOp::verify() {
  return expectTarget(*this, getGlobal().getType(), getResult().getType());
}
LogicalResult GlobalStoreIndirectOp::verify() {
  return expectTarget(*this, getGlobal().getType(), getValue().getType());
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// The global whose address `pointer` is, for values of `type`. Types may agree
/// without being equal, so the type of the address is not enough.
static GlobalOp findTarget(Operation *op, Value pointer, Type type) {
  auto address = pointer.getDefiningOp<GlobalAddressOp>();
  GlobalOp global =
      address ? findGlobal(op, address.getGlobalAttr()) : GlobalOp();
  if (!global || !mercator::stablehlo::typesAgree(global.getType(), type))
    return {};
  return global;
}

LogicalResult GlobalLoadIndirectOp::canonicalize(GlobalLoadIndirectOp op,
                                                 PatternRewriter &rewriter) {
  GlobalOp global = findTarget(op, op.getGlobal(), op.getType());
  if (!global)
    return failure();
  rewriter.replaceOpWithNewOp<GlobalLoadOp>(op, op.getType(),
                                            global.getSymName());
  return success();
}

LogicalResult GlobalStoreIndirectOp::canonicalize(GlobalStoreIndirectOp op,
                                                  PatternRewriter &rewriter) {
  GlobalOp global = findTarget(op, op.getGlobal(), op.getValue().getType());
  // An access that the verifier of the direct form would refuse is kept.
  if (!global ||
      (!global.getIsMutable() && !op->getParentOfType<InitializerOp>()))
    return failure();
  rewriter.replaceOpWithNewOp<GlobalStoreOp>(op, op.getValue(), global);
  return success();
}

/// Whether `op` may change the value of `global`.
static bool mayStore(Operation *op, StringRef global) {
  if (auto store = dyn_cast<GlobalStoreOp>(op))
    return store.getGlobal() == global;
  return !isMemoryEffectFree(op) && !hasSingleEffect<MemoryEffects::Read>(op);
}

/// Removes a store of a loaded value with no other store in between.
LogicalResult GlobalStoreOp::canonicalize(GlobalStoreOp op,
                                          PatternRewriter &rewriter) {
  // SimplifyGlobalAccesses sees further; this check must be cheap.
  constexpr int kLookBack = 32;
  auto load = op.getValue().getDefiningOp<GlobalLoadOp>();
  if (!load || load.getGlobal() != op.getGlobal() ||
      load->getBlock() != op->getBlock())
    return failure();
  Operation *before = op->getPrevNode();
  for (int i = 0; before && before != load; before = before->getPrevNode())
    if (++i > kLookBack || mayStore(before, op.getGlobal()))
      return failure();
  // In a graph region the load may be after the store.
  if (!before)
    return failure();
  rewriter.eraseOp(op);
  return success();
}

//===----------------------------------------------------------------------===//
// Initializers
//===----------------------------------------------------------------------===//

void InitializerOp::build(OpBuilder &builder, OperationState &state,
                          ArrayRef<NamedAttribute> attrs) {
  state.addAttribute(getFunctionTypeAttrName(state.name),
                     TypeAttr::get(builder.getFunctionType({}, {})));
  state.addAttributes(attrs);
  state.addRegion();
}

ParseResult InitializerOp::parse(OpAsmParser &parser, OperationState &state) {
  Builder &builder = parser.getBuilder();
  state.addAttribute(getFunctionTypeAttrName(state.name),
                     TypeAttr::get(builder.getFunctionType({}, {})));
  StringAttr name;
  if (succeeded(parser.parseOptionalSymbolName(name)))
    state.addAttribute(SymbolTable::getSymbolAttrName(), name);
  Region *body = state.addRegion();
  if (parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseRegion(*body))
    return failure();
  // Text may say `util.return`, which ends functions and initializers alike.
  for (Block &block : *body)
    if (auto last = block.empty() ? func::ReturnOp()
                                  : dyn_cast<func::ReturnOp>(block.back());
        last && last.getNumOperands() == 0) {
      OpBuilder at(last);
      InitializerReturnOp::create(at, last.getLoc());
      last.erase();
    }
  return success();
}

void InitializerOp::print(OpAsmPrinter &printer) {
  if (StringAttr name = getSymNameAttr()) {
    printer << ' ';
    printer.printSymbolName(name);
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getFunctionTypeAttrName(), SymbolTable::getSymbolAttrName()});
  printer << ' ';
  printer.printRegion(getBody());
}

LogicalResult InitializerOp::verifyType() {
  FunctionType type = getFunctionType();
  if (type.getNumInputs() == 0 && type.getNumResults() == 0)
    return success();
  return emitOpError() << "expected the type '() -> ()', got " << type;
}

/// Whether anything in `op` may load `global` or store to it. After `steps`
/// operations the answer is yes.
static bool mayAccess(Operation *op, StringRef global, int &steps) {
  auto mayAccessItself = [&](Operation *inner) {
    if (--steps < 0)
      return true;
    if (auto load = dyn_cast<GlobalLoadOp>(inner))
      return load.getGlobal() == global;
    if (auto store = dyn_cast<GlobalStoreOp>(inner))
      return store.getGlobal() == global;
    // Nested operations are visited themselves.
    return inner->getNumRegions() == 0 &&
           !isa<BranchOpInterface, InitializerReturnOp>(inner) &&
           !isMemoryEffectFree(inner);
  };
  return op
      ->walk([&](Operation *inner) {
        return mayAccessItself(inner) ? WalkResult::interrupt()
                                      : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the entry block of `op` may access the global before `end`, or an
/// earlier initializer may.
static bool mayAccessBefore(InitializerOp op, Operation *end,
                            StringRef global) {
  // FoldGlobals sees the whole program; this check must be cheap.
  int steps = 1024;
  for (Operation &before : op.getBody().front()) {
    if (&before == end)
      break;
    if (mayAccess(&before, global, steps))
      return true;
  }
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode())
    if (isa<InitializerOp>(before) && mayAccess(before, global, steps))
      return true;
  return false;
}

namespace {

/// Removes an initializer that does nothing.
struct DropEmptyInitializer : OpRewritePattern<InitializerOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(InitializerOp op,
                                PatternRewriter &rewriter) const override {
    // A branch to the entry block would be a loop.
    Block &entry = op.getBody().front();
    if (entry.empty() || !isa<InitializerReturnOp>(entry.front()))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

/// Turns a constant stored in the entry block into the initial value, unless
/// the global may be accessed before.
struct FoldConstantStores : OpRewritePattern<InitializerOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(InitializerOp op,
                                PatternRewriter &rewriter) const override {
    bool changed = false;
    for (auto store : llvm::make_early_inc_range(
             op.getBody().front().getOps<GlobalStoreOp>())) {
      TypedAttr value;
      if (!matchPattern(store.getValue(), m_Constant(&value)))
        continue;
      GlobalOp global = findGlobal(op, store.getGlobalAttr());
      // A global of another module has no order relative to this initializer.
      if (!global || global->getParentRegion() != op->getParentRegion() ||
          value.getType() != global.getType() ||
          mayAccessBefore(op, store, store.getGlobal()))
        continue;
      rewriter.modifyOpInPlace(global,
                               [&] { global.setInitialValueAttr(value); });
      rewriter.eraseOp(store);
      changed = true;
    }
    return success(changed);
  }
};

} // namespace

void InitializerOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                MLIRContext *context) {
  patterns.add<DropEmptyInitializer, FoldConstantStores>(context);
}
