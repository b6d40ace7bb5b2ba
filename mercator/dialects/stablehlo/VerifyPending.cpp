// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers that are not written yet.

#include "mercator/dialects/stablehlo/Verify.h"

using namespace mlir;
using namespace mercator::stablehlo;

LogicalResult AllToAllOp::verify() { return success(); }
LogicalResult AsyncDoneOp::verify() { return success(); }
LogicalResult AsyncStartOp::verify() { return success(); }
LogicalResult CholeskyOp::verify() { return success(); }
LogicalResult CollectiveBroadcastOp::verify() { return success(); }
LogicalResult CollectivePermuteOp::verify() { return success(); }
LogicalResult CollectiveReduceOp::verify() { return success(); }
LogicalResult CompositeOp::verify() { return success(); }
LogicalResult CrossReplicaSumOp::verify() { return success(); }
LogicalResult CustomCallOp::verify() { return success(); }
LogicalResult DynamicConvOp::verify() { return success(); }
LogicalResult EinsumOp::verify() { return success(); }
LogicalResult FftOp::verify() { return success(); }
LogicalResult InfeedOp::verify() { return success(); }
LogicalResult MapOp::verify() { return success(); }
LogicalResult OptimizationBarrierOp::verify() { return success(); }
LogicalResult PartitionIdOp::verify() { return success(); }
LogicalResult RecvOp::verify() { return success(); }
LogicalResult ReduceScatterOp::verify() { return success(); }
LogicalResult ReplicaIdOp::verify() { return success(); }
LogicalResult RngBitGeneratorOp::verify() { return success(); }
LogicalResult RngOp::verify() { return success(); }
LogicalResult SelectAndScatterOp::verify() { return success(); }
LogicalResult SendOp::verify() { return success(); }
LogicalResult TriangularSolveOp::verify() { return success(); }
LogicalResult UnaryEinsumOp::verify() { return success(); }

/// A mesh that replica groups name exists.
static LogicalResult verifyMesh(Operation *op, Attribute groups,
                                SymbolTableCollection &symbols) {
  auto axes = dyn_cast<ReplicaGroupMeshAxesAttr>(groups);
  auto mesh =
      axes ? dyn_cast<FlatSymbolRefAttr>(axes.getMesh()) : FlatSymbolRefAttr();
  if (!mesh || symbols.lookupNearestSymbolFrom(op, mesh))
    return success();
  return op->emitOpError() << "expected a mesh, got no symbol " << mesh;
}

LogicalResult AllGatherOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyMesh(*this, getReplicaGroups(), symbols);
}
LogicalResult AllReduceOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyMesh(*this, getReplicaGroups(), symbols);
}
LogicalResult AllToAllOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyMesh(*this, getReplicaGroups(), symbols);
}
LogicalResult
CollectiveBroadcastOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyMesh(*this, getReplicaGroups(), symbols);
}
LogicalResult
CollectiveReduceOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyMesh(*this, getReplicaGroups(), symbols);
}
LogicalResult
ReduceScatterOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyMesh(*this, getReplicaGroups(), symbols);
}

LogicalResult CompositeOp::verifySymbolUses(SymbolTableCollection &) {
  return success();
}
