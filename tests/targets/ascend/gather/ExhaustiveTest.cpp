// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// All small gathers: operands of up to three dimensions of up to three
// elements, slices of all sizes, one batch axis or none, all dimension numbers.
// Each strategy that applies is executed and compared with the definition of
// the gather.

#include "mercator/targets/ascend/gather/Planner.h"
#include "tests/Scale.h"
#include "tests/targets/ascend/gather/CarryOut.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "gtest/gtest.h"

#include <array>

using namespace mercator;
using namespace mercator::gather;
using llvm::ArrayRef;

/// The result of a gather, by the specification.
static Numbers define(const GatherProblem &p, const Numbers &operand,
                      const Numbers &starts) {
  Numbers out{numbersOf(p.resultShape), {}};
  int64_t rank = p.operandShape.size();
  for (Index d(numbersOf(p.resultShape)); d; ++d) {
    Ints batch, offset;
    for (auto [i, x] : llvm::enumerate(*d))
      (llvm::is_contained(p.offsetDims, (int64_t)i) ? offset : batch)
          .push_back(x);
    Ints at(rank, 0);
    for (auto [k, dim] : llvm::enumerate(p.startIndexMap)) {
      Ints where(batch);
      if (p.indexVectorDim < (int64_t)p.indicesShape.size())
        where.insert(where.begin() + p.indexVectorDim, k);
      at[dim] = std::clamp<int64_t>(starts.at(where), 0, *p.lastStart(dim));
    }
    for (auto [dim, of] :
         llvm::zip_equal(p.operandBatchingDims, p.startIndicesBatchingDims))
      at[dim] = batch[of - (of > p.indexVectorDim)];
    size_t next = 0;
    for (int64_t dim = 0; dim < rank; ++dim)
      if (!llvm::is_contained(p.collapsedSliceDims, dim) &&
          !llvm::is_contained(p.operandBatchingDims, dim))
        at[dim] += offset[next++];
    out.values.push_back(operand.at(at));
  }
  return out;
}

namespace {
/// The possible roles of one dimension.
struct Part {
  int64_t extent, slice;
  bool isMapped, isCollapsed, isBatching;
};

class Exhaustive {
public:
  void all(size_t rank, ArrayRef<Ints> batches);
  int64_t count = 0, plans = 0;
  std::array<int64_t, kStrategies> taken{};

private:
  void parts(size_t rank, const Ints &batch);
  void maps(const Ints &batch);
  void places(GatherProblem p, const Ints &batch);
  void check(const GatherProblem &p);

  llvm::SmallVector<Part, 4> chosen;
};
} // namespace

void Exhaustive::all(size_t rank, ArrayRef<Ints> batches) {
  for (const Ints &batch : batches)
    parts(rank, batch);
}

void Exhaustive::parts(size_t rank, const Ints &batch) {
  if (chosen.size() == rank)
    return maps(batch);
  auto go = [&](Part part) {
    chosen.push_back(part);
    parts(rank, batch);
    chosen.pop_back();
  };
  bool isFree =
      llvm::none_of(chosen, [](const Part &part) { return part.isBatching; });
  for (int64_t extent = 1; extent <= 3; ++extent) {
    for (int64_t slice = 1; slice <= extent; ++slice)
      for (bool isMapped : {false, true}) {
        go({extent, slice, isMapped, false, false});
        if (slice == 1)
          go({extent, slice, isMapped, true, false});
      }
    if (!batch.empty() && batch[0] == extent && isFree)
      go({extent, 1, false, false, true});
  }
}

/// All orders of the columns, and positions of the index vectors.
void Exhaustive::maps(const Ints &batch) {
  GatherProblem p;
  for (auto [dim, part] : llvm::enumerate(chosen)) {
    p.operandShape.push_back(part.extent);
    p.sliceSizes.push_back(part.slice);
    if (part.isMapped)
      p.startIndexMap.push_back(dim);
    if (part.isCollapsed)
      p.collapsedSliceDims.push_back(dim);
    if (part.isBatching)
      p.operandBatchingDims.push_back(dim);
  }
  do {
    for (int64_t vector = 0; vector <= (int64_t)batch.size(); ++vector)
      for (bool hasVector : {true, false}) {
        if (!hasVector &&
            (p.startIndexMap.size() != 1 || vector != (int64_t)batch.size()))
          continue;
        GatherProblem q = p;
        q.indexVectorDim = vector;
        q.indicesShape.assign(batch.begin(), batch.end());
        if (hasVector)
          q.indicesShape.insert(q.indicesShape.begin() + vector,
                                p.startIndexMap.size());
        if (!p.operandBatchingDims.empty())
          q.startIndicesBatchingDims.push_back(hasVector && vector == 0);
        for (int64_t dim : q.startIndexMap) {
          Column column;
          column.dim = dim;
          q.columns.push_back(column);
        }
        places(std::move(q), batch);
      }
  } while (
      std::next_permutation(p.startIndexMap.begin(), p.startIndexMap.end()));
}

/// All positions of the windows in the result.
void Exhaustive::places(GatherProblem p, const Ints &batch) {
  Ints window;
  for (int64_t dim = 0, rank = p.operandShape.size(); dim < rank; ++dim)
    if (p.isOffset(dim))
      window.push_back(p.sliceSizes[dim].number());
  size_t rank = window.size() + batch.size();
  for (unsigned bits = 0; bits < 1u << rank; ++bits) {
    if (size_t(llvm::popcount(bits)) != window.size())
      continue;
    p.offsetDims.clear();
    p.resultShape.clear();
    ArrayRef<int64_t> windows = window, batches = batch;
    for (size_t i = 0; i < rank; ++i) {
      bool isOffset = bits >> i & 1;
      if (isOffset)
        p.offsetDims.push_back(i);
      p.resultShape.push_back(isOffset ? windows.consume_front()
                                       : batches.consume_front());
    }
    check(p);
  }
}

void Exhaustive::check(const GatherProblem &p) {
  Numbers operand{numbersOf(p.operandShape), {}},
      starts{numbersOf(p.indicesShape), {}};
  for (Index d(operand.shape); d; ++d)
    operand.values.push_back(operand.values.size());
  // Starts in range and out of range, different each time.
  for (Index d(starts.shape); d; ++d)
    starts.values.push_back(int64_t(starts.values.size() * 5 + count * 3) % 7 -
                            2);
  Numbers want = define(p, operand, starts);
  ++count;
  Planning planning = planGather(p);
  if (::testing::Test::HasFailure())
    return;
  ASSERT_TRUE(planning.best());
  ++taken[unsigned(planning.best()->strategy)];
  for (const Candidate &candidate : planning.candidates) {
    if (!candidate.plan)
      continue;
    llvm::SmallVector<const Plan *> all{&*candidate.plan};
    for (const Plan &other : candidate.others)
      all.push_back(&other);
    for (const Plan *plan : all) {
      ++plans;
      std::optional<Numbers> got = carryOut(*plan, operand, starts);
      if (got && got->shape == want.shape && got->values == want.values)
        continue;
      std::string text;
      llvm::raw_string_ostream os(text);
      plan->print(os);
      FAIL() << "gather " << count << " by " << name(candidate.strategy).str()
             << (got ? " is wrong\n" : " reads outside\n") << text;
    }
  }
}

TEST(GatherPlan, AllSmallGathers) {
  Exhaustive exhaustive;
  for (size_t rank = 0; rank <= (kIsSanitized ? 2 : 3); ++rank)
    exhaustive.all(rank, {Ints{}, Ints{1}, Ints{2}, Ints{3}});
  std::printf("  %ld gathers, %ld plans carried out\n", long(exhaustive.count),
              long(exhaustive.plans));
  for (auto [i, count] : llvm::enumerate(exhaustive.taken))
    std::printf("  %-15s taken for %ld\n", name(Strategy(i)).str().c_str(),
                long(count));
  EXPECT_GT(exhaustive.count, kIsSanitized ? 1'000 : 100'000);
}
