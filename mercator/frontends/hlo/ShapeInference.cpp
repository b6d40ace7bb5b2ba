// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/hlo/ShapeInference.h"
#include "mercator/frontends/hlo/ShapeRules.h"
#include "mercator/support/Diagnostic.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mercator;
using namespace mercator::hlo;
using llvm::Twine;

bool mercator::hlo::inferShape(Module &module, const Computation &computation,
                               const Instruction &instruction,
                               InferredShape &inferred, ShapeProblem &problem) {
  return ShapeRules(module, computation, instruction, inferred, problem).run();
}

static bool dimensionsFit(const Shape &a, const Shape &b) {
  if (a.rank() != b.rank())
    return false;
  for (unsigned i = 0; i < a.rank(); ++i) {
    int64_t x = a.dims[i], y = b.dims[i];
    if (x == Shape::kUnbounded || y == Shape::kUnbounded || x == y)
      continue;
    bool fits = (a.isDynamic(i) && y < x) || (b.isDynamic(i) && x < y);
    if (!fits)
      return false;
  }
  return true;
}

static bool fits(const Shape &a, const Shape &b, bool elementTypes) {
  if (&a == &b)
    return true;
  if (a.kind != b.kind || a.treeSize != b.treeSize ||
      a.elements.size() != b.elements.size())
    return false;
  if (a.isArray())
    return (!elementTypes || a.elementType == b.elementType) &&
           dimensionsFit(a, b);
  for (size_t i = 0; i < a.elements.size(); ++i)
    if (!fits(*a.elements[i], *b.elements[i], elementTypes))
      return false;
  return true;
}

bool mercator::hlo::compatible(const Shape &a, const Shape &b) {
  return fits(a, b, /*elementTypes=*/true);
}

bool mercator::hlo::agrees(const Shape &written,
                           const InferredShape &inferred) {
  return fits(written, *inferred.shape, inferred.exactElementType);
}

//===----------------------------------------------------------------------===//
// Results and shared checks
//===----------------------------------------------------------------------===//

bool ShapeRules::fail(const Twine &message, const Twine &help) {
  problem.part = ShapeProblem::Part::Opcode;
  problem.message = message.str();
  problem.help = help.str();
  return false;
}

bool ShapeRules::failOperand(unsigned i, const Twine &message) {
  problem.part = ShapeProblem::Part::Operand;
  problem.operand = i;
  problem.message = message.str();
  return false;
}

bool ShapeRules::failAttr(AttrName attr, const Twine &message) {
  problem.part = ShapeProblem::Part::Attribute;
  problem.attribute = attr;
  problem.message = message.str();
  return false;
}

bool ShapeRules::result(const Shape *shape) {
  if (!shape)
    return fail("the result of this instruction is too large a shape");
  inferred.shape = shape;
  return true;
}

bool ShapeRules::result(ElementType type, ArrayRef<int64_t> dims,
                        ArrayRef<bool> dynamic) {
  return result(makeArray(module, type, dims, dynamic));
}

bool ShapeRules::resultLike(const Shape &shape) {
  if (shape.isArray() && shape.layout)
    return result(shape.elementType, shape.dims, shape.dynamic);
  return result(&shape);
}

bool ShapeRules::resultOfWrittenType(ElementType otherwise,
                                     ArrayRef<int64_t> dims) {
  inferred.exactElementType = false;
  if (node.shape && node.shape->isArray())
    otherwise = node.shape->elementType;
  return result(otherwise, dims);
}

const Computation *ShapeRules::callee(AttrName attr) const {
  const ComputationRef *ref = node.called(attr);
  return ref && ref->index < module.computations.size()
             ? &module.computations[ref->index]
             : nullptr;
}

std::string ShapeRules::describe(unsigned i) const {
  return quote(computation.instructions[node.operands[i]].name) + " of shape " +
         quote(toString(operand(i)));
}

bool ShapeRules::needArray(unsigned i) {
  if (operand(i).isArray())
    return true;
  return failOperand(i, "expected an array for operand " + Twine(i) + " of " +
                            quote(spelling(node.opcode)) + ", got " +
                            describe(i));
}

bool ShapeRules::needAllArrays() {
  for (unsigned i = 0; i < operandCount(); ++i)
    if (!needArray(i))
      return false;
  return true;
}

bool ShapeRules::checkDims(AttrName attr, ArrayRef<int64_t> dims, unsigned rank,
                           bool increasing) {
  llvm::SmallBitVector seen(rank);
  int64_t previous = -1;
  for (int64_t dim : dims) {
    if (dim < 0 || dim >= rank)
      return failAttr(attr, "dimension " + Twine(dim) +
                                " is out of range for rank " + Twine(rank));
    if (seen.test(dim))
      return failAttr(attr, "dimension " + Twine(dim) + " is written twice");
    if (increasing && dim < previous)
      return failAttr(attr, "expected increasing dimensions");
    seen.set(dim);
    previous = dim;
  }
  return true;
}

bool ShapeRules::oneDim(AttrName attr, unsigned rank, int64_t &dim) {
  ArrayRef<int64_t> dims = node.ints(attr);
  if (dims.size() != 1)
    return failAttr(attr, "expected one dimension, got " + Twine(dims.size()));
  dim = dims.front();
  return checkDims(attr, dims, rank);
}

/// Checks the arguments against the parameters of the called computation.
bool ShapeRules::checkCallee(AttrName attr, ArrayRef<const Shape *> arguments,
                             const Twine &what) {
  const Computation *called = callee(attr);
  if (!called)
    return true;
  if (called->parameters.size() != arguments.size())
    return failAttr(attr, quote(called->name) + " takes " +
                              Twine(called->parameters.size()) +
                              " parameters, " + what + " passes " +
                              Twine(arguments.size()));
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    const Shape &wanted =
        *called->instructions[called->parameters[number]].shape;
    if (!compatible(wanted, *argument))
      return failAttr(attr, "parameter " + Twine(number) + " of " +
                                quote(called->name) + " is " +
                                quote(toString(wanted)) + ", " + what +
                                " passes " + quote(toString(*argument)));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

/// Equal extents; a scalar may replace an array. With `sameTypes` the operands
/// have the same element type.
bool ShapeRules::elementwise(ElementType resultType, bool sameTypes) {
  if (!needAllArrays())
    return false;
  unsigned widest = 0;
  for (unsigned i = 1; i < operandCount(); ++i)
    if (operand(widest).rank() == 0)
      widest = i;
  const Shape &shape = operand(widest);
  for (unsigned i = 0; i < operandCount(); ++i) {
    const Shape &other = operand(i);
    if (other.rank() != 0 && !dimensionsFit(shape, other))
      return failOperand(i, "the operands of " + quote(spelling(node.opcode)) +
                                " differ in extent: " + describe(i) + " and " +
                                describe(widest));
    if (sameTypes && other.elementType != operand(0).elementType)
      return failOperand(i, "the operands of " + quote(spelling(node.opcode)) +
                                " differ in element type: " + describe(i) +
                                " and " + describe(0));
  }
  return result(resultType, shape.dims, shape.dynamic);
}

bool ShapeRules::unary() {
  if (node.opcode == Opcode::Abs && operand(0).isArray())
    return elementwise(realPart(operand(0).elementType));
  if (node.opcode == Opcode::IsFinite)
    return elementwise(ElementType::PRED);
  return elementwise(operand(0).elementType);
}

bool ShapeRules::binary() { return elementwise(operand(0).elementType); }

bool ShapeRules::compare() { return elementwise(ElementType::PRED); }

/// complex, real, imag.
bool ShapeRules::complexParts() {
  ElementType type = operand(0).elementType;
  if (node.opcode != Opcode::Complex)
    return elementwise(realPart(type));
  if (operand(0).isArray() && type != ElementType::F32 &&
      type != ElementType::F64)
    return failOperand(0, "expected f32 or f64 parts for 'complex', got " +
                              describe(0));
  return elementwise(type == ElementType::F64 ? ElementType::C128
                                              : ElementType::C64);
}

bool ShapeRules::select() {
  if (operand(0).isArray() && operand(0).elementType != ElementType::PRED)
    return failOperand(0, "expected a pred to select by, got " + describe(0));
  if (!operand(1).isArray()) {
    // A scalar may choose between whole tuples.
    if (!operand(0).isScalar() || !compatible(operand(1), operand(2)))
      return failOperand(2, "the alternatives of 'select' differ: " +
                                describe(1) + " and " + describe(2));
    return result(&operand(1));
  }
  if (operand(2).isArray() && operand(1).elementType != operand(2).elementType)
    return failOperand(2,
                       "the alternatives of 'select' differ in element type: " +
                           describe(1) + " and " + describe(2));
  return elementwise(operand(1).elementType, /*sameTypes=*/false);
}

bool ShapeRules::clamp() {
  if (!elementwise(operand(1).elementType))
    return false;
  const Shape &value = operand(1);
  for (unsigned i : {0u, 2u})
    if (operand(i).rank() > value.rank())
      return failOperand(i, "the bounds of 'clamp' exceed its value in rank: " +
                                describe(i) + " and " + describe(1));
  return true;
}

bool ShapeRules::convert() {
  if (!needArray(0))
    return false;
  if (!node.shape)
    return true; // the text gives the element type
  return resultOfWrittenType(operand(0).elementType, operand(0).dims);
}

/// If the widths differ, the last dimension is split or merged.
bool ShapeRules::bitcastConvert() {
  if (!needArray(0))
    return false;
  if (!node.shape || !node.shape->isArray())
    return true;
  ElementType from = operand(0).elementType, to = node.shape->elementType;
  auto width = [](ElementType t) {
    return t == ElementType::PRED ? 8 : bitWidth(t);
  };
  Dims dims(operand(0).dims.begin(), operand(0).dims.end());
  if (width(from) > width(to)) {
    dims.push_back(width(from) / width(to));
  } else if (width(from) < width(to)) {
    int64_t ratio = width(to) / width(from);
    if (dims.empty() || dims.back() != ratio)
      return failOperand(0, "expected a last dimension of " + Twine(ratio) +
                                " to make " + quote(spelling(to)) + " from " +
                                describe(0));
    dims.pop_back();
  }
  return result(to, dims);
}

bool ShapeRules::map() {
  ElementType type = operand(0).elementType;
  if (const Computation *called = callee(AttrName::ToApply)) {
    const Shape &root = *called->rootInstruction().shape;
    if (!root.isScalar())
      return failAttr(AttrName::ToApply, "expected a scalar result of " +
                                             quote(called->name) + ", got " +
                                             quote(toString(root)));
    type = root.elementType;
    if (called->parameters.size() != operandCount())
      return failAttr(AttrName::ToApply, quote(called->name) + " takes " +
                                             Twine(called->parameters.size()) +
                                             " parameters, 'map' passes " +
                                             Twine(operandCount()));
  }
  return elementwise(type, /*sameTypes=*/false) &&
         checkDims(AttrName::Dimensions, node.ints(AttrName::Dimensions),
                   inferred.shape->rank());
}

//===----------------------------------------------------------------------===//
// Tuples and calls
//===----------------------------------------------------------------------===//

bool ShapeRules::tuple() {
  llvm::SmallVector<const Shape *> members;
  for (unsigned i = 0; i < operandCount(); ++i)
    members.push_back(&operand(i));
  const Shape *shape = makeTuple(module, members);
  if (!shape)
    return fail("a tuple has at most " + Twine(kMaxTupleSize) +
                " members, nested ones counted, and " + Twine(kMaxDepth) +
                " levels");
  return result(shape);
}

bool ShapeRules::getTupleElement() {
  const Shape &from = operand(0);
  int64_t index = node.integer(AttrName::Index, 0);
  if (!from.isTuple())
    return failOperand(0, "expected a tuple, got " + describe(0));
  if (index < 0 || uint64_t(index) >= from.elements.size())
    return failAttr(AttrName::Index, "index " + Twine(index) +
                                         " is out of range for a tuple of " +
                                         Twine(from.elements.size()));
  return result(from.elements[index]);
}

bool ShapeRules::callOf(AttrName attr) {
  llvm::SmallVector<const Shape *> arguments;
  for (unsigned i = 0; i < operandCount(); ++i)
    arguments.push_back(&operand(i));
  if (!checkCallee(attr, arguments, quote(spelling(node.opcode))))
    return false;
  const Computation *called = callee(attr);
  return !called || result(called->rootInstruction().shape);
}

bool ShapeRules::whileLoop() {
  const Shape *state = &operand(0);
  if (!checkCallee(AttrName::Condition, state, "'while'") ||
      !checkCallee(AttrName::Body, state, "'while'"))
    return false;
  if (const Computation *condition = callee(AttrName::Condition)) {
    const Shape &verdict = *condition->rootInstruction().shape;
    if (!verdict.isScalar() || verdict.elementType != ElementType::PRED)
      return failAttr(AttrName::Condition,
                      "expected a condition of shape 'pred[]', got " +
                          quote(toString(verdict)));
  }
  if (const Computation *body = callee(AttrName::Body)) {
    const Shape &next = *body->rootInstruction().shape;
    if (!compatible(next, *state))
      return failAttr(AttrName::Body, "the body turns " +
                                          quote(toString(*state)) + " into " +
                                          quote(toString(next)));
  }
  return result(state);
}

/// conditional(index, operand of branch 0, ..)
bool ShapeRules::conditional() {
  const Shape &index = operand(0);
  llvm::SmallVector<std::pair<AttrName, const ComputationRef *>> branches;
  for (AttrName attr : {AttrName::TrueComputation, AttrName::FalseComputation,
                        AttrName::BranchComputations})
    if (const Attribute *written = node.find(attr))
      for (const ComputationRef &ref : written->computations())
        branches.push_back({attr, &ref});
  bool boolean = index.isScalar() && index.elementType == ElementType::PRED;
  if (!index.isScalar() || (!boolean && index.elementType != ElementType::S32))
    return failOperand(
        0,
        "expected a scalar pred or s32 to choose a branch, got " + describe(0));
  if (branches.empty() || (boolean && branches.size() != 2))
    return fail("'conditional' needs its branches",
                boolean ? "write 'true_computation=.., false_computation=..'"
                        : "write 'branch_computations={..}'");
  if (operandCount() != branches.size() + 1)
    return fail("expected " + Twine(branches.size() + 1) +
                " operands, an index and one for each branch, got " +
                Twine(operandCount()));
  for (auto [number, branch] : llvm::enumerate(branches)) {
    const Computation &called = module.computations[branch.second->index];
    const Shape &argument = operand(number + 1);
    const Shape &root = *called.rootInstruction().shape;
    if (called.parameters.size() != 1 ||
        !compatible(*called.instructions[called.parameters[0]].shape, argument))
      return failAttr(branch.first, "branch " + quote(called.name) +
                                        " does not take " +
                                        describe(number + 1));
    if (inferred.shape && !compatible(*inferred.shape, root))
      return failAttr(branch.first, "the branches differ: " +
                                        quote(toString(*inferred.shape)) +
                                        " and " + quote(toString(root)));
    inferred.shape = &root;
  }
  return true;
}

/// scan(inputs.., carries..): the body returns a slice of each output, then the
/// carries.
bool ShapeRules::scan() {
  int64_t dim, carries = node.integer(AttrName::NumCarries, 0);
  if (!needAllArrays() || !oneDim(AttrName::Dimensions, operand(0).rank(), dim))
    return false;
  if (carries < 0 || carries >= int64_t(operandCount()))
    return failAttr(AttrName::NumCarries,
                    "expected fewer carries than the " + Twine(operandCount()) +
                        " operands, got " + Twine(carries));
  const Computation *called = callee(AttrName::ToApply);
  if (!called)
    return true;
  if (called->parameters.size() != operandCount())
    return failAttr(AttrName::ToApply,
                    "expected a body of " + Twine(operandCount()) +
                        " parameters, got " + Twine(called->parameters.size()));
  const Shape &root = *called->rootInstruction().shape;
  const Shape *single[] = {&root};
  ArrayRef<const Shape *> slices = root.isTuple() ? root.elements : single;
  llvm::SmallVector<const Shape *> results(slices.begin(), slices.end());
  for (size_t i = 0; i + carries < slices.size(); ++i) {
    Dims dims(slices[i]->dims.begin(), slices[i]->dims.end());
    if (!slices[i]->isArray() || dim > int64_t(dims.size()))
      return failAttr(AttrName::ToApply,
                      "the slices of this body have no place "
                      "for dimension " +
                          Twine(dim));
    dims.insert(dims.begin() + dim, operand(0).dims[dim]);
    results[i] = makeArray(module, slices[i]->elementType, dims);
    if (!results[i])
      return result(nullptr);
  }
  return result(root.isTuple() ? makeTuple(module, results) : results.front());
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

bool ShapeRules::sort() {
  if (!needAllArrays())
    return false;
  int64_t dim;
  if (!oneDim(AttrName::Dimensions, operand(0).rank(), dim))
    return false;
  for (unsigned i = 1; i < operandCount(); ++i)
    if (!dimensionsFit(operand(0), operand(i)))
      return failOperand(i, "the operands of 'sort' differ in extent: " +
                                describe(0) + " and " + describe(i));
  if (const Computation *called = callee(AttrName::ToApply);
      called && called->parameters.size() != 2 * operandCount())
    return failAttr(AttrName::ToApply,
                    "expected a comparator of " + Twine(2 * operandCount()) +
                        " parameters, got " + Twine(called->parameters.size()));
  return operandCount() == 1 ? resultLike(operand(0)) : tuple();
}

/// all-reduce and the like: the result has the shape of the operand.
bool ShapeRules::collective() {
  return operandCount() == 1 ? resultLike(operand(0)) : tuple();
}

bool ShapeRules::batchNorm() {
  if (!needAllArrays())
    return false;
  const Shape &input = operand(0);
  int64_t feature = node.integer(AttrName::FeatureIndex, 0);
  if (feature < 0 || feature >= input.rank())
    return failAttr(AttrName::FeatureIndex, "dimension " + Twine(feature) +
                                                " is out of range for rank " +
                                                Twine(input.rank()));
  for (unsigned i = 1; i < operandCount(); ++i) {
    bool gradient = node.opcode == Opcode::BatchNormGrad && i == 4;
    bool good = gradient ? dimensionsFit(input, operand(i))
                         : operand(i).rank() == 1 &&
                               operand(i).dims[0] == input.dims[feature];
    if (!good)
      return failOperand(i, "operand " + Twine(i) + " of " +
                                quote(spelling(node.opcode)) +
                                " does not fit " + quote(toString(input)) +
                                ": " + describe(i));
  }
  if (node.opcode == Opcode::BatchNormInference)
    return resultLike(input);
  const Shape *statistic =
      makeArray(module, operand(1).elementType, input.dims[feature]);
  const Shape *members[] = {&input, statistic, statistic};
  return result(makeTuple(module, members));
}

bool ShapeRules::fft() {
  if (!needArray(0))
    return false;
  const Shape &from = operand(0);
  ArrayRef<int64_t> lengths = node.ints(AttrName::FftLength);
  StringRef type = node.text(AttrName::FftType);
  if (lengths.empty() || lengths.size() > 3 || lengths.size() > from.rank())
    return failAttr(AttrName::FftLength,
                    "expected 1 to 3 lengths, at most the rank of the operand");
  bool toComplex = type == "RFFT", toReal = type == "IRFFT";
  ElementType result = from.elementType;
  if (toComplex)
    result = result == ElementType::F64 ? ElementType::C128 : ElementType::C64;
  if (toReal)
    result = realPart(result);
  Dims dims(from.dims.begin(), from.dims.end());
  for (auto [i, length] : llvm::enumerate(lengths)) {
    int64_t &extent = dims[from.rank() - lengths.size() + i];
    bool last = i + 1 == lengths.size();
    int64_t wanted = last && toReal ? length / 2 + 1 : length;
    if (length < 0 || extent != wanted)
      return failAttr(AttrName::FftLength, "length " + Twine(length) +
                                               " does not fit " + describe(0));
    if (last && toComplex)
      extent = length / 2 + 1;
    if (last && toReal)
      extent = length;
  }
  return this->result(result, dims);
}

bool ShapeRules::topK() {
  if (!needArray(0))
    return false;
  int64_t k = node.integer(AttrName::K, 0);
  Dims dims(operand(0).dims.begin(), operand(0).dims.end());
  if (dims.empty() || k < 0 || k > dims.back())
    return failAttr(AttrName::K, "expected k within the last dimension of " +
                                     describe(0) + ", got " + Twine(k));
  dims.back() = k;
  const Shape *members[] = {makeArray(module, operand(0).elementType, dims),
                            makeArray(module, ElementType::S32, dims)};
  return result(makeTuple(module, members));
}

bool ShapeRules::getDimensionSize() {
  int64_t dim;
  return needArray(0) && oneDim(AttrName::Dimensions, operand(0).rank(), dim) &&
         resultOfWrittenType(ElementType::S32, {});
}

/// A token; its operands do not matter.
bool ShapeRules::token() {
  Shape *shape = new (module.arena().Allocate<Shape>()) Shape;
  shape->kind = Shape::Kind::Token;
  return result(shape);
}

bool ShapeRules::run() {
  switch (node.opcode) {
#define HLO_OPCODE(ENUM, SPELLING, MIN, MAX, RULE, REQUIRED, ALLOWED)          \
  case Opcode::ENUM:                                                           \
    return RULE();
#include "mercator/frontends/hlo/Opcodes.def"
  }
  return true;
}
