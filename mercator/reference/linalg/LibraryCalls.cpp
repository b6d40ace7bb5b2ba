// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/linalg/LibraryCalls.h"

#include "mercator/reference/core/Matrices.h"
#include "mercator/reference/core/Numbers.h"
#include "mercator/reference/linalg/Rules.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace mercator::reference {

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

LogicalResult LibraryCall::refuse() const {
  return step.unsupported("its operands are not those of the function");
}

bool LibraryCall::hasRanks(StringRef operandRanks, StringRef resultRanks,
                           size_t numberCount) const {
  if (operands.size() != operandRanks.size() ||
      results.size() != resultRanks.size() || numbers.size() != numberCount)
    return false;
  int64_t batchRank = operands.front().rank() - (operandRanks.front() - '0');
  if (batchRank < 0)
    return false;
  ArrayRef<int64_t> batch = operands.front().shape().take_front(batchRank);
  auto fits = [&](const Tensor &tensor, char rank) -> bool {
    return tensor.rank() == batchRank + (rank - '0') &&
           tensor.shape().take_front(batchRank) == batch;
  };
  for (auto [tensor, rank] : llvm::zip(operands, operandRanks))
    if (!fits(tensor, rank))
      return false;
  for (auto [tensor, rank] : llvm::zip(results, resultRanks))
    if (!fits(tensor, rank))
      return false;
  return true;
}

int64_t batchOf(const Tensor &tensor, int64_t rank) {
  int64_t count = 1;
  for (int64_t extent : tensor.shape().drop_back(rank))
    count *= extent;
  return count;
}

static Matrix read(const Tensor &tensor, int64_t member, int64_t rows,
                   int64_t columns) {
  Matrix matrix(rows, columns);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      Scalar value = tensor.at((member * rows + row) * columns + column);
      matrix(row, column) = tensor.element().isInteger()
                                ? Wide((long double)(value.integer))
                                : Wide(value.re, value.im);
    }
  return matrix;
}

Matrix readMatrix(const Tensor &tensor, int64_t member) {
  return read(tensor, member, tensor.dim(tensor.rank() - 2),
              tensor.dim(tensor.rank() - 1));
}

Matrix readVector(const Tensor &tensor, int64_t member) {
  return read(tensor, member, tensor.shape().back(), 1);
}

static int64_t toInteger(long double value) {
  return std::fabs(value) < 0x1p62L ? int64_t(value) : 0;
}

static void write(Tensor &tensor, int64_t member, const Matrix &matrix) {
  for (int64_t row = 0; row < matrix.rows; ++row)
    for (int64_t column = 0; column < matrix.columns; ++column) {
      Wide value = matrix(row, column);
      tensor.set(
          (member * matrix.rows + row) * matrix.columns + column,
          tensor.element().isInteger()
              ? Scalar::whole(toInteger(value.real()))
              : Scalar::complex(double(value.real()), double(value.imag())));
    }
}

void LibraryCall::writeMatrix(size_t i, int64_t member, const Matrix &matrix) {
  ArrayRef<int64_t> own = results[i].shape().take_back(2);
  if (own[0] == matrix.rows && own[1] == matrix.columns)
    write(results[i], member, matrix);
  else
    hasWrongExtents = true;
}

void LibraryCall::writeVector(size_t i, int64_t member, const Matrix &vector) {
  if (results[i].shape().back() == vector.rows)
    write(results[i], member, vector);
  else
    hasWrongExtents = true;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Sets the only result to a tensor of its shape.
static LogicalResult giveOnly(LibraryCall &call, FailureOr<Tensor> result) {
  if (failed(result))
    return failure();
  if (result->type() != call.results.front().type())
    return call.refuse();
  call.results.front() = *result;
  return success();
}

/// Makes a tensor of the only result's element type.
static auto maker(LibraryCall &call) {
  return [&call](ArrayRef<int64_t> shape) {
    return call.step.zeros(RankedTensorType::get(
        shape, call.results.front().type().getElementType()));
  };
}

template <Fourier kind> static LogicalResult evaluateFft(LibraryCall &call) {
  if (call.operands.size() != 1 || call.results.size() != 1 ||
      call.numbers.size() != 1)
    return call.refuse();
  const Tensor &operand = call.operands.front();
  const Tensor &real =
      kind == Fourier::HalfToReal ? call.results.front() : operand;
  int64_t count = call.numbers.front();
  if (count < 1 || count > operand.rank() || real.rank() != operand.rank())
    return call.refuse();
  return giveOnly(call, fourier(call.step, kind,
                                real.shape().take_back(size_t(count)), operand,
                                maker(call)));
}

static LogicalResult evaluateCholesky(LibraryCall &call) {
  if (!call.hasRanks("2", "2", 1))
    return call.refuse();
  return giveOnly(call, cholesky(call.step, call.operands.front(),
                                 call.numbers.front() != 0, maker(call)));
}

static LogicalResult evaluateTrsm(LibraryCall &call) {
  if (!call.hasRanks("22", "2", 4))
    return call.refuse();
  ArrayRef<int64_t> numbers = call.numbers;
  Triangular flags{numbers[0] == 'L', numbers[1] == 'L', numbers[2] != 'N',
                   numbers[2] == 'C', numbers[3] == 'U'};
  return giveOnly(call, solveTriangular(call.step, call.operands[0],
                                        call.operands[1], flags, maker(call)));
}

static LogicalResult evaluateRandomBits(LibraryCall &call) {
  if (!call.operands.empty() || call.results.size() != 1 ||
      !call.results.front().element().isInteger())
    return call.refuse();
  Tensor &words = call.results.front();
  for (int64_t i = 0; i < words.size(); ++i)
    words.set(i, Scalar::whole(int64_t(call.step.evaluator.randomBits())));
  return success();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static LogicalResult evaluateLibraryCall(Step &step) {
  auto op = cast<func::CallOp>(step.op);
  StringRef name = op.getCallee().split('.').first;
  name.consume_front("mercator_");
  LibraryFunction function =
      StringSwitch<LibraryFunction>(name)
          .Case("cholesky", evaluateCholesky)
          .Case("fft", evaluateFft<Fourier::Forward>)
          .Case("ifft", evaluateFft<Fourier::Inverse>)
          .Case("rfft", evaluateFft<Fourier::RealToHalf>)
          .Case("irfft", evaluateFft<Fourier::HalfToReal>)
          .Case("random_bits", evaluateRandomBits)
          .Case("trsm", evaluateTrsm)
          .Default(factorization(name));
  if (!function)
    return step.unsupported("the evaluator does not know @" + op.getCallee());

  LibraryCall call{step, {}, {}, {}, false};
  for (auto [value, type] : llvm::zip(step.operands, op.getOperandTypes())) {
    if (isa<RankedTensorType>(type))
      call.operands.push_back(*value.tensor());
    else if (type.isInteger(64))
      call.numbers.push_back(value.tensor()->scalar().integer);
    else if (!type.isIndex())
      return call.refuse();
  }
  auto resultCount = size_t(llvm::count_if(op.getResultTypes(), [](Type type) {
    return isa<RankedTensorType>(type);
  }));
  if (call.operands.size() < resultCount)
    return call.refuse();
  size_t first = call.operands.size() - resultCount;
  for (const Tensor &destination : ArrayRef(call.operands).drop_front(first)) {
    FailureOr<Tensor> result = step.zeros(destination.type());
    if (failed(result))
      return failure();
    call.results.push_back(*result);
  }
  call.operands.truncate(first);
  if (failed(function(call)))
    return failure();
  if (call.hasWrongExtents)
    return call.refuse();

  std::vector<Value> results;
  RankedTensorType declared;
  int64_t dim = 0;
  size_t next = 0;
  for (Type type : op.getResultTypes()) {
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      declared = tensor;
      dim = 0;
      results.emplace_back(call.results[next++]);
      continue;
    }
    // The next dynamic extent of the tensor before.
    while (declared && dim < declared.getRank() &&
           !declared.isDynamicDim(unsigned(dim)))
      ++dim;
    if (!type.isIndex() || !declared || dim == declared.getRank())
      return call.refuse();
    FailureOr<Value> extent =
        indexNumber(step, call.results[next - 1].dim(size_t(dim++)));
    if (failed(extent))
      return failure();
    results.push_back(*extent);
  }
  return give(step, std::move(results));
}

void addLibraryCallRules(EvaluationRules &rules) {
  rules.addExternal("mercator_", evaluateLibraryCall);
}

} // namespace mercator::reference
