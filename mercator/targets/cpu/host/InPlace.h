// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Which tensors of a host program share a buffer, and which are copied.
///
///   ^loop(%i: tensor<i32>, %a: tensor<9xf32>):
///     %b = flow.tensor.update %x, %a[%k] : tensor<1xf32> -> %a as tensor<9xf32>
///     cf.br ^loop(%j, %b)
///
/// %a and %b share a buffer: %a is not used after the update. No iteration
/// copies it.
///
/// Problem. Some operations ask for one buffer for two tensors: an update for
/// its target and its result, a branch for an operand and the argument of the
/// block. Each request that is not granted is a copy. Two tensors must not share
/// a buffer if one is written while the other is needed. Constants and the
/// caller's tensors are not written at all, but for those that the caller gives
/// away: parameters with the attribute `tf.aliasing_output` or `jax.buffer_donor`.
///
/// Decision. Tensors of equal elements share a buffer first: a reshape and its
/// operand, an argument that every branch gives the same tensor. Then each
/// request is granted unless the lifetimes of the two groups of tensors overlap,
/// the most expensive first: by the depth of loops, then by bytes.
///
/// Rotation. Where a loop gives a tensor to its next iteration in another buffer
/// of the same size, the two buffers may exchange places: the block has their
/// addresses as arguments.
///
///   ^loop(%a, %b):           // at %p, %q
///     cf.br ^loop(%b, %a)    // at %q, %p: nothing is copied
///
/// The lifetimes are those of SSA values, in an order of all operations (Boissinot
/// et al., "Revisiting Out-of-SSA Translation", 2009). Time: nearly linear in the
/// operations and in the blocks that tensors are alive in.

#ifndef MERCATOR_TARGETS_CPU_HOST_INPLACE_H
#define MERCATOR_TARGETS_CPU_HOST_INPLACE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

#include <vector>

namespace mercator::cpu {

/// Why an operation copies a tensor.
enum class CopyReason {
  Used,     ///< the tensor is needed afterwards
  Constant, ///< it is a constant of the program
  Input,    ///< it is in the caller's memory
  Extents,  ///< its size is known only when the program runs
  Result    ///< it is a result, and lies in another buffer
};
[[nodiscard]] llvm::StringRef spell(CopyReason reason);

/// A request for one buffer that was not granted.
struct CopiedTensor {
  mlir::Operation *op; ///< the update, or the branch
  mlir::Value from, to;
  CopyReason reason;
};

/// Buffers of loops up to this size lie on the stack, and in registers where
/// LLVM can: they are copied, not rotated.
inline constexpr int64_t kMostStackBytes = 256;

/// Buffers whose places a loop permutes.
struct Rotation {
  /// Numbers of buffers.
  std::vector<unsigned> buffers;
  /// For each of them the one whose place it has in the next iteration.
  std::vector<unsigned> next;
  mlir::Block *latch = nullptr; ///< its branch begins the next iteration
};

class InPlace {
public:
  /// `source`: a function of blocks, in an order where a block follows those
  /// that dominate it, and where only cf.br passes values.
  /// With `usesDonations`, parameters that the caller gives away are written.
  explicit InPlace(mlir::func::FuncOp source, bool usesDonations = false);

  /// Tensors that share memory.
  struct Buffer {
    std::vector<mlir::Value> members;
    /// The parameter or the constant whose memory it is. It is never written.
    mlir::Value fixed;
    /// The parameter whose memory it is, and which may be written.
    mlir::Value donated;
    int64_t bytes = -1;  ///< -1 if a member has unknown extents
    int64_t result = -1; ///< the number of the result whose memory it is
    unsigned depth = 0;  ///< the loops around its innermost member
    bool isRotated = false;
  };

  [[nodiscard]] unsigned bufferOf(mlir::Value tensor) const {
    return numbers.lookup(tensor);
  }
  [[nodiscard]] bool areTogether(mlir::Value a, mlir::Value b) const {
    return bufferOf(a) == bufferOf(b);
  }
  [[nodiscard]] const Buffer &operator[](unsigned buffer) const {
    return buffers[buffer];
  }
  [[nodiscard]] size_t size() const { return buffers.size(); }
  [[nodiscard]] const std::vector<CopiedTensor> &copies() const {
    return copied;
  }
  /// The tensor that all branches give this argument; null if they differ.
  [[nodiscard]] mlir::Value equalTo(mlir::BlockArgument argument) const {
    return equal.lookup(argument);
  }
  /// By the blocks that begin the loops.
  [[nodiscard]] const llvm::MapVector<mlir::Block *, Rotation> &
  allRotations() const {
    return rotations;
  }
  /// The rotation of the loop that begins with `block`, or null.
  [[nodiscard]] const Rotation *rotationAt(mlir::Block *block) const {
    auto found = rotations.find(block);
    return found == rotations.end() ? nullptr : &found->second;
  }
  /// The loops around a block.
  [[nodiscard]] unsigned depthOf(mlir::Block *block) const {
    return depths.lookup(block);
  }

private:
  friend class InPlaceAnalysis;
  std::vector<Buffer> buffers;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::DenseMap<mlir::Block *, unsigned> depths;
  llvm::DenseMap<mlir::Value, mlir::Value> equal;
  std::vector<CopiedTensor> copied;
  llvm::MapVector<mlir::Block *, Rotation> rotations;
};

/// The tensor whose elements `result` of `op` has, in another type; null if the
/// operation makes elements.
[[nodiscard]] mlir::Value sameElements(mlir::OpResult result);

/// The tensor that `op` updates to make `result`; null if it makes a new one.
[[nodiscard]] mlir::Value updatedTensor(mlir::OpResult result);

/// Whether a tensor is a constant, or a parameter that the caller does not give away:
/// its memory is never written. Without `usesDonations`, the caller gives nothing away.
[[nodiscard]] bool isFixed(mlir::Value tensor, bool usesDonations);

/// The bytes of a tensor, or -1 if an extent is not known.
[[nodiscard]] int64_t bytesOf(mlir::Value tensor);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_HOST_INPLACE_H
