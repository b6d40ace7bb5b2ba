// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsing of replica groups, and the search for digits of the device number
// that describe them.

#include "mercator/analysis/maps/DeviceGroups.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;

/// The limit on the number of devices, which keeps the tables small.
static constexpr int64_t kMaxDevices = 1 << 16;

DeviceGrid maps::deviceGrid(mlir::Operation *op) {
  DeviceGrid grid;
  auto module = op->getParentOfType<mlir::ModuleOp>();
  if (!module)
    return grid;
  auto read = [&](llvm::StringRef name) -> std::optional<int64_t> {
    auto number = module->getAttrOfType<mlir::IntegerAttr>(name);
    if (!number || number.getValue().getSignificantBits() > 62 ||
        number.getInt() < 1 || number.getInt() > kMaxDevices)
      return std::nullopt;
    return number.getInt();
  };
  grid.replicas = read("mhlo.num_replicas");
  grid.partitions = read("mhlo.num_partitions");
  return grid;
}

std::optional<DeviceGroups> DeviceGroups::of(mlir::Operation *op,
                                             ReplicaGroupKind grouping) {
  auto table = op->getAttrOfType<mlir::DenseIntElementsAttr>("replica_groups");
  if (!table || table.getType().getRank() != 2 ||
      table.getNumElements() > kMaxDevices)
    return std::nullopt;
  std::vector<std::vector<int64_t>> rows;
  int64_t columns = table.getType().getDimSize(1), place = 0, ids = 0;
  for (const llvm::APInt &id : table.getValues<llvm::APInt>()) {
    if (place++ % columns == 0)
      rows.emplace_back();
    int64_t value = id.getSExtValue();
    if (value < 0) // the end of a short row
      continue;
    if (value >= kMaxDevices)
      return std::nullopt;
    rows.back().push_back(value);
    ids = std::max(ids, value + 1);
  }
  DeviceGrid grid = deviceGrid(op);
  // The largest number in the groups bounds the number of replicas or
  // partitions from below.
  bool numbersReplicas = grouping != ReplicaGroupKind::Partitions;
  int64_t partitions = grid.partitions.value_or(1);
  int64_t replicas = grid.replicas.value_or(1);
  DeviceGroups out;
  if (rows.empty()) {
    bool isKnown = grouping == ReplicaGroupKind::Devices
                       ? grid.replicas && grid.partitions
                   : numbersReplicas ? grid.replicas.has_value()
                                     : grid.partitions.has_value();
    if (!isKnown) { // one group of all devices
      out.count = out.size = Interval::kMax;
      out.digits = {{1, Interval::kMax, 1}};
      out.regular = true;
      return out;
    }
    ids = grouping == ReplicaGroupKind::Devices ? replicas * partitions
          : numbersReplicas                     ? replicas
                                                : partitions;
    rows.emplace_back();
    for (int64_t id = 0; id < ids; ++id)
      rows.back().push_back(id);
  }
  if (grouping == ReplicaGroupKind::Devices)
    out.count = std::max(ids, replicas * partitions);
  else if (numbersReplicas)
    out.count = (replicas = std::max(replicas, ids)) * partitions;
  else
    out.count = replicas * (partitions = std::max(partitions, ids));
  if (out.count > kMaxDevices)
    return std::nullopt;

  auto each = [&](int64_t times, auto number) {
    for (const std::vector<int64_t> &row : rows)
      for (int64_t i = 0; i < times; ++i) {
        out.groups.emplace_back();
        for (int64_t id : row)
          out.groups.back().push_back(number(id, i));
      }
  };
  switch (grouping) {
  case ReplicaGroupKind::Devices:
    out.groups = rows;
    break;
  case ReplicaGroupKind::Replicas:
    each(partitions,
         [&](int64_t id, int64_t i) { return id * partitions + i; });
    break;
  case ReplicaGroupKind::Partitions:
    each(replicas, [&](int64_t id, int64_t i) { return i * partitions + id; });
    break;
  case ReplicaGroupKind::ReplicasAllPartitions:
    for (const std::vector<int64_t> &row : rows) {
      out.groups.emplace_back();
      for (int64_t i = 0; i < partitions; ++i)
        for (int64_t id : row)
          out.groups.back().push_back(id * partitions + i);
    }
    break;
  }
  llvm::erase_if(out.groups, [](const auto &group) { return group.empty(); });
  out.findDigits();
  return out;
}

/// Finds the digits from the first group, and checks them on all groups.
void DeviceGroups::findDigits() {
  if (groups.empty())
    return;
  const std::vector<int64_t> &first = groups.front();
  size = first.size();
  int64_t weight = 1, covered = 0;
  while (weight < size) {
    int64_t stride = first[weight] - first[0], digit = 1;
    if (stride <= 0)
      return;
    while (weight * (digit + 1) <= size &&
           (weight * digit >= size ||
            first[weight * digit] - first[0] == digit * stride))
      ++digit;
    if (size % (weight * digit) != 0)
      return;
    digits.push_back({stride, digit, weight});
    weight *= digit;
  }
  for (const std::vector<int64_t> &group : groups) {
    if ((int64_t)group.size() != size)
      return;
    covered += size;
    for (auto [i, device] : llvm::enumerate(group))
      for (const Digit &d : digits)
        if ((device / d.stride) % d.size != (int64_t(i) / d.weight) % d.size)
          return;
    for (auto [i, device] : llvm::enumerate(group)) {
      int64_t expected = group[0];
      for (const Digit &d : digits)
        expected += d.stride * ((int64_t(i) / d.weight) % d.size);
      if (device != expected)
        return;
    }
  }
  // A device may be in no group.
  regular = covered == count;
}

Expr DeviceGroups::member(Arena &arena, Expr device, Expr position) const {
  if (size == count && digits.size() == 1)
    return position;
  if (digits.size() == 1) { // an equal form that is easier to read
    int64_t stride = digits[0].stride, block = stride * size;
    return arena.add(
        arena.add(arena.scale(arena.floorDiv(device, block), block),
                  arena.mod(device, stride)),
        arena.scale(position, stride));
  }
  Expr out = device;
  for (const Digit &d : digits) {
    Expr own = arena.mod(arena.floorDiv(device, d.stride), d.size);
    Expr other = arena.mod(arena.floorDiv(position, d.weight), d.size);
    out = arena.add(out, arena.scale(arena.sub(other, own), d.stride));
  }
  return out;
}

Expr DeviceGroups::position(Arena &arena, Expr device) const {
  if (size == count && digits.size() == 1)
    return device;
  Expr out = arena.constant(0);
  for (const Digit &d : digits)
    out = arena.add(
        out, arena.scale(arena.mod(arena.floorDiv(device, d.stride), d.size),
                         d.weight));
  return out;
}
