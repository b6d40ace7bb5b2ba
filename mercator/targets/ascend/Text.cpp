// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/Text.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

LogicalResult ascend::writeText(GraphOp graph, llvm::raw_ostream &os) {
  return graph.emitError("not written yet");
}
