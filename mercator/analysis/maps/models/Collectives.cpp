// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations between devices. Their maps have the device as the last dimension
// and the last result (MapSet.h): from an element on a device to the elements,
// and their devices, that it reads.

#include "mercator/analysis/maps/DeviceGroups.h"
#include "mercator/analysis/maps/Reads.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/indexing/simplify/Inverse.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::SmallVector;

namespace {

int64_t channelOf(mlir::Operation *op) {
  auto handle =
      op->getAttrOfType<stablehlo::ChannelHandleAttr>("channel_handle");
  return handle ? handle.getHandle() : 0;
}

/// The grouping of all_gather, all_reduce and reduce_scatter.
ReplicaGroupKind groupingWithGlobalIds(mlir::Operation *op) {
  if (op->hasAttr("use_global_device_ids"))
    return ReplicaGroupKind::Devices;
  return channelOf(op) > 0 ? ReplicaGroupKind::ReplicasAllPartitions
                           : ReplicaGroupKind::Replicas;
}

/// The grouping of the other collectives.
ReplicaGroupKind grouping(mlir::Operation *op) {
  return channelOf(op) > 0 ? ReplicaGroupKind::Partitions
                           : ReplicaGroupKind::Replicas;
}

/// The element that an element of the result reads on one member of its group.
/// The expressions use dimensions and range variables of the map.
struct Exchange {
  Map map;                      ///< its dimensions end with the device
  Expr member;                  ///< the position of the member in the group
  SmallVector<Expr, 6> element; ///< the element that is read there
  /// If it depends on the position of the reader: element[dim] grows by the
  /// position of the reader times `part`.
  int64_t dim = -1, part = 0;
  /// If set, only the member at this position reads.
  Expr reader = {};
};

/// The identity on the result and the device.
Exchange start(const Query &q, const DeviceGroups &groups) {
  Exchange out{Map::identity(q.arena, q.out), {}, {}, -1, 0, {}};
  for (uint32_t i = 0; i < q.out.size(); ++i)
    out.element.push_back(q.arena.dim(i));
  out.map.domain.addDim(q.arena, Interval::ofSize(groups.devices()));
  out.map.domain.dims.back().name = q.arena.intern("device");
  return out;
}

MapSet towards(const Query &q, MapSet maps) {
  return q.direction == Direction::OutToIn ? maps : inverse(maps, q.in);
}

void addMap(MapSet &to, const Query &q, int64_t devices, Exchange e, Expr self,
            Expr device) {
  if (e.part != 0)
    e.element[e.dim] =
        q.arena.add(e.element[e.dim], q.arena.scale(self, e.part));
  if (e.reader)
    e.map.domain.addConstraint(q.arena.sub(self, e.reader), Interval::point(0));
  e.map.results.assign(e.element.begin(), e.element.end());
  e.map.results.push_back(device);
  to.insert({.map = std::move(e.map), .devices = devices});
}

/// The maps of the exchange in all groups.
MapSet exchange(const Query &q, const DeviceGroups &groups, Exchange e) {
  Arena &arena = q.arena;
  if (llvm::is_contained(q.out, 0) || llvm::is_contained(q.in, 0))
    return q.nothing();
  Expr device = arena.dim(q.out.size());
  MapSet out;
  if (groups.isRegular()) {
    addMap(out, q, groups.devices(), e, groups.position(arena, device),
           groups.member(arena, device, e.member));
    return towards(q, out);
  }
  size_t pairs = 0;
  for (const std::vector<int64_t> &group : groups.groups)
    pairs += group.size() * group.size();
  if (pairs > FusionMaps::kMaxMaps || !e.map.domain.runtimes.empty()) {
    // Over-approximation: any device, and any part.
    if (e.part != 0)
      e.element[e.dim] = arena.add(
          e.element[e.dim],
          arena.scale(e.map.domain.addRange(
                          arena, Interval::ofSize(q.in[e.dim] / e.part)),
                      e.part));
    e.part = 0;
    e.reader = {};
    Expr any = e.map.domain.addRange(arena, Interval::ofSize(groups.devices()));
    MapSet exact;
    addMap(exact, q, groups.devices(), e, {}, any);
    for (OperandMap m : exact) {
      m.exact = false;
      m.reason = spelling(q.op).str() + ": its groups are irregular";
      out.insert(std::move(m));
    }
    return towards(q, out);
  }
  for (const std::vector<int64_t> &group : groups.groups)
    for (auto [i, reader] : llvm::enumerate(group))
      for (auto [j, source] : llvm::enumerate(group)) {
        Exchange one = e;
        one.map.domain.dims.back().bounds = Interval::point(reader);
        one.map.domain.addConstraint(one.member, Interval::point(j));
        MapSet piece;
        addMap(piece, q, groups.devices(), one, arena.constant(i),
               arena.constant(source));
        for (const OperandMap &m : piece)
          if (!m.map.isKnownEmpty())
            out.insert(m);
      }
  return out.empty() ? MapSet(q.nothing()) : towards(q, out);
}

/// The answer if the groups are axes of an unknown mesh, or a size is unknown.
MapSet anyDevice(const Query &q, llvm::StringRef why) {
  return MapSet::acrossDevices(
      everywhere(q.arena, q.from(), q.to(), Interval::kMax), Interval::kMax,
      (spelling(q.op) + ": " + why).str());
}

/// Answers with `build` if operand and result have the same number.
MapSet collective(mlir::Operation *op, const Query &q,
                  ReplicaGroupKind grouping,
                  llvm::function_ref<Exchange(const DeviceGroups &)> build) {
  if (op->getNumResults() > 1 && q.operand != q.result)
    return q.nothing();
  if (!q.isStatic)
    return anyDevice(q, "a size is known only when the program runs");
  std::optional<DeviceGroups> groups = DeviceGroups::of(op, grouping);
  if (!groups)
    return anyDevice(q, "its groups are not numbers of devices");
  Exchange e = build(*groups);
  if (!e.map.arena)
    return anyDevice(q, "the groups do not fit the sizes");
  return exchange(q, *groups, std::move(e));
}

//===--- Every member -----------------------------------------------------===//

/// Reads element d of all members.
Exchange combined(const Query &q, const DeviceGroups &groups) {
  Exchange e = start(q, groups);
  int64_t size = groups.groupSize();
  for (const std::vector<int64_t> &group : groups.groups)
    size = std::max<int64_t>(size, group.size());
  e.member = e.map.domain.addRange(q.arena, Interval::ofSize(size));
  return e;
}

MapSet allReduceMaps(stablehlo::AllReduceOp op, const Query &q) {
  return collective(op, q, groupingWithGlobalIds(op),
                    [&](const DeviceGroups &g) { return combined(q, g); });
}

MapSet crossReplicaSumMaps(stablehlo::CrossReplicaSumOp op, const Query &q) {
  return collective(op, q, ReplicaGroupKind::Replicas,
                    [&](const DeviceGroups &g) { return combined(q, g); });
}

/// Each member keeps its part of the combined tensor.
MapSet reduceScatterMaps(stablehlo::ReduceScatterOp op, const Query &q) {
  return collective(op, q, groupingWithGlobalIds(op),
                    [&](const DeviceGroups &groups) {
                      Exchange e = combined(q, groups);
                      e.dim = op.getScatterDimension();
                      e.part = q.out[e.dim];
                      return e;
                    });
}

//===--- One member -------------------------------------------------------===//

/// Concatenates the operands of the group along a dimension.
MapSet allGatherMaps(stablehlo::AllGatherOp op, const Query &q) {
  return collective(op, q, groupingWithGlobalIds(op),
                    [&](const DeviceGroups &groups) {
                      Exchange e = start(q, groups);
                      int64_t dim = op.getAllGatherDim(),
                              size = std::max<int64_t>(q.in[dim], 1);
                      e.member = q.arena.floorDiv(e.element[dim], size);
                      e.element[dim] = q.arena.mod(e.element[dim], size);
                      return e;
                    });
}

/// Concatenates, over all members, the part whose number is the position of the
/// reader.
MapSet allToAllMaps(stablehlo::AllToAllOp op, const Query &q) {
  return collective(op, q, grouping(op), [&](const DeviceGroups &groups) {
    Exchange e = start(q, groups);
    int64_t split = op.getSplitDimension(), concat = op.getConcatDimension(),
            count = op.getSplitCount();
    if (count < 1 || q.in[split] % count != 0)
      return Exchange{};
    int64_t part = q.in[split] / count;
    int64_t piece = split == concat ? part : q.in[concat];
    piece = std::max<int64_t>(piece, 1);
    e.member = q.arena.floorDiv(e.element[concat], piece);
    e.element[concat] = q.arena.mod(e.element[concat], piece);
    e.dim = split;
    e.part = part;
    return e;
  });
}

/// The position of the root: the first member, or the value of the last
/// operand.
Expr rootOf(mlir::Operation *op, const Query &q, const DeviceGroups &groups,
            Map &map) {
  if (!op->hasAttr("has_dynamic_root"))
    return q.arena.constant(0);
  Source source = internSource(q.arena, op->getOperands().back());
  return map.domain.addRuntime(
      q.arena,
      {.bounds = Interval::ofSize(groups.groupSize()),
       .source = source.id,
       .element = source.element,
       .index = {q.arena.constant(q.result), q.arena.dim(q.out.size())}});
}

/// The operand of the roots: result number `result` reads its element `result`.
std::optional<MapSet> rootOperandMaps(mlir::Operation *op, const Query &q) {
  if (!op->hasAttr("has_dynamic_root") || q.operand + 1 != op->getNumOperands())
    return std::nullopt;
  if (q.in.size() != 1 || (int64_t)q.result >= q.in[0])
    return q.everything("the operand has no element for this root");
  Map map = Map::identity(q.arena, q.out);
  map.results = {q.arena.constant(q.result)};
  return towards(q, std::move(map));
}

MapSet collectiveBroadcastMaps(stablehlo::CollectiveBroadcastOp op,
                               const Query &q) {
  if (auto maps = rootOperandMaps(op, q))
    return *maps;
  return collective(op, q, grouping(op), [&](const DeviceGroups &groups) {
    Exchange e = start(q, groups);
    e.member = rootOf(op, q, groups, e.map);
    return e;
  });
}

/// Only the root gets the sum; the other members get zeros.
MapSet collectiveReduceMaps(stablehlo::CollectiveReduceOp op, const Query &q) {
  if (auto maps = rootOperandMaps(op, q))
    return *maps;
  return collective(op, q,
                    op.getUseGlobalDeviceIds() ? ReplicaGroupKind::Devices
                                               : grouping(op),
                    [&](const DeviceGroups &groups) {
                      Exchange e = combined(q, groups);
                      e.reader = rootOf(op, q, groups, e.map);
                      return e;
                    });
}

//===--- Permutations -----------------------------------------------------===//

/// Each target reads its source; other devices read nothing. Equally spaced
/// targets whose sources are at the same distance share one map.
MapSet collectivePermuteMaps(stablehlo::CollectivePermuteOp op,
                             const Query &q) {
  if (llvm::is_contained(q.out, 0))
    return q.nothing();
  auto table = op.getSourceTargetPairs();
  DeviceGrid grid = deviceGrid(op);
  int64_t replicas = grid.replicas.value_or(1),
          partitions = grid.partitions.value_or(1);
  bool ofPartitions = channelOf(op) > 0;
  SmallVector<std::pair<int64_t, int64_t>> pairs; // target, source
  SmallVector<int64_t> numbers(table.getValues<int64_t>());
  int64_t ids = 0;
  for (size_t i = 0; i + 1 < numbers.size(); i += 2) {
    pairs.push_back({numbers[i + 1], numbers[i]});
    ids = std::max({ids, numbers[i] + 1, numbers[i + 1] + 1});
  }
  (ofPartitions ? partitions : replicas) =
      std::max(ofPartitions ? partitions : replicas, ids);
  if (ids > (1 << 16) || !productFits({replicas, partitions}))
    return anyDevice(q, "there are too many devices");
  int64_t devices = replicas * partitions;
  SmallVector<std::pair<int64_t, int64_t>> all;
  for (int64_t i = 0, e = ofPartitions ? replicas : partitions; i < e; ++i)
    for (auto [target, source] : pairs)
      all.push_back(
          ofPartitions
              ? std::pair(i * partitions + target, i * partitions + source)
              : std::pair(target * partitions + i, source * partitions + i));
  llvm::sort(all, [](auto a, auto b) {
    return std::tuple(a.second - a.first, a.first) <
           std::tuple(b.second - b.first, b.first);
  });

  Arena &arena = q.arena;
  Expr device = arena.dim(q.out.size());
  MapSet out;
  for (size_t begin = 0; begin < all.size();) {
    int64_t distance = all[begin].second - all[begin].first, step = 1;
    size_t end = begin + 1;
    if (end < all.size() && all[end].second - all[end].first == distance)
      step = all[end].first - all[begin].first;
    while (end < all.size() && all[end].second - all[end].first == distance &&
           all[end].first - all[end - 1].first == step)
      ++end;
    Map map = Map::identity(arena, q.out);
    map.domain.addDim(arena, {all[begin].first, all[end - 1].first});
    map.domain.dims.back().name = arena.intern("device");
    if (step > 1)
      map.domain.addConstraint(
          arena.mod(arena.add(device, -all[begin].first), step),
          Interval::point(0));
    map.results.push_back(arena.add(device, distance));
    out.insert({.map = std::move(map), .devices = devices});
    begin = end;
  }
  if (out.size() > FusionMaps::kMaxMaps) {
    SmallVector<int64_t> from(q.out);
    from.push_back(devices);
    Map map = Map::identity(arena, from);
    map.domain.dims.back().name = arena.intern("device");
    map.results.back() = map.domain.addRange(arena, Interval::ofSize(devices));
    out = MapSet::acrossDevices(std::move(map), devices,
                                "collective_permute: its pairs are irregular");
  }
  return out.empty() ? MapSet(q.nothing()) : towards(q, out);
}

} // namespace

MapSet maps::tupleAllToAllMaps(mlir::Operation *op, const Query &q) {
  if (!q.isStatic || q.in != q.out)
    return anyDevice(q, "a size is known only when the program runs");
  std::optional<DeviceGroups> groups = DeviceGroups::of(op, grouping(op));
  if (!groups)
    return anyDevice(q, "its groups are not numbers of devices");
  bool fits = groups->groups.empty() ||
              llvm::all_of(groups->groups, [&](const auto &group) {
                return group.size() == op->getNumResults();
              });
  if (!fits || op->getNumOperands() != op->getNumResults())
    return anyDevice(q, "the groups do not fit the operands");
  Exchange e = start(q, *groups);
  e.member = q.arena.constant(q.result);
  e.reader = q.arena.constant(q.operand);
  return exchange(q, *groups, std::move(e));
}

void maps::attachDeviceMaps(mlir::MLIRContext *context) {
  using namespace stablehlo;
  attach<AllGatherOp, allGatherMaps>(context);
  attach<AllReduceOp, allReduceMaps>(context);
  attach<AllToAllOp, allToAllMaps>(context);
  attach<ReduceScatterOp, reduceScatterMaps>(context);
  attach<CrossReplicaSumOp, crossReplicaSumMaps>(context);
  attach<CollectivePermuteOp, collectivePermuteMaps>(context);
  attach<CollectiveBroadcastOp, collectiveBroadcastMaps>(context);
  attach<CollectiveReduceOp, collectiveReduceMaps>(context);
  attachSources<PartitionIdOp, ReplicaIdOp>(context);
}
