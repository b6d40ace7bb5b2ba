// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/Prologue.h"
#include "mercator/targets/cpu/kernels/ElementBody.h"
#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/targets/cpu/kernels/RowAccess.h"
#include "mercator/targets/cpu/kernels/RowSchedule.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

/// The operation that writes an operand, if nothing else accesses it, and if its inputs
/// are the same when the product runs.
static linalg::GenericOp writerOf(const Contraction &own, mlir::Value operand) {
  auto room = operand.getDefiningOp<memref::AllocOp>();
  if (!room || !operand.hasNUses(2) || own.a == own.b)
    return {};
  linalg::GenericOp writer;
  for (Operation *user : operand.getUsers())
    if (user != own.op)
      writer = dyn_cast<linalg::GenericOp>(user);
  if (!writer || writer->getBlock() != own.op->getBlock() ||
      !writer->isBeforeInBlock(own.op) || writer.getNumDpsInits() != 1 ||
      writer.getDpsInits()[0] != operand || !writer.hasPureBufferSemantics() ||
      writer->hasAttr(kRows))
    return {};
  for (Operation *op = writer->getNextNode(); op != own.op;
       op = op->getNextNode()) {
    if (isOrderless(op))
      continue;
    if (!accessesOperandsAlone(op))
      return {};
    for (mlir::Value written : writtenBy(op))
      if (accesses(writer, rootOf(written)))
        return {};
  }
  return writer;
}

/// Whether a view has the elements that follow those of another one.
static bool isNext(mlir::Value view, mlir::Value other) {
  auto next = view.getDefiningOp<memref::SubViewOp>(),
       first = other.getDefiningOp<memref::SubViewOp>();
  if (!next || !first || next.getSource() != first.getSource() ||
      !llvm::equal(next.getStaticSizes(), first.getStaticSizes()) ||
      !llvm::equal(next.getStaticStrides(), first.getStaticStrides()))
    return false;
  auto offsetOf = [](memref::SubViewOp op) {
    int64_t offset = 0;
    SmallVector<int64_t> strides;
    bool isKnown =
        succeeded(op.getType().getStridesAndOffset(strides, offset)) &&
        !ShapedType::isDynamic(offset);
    return isKnown ? std::optional(offset) : std::nullopt;
  };
  auto from = offsetOf(first), to = offsetOf(next);
  return from && to && *to == *from + 1;
}

/// Pairs the inputs that have every second element. False if one has no other.
static bool pairInputs(Prologue &prologue) {
  SmallVector<unsigned> seconds;
  for (auto [i, input] : llvm::enumerate(prologue.inputs))
    if (prologue.inVector(input) == 2)
      seconds.push_back(unsigned(i));
  if (seconds.empty())
    return true;
  if (seconds.size() != 2)
    return false;
  Prologue::Operand &first = prologue.inputs[seconds[0]],
                    &next = prologue.inputs[seconds[1]];
  if (first.across != next.across || first.term != next.term ||
      first.strides != next.strides || !isNext(next.value, first.value))
    return false;
  next.before = seconds[0];
  return true;
}

/// `across`: the stride in the operand of the loop of columns, or of rows. `term`: that of
/// the terms.
static std::optional<Prologue> prologueOf(const Contraction &own,
                                          mlir::Value operand, int64_t extent,
                                          int64_t across, int64_t term,
                                          mlir::Value other) {
  linalg::GenericOp writer = writerOf(own, operand);
  if (!writer || writer.getNumReductionLoops() != 0 ||
      writer.hasIndexSemantics() || !isVectorArithmetic(writer) ||
      accesses(writer, rootOf(own.c)) ||
      (other && accesses(writer, rootOf(other))))
    return std::nullopt;
  auto type = cast<MemRefType>(operand.getType());
  auto strides = stridesOf(operand);
  OpOperand *init = writer.getDpsInitOperand(0);
  AffineMap map = writer.getMatchingIndexingMap(init);
  if (!strides || !type.hasStaticShape() || !map.isPermutation() ||
      !isPlainWrite(writer, *init))
    return std::nullopt;
  Prologue prologue;
  prologue.op = writer;
  prologue.isAlongTerms = across != 1;
  if (prologue.isAlongTerms && term != 1)
    return std::nullopt;
  for (OpOperand *input : writer.getDpsInputOperands()) {
    Prologue::Operand made;
    made.value = input->get();
    auto buffer = dyn_cast<MemRefType>(made.value.getType());
    if (buffer) {
      auto inBuffer = stridesOf(made.value);
      auto address =
          inBuffer
              ? addressStrides(writer.getMatchingIndexingMap(input), *inBuffer)
              : std::nullopt;
      // A vector of bytes at least.
      if (!address || buffer.getElementTypeBitWidth() % 8 != 0)
        return std::nullopt;
      for (unsigned d = 0; d < type.getRank(); ++d)
        made.strides.push_back((*address)[map.getDimPosition(d)]);
      if (!isLinear(extent, across, type.getShape(), *strides, made.strides,
                    made.across) ||
          !isLinear(own.sums[0].extent, term, type.getShape(), *strides,
                    made.strides, made.term))
        return std::nullopt;
      int64_t inVector = prologue.inVector(made);
      if (inVector < 0 || inVector > 2)
        return std::nullopt;
    }
    prologue.inputs.push_back(std::move(made));
  }
  if (!pairInputs(prologue))
    return std::nullopt;
  return prologue;
}

std::optional<Prologue> Prologue::ofColumns(const Contraction &own,
                                            const ContractionLoop &column,
                                            mlir::Value other) {
  if (own.sums.size() != 1)
    return std::nullopt;
  return prologueOf(own, own.b, column.extent, column.b, own.sums[0].b, other);
}

std::optional<Prologue> Prologue::ofRows(const Contraction &own,
                                         const ContractionLoop &row,
                                         mlir::Value other) {
  if (own.sums.size() != 1)
    return std::nullopt;
  return prologueOf(own, own.a, row.extent, row.a, own.sums[0].a, other);
}
