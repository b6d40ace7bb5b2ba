// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/spmd/Movement.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <set>

using namespace mercator::spmd;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
/// The elements [begin, end) along each dimension.
struct Cut {
  SmallVector<int64_t, 4> begin, end;

  [[nodiscard]] int64_t volume() const {
    int64_t volume = 1;
    for (auto [low, high] : llvm::zip_equal(begin, end))
      volume *= std::max<int64_t>(0, high - low);
    return volume;
  }
  [[nodiscard]] Cut meet(const Cut &other) const {
    Cut result = *this;
    for (size_t i = 0; i < begin.size(); ++i) {
      result.begin[i] = std::max(begin[i], other.begin[i]);
      result.end[i] = std::min(end[i], other.end[i]);
    }
    return result;
  }
};
} // namespace

Need Need::shards(const Mesh &mesh, const Sharding &sharding,
                  ArrayRef<int64_t> shape) {
  Need need;
  SmallVector<int64_t> sizes = sharding.shardOf(mesh, shape);
  need.sizes.assign(sizes.begin(), sizes.end());
  for (int64_t device = 0; device < mesh.devices; ++device) {
    auto &start = need.starts.emplace_back();
    for (auto [part, size] :
         llvm::zip_equal(sharding.partOf(mesh, device), sizes))
      start.push_back(part * size);
  }
  need.sharding = sharding;
  return need;
}

/// The elements of the tensor in a box.
static Cut cutOf(ArrayRef<int64_t> start, ArrayRef<int64_t> sizes,
                 ArrayRef<int64_t> shape) {
  Cut cut;
  for (auto [begin, size, extent] : llvm::zip_equal(start, sizes, shape)) {
    cut.begin.push_back(std::clamp<int64_t>(begin, 0, extent));
    cut.end.push_back(std::clamp<int64_t>(begin + size, 0, extent));
  }
  return cut;
}

/// The elements of the tensor that a device needs.
static Cut neededBy(const Need &need, int64_t device, ArrayRef<int64_t> shape) {
  Cut cut = cutOf(need.starts[device], need.sizes, shape);
  if (!need.ends.empty())
    for (auto [begin, end, limit] :
         llvm::zip_equal(cut.begin, cut.end, need.ends[device]))
      end = std::max(begin, std::min(end, limit));
  return cut;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// Calls f(part, cut) for each shard of `from` that a box meets.
static void
forEachShard(const Mesh &mesh, const Sharding &from, ArrayRef<int64_t> shape,
             const Cut &box,
             llvm::function_ref<void(ArrayRef<int64_t>, const Cut &)> f) {
  if (box.volume() == 0)
    return;
  SmallVector<int64_t> shard = from.shardOf(mesh, shape), part, last;
  for (size_t i = 0; i < shape.size(); ++i) {
    part.push_back(box.begin[i] / shard[i]);
    last.push_back((box.end[i] - 1) / shard[i]);
  }
  SmallVector<int64_t> first = part;
  while (true) {
    SmallVector<int64_t> start;
    for (auto [p, size] : llvm::zip_equal(part, shard))
      start.push_back(p * size);
    f(part, cutOf(start, shard, shape).meet(box));
    size_t i = shape.size();
    while (i > 0 && part[i - 1] == last[i - 1]) {
      part[i - 1] = first[i - 1];
      --i;
    }
    if (i == 0)
      return;
    ++part[i - 1];
  }
}

static std::vector<Movement::Round> planRounds(const Mesh &mesh,
                                               const Sharding &from,
                                               ArrayRef<int64_t> shape,
                                               const Need &need) {
  SmallVector<int64_t> shard = from.shardOf(mesh, shape);
  // Messages of one shape over one distance, in the order of the targets.
  using Class = std::pair<std::vector<int64_t>, std::vector<int64_t>>;
  std::map<Class, std::vector<Movement::Message>> classes[2];
  for (int64_t device = 0; device < mesh.devices; ++device) {
    SmallVector<int64_t> own = from.partOf(mesh, device);
    Cut box = neededBy(need, device, shape);
    forEachShard(
        mesh, from, shape, box, [&](ArrayRef<int64_t> part, const Cut &cut) {
          Movement::Message message{device, device, {}, {}};
          Class kind;
          auto &[distance, sizes] = kind;
          for (size_t i = 0; i < shape.size(); ++i) {
            message.source =
                mesh.neighbor(message.source, from.dims[i], part[i]);
            message.from.push_back(cut.begin[i] - part[i] * shard[i]);
            message.to.push_back(cut.begin[i] - need.starts[device][i]);
            sizes.push_back(cut.end[i] - cut.begin[i]);
            distance.push_back(part[i] - own[i]);
          }
          classes[message.source != device][kind].push_back(message);
        });
  }
  std::vector<Movement::Round> rounds;
  for (bool isSent : {false, true}) {
    // Rounds of one shape that have room.
    std::map<std::vector<int64_t>, std::vector<size_t>> ofShape;
    std::vector<std::set<int64_t>> sources(rounds.size()),
        targets(rounds.size());
    for (const auto &[kind, messages] : classes[isSent])
      for (const Movement::Message &message : messages) {
        std::vector<size_t> &open = ofShape[kind.second];
        auto found = llvm::find_if(open, [&](size_t round) {
          return !sources[round].count(message.source) &&
                 !targets[round].count(message.target);
        });
        size_t round = rounds.size();
        if (found != open.end()) {
          round = *found;
        } else {
          open.push_back(round);
          rounds.push_back(
              {{kind.second.begin(), kind.second.end()}, !isSent, {}});
          sources.resize(rounds.size());
          targets.resize(rounds.size());
        }
        sources[round].insert(message.source);
        targets[round].insert(message.target);
        rounds[round].messages.push_back(message);
      }
  }
  return rounds;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// Whether one list of axes begins with another.
static bool startsWith(ArrayRef<unsigned> axes, ArrayRef<unsigned> prefix) {
  return axes.size() >= prefix.size() &&
         axes.take_front(prefix.size()) == prefix;
}

/// The collectives that change the sharding `from` into `to`; nothing if there
/// are none of the known kinds.
static std::optional<std::vector<Movement::Step>>
planSteps(const Mesh &mesh, Sharding from, const Sharding &to,
          ArrayRef<int64_t> shape, int64_t &received) {
  using Step = Movement::Step;
  std::vector<Step> steps;
  received = 0;
  if (!from.isEven(mesh, shape) || !to.isEven(mesh, shape))
    return std::nullopt;
  // Axes that divide nothing yet.
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    ArrayRef<unsigned> now = from.dims[dim], then = to.dims[dim];
    if (!startsWith(then, now) || then.size() == now.size())
      continue;
    Axes added;
    for (unsigned axis : then.drop_front(now.size())) {
      if (from.uses(axis))
        break;
      added.push_back(axis);
    }
    if (added.empty())
      continue;
    steps.push_back({Step::Kind::Slice, dim, dim, added});
    from.dims[dim].append(added);
  }
  auto shardElements = [&] {
    int64_t elements = 1;
    for (int64_t size : from.shardOf(mesh, shape))
      elements *= size;
    return elements;
  };
  // Axes that move from one dimension to another.
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    for (unsigned other = 0; other < shape.size(); ++other) {
      ArrayRef<unsigned> now = from.dims[dim], target = to.dims[other];
      if (dim == other || !startsWith(now, to.dims[dim]) ||
          !startsWith(target, from.dims[other]))
        continue;
      // The same axes at the end of both.
      ArrayRef<unsigned> left = now.drop_front(to.dims[dim].size()),
                         gained = target.drop_front(from.dims[other].size());
      size_t count = 0;
      for (size_t n = 1; n <= std::min(left.size(), gained.size()); ++n)
        if (left.take_back(n) == gained.take_front(n))
          count = n;
      if (count == 0)
        continue;
      Axes moved(gained.take_front(count));
      int64_t parts = mesh.size(moved);
      received += shardElements() / parts * (parts - 1);
      steps.push_back({Step::Kind::AllToAll, dim, other, moved});
      from.dims[dim].pop_back_n(count);
      from.dims[other].append(moved);
    }
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    ArrayRef<unsigned> now = from.dims[dim], then = to.dims[dim];
    if (!startsWith(now, then) || now.size() == then.size())
      continue;
    Axes gathered(now.drop_front(then.size()));
    received += shardElements() * (mesh.size(gathered) - 1);
    steps.push_back({Step::Kind::AllGather, dim, dim, gathered});
    from.dims[dim].pop_back_n(gathered.size());
  }
  if (!from.sameDivision(to))
    return std::nullopt;
  return steps;
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

Movement mercator::spmd::measureMovement(const Mesh &mesh, const Sharding &from,
                                         ArrayRef<int64_t> shape,
                                         const Need &need) {
  Movement movement;
  SmallVector<int64_t> shard = from.shardOf(mesh, shape);
  movement.isNothing = !need.isFilled || from.isEven(mesh, shape);
  for (int64_t device = 0; device < mesh.devices; ++device) {
    SmallVector<int64_t> start;
    for (auto [part, size] : llvm::zip_equal(from.partOf(mesh, device), shard))
      start.push_back(part * size);
    Cut box = neededBy(need, device, shape);
    int64_t missing =
        box.volume() - box.meet(cutOf(start, shard, shape)).volume();
    movement.receivedBy.push_back(missing);
    movement.least = std::max(movement.least, missing);
    movement.leastOfAll += missing;
    if (ArrayRef<int64_t>(need.sizes) != ArrayRef<int64_t>(shard) ||
        ArrayRef<int64_t>(need.starts[device]) != ArrayRef<int64_t>(start))
      movement.isNothing = false;
  }
  if (movement.isNothing) {
    movement.receivedBy.clear();
    return movement;
  }
  // Messages are boxes of other shards, and no element is in two of these.
  movement.received = movement.least;
  movement.receivedByAll = movement.leastOfAll;
  if (need.sharding) {
    int64_t received;
    std::optional<std::vector<Movement::Step>> steps =
        planSteps(mesh, from, *need.sharding, shape, received);
    if (steps && received <= movement.least) {
      movement.steps = std::move(*steps);
      movement.received = received;
      movement.receivedByAll = received * mesh.devices;
      movement.receivedBy.assign(mesh.devices, received);
      return movement;
    }
  }
  return movement;
}

Movement mercator::spmd::planMovement(const Mesh &mesh, const Sharding &from,
                                      ArrayRef<int64_t> shape,
                                      const Need &need) {
  Movement movement = measureMovement(mesh, from, shape, need);
  if (!movement.isNothing && movement.steps.empty())
    movement.rounds = planRounds(mesh, from, shape, need);
  return movement;
}

std::string Movement::text(const Mesh &mesh) const {
  if (isNothing)
    return "nothing";
  std::string result;
  llvm::raw_string_ostream os(result);
  auto name = [&](ArrayRef<unsigned> axes) {
    llvm::interleave(
        axes, os,
        [&](unsigned axis) {
          os << mesh.axes[axis].name << mesh.axes[axis].part;
        },
        "+");
  };
  if (!steps.empty()) {
    llvm::interleaveComma(steps, os, [&](const Step &step) {
      switch (step.kind) {
      case Step::Kind::Slice:
        os << "slice ";
        break;
      case Step::Kind::AllToAll:
        os << "all-to-all ";
        break;
      case Step::Kind::AllGather:
        os << "all-gather ";
        break;
      }
      name(step.axes);
      os << " along " << step.dim;
      if (step.kind == Step::Kind::AllToAll)
        os << " to " << step.to;
    });
    return result;
  }
  size_t sent =
      llvm::count_if(rounds, [](const Round &round) { return !round.isLocal; });
  if (sent == 0)
    return "slice";
  os << "boxes in " << sent << (sent == 1 ? " permute" : " permutes");
  return result;
}

std::string mercator::spmd::checkMovement(const Mesh &mesh,
                                          const Sharding &from,
                                          ArrayRef<int64_t> shape,
                                          const Need &need,
                                          const Movement &movement) {
  if (movement.isNothing || !movement.steps.empty())
    return {};
  SmallVector<int64_t> shard = from.shardOf(mesh, shape);
  std::vector<int64_t> found(mesh.devices);
  std::set<std::pair<int64_t, std::vector<int64_t>>> places;
  for (const Movement::Round &round : movement.rounds) {
    std::set<int64_t> sources, targets;
    for (const Movement::Message &message : round.messages) {
      if (!sources.insert(message.source).second ||
          !targets.insert(message.target).second)
        return "two messages of one device in a round";
      SmallVector<int64_t> part = from.partOf(mesh, message.source);
      int64_t elements = 1;
      for (size_t i = 0; i < shape.size(); ++i) {
        int64_t at = part[i] * shard[i] + message.from[i];
        if (at != need.starts[message.target][i] + message.to[i])
          return "a message arrives at another place than it is needed";
        if (message.from[i] < 0 || message.to[i] < 0 ||
            message.from[i] + round.sizes[i] > shard[i] ||
            at + round.sizes[i] > shape[i] ||
            message.to[i] + round.sizes[i] > need.sizes[i])
          return "a message of elements that its source does not hold";
        elements *= round.sizes[i];
      }
      found[message.target] += elements;
      if (!places
               .insert({message.target, {message.to.begin(), message.to.end()}})
               .second)
        return "two messages for one place";
    }
  }
  // Boxes of different shards do not overlap, so counts decide.
  for (int64_t device = 0; device < mesh.devices; ++device)
    if (found[device] != neededBy(need, device, shape).volume())
      return "device " + std::to_string(device) + " misses elements";
  return {};
}
