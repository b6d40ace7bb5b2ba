// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/ColumnSums.h"
#include "mercator/targets/cpu/kernels/RowAccess.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

namespace {
class SumReader {
public:
  SumReader(ArrayRef<CellMember> members,
            llvm::function_ref<bool(mlir::Value)> isLocal)
      : members(members), isLocal(isLocal) {}

  std::optional<ColumnSums> read(bool keepsOrder);

private:
  bool collectWriters();
  bool findColumns();
  bool addColumns(mlir::Value buffer, unsigned dim);
  bool setLoop(size_t number, unsigned loop);
  [[nodiscard]] bool isSum(size_t number) const;
  [[nodiscard]] bool reads(size_t number, mlir::Value buffer) const;
  void findPhases();

  ArrayRef<CellMember> members;
  llvm::function_ref<bool(mlir::Value)> isLocal;
  ColumnSums own;
  /// The member, but for fills, that writes each buffer.
  DenseMap<mlir::Value, size_t> writers;
  DenseMap<mlir::Value, unsigned> columnOf; ///< the dimension of a buffer
  SmallVector<mlir::Value> work;            ///< buffers with columns
};
} // namespace

static bool isFillMember(const CellMember &member) {
  return isa<linalg::FillOp>(*member.op);
}

/// False if two members write one buffer.
bool SumReader::collectWriters() {
  for (auto [number, member] : llvm::enumerate(members))
    if (!isFillMember(member))
      for (mlir::Value written : member.op.getDpsInits())
        if (!writers.try_emplace(written, number).second)
          return false;
  return true;
}

/// Whether the dimension of the buffer is that of the columns. False if another one is.
bool SumReader::addColumns(mlir::Value buffer, unsigned dim) {
  auto [known, isNew] = columnOf.try_emplace(buffer, dim);
  if (isNew)
    work.push_back(buffer);
  return known->second == dim;
}

/// Has the loop of a member run over the columns. False if its buffers disagree.
bool SumReader::setLoop(size_t number, unsigned loop) {
  const CellMember &member = members[number];
  linalg::LinalgOp op = member.op;
  if (own.loops[number])
    return *own.loops[number] == loop;
  if (llvm::is_contained(member.loops, loop) ||
      op.getStaticLoopRanges()[loop] != own.columns)
    return false;
  own.loops[number] = loop;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    RowAccess access = rowAccess(op, operand, loop);
    if (access.kind == RowAccess::Kind::Other)
      return false;
    bool isOwn = access.kind == RowAccess::Kind::Own;
    // A result has columns, or is a sum over them.
    if (op.isDpsInit(&operand) &&
        (isOwn == isSum(number) || (isOwn && !isLocal(operand.get()))))
      return false;
    if (isOwn && writers.contains(operand.get()) &&
        !addColumns(operand.get(), access.dim))
      return false;
  }
  return true;
}

bool SumReader::isSum(size_t number) const {
  linalg::LinalgOp op = members[number].op;
  return own.loops[number] && op.getIteratorTypesArray()[*own.loops[number]] ==
                                  utils::IteratorType::reduction;
}

/// Finds the columns, from the last product that adds up what the tile computes.
bool SumReader::findColumns() {
  for (size_t i = members.size(); i-- > 0 && own.columns == 0;) {
    linalg::LinalgOp op = members[i].op;
    if (!members[i].isProduct || op.getNumReductionLoops() != 1)
      continue;
    SmallVector<unsigned> loops;
    op.getReductionDims(loops);
    for (OpOperand *input : op.getDpsInputOperands()) {
      RowAccess access = rowAccess(op, *input, loops[0]);
      if (!isLocal(input->get()) || access.kind != RowAccess::Kind::Own)
        continue;
      own.columns = op.getStaticLoopRanges()[loops[0]];
      if (!addColumns(input->get(), access.dim))
        return false;
    }
  }
  while (!work.empty()) {
    mlir::Value buffer = work.pop_back_val();
    unsigned dim = columnOf.lookup(buffer);
    if (!isLocal(buffer))
      return false;
    for (auto [number, member] : llvm::enumerate(members)) {
      linalg::LinalgOp op = member.op;
      for (OpOperand &operand : op->getOpOperands()) {
        if (operand.get() != buffer)
          continue;
        auto loop = dyn_cast<AffineDimExpr>(
            op.getMatchingIndexingMap(&operand).getResult(dim));
        if (!loop || !setLoop(number, loop.getPosition()))
          return false;
      }
    }
  }
  return own.columns != 0;
}

bool SumReader::reads(size_t number, mlir::Value buffer) const {
  return llvm::is_contained(members[number].op->getOperands(), buffer);
}

/// Puts members into the earliest phases that they can be in.
void SumReader::findPhases() {
  DenseMap<mlir::Value, unsigned> known; ///< the phase that can read a buffer
  SmallVector<unsigned> phase(members.size());
  unsigned count = 0;
  for (auto [number, member] : llvm::enumerate(members)) {
    for (mlir::Value operand : member.op->getOperands())
      phase[number] = std::max(phase[number], known.lookup(operand));
    unsigned after = phase[number] + (isSum(number) ? 1 : 0);
    for (mlir::Value written : member.op.getDpsInits())
      known[written] = std::max(known.lookup(written), after);
    count = std::max(count, after);
  }
  own.phases.resize(count + 1);
  for (auto [number, at] : llvm::enumerate(phase))
    if (!own.loops[number])
      own.phases[at].before.push_back(number);
  for (unsigned at = 0; at < count; ++at) {
    SmallVector<bool> isNeeded(members.size());
    for (size_t i = members.size(); i-- > 0;) {
      if (!own.loops[i])
        continue;
      isNeeded[i] =
          isSum(i) ? phase[i] == at
                   : llvm::any_of(
                         members[i].op.getDpsInits(), [&](mlir::Value written) {
                           for (size_t k = i + 1; k < members.size(); ++k)
                             if (isNeeded[k] && reads(k, written))
                               return true;
                           return false;
                         });
    }
    for (size_t i = 0; i < members.size(); ++i)
      if (isNeeded[i])
        own.phases[at].blocks.push_back(i);
  }
}

std::optional<ColumnSums> SumReader::read(bool keepsOrder) {
  // A block is a chain of a product's sum (SumOrder.h). Half of a chain is faster, and
  // a mask excludes more blocks.
  constexpr int64_t kChainOfSums = 256, kLeastRest = 16,
                    kLeastElements = 256 * 1024;
  // Each phase computes columns again, and a reduction gets another order. So both are
  // for rows that would not fit into a cache.
  constexpr int64_t kLeastColumns = 512, kLongColumns = 8192;
  own.loops.resize(members.size());
  if (!collectWriters() || !findColumns())
    return std::nullopt;
  own.block = keepsOrder ? kChainOfSums : kChainOfSums / 2;
  int64_t rest = own.columns % own.block;
  if (own.columns < kLeastColumns || (rest != 0 && rest < kLeastRest))
    return std::nullopt;
  bool hasScores = false, isLong = own.columns >= kLongColumns;
  for (auto [number, member] : llvm::enumerate(members)) {
    if (!own.loops[number] || isFillMember(member))
      continue;
    hasScores |= member.isProduct && !isSum(number);
    auto type = cast<MemRefType>(member.op.getDpsInits()[0].getType());
    if (isSum(number)) {
      Type element = type.getElementType();
      bool isSame = llvm::all_of(member.op->getOperandTypes(), [&](Type each) {
        return getElementTypeOrSelf(each) == element;
      });
      if ((!member.isProduct && (keepsOrder || !isLong)) || !isSame ||
          !(element.isF32() || element.isF64()))
        return std::nullopt;
    } else if (type.getNumElements() < kLeastElements) {
      return std::nullopt;
    }
  }
  if (!hasScores)
    return std::nullopt;
  findPhases();
  constexpr size_t kOne = 2; // phases, with the last one
  if (own.phases.size() > kOne && !isLong)
    return std::nullopt;
  return own;
}

std::optional<ColumnSums>
ColumnSums::of(ArrayRef<CellMember> members,
               llvm::function_ref<bool(mlir::Value)> isLocal, bool keepsOrder) {
  return SumReader(members, isLocal).read(keepsOrder);
}
