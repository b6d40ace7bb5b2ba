// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/gather/Plan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace mercator;
using namespace mercator::gather;

static int64_t product(ArrayRef<int64_t> extents) {
  int64_t size = 1;
  for (int64_t extent : extents)
    size = SaturatingMultiply<uint64_t>(size, extent) > uint64_t(INT64_MAX)
               ? INT64_MAX
               : size * extent;
  return size;
}

int64_t PlanStep::size() const { return product(shape); }

//===--- Text -------------------------------------------------------------===//

StringRef gather::name(StepKind kind) {
  switch (kind) {
  case StepKind::operand:
    return "operand";
  case StepKind::starts:
    return "start_indices";
  case StepKind::constant:
    return "constant";
  case StepKind::empty:
    return "empty";
  case StepKind::reshape:
    return "reshape";
  case StepKind::transpose:
    return "transpose";
  case StepKind::slice:
    return "slice";
  case StepKind::dynamicSlice:
    return "dynamic_slice";
  case StepKind::broadcast:
    return "broadcast";
  case StepKind::cast:
    return "cast";
  case StepKind::minimum:
    return "minimum";
  case StepKind::maximum:
    return "maximum";
  case StepKind::clamp:
    return "clamp";
  case StepKind::range:
    return "range";
  case StepKind::multiply:
    return "multiply";
  case StepKind::add:
    return "add";
  case StepKind::concat:
    return "concat";
  case StepKind::gatherV2:
    return "gather_v2";
  case StepKind::gatherElements:
    return "gather_elements";
  case StepKind::gatherNd:
    return "gather_nd";
  case StepKind::indexByTensor:
    return "index_by_tensor";
  }
  return "";
}

static void printList(raw_ostream &os, ArrayRef<int64_t> values) {
  constexpr size_t kMaxShown = 8;
  os << '[';
  interleaveComma(values.take_front(kMaxShown), os);
  os << (values.size() > kMaxShown ? ", ..]" : "]");
}

void Plan::print(raw_ostream &os) const {
  for (auto [i, step] : enumerate(steps)) {
    os << '%' << i << " = " << name(step.kind);
    for (auto [k, input] : enumerate(step.inputs))
      os << (k ? ", %" : " %") << input;
    switch (step.kind) {
    case StepKind::transpose:
      os << " axes ";
      printList(os, step.ints);
      break;
    case StepKind::slice:
      os << " from ";
      printList(os, step.ints);
      break;
    case StepKind::range:
      os << " along " << step.ints[0];
      if (step.values[0])
        os << " from " << step.values[0] << " on";
      break;
    case StepKind::gatherV2:
      os << " axis = " << step.ints[0] << ", batch_dims = " << step.ints[1];
      break;
    case StepKind::indexByTensor:
      os << " of dimensions ";
      printList(os, step.ints);
      break;
    case StepKind::clamp:
      os << " to [" << step.values[0] << ", " << step.values[1] << ']';
      break;
    case StepKind::multiply:
      os << " by " << step.values[0];
      break;
    case StepKind::constant:
    case StepKind::minimum:
    case StepKind::maximum:
      os << (step.kind == StepKind::constant ? " " : " with ");
      if (step.values.size() == 1)
        os << step.values[0];
      else
        printList(os, step.values);
      break;
    default:
      break;
    }
    os << " : ";
    for (int64_t extent : step.shape)
      os << extent << 'x';
    if (step.indexBits)
      os << (step.indexIsSigned ? "i" : "ui") << step.indexBits;
    else
      os << "element";
    os << '\n';
  }
}

//===--- Building ---------------------------------------------------------===//

PlanBuilder::PlanBuilder(const GatherProblem &problem) : problem(problem) {
  plan.steps.reserve(16);
}

unsigned PlanBuilder::push(PlanStep step) {
  plan.steps.push_back(std::move(step));
  return plan.steps.size() - 1;
}

/// An index step on `in` with its shape and element type.
PlanStep PlanBuilder::indexStep(StepKind kind, unsigned in) {
  const PlanStep &from = plan.steps[in];
  return {.kind = kind,
          .inputs = {in},
          .shape = from.shape,
          .indexBits = from.indexBits,
          .indexIsSigned = from.indexIsSigned};
}

unsigned PlanBuilder::operand() {
  if (!theOperand)
    theOperand =
        push({.kind = StepKind::operand, .shape = problem.operandShape});
  return *theOperand;
}

unsigned PlanBuilder::starts() {
  if (!theStarts)
    theStarts = push({.kind = StepKind::starts,
                      .shape = problem.indicesShape,
                      .indexBits = problem.indexBits,
                      .indexIsSigned = problem.indexIsSigned});
  return *theStarts;
}

unsigned PlanBuilder::constant(Ints shape, ArrayRef<int64_t> values,
                               unsigned bits) {
  return push({.kind = StepKind::constant,
               .shape = std::move(shape),
               .values = SmallVector<int64_t>(values),
               .indexBits = bits});
}

unsigned PlanBuilder::empty(ArrayRef<int64_t> shape) {
  return push({.kind = StepKind::empty, .shape = Ints(shape)});
}

unsigned PlanBuilder::reshape(unsigned in, ArrayRef<int64_t> shape) {
  if (plan.steps[in].shape == shape)
    return in;
  assert(plan.steps[in].size() == product(shape) && "as many elements");
  // A reshape of a reshape becomes one reshape.
  if (plan.steps[in].kind == StepKind::reshape)
    return reshape(plan.steps[in].inputs[0], shape);
  PlanStep step = indexStep(StepKind::reshape, in);
  step.shape = Ints(shape);
  return push(std::move(step));
}

unsigned PlanBuilder::transpose(unsigned in, ArrayRef<int64_t> axes) {
  PlanStep step = indexStep(StepKind::transpose, in);
  step.ints = Ints(axes);
  Ints moved; // the axes with more than one element, in their new order
  for (auto [i, axis] : enumerate(axes)) {
    step.shape[i] = plan.steps[in].shape[axis];
    if (step.shape[i] != 1)
      moved.push_back(axis);
  }
  if (is_sorted(moved))
    return reshape(in, step.shape);
  return push(std::move(step));
}

unsigned PlanBuilder::slice(unsigned in, ArrayRef<int64_t> offsets,
                            ArrayRef<int64_t> sizes) {
  if (plan.steps[in].shape == sizes)
    return in;
  PlanStep step = indexStep(StepKind::slice, in);
  step.shape = Ints(sizes);
  step.ints = Ints(offsets);
  return push(std::move(step));
}

unsigned PlanBuilder::dynamicSlice(unsigned in, unsigned offsets,
                                   ArrayRef<int64_t> sizes) {
  PlanStep step = indexStep(StepKind::dynamicSlice, in);
  step.inputs.push_back(offsets);
  step.shape = Ints(sizes);
  return push(std::move(step));
}

unsigned PlanBuilder::broadcast(unsigned in, ArrayRef<int64_t> shape) {
  if (plan.steps[in].shape == shape)
    return in;
  PlanStep step = indexStep(StepKind::broadcast, in);
  step.shape = Ints(shape);
  return push(std::move(step));
}

unsigned PlanBuilder::cast(unsigned in, unsigned bits) {
  if (plan.steps[in].indexBits == bits && plan.steps[in].indexIsSigned)
    return in;
  PlanStep step = indexStep(StepKind::cast, in);
  step.indexBits = bits;
  step.indexIsSigned = true;
  return push(std::move(step));
}

unsigned PlanBuilder::minimum(unsigned in, ArrayRef<int64_t> values) {
  PlanStep step = indexStep(StepKind::minimum, in);
  step.values = SmallVector<int64_t>(values);
  return push(std::move(step));
}

unsigned PlanBuilder::maximum(unsigned in, ArrayRef<int64_t> values) {
  PlanStep step = indexStep(StepKind::maximum, in);
  step.values = SmallVector<int64_t>(values);
  return push(std::move(step));
}

unsigned PlanBuilder::clamp(unsigned in, int64_t lower, int64_t upper) {
  PlanStep step = indexStep(StepKind::clamp, in);
  step.values = {lower, upper};
  return push(std::move(step));
}

unsigned PlanBuilder::range(int64_t extent, size_t axis, size_t rank,
                            unsigned bits, int64_t first) {
  Ints shape(rank, 1);
  shape[axis] = extent;
  return push({.kind = StepKind::range,
               .shape = std::move(shape),
               .ints = {(int64_t)axis},
               .values = {first},
               .indexBits = bits});
}

unsigned PlanBuilder::multiply(unsigned in, int64_t by) {
  if (by == 1)
    return in;
  PlanStep step = indexStep(StepKind::multiply, in);
  step.values = {by};
  return push(std::move(step));
}

unsigned PlanBuilder::add(unsigned a, unsigned b) {
  assert(shape(a).size() == shape(b).size() && "one rank");
  PlanStep step = indexStep(StepKind::add, a);
  step.inputs.push_back(b);
  for (auto [extent, other] : zip_equal(step.shape, shape(b)))
    extent = extent == 1 ? other : extent;
  return push(std::move(step));
}

unsigned PlanBuilder::concat(ArrayRef<unsigned> parts) {
  if (parts.size() == 1)
    return parts[0];
  PlanStep step = indexStep(StepKind::concat, parts[0]);
  step.inputs = SmallVector<unsigned, 2>(parts);
  for (unsigned part : parts.drop_front())
    step.shape.back() += shape(part).back();
  return push(std::move(step));
}

unsigned PlanBuilder::gatherV2(unsigned x, unsigned indices, int64_t axis,
                               int64_t batchDims) {
  ArrayRef<int64_t> from = shape(x), where = shape(indices);
  Ints out(from.take_front(axis));
  out.append(where.begin() + batchDims, where.end());
  out.append(from.begin() + axis + 1, from.end());
  return push({.kind = StepKind::gatherV2,
               .inputs = {x, indices},
               .shape = std::move(out),
               .ints = {axis, batchDims}});
}

unsigned PlanBuilder::gatherElements(unsigned x, unsigned indices) {
  return push({.kind = StepKind::gatherElements,
               .inputs = {x, indices},
               .shape = plan.steps[indices].shape});
}

unsigned PlanBuilder::gatherNd(unsigned x, unsigned indices) {
  ArrayRef<int64_t> from = shape(x), where = shape(indices);
  Ints out(where.drop_back());
  out.append(from.begin() + where.back(), from.end());
  return push({.kind = StepKind::gatherNd,
               .inputs = {x, indices},
               .shape = std::move(out)});
}

unsigned PlanBuilder::indexByTensor(unsigned x, ArrayRef<unsigned> indices,
                                    ArrayRef<int64_t> dims) {
  Ints axes(shape(indices.front()).size(), 1), out;
  for (unsigned each : indices)
    for (auto [extent, other] : zip_equal(axes, shape(each)))
      extent = extent == 1 ? other : extent;
  bool areNeighbors = dims.back() - dims.front() + 1 == (int64_t)dims.size();
  for (auto [dim, extent] : enumerate(shape(x))) {
    if (areNeighbors && (int64_t)dim == dims.front())
      out.append(axes);
    if (!is_contained(dims, (int64_t)dim))
      out.push_back(extent);
  }
  if (!areNeighbors)
    out.insert(out.begin(), axes.begin(), axes.end());
  PlanStep step{.kind = StepKind::indexByTensor,
                .inputs = {x},
                .shape = std::move(out),
                .ints = Ints(dims)};
  step.inputs.append(indices.begin(), indices.end());
  return push(std::move(step));
}

Plan PlanBuilder::finish(unsigned result) {
  // Inputs precede their users, so one backward sweep finds the needed steps.
  SmallVector<bool> needed(plan.steps.size());
  needed[result] = true;
  for (size_t i = result + 1; i-- > 0;)
    if (needed[i])
      for (unsigned input : plan.steps[i].inputs)
        needed[input] = true;
  SmallVector<unsigned> place(plan.steps.size());
  unsigned count = 0;
  for (size_t i = 0; i <= result; ++i) {
    if (!needed[i])
      continue;
    place[i] = count;
    if (count != i)
      plan.steps[count] = std::move(plan.steps[i]);
    for (unsigned &input : plan.steps[count].inputs)
      input = place[input];
    ++count;
  }
  plan.steps.truncate(count);
  return std::move(plan);
}
