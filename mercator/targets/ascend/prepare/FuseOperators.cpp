// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/prepare/FuseOperators.h"

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/prepare/Views.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

namespace sh = mercator::stablehlo;

//===--- Worth ------------------------------------------------------------===//

/// Operations that do not compute elements.
static bool isFree(Operation *op) {
  return isa<sh::ConstantOp, sh::BroadcastInDimOp, sh::ReshapeOp, sh::ConvertOp,
             sh::OptimizationBarrierOp>(op);
}

/// The operations from the inputs of the operator to the root, in the order of
/// the program.
static SmallVector<Operation *, 16> between(const Fusion &fusion,
                                            Operation *root) {
  llvm::SmallPtrSet<Value, 8> inputs{fusion.x, fusion.gamma.value,
                                     fusion.beta.value};
  // Another conversion of the same input.
  Views exact(root->getResult(0), /*mayRound=*/false);
  inputs.insert(exact.strip(exact.whole(fusion.x)).value);
  constexpr size_t kMost = 512;
  llvm::SetVector<Operation *> found;
  found.insert(root);
  for (size_t i = 0; i < found.size() && i < kMost; ++i)
    for (Value operand : found[i]->getOperands())
      if (Operation *op = operand.getDefiningOp();
          op && !inputs.contains(operand) && op->getBlock() == root->getBlock())
        found.insert(op);
  SmallVector<Operation *, 16> ops = found.takeVector();
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ops;
}

/// Whether at least half of the operations become unused.
static bool savesWork(ArrayRef<Operation *> ops, Operation *root) {
  llvm::SmallPtrSet<Operation *, 16> unused{root};
  int64_t saved = 1, all = 1;
  for (Operation *op : llvm::reverse(ops)) {
    if (op == root)
      continue;
    bool isUnused = llvm::all_of(
        op->getUsers(), [&](Operation *user) { return unused.contains(user); });
    if (isUnused)
      unused.insert(op);
    if (!isFree(op)) {
      ++all;
      saved += isUnused;
    }
  }
  return 2 * saved >= all;
}

/// Whether the program computes at least as precisely as the type of the
/// result. The operator computes in float32.
static bool isPrecise(ArrayRef<Operation *> ops, Type result) {
  return llvm::all_of(ops, [&](Operation *op) {
    auto type = dyn_cast<FloatType>(getElementTypeOrSelf(op->getResult(0)));
    return isFree(op) || !type || type == result || type.isF32();
  });
}

//===--- Operators --------------------------------------------------------===//

/// A parameter as a tensor of the dimensions along which it may vary.
static Value materialize(ImplicitLocOpBuilder &b,
                         const Fusion::Parameter &parameter,
                         ArrayRef<int64_t> dims, RankedTensorType type) {
  Value value = parameter.value;
  auto from = cast<RankedTensorType>(value.getType());
  // For each dimension of the source, its place among `dims`.
  SmallVector<int64_t> placeOf(from.getRank(), -1), extents, places;
  for (auto [place, dim] : llvm::enumerate(dims))
    if (int64_t origin = parameter.origin[dim]; origin >= 0)
      placeOf[origin] = int64_t(place);
  for (auto [origin, place] : llvm::enumerate(placeOf))
    if (place >= 0) {
      places.push_back(place);
      extents.push_back(from.getDimSize(int64_t(origin)));
    }
  // The other dimensions have one element.
  if (int64_t(places.size()) != from.getRank()) {
    from = from.clone(extents);
    value = sh::ReshapeOp::create(b, from, value);
  }
  RankedTensorType to = type.clone(from.getElementType());
  if (from != to)
    value =
        sh::BroadcastInDimOp::create(b, to, value, ArrayRef<int64_t>(places));
  if (to != type)
    value = sh::ConvertOp::create(b, type, value);
  return value;
}

/// One number as a tensor.
static Value repeated(ImplicitLocOpBuilder &b, RankedTensorType type,
                      double number) {
  return sh::ConstantOp::create(
      b, DenseElementsAttr::get(type,
                                b.getFloatAttr(type.getElementType(), number)));
}

static Value createNorm(ImplicitLocOpBuilder &b, const Fusion &fusion) {
  RankedTensorType type = typeOf(fusion.x);
  // The parameters have the type of x, or else float32.
  Type element = type.getElementType();
  SmallVector<int64_t, 4> shape, ones(type.getShape());
  for (const Fusion::Parameter &it : {fusion.gamma, fusion.beta})
    if (it.value && getElementTypeOrSelf(it.value) != element)
      element = b.getF32Type();
  for (int64_t dim : fusion.dims) {
    shape.push_back(type.getDimSize(dim));
    ones[dim] = 1;
  }
  auto own = RankedTensorType::get(shape, element),
       statistics = RankedTensorType::get(ones, element);
  auto parameter = [&](const Fusion::Parameter &it, double otherwise) {
    return it.value ? materialize(b, it, fusion.dims, own)
                    : repeated(b, own, otherwise);
  };
  FloatAttr epsilon = b.getF32FloatAttr(fusion.epsilon);
  Value gamma = parameter(fusion.gamma, 1);
  if (fusion.kind == Fusion::Kind::RmsNorm)
    return RmsNormOp::create(b,
                             TypeRange{type, statistics.clone(b.getF32Type())},
                             fusion.x, gamma, epsilon)
        .getY();
  Value beta = parameter(fusion.beta, 0);
  IntegerAttr begin = b.getI64IntegerAttr(fusion.dims.front());
  return LayerNormV3Op::create(b, TypeRange{type, statistics, statistics},
                               fusion.x, gamma, beta, begin, begin, epsilon)
      .getY();
}

static Value create(ImplicitLocOpBuilder &b, const Fusion &fusion) {
  RankedTensorType type = typeOf(fusion.x);
  switch (fusion.kind) {
  case Fusion::Kind::Softmax: {
    bool isLast =
        fusion.dims.size() == 1 && fusion.dims.front() == type.getRank() - 1;
    return SoftmaxV2Op::create(b, type, fusion.x,
                               isLast ? DenseI64ArrayAttr()
                                      : b.getDenseI64ArrayAttr(fusion.dims));
  }
  case Fusion::Kind::Gelu:
    return GeluV2Op::create(b, type, fusion.x,
                            fusion.isTanh ? b.getStringAttr("tanh")
                                          : StringAttr());
  case Fusion::Kind::LayerNorm:
  case Fusion::Kind::RmsNorm:
    return createNorm(b, fusion);
  }
  llvm_unreachable("all kinds are handled");
}

//===--- The sweep --------------------------------------------------------===//

static bool mayBeRoot(Operation *op) {
  if (!isa<sh::StablehloDialect>(op->getDialect()) || op->getNumResults() != 1)
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() || type.getRank() == 0 ||
      type.getRank() > 8 || type.getNumElements() == 0)
    return false;
  Type element = type.getElementType();
  return element.isF32() || element.isBF16() || element.isF16();
}

/// Replaces the result of an operation if it is that of an operator.
static bool fuse(Operation *root) {
  for (auto match : {matchSoftmax, matchNorm, matchGelu}) {
    std::optional<Fusion> fusion = match(root);
    if (!fusion || fusion->dims.size() > size_t(typeOf(fusion->x).getRank()))
      continue;
    SmallVector<Operation *, 16> ops = between(*fusion, root);
    if (fusion->x.getType() != root->getResult(0).getType() ||
        !isPrecise(ops, getElementTypeOrSelf(root->getResult(0))) ||
        !savesWork(ops, root))
      continue;
    ImplicitLocOpBuilder b(root->getLoc(), root);
    root->getResult(0).replaceAllUsesWith(create(b, *fusion));
    return true;
  }
  return false;
}

// From the end: the widest computation is tried first, and what it leaves unused
// is erased before it is tried itself. Operations that were unused before stay.
void ascend::fuseOperators(ModuleOp module) {
  llvm::SmallPtrSet<Operation *, 32> replaced;
  for (auto function : module.getOps<FunctionOpInterface>())
    for (Block &block : function.getFunctionBody())
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
        if (!op.use_empty() && mayBeRoot(&op) && fuse(&op))
          replaced.insert(&op);
        if (!op.use_empty() || !replaced.contains(&op) ||
            !isMemoryEffectFree(&op))
          continue;
        for (Value operand : op.getOperands())
          if (Operation *source = operand.getDefiningOp())
            replaced.insert(source);
        op.erase();
      }
}
