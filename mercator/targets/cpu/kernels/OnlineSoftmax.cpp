// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/OnlineSoftmax.h"
#include "mercator/targets/cpu/kernels/RowAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

namespace {
/// A result of a member, by its number.
struct Written {
  size_t member;
  unsigned init;
};

class SoftmaxReader {
public:
  SoftmaxReader(ArrayRef<CellMember> members,
                llvm::function_ref<bool(mlir::Value)> isLocal)
      : members(members), isLocal(isLocal) {}

  std::optional<OnlineSoftmax> read(size_t last);

private:
  std::optional<Written> writerOf(mlir::Value buffer) const;
  mlir::Value yielded(const Written &written) const;
  mlir::Value bufferOf(size_t member, mlir::Value argument) const;
  mlir::Value bufferOr(const Written &own, mlir::Value value,
                       size_t member) const;
  [[nodiscard]] bool isUsedBy(mlir::Value buffer, ArrayRef<size_t> users) const;
  [[nodiscard]] bool canRunAfter(const OnlineSoftmax &own, size_t number) const;
  [[nodiscard]] bool isRowOf(const OnlineSoftmax &own, mlir::Value buffer,
                             ArrayRef<size_t> users) const;
  bool readWeights(OnlineSoftmax &own, mlir::Value weights);
  bool findColumns(OnlineSoftmax &own);
  [[nodiscard]] bool isZeroFilled(mlir::Value buffer) const;
  void findExcluded(OnlineSoftmax &own) const;

  ArrayRef<CellMember> members;
  llvm::function_ref<bool(mlir::Value)> isLocal;
};
} // namespace

/// The only member, but for fills, that writes the buffer.
std::optional<Written> SoftmaxReader::writerOf(mlir::Value buffer) const {
  std::optional<Written> found;
  for (auto [number, member] : llvm::enumerate(members)) {
    if (isa<linalg::FillOp>(member.op))
      continue;
    for (auto [init, written] : llvm::enumerate(member.op.getDpsInits()))
      if (written == buffer) {
        if (found)
          return std::nullopt;
        found = {number, unsigned(init)};
      }
  }
  return found;
}

mlir::Value SoftmaxReader::yielded(const Written &written) const {
  Block &body = *members[written.member].op.getBlock();
  return body.getTerminator()->getOperand(written.init);
}

/// The buffer whose elements an argument of the body is; null for other values.
mlir::Value SoftmaxReader::bufferOf(size_t member, mlir::Value argument) const {
  auto own = dyn_cast<BlockArgument>(argument);
  linalg::LinalgOp op = members[member].op;
  return own && own.getOwner() == op.getBlock()
             ? op->getOperand(own.getArgNumber())
             : mlir::Value();
}

/// Whether the members are all that have the buffer as an operand.
bool SoftmaxReader::isUsedBy(mlir::Value buffer, ArrayRef<size_t> users) const {
  for (auto [number, member] : llvm::enumerate(members)) {
    bool isFill = isa<linalg::FillOp>(member.op);
    if (!isFill && llvm::is_contained(member.op->getOperands(), buffer) &&
        !llvm::is_contained(users, number))
      return false;
  }
  return isLocal(buffer);
}

/// The buffer that has a value of a member's body: of an argument, or of a result that
/// it yields.
mlir::Value SoftmaxReader::bufferOr(const Written &own, mlir::Value value,
                                    size_t member) const {
  if (mlir::Value buffer = bufferOf(member, value))
    return buffer;
  linalg::LinalgOp op = members[member].op;
  for (auto [init, result] :
       llvm::enumerate(op.getBlock()->getTerminator()->getOperands()))
    if (result == value && init != own.init)
      return op.getDpsInits()[init];
  return {};
}

/// Whether one iteration of the loop is all that a cell needs of it.
static bool isOfCell(const CellMember &member, unsigned loop) {
  return llvm::is_contained(member.loops, loop) ||
         member.op.getStaticLoopRanges()[loop] == 1;
}

/// weights = exp(masked - maxima) / sums.
bool SoftmaxReader::readWeights(OnlineSoftmax &own, mlir::Value weights) {
  own.weights = weights;
  std::optional<Written> divided = writerOf(weights);
  if (!divided)
    return false;
  own.division = divided->member;
  linalg::LinalgOp division = members[own.division].op;
  auto quotient = yielded(*divided).getDefiningOp<arith::DivFOp>();
  if (!quotient || division.getNumDpsInits() != 1 ||
      division.getNumReductionLoops() != 0 || division.getNumDpsInputs() != 2)
    return false;
  own.exponentials = bufferOf(own.division, quotient.getLhs());
  own.sums = bufferOf(own.division, quotient.getRhs());
  if (!own.exponentials || !own.sums || own.exponentials == own.sums ||
      own.exponentials.getType() != weights.getType())
    return false;
  SmallVector<AffineMap> maps = division.getIndexingMapsArray();
  unsigned read = cast<BlockArgument>(quotient.getLhs()).getArgNumber();
  if (maps[read] != maps.back())
    return false;
  // The exponentials, and their sums.
  std::optional<Written> made = writerOf(own.exponentials),
                         summed = writerOf(own.sums);
  if (!made || !summed)
    return false;
  own.exponential = made->member;
  auto sum = yielded(*summed).getDefiningOp<arith::AddFOp>();
  auto power = yielded(*made).getDefiningOp<math::ExpOp>();
  auto difference =
      power ? power.getOperand().getDefiningOp<arith::SubFOp>() : nullptr;
  if (!sum || !difference || !isZeroFilled(own.sums))
    return false;
  auto termOf = [&](Operation *combine, const Written &written) {
    bool isFirst = bufferOf(written.member, combine->getOperand(0)) ==
                   members[written.member].op.getDpsInits()[written.init];
    return combine->getOperand(isFirst);
  };
  if (bufferOr(*summed, termOf(sum, *summed), summed->member) !=
      own.exponentials)
    return false;
  own.masked = bufferOf(own.exponential, difference.getLhs());
  own.maxima = bufferOf(own.exponential, difference.getRhs());
  std::optional<Written> greatest =
      own.masked && own.maxima ? writerOf(own.maxima) : std::nullopt;
  if (!greatest)
    return false;
  own.maximum = greatest->member;
  Operation *maximum = yielded(*greatest).getDefiningOp();
  if (!isa_and_nonnull<arith::MaximumFOp, arith::MaxNumFOp>(maximum) ||
      bufferOr(*greatest, termOf(maximum, *greatest), own.maximum) !=
          own.masked)
    return false;
  std::optional<Written> masked = writerOf(own.masked);
  return masked && own.maximum < own.exponential &&
         masked->member <= own.maximum && own.exponential <= summed->member &&
         summed->member < own.division &&
         isUsedBy(own.weights, {own.division, own.last}) &&
         isUsedBy(own.exponentials,
                  {own.exponential, summed->member, own.division}) &&
         isRowOf(own, own.sums, {summed->member, own.division}) &&
         isRowOf(own, own.maxima, {own.maximum, own.exponential}) &&
         isUsedBy(own.masked, {masked->member, own.maximum, own.exponential});
}

bool SoftmaxReader::isZeroFilled(mlir::Value buffer) const {
  return llvm::any_of(members, [&](const CellMember &member) {
    auto fill = dyn_cast<linalg::FillOp>(*member.op);
    return fill && fill.getDpsInits()[0] == buffer &&
           matchPattern(fill.getInputs()[0], m_PosZeroFloat());
  });
}

/// Whether a member without columns can run when all blocks are done.
bool SoftmaxReader::canRunAfter(const OnlineSoftmax &own, size_t number) const {
  const CellMember &member = members[number];
  linalg::LinalgOp op = member.op;
  if (member.isProduct || isa<linalg::FillOp>(op))
    return false;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (!isOfCell(member, loop))
      return false;
  for (size_t i = own.first; i <= own.last; ++i)
    for (mlir::Value written : op.getDpsInits())
      if (i != number &&
          llvm::is_contained(members[i].op->getOperands(), written) &&
          (isa<linalg::FillOp>(members[i].op) || !canRunAfter(own, i)))
        return false;
  return true;
}

/// Whether no member but these needs the maxima or the sums before the blocks are done.
bool SoftmaxReader::isRowOf(const OnlineSoftmax &own, mlir::Value buffer,
                            ArrayRef<size_t> users) const {
  for (auto [number, member] : llvm::enumerate(members))
    if (!isa<linalg::FillOp>(member.op) && number < own.last &&
        llvm::is_contained(member.op->getOperands(), buffer) &&
        !llvm::is_contained(users, number) && !canRunAfter(own, number))
      return false;
  return true;
}

/// The loop of each member that runs over the columns. False if one has none.
bool SoftmaxReader::findColumns(OnlineSoftmax &own) {
  const CellMember &product = members[own.last];
  linalg::LinalgOp op = product.op;
  if (op.getNumReductionLoops() != 1 || !isZeroFilled(own.result))
    return false;
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  const auto *found = llvm::find(kinds, utils::IteratorType::reduction);
  auto last = unsigned(found - kinds.begin());
  own.columns = op.getStaticLoopRanges()[last];
  // The product of the scores is the last one before.
  bool hasScores = false;
  for (size_t i = 0; i < own.maximum; ++i)
    if (members[i].isProduct) {
      own.scores = i;
      hasScores = true;
    }
  if (!hasScores)
    return false;
  mlir::Value scores = members[own.scores].op.getDpsInits()[0];
  own.first = own.scores;
  std::optional<unsigned> dim;
  linalg::LinalgOp score = members[own.scores].op;
  AffineMap map = score.getMatchingIndexingMap(score.getDpsInitOperand(0));
  for (auto [i, result] : llvm::enumerate(map.getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(result);
    if (!loop)
      return false;
    if (isOfCell(members[own.scores], loop.getPosition()))
      continue;
    if (dim)
      return false;
    dim = unsigned(i);
  }
  if (!dim)
    return false;
  for (size_t i = 0; i < own.scores; ++i)
    if (isa<linalg::FillOp>(members[i].op) &&
        members[i].op.getDpsInits()[0] == scores)
      own.first = std::min(own.first, i);
  own.loops.assign(members.size(), std::nullopt);
  for (size_t i = own.first; i <= own.last; ++i) {
    const CellMember &member = members[i];
    mlir::Value written = member.op.getDpsInits()[0];
    if (isa<linalg::FillOp>(member.op)) {
      if (written == scores)
        own.loops[i] = *dim;
      else if (written != own.maxima && written != own.sums &&
               written != own.result)
        return false;
      continue;
    }
    if (canRunAfter(own, i)) {
      own.after.push_back(i);
      continue;
    }
    if (i == own.last) {
      own.loops[i] = last;
    } else if (i == own.scores) {
      own.loops[i] = map.getDimPosition(*dim);
    } else {
      for (unsigned loop = 0; loop < member.op.getNumLoops(); ++loop) {
        if (isOfCell(member, loop))
          continue;
        if (own.loops[i])
          return false;
        own.loops[i] = loop;
      }
      if (member.isProduct || !own.loops[i])
        return false;
    }
    if (member.op.getStaticLoopRanges()[*own.loops[i]] != own.columns)
      return false;
    for (OpOperand &operand : member.op->getOpOperands()) {
      if (!isa<MemRefType>(operand.get().getType()))
        continue;
      RowAccess access = rowAccess(member.op, operand, *own.loops[i]);
      if (access.kind == RowAccess::Kind::Other)
        return false;
      bool isRow = operand.get() == own.maxima || operand.get() == own.sums ||
                   operand.get() == own.result;
      // What is written for each column is needed in its block alone.
      if (member.op.isDpsInit(&operand) &&
          isRow != (access.kind == RowAccess::Kind::All))
        return false;
      if (member.op.isDpsInit(&operand) && !isRow && !isLocal(operand.get()))
        return false;
    }
  }
  // A buffer with columns is used in the blocks alone.
  for (auto [i, member] : llvm::enumerate(members)) {
    if (i >= own.first && i <= own.last)
      continue;
    for (size_t k = own.first; k <= own.last; ++k)
      if (own.loops[k] && k != own.last)
        for (mlir::Value written : members[k].op.getDpsInits())
          if (!llvm::is_contained({own.maxima, own.sums, own.result},
                                  written) &&
              llvm::is_contained(member.op->getOperands(), written))
            return false;
  }
  return true;
}

/// Of a select of the scores, the constant in their place.
void SoftmaxReader::findExcluded(OnlineSoftmax &own) const {
  std::optional<Written> written = writerOf(own.masked);
  auto select = yielded(*written).getDefiningOp<arith::SelectOp>();
  if (!select)
    return;
  mlir::Value scores = members[own.scores].op.getDpsInits()[0];
  if (!llvm::is_contained(members[written->member].op->getOperands(), scores))
    return;
  for (mlir::Value side : {select.getTrueValue(), select.getFalseValue()}) {
    FloatAttr constant;
    if (matchPattern(side, m_Constant(&constant)))
      own.excluded = constant;
  }
}

/// Columns of a block; 0 if it would not pay. A last block of very few columns would
/// not be a product.
static int64_t blockOf(int64_t columns) {
  constexpr int64_t kLeastColumns = 512, kLeastRest = 16;
  if (columns < kLeastColumns)
    return 0;
  for (int64_t block : {128, 144, 112, 160})
    if (columns % block == 0 || columns % block >= kLeastRest)
      return block;
  return 0;
}

std::optional<OnlineSoftmax> SoftmaxReader::read(size_t last) {
  linalg::LinalgOp product = members[last].op;
  for (mlir::Value weights : product.getDpsInputs()) {
    OnlineSoftmax own;
    own.last = last;
    own.result = product.getDpsInits()[0];
    if (!readWeights(own, weights) || !findColumns(own))
      continue;
    own.block = blockOf(own.columns);
    Type type = cast<MemRefType>(own.maxima.getType()).getElementType();
    bool isSame = llvm::all_of(
        ArrayRef<mlir::Value>{own.masked, own.sums, own.exponentials,
                              own.result},
        [&](mlir::Value buffer) {
          return cast<MemRefType>(buffer.getType()).getElementType() == type;
        });
    // What fits into the first megabyte is in a cache anyway.
    constexpr int64_t kLeastScores = 256 * 1024;
    int64_t elements = cast<MemRefType>(weights.getType()).getNumElements();
    if (own.block == 0 || !isSame || !(type.isF32() || type.isF64()) ||
        elements < kLeastScores)
      continue;
    findExcluded(own);
    return own;
  }
  return std::nullopt;
}

std::optional<OnlineSoftmax>
OnlineSoftmax::of(ArrayRef<CellMember> members,
                  llvm::function_ref<bool(mlir::Value)> isLocal) {
  for (size_t i = members.size(); i-- > 0;)
    if (members[i].isProduct)
      if (auto found = SoftmaxReader(members, isLocal).read(i))
        return found;
  return std::nullopt;
}

bool OnlineSoftmax::isBeginning(size_t number, const CellMember &member) const {
  return number < last && isa<linalg::FillOp>(member.op) &&
         llvm::is_contained({maxima, sums, result}, member.op.getDpsInits()[0]);
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

static FloatType elementOf(mlir::Value buffer) {
  return cast<FloatType>(cast<MemRefType>(buffer.getType()).getElementType());
}

/// An operation on elements of buffers of one shape.
static void
mapRows(OpBuilder &builder, Location loc, ValueRange inputs, ValueRange outputs,
        llvm::function_ref<SmallVector<mlir::Value>(OpBuilder &, ValueRange)>
            body) {
  int64_t rank = cast<MemRefType>(outputs[0].getType()).getRank();
  SmallVector<AffineMap> maps(inputs.size() + outputs.size(),
                              builder.getMultiDimIdentityMap(unsigned(rank)));
  SmallVector<utils::IteratorType> kinds(size_t(rank),
                                         utils::IteratorType::parallel);
  linalg::GenericOp::create(
      builder, loc, inputs, outputs, maps, kinds,
      [&](OpBuilder &b, Location at, ValueRange elements) {
        linalg::YieldOp::create(b, at, body(b, elements));
      });
}

void cpu::keepMaxima(OpBuilder &builder, Location loc,
                     const SoftmaxRows &rows) {
  mapRows(builder, loc, rows.maxima, rows.old,
          [](OpBuilder &, ValueRange elements) {
            return SmallVector<mlir::Value>{elements[0]};
          });
}

void cpu::rescaleSums(OpBuilder &builder, Location loc,
                      const SoftmaxRows &rows) {
  FloatType type = elementOf(rows.maxima);
  mapRows(
      builder, loc, {rows.maxima, rows.old},
      {rows.shift, rows.factor, rows.sums},
      [&](OpBuilder &b, ValueRange elements) {
        auto number = [&](double value) -> mlir::Value {
          return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
        };
        auto isSame = [&](mlir::Value x, mlir::Value y) -> mlir::Value {
          return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, x, y);
        };
        mlir::Value maximum = elements[0], old = elements[1];
        mlir::Value shift = arith::SelectOp::create(
            b, loc, isSame(maximum, number(-INFINITY)), number(0), maximum);
        mlir::Value factor = math::ExpOp::create(
            b, loc, arith::SubFOp::create(b, loc, old, maximum));
        factor = arith::SelectOp::create(b, loc, isSame(maximum, old),
                                         number(1), factor);
        mlir::Value sum = arith::MulFOp::create(b, loc, elements[4], factor);
        return SmallVector<mlir::Value>{shift, factor, sum};
      });
}

void cpu::scaleResult(OpBuilder &builder, Location loc, mlir::Value result,
                      mlir::Value row, ArrayRef<unsigned> places,
                      bool divides) {
  auto rank = unsigned(cast<MemRefType>(result.getType()).getRank());
  SmallVector<AffineExpr> indices;
  for (unsigned place : places)
    indices.push_back(builder.getAffineDimExpr(place));
  AffineMap own = builder.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  linalg::GenericOp::create(
      builder, loc, ValueRange(row), ValueRange(result),
      ArrayRef<AffineMap>{
          AffineMap::get(rank, 0, indices, builder.getContext()), own},
      kinds, [&](OpBuilder &b, Location at, ValueRange elements) {
        mlir::Value scaled = divides ? mlir::Value(arith::DivFOp::create(
                                           b, at, elements[1], elements[0]))
                                     : mlir::Value(arith::MulFOp::create(
                                           b, at, elements[1], elements[0]));
        linalg::YieldOp::create(b, at, scaled);
      });
}

mlir::Value cpu::bitsFor(OpBuilder &builder, mlir::Value buffer) {
  unsigned width = cast<MemRefType>(buffer.getType()).getElementTypeBitWidth();
  return memref::AllocaOp::create(
      builder, buffer.getLoc(),
      MemRefType::get({}, builder.getIntegerType(width)));
}

void cpu::storeZero(OpBuilder &builder, Location loc, mlir::Value found) {
  Type bits = cast<MemRefType>(found.getType()).getElementType();
  mlir::Value none =
      arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(bits, 0));
  memref::StoreOp::create(builder, loc, none, found, ValueRange());
}

/// found |= what the body makes of each element.
static void findBits(OpBuilder &builder, Location loc, mlir::Value buffer,
                     mlir::Value found,
                     llvm::function_ref<mlir::Value(OpBuilder &, Value)> body) {
  auto rank = unsigned(cast<MemRefType>(buffer.getType()).getRank());
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::reduction);
  linalg::GenericOp::create(
      builder, loc, ValueRange(buffer), ValueRange(found),
      ArrayRef<AffineMap>{builder.getMultiDimIdentityMap(rank),
                          AffineMap::get(rank, 0, builder.getContext())},
      kinds, [&](OpBuilder &b, Location at, ValueRange elements) {
        mlir::Value bits =
            arith::OrIOp::create(b, at, elements[1], body(b, elements[0]));
        linalg::YieldOp::create(b, at, bits);
      });
}

void cpu::findInfinite(OpBuilder &builder, Location loc, mlir::Value buffer,
                       mlir::Value found) {
  Type bits = cast<MemRefType>(found.getType()).getElementType();
  findBits(builder, loc, buffer, found,
           [&](OpBuilder &b, mlir::Value x) -> mlir::Value {
             // 0, or NaN
             mlir::Value none = arith::SubFOp::create(b, loc, x, x);
             return arith::BitcastOp::create(b, loc, bits, none);
           });
}

mlir::Value cpu::bitsOfNumber(OpBuilder &builder, Location loc,
                              mlir::Value number, Type bits) {
  // All but the sign.
  mlir::Value size = arith::ConstantOp::create(
      builder, loc,
      builder.getIntegerAttr(
          bits, APInt::getSignedMaxValue(bits.getIntOrFloatBitWidth())));
  return arith::AndIOp::create(
      builder, loc, arith::BitcastOp::create(builder, loc, bits, number), size);
}

void cpu::findNumbers(OpBuilder &builder, Location loc, mlir::Value buffer,
                      mlir::Value found) {
  Type bits = cast<MemRefType>(found.getType()).getElementType();
  findBits(builder, loc, buffer, found, [&](OpBuilder &b, mlir::Value x) {
    return bitsOfNumber(b, loc, x, bits);
  });
}

void cpu::findCounting(OpBuilder &builder, Location loc, mlir::Value maxima,
                       TypedAttr excluded, mlir::Value found) {
  FloatType type = elementOf(maxima);
  Type bits = cast<MemRefType>(found.getType()).getElementType();
  // exp of less is 0, without a subnormal number.
  double least = type.isF32() ? -104 : -746;
  findBits(
      builder, loc, maxima, found,
      [&](OpBuilder &b, mlir::Value x) -> mlir::Value {
        mlir::Value below = arith::SubFOp::create(
            b, loc, arith::ConstantOp::create(b, loc, excluded), x);
        mlir::Value counts = arith::CmpFOp::create(
            b, loc, arith::CmpFPredicate::UGE, below,
            arith::ConstantOp::create(b, loc, b.getFloatAttr(type, least)));
        return arith::ExtUIOp::create(b, loc, bits, counts);
      });
}
