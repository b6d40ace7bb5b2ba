// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/Passes.h"
#include "mercator/transforms/chlo/Passes.h"
#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/Pipeline.h"
#include "mercator/transforms/stablehlo/Passes.h"
#include "mercator/transforms/util/Passes.h"

#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Transform/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mercator;

void mercator::registerMercatorPasses() {
  chlo::registerChloPasses();
  stablehlo::registerStablehloPasses();
  util::registerUtilPasses();
  flow::registerFlowPasses();
  flow::registerFlowPipeline();
}

void mercator::registerUpstreamPasses() {
  mlir::registerTransformsPasses();
  mlir::registerLinalgPasses();
  mlir::memref::registerResolveRankedShapeTypeResultDimsPass();
  mlir::memref::registerResolveShapedTypeResultDimsPass();
  mlir::transform::registerInterpreterPass();
}
