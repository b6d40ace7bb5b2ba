// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/spmd/Mesh.h"

#include "llvm/ADT/STLExtras.h"

using namespace mercator::spmd;
using llvm::ArrayRef;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Meshes
//===----------------------------------------------------------------------===//

void Mesh::finish() {
  devices = 1;
  for (Axis &axis : llvm::reverse(axes)) {
    axis.stride = devices;
    devices *= axis.size;
  }
  positions.clear();
  if (ids.empty())
    return;
  positions.resize(devices);
  for (auto [position, id] : llvm::enumerate(ids))
    positions[id] = position;
}

int64_t Mesh::coordinate(int64_t device, unsigned axis) const {
  return position(device) / axes[axis].stride % axes[axis].size;
}

int64_t Mesh::coordinate(int64_t device, ArrayRef<unsigned> along) const {
  int64_t result = 0;
  for (unsigned axis : along)
    result = result * axes[axis].size + coordinate(device, axis);
  return result;
}

int64_t Mesh::neighbor(int64_t device, ArrayRef<unsigned> along,
                       int64_t coordinate) const {
  int64_t place = position(device);
  for (unsigned axis : llvm::reverse(along)) {
    const auto &[name, part, size, stride] = axes[axis];
    place += (coordinate % size - place / stride % size) * stride;
    coordinate /= size;
  }
  return ids.empty() ? place : ids[place];
}

int64_t Mesh::size(ArrayRef<unsigned> along) const {
  int64_t result = 1;
  for (unsigned axis : along)
    result *= axes[axis].size;
  return result;
}

std::vector<std::vector<int64_t>> Mesh::groups(ArrayRef<unsigned> along) const {
  std::vector<std::vector<int64_t>> result;
  int64_t count = size(along);
  for (int64_t device = 0; device < devices; ++device) {
    if (coordinate(device, along) != 0)
      continue;
    std::vector<int64_t> &group = result.emplace_back();
    for (int64_t i = 0; i < count; ++i)
      group.push_back(neighbor(device, along, i));
  }
  return result;
}

void Mesh::print(llvm::raw_ostream &os) const {
  llvm::interleaveComma(axes, os, [&](const Axis &axis) {
    os << '"' << axis.name << '"' << axis.part << '=' << axis.size;
  });
}

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

Sharding Sharding::open(size_t rank) {
  Sharding sharding = whole(rank);
  sharding.isOpen.assign(rank, true);
  return sharding;
}

Sharding Sharding::whole(size_t rank) {
  Sharding sharding;
  sharding.dims.resize(rank);
  sharding.isOpen.assign(rank, false);
  return sharding;
}

bool Sharding::uses(unsigned axis) const {
  return llvm::any_of(
      dims, [&](const Axes &axes) { return llvm::is_contained(axes, axis); });
}

bool Sharding::isWhole() const {
  return llvm::all_of(dims, [](const Axes &axes) { return axes.empty(); });
}

SmallVector<int64_t> Sharding::partOf(const Mesh &mesh, int64_t device) const {
  SmallVector<int64_t> part;
  for (const Axes &axes : dims)
    part.push_back(mesh.coordinate(device, axes));
  return part;
}

SmallVector<int64_t> Sharding::shardOf(const Mesh &mesh,
                                       ArrayRef<int64_t> shape) const {
  SmallVector<int64_t> sizes;
  for (auto [axes, size] : llvm::zip_equal(dims, shape)) {
    int64_t parts = mesh.size(axes);
    sizes.push_back((size + parts - 1) / parts);
  }
  return sizes;
}

bool Sharding::isEven(const Mesh &mesh, ArrayRef<int64_t> shape,
                      size_t dim) const {
  return shape[dim] % mesh.size(dims[dim]) == 0;
}

bool Sharding::isEven(const Mesh &mesh, ArrayRef<int64_t> shape) const {
  for (size_t dim = 0; dim < dims.size(); ++dim)
    if (!isEven(mesh, shape, dim))
      return false;
  return true;
}

void Sharding::print(llvm::raw_ostream &os, const Mesh &mesh) const {
  os << '[';
  for (size_t dim = 0; dim < dims.size(); ++dim) {
    os << (dim ? ", {" : "{");
    llvm::interleaveComma(dims[dim], os, [&](unsigned axis) {
      os << '"' << mesh.axes[axis].name << '"' << mesh.axes[axis].part;
    });
    os << '}';
  }
  os << ']';
}

std::string Sharding::text(const Mesh &mesh) const {
  std::string result;
  llvm::raw_string_ostream os(result);
  print(os, mesh);
  return result;
}
