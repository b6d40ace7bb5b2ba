// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code of movements, for all devices in one program. Internal.
//
//   rounds of a halo, 4 devices          becomes
//
//   send [2:3] from i to i + 1           %0 = stablehlo.slice %x [2:3]
//                                        %1 = "stablehlo.collective_permute"(%0)
//   put it at 0, on devices 1, 2, 3      %2 = dynamic_update_slice %buffer, %1, %0
//                                        %3 = select %isTarget, %2, %buffer
//
// A number that differs from device to device is an element of a constant table,
// read at partition_id. The tables are read at the beginning of the function.

#ifndef MERCATOR_TRANSFORMS_SPMD_EMITTER_H
#define MERCATOR_TRANSFORMS_SPMD_EMITTER_H

#include "mercator/transforms/spmd/Movement.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <map>

namespace mercator::spmd {

class Emitter {
public:
  /// Requires: the block is the entry of the function, and empty.
  Emitter(const Mesh &mesh, mlir::Block *entry, mlir::Location loc);

  mlir::ImplicitLocOpBuilder b;

  /// A number for each device, as tensor<i32>.
  mlir::Value number(llvm::ArrayRef<int64_t> ofDevice);
  /// A condition for each device, as tensor<i1>.
  mlir::Value condition(llvm::ArrayRef<bool> ofDevice);
  /// A scalar tensor.
  mlir::Value scalar(mlir::Type element, mlir::Attribute value);
  mlir::Value zero(mlir::Type element);
  mlir::Value broadcast(mlir::Value scalar, llvm::ArrayRef<int64_t> shape);

  /// The elements that a device needs, from those that it has. Elements outside
  /// the tensor are `fill`, or unspecified without it. Boxes are written into
  /// `buffer` if there is one.
  mlir::Value move(mlir::Value local, const Movement &movement,
                   const Need &need, mlir::Value fill = {},
                   mlir::Value buffer = {});

  /// The combination of the values of the devices along the axes. `combine`
  /// is an operation of two scalars.
  mlir::Value allReduce(mlir::Value local, llvm::ArrayRef<unsigned> axes,
                        mlir::OperationName combine);
  /// The same, of which each device has its part along a dimension.
  mlir::Value reduceScatter(mlir::Value local, llvm::ArrayRef<unsigned> axes,
                            unsigned dim, mlir::OperationName combine);

  /// The body of a reduction: one operation of two scalars.
  void fillReduction(mlir::Region &region, mlir::Type element,
                     mlir::OperationName combine);

private:
  mlir::Value tableElement(mlir::DenseElementsAttr table);
  mlir::Value step(mlir::Value local, const Movement::Step &step);
  mlir::Value sliceAt(mlir::Value local, llvm::ArrayRef<int64_t> sizes,
                      llvm::ArrayRef<std::vector<int64_t>> starts);
  mlir::DenseIntElementsAttr groups(llvm::ArrayRef<unsigned> axes);
  mlir::Attribute channel();

  const Mesh &mesh;
  mlir::Value partition;
  mlir::Operation *lastTable = nullptr;
  std::map<const void *, mlir::Value> tables; ///< by the attribute
  int64_t channels = 0;
};

} // namespace mercator::spmd

#endif // MERCATOR_TRANSFORMS_SPMD_EMITTER_H
