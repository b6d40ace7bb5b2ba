// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/stablehlo/collectives/Groups.h"
#include "mercator/dialects/sdy/Sdy.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace mercator::stablehlo {

int64_t ProcessGroups::size() const {
  size_t most = 0;
  for (const std::vector<int64_t> &group : groups)
    most = std::max(most, group.size());
  return int64_t(most);
}

bool ProcessGroups::isRegular() const {
  return llvm::all_of(groups, [&](const std::vector<int64_t> &group) {
    return int64_t(group.size()) == size();
  });
}

int64_t channelOf(Operation *op) {
  auto handle = op->getAttrOfType<ChannelHandleAttr>("channel_handle");
  return handle ? handle.getHandle() : 0;
}

namespace {
/// The meaning of a number in `replica_groups`.
enum class Meaning { Replica, Partition, ReplicaInAllPartitions, Process };
} // namespace

static Meaning meaningOf(Operation *op) {
  if (op->hasAttr("use_global_device_ids") ||
      isa_and_nonnull<ReplicaGroupMeshAxesAttr>(op->getAttr("replica_groups")))
    return Meaning::Process;
  if (isa<CrossReplicaSumOp>(op) || channelOf(op) <= 0)
    return Meaning::Replica;
  if (isa<AllGatherOp, AllReduceOp, ReduceScatterOp>(op))
    return Meaning::ReplicaInAllPartitions;
  return Meaning::Partition;
}

//===----------------------------------------------------------------------===//
// Axes of a mesh
//===----------------------------------------------------------------------===//

namespace {
/// Devices in a grid, row-major.
struct MeshOfDevices {
  SmallVector<std::pair<std::string, int64_t>> axes;
  std::vector<int64_t> ids; ///< empty: 0, 1, ..

  [[nodiscard]] int64_t size() const {
    int64_t count = 1;
    for (const auto &[name, extent] : axes)
      count *= extent;
    return count;
  }
};
} // namespace

/// Reads `<["x"=2, "y"=4], device_ids=[1, 0]>`, the text of an sdy.mesh.
static std::optional<MeshOfDevices> parseMesh(StringRef text) {
  MeshOfDevices mesh;
  text.consume_front("<");
  text.consume_back(">");
  auto [axes, rest] = text.split(']');
  if (!axes.consume_front("["))
    return std::nullopt;
  SmallVector<StringRef> parts;
  axes.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    auto [name, extent] = part.trim().split('=');
    int64_t size = 0;
    if (extent.trim().getAsInteger(10, size) || size < 1)
      return std::nullopt;
    mesh.axes.push_back({name.trim().trim('"').str(), size});
  }
  if (auto at = rest.find('['); at != StringRef::npos) {
    SmallVector<StringRef> ids;
    rest.drop_front(at + 1).split(']').first.split(ids, ',', -1, false);
    for (StringRef id : ids)
      if (id.trim().getAsInteger(10, mesh.ids.emplace_back()))
        return std::nullopt;
  }
  return mesh;
}

static std::optional<MeshOfDevices> meshOf(Operation *op, Attribute mesh) {
  if (auto own = dyn_cast<MeshAttr>(mesh)) {
    MeshOfDevices made;
    for (MeshAxisAttr axis : own.getAxes())
      made.axes.push_back({axis.getName().str(), axis.getSize()});
    if (own.getDeviceIds())
      for (const APInt &id : own.getDeviceIds().getValues<APInt>())
        made.ids.push_back(id.getSExtValue());
    return made;
  }
  auto symbol =
      SymbolTable::lookupNearestSymbolFrom(op, cast<FlatSymbolRefAttr>(mesh));
  auto named = dyn_cast_or_null<sdy::MeshOp>(symbol);
  if (!named)
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream(text) << named.getMesh();
  StringRef words = text;
  return parseMesh(words.drop_front(std::min(words.find('<'), words.size())));
}

/// Devices that differ only along the axes form a group; the last axis varies
/// fastest.
static FailureOr<std::vector<std::vector<int64_t>>>
rowsOfMesh(Operation *op, ReplicaGroupMeshAxesAttr attr, int64_t limit) {
  std::optional<MeshOfDevices> mesh = meshOf(op, attr.getMesh());
  if (!mesh || mesh->size() > limit ||
      (!mesh->ids.empty() && int64_t(mesh->ids.size()) != mesh->size()))
    return op->emitOpError()
           << "expected `replica_groups` over a mesh of at most " << limit
           << " devices, the processes";
  // (device floordiv stride) mod size, for each axis or part of one.
  SmallVector<std::pair<int64_t, int64_t>> digits;
  for (Attribute each : attr.getAxes()) {
    auto axis = dyn_cast<AxisRefAttr>(each);
    int64_t stride = 1;
    bool isFound = false;
    for (const auto &[name, size] : llvm::reverse(mesh->axes)) {
      if (axis && name == axis.getName()) {
        SubAxisInfoAttr part = axis.getSubAxisInfo();
        int64_t before = part ? part.getPreSize() : 1,
                own = part ? part.getSize() : size;
        if (before < 1 || own < 1 || size % (before * own) != 0)
          break;
        digits.push_back({stride * (size / (before * own)), own});
        isFound = true;
        break;
      }
      stride *= size;
    }
    if (!isFound)
      return op->emitOpError()
             << "expected axes of the mesh in `replica_groups`, got " << each;
  }
  std::vector<std::vector<int64_t>> rows;
  for (int64_t device = 0, count = mesh->size(); device < count; ++device) {
    bool isFirst = llvm::all_of(digits, [&](auto digit) {
      return device / digit.first % digit.second == 0;
    });
    if (!isFirst)
      continue;
    std::vector<int64_t> row = {device};
    for (auto [stride, size] : digits) {
      std::vector<int64_t> next;
      for (int64_t member : row)
        for (int64_t i = 0; i < size; ++i)
          next.push_back(member + i * stride);
      row = std::move(next);
    }
    if (!mesh->ids.empty())
      for (int64_t &member : row)
        member = mesh->ids[size_t(member)];
    rows.push_back(std::move(row));
  }
  return rows;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

static std::string helpOf(const ProcessCounts &grid) {
  return " (there are " + std::to_string(grid.replicas) + " replicas of " +
         std::to_string(grid.partitions) + " partitions)";
}

/// The rows of the table, with the numbers that the program writes.
static FailureOr<std::vector<std::vector<int64_t>>>
rowsOf(Operation *op, const ProcessCounts &grid, int64_t limit) {
  Attribute attr = op->getAttr("replica_groups");
  if (auto axes = dyn_cast_or_null<ReplicaGroupMeshAxesAttr>(attr))
    return rowsOfMesh(op, axes, limit);
  auto table = dyn_cast_or_null<DenseIntElementsAttr>(attr);
  if (!table || table.getType().getRank() != 2)
    return op->emitOpError()
           << "expected a table of numbers in `replica_groups`";
  std::vector<std::vector<int64_t>> rows(size_t(table.getType().getDimSize(0)));
  int64_t columns = table.getType().getDimSize(1), place = 0;
  llvm::DenseSet<int64_t> seen;
  for (const APInt &each : table.getValues<APInt>()) {
    int64_t id = each.getSExtValue();
    std::vector<int64_t> &row = rows[size_t(place++ / columns)];
    if (id == -1)
      continue;
    if (id < 0 || id >= limit)
      return op->emitOpError() << "expected ids in `replica_groups` below "
                               << limit << ", got " << id << helpOf(grid);
    if (!seen.insert(id).second)
      return op->emitOpError()
             << "expected every id once in `replica_groups`, got " << id
             << " again";
    row.push_back(id);
  }
  llvm::erase_if(rows, [](const auto &row) { return row.empty(); });
  if (rows.empty()) { // HLO's notation for all
    rows.emplace_back();
    for (int64_t id = 0; id < limit; ++id)
      rows.back().push_back(id);
  }
  return rows;
}

FailureOr<ProcessGroups> groupsOf(Operation *op, const ProcessCounts &grid,
                                  bool mayBeAlone) {
  Meaning meaning = meaningOf(op);
  int64_t replicas = grid.replicas, partitions = grid.partitions;
  int64_t limit = meaning == Meaning::Process     ? grid.size()
                  : meaning == Meaning::Partition ? partitions
                                                  : replicas;
  FailureOr<std::vector<std::vector<int64_t>>> rows = rowsOf(op, grid, limit);
  if (failed(rows))
    return failure();
  ProcessGroups made;
  int64_t copies = meaning == Meaning::Replica     ? partitions
                   : meaning == Meaning::Partition ? replicas
                                                   : 1;
  size_t covered = 0;
  for (const std::vector<int64_t> &row : *rows)
    for (int64_t copy = 0; copy < copies; ++copy) {
      std::vector<int64_t> &group = made.groups.emplace_back();
      switch (meaning) {
      case Meaning::Replica:
        for (int64_t id : row)
          group.push_back(grid.number(id, copy));
        break;
      case Meaning::Partition:
        for (int64_t id : row)
          group.push_back(grid.number(copy, id));
        break;
      case Meaning::ReplicaInAllPartitions:
        for (int64_t partition = 0; partition < partitions; ++partition)
          for (int64_t id : row)
            group.push_back(grid.number(id, partition));
        break;
      case Meaning::Process:
        group = row;
        break;
      }
      covered += group.size();
    }
  if (!mayBeAlone && int64_t(covered) != grid.size())
    return op->emitOpError()
           << "expected every process in one of the groups, "
              "got "
           << covered << " of " << grid.size() << helpOf(grid);
  return made;
}

FailureOr<std::vector<std::pair<int64_t, int64_t>>>
pairsOf(Operation *op, const ProcessCounts &grid) {
  auto table = op->getAttrOfType<DenseIntElementsAttr>("source_target_pairs");
  if (!table || table.getType().getRank() != 2 ||
      table.getType().getDimSize(1) != 2)
    return op->emitOpError() << "expected pairs in `source_target_pairs`";
  bool ofPartitions = channelOf(op) > 0;
  int64_t limit = ofPartitions ? grid.partitions : grid.replicas,
          copies = ofPartitions ? grid.replicas : grid.partitions;
  SmallVector<int64_t> ids;
  for (const APInt &each : table.getValues<APInt>()) {
    int64_t id = each.getSExtValue();
    if (id < 0 || id >= limit)
      return op->emitOpError() << "expected ids in `source_target_pairs` below "
                               << limit << ", got " << id << helpOf(grid);
    ids.push_back(id);
  }
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (int64_t copy = 0; copy < copies; ++copy)
    for (size_t i = 0; i + 1 < ids.size(); i += 2)
      pairs.push_back(ofPartitions ? std::pair(grid.number(copy, ids[i]),
                                               grid.number(copy, ids[i + 1]))
                                   : std::pair(grid.number(ids[i], copy),
                                               grid.number(ids[i + 1], copy)));
  return pairs;
}

} // namespace mercator::stablehlo
