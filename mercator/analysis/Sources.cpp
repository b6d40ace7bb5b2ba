// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources of runtime variables, interned in the arena.

#include "mercator/analysis/Sources.h"

using namespace mercator;
using indexing::Arena;
using mlir::Operation;
using mlir::Value;

Source mercator::internSource(Arena &arena, mlir::Value value) {
  SourceName name = sourceName(value);
  // The results of one operation share one source number.
  if (name.element >= 0)
    value = value.getDefiningOp()->getResult(0);
  return {arena.internSource(name.name, {value.getAsOpaquePointer()}),
          name.element};
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
