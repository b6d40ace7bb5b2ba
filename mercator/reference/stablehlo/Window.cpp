// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Windows, and the operations that reduce them.

#include "mercator/reference/stablehlo/Window.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Strides.h"
#include "mercator/reference/stablehlo/Accumulators.h"
#include "mercator/reference/stablehlo/Rules.h"

#include <algorithm>

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

using WideIndex = __int128;

static WideIndex paddedExtent(const Window &window, int64_t extent) {
  WideIndex dilated = extent == 0
                          ? WideIndex(0)
                          : WideIndex(extent - 1) * window.baseDilation + 1;
  return window.low + dilated + window.high;
}

static WideIndex dilatedSize(const Window &window) {
  return window.size == 0
             ? WideIndex(0)
             : WideIndex(window.size - 1) * window.windowDilation + 1;
}

int64_t Window::positions(int64_t extent) const {
  WideIndex padded = paddedExtent(*this, extent), reach = dilatedSize(*this);
  if (padded == 0 || reach > padded)
    return 0;
  return int64_t((padded - reach) / stride + 1);
}

/// Whether no sum of the index arithmetic overflows 64 bits.
static bool isInRange(const Window &window, int64_t extent) {
  constexpr WideIndex limit = WideIndex(1) << 61;
  auto within = [](WideIndex value) { return -limit < value && value < limit; };
  return within(window.low) && within(window.high) &&
         within(paddedExtent(window, extent)) && within(dilatedSize(window));
}

FailureOr<SmallVector<Window>> readWindows(const Step &step,
                                           const WindowAttributes &attributes,
                                           ArrayRef<int64_t> extents) {
  size_t rank = extents.size();
  auto expectCount = [&](StringRef name, size_t got,
                         size_t count) -> LogicalResult {
    if (got == count)
      return success();
    return step.error() << "expected " << count << " entries of " << name
                        << ", got " << got;
  };
  auto expectPositive = [&](StringRef name,
                            std::optional<ArrayRef<int64_t>> values) {
    if (!values)
      return success();
    if (failed(expectCount(name, values->size(), rank)))
      return failure();
    for (int64_t value : *values)
      if (value <= 0)
        return LogicalResult(step.error() << "expected " << name
                                          << " of at least 1, got " << value);
    return success();
  };
  if (failed(expectCount("window_dimensions", attributes.sizes.size(), rank)) ||
      failed(expectPositive("window_strides", attributes.strides)) ||
      failed(expectPositive("base_dilations", attributes.baseDilations)) ||
      failed(expectPositive("window_dilations", attributes.windowDilations)) ||
      (attributes.padding &&
       failed(expectCount("padding", attributes.padding->size(), 2 * rank))))
    return failure();

  SmallVector<Window> windows(rank);
  for (auto [i, window] : llvm::enumerate(windows)) {
    window.size = attributes.sizes[i];
    if (attributes.strides)
      window.stride = (*attributes.strides)[i];
    if (attributes.baseDilations)
      window.baseDilation = (*attributes.baseDilations)[i];
    if (attributes.windowDilations)
      window.windowDilation = (*attributes.windowDilations)[i];
    if (attributes.padding) {
      window.low = (*attributes.padding)[2 * i];
      window.high = (*attributes.padding)[2 * i + 1];
    }
    if (window.size < 0)
      return LogicalResult(step.error()
                           << "expected windows of size 0 or more, got "
                           << window.size);
    if (!isInRange(window, extents[i]))
      return LogicalResult(
          step.error() << "expected a window whose positions fit in 61 bits");
  }
  return windows;
}

std::optional<SmallVector<int64_t>>
readPadding(std::optional<DenseIntElementsAttr> padding) {
  if (!padding)
    return std::nullopt;
  return llvm::to_vector(padding->getValues<int64_t>());
}

/// The shape of the window positions, and that of a window.
static Ints positionsOf(ArrayRef<Window> windows, ArrayRef<int64_t> shape) {
  Ints positions;
  for (auto [window, extent] : llvm::zip(windows, shape))
    positions.push_back(window.positions(extent));
  return positions;
}
static Ints sizesOf(ArrayRef<Window> windows) {
  Ints sizes;
  for (const Window &window : windows)
    sizes.push_back(window.size);
  return sizes;
}

/// The position of the element at `offset` of the windows at `position`, or -1.
static int64_t placeOf(ArrayRef<Window> windows, ArrayRef<int64_t> position,
                       ArrayRef<int64_t> offset, ArrayRef<int64_t> shape) {
  int64_t place = 0;
  for (size_t i = 0; i < windows.size(); ++i) {
    int64_t element = windows[i].element(position[i], offset[i], shape[i]);
    if (element < 0)
      return -1;
    place = place * shape[i] + element;
  }
  return place;
}

static LogicalResult chargeWindows(const Step &step,
                                   ArrayRef<int64_t> positions,
                                   ArrayRef<int64_t> sizes) {
  Ints extents(positions);
  llvm::append_range(extents, sizes);
  return step.charge(extents);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Whether the operation of a body can be regrouped and reordered without
/// changing the result: an integer operation on both arguments.
static bool isCommutativeMonoid(Region &body) {
  Block &block = body.front();
  if (block.getNumArguments() != 2 || !llvm::hasNItems(block, 2))
    return false;
  Operation &op = block.front();
  auto type = dyn_cast<RankedTensorType>(block.getArgument(0).getType());
  bool takesBoth = op.getNumOperands() == 2 &&
                   llvm::all_of(block.getArguments(), [&](mlir::Value value) {
                     return llvm::is_contained(op.getOperands(), value);
                   });
  return isa<AddOp, MulOp, MaxOp, MinOp, AndOp, OrOp, XorOp>(op) && takesBoth &&
         type && type.getElementType().isInteger() &&
         block.getTerminator()->getOperands() == op.getResults();
}

namespace {
/// Windows along one dimension that all begin at its first element, or all end
/// at its last, so that each extends the previous one. Sums of prefixes have
/// this form:
///
///   window 3, low 2     [. . 0] [. 0 1] [0 1 2]
class RunningWindows {
public:
  /// Nothing if the windows are not of this kind, or if folding them
  /// incrementally would give another result.
  static FailureOr<std::optional<RunningWindows>>
  of(ArrayRef<Window> windows, ArrayRef<int64_t> shape,
     ArrayRef<int64_t> positions, Accumulators &accumulators, Region &body) {
    std::optional<RunningWindows> none;
    std::optional<size_t> dim;
    bool isPadded = false;
    for (auto [i, window] : llvm::enumerate(windows)) {
      isPadded |= window.low > 0 || window.high > 0 || window.baseDilation != 1;
      if (window.size == 1)
        continue;
      if (dim || window.baseDilation != 1 || window.windowDilation != 1)
        return none;
      dim = i;
    }
    if (!dim || llvm::is_contained(positions, 0) ||
        llvm::is_contained(shape, 0))
      return none;
    RunningWindows running;
    running.dim = *dim;
    running.window = windows[*dim];
    running.extent = shape[*dim];
    int64_t last = positions[*dim] - 1;
    bool isPrefix =
        running.begin(last) == 0 && running.reach(last) <= running.extent;
    running.backwards = !isPrefix;
    if (!isPrefix &&
        !(running.end(0) == running.extent && isCommutativeMonoid(body)))
      return none;
    // Padding before the elements must not change the initial value. Padding
    // after them is accepted only if the order does not matter.
    if (isPadded) {
      FailureOr<bool> isNeutral = accumulators.isStartFixed();
      if (failed(isNeutral))
        return failure();
      if (!*isNeutral)
        return none;
    }
    return std::optional(running);
  }

  /// Folds the windows at a position of the other dimensions into `results`.
  LogicalResult operator()(Accumulators &accumulators,
                           MutableArrayRef<Tensor> results,
                           ArrayRef<Window> windows,
                           MutableArrayRef<int64_t> position,
                           ArrayRef<int64_t> shape) const {
    int64_t count = results[0].dim(dim);
    Ints strides = stridesOf(shape);
    // The windows have one element along the other dimensions.
    int64_t first = 0;
    bool isPadding = false;
    for (size_t i = 0; i < windows.size(); ++i) {
      int64_t element =
          i == dim ? 0 : windows[i].element(position[i], 0, shape[i]);
      isPadding |= element < 0;
      first += element * strides[i];
    }
    accumulators.start();
    int64_t next = backwards ? extent - 1 : 0;
    for (int64_t i = 0; i < count; ++i) {
      int64_t at = backwards ? count - 1 - i : i;
      while (!isPadding && (backwards ? next >= begin(at) : next < end(at))) {
        if (failed(accumulators.take(first + next * strides[dim])))
          return failure();
        next += backwards ? -1 : 1;
      }
      position[dim] = at;
      accumulators.store(results, results[0].linear(position));
    }
    return success();
  }

  size_t dim = 0;

private:
  /// The elements of the window at a position: from `begin` up to `end`. With
  /// padding it extends to `reach`.
  [[nodiscard]] int64_t begin(int64_t position) const {
    return std::clamp<int64_t>(position * window.stride - window.low, 0,
                               extent);
  }
  [[nodiscard]] int64_t reach(int64_t position) const {
    return position * window.stride - window.low + window.size;
  }
  [[nodiscard]] int64_t end(int64_t position) const {
    return std::clamp<int64_t>(reach(position), 0, extent);
  }

  Window window;
  int64_t extent = 0;
  bool backwards = false;
};
} // namespace

FailureOr<SmallVector<Tensor>> reduceWindows(Step &step, Region &body,
                                             ArrayRef<Tensor> inputs,
                                             ArrayRef<Tensor> initValues,
                                             const WindowAttributes &how) {
  ArrayRef<int64_t> shape = inputs[0].shape();
  for (const Tensor &input : inputs)
    if (failed(step.expectShape("input", input, shape)))
      return failure();
  FailureOr<SmallVector<Window>> windows = readWindows(step, how, shape);
  if (failed(windows))
    return failure();
  Ints positions = positionsOf(*windows, shape), sizes = sizesOf(*windows);
  Accumulators accumulators(step, body, inputs, initValues);
  if (failed(accumulators.check()))
    return failure();
  FailureOr<std::optional<RunningWindows>> found =
      RunningWindows::of(*windows, shape, positions, accumulators, body);
  if (failed(found))
    return failure();
  std::optional<RunningWindows> running = *found;
  if (failed(running ? step.charge(shape)
                     : chargeWindows(step, positions, sizes)))
    return failure();
  SmallVector<Tensor> results;
  for (size_t i = 0; i < inputs.size(); ++i) {
    FailureOr<Tensor> result = step.make(i, positions);
    if (failed(result))
      return failure();
    results.push_back(*result);
  }
  if (running) {
    Ints others = positions;
    others[running->dim] = 1;
    for (Index position(others); position; ++position) {
      Ints at(*position);
      if (failed((*running)(accumulators, results, *windows, at, shape)))
        return failure();
    }
    return results;
  }

  int64_t place = 0;
  for (Index position(positions); position; ++position, ++place) {
    accumulators.start();
    for (Index offset(sizes); offset; ++offset) {
      int64_t from = placeOf(*windows, *position, *offset, shape);
      if (failed(from < 0 ? accumulators.takeInit() : accumulators.take(from)))
        return failure();
    }
    accumulators.store(results, place);
  }
  return results;
}

static LogicalResult evaluateReduceWindow(ReduceWindowOp op, Step &step) {
  size_t count = op.getInputs().size();
  FailureOr<SmallVector<Tensor>> results = reduceWindows(
      step, op.getBody(), step.tensors(0, count), step.tensors(count, count),
      {op.getWindowDimensions(), op.getWindowStrides(), op.getBaseDilations(),
       op.getWindowDilations(), readPadding(op.getPadding())});
  if (failed(results))
    return failure();
  llvm::copy(*results, step.results.begin());
  return success();
}

/// The position of the element that `select` chooses from a window; -1 if the
/// window has only padding.
static FailureOr<int64_t> selected(ScalarRegion &select, const Tensor &operand,
                                   ArrayRef<Window> windows,
                                   ArrayRef<int64_t> position,
                                   ArrayRef<int64_t> sizes) {
  int64_t best = -1;
  for (Index offset(sizes); offset; ++offset) {
    int64_t place = placeOf(windows, position, *offset, operand.shape());
    if (place < 0)
      continue;
    if (best < 0) {
      best = place;
      continue;
    }
    Scalar keep;
    if (failed(select({operand.at(best), operand.at(place)}, {&keep, 1})))
      return failure();
    if (!keep.integer)
      best = place;
  }
  return best;
}

static LogicalResult evaluateSelectAndScatter(SelectAndScatterOp op,
                                              Step &step) {
  const Tensor &operand = step.tensor(0), &source = step.tensor(1),
               &init = step.tensor(2);
  ArrayRef<int64_t> shape = operand.shape();
  Ints ones(shape.size(), 1);
  FailureOr<SmallVector<Window>> windows =
      readWindows(step,
                  {op.getWindowDimensions().value_or(ones),
                   op.getWindowStrides(),
                   {},
                   {},
                   readPadding(op.getPadding())},
                  shape);
  if (failed(windows))
    return failure();
  Ints positions = positionsOf(*windows, shape), sizes = sizesOf(*windows);
  FailureOr<Tensor> result = step.make(0, shape);
  if (failed(step.expectShape("source", source, positions)) ||
      failed(chargeWindows(step, positions, sizes)) || failed(result))
    return failure();
  Accumulators accumulators(step, op.getScatter(), {source}, {init});
  if (failed(accumulators.check()))
    return failure();
  accumulators.start();
  for (int64_t i = 0; i < result->size(); ++i)
    accumulators.store(*result, i);

  ScalarRegion select(op.getSelect(), step.evaluator),
      scatter(op.getScatter(), step.evaluator);
  int64_t from = 0;
  for (Index position(positions); position; ++position, ++from) {
    FailureOr<int64_t> to =
        selected(select, operand, *windows, *position, sizes);
    if (failed(to))
      return failure();
    if (*to < 0)
      continue; // The specification leaves this case open.
    Scalar sum;
    if (failed(
            scatter({result->at(*to), result->element().round(source.at(from))},
                    {&sum, 1})))
      return failure();
    result->set(*to, sum);
  }
  step.results[0] = *result;
  return success();
}

void addWindowRules(EvaluationRules &rules) {
  rules.add<ReduceWindowOp, evaluateReduceWindow>();
  rules.add<SelectAndScatterOp, evaluateSelectAndScatter>();
}

} // namespace mercator::reference
