// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Calls of the runtime's library functions: external functions whose names
/// begin with `mercator_`. Their meaning is written down in
/// mercator/runtime/Calls.h; here it is computed by loops.
///
///   call @mercator_getrf.1(%a, %lu, %pivots, %info)
///
/// The operands are tensors, then a destination for each result, then numbers.
/// Extents of type index may follow each tensor that has dynamic ones: flow
/// adds them. Those of a result are those of its destination.

#ifndef MERCATOR_REFERENCE_LINALG_LIBRARYCALLS_H
#define MERCATOR_REFERENCE_LINALG_LIBRARYCALLS_H

#include "mercator/reference/core/Evaluator.h"

#include <complex>

namespace mercator::reference {

using Wide = std::complex<long double>;

/// A member of a batch of matrices, or of vectors of one column.
class Matrix {
public:
  Matrix(int64_t rows, int64_t columns)
      : rows(rows), columns(columns), elements(size_t(rows * columns)) {}

  Wide &operator()(int64_t row, int64_t column = 0) {
    return elements[size_t(row * columns + column)];
  }
  const Wide &operator()(int64_t row, int64_t column = 0) const {
    return elements[size_t(row * columns + column)];
  }

  int64_t rows, columns;

private:
  std::vector<Wide> elements;
};

/// The operands of a call, and its results, which are zeros of the shapes of
/// the destinations.
struct LibraryCall {
  Step &step;
  llvm::SmallVector<Tensor> operands, results;
  llvm::SmallVector<int64_t> numbers;

  /// Whether the operands and results have equal batch dimensions and own
  /// dimensions of these ranks, a digit each.
  [[nodiscard]] bool hasRanks(llvm::StringRef operandRanks,
                              llvm::StringRef resultRanks,
                              size_t numberCount) const;
  llvm::LogicalResult refuse() const;

  /// Writes a member of result `i`. Nothing is written if the result has other
  /// extents; the call is refused at its end.
  void writeMatrix(size_t i, int64_t member, const Matrix &matrix);
  /// The same for a matrix of one column.
  void writeVector(size_t i, int64_t member, const Matrix &vector);
  bool hasWrongExtents = false;
};

/// The number of members of a batch whose members have this rank.
[[nodiscard]] int64_t batchOf(const Tensor &tensor, int64_t rank);
[[nodiscard]] Matrix readMatrix(const Tensor &tensor, int64_t member);
[[nodiscard]] Matrix readVector(const Tensor &tensor, int64_t member);

/// gesdd and gesvd.
llvm::LogicalResult singularValues(LibraryCall &call);

/// gesdd, gesvd, potrf, getrf, geqrf, orgqr, gtsv and syevd; null for other
/// names.
using LibraryFunction = llvm::LogicalResult (*)(LibraryCall &call);
[[nodiscard]] LibraryFunction factorization(llvm::StringRef name);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_LINALG_LIBRARYCALLS_H
