// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/EqualLoops.h"
#include "mercator/targets/cpu/kernels/BufferArguments.h"
#include "mercator/targets/cpu/kernels/Loops.h"

#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"

#include <numeric>

using namespace mlir;
using namespace mercator;

/// Fewer are not worth a call.
static constexpr size_t kLeastOperations = 40;

namespace {
/// A loop with its body.
struct Nest {
  scf::ForOp loop;
  size_t operations;
  llvm::hash_code hash; ///< the same for equal nests
  bool isVectorCode;    ///< all innermost loops have vectors
};

/// What an operation and those inside of it are like.
struct Content {
  size_t operations = 1;
  llvm::hash_code hash;
  bool hasVectors = false, hasLoops = false;
  bool isVectorCode = true, canMove = true;
};

/// Leads from a value of a nest to the value of an equal nest.
using Correspondence = DenseMap<mlir::Value, mlir::Value>;
} // namespace

static bool namesVectors(Operation *op) {
  auto isVector = [](Type type) { return isa<VectorType>(type); };
  return llvm::any_of(op->getOperandTypes(), isVector) ||
         llvm::any_of(op->getResultTypes(), isVector);
}

/// Adds the nests inside of an operation that may be shared.
static Content collect(Operation *op, std::vector<Nest> &nests) {
  Content content;
  content.hash = OperationEquivalence::computeHash(
      op, OperationEquivalence::ignoreHashValue,
      OperationEquivalence::ignoreHashValue,
      OperationEquivalence::IgnoreLocations);
  content.hasVectors = namesVectors(op);
  content.canMove = !isa<amx::AMXDialect>(op->getDialect());
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps()) {
      Content its = collect(&inner, nests);
      content.operations += its.operations;
      content.hash = llvm::hash_combine(content.hash, its.hash);
      content.hasVectors |= its.hasVectors;
      content.hasLoops |= its.hasLoops;
      content.isVectorCode &= its.isVectorCode;
      content.canMove &= its.canMove;
    }
  if (!isa<LoopLikeOpInterface>(op))
    return content;
  content.isVectorCode &= content.hasLoops || content.hasVectors;
  content.hasLoops = true;
  auto loop = dyn_cast<scf::ForOp>(op);
  if (loop && loop.getInitArgs().empty() && content.canMove &&
      content.operations >= kLeastOperations)
    nests.push_back(
        {loop, content.operations, content.hash, content.isVectorCode});
  return content;
}

static bool isConstant(mlir::Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->hasTrait<OpTrait::ConstantLike>();
}

/// Adds that `b` stands for `a`. False if it cannot.
static bool match(mlir::Value a, mlir::Value b, Region &other,
                  Correspondence &values) {
  auto [found, isNew] = values.try_emplace(a, b);
  if (!isNew)
    return found->second == b;
  if (a.getType() != b.getType() || other.isAncestor(b.getParentRegion()))
    return false;
  if (!isConstant(a) && !isConstant(b))
    return true;
  return isConstant(a) && isConstant(b) &&
         OperationEquivalence::isEquivalentTo(
             a.getDefiningOp(), b.getDefiningOp(),
             OperationEquivalence::IgnoreLocations);
}

/// Whether two operations are equal with the values that correspond; `other`: the region
/// of the second nest. MLIR's isEquivalentTo does not ask for the correspondence of an
/// operand that is the same value in both.
static bool match(Operation *a, Operation *b, Region &other,
                  Correspondence &values) {
  if (a->getName() != b->getName() ||
      a->getRawDictionaryAttrs() != b->getRawDictionaryAttrs() ||
      !a->getName().compareOpProperties(a->getPropertiesStorage(),
                                        b->getPropertiesStorage()) ||
      a->getNumOperands() != b->getNumOperands() ||
      a->getResultTypes() != b->getResultTypes() || a->getNumSuccessors() != 0)
    return false;
  for (auto [its, others] : llvm::zip(a->getOperands(), b->getOperands()))
    if (!match(its, others, other, values))
      return false;
  for (auto [its, others] : llvm::zip(a->getResults(), b->getResults()))
    values[its] = others;
  for (auto [its, others] : llvm::zip(a->getRegions(), b->getRegions())) {
    if (its.empty() && others.empty())
      continue;
    if (!its.hasOneBlock() || !others.hasOneBlock() ||
        its.getArgumentTypes() != others.getArgumentTypes() ||
        its.front().getOperations().size() !=
            others.front().getOperations().size())
      return false;
    for (auto [x, y] : llvm::zip(its.getArguments(), others.getArguments()))
      values[x] = y;
    for (auto [x, y] : llvm::zip(its.front(), others.front()))
      if (!match(&x, &y, other, values))
        return false;
  }
  return true;
}

/// The values from outside of a nest that it names.
static llvm::SetVector<mlir::Value> valuesAbove(scf::ForOp loop) {
  llvm::SetVector<mlir::Value> above;
  getUsedValuesDefinedAbove(loop.getRegion(), above);
  above.insert(loop->operand_begin(), loop->operand_end());
  return above;
}

/// How many of the values are parts of each buffer.
static DenseMap<mlir::Value, unsigned> partsOfRoots(ValueRange values) {
  DenseMap<mlir::Value, unsigned> parts;
  for (mlir::Value value : values)
    if (isa<MemRefType>(value.getType()))
      ++parts[rootOf(value)];
  return parts;
}

static bool isAllocation(mlir::Value root) {
  return isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(
      root.getDefiningOp());
}

/// An argument of a kernel or of a task, which is an address.
static bool isArgument(mlir::Value root) {
  auto argument = dyn_cast<BlockArgument>(root);
  return argument ? isa<func::FuncOp>(argument.getOwner()->getParentOp())
                  : isa<UnrealizedConversionCastOp>(root.getDefiningOp());
}

/// Whether LLVM finds the same loops to vectorize in a function of the nest. It
/// does not know where parts of one buffer lie if they are arguments.
static bool canMove(const Nest &nest) {
  return nest.isVectorCode ||
         llvm::all_of(partsOfRoots(valuesAbove(nest.loop).getArrayRef()),
                      [](auto each) { return each.second == 1; });
}

namespace {
/// Makes a function of a nest, and calls of it.
class Sharer {
public:
  Sharer(SymbolTable &symbols, const LLVMTypeConverter &types, scf::ForOp loop);

  /// Calls the function in place of an equal nest. `values`: null for the nest itself.
  void call(scf::ForOp loop, const Correspondence *values);
  /// The nest moves to the function. No call may follow.
  void define();

private:
  SymbolTable &symbols;
  const LLVMTypeConverter &types;
  scf::ForOp nest;
  SmallVector<mlir::Value> captured, constants;
  /// The arguments for buffers, and whether they are apart in all calls.
  llvm::MapVector<unsigned, bool> addresses;
  func::FuncOp function;
};
} // namespace

Sharer::Sharer(SymbolTable &symbols, const LLVMTypeConverter &types,
               scf::ForOp loop)
    : symbols(symbols), types(types), nest(loop) {
  for (mlir::Value value : valuesAbove(loop))
    (isConstant(value) ? constants : captured).push_back(value);
}

void Sharer::call(scf::ForOp loop, const Correspondence *values) {
  OpBuilder builder(loop);
  SmallVector<mlir::Value> passed(captured), operands;
  if (values)
    for (mlir::Value &value : passed)
      value = values->lookup(value);
  auto parent = loop->getParentOfType<func::FuncOp>();
  bool isKernel = !parent.getName().contains("_part"); // tasks pass views
  DenseMap<mlir::Value, unsigned> parts = partsOfRoots(passed);
  bool areKnown =
      llvm::all_of(parts,
                   [](auto each) {
                     return isAllocation(each.first) || isArgument(each.first);
                   }) &&
      llvm::none_of(passed, [](mlir::Value value) {
        return isa<LLVM::LLVMPointerType>(value.getType());
      });
  for (mlir::Value value : passed) {
    if (isa<MemRefType>(value.getType())) {
      mlir::Value root = rootOf(value);
      bool isAlone = areKnown && parts.lookup(root) == 1 &&
                     (isKernel || isAllocation(root));
      addresses.try_emplace(unsigned(operands.size()), true).first->second &=
          isAlone;
    }
    cpu::passValue(builder, loop.getLoc(), types, value, operands);
  }
  if (!function) {
    function = func::FuncOp::create(
        loop.getLoc(), (parent.getName() + "_part_loop").str(),
        builder.getFunctionType(ValueRange(operands).getTypes(), {}));
    function.setPrivate();
    symbols.insert(function);
  }
  func::CallOp::create(builder, loop.getLoc(), function, operands);
}

void Sharer::define() {
  Location loc = nest.getLoc();
  Block *entry = function.addEntryBlock();
  OpBuilder builder = OpBuilder::atBlockBegin(entry);
  auto replace = [&](mlir::Value value, mlir::Value own) {
    value.replaceUsesWithIf(
        own, [&](OpOperand &use) { return nest->isAncestor(use.getOwner()); });
  };
  for (auto [number, isAlone] : addresses)
    if (isAlone)
      function.setArgAttr(number, LLVM::LLVMDialect::getNoAliasAttrName(),
                          builder.getUnitAttr());
  ValueRange arguments = entry->getArguments();
  for (mlir::Value value : captured)
    replace(value,
            cpu::receiveValue(builder, loc, types, value.getType(), arguments));
  for (mlir::Value value : constants)
    replace(value, builder.clone(*value.getDefiningOp())->getResult(0));
  auto end = func::ReturnOp::create(builder, loc);
  nest->moveBefore(end);
}

void cpu::shareEqualLoops(ModuleOp module) {
  std::vector<Nest> nests;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.getName().starts_with("kernel_"))
      collect(function, nests);
  // The largest nests first; those of one size in their order.
  std::vector<size_t> order(nests.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(nests[b].operations, a) <
           std::pair(nests[a].operations, b);
  });
  llvm::MapVector<size_t, SmallVector<Nest *>> alike;
  for (size_t i : order)
    alike[nests[i].hash].push_back(&nests[i]);
  SymbolTable symbols(module);
  LLVMTypeConverter types(module.getContext());
  DenseSet<Operation *> gone;
  for (auto &[hash, members] : alike)
    for (size_t i = 0; i < members.size(); ++i) {
      scf::ForOp loop = members[i]->loop;
      if (gone.contains(loop) || !canMove(*members[i]))
        continue;
      std::optional<Sharer> sharer;
      for (Nest *other : llvm::drop_begin(members, i + 1)) {
        if (gone.contains(other->loop) || !canMove(*other))
          continue;
        Correspondence values;
        if (!match(loop, other->loop, other->loop.getRegion(), values))
          continue;
        if (!sharer)
          sharer.emplace(symbols, types, loop);
        sharer->call(other->loop, &values);
        other->loop->walk([&](scf::ForOp inner) { gone.insert(inner); });
        other->loop.erase();
      }
      if (!sharer)
        continue;
      sharer->call(loop, nullptr);
      sharer->define();
    }
}
