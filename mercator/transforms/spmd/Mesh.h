// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Devices along named axes, and the division of a tensor among them.
///
///   mesh       "data"=2, "model"=4            8 devices
///   sharding   [{"data"}, {}, {"model"}]      of tensor<8x3x12xf32>
///
///   shard      4 x 3 x 3 on each device
///   device 6   data = 1, model = 2: elements [4:8, 0:3, 6:9]
///
/// The axes are written from the slowest to the fastest. A part of an axis
/// (Shardy's sub-axis `"x":(2)2`) is an axis of its own here: a mesh is refined
/// until every sharding of the program uses whole axes.
///
/// A tensor of size n along a dimension that is divided among k devices has
/// shards of ceil(n / k) elements. Device i holds the elements from i * shard up
/// to (i + 1) * shard, cut at n. If k does not divide n, the memory of the last
/// devices holds unspecified elements behind its own.

#ifndef MERCATOR_TRANSFORMS_SPMD_MESH_H
#define MERCATOR_TRANSFORMS_SPMD_MESH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mercator::spmd {

struct Axis {
  std::string name;
  std::string part = {}; ///< empty, or the part of the axis: `:(2)2`
  int64_t size = 1;
  int64_t stride = 1; ///< between neighbors, in positions
};

/// The numbers of axes of a mesh, from the slowest to the fastest.
using Axes = llvm::SmallVector<unsigned, 2>;

struct Mesh {
  std::vector<Axis> axes;
  std::vector<int64_t> ids; ///< the device at each position; empty: in order
  int64_t devices = 1;

  /// Along one axis.
  [[nodiscard]] int64_t coordinate(int64_t device, unsigned axis) const;
  /// Along several axes together, the last one fastest.
  [[nodiscard]] int64_t coordinate(int64_t device,
                                   llvm::ArrayRef<unsigned> axes) const;
  /// The device with this coordinate along the axes, and the coordinates of
  /// `device` along all others.
  [[nodiscard]] int64_t neighbor(int64_t device, llvm::ArrayRef<unsigned> axes,
                                 int64_t coordinate) const;
  [[nodiscard]] int64_t size(llvm::ArrayRef<unsigned> axes) const;
  /// The groups of devices that differ along these axes only, each in the order
  /// of its coordinate.
  [[nodiscard]] std::vector<std::vector<int64_t>>
  groups(llvm::ArrayRef<unsigned> axes) const;

  /// `"data"=2, "model"=4`.
  void print(llvm::raw_ostream &os) const;

  /// Computes `devices` and the strides from the sizes, and the table of
  /// positions from `ids`. Called once, after the axes are known.
  void finish();

private:
  [[nodiscard]] int64_t position(int64_t device) const {
    return positions.empty() ? device : positions[device];
  }
  std::vector<int64_t> positions; ///< of each device; empty: itself
};

struct Sharding {
  llvm::SmallVector<Axes, 4> dims;
  /// Dimensions that propagation may divide further.
  llvm::SmallVector<bool, 4> isOpen;
  /// Axes that must divide no dimension.
  Axes replicated;

  /// No axes, all dimensions open.
  [[nodiscard]] static Sharding open(size_t rank);
  /// No axes, all dimensions closed.
  [[nodiscard]] static Sharding whole(size_t rank);

  [[nodiscard]] size_t rank() const { return dims.size(); }
  /// Whether an axis divides a dimension.
  [[nodiscard]] bool uses(unsigned axis) const;
  /// Whether every device has the whole tensor.
  [[nodiscard]] bool isWhole() const;
  [[nodiscard]] bool sameDivision(const Sharding &other) const {
    return dims == other.dims;
  }
  /// The part of a device along each dimension.
  [[nodiscard]] llvm::SmallVector<int64_t> partOf(const Mesh &mesh,
                                                  int64_t device) const;
  /// The sizes of a shard.
  [[nodiscard]] llvm::SmallVector<int64_t>
  shardOf(const Mesh &mesh, llvm::ArrayRef<int64_t> shape) const;
  /// Whether all shards are full along this dimension.
  [[nodiscard]] bool isEven(const Mesh &mesh, llvm::ArrayRef<int64_t> shape,
                            size_t dim) const;
  [[nodiscard]] bool isEven(const Mesh &mesh,
                            llvm::ArrayRef<int64_t> shape) const;

  /// `[{"data"}, {?}]`.
  void print(llvm::raw_ostream &os, const Mesh &mesh) const;
  [[nodiscard]] std::string text(const Mesh &mesh) const;
};

} // namespace mercator::spmd

#endif // MERCATOR_TRANSFORMS_SPMD_MESH_H
