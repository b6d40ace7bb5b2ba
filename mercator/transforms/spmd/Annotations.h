// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The shardings that a program or its user states, on one mesh.
///
///   %x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {?}]>}
///   %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"a"}]>
///   %2 = stablehlo.custom_call @Sharding(%1) {mhlo.sharding = "{devices=[..]}"}
///   --mesh=a:2,b:4 --in=0=a,-
///
/// Every notation states digits of the device number: a dimension is divided by
/// (position floordiv stride) mod size. The ends of all digits cut the range of
/// positions into the axes of one refined mesh; they must form a chain in which
/// each divides the next. So programs with sub-axes, with GSPMD's tilings and
/// with both are read by one rule.

#ifndef MERCATOR_TRANSFORMS_SPMD_ANNOTATIONS_H
#define MERCATOR_TRANSFORMS_SPMD_ANNOTATIONS_H

#include "mercator/transforms/spmd/Mesh.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace mercator {
struct Cluster;
} // namespace mercator

namespace mercator::spmd {

/// What the user states beside the program.
struct Request {
  std::string mesh = {};             ///< `data:2,model:4`; empty: the program's
  std::vector<std::string> in = {};  ///< `NUMBER=data,-`, one for an argument
  std::vector<std::string> out = {}; ///< the same for results
  /// Whether the maps of each operation on all devices are compared with its own.
  bool proves = false;
  /// For which times are predicted (Times.h); it outlives the partitioning.
  const Cluster *cluster = nullptr;
};

/// A manual computation: the shardings of its operands and results.
struct ManualShardings {
  std::vector<Sharding> in, out;
};

/// A dimension that a user gave a priority above 0: `{"a"}p1`.
struct LaterDimension {
  mlir::Value value;
  unsigned dim;
  int64_t priority;
};

struct Annotations {
  Mesh mesh;
  /// Of arguments, and of results of operations.
  llvm::DenseMap<mlir::Value, Sharding> values;
  std::vector<LaterDimension> later; ///< of these
  /// Of each result of the function; nothing if it is not stated.
  std::vector<std::optional<Sharding>> results;
  /// Of each dimension of a result; empty: all 0.
  std::vector<llvm::SmallVector<int64_t, 4>> resultPriorities;
  llvm::DenseMap<mlir::Operation *, ManualShardings> manual;
};

/// Fails after an error that names the text and what was expected.
/// Requires: the function has one block.
[[nodiscard]] llvm::FailureOr<Annotations>
readAnnotations(mlir::func::FuncOp function, const Request &request);

} // namespace mercator::spmd

#endif // MERCATOR_TRANSFORMS_SPMD_ANNOTATIONS_H
