// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verifier of custom_call: layouts, memory that results share with
// operands, and the three targets that create and unwrap buffers.

#include "mercator/dialects/stablehlo/Verify.h"

#include "llvm/ADT/SmallBitVector.h"

#include <set>

using namespace mlir;
using namespace mercator::stablehlo;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// Expects one layout for each value: the dimensions of a tensor in some order,
/// and nothing for other values.
static LogicalResult verifyLayouts(Operation *op, StringRef what,
                                   TypeRange types, ArrayAttr layouts) {
  if (failed(expectCount(op, (what + " layouts").str(), layouts.size(),
                         types.size())))
    return failure();
  for (auto [i, pair] : llvm::enumerate(llvm::zip(types, layouts))) {
    auto layout = dyn_cast<DenseIntElementsAttr>(std::get<1>(pair));
    auto shaped = dyn_cast<ShapedType>(std::get<0>(pair));
    int64_t rank = shaped && shaped.hasRank() ? shaped.getRank() : 0;
    bool fits = layout && layout.getType().getRank() == 1 &&
                layout.getElementType().isIntOrIndex() &&
                layout.getType().getDimSize(0) == rank;
    llvm::SmallBitVector seen(rank);
    if (fits)
      for (const APInt &dim : layout.getValues<APInt>()) {
        fits = dim.ult(uint64_t(rank)) && !seen.test(dim.getZExtValue());
        if (!fits)
          break;
        seen.set(dim.getZExtValue());
      }
    if (!fits)
      return op->emitOpError()
             << "expected " << what << " layout " << i
             << " to be a permutation of the " << rank << " dimensions of "
             << std::get<0>(pair) << ", got " << std::get<1>(pair);
  }
  return success();
}

static LogicalResult verifyLayouts(CustomCallOp op) {
  std::optional<ArrayAttr> operands = op.getOperandLayouts(),
                           results = op.getResultLayouts();
  if (operands.has_value() != results.has_value())
    return op.emitOpError()
           << "expected layouts of both operands and results or of neither, "
              "got those of "
           << (operands ? "operands" : "results") << " only";
  if (!operands)
    return success();
  // A single tuple has a layout for each of its members.
  TypeRange resultTypes = op.getResultTypes();
  if (op.getNumResults() == 1)
    if (auto tuple = dyn_cast<TupleType>(op.getResult(0).getType()))
      resultTypes = tuple.getTypes();
  return failure(
      failed(verifyLayouts(op, "operand", op.getOperandTypes(), *operands)) ||
      failed(verifyLayouts(op, "result", resultTypes, *results)));
}

//===----------------------------------------------------------------------===//
// Aliases
//===----------------------------------------------------------------------===//

/// The member of `type` that `indices` lead to through nested tuples.
static Type tupleMember(Type type, ArrayRef<int64_t> indices) {
  for (int64_t index : indices) {
    auto tuple = dyn_cast_if_present<TupleType>(type);
    if (!tuple || index < 0 || index >= int64_t(tuple.size()))
      return {};
    type = tuple.getType(index);
  }
  return type;
}

/// The results of an operation; several results form one tuple.
static Type resultMember(CustomCallOp op, ArrayRef<int64_t> indices) {
  if (op.getNumResults() == 1)
    return tupleMember(op.getResult(0).getType(), indices);
  return tupleMember(TupleType::get(op.getContext(), op.getResultTypes()),
                     indices);
}

static bool isBuffer(Type type) { return isa<MemRefType>(type); }

/// Expects that each buffer below `indices` is in `aliased`.
static LogicalResult
expectAliased(CustomCallOp op, Type type, std::vector<int64_t> &indices,
              const std::set<std::vector<int64_t>> &aliased) {
  if (isBuffer(type) && !aliased.count(indices))
    return op.emitOpError()
           << "expected an alias for every buffer of the results, got none for ["
           << ArrayRef<int64_t>(indices) << "]";
  auto tuple = dyn_cast<TupleType>(type);
  // The parser limits the nesting depth of types.
  for (size_t i = 0; tuple && i < tuple.size(); ++i) {
    indices.push_back(int64_t(i));
    if (failed(expectAliased(op, tuple.getType(i), indices, aliased)))
      return failure();
    indices.pop_back();
  }
  return success();
}

/// The two sides of an alias have the same type. A buffer is in at most one
/// alias, and every buffer result has one.
static LogicalResult verifyAliases(CustomCallOp op) {
  std::set<std::vector<int64_t>> results;
  std::set<std::pair<int64_t, std::vector<int64_t>>> operands;
  std::optional<ArrayAttr> aliases = op.getOutputOperandAliases();
  for (Attribute attr : aliases ? aliases->getValue() : ArrayRef<Attribute>()) {
    auto alias = cast<OutputOperandAliasAttr>(attr);
    int64_t index = alias.getOperandIndex();
    if (failed(expectWithin(op, "operand_index", {index}, op.getNumOperands())))
      return failure();
    ArrayRef<int64_t> path = alias.getOperandTupleIndices(),
                      resultPath = alias.getOutputTupleIndices();
    Type operand = tupleMember(op.getOperand(index).getType(), path),
         result = resultMember(op, resultPath);
    if (!operand || !result || !typesAgree(operand, result))
      return op.emitOpError()
             << "expected an alias between an operand and a result of the same "
                "type, got "
             << alias;
    if (isBuffer(operand) && (!results.insert(resultPath.vec()).second ||
                              !operands.insert({index, path.vec()}).second))
      return op.emitOpError() << "expected a buffer in one alias only, got "
                              << alias << " in addition";
  }
  std::vector<int64_t> indices;
  if (op.getNumResults() == 1)
    return expectAliased(op, op.getResult(0).getType(), indices, results);
  for (auto [i, type] : llvm::enumerate(op.getResultTypes())) {
    indices.assign({int64_t(i)});
    if (failed(expectAliased(op, type, indices, results)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Whether a tensor and a buffer have the same shape and element type.
static bool holdsSame(Type tensor, Type buffer) {
  auto tensorType = dyn_cast<RankedTensorType>(tensor);
  auto bufferType = dyn_cast<MemRefType>(buffer);
  return tensorType && bufferType &&
         shapesAgree(tensorType.getShape(), bufferType.getShape()) &&
         tensorType.getElementType() == bufferType.getElementType();
}

/// `CreateBuffer`, `Pin` and `Unpin` have the signature that their name says.
static LogicalResult verifyBufferCall(CustomCallOp op, StringRef target) {
  size_t inputs = target == "CreateBuffer" ? 0 : 1;
  bool fits = op.getNumOperands() == inputs && op.getNumResults() == 1;
  if (fits) {
    Type result = op.getResult(0).getType();
    fits = target == "CreateBuffer" ? isBuffer(result)
           : target == "Pin" ? holdsSame(op.getOperand(0).getType(), result)
                             : holdsSame(result, op.getOperand(0).getType());
  }
  if (fits)
    return success();
  return op.emitOpError() << "expected " << target
                          << (target == "CreateBuffer"
                                  ? " from nothing to a buffer"
                              : target == "Pin"
                                  ? " from a tensor to a buffer of its type"
                                  : " from a buffer to a tensor of its type")
                          << ", got "
                          << FunctionType::get(op.getContext(),
                                               op.getOperandTypes(),
                                               op.getResultTypes());
}

static LogicalResult expectNoAliases(CustomCallOp op) {
  std::optional<ArrayAttr> aliases = op.getOutputOperandAliases();
  if (!aliases || aliases->empty())
    return success();
  return op.emitOpError() << "expected " << op.getCallTargetName()
                          << " without output_operand_aliases, got "
                          << *aliases;
}

LogicalResult CustomCallOp::verify() {
  bool isTyped = getApiVersion() == 4;
  if (getBackendConfig() && isa<DictionaryAttr>(*getBackendConfig()) != isTyped)
    return emitOpError() << "expected a " << (isTyped ? "dictionary" : "string")
                         << " as backend_config of api_version "
                         << getApiVersion() << ", got " << *getBackendConfig();
  if (failed(verifyLayouts(*this)))
    return failure();
  StringRef target = getCallTargetName();
  if (target == "CreateBuffer" || target == "Pin" || target == "Unpin")
    return failure(failed(verifyBufferCall(*this, target)) ||
                   failed(expectNoAliases(*this)));
  return verifyAliases(*this);
}
