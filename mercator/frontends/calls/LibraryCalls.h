// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What calls of GPU libraries compute. XLA writes a product for cuBLAS as
///
///   (f32[8,4], s8[4194304]) custom-call(x, w, bias),
///       custom_call_target="__cublas$lt$matmul", backend_config={..,
///       "epilogue":"BIAS_RELU", ..}
///
/// and the text says all: which dimensions are summed, what follows, and that
/// the last result is a workspace. The call becomes a fusion whose body computes
/// the same:
///
///   %r = "hlo.fusion"(%x, %w, %bias) <{calls = "__cublas$lt$matmul",
///                                      kind = "library"}> ({
///     dot_general, add, maximum
///   }) : .. -> tensor<8x4xf32>
///
/// so that maps, values and machine code follow from the body, and it is still
/// one kernel of this name (FusionOp::getLibraryTarget). The workspace is a
/// constant outside of the fusion, which nothing reads.
///
/// Targets.cpp has the table of the targets and of the fields that are read. A
/// call whose fields say something that is not known here stays a custom call,
/// with the reason as its attribute hlo::kUnreadAttr.
///
/// The meaning of the fields is that of XLA's backend_configs.proto, and of the
/// passes that write the calls (gemm_rewriter, conv_rewriter,
/// cudnn_fused_conv_rewriter, sort_rewriter), and for the solvers that of JAX.

#ifndef MERCATOR_FRONTENDS_CALLS_LIBRARYCALLS_H
#define MERCATOR_FRONTENDS_CALLS_LIBRARYCALLS_H

#include "mercator/dialects/hlo/Hlo.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace mercator::calls {

/// `window=`, `dim_labels=` and the group counts of a call of cuDNN. They
/// describe the forward convolution, also of a gradient.
struct ConvolutionText {
  struct Side {
    int64_t batch = 0;   ///< of the filter: output features
    int64_t feature = 0; ///< of the filter: input features
    llvm::SmallVector<int64_t> spatial;
    int64_t rank = 0; ///< larger than spatial.size() + 2: vectorized
  };
  Side input, filter, output;
  /// Of each spatial dimension. `padding` has two numbers for each.
  llvm::SmallVector<int64_t> sizes, strides, padding, inputDilation,
      filterDilation;
  llvm::SmallVector<bool> reversal;
  int64_t featureGroups = 1, batchGroups = 1;
};

/// A call as a text has it.
struct Call {
  llvm::StringRef target;
  /// `backend_config`: JSON, or a dictionary of attributes where it is one.
  std::optional<llvm::StringRef> config = {};
  mlir::DictionaryAttr dictionary = {};
  std::optional<ConvolutionText> convolution = {};
  mlir::ValueRange operands;
  /// The results; of a tuple, its members.
  mlir::TypeRange results;
  /// The location of the fusion, and that of the operations in its body.
  mlir::Location loc, inside;
};

/// What became of a call: results, or a reason, or an error in its text.
struct Reading {
  /// One value for each result. Empty: the call stays as it is.
  llvm::SmallVector<mlir::Value> results = {};
  /// Null if the call stays.
  hlo::FusionOp fusion = {};
  /// Why it stays.
  std::string reason = {};
  /// An error in `config`, from the byte `at` on; empty if `config` is right.
  std::string error = {};
  size_t at = 0;
  std::string help = {};
};

/// Whether the table has the target.
[[nodiscard]] bool isLibraryTarget(llvm::StringRef target);

/// Reads a call, and builds the fusion at the insertion point. Requires:
/// isLibraryTarget(call.target). Ensures: builds nothing if it fails.
[[nodiscard]] Reading readCall(mlir::OpBuilder &b, const Call &call);

/// Replaces the calls in a program of StableHLO, such as those that JAX writes
/// for a GPU: `stablehlo.custom_call @cusolver_potrf_ffi`. Fails after an error,
/// which it reports at the call.
[[nodiscard]] llvm::LogicalResult spellLibraryCalls(mlir::ModuleOp module);

} // namespace mercator::calls

#endif // MERCATOR_FRONTENDS_CALLS_LIBRARYCALLS_H
