// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code of one operation on all devices, as a function of whole tensors that
// one device could run. Internal.
//
//   for each of 2 devices                       becomes
//
//   %x: tensor<2xf32>, a shard of 4             @f(%x: tensor<4xf32>)
//   %0 = collective_permute %x, (0, 1)          %x0 = slice %x [0:2]
//                                               %x1 = slice %x [2:4]
//                                               return %zeros, %x0
//
// A shard is a slice of the whole tensor, `partition_id` is a number, and a
// collective is what it means: the value of another device, a concatenation, a
// chain of the combining operation. So the maps of the function are those of the
// partitioned code, composed over devices and messages.

#ifndef MERCATOR_TRANSFORMS_SPMD_EXPANSION_H
#define MERCATOR_TRANSFORMS_SPMD_EXPANSION_H

#include "mercator/transforms/spmd/Mesh.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::spmd {

/// A whole tensor, and its shards in the code of the devices.
struct Placed {
  mlir::RankedTensorType type;
  const Sharding *sharding;
  mlir::Value local;
};

/// Appends the function to the module: an argument for each operand, and the local
/// results of device 0, then those of device 1, and so on. Null, and a reason, if
/// the code has an operation that cannot be expanded.
[[nodiscard]] mlir::func::FuncOp
expandOverDevices(mlir::ModuleOp module, const Mesh &mesh,
                  llvm::ArrayRef<Placed> operands,
                  llvm::ArrayRef<mlir::Value> results, std::string &reason);

} // namespace mercator::spmd

#endif // MERCATOR_TRANSFORMS_SPMD_EXPANSION_H
