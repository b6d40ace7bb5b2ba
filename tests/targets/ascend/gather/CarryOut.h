// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes plans of gathers on integers, with gathers that refuse an index out
// of range.

#ifndef MERCATOR_TESTS_TARGETS_ASCEND_GATHER_CARRYOUT_H
#define MERCATOR_TESTS_TARGETS_ASCEND_GATHER_CARRYOUT_H

#include "mercator/reference/core/Tensor.h"
#include "mercator/targets/ascend/gather/Plan.h"

#include "llvm/ADT/STLExtras.h"

#include <vector>

namespace mercator::gather {

using llvm::ArrayRef;
using mercator::Index;

struct Numbers {
  Ints shape;
  std::vector<int64_t> values;

  int64_t place(ArrayRef<int64_t> index) const {
    int64_t at = 0;
    for (auto [i, extent] : llvm::zip_equal(index, shape))
      at = at * extent + i;
    return at;
  }
  int64_t at(ArrayRef<int64_t> index) const { return values[place(index)]; }
};

/// The result of a step; nothing if a gather's index is out of range. 64-bit
/// numbers represent indices of any width; an overflow is an error too.
inline std::optional<Numbers> carryOut(const PlanStep &step,
                                       ArrayRef<Numbers> done,
                                       const Numbers &operand,
                                       const Numbers &starts) {
  auto in = [&](size_t i) -> const Numbers & { return done[step.inputs[i]]; };
  Numbers out{numbersOf(step.shape), {}};
  auto fill = [&](llvm::function_ref<std::optional<int64_t>(ArrayRef<int64_t>)>
                      element) {
    for (Index d(out.shape); d; ++d) {
      std::optional<int64_t> value = element(*d);
      if (!value)
        return false;
      out.values.push_back(*value);
    }
    return true;
  };
  auto inside = [](const Numbers &x, ArrayRef<int64_t> index) {
    return llvm::all_of_zip(index, x.shape, [](int64_t i, int64_t extent) {
      return 0 <= i && i < extent;
    });
  };
  auto read = [&](const Numbers &x,
                  ArrayRef<int64_t> index) -> std::optional<int64_t> {
    if (!inside(x, index))
      return std::nullopt;
    return x.at(index);
  };
  // The position of an index of the result in an input whose axes of one
  // element are repeated.
  auto spread = [&](const Numbers &x, ArrayRef<int64_t> index) {
    Ints at(index);
    for (auto [i, extent] : llvm::zip_equal(at, x.shape))
      i = extent == 1 ? 0 : i;
    return x.at(at);
  };
  auto bound = [&](ArrayRef<int64_t> index) {
    return step.values.size() == 1 ? step.values[0] : step.values[index.back()];
  };
  bool isInside = true;
  switch (step.kind) {
  case StepKind::Operand:
    return operand;
  case StepKind::Starts:
    return starts;
  case StepKind::Empty:
    break;
  case StepKind::Constant:
    out.values.assign(step.values.begin(), step.values.end());
    break;
  case StepKind::Reshape:
    out.values = in(0).values;
    break;
  case StepKind::Cast: {
    out.values = in(0).values;
    // The cast must not change any number.
    for (int64_t value : out.values)
      isInside &=
          step.indexBits == 64 || (INT32_MIN <= value && value <= INT32_MAX);
    break;
  }
  case StepKind::Transpose:
    isInside = fill([&](ArrayRef<int64_t> index) {
      Ints at(index.size());
      for (auto [i, axis] : llvm::enumerate(step.ints))
        at[axis] = index[i];
      return read(in(0), at);
    });
    break;
  case StepKind::Slice:
  case StepKind::DynamicSlice:
    isInside = fill([&](ArrayRef<int64_t> index) {
      Ints at(index);
      for (size_t i = 0; i < at.size(); ++i)
        at[i] += step.kind == StepKind::Slice ? step.ints[i] : in(1).values[i];
      return read(in(0), at);
    });
    break;
  case StepKind::Broadcast:
    isInside =
        fill([&](ArrayRef<int64_t> index) { return spread(in(0), index); });
    break;
  case StepKind::Minimum:
    isInside = fill([&](ArrayRef<int64_t> index) -> std::optional<int64_t> {
      int64_t x = in(0).at(index), limit = bound(index);
      if (!step.indexIsSigned && step.indexBits == 64)
        return std::min<uint64_t>(x, limit);
      return std::min(x, limit);
    });
    break;
  case StepKind::Maximum:
    isInside = fill([&](ArrayRef<int64_t> index) {
      return std::max(in(0).at(index), bound(index));
    });
    break;
  case StepKind::Clamp:
    isInside = fill([&](ArrayRef<int64_t> index) {
      return std::clamp(in(0).at(index), step.values[0], step.values[1]);
    });
    break;
  case StepKind::Range:
    isInside = fill([&](ArrayRef<int64_t> index) {
      return step.values[0] + index[step.ints[0]];
    });
    break;
  case StepKind::Multiply:
    isInside = fill([&](ArrayRef<int64_t> index) {
      return in(0).at(index) * step.values[0];
    });
    break;
  case StepKind::Add:
    isInside = fill([&](ArrayRef<int64_t> index) {
      return spread(in(0), index) + spread(in(1), index);
    });
    break;
  case StepKind::Concat:
    isInside = fill([&](ArrayRef<int64_t> index) {
      Ints at(index);
      size_t part = 0;
      while (at.back() >= in(part).shape.back())
        at.back() -= in(part++).shape.back();
      return read(in(part), at);
    });
    break;
  case StepKind::GatherV2: {
    int64_t axis = step.ints[0], batches = step.ints[1];
    int64_t middle = in(1).shape.size() - batches;
    isInside = fill([&](ArrayRef<int64_t> index) {
      Ints which(index.take_front(batches));
      which.append(index.begin() + axis, index.begin() + axis + middle);
      Ints at(index.take_front(axis));
      at.push_back(in(1).at(which));
      at.append(index.begin() + axis + middle, index.end());
      return read(in(0), at);
    });
    break;
  }
  case StepKind::GatherElements:
    isInside = fill([&](ArrayRef<int64_t> index) {
      Ints at(index);
      at.back() = in(1).at(index);
      return read(in(0), at);
    });
    break;
  case StepKind::GatherNd: {
    int64_t outer = in(1).shape.size() - 1;
    isInside = fill([&](ArrayRef<int64_t> index) {
      Ints at, which(index.take_front(outer));
      which.push_back(0);
      for (which.back() = 0; which.back() < in(1).shape.back(); ++which.back())
        at.push_back(in(1).at(which));
      at.append(index.begin() + outer, index.end());
      return read(in(0), at);
    });
    break;
  }
  case StepKind::IndexByTensor: {
    // As NumPy: the axes of the indices stand where the indexed dimensions
    // are, or first if another dimension is between these.
    const Ints &dims = step.ints;
    bool areNeighbors = dims.back() - dims.front() == int64_t(dims.size()) - 1;
    size_t first = areNeighbors ? dims.front() : 0, axes = in(1).shape.size();
    isInside = fill([&](ArrayRef<int64_t> index) {
      Ints at, rest(index.take_front(first));
      rest.append(index.begin() + first + axes, index.end());
      const int64_t *next = rest.begin();
      for (int64_t d = 0; d < int64_t(in(0).shape.size()); ++d) {
        const int64_t *k = llvm::find(dims, d);
        at.push_back(k == dims.end() ? *next++
                                     : spread(in(1 + (k - dims.begin())),
                                              index.slice(first, axes)));
      }
      return read(in(0), at);
    });
    break;
  }
  }
  if (!isInside || int64_t(out.values.size()) != step.size())
    return std::nullopt;
  return out;
}

inline std::optional<Numbers> carryOut(const Plan &plan, const Numbers &operand,
                                       const Numbers &starts) {
  std::vector<Numbers> done;
  for (const PlanStep &step : plan.steps) {
    std::optional<Numbers> out = carryOut(step, done, operand, starts);
    if (!out)
      return std::nullopt;
    done.push_back(std::move(*out));
  }
  return done.back();
}

} // namespace mercator::gather

#endif // MERCATOR_TESTS_TARGETS_ASCEND_GATHER_CARRYOUT_H
