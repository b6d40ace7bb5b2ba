// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/Register.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/dialects/check/Check.h"
#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/flow/Flow.h"
#include "mercator/dialects/flow/TensorExt.h"
#include "mercator/dialects/hal/Hal.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/interpreter/Interpreter.h"
#include "mercator/dialects/sdy/Sdy.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/dialects/util/Util.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/TilingInterfaceImpl.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/IR/TensorInferTypeOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/TensorTilingInterfaceImpl.h"

void mercator::registerAllMercatorDialects(mlir::DialectRegistry &registry) {
  registry
      .insert<stablehlo::StablehloDialect, hlo::HloDialect, chlo::ChloDialect,
              check::CheckDialect, interpreter::InterpreterDialect,
              sdy::SdyDialect, ascend::AscendDialect, util::UtilDialect,
              flow::FlowDialect, flow::TensorExtDialect, hal::HalDialect,
              mlir::affine::AffineDialect, mlir::arith::ArithDialect,
              mlir::cf::ControlFlowDialect, mlir::complex::ComplexDialect,
              mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
              mlir::math::MathDialect, mlir::quant::QuantDialect,
              mlir::scf::SCFDialect, mlir::tensor::TensorDialect>();
  mlir::tensor::registerInferTypeOpInterfaceExternalModels(registry);
  mlir::tensor::registerTilingInterfaceExternalModels(registry);
  mlir::linalg::registerTilingInterfaceExternalModels(registry);
}
