// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/hlo/ReplicaGroups.h"
#include "mercator/frontends/hlo/ValueReader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

#include <map>

using namespace mercator::hlo;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

/// The product of positive factors; -1 if it is too large.
static int64_t productOf(ArrayRef<int64_t> factors) {
  int64_t result = 1;
  for (int64_t factor : factors)
    if (factor < 1 || factor > kMaxGroupEntries ||
        (result *= factor) > kMaxGroupEntries)
      return -1;
  return result;
}

/// `{{0,1},{2,3}}`.
static std::optional<ReplicaGroups> readLists(ValueReader reader) {
  SmallVector<SmallVector<int64_t>> rows;
  if (!reader.consume("{"))
    return std::nullopt;
  if (!reader.consume("}")) {
    do {
      if (!reader.numbers("{", "}", rows.emplace_back()))
        return std::nullopt;
    } while (reader.consume(","));
    if (!reader.consume("}"))
      return std::nullopt;
  }
  ReplicaGroups groups;
  groups.rows = rows.size();
  for (const auto &row : rows)
    groups.columns = std::max<int64_t>(groups.columns, row.size());
  if (groups.rows * groups.columns > kMaxGroupEntries || !reader.atEnd())
    return std::nullopt;
  for (const auto &row : rows) {
    llvm::append_range(groups.ids, row);
    groups.ids.insert(groups.ids.end(), groups.columns - row.size(), -1);
  }
  return groups;
}

/// The numbers 0, 1, .. in the shape `dims`, with its dimensions permuted.
static std::optional<std::vector<int64_t>>
transposedIota(ArrayRef<int64_t> dims, ArrayRef<int64_t> permutation) {
  int64_t total = productOf(dims);
  if (total < 0 || permutation.size() != dims.size())
    return std::nullopt;
  llvm::SmallBitVector seen(dims.size());
  for (int64_t dim : permutation) {
    if (dim < 0 || dim >= int64_t(dims.size()) || seen.test(dim))
      return std::nullopt;
    seen.set(dim);
  }
  SmallVector<int64_t> strides(dims.size(), 1);
  for (int64_t i = int64_t(dims.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * dims[i + 1];
  std::vector<int64_t> values;
  for (int64_t n = 0; n < total; ++n) {
    int64_t rest = n, value = 0;
    for (int64_t dim : llvm::reverse(permutation)) {
      value += rest % dims[dim] * strides[dim];
      rest /= dims[dim];
    }
    values.push_back(value);
  }
  return values;
}

/// `[2,4]` or `[2,4]T(1,0)`.
static std::optional<std::vector<int64_t>> readIota(ValueReader &reader) {
  SmallVector<int64_t> dims, permutation;
  if (!reader.numbers("[", "]", dims))
    return std::nullopt;
  if (!reader.consume("T"))
    permutation = llvm::to_vector(llvm::seq<int64_t>(0, dims.size()));
  else if (!reader.numbers("(", ")", permutation))
    return std::nullopt;
  return transposedIota(dims, permutation);
}

/// `[2,4]<=[8]`.
static std::optional<ReplicaGroups> readIotaGroups(ValueReader reader) {
  SmallVector<int64_t> shape;
  if (!reader.numbers("[", "]", shape) || !reader.consume("<="))
    return std::nullopt;
  std::optional<std::vector<int64_t>> ids = readIota(reader);
  if (!ids || !reader.atEnd() || shape.size() != 2 ||
      productOf(shape) != int64_t(ids->size()))
    return std::nullopt;
  return ReplicaGroups{shape[0], shape[1], std::move(*ids)};
}

//===----------------------------------------------------------------------===//
// Meshes
//===----------------------------------------------------------------------===//

namespace {
struct Mesh {
  SmallVector<llvm::StringRef> names;
  SmallVector<int64_t> sizes;
  std::vector<int64_t> devices; // row by row
};

/// An axis, or a part of it: the middle one of the sizes (before, size, after).
struct Axis {
  size_t number;
  int64_t size, after;
};
} // namespace

static std::optional<Mesh> readMesh(ValueReader &reader) {
  Mesh mesh;
  if (!reader.consume("mesh") || !reader.consume("["))
    return std::nullopt;
  do {
    if (!reader.name(mesh.names.emplace_back()) || !reader.consume("=") ||
        !reader.number(mesh.sizes.emplace_back()))
      return std::nullopt;
  } while (reader.consume(","));
  int64_t total = productOf(mesh.sizes);
  if (!reader.consume("]") || total < 0)
    return std::nullopt;
  if (!reader.consume(",")) {
    llvm::append_range(mesh.devices, llvm::seq<int64_t>(0, total));
    return mesh;
  }
  if (!reader.consume("device_ids") || !reader.consume("="))
    return std::nullopt;
  SmallVector<int64_t> listed;
  ValueReader list = reader;
  if (list.numbers("(", ")", listed)) {
    mesh.devices.assign(listed.begin(), listed.end());
    reader = list;
  } else {
    if (!reader.consume("("))
      return std::nullopt;
    std::optional<std::vector<int64_t>> ids = readIota(reader);
    if (!ids || !reader.consume(")"))
      return std::nullopt;
    mesh.devices = std::move(*ids);
  }
  llvm::SmallBitVector seen(total);
  for (int64_t device : mesh.devices) {
    if (device < 0 || device >= total || seen.test(device))
      return std::nullopt;
    seen.set(device);
  }
  if (int64_t(mesh.devices.size()) != total)
    return std::nullopt;
  return mesh;
}

/// `{'x','y':(2)2}`.
static bool readAxes(ValueReader &reader, const Mesh &mesh,
                     SmallVectorImpl<Axis> &axes) {
  if (!reader.consume("{"))
    return false;
  do {
    llvm::StringRef name;
    if (!reader.name(name))
      return false;
    const auto *found = llvm::find(mesh.names, name);
    if (found == mesh.names.end())
      return false;
    size_t number = found - mesh.names.begin();
    Axis axis{number, mesh.sizes[number], 1};
    if (reader.consume(":")) {
      SmallVector<int64_t> before;
      if (!reader.numbers("(", ")", before) || before.size() != 1 ||
          !reader.number(axis.size))
        return false;
      int64_t part = productOf({before[0], axis.size});
      if (part < 0 || mesh.sizes[number] % part != 0)
        return false;
      axis.after = mesh.sizes[number] / part;
    }
    axes.push_back(axis);
  } while (reader.consume(","));
  return reader.consume("}");
}

/// `mesh['x'=2,'y'=4] {'y'}`.
static std::optional<ReplicaGroups> readMeshGroups(ValueReader reader) {
  std::optional<Mesh> mesh = readMesh(reader);
  SmallVector<Axis> axes;
  if (!mesh || !readAxes(reader, *mesh, axes) || !reader.atEnd())
    return std::nullopt;
  SmallVector<int64_t> counts;
  for (const Axis &axis : axes)
    counts.push_back(axis.size);
  ReplicaGroups groups;
  groups.columns = productOf(counts);
  if (groups.columns < 0)
    return std::nullopt;
  SmallVector<int64_t> strides(mesh->sizes.size(), 1);
  for (size_t i = mesh->sizes.size() - 1; i-- > 0;)
    strides[i] = strides[i + 1] * mesh->sizes[i + 1];

  // The device number without the digits of the axes identifies the group.
  std::map<int64_t, int64_t> rows;
  groups.ids.assign(mesh->devices.size(), -1);
  for (auto [place, device] : llvm::enumerate(mesh->devices)) {
    int64_t rest = place, member = 0;
    for (const Axis &axis : axes) {
      int64_t stride = strides[axis.number] * axis.after;
      int64_t along = int64_t(place) / stride % axis.size;
      rest -= along * stride;
      member = member * axis.size + along;
    }
    int64_t row = rows.try_emplace(rest, rows.size()).first->second;
    int64_t slot = row * groups.columns + member;
    if (slot >= int64_t(groups.ids.size()) || groups.ids[slot] != -1)
      return std::nullopt; // the axes overlap
    groups.ids[slot] = device;
  }
  groups.rows = rows.size();
  if (groups.rows * groups.columns != int64_t(groups.ids.size()))
    return std::nullopt;
  return groups;
}

std::optional<ReplicaGroups>
mercator::hlo::readReplicaGroups(llvm::StringRef text) {
  if (auto groups = readLists({text}))
    return groups;
  if (auto groups = readIotaGroups({text}))
    return groups;
  return readMeshGroups({text});
}
