// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Partitions a program among the devices of a mesh: one program that all
/// devices run, each on its shards.
///
///   sdy.mesh @mesh = <["a"=4]>
///   func.func @main(%x: tensor<8x16xf32> {[{"a"}, {}]}, %w: tensor<16x4xf32>
///                   {[{}, {}]}) -> tensor<8x4xf32> {
///     %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
///
/// becomes
///
///   func.func @main(%x: tensor<2x16xf32>, %w: tensor<16x4xf32>)
///       -> tensor<2x4xf32> {
///     %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
///
/// The law. Run by all devices on the shards of the arguments, the program gives
/// the shards of the results of the original program; sums that are completed by
/// a collective may be rounded differently. The maps of each operation decide
/// what a device needs of each operand (Factors.h), a plan says what is sent
/// (Movement.h), and the maps judge the plan again: the elements that the shard
/// of the result reads lie in the box that was moved. `Request::proves` asks for
/// more: the maps of the code that was written, over all devices (Proof.h).
///
/// An operation that is not understood is computed on whole operands by every
/// device, and the report says why. Refused, with an error: tensors of dynamic
/// shape, tuples and tokens, random numbers without a state, collectives outside
/// of manual computations, calls with side effects.
///
/// Complexity: linear in the program, times the devices that a movement meets.

#ifndef MERCATOR_TRANSFORMS_SPMD_PARTITION_H
#define MERCATOR_TRANSFORMS_SPMD_PARTITION_H

#include "mercator/transforms/spmd/Annotations.h"
#include "mercator/transforms/spmd/Proof.h"

namespace mercator::spmd {

/// What an operation receives of one operand.
struct OperandReport {
  unsigned operand = 0;
  std::string has, movement;
  std::string map;                 ///< that says which elements are read
  int64_t received = 0, least = 0; ///< bytes, of the device that gets the most
  int64_t receivedByAll = 0, leastOfAll = 0;
  double microseconds = 0; ///< predicted, if there is a cluster
};

struct OperationReport {
  mlir::Location loc;
  std::string at = {};       ///< `f.mlir:12`, as the caller names places
  std::string name = {};     ///< `dot_general`
  std::string sharding = {}; ///< of the first result
  std::vector<OperandReport> operands = {}; ///< of which something is sent
  std::string reduction = {};               ///< `all-reduce model`
  int64_t reduced = 0; ///< bytes that a device receives for it
  double reducedMicroseconds = 0;
  std::string whole = {};  ///< why it is computed on whole operands; else empty
  int64_t resultBytes = 0; ///< of the shards of a device
};

/// Whether the devices read what an operation reads.
struct ProofReport {
  mlir::Location loc;
  std::string at = {}; ///< as in OperationReport
  std::string name = {};
  OperationProof proof = {};
};

struct PartitionReport {
  Mesh mesh;
  std::vector<Sharding> arguments, results;
  std::vector<OperationReport> operations; ///< in the order of the program
  /// Of every operation, if the request asks for it; and of what is moved where
  /// loops, branches and manual computations begin and end, and of the results.
  std::vector<ProofReport> proofs;
  std::vector<std::string> conflicts;
  int64_t argumentBytes = 0; ///< on a device
  int64_t peakBytes = 0; ///< arguments, and the values that live at one time
  /// Bytes over the whole program: received for operands by the device that gets
  /// the most, the same for all devices together and its minimum, and received by
  /// a device for sums.
  int64_t received = 0, receivedByAll = 0, leastOfAll = 0, reduced = 0;
  /// Elements computed, times the terms of a sum: by a device, and by one device
  /// that has the whole program.
  double work = 0, wholeWork = 0;
  /// Predicted, if there is a cluster (Times.h).
  double sendMicroseconds = 0, computeMicroseconds = 0;
};

/// Replaces the function with its partitioned form, and removes the functions
/// that it called and the meshes. Fails after an error; the module is then not
/// to be used.
[[nodiscard]] llvm::FailureOr<PartitionReport>
partition(mlir::func::FuncOp function, const Request &request);

} // namespace mercator::spmd

#endif // MERCATOR_TRANSFORMS_SPMD_PARTITION_H
