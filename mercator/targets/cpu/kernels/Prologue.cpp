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

/// The operation that writes b, if nothing else accesses it, and if its inputs are the
/// same when the product runs.
static linalg::GenericOp writerOf(const Contraction &own) {
  auto room = own.b.getDefiningOp<memref::AllocOp>();
  if (!room || !own.b.hasNUses(2) || own.a == own.b)
    return {};
  linalg::GenericOp writer;
  for (Operation *user : own.b.getUsers())
    if (user != own.op)
      writer = dyn_cast<linalg::GenericOp>(user);
  if (!writer || writer->getBlock() != own.op->getBlock() ||
      !writer->isBeforeInBlock(own.op) || writer.getNumDpsInits() != 1 ||
      writer.getDpsInits()[0] != own.b || !writer.hasPureBufferSemantics() ||
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

std::optional<Prologue> Prologue::of(const Contraction &own,
                                     const ContractionLoop &column,
                                     mlir::Value other) {
  linalg::GenericOp writer = writerOf(own);
  if (!writer || writer.getNumReductionLoops() != 0 ||
      writer.hasIndexSemantics() || !isVectorArithmetic(writer) ||
      own.sums.size() != 1 || accesses(writer, rootOf(own.c)) ||
      (other && accesses(writer, rootOf(other))))
    return std::nullopt;
  auto type = cast<MemRefType>(own.b.getType());
  auto stridesOfB = stridesOf(own.b);
  OpOperand *init = writer.getDpsInitOperand(0);
  AffineMap map = writer.getMatchingIndexingMap(init);
  if (!stridesOfB || !type.hasStaticShape() || !map.isPermutation() ||
      !isPlainWrite(writer, *init))
    return std::nullopt;
  const ContractionLoop &term = own.sums[0];
  bool areTermsNeighbors = column.b != 1;
  if (areTermsNeighbors && term.b != 1)
    return std::nullopt;

  Prologue prologue;
  prologue.op = writer;
  for (OpOperand *input : writer.getDpsInputOperands()) {
    Operand made;
    made.value = input->get();
    auto buffer = dyn_cast<MemRefType>(made.value.getType());
    if (buffer) {
      auto strides = stridesOf(made.value);
      auto address =
          strides
              ? addressStrides(writer.getMatchingIndexingMap(input), *strides)
              : std::nullopt;
      // A vector of bytes at least.
      if (!address || buffer.getElementTypeBitWidth() % 8 != 0)
        return std::nullopt;
      for (unsigned d = 0; d < type.getRank(); ++d)
        made.strides.push_back((*address)[map.getDimPosition(d)]);
      if (!isLinear(column.extent, column.b, type.getShape(), *stridesOfB,
                    made.strides, made.column) ||
          !isLinear(term.extent, term.b, type.getShape(), *stridesOfB,
                    made.strides, made.term))
        return std::nullopt;
      int64_t inVector = areTermsNeighbors ? made.term : made.column;
      if (inVector != 0 && inVector != 1)
        return std::nullopt;
    }
    prologue.inputs.push_back(std::move(made));
  }
  return prologue;
}
