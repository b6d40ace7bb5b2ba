// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources of runtime variables, interned in the arena.

#include "mercator/analysis/Sources.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mercator;
using indexing::Arena;
using mlir::Operation;
using mlir::Value;

Source mercator::internSource(Arena &arena, mlir::Value value) {
  int32_t element = elementOf(value);
  // The results that one name stands for have one number.
  if (element >= 0)
    value = value.getDefiningOp()->getResult(0);
  uint32_t id = arena.internSource({value.getAsOpaquePointer()},
                                   [&] { return sourceName(value); });
  return {id, element};
}

std::optional<Reading> mercator::readingOfOperand(Operation *cast,
                                                  Reading reading) {
  namespace arith = mlir::arith;
  bool isSigned = llvm::isa<arith::IndexCastOp, arith::ExtSIOp>(cast);
  if (!isSigned && !llvm::isa<arith::IndexCastUIOp, arith::ExtUIOp>(cast))
    return std::nullopt;
  auto widthOf = [](Value value) {
    mlir::Type type = mlir::getElementTypeOrSelf(value.getType());
    return type.isIndex() ? 64u : type.getIntOrFloatBitWidth();
  };
  unsigned from = widthOf(cast->getOperand(0)),
           to = widthOf(cast->getResult(0));
  if (from > to)
    return std::nullopt;
  if (from == to)
    return reading;
  if (!isSigned)
    return Reading::Unsigned;
  return reading == Reading::Signed ? std::optional(reading) : std::nullopt;
}

/// What a source is called in its own computation.
static std::string nameInside(const Arena &arena, uint32_t source) {
  maps::SourcePlace place = maps::sourcePlace(arena, source, -1);
  if (place.call)
    return valueName(place.call->getResult(0)) + "/" +
           nameInside(arena, place.inside);
  return place.value ? valueName(place.value) : arena.name(source).str();
}

uint32_t maps::internSourceInside(Arena &arena, Operation *op, uint32_t inner) {
  return arena.internSource({op, inner}, [&] {
    return sourceName(op->getResult(0)) + "/" + nameInside(arena, inner);
  });
}

maps::SourcePlace maps::sourcePlace(const Arena &arena, uint32_t source,
                                    int32_t element) {
  auto [place, within] = arena.sourceKey(source);
  if (!place)
    return {};
  if (within)
    return {{}, static_cast<Operation *>(const_cast<void *>(place)), within};
  Value value = Value::getFromOpaquePointer(place);
  if (element >= 0)
    value = value.getDefiningOp()->getResult(element);
  return {value};
}
