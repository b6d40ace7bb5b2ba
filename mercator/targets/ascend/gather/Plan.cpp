// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/gather/Plan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace mercator;
using namespace mercator::gather;

//===--- Text -------------------------------------------------------------===//

StringRef gather::name(StepKind kind) {
  switch (kind) {
  case StepKind::Operand:
    return "operand";
  case StepKind::Starts:
    return "start_indices";
  case StepKind::Constant:
    return "constant";
  case StepKind::Empty:
    return "empty";
  case StepKind::Reshape:
    return "reshape";
  case StepKind::Transpose:
    return "transpose";
  case StepKind::Slice:
    return "slice";
  case StepKind::DynamicSlice:
    return "dynamic_slice";
  case StepKind::Broadcast:
    return "broadcast";
  case StepKind::Cast:
    return "cast";
  case StepKind::Minimum:
    return "minimum";
  case StepKind::Maximum:
    return "maximum";
  case StepKind::Clamp:
    return "clamp";
  case StepKind::Range:
    return "range";
  case StepKind::Multiply:
    return "multiply";
  case StepKind::Add:
    return "add";
  case StepKind::Concat:
    return "concat";
  case StepKind::GatherV2:
    return "gather_v2";
  case StepKind::GatherElements:
    return "gather_elements";
  case StepKind::GatherNd:
    return "gather_nd";
  case StepKind::IndexByTensor:
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
    case StepKind::Transpose:
      os << " axes ";
      printList(os, step.ints);
      break;
    case StepKind::Slice:
      os << " from ";
      printList(os, step.ints);
      break;
    case StepKind::Range:
      os << " along " << step.ints[0];
      if (step.values[0])
        os << " from " << step.values[0] << " on";
      break;
    case StepKind::GatherV2:
      os << " axis = " << step.ints[0] << ", batch_dims = " << step.ints[1];
      break;
    case StepKind::IndexByTensor:
      os << " of dimensions ";
      printList(os, step.ints);
      break;
    case StepKind::Clamp:
      os << " to [" << step.values[0] << ", " << step.values[1] << ']';
      break;
    case StepKind::Multiply:
      os << " by " << step.values[0];
      break;
    case StepKind::Constant:
    case StepKind::Minimum:
    case StepKind::Maximum:
      os << (step.kind == StepKind::Constant ? " " : " with ");
      if (step.values.size() == 1)
        os << step.values[0];
      else
        printList(os, step.values);
      break;
    default:
      break;
    }
    os << " : ";
    for (const SymbolicExtent &extent : step.shape)
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
        push({.kind = StepKind::Operand, .shape = problem.operandShape});
  return *theOperand;
}

unsigned PlanBuilder::starts() {
  if (!theStarts)
    theStarts = push({.kind = StepKind::Starts,
                      .shape = problem.indicesShape,
                      .indexBits = problem.indexBits,
                      .indexIsSigned = problem.indexIsSigned});
  return *theStarts;
}

unsigned PlanBuilder::constant(Extents shape, ArrayRef<int64_t> values,
                               unsigned bits) {
  return push({.kind = StepKind::Constant,
               .shape = std::move(shape),
               .values = SmallVector<int64_t>(values),
               .indexBits = bits});
}

unsigned PlanBuilder::empty(ArrayRef<SymbolicExtent> shape) {
  return push({.kind = StepKind::Empty, .shape = Extents(shape)});
}

unsigned PlanBuilder::reshape(unsigned in, ArrayRef<SymbolicExtent> shape) {
  if (plan.steps[in].shape == shape)
    return in;
  assert(product(plan.steps[in].shape) == product(shape) && "as many elements");
  // A reshape of a reshape becomes one reshape.
  if (plan.steps[in].kind == StepKind::Reshape)
    return reshape(plan.steps[in].inputs[0], shape);
  PlanStep step = indexStep(StepKind::Reshape, in);
  step.shape = Extents(shape);
  return push(std::move(step));
}

unsigned PlanBuilder::transpose(unsigned in, ArrayRef<int64_t> axes) {
  PlanStep step = indexStep(StepKind::Transpose, in);
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
                            ArrayRef<SymbolicExtent> sizes) {
  if (plan.steps[in].shape == sizes)
    return in;
  PlanStep step = indexStep(StepKind::Slice, in);
  step.shape = Extents(sizes);
  step.ints = Ints(offsets);
  return push(std::move(step));
}

unsigned PlanBuilder::dynamicSlice(unsigned in, unsigned offsets,
                                   ArrayRef<SymbolicExtent> sizes) {
  PlanStep step = indexStep(StepKind::DynamicSlice, in);
  step.inputs.push_back(offsets);
  step.shape = Extents(sizes);
  return push(std::move(step));
}

unsigned PlanBuilder::broadcast(unsigned in, ArrayRef<SymbolicExtent> shape) {
  if (plan.steps[in].shape == shape)
    return in;
  PlanStep step = indexStep(StepKind::Broadcast, in);
  step.shape = Extents(shape);
  return push(std::move(step));
}

unsigned PlanBuilder::cast(unsigned in, unsigned bits) {
  if (plan.steps[in].indexBits == bits && plan.steps[in].indexIsSigned)
    return in;
  PlanStep step = indexStep(StepKind::Cast, in);
  step.indexBits = bits;
  step.indexIsSigned = true;
  return push(std::move(step));
}

unsigned PlanBuilder::minimum(unsigned in, ArrayRef<int64_t> values) {
  PlanStep step = indexStep(StepKind::Minimum, in);
  step.values = SmallVector<int64_t>(values);
  return push(std::move(step));
}

unsigned PlanBuilder::maximum(unsigned in, ArrayRef<int64_t> values) {
  PlanStep step = indexStep(StepKind::Maximum, in);
  step.values = SmallVector<int64_t>(values);
  return push(std::move(step));
}

unsigned PlanBuilder::clamp(unsigned in, int64_t lower, int64_t upper) {
  PlanStep step = indexStep(StepKind::Clamp, in);
  step.values = {lower, upper};
  return push(std::move(step));
}

unsigned PlanBuilder::range(const SymbolicExtent &extent, size_t axis,
                            size_t rank, unsigned bits, int64_t first) {
  Extents shape(rank, 1);
  shape[axis] = extent;
  return push({.kind = StepKind::Range,
               .shape = std::move(shape),
               .ints = {(int64_t)axis},
               .values = {first},
               .indexBits = bits});
}

unsigned PlanBuilder::multiply(unsigned in, int64_t by) {
  if (by == 1)
    return in;
  PlanStep step = indexStep(StepKind::Multiply, in);
  step.values = {by};
  return push(std::move(step));
}

unsigned PlanBuilder::add(unsigned a, unsigned b) {
  assert(shape(a).size() == shape(b).size() && "one rank");
  PlanStep step = indexStep(StepKind::Add, a);
  step.inputs.push_back(b);
  for (auto [extent, other] : zip_equal(step.shape, shape(b)))
    extent = extent == 1 ? other : extent;
  return push(std::move(step));
}

unsigned PlanBuilder::concat(ArrayRef<unsigned> parts) {
  if (parts.size() == 1)
    return parts[0];
  PlanStep step = indexStep(StepKind::Concat, parts[0]);
  step.inputs = SmallVector<unsigned, 2>(parts);
  for (unsigned part : parts.drop_front())
    step.shape.back() =
        step.shape.back().number() + shape(part).back().number();
  return push(std::move(step));
}

unsigned PlanBuilder::gatherV2(unsigned x, unsigned indices, int64_t axis,
                               int64_t batchDims) {
  ArrayRef<SymbolicExtent> from = shape(x), where = shape(indices);
  Extents out(from.take_front(axis));
  out.append(where.begin() + batchDims, where.end());
  out.append(from.begin() + axis + 1, from.end());
  return push({.kind = StepKind::GatherV2,
               .inputs = {x, indices},
               .shape = std::move(out),
               .ints = {axis, batchDims}});
}

unsigned PlanBuilder::gatherElements(unsigned x, unsigned indices) {
  return push({.kind = StepKind::GatherElements,
               .inputs = {x, indices},
               .shape = plan.steps[indices].shape});
}

unsigned PlanBuilder::gatherNd(unsigned x, unsigned indices) {
  ArrayRef<SymbolicExtent> from = shape(x), where = shape(indices);
  Extents out(where.drop_back());
  out.append(from.begin() + where.back().number(), from.end());
  return push({.kind = StepKind::GatherNd,
               .inputs = {x, indices},
               .shape = std::move(out)});
}

unsigned PlanBuilder::indexByTensor(unsigned x, ArrayRef<unsigned> indices,
                                    ArrayRef<int64_t> dims) {
  Extents axes(shape(indices.front()).size(), 1), out;
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
  PlanStep step{.kind = StepKind::IndexByTensor,
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
