// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of control flow, tuples, calls and randomness: the types that go
// into a region and come out of it. Each check names its constraint of the
// specification.

#include "mercator/dialects/stablehlo/Verify.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mercator::stablehlo;

//===----------------------------------------------------------------------===//
// if, case, while
//===----------------------------------------------------------------------===//

static TypeRange returnedTypes(Region &region) {
  return region.front().back().getOperandTypes();
}

LogicalResult IfOp::verify() {
  size_t count = getNumResults();
  Region &first = getTrueBranch(), &second = getFalseBranch();
  return failure(
      // (if C1)
      failed(expectRegion(*this, "true_branch", first, 0, count)) ||
      failed(expectRegion(*this, "false_branch", second, 0, count)) ||
      // (if C2)
      failed(expectTypes(*this, "values returned from false_branch",
                         returnedTypes(second), returnedTypes(first))) ||
      // (if C3)
      failed(expectTypes(*this, "results", getResultTypes(),
                         returnedTypes(first))));
}

LogicalResult CaseOp::verify() {
  // (case C1)
  if (getBranches().empty())
    return emitOpError() << "expected at least one branch, got none";
  for (Region &branch : getBranches())
    // (case C2)
    if (failed(expectRegion(*this, "branch", branch, 0, getNumResults())))
      return failure();
  TypeRange expected = returnedTypes(getBranches().front());
  for (Region &branch : getBranches())
    // (case C3)
    if (failed(expectTypes(*this, "values returned from a branch",
                           returnedTypes(branch), expected)))
      return failure();
  // (case C4)
  return expectTypes(*this, "results", getResultTypes(), expected);
}

LogicalResult WhileOp::verify() {
  size_t count = getNumOperands();
  TypeRange types = getOperandTypes();
  return failure(
      // (while C3)
      failed(expectTypes(*this, "results", getResultTypes(), types)) ||
      // (while C1)
      failed(expectRegion(*this, "cond", getCond(), count, 1)) ||
      failed(expectTypes(*this, "cond arguments", getCond().getArgumentTypes(),
                         types)) ||
      failed(expectPredicate(*this, "cond", getCond())) ||
      // (while C2)
      failed(expectRegion(*this, "body", getBody(), count, count)) ||
      failed(expectTypes(*this, "body arguments", getBody().getArgumentTypes(),
                         types)) ||
      failed(expectTypes(*this, "values returned from body",
                         returnedTypes(getBody()), types)));
}

//===----------------------------------------------------------------------===//
// Tuples and barriers
//===----------------------------------------------------------------------===//

LogicalResult OptimizationBarrierOp::verify() {
  for (Type type : getOperandTypes())
    if (isa<quant::UniformQuantizedPerAxisType>(getElementTypeOrSelf(type)))
      return emitOpError() << "expected a tensor quantized as a whole, got "
                           << type;
  // (optimization_barrier C1)
  return expectTypes(*this, "results", getResultTypes(), getOperandTypes());
}

LogicalResult TupleOp::verify() {
  // (tuple C1)
  return expectTypes(*this, "operands", getOperandTypes(),
                     cast<TupleType>(getResult().getType()).getTypes());
}

LogicalResult GetTupleElementOp::verify() {
  auto types = cast<TupleType>(getOperand().getType()).getTypes();
  int64_t index = int32_t(getIndex());
  // (get_tuple_element C1)
  if (failed(expectWithin(*this, "index", {index}, int64_t(types.size()))))
    return failure();
  // (get_tuple_element C2)
  return expectTypes(*this, "results", getResult().getType(), types[index]);
}

//===----------------------------------------------------------------------===//
// Asynchronous operations
//===----------------------------------------------------------------------===//

LogicalResult AsyncStartOp::verify() {
  // (async_start C1)
  Block &block = getBody().front();
  auto last = block.empty() ? ReturnOp() : dyn_cast<ReturnOp>(block.back());
  if (!last || !llvm::hasNItems(block, 2))
    return emitOpError()
           << "expected body of one operation and stablehlo.return, got "
           << block.getOperations().size() << " operations";
  // (async_start C2)
  Operation &inner = block.front();
  if (!isa<AllGatherOp, AllReduceOp, AllToAllOp, CollectiveBroadcastOp,
           CollectivePermuteOp, CollectiveReduceOp, ReduceScatterOp, SliceOp,
           DynamicSliceOp, DynamicUpdateSliceOp>(inner))
    return emitOpError() << "expected a collective or a slice in body, got "
                         << inner.getName();
  // (async_start C3)
  if (failed(expectTypes(*this, "body arguments", block.getArgumentTypes(),
                         getOperandTypes())))
    return failure();
  // (async_start C4)
  return expectTypes(*this, "values returned from body", last.getOperandTypes(),
                     cast<FutureType>(getResult().getType()).getTypes());
}

LogicalResult AsyncDoneOp::verify() {
  // (async_done C1)
  return expectTypes(*this, "results", getOperation()->getResultTypes(),
                     cast<FutureType>(getOperand().getType()).getTypes());
}

//===----------------------------------------------------------------------===//
// composite
//===----------------------------------------------------------------------===//

/// Whether `name` is at least two words of letters, digits and `_`, joined by
/// dots. The first word starts with a letter; later ones may contain `$`.
static bool isNamespacedName(StringRef name) {
  auto isWord = [](StringRef word, StringRef also) {
    return !word.empty() && llvm::all_of(word, [&](char c) {
      return llvm::isAlnum(c) || also.contains(c);
    });
  };
  SmallVector<StringRef> words;
  name.split(words, '.');
  return words.size() > 1 && isWord(words[0], "_") &&
         llvm::isAlpha(words[0].front()) &&
         llvm::all_of(llvm::drop_begin(words),
                      [&](StringRef word) { return isWord(word, "_$"); });
}

LogicalResult CompositeOp::verify() {
  // (composite C1)
  if (!isNamespacedName(getName()))
    return emitOpError()
           << "expected a name such as 'my_namespace.my_op', got '" << getName()
           << "'";
  return success();
}

LogicalResult
CompositeOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  // (composite C2)
  auto function = symbolTable.lookupNearestSymbolFrom<FunctionOpInterface>(
      *this, getDecompositionAttr());
  if (!function)
    return emitOpError() << "expected decomposition to name a function, got "
                         << getDecompositionAttr();
  return failure(
      // (composite C3)
      failed(expectTypes(*this, "operands", getOperandTypes(),
                         function.getArgumentTypes())) ||
      // (composite C4)
      failed(expectTypes(*this, "results", getResultTypes(),
                         function.getResultTypes())));
}

//===----------------------------------------------------------------------===//
// Randomness
//===----------------------------------------------------------------------===//

LogicalResult RngOp::verify() {
  auto a = getA().getType(), b = getB().getType(), result = getType();
  // (rng C1)
  if (failed(expectBaseline(*this, "b", b, a)) ||
      failed(expectBaseline(*this, "result", result, a)))
    return failure();
  // (rng C2)
  if (getRngDistribution() == RngDistribution::NORMAL &&
      !isa<FloatType>(a.getElementType()))
    return emitOpError() << "expected floats for a NORMAL distribution, got "
                         << a.getElementType();
  // (rng C3)
  auto shape = getShape().getType();
  if (shape.getRank() != 1 ||
      !extentsAgree(shape.getDimSize(0), result.getRank()))
    return emitOpError()
           << "expected shape of " << result.getRank()
           << " entries, one for each dimension of the result, got " << shape;
  std::optional<SmallVector<int64_t>> extents = constantIntegers(getShape());
  return failure(extents &&
                 (failed(expectAtLeast(*this, "shape", *extents, 0)) ||
                  failed(expectShape(*this, "result", result, *extents))));
}

LogicalResult RngBitGeneratorOp::verify() {
  auto state = getInitialState().getType(), next = getOutputState().getType();
  // (rng_bit_generator C1)
  if (failed(expectBaseline(*this, "output_state", next, state)) ||
      failed(expectShape(*this, "output_state", next, state.getShape())))
    return failure();
  // (rng_bit_generator C2), counted in bits: JAX has states of ui32 too.
  auto element = dyn_cast<IntegerType>(state.getElementType());
  if (!element || !state.hasStaticShape() || state.getRank() != 1)
    return success();
  int64_t entries = state.getDimSize(0), perWord = 64 / element.getWidth();
  auto holds = [&](int64_t words) { return entries == words * perWord; };
  RngAlgorithm algorithm = getRngAlgorithm();
  if (algorithm == RngAlgorithm::THREE_FRY && !holds(2))
    return emitOpError() << "expected an initial_state of 2 x 64 bits for "
                            "THREE_FRY, got "
                         << state;
  if (algorithm == RngAlgorithm::PHILOX && !holds(2) && !holds(3))
    return emitOpError() << "expected an initial_state of 2 or 3 x 64 bits for "
                            "PHILOX, got "
                         << state;
  return success();
}
