// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Access rules of matrices, transforms and normalization.

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/provenance/AccessRules.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

using Set = ProvenanceSets::Id;

/// Calls f with the index of each matrix: its batch index, then 0, 0.
template <typename F> static void forMatrices(ArrayRef<int64_t> shape, F f) {
  SmallVector<int64_t> batches(shape);
  for (size_t d = batches.size() - 2; d < batches.size(); ++d)
    batches[d] = std::min<int64_t>(batches[d], 1);
  for (Index batch(batches); batch; ++batch)
    f(SmallVector<int64_t>(*batch));
}
static SmallVector<int64_t> inMatrix(ArrayRef<int64_t> batch, int64_t row,
                                     int64_t column) {
  SmallVector<int64_t> index(batch);
  index[index.size() - 2] = row;
  index[index.size() - 1] = column;
  return index;
}

// L[i, j] = (A[i, j] - the sum over k < j of L[i, k] L[j, k]) / L[j, j]. The
// upper factor is the transpose. The other triangle is unspecified.
static LogicalResult traceCholesky(CholeskyOp op, Access &access) {
  int64_t n = access.shape(0).back();
  forMatrices(access.shape(0), [&](ArrayRef<int64_t> batch) {
    auto place = [&](int64_t i, int64_t j) {
      return access.tensor(0).linear(op.getLower() ? inMatrix(batch, i, j)
                                                   : inMatrix(batch, j, i));
    };
    auto factor = [&](int64_t i, int64_t j) {
      return access.results[0].origin.elements[place(i, j)];
    };
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = j; i < n; ++i) {
        Set set = access.at(0, place(i, j));
        for (int64_t k = 0; k < j; ++k)
          set = access.unite(set, access.unite(factor(i, k), factor(j, k)));
        access.reads(0, place(i, j),
                     i == j ? set : access.unite(set, factor(j, j)));
      }
  });
  return success();
}

// Row r of X (on the left) is row r of B minus the products with the rows
// before, divided by the diagonal. op(A) may be lower or upper, which
// determines "before".
static LogicalResult traceTriangularSolve(TriangularSolveOp op,
                                          Access &access) {
  int64_t n = access.shape(0).back(), rank = access.tensor(1).rank();
  bool isLeft = op.getLeftSide();
  bool isTransposed = op.getTransposeA() == Transpose::TRANSPOSE ||
                      op.getTransposeA() == Transpose::ADJOINT;
  bool isLower = op.getLower() != isTransposed; // of op(A)
  int64_t lines = access.shape(1)[isLeft ? rank - 1 : rank - 2];
  forMatrices(access.shape(0), [&](ArrayRef<int64_t> batch) {
    auto coefficient = [&](int64_t row, int64_t column) { // of op(A)
      return access.at(0, isTransposed ? inMatrix(batch, column, row)
                                       : inMatrix(batch, row, column));
    };
    for (int64_t line = 0; line < lines; ++line) {
      auto place = [&](int64_t r) {
        return access.tensor(1).linear(isLeft ? inMatrix(batch, r, line)
                                              : inMatrix(batch, line, r));
      };
      // op(A) X = B goes down the rows of a lower op(A); X op(A) = B goes up.
      bool isForward = isLeft == isLower;
      for (int64_t i = 0; i < n; ++i) {
        int64_t r = isForward ? i : n - 1 - i;
        Set set = access.at(1, place(r));
        if (!op.getUnitDiagonal())
          set = access.unite(set, coefficient(r, r));
        for (int64_t k = 0; k < i; ++k) {
          int64_t known = isForward ? k : n - 1 - k;
          set = access.unite(set, isLeft ? coefficient(r, known)
                                         : coefficient(known, r));
          set = access.unite(set,
                             access.results[0].origin.elements[place(known)]);
        }
        access.reads(0, place(r), set);
      }
    }
  });
  return success();
}

/// All elements of the transformed dimensions, one for each length.
static LogicalResult traceFft(FftOp op, Access &access) {
  ArrayRef<int64_t> shape = access.shape(0);
  size_t kept = shape.size() - op.getFftLength().size();
  access.forEach(0, [&](ArrayRef<int64_t> index) {
    Set set = ProvenanceSets::kNone;
    for (Index along(shape.drop_front(kept)); along; ++along) {
      SmallVector<int64_t> from(index.take_front(kept));
      llvm::append_range(from, *along);
      set = access.unite(set, access.at(0, from));
    }
    return set;
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Normalization
//===----------------------------------------------------------------------===//

/// For operand `i`: all elements of each index of the feature dimension.
static std::vector<Set> byFeature(const Access &access, size_t i,
                                  int64_t feature) {
  std::vector<Set> sets(access.shape(i)[feature]);
  int64_t place = 0;
  for (Index index(access.shape(i)); index; ++index, ++place)
    sets[index[feature]] =
        access.unite(sets[index[feature]], access.at(i, place));
  return sets;
}

static LogicalResult traceInference(BatchNormInferenceOp op, Access &access) {
  auto feature = int64_t(op.getFeatureIndex());
  access.forEach(0, [&](ArrayRef<int64_t> index) {
    Set set = access.at(0, index);
    for (size_t i = 1; i < 5; ++i) // scale, offset, mean, variance
      set = access.unite(set, access.at(i, index[feature]));
    return set;
  });
  return success();
}

static LogicalResult traceTraining(BatchNormTrainingOp op, Access &access) {
  auto feature = int64_t(op.getFeatureIndex());
  std::vector<Set> batch = byFeature(access, 0, feature);
  access.forEach(0, [&](ArrayRef<int64_t> index) {
    int64_t f = index[feature]; // and scale and offset
    return access.unite(batch[f],
                        access.unite(access.at(1, f), access.at(2, f)));
  });
  for (size_t result : {1, 2}) // mean and variance
    access.forEach(result,
                   [&](ArrayRef<int64_t> index) { return batch[index[0]]; });
  return success();
}

static LogicalResult traceGrad(BatchNormGradOp op, Access &access) {
  auto feature = int64_t(op.getFeatureIndex());
  std::vector<Set> operand = byFeature(access, 0, feature),
                   gradOutput = byFeature(access, 4, feature);
  // The elements needed to normalize again: the operand, the mean, the
  // variance.
  auto normalized = [&](int64_t f) {
    return access.unite(operand[f],
                        access.unite(access.at(2, f), access.at(3, f)));
  };
  access.forEach(0, [&](ArrayRef<int64_t> index) {
    int64_t f = index[feature];
    return access.unite(normalized(f),
                        access.unite(gradOutput[f], access.at(1, f)));
  });
  access.forEach(1, [&](ArrayRef<int64_t> index) {
    return access.unite(normalized(index[0]), gradOutput[index[0]]);
  });
  access.forEach(2,
                 [&](ArrayRef<int64_t> index) { return gradOutput[index[0]]; });
  return success();
}

void addMatrixAccess(AccessRules &rules) {
  rules.add<CholeskyOp, traceCholesky>();
  rules.add<TriangularSolveOp, traceTriangularSolve>();
  rules.add<FftOp, traceFft>();
  rules.add<BatchNormInferenceOp, traceInference>();
  rules.add<BatchNormTrainingOp, traceTraining>();
  rules.add<BatchNormGradOp, traceGrad>();
}

} // namespace mercator::reference
