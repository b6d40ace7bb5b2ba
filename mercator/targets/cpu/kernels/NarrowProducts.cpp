// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/NarrowProducts.h"
#include "mercator/targets/cpu/kernels/ContractionSchedule.h"
#include "mercator/targets/cpu/kernels/MatrixUnit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <random>

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

namespace {
/// How the body extends an input.
struct Input {
  Type narrow;
  bool isUnsigned = false;
  int64_t bits = 16; ///< of its place in a word

  /// A number as the lowest bits of a word.
  [[nodiscard]] mlir::Value bitsOf(OpBuilder &b, Location at,
                                   mlir::Value value) const {
    Type place = b.getIntegerType(unsigned(bits));
    if (narrow.isBF16())
      value = arith::BitcastOp::create(b, at, place, value);
    else if (narrow != place && isUnsigned)
      value = arith::ExtUIOp::create(b, at, place, value);
    else if (narrow != place)
      value = arith::ExtSIOp::create(b, at, place, value);
    return arith::ExtUIOp::create(b, at, b.getI32Type(), value);
  }
};

class Rewriter {
public:
  Rewriter(linalg::GenericOp op, const Machine &machine,
           std::mt19937_64 &random)
      : op(op), machine(machine), random(random), builder(op),
        loc(op.getLoc()) {}

  void run();

private:
  bool match();
  std::optional<Input> inputOf(mlir::Value factor, unsigned number);
  std::optional<unsigned> pairDimension();
  std::optional<unsigned> matrixDimension(const Contraction &product);
  MatrixProblem matrixProblem(const Contraction &product,
                              std::optional<unsigned> loop);
  bool takeMatrix();
  void joinWords(const Input &input, ArrayRef<mlir::Value> views,
                 mlir::Value words);
  mlir::Value wordsOf(unsigned number, unsigned loop, Input input,
                      int64_t multiple);
  mlir::Value rowsOf(unsigned number, unsigned loop, int64_t perWord,
                     AffineMap &map);
  mlir::Value extended(unsigned number);
  void replace(mlir::Value a, mlir::Value b, ArrayRef<AffineMap> maps,
               StringRef name, Attribute of);

  linalg::GenericOp op;
  const Machine &machine;
  std::mt19937_64 &random;
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

/// `views` of a buffer, shifted by 0, 1, .. along a dimension, as the bits of words.
void Rewriter::joinWords(const Input &input, ArrayRef<mlir::Value> views,
                         mlir::Value words) {
  auto type = cast<MemRefType>(words.getType());
  auto map = builder.getMultiDimIdentityMap(unsigned(type.getRank()));
  SmallVector<utils::IteratorType> kinds(size_t(type.getRank()),
                                         utils::IteratorType::parallel);
  SmallVector<AffineMap> maps(views.size() + 1, map);
  linalg::GenericOp::create(
      builder, loc, views, ValueRange(words), maps, kinds,
      [&](OpBuilder &b, Location at, ValueRange elements) {
        mlir::Value word;
        for (size_t i = views.size(); i-- > 0;) {
          mlir::Value bits = input.bitsOf(b, at, elements[i]);
          if (i != 0)
            bits = arith::ShLIOp::create(
                b, at, bits,
                arith::ConstantIntOp::create(b, at, bits.getType(),
                                             int64_t(i) * input.bits));
          word = word ? arith::OrIOp::create(b, at, bits, word) : bits;
        }
        linalg::YieldOp::create(b, at, word);
      });
}

/// A buffer of words, with neighbors along the loop. Its number of words along the loop
/// is a multiple of `multiple`; zeros fill it up.
mlir::Value Rewriter::wordsOf(unsigned number, unsigned loop, Input input,
                              int64_t multiple) {
  mlir::Value buffer = op.getInputs()[number];
  unsigned dim = *placeOf(op.getIndexingMapsArray()[number], loop);
  SmallVector<int64_t> shape(cast<MemRefType>(buffer.getType()).getShape());
  int64_t perWord = 32 / input.bits, terms = shape[dim], full = terms / perWord,
          rest = terms % perWord, used = full + (rest != 0 ? 1 : 0);
  shape[dim] = (used + multiple - 1) / multiple * multiple;
  mlir::Value words = memref::AllocOp::create(
      builder, loc, MemRefType::get(shape, builder.getI32Type()),
      builder.getI64IntegerAttr(64));
  // `count` elements, or words, from `first`.
  auto part = [&](mlir::Value of, int64_t first, int64_t count,
                  int64_t step) -> mlir::Value {
    SmallVector<int64_t> sizes(shape), offsets(shape.size(), 0),
        strides(shape.size(), 1);
    if (first == 0 && step == 1 && count == shape[dim])
      return of;
    offsets[dim] = first;
    sizes[dim] = count;
    strides[dim] = step;
    return memref::SubViewOp::create(builder, loc, of, offsets, sizes, strides);
  };
  auto join = [&](int64_t first, int64_t count, int64_t inEach) {
    SmallVector<mlir::Value> views;
    for (int64_t i = 0; i < inEach; ++i)
      views.push_back(part(buffer, first * perWord + i, count, perWord));
    joinWords(input, views, part(words, first, count, 1));
  };
  if (full != 0)
    join(0, full, perWord);
  if (rest != 0)
    join(full, 1, rest);
  if (used != shape[dim])
    linalg::FillOp::create(
        builder, loc,
        arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), 0)
            .getResult(),
        part(words, used, shape[dim] - used, 1));
  return words;
}

/// The rows of a product as the matrix unit reads them: the terms of the loop are
/// neighbors, and fill tiles. A copy if they are not so. `map` becomes that of the
/// first term of each word.
mlir::Value Rewriter::rowsOf(unsigned number, unsigned loop, int64_t perWord,
                             AffineMap &map) {
  mlir::Value buffer = op.getInputs()[number];
  auto type = cast<MemRefType>(buffer.getType());
  unsigned dim = *placeOf(map, loop);
  int64_t terms = type.getDimSize(dim), inTile = kTileWords * perWord,
          filled = (terms + inTile - 1) / inTile * inTile;
  SmallVector<AffineExpr> results(map.getResults());
  results[dim] = results[dim] * perWord;
  auto strides = stridesOf(buffer);
  if (!strides || (*strides)[dim] != 1 || filled != terms) {
    // The loop is the last dimension of the copy.
    auto rank = unsigned(type.getRank());
    SmallVector<unsigned> order;
    for (unsigned d = 0; d < rank; ++d)
      if (d != dim)
        order.push_back(d);
    order.push_back(dim);
    SmallVector<int64_t> shape, sizes, zero(rank, 0), one(rank, 1);
    SmallVector<AffineExpr> permuted, place;
    for (unsigned d : order) {
      shape.push_back(type.getDimSize(d));
      permuted.push_back(results[d]);
      place.push_back(builder.getAffineDimExpr(d));
    }
    sizes = shape;
    shape.back() = filled;
    mlir::Value copy = memref::AllocOp::create(
        builder, loc, MemRefType::get(shape, type.getElementType()),
        builder.getI64IntegerAttr(64));
    mlir::Value into = copy;
    if (filled != terms) {
      into = memref::SubViewOp::create(builder, loc, copy, zero, sizes, one);
      zero.back() = terms;
      sizes.back() = filled - terms;
      mlir::Value none = arith::ConstantOp::create(
          builder, loc,
          cast<TypedAttr>(builder.getZeroAttr(type.getElementType())));
      linalg::FillOp::create(
          builder, loc, none,
          memref::SubViewOp::create(builder, loc, copy, zero, sizes, one)
              .getResult());
    }
    SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
    linalg::GenericOp::create(
        builder, loc, ValueRange(buffer), ValueRange(into),
        ArrayRef<AffineMap>{builder.getMultiDimIdentityMap(rank),
                            AffineMap::get(rank, 0, place, op.getContext())},
        kinds, [](OpBuilder &b, Location at, ValueRange elements) {
          linalg::YieldOp::create(b, at, elements[0]);
        });
    results = permuted;
    buffer = copy;
  }
  map = AffineMap::get(map.getNumDims(), 0, results, op.getContext());
  return buffer;
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

/// By a product of other operands. `name`: the attribute that says of what.
void Rewriter::replace(mlir::Value a, mlir::Value b, ArrayRef<AffineMap> maps,
                       StringRef name, Attribute of) {
  auto made = linalg::GenericOp::create(
      builder, loc, ValueRange{a, b}, op.getOutputs(), maps,
      op.getIteratorTypesArray(),
      [&](OpBuilder &inner, Location at, ValueRange elements) {
        // Of words, this body only says that it is a product.
        mlir::Value next = elements[2];
        if (!of) {
          mlir::Value product =
              arith::MulFOp::create(inner, at, elements[0], elements[1]);
          next = arith::AddFOp::create(inner, at, next, product);
        }
        linalg::YieldOp::create(inner, at, next);
      });
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  if (of)
    made->setAttr(name, of);
  op.erase();
}

/// Whether pairs of bf16 are multiplied and added faster than f32. On Intel's CPUs they
/// are not.
static bool haveFastPairs(const Device &device) {
  double rate = device.multiplyAddRate("bf16");
  return rate == 0 || rate > device.multiplyAddRate("f32");
}

/// The loop whose terms are neighbors in the words of the matrix unit: the one that
/// needs the fewest zeros, and rather one that rows are not copied for.
std::optional<unsigned> Rewriter::matrixDimension(const Contraction &product) {
  std::optional<unsigned> best;
  double least = 0;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  unsigned rows = product.isSwapped ? 1 : 0;
  auto strides = stridesOf(product.a);
  for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    auto inRows = placeOf(op.getIndexingMapsArray()[rows], unsigned(dim));
    if (kind != utils::IteratorType::reduction || extents[dim] == 1 ||
        !inRows || !placeOf(op.getIndexingMapsArray()[1 - rows], unsigned(dim)))
      continue;
    int64_t inTile =
        kTileWords * 32 / int64_t(inputs[0].narrow.getIntOrFloatBitWidth());
    int64_t filled = (extents[dim] + inTile - 1) / inTile * inTile;
    bool isCopied =
        filled != extents[dim] || !strides || (*strides)[*inRows] != 1;
    double cost = double(filled) / double(extents[dim]) + (isCopied ? 0.1 : 0);
    if (!best || cost < least) {
      best = unsigned(dim);
      least = cost;
    }
  }
  return best;
}

MatrixProblem Rewriter::matrixProblem(const Contraction &product,
                                      std::optional<unsigned> loop) {
  auto areBoth = [&](auto is) {
    return is(inputs[0].narrow) && is(inputs[1].narrow);
  };
  StringRef type = areBoth([](Type type) { return type.isBF16(); }) ? "bf16"
                   : areBoth([](Type type) { return type.isInteger(8); }) ? "i8"
                                                                          : "";
  MatrixProblem p = MatrixProblem::of(type, machine);
  p.rows = product.rows.empty() ? 1 : product.rows.back().extent;
  p.columns = product.columns.empty() ? 1 : product.columns.back().extent;
  p.terms = loop ? op.getStaticLoopRanges()[*loop] : 0;
  p.isInTile = bool(op->getParentOfType<scf::ForOp>());
  return p;
}

/// Makes a product of the matrix unit, if the schedule of the operation says so, or if
/// it has none and that pays.
bool Rewriter::takeMatrix() {
  Contraction product = *Contraction::loopsOf(op);
  std::optional<unsigned> loop = matrixDimension(product);
  MatrixProblem problem = matrixProblem(product, loop);
  bool takes = problem.pays();
  if (auto text = op->getAttrOfType<StringAttr>(kSchedule)) {
    auto given = ContractionSchedule::parse(text.getValue());
    takes = given && given->unit == ContractionSchedule::Unit::Matrix;
    if (!given)
      llvm::consumeError(given.takeError());
    if (takes && !problem.whyNot().empty())
      op->setAttr(kNoMatrix, builder.getStringAttr(problem.whyNot()));
  } else if (machine.scheduleSeed != 0 && problem.type == "i8") {
    takes &= random() % 4 != 0;
  }
  if (!takes || !problem.whyNot().empty())
    return false;
  unsigned rows = product.isSwapped ? 1 : 0, columns = 1 - rows;
  Input input = inputs[columns];
  input.bits = problem.type == "bf16" ? 16 : 8;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<mlir::Value, 2> operands(2);
  operands[rows] = rowsOf(rows, *loop, 32 / input.bits, maps[rows]);
  operands[columns] = wordsOf(columns, *loop, input, kTileWords);
  auto typeOf = [&](const Input &of) -> Attribute {
    return TypeAttr::get(of.narrow.isBF16()
                             ? of.narrow
                             : builder.getIntegerType(8, !of.isUnsigned));
  };
  Attribute types =
      builder.getArrayAttr({typeOf(inputs[rows]), typeOf(inputs[columns])});
  replace(operands[0], operands[1], maps, kMatrix, types);
  return true;
}

void Rewriter::run() {
  if (!match() || takeMatrix())
    return;
  bool isFloat = sum.isF32();
  std::optional<unsigned> loop = pairDimension();
  bool hasPairs = isFloat
                      ? StringRef(machine.features).contains("+avx512bf16") &&
                            !machine.preciseMath && !machine.keepsSubnormals &&
                            haveFastPairs(machine.device)
                      : machine.vectorBytes() != 0;
  if (loop && hasPairs && fitsPairs(inputs[0]) && fitsPairs(inputs[1])) {
    mlir::Value a = wordsOf(0, *loop, inputs[0], 1),
                b = wordsOf(1, *loop, inputs[1], 1);
    return replace(a, b, op.getIndexingMapsArray(), kPairs,
                   TypeAttr::get(isFloat ? Type(builder.getBF16Type())
                                         : Type(builder.getI16Type())));
  }
  auto isHalf = [](const Input &input) {
    return input.narrow.isBF16() || input.narrow.isF16();
  };
  if (isFloat && isHalf(inputs[0]) && isHalf(inputs[1])) {
    mlir::Value a = extended(0), b = extended(1);
    replace(a, b, op.getIndexingMapsArray(), "", {});
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
  std::mt19937_64 random(machine.scheduleSeed);
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
    Rewriter(generic, machine, random).run();
  }
}
