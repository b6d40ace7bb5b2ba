// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Matrices: cuSOLVER, cuSPARSE and the triangular solve of cuBLAS. A Cholesky
// factorization and a triangular solve are operations of StableHLO. The others
// are the calls of LAPACK that JAX makes on a CPU: one result of each has the same
// meaning.

#include "mercator/frontends/calls/Body.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::calls;
using llvm::StringRef;

bool calls::readTriangularSolve(Reader &call) {
  if (call.operands.size() != 2 || call.types.empty())
    return call.unknown("it has not two operands");
  auto transpose =
      stablehlo::symbolizeTranspose(call.config.word("transpose_a", ""));
  if (!transpose)
    return call.unknown("its transpose_a is not known");
  Body &body = call.body;
  call.values.push_back(stablehlo::TriangularSolveOp::create(
      body.b, body.loc, call.types[0], call.operands[0], call.operands[1],
      call.config.flag("left_side", true), call.config.flag("lower", false),
      call.config.flag("unit_diagonal", false), *transpose));
  return true;
}

/// Whether it is of matrices, with these numbers of operands and results.
static bool isMatrixCall(Reader &call, size_t operands, size_t results) {
  return call.operands.size() == operands && call.types.size() >= results &&
         typeOf(call.operands[0]).getRank() >= 2;
}

/// The other triangle is that of the operand. The status is 0 if all leading
/// minors are positive. Else it is 1, where cuSOLVER has the number of the first
/// that is not: StableHLO gives no elements then.
bool calls::readCholesky(Reader &call) {
  if (!isMatrixCall(call, 1, 2))
    return call.unknown("it is not of a matrix");
  using stablehlo::ComparisonDirection;
  Body &body = call.body;
  bool isLower = call.config.flag("lower", true);
  Value a = call.operands[0];
  RankedTensorType type = typeOf(a);
  int64_t rank = type.getRank();
  if (type.getDimSize(unsigned(rank) - 2) !=
      type.getDimSize(unsigned(rank) - 1))
    return call.unknown("it is not of a square matrix");
  Value factor =
      stablehlo::CholeskyOp::create(body.b, body.loc, type, a, isLower);
  auto numbers = type.clone(body.b.getIntegerType(32));
  Value row = body.iota(numbers, rank - 2),
        column = body.iota(numbers, rank - 1);
  Value isOwn = body.compare(
      row, column, isLower ? ComparisonDirection::GE : ComparisonDirection::LE);
  call.values.push_back(body.select(isOwn, factor, a));

  Value real = factor;
  if (auto complex = dyn_cast<ComplexType>(type.getElementType()))
    real = stablehlo::RealOp::create(
        body.b, body.loc, type.clone(complex.getElementType()), factor);
  Value isPositive =
      body.compare(real, body.number(0, real), ComparisonDirection::GT);
  Value isDiagonal = body.compare(row, column, ComparisonDirection::EQ);
  Value failed = body.select(isDiagonal,
                             body.cast(body.unary<stablehlo::NotOp>(isPositive),
                                       body.b.getIntegerType(32)),
                             body.number(0, row));
  Value status = body.reduce<stablehlo::MaxOp>(failed, {rank - 2, rank - 1}, 0);
  // Older calls have a workspace between the two.
  if (call.types.size() == 3)
    call.values.push_back(body.number(0, call.types[1]));
  call.values.push_back(status);
  return true;
}

//===----------------------------------------------------------------------===//
// LAPACK
//===----------------------------------------------------------------------===//

/// The letter of the element type: `s` of spotrf.
static StringRef letterOf(Type element) {
  auto complex = dyn_cast<ComplexType>(element);
  Type part = complex ? complex.getElementType() : element;
  if (part.isF32())
    return complex ? "c" : "s";
  if (part.isF64())
    return complex ? "z" : "d";
  return "";
}

static Type realOf(Type element) {
  auto complex = dyn_cast<ComplexType>(element);
  return complex ? complex.getElementType() : element;
}

/// The shape of a matrix, with its last two extents replaced by these.
static RankedTensorType withEnd(RankedTensorType type,
                                llvm::ArrayRef<int64_t> end, Type element) {
  llvm::SmallVector<int64_t> sizes(type.getShape().drop_back(2));
  llvm::append_range(sizes, end);
  return RankedTensorType::get(sizes, element);
}

/// A call of `lapack_<letter><name>_ffi`; no values for other element types.
static llvm::SmallVector<Value>
callLapack(Reader &call, StringRef name, StringRef complexName,
           ValueRange operands, llvm::ArrayRef<Type> results,
           llvm::ArrayRef<std::pair<StringRef, char>> attributes = {}) {
  Body &body = call.body;
  Type element = elementOf(operands[0]);
  StringRef letter = letterOf(element);
  if (letter.empty()) {
    call.unknown("LAPACK has no elements of this type");
    return {};
  }
  NamedAttrList config;
  for (auto [key, value] : attributes)
    config.set(key, IntegerAttr::get(IntegerType::get(body.b.getContext(), 8,
                                                      IntegerType::Unsigned),
                                     value));
  StringRef own = isa<ComplexType>(element) ? complexName : name;
  auto op = stablehlo::CustomCallOp::create(
      body.b, body.loc, TypeRange(results), operands,
      body.b.getStringAttr("lapack_" + letter + own + "_ffi"), BoolAttr(),
      config.getDictionary(body.b.getContext()), body.b.getI32IntegerAttr(4),
      /*called_computations=*/ArrayAttr(), /*operand_layouts=*/ArrayAttr(),
      /*result_layouts=*/ArrayAttr(), /*output_operand_aliases=*/ArrayAttr(),
      /*result_tilings=*/ArrayAttr());
  return llvm::SmallVector<Value>(op->getResults());
}

static Type status(Reader &call, RankedTensorType type) {
  return withEnd(type, {}, call.body.b.getIntegerType(32));
}

/// Gives all values, unless LAPACK has none.
static bool give(Reader &call, llvm::ArrayRef<Value> values) {
  llvm::append_range(call.values, values);
  return !values.empty();
}

bool calls::readLu(Reader &call) {
  if (!isMatrixCall(call, 1, 3))
    return call.unknown("it is not of a matrix");
  RankedTensorType type = typeOf(call.operands[0]);
  int64_t least =
      std::min(type.getShape().end()[-1], type.getShape().end()[-2]);
  Type pivots = withEnd(type, {least}, call.body.b.getIntegerType(32));
  return give(call, callLapack(call, "getrf", "getrf", call.operands,
                               {type, pivots, status(call, type)}));
}

bool calls::readQr(Reader &call) {
  if (!isMatrixCall(call, 1, 2))
    return call.unknown("it is not of a matrix");
  RankedTensorType type = typeOf(call.operands[0]);
  int64_t least =
      std::min(type.getShape().end()[-1], type.getShape().end()[-2]);
  Type scales = withEnd(type, {least}, type.getElementType());
  return give(
      call, callLapack(call, "geqrf", "geqrf", call.operands, {type, scales}));
}

bool calls::readQFactor(Reader &call) {
  if (!isMatrixCall(call, 2, 1))
    return call.unknown("it is not of a matrix");
  return give(call, callLapack(call, "orgqr", "ungqr", call.operands,
                               {typeOf(call.operands[0])}));
}

bool calls::readEigenvalues(Reader &call) {
  if (!isMatrixCall(call, 1, 3))
    return call.unknown("it is not of a matrix");
  RankedTensorType type = typeOf(call.operands[0]);
  Type values =
      withEnd(type, {type.getShape().back()}, realOf(type.getElementType()));
  bool isLower = call.config.flag("lower", true);
  return give(call, callLapack(call, "syevd", "heevd", call.operands,
                               {type, values, status(call, type)},
                               {{"mode", 'V'}, {"uplo", isLower ? 'L' : 'U'}}));
}

/// gesvd returns the second factor as LAPACK does, gesvdj its adjoint.
bool calls::readSingularValues(Reader &call) {
  if (!isMatrixCall(call, 1, 5))
    return call.unknown("it is not of a matrix");
  if (call.config.flag("transposed", false))
    return call.unknown("its matrix is transposed");
  Body &body = call.body;
  RankedTensorType type = typeOf(call.operands[0]);
  int64_t rank = type.getRank();
  int64_t rows = type.getDimSize(unsigned(rank) - 2),
          columns = type.getDimSize(unsigned(rank) - 1),
          least = std::min(rows, columns);
  bool hasVectors = call.config.flag("compute_uv", true);
  bool isFull = call.config.flag("full_matrices", true) || !hasVectors;
  Type element = type.getElementType();
  llvm::SmallVector<Value> values =
      callLapack(call, "gesdd", "gesdd", call.operands,
                 {type, withEnd(type, {least}, realOf(element)),
                  withEnd(type, {rows, isFull ? rows : least}, element),
                  withEnd(type, {isFull ? columns : least, columns}, element),
                  status(call, type)},
                 {{"mode", isFull ? 'A' : 'S'}});
  if (values.empty())
    return false;
  if (call.call.target.contains("gesvdj")) {
    llvm::SmallVector<int64_t> order =
        llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::swap(order[rank - 2], order[rank - 1]);
    values[3] = body.transpose(values[3], order);
    if (auto complex = dyn_cast<ComplexType>(element)) {
      auto part = typeOf(values[3]).clone(complex.getElementType());
      Value real = stablehlo::RealOp::create(body.b, body.loc, part, values[3]);
      Value imaginary =
          stablehlo::ImagOp::create(body.b, body.loc, part, values[3]);
      values[3] = stablehlo::ComplexOp::create(
          body.b, body.loc, typeOf(values[3]), real,
          body.unary<stablehlo::NegOp>(imaginary));
    }
  }
  return give(call, values);
}

/// dl, d, du, b -> x.
bool calls::readTridiagonalSolve(Reader &call) {
  if (call.operands.size() != 4 || call.types.empty())
    return call.unknown("it has not four operands");
  RankedTensorType type = typeOf(call.operands[3]);
  if (type.getRank() < 2)
    return call.unknown("it is not of a matrix");
  llvm::SmallVector<Type> types;
  for (Value operand : call.operands)
    types.push_back(operand.getType());
  types.push_back(status(call, type));
  llvm::SmallVector<Value> values =
      callLapack(call, "gtsv", "gtsv", call.operands, types);
  if (values.empty())
    return false;
  call.values.push_back(values[3]);
  return true;
}

/// The permutation that exchanges row k with row pivots[k], in order:
///
///   for k: exchange result[k] and result[pivots[k]]
bool calls::readPermutation(Reader &call) {
  if (call.operands.size() != 1 || call.types.size() != 1 ||
      typeOf(call.operands[0]).getRank() < 1 ||
      !elementOf(call.operands[0]).isInteger(32))
    return call.unknown("it is not of pivots");
  using stablehlo::ComparisonDirection;
  Body &body = call.body;
  Location loc = body.loc;
  Value pivots = call.operands[0];
  RankedTensorType type =
      RankedTensorType::get(call.types[0].getShape(), elementOf(pivots));
  int64_t rank = type.getRank();
  int64_t count = typeOf(pivots).getShape().back();
  if (typeOf(pivots).getRank() != rank ||
      typeOf(pivots).getShape().drop_back() != type.getShape().drop_back())
    return call.unknown("its result has another shape");
  auto scalar = RankedTensorType::get({}, type.getElementType());
  llvm::SmallVector<Value> start = {body.number(0, scalar),
                                    body.iota(type, rank - 1), pivots};
  auto loop = stablehlo::WhileOp::create(body.b, loc, ValueRange(start), start);
  auto blockOf = [&](Region &region) -> Block & {
    Block &block = region.emplaceBlock();
    for (Value value : start)
      block.addArgument(value.getType(), loc);
    return block;
  };
  Block &test = blockOf(loop->getRegion(0)),
        &step = blockOf(loop->getRegion(1));
  Body condition(OpBuilder::atBlockEnd(&test), loc);
  Value isMore = condition.compare(test.getArgument(0),
                                   condition.number(double(count), scalar),
                                   ComparisonDirection::LT);
  stablehlo::ReturnOp::create(condition.b, loc, isMore);

  Body inner(OpBuilder::atBlockEnd(&step), loc);
  Value k = step.getArgument(0), now = step.getArgument(1);
  llvm::SmallVector<int64_t> sizes(type.getShape());
  sizes.back() = 1;
  llvm::SmallVector<Value> starts(rank - 1, inner.number(0, scalar));
  starts.push_back(k);
  Value pivot = stablehlo::DynamicSliceOp::create(
      inner.b, loc, RankedTensorType::get(sizes, elementOf(pivots)),
      step.getArgument(2), starts, sizes);
  sizes.pop_back();
  llvm::SmallVector<int64_t> batch =
      llvm::to_vector(llvm::seq<int64_t>(0, rank - 1));
  Value place = inner.iota(type, rank - 1);
  Value isHere =
      inner.compare(place, inner.spread(k, type, {}), ComparisonDirection::EQ);
  Value isThere = inner.compare(
      place, inner.spread(inner.reshape(pivot, sizes), type, batch),
      ComparisonDirection::EQ);
  auto elementAt = [&](Value mask) {
    Value alone = inner.select(mask, now, inner.number(0, now));
    return inner.spread(inner.reduce<stablehlo::AddOp>(alone, {rank - 1}, 0),
                        type, batch);
  };
  Value next = inner.select(isThere, elementAt(isHere), now);
  next = inner.select(isHere, elementAt(isThere), next);
  Value following = inner.binary<stablehlo::AddOp>(k, inner.number(1, scalar));
  stablehlo::ReturnOp::create(inner.b, loc,
                              ValueRange{following, next, step.getArgument(2)});
  call.values.push_back(loop->getResult(1));
  return true;
}
