// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens, and the operations that they order. A token stands for all that has
// happened before it: what was sent, what has come in, the tokens before.

#include "mercator/analysis/maps/Model.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mercator;
using namespace mercator::maps;

namespace {

template <typename Op> MapSet orderedMaps(Op, const Query &q) {
  return q.everything();
}
template <typename... Ops> void attachOrdered(mlir::MLIRContext *context) {
  (attach<Ops, orderedMaps<Ops>>(context), ...);
}

} // namespace

void maps::attachTokenMaps(mlir::MLIRContext *context) {
  using namespace stablehlo;
  attachOrdered<AfterAllOp, InfeedOp, OutfeedOp, SendOp, RecvOp>(context);
  attachSources<CreateTokenOp>(context);
}
