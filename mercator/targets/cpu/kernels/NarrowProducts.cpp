// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/NarrowProducts.h"
#include "mercator/targets/cpu/kernels/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

namespace {
/// How the body extends an input.
struct Input {
  Type narrow;
  bool isUnsigned = false;
};

class Rewriter {
public:
  Rewriter(linalg::GenericOp op, const Machine &machine)
      : op(op), machine(machine), builder(op), loc(op.getLoc()) {}

  void run();

private:
  bool match();
  std::optional<Input> inputOf(mlir::Value factor, unsigned number);
  std::optional<unsigned> pairDimension();
  mlir::Value pairs(unsigned number, unsigned loop);
  mlir::Value extended(unsigned number);
  void replace(mlir::Value a, mlir::Value b, Type element, Type pairsOf);

  linalg::GenericOp op;
  const Machine &machine;
  OpBuilder builder;
  Location loc;
  Input inputs[2];
  Type sum;
};
} // namespace

std::optional<Input> Rewriter::inputOf(mlir::Value factor, unsigned number) {
  Operation *extend = factor.getDefiningOp();
  if (!extend || !isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(extend) ||
      extend->getOperand(0) != op.getBody()->getArgument(number))
    return std::nullopt;
  return Input{extend->getOperand(0).getType(), isa<arith::ExtUIOp>(extend)};
}

/// Whether the body is c + extend(a) * extend(b).
bool Rewriter::match() {
  Block &body = *op.getBody();
  if (!op.hasPureBufferSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      !llvm::hasNItems(body, 5))
    return false;
  Operation *add = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!add || !isa<arith::AddFOp, arith::AddIOp>(add))
    return false;
  sum = add->getResult(0).getType();
  unsigned place = add->getOperand(0) == body.getArgument(2) ? 1 : 0;
  Operation *product = add->getOperand(place).getDefiningOp();
  if (add->getOperand(1 - place) != body.getArgument(2) || !product ||
      !isa<arith::MulFOp, arith::MulIOp>(product) ||
      !(sum.isF32() || sum.isInteger(32)))
    return false;
  for (unsigned i = 0; i < 2; ++i) {
    auto input = inputOf(product->getOperand(i), i);
    if (!input) // the other way round
      input = inputOf(product->getOperand(1 - i), i);
    if (!input ||
        !cast<MemRefType>(op.getInputs()[i].getType()).hasStaticShape())
      return false;
    inputs[i] = *input;
  }
  double work = 1;
  for (int64_t extent : op.getStaticLoopRanges())
    work *= ShapedType::isDynamic(extent) ? 0 : double(extent);
  constexpr double kLeast = 65536;
  return work >= kLeast && Contraction::loopsOf(op);
}

static std::optional<unsigned> placeOf(AffineMap map, unsigned dim) {
  std::optional<unsigned> place;
  for (auto [i, e] : llvm::enumerate(map.getResults())) {
    if (!e.isFunctionOfDim(dim))
      continue;
    if (place || !isa<AffineDimExpr>(e))
      return std::nullopt;
    place = unsigned(i);
  }
  return place;
}

/// A loop of the sum, of even extent, that is an index of its own of both inputs.
std::optional<unsigned> Rewriter::pairDimension() {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::reduction && extents[dim] % 2 == 0 &&
        placeOf(op.getIndexingMapsArray()[0], unsigned(dim)) &&
        placeOf(op.getIndexingMapsArray()[1], unsigned(dim)))
      return unsigned(dim);
  return std::nullopt;
}

/// Whether two numbers fit a word as bf16 or i16.
static bool fitsPairs(const Input &input) {
  if (input.narrow.isBF16())
    return true;
  return input.narrow.isInteger(8) ||
         (input.narrow.isInteger(16) && !input.isUnsigned);
}

/// A buffer of words, with neighbors along the loop.
mlir::Value Rewriter::pairs(unsigned number, unsigned loop) {
  mlir::Value buffer = op.getInputs()[number];
  auto type = cast<MemRefType>(buffer.getType());
  unsigned dim = *placeOf(op.getIndexingMapsArray()[number], loop);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] /= 2;
  SmallVector<OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0)),
      sizes, strides(shape.size(), builder.getIndexAttr(1));
  for (int64_t extent : shape)
    sizes.push_back(builder.getIndexAttr(extent));
  strides[dim] = builder.getIndexAttr(2);
  mlir::Value even =
      memref::SubViewOp::create(builder, loc, buffer, offsets, sizes, strides);
  offsets[dim] = builder.getIndexAttr(1);
  mlir::Value odd =
      memref::SubViewOp::create(builder, loc, buffer, offsets, sizes, strides);
  Type word = builder.getI32Type(), half = builder.getI16Type();
  mlir::Value words =
      memref::AllocOp::create(builder, loc, MemRefType::get(shape, word),
                              builder.getI64IntegerAttr(64));
  const Input &input = inputs[number];
  auto map = builder.getMultiDimIdentityMap(unsigned(shape.size()));
  SmallVector<utils::IteratorType> kinds(shape.size(),
                                         utils::IteratorType::parallel);
  linalg::GenericOp::create(
      builder, loc, ValueRange{even, odd}, ValueRange(words),
      ArrayRef<AffineMap>{map, map, map}, kinds,
      [&](OpBuilder &b, Location at, ValueRange elements) {
        auto toHalf = [&](mlir::Value value) -> mlir::Value {
          if (input.narrow.isBF16())
            value = arith::BitcastOp::create(b, at, half, value);
          else if (input.isUnsigned)
            value = arith::ExtUIOp::create(b, at, half, value);
          else if (input.narrow != half)
            value = arith::ExtSIOp::create(b, at, half, value);
          return arith::ExtUIOp::create(b, at, word, value);
        };
        mlir::Value high = arith::ShLIOp::create(
            b, at, toHalf(elements[1]),
            arith::ConstantIntOp::create(b, at, word, 16));
        mlir::Value both =
            arith::OrIOp::create(b, at, toHalf(elements[0]), high);
        linalg::YieldOp::create(b, at, both);
      });
  return words;
}

/// A buffer of f32.
mlir::Value Rewriter::extended(unsigned number) {
  mlir::Value buffer = op.getInputs()[number];
  auto type = cast<MemRefType>(buffer.getType());
  mlir::Value wide = memref::AllocOp::create(
      builder, loc, MemRefType::get(type.getShape(), sum),
      builder.getI64IntegerAttr(64));
  auto map = builder.getMultiDimIdentityMap(unsigned(type.getRank()));
  SmallVector<utils::IteratorType> kinds(size_t(type.getRank()),
                                         utils::IteratorType::parallel);
  linalg::GenericOp::create(
      builder, loc, ValueRange(buffer), ValueRange(wide),
      ArrayRef<AffineMap>{map, map}, kinds,
      [&](OpBuilder &b, Location at, ValueRange elements) {
        mlir::Value value = arith::ExtFOp::create(b, at, sum, elements[0]);
        linalg::YieldOp::create(b, at, value);
      });
  return wide;
}

void Rewriter::replace(mlir::Value a, mlir::Value b, Type element,
                       Type pairsOf) {
  auto made = linalg::GenericOp::create(
      builder, loc, ValueRange{a, b}, op.getOutputs(),
      op.getIndexingMapsArray(), op.getIteratorTypesArray(),
      [&](OpBuilder &inner, Location at, ValueRange elements) {
        // Of pairs, this body only says that it is a product.
        mlir::Value next = elements[2];
        if (!pairsOf) {
          mlir::Value product =
              arith::MulFOp::create(inner, at, elements[0], elements[1]);
          next = arith::AddFOp::create(inner, at, next, product);
        }
        linalg::YieldOp::create(inner, at, next);
      });
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  if (pairsOf)
    made->setAttr(kPairs, TypeAttr::get(pairsOf));
  op.erase();
}

/// Whether pairs of bf16 are multiplied and added faster than f32. On Intel's CPUs they
/// are not.
static bool haveFastPairs(const Device &device) {
  double rate = device.multiplyAddRate("bf16");
  return rate == 0 || rate > device.multiplyAddRate("f32");
}

void Rewriter::run() {
  if (!match())
    return;
  bool isFloat = sum.isF32();
  std::optional<unsigned> loop = pairDimension();
  bool hasPairs = isFloat
                      ? StringRef(machine.features).contains("+avx512bf16") &&
                            !machine.preciseMath && !machine.keepsSubnormals &&
                            haveFastPairs(machine.device)
                      : machine.vectorBytes() != 0;
  if (loop && hasPairs && fitsPairs(inputs[0]) && fitsPairs(inputs[1])) {
    mlir::Value a = pairs(0, *loop), b = pairs(1, *loop);
    return replace(a, b, builder.getI32Type(),
                   isFloat ? Type(builder.getBF16Type())
                           : Type(builder.getI16Type()));
  }
  auto isHalf = [](const Input &input) {
    return input.narrow.isBF16() || input.narrow.isF16();
  };
  if (isFloat && isHalf(inputs[0]) && isHalf(inputs[1])) {
    mlir::Value a = extended(0), b = extended(1);
    replace(a, b, sum, {});
  }
}

void cpu::rewriteNarrowProducts(func::FuncOp kernel, const Machine &machine) {
  SmallVector<linalg::LinalgOp> operations;
  kernel.walk([&](linalg::LinalgOp op) {
    if (op.getNumReductionLoops() > 0 && op.hasPureBufferSemantics() &&
        op.getNumDpsInputs() == 2)
      operations.push_back(op);
  });
  IRRewriter rewriter(kernel.getContext());
  for (linalg::LinalgOp op : operations) {
    auto inputType = dyn_cast<MemRefType>(op.getDpsInputs()[0].getType());
    if (!inputType || !inputType.getElementType().isIntOrFloat() ||
        inputType.getElementTypeBitWidth() > 16)
      continue;
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic) {
      rewriter.setInsertionPoint(op);
      DictionaryAttr attributes = op->getDiscardableAttrDictionary();
      auto made = linalg::generalizeNamedOp(rewriter, op);
      if (failed(made))
        continue;
      generic = *made;
      generic->setDiscardableAttrs(attributes);
    }
    Rewriter(generic, machine).run();
  }
}
