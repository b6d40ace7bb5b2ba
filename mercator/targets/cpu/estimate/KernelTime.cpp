// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/estimate/KernelTime.h"
#include "mercator/targets/cpu/estimate/LoopTree.h"
#include "mercator/targets/cpu/estimate/Numbers.h"
#include "mercator/targets/cpu/estimate/TileLoops.h"
#include "mercator/targets/cpu/kernels/FlatLoops.h"
#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/targets/cpu/machine/Buffers.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>
#include <cmath>
#include <memory>

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

//===----------------------------------------------------------------------===//
// Footprints
//===----------------------------------------------------------------------===//

namespace {
/// Accesses of a block to one buffer that move alike, and differ in their offsets.
struct AccessGroup {
  LoopAccess first;
  std::vector<double> offsets; ///< sorted
};

/// A block that runs, with the loops around it.
struct LoopBlock {
  const LoopNode *node;
  std::vector<AccessGroup> groups;
};
} // namespace

static std::vector<AccessGroup> makeGroups(const LoopNode &leaf) {
  std::vector<AccessGroup> groups;
  // Only the last few are looked at: an unrolled loop has thousands of accesses.
  constexpr size_t kMost = 64;
  for (const LoopAccess &access : leaf.accesses) {
    AccessGroup *own = nullptr;
    size_t least = groups.size() > kMost ? groups.size() - kMost : 0;
    for (size_t i = groups.size(); i > least && !own; --i) {
      AccessGroup &group = groups[i - 1];
      if (group.first.root == access.root && !access.isRandom &&
          !group.first.isRandom && group.first.isWrite == access.isWrite &&
          group.first.bytes == access.bytes &&
          llvm::equal(group.first.strides, access.strides))
        own = &group;
    }
    if (!own)
      own = &groups.emplace_back(AccessGroup{access, {}});
    own->offsets.push_back(access.offset);
  }
  for (AccessGroup &group : groups) {
    llvm::sort(group.offsets);
    group.offsets.erase(std::unique(group.offsets.begin(), group.offsets.end()),
                        group.offsets.end());
  }
  return groups;
}

namespace {
class Estimator {
public:
  Estimator(const LoopTree &tree, const Device &device,
            const TimeOptions &options, std::vector<NestNode> *nest)
      : tree(tree), device(device), options(options), nest(nest) {}

  Time run();

private:
  /// The nodes from the kernel to a block: for each, the list that it is in.
  struct Level {
    const std::vector<LoopNode> *siblings;
    size_t index;
    [[nodiscard]] const LoopNode &node() const { return (*siblings)[index]; }
  };

  Time visit(const std::vector<LoopNode> &nodes,
             SmallVectorImpl<double> &brought);
  Time timeOfBlock(const LoopNode &leaf, SmallVectorImpl<double> &brought);
  double bytesOf(const AccessGroup &group, ArrayRef<unsigned> loops) const;
  /// A part of a buffer, and the bytes that are touched in it. With a period, only
  /// columns of rows are touched: `run` bytes from `low` on, and again after each
  /// period.
  struct Range {
    double low = 0, high = 0, bytes = 0;
    double period = 0, run = 0;
  };
  /// What nodes touch of each buffer, and the bytes of all of it.
  struct Touched {
    llvm::SmallDenseMap<mlir::Value, Range, 4> parts;
    double bytes = 0;
  };
  Range rangeOf(const AccessGroup &group, ArrayRef<unsigned> loops) const;
  void collect(const LoopNode &node, SmallVector<unsigned> &loops,
               Touched &touched);
  const Touched &touchedBy(ArrayRef<LoopNode> nodes);
  /// What a node executes and touches: its buffers alone.
  struct Summary {
    double instructions = 0;
    llvm::SmallDenseSet<mlir::Value, 4> reads, writes;
  };
  const Summary &summaryOf(const LoopNode &node);
  double awaitedBy(size_t level);
  bool beginsAnew(size_t level, mlir::Value root);
  ArrayRef<const Touched *> touchedByEach(const std::vector<LoopNode> &nodes);
  static double common(const Range &whole, const Range &part);
  static double overlap(const Touched &own, const AccessGroup &group,
                        const Range &range);
  ArrayRef<AccessGroup> groupsOf(const LoopNode &leaf);
  SmallVector<double, 4> misses(const AccessGroup &group);
  [[nodiscard]] bool isStreamed(const AccessGroup &group) const;
  [[nodiscard]] double distanceTo(mlir::Value root) const;
  [[nodiscard]] double pagesOf(const AccessGroup &group) const;
  [[nodiscard]] double jumpsOf(const AccessGroup &group) const;
  [[nodiscard]] double splitsOf(const AccessGroup &group) const;
  [[nodiscard]] double chainsOf(const LoopNode &leaf);
  [[nodiscard]] double seen(double instructions) const;
  [[nodiscard]] double fits(double bytes, double cacheBytes) const;

  const LoopTree &tree;
  const Device &device;
  TimeOptions options;
  std::vector<NestNode> *nest; ///< null: not wanted
  std::vector<Level> path;
  llvm::DenseMap<std::pair<const LoopNode *, size_t>, std::unique_ptr<Touched>>
      touched;
  llvm::DenseMap<const std::vector<LoopNode> *, std::vector<const Touched *>>
      ofEach;
  llvm::DenseMap<const LoopNode *, std::vector<AccessGroup>> groups;
  llvm::DenseMap<const LoopNode *, std::unique_ptr<Summary>> summaries;
  std::vector<double> parallel = {1}; ///< threads of the loops around
};
} // namespace

/// Those of each block once: all loops around it ask for them.
ArrayRef<AccessGroup> Estimator::groupsOf(const LoopNode &leaf) {
  auto [known, isNew] = groups.try_emplace(&leaf);
  if (isNew)
    known->second = makeGroups(leaf);
  return known->second;
}

/// The bytes of whole lines that the group touches while these loops run.
double Estimator::bytesOf(const AccessGroup &group,
                          ArrayRef<unsigned> loops) const {
  const LoopAccess &access = group.first;
  double line = double(device.lineBytes);
  SmallVector<std::pair<double, double>, 6> steps; // stride, iterations
  for (auto [loop, stride] : access.strides)
    if (llvm::is_contained(loops, loop))
      steps.push_back({std::abs(stride), tree.iterations[loop]});
  llvm::sort(steps);
  double run = access.bytes, pieces = 1;
  SmallVector<std::pair<double, double>, 6> apart;
  for (auto [stride, iterations] : steps)
    if (stride <= std::max(run, line) && apart.empty()) {
      run += stride * (iterations - 1);
    } else {
      pieces *= iterations;
      apart.push_back({stride, iterations});
    }
  // Pieces that do not begin at a line have a line more, but for an element.
  constexpr double kElement = 4;
  bool isAligned = std::fmod(access.offset, line) == 0;
  for (auto [stride, iterations] : apart)
    isAligned &=
        std::fmod(access.isRandom ? stride / kRandomStep : stride, line) == 0;
  bool hasMore = pieces > 1 && !isAligned;
  double total = 0, before = -HUGE_VAL;
  for (double offset : group.offsets) {
    double own = std::min(run, offset - before), gap = offset - before;
    // A neighbor that another iteration has touched, too.
    for (auto [stride, iterations] : apart)
      if (gap >= stride && gap < stride * iterations &&
          std::fmod(gap, stride) < run)
        own = own * gap / (stride * iterations);
    bool isNear = gap < line, isNext = gap <= run;
    total += isNear               ? own
             : !isNext && hasMore ? own + line - kElement
                                  : std::max(own, line);
    before = offset;
  }
  // Of random pieces, some are the same.
  if (access.isRandom && std::isfinite(access.rootBytes))
    return access.rootBytes *
           (1 - std::exp(-total * pieces / access.rootBytes));
  return std::min(access.rootBytes + line, total * pieces);
}

/// How likely a cache holds so many bytes: sets fill up one by one.
double Estimator::fits(double bytes, double cacheBytes) const {
  auto [holds, loses] =
      std::pair(device.core.cacheHolds, device.core.cacheLoses);
  return std::clamp((loses - bytes / cacheBytes) / (loses - holds), 0.0, 1.0);
}

/// From the first to the last byte that the group touches in these loops.
Estimator::Range Estimator::rangeOf(const AccessGroup &group,
                                    ArrayRef<unsigned> loops) const {
  auto columnsOf = [&](Range &range) {
    // The bytes of a row: of neighboring iterations.
    double run = group.first.bytes, period = HUGE_VAL;
    SmallVector<std::pair<double, double>, 6> steps;
    for (auto [loop, stride] : group.first.strides)
      if (llvm::is_contained(loops, loop))
        steps.push_back({std::abs(stride), tree.iterations[loop]});
    llvm::sort(steps);
    size_t next = 0;
    for (; next < steps.size() && steps[next].first <= run; ++next)
      run += steps[next].first * (steps[next].second - 1);
    // The rows: the other loops, and offsets that are far from each other.
    if (next < steps.size())
      period = steps[next].first;
    for (size_t i = 1; i < group.offsets.size(); ++i)
      if (double gap = group.offsets[i] - group.offsets[i - 1]; gap > run)
        period = std::min(period, gap);
    if (!std::isfinite(period))
      return;
    double far = 0;
    for (double offset : group.offsets)
      far = std::max(far, std::fmod(offset - group.offsets.front(), period));
    bool isWhole = far + run >= period;
    for (; next < steps.size(); ++next)
      isWhole |= std::fmod(steps[next].first, period) != 0;
    if (isWhole)
      return;
    range.period = period;
    range.run = far + run;
  };
  Range range{.low = group.offsets.front(), .high = group.offsets.back()};
  range.high += group.first.bytes;
  for (auto [loop, stride] : group.first.strides)
    if (llvm::is_contained(loops, loop)) {
      double reach = stride * (tree.iterations[loop] - 1);
      range.low += std::min(0.0, reach);
      range.high += std::max(0.0, reach);
    }
  if (group.first.isRandom)
    range = {.low = 0, .high = group.first.rootBytes};
  else
    columnsOf(range);
  range.bytes = bytesOf(group, loops);
  return range;
}

/// How much of `part` lies in `whole`, from 0 to 1.
double Estimator::common(const Range &whole, const Range &part) {
  double length = std::max(1.0, part.high - part.low);
  double both = std::min(whole.high, part.high) - std::max(whole.low, part.low);
  double rows = std::clamp(both / length, 0.0, 1.0);
  if (whole.period == 0 || whole.period != part.period)
    return rows;
  // The columns of the part begin so far after those of the other one.
  double after = std::fmod(part.low - whole.low, part.period);
  after += after < 0 ? part.period : 0;
  double columns = std::max(0.0, std::min(whole.run - after, part.run)) +
                   std::max(0.0, after + part.run - part.period);
  return rows * std::min(1.0, columns / std::max(1.0, part.run));
}

void Estimator::collect(const LoopNode &node, SmallVector<unsigned> &loops,
                        Touched &touched) {
  if (node.loop >= 0) {
    loops.push_back(unsigned(node.loop));
    for (const LoopNode &inner : node.inner)
      collect(inner, loops, touched);
    loops.pop_back();
    return;
  }
  for (const AccessGroup &group : groupsOf(node)) {
    Range range = rangeOf(group, loops);
    auto [own, isNew] = touched.parts.try_emplace(group.first.root, range);
    if (isNew)
      continue;
    // What lies beyond the range so far is new; inside it, more may be touched.
    Range &sum = own->second;
    sum.bytes = std::max(sum.bytes + range.bytes * (1 - common(sum, range)),
                         range.bytes);
    sum.bytes = std::min(sum.bytes, group.first.rootBytes);
    // Neighboring columns of the same rows become wider ones.
    const Range &first = sum.low <= range.low ? sum : range;
    const Range &second = sum.low <= range.low ? range : sum;
    double after =
        sum.period > 0 ? std::fmod(second.low - first.low, sum.period) : 0;
    double run = std::max(first.run, after + second.run);
    bool isWhole =
        sum.period == 0 || sum.period != range.period || run >= sum.period;
    sum.period = isWhole ? 0 : sum.period;
    sum.run = isWhole ? 0 : run;
    sum.low = std::min(sum.low, range.low);
    sum.high = std::max(sum.high, range.high);
  }
}

/// What one execution of the nodes touches of each buffer.
const Estimator::Touched &Estimator::touchedBy(ArrayRef<LoopNode> nodes) {
  std::unique_ptr<Touched> &own = touched[{nodes.data(), nodes.size()}];
  if (!own) {
    own = std::make_unique<Touched>();
    SmallVector<unsigned> loops;
    for (const LoopNode &node : nodes)
      collect(node, loops, *own);
    for (const auto &[root, range] : own->parts)
      own->bytes += range.bytes;
  }
  return *own;
}

/// The same of each node alone, once: every block after them asks.
ArrayRef<const Estimator::Touched *>
Estimator::touchedByEach(const std::vector<LoopNode> &nodes) {
  if (auto known = ofEach.find(&nodes); known != ofEach.end())
    return known->second;
  std::vector<const Touched *> each;
  for (const LoopNode &node : nodes)
    each.push_back(&touchedBy(node));
  return ofEach[&nodes] = std::move(each);
}

/// The part of the group's range that a node has touched.
double Estimator::overlap(const Touched &own, const AccessGroup &group,
                          const Range &range) {
  auto found = own.parts.find(group.first.root);
  if (found == own.parts.end())
    return 0;
  // Random pieces lie everywhere, and are few.
  double share =
      group.first.isRandom
          ? std::min(1.0, found->second.bytes / group.first.rootBytes)
          : 1;
  return share * common(found->second, range);
}

/// What the program touches between the last use of a buffer and the kernel.
double Estimator::distanceTo(mlir::Value root) const {
  if (auto part = root.getDefiningOp<memref::ViewOp>())
    root = part.getSource();
  auto parameter = dyn_cast<BlockArgument>(root);
  return parameter && parameter.getArgNumber() < options.distances.size()
             ? options.distances[parameter.getArgNumber()]
             : options.programBytes;
}

/// The bytes that all executions of a block bring to each cache, for one group.
SmallVector<double, 4> Estimator::misses(const AccessGroup &group) {
  size_t count = device.caches.size();
  SmallVector<unsigned> loops; // whose repetitions hit
  SmallVector<double, 4> total(count), weight(count, 1.0);
  auto isDone = [&] {
    return llvm::all_of(weight, [](double w) { return w <= 0; });
  };
  auto fitsInto = [&](size_t cache, double bytes) {
    return fits(bytes, double(device.caches[cache].bytes));
  };
  for (size_t i = path.size(); i-- > 0 && !isDone();) {
    const Level &level = path[i];
    Range range = rangeOf(group, loops);
    // A block before this one, in the same iteration, unless all caches have lost it.
    ArrayRef<const Touched *> each = touchedByEach(*level.siblings);
    double distance = each[level.index]->bytes;
    for (size_t before = level.index; before-- > 0 && !isDone();) {
      distance += each[before]->bytes;
      bool isKept = false;
      for (size_t cache = 0; cache < count; ++cache)
        isKept |= fitsInto(cache, distance) > 0;
      if (!isKept)
        break;
      double common = overlap(*each[before], group, range);
      for (size_t cache = 0; cache < count; ++cache)
        weight[cache] *= 1 - common * fitsInto(cache, distance);
    }
    double around = touchedBy(*level.siblings).bytes;
    if (i == 0)
      around = std::max(around, distanceTo(group.first.root));
    double outer = 1;
    for (size_t above = 0; above < i; ++above)
      outer *= path[above].node().iterations;
    for (size_t cache = 0; cache < count; ++cache) {
      double kept = fitsInto(cache, around);
      total[cache] += weight[cache] * (1 - kept) * outer * range.bytes;
      weight[cache] *= kept;
    }
    if (i > 0)
      loops.push_back(unsigned(path[i - 1].node().loop));
  }
  return total;
}

/// Whether the stores go past the caches (llvm/StreamedStores.h).
bool Estimator::isStreamed(const AccessGroup &group) const {
  return isa<BlockArgument>(group.first.root) && !device.caches.empty() &&
         std::isfinite(group.first.rootBytes) &&
         group.first.rootBytes >= double(streamedBytes(device));
}

/// The cost of a jump for a buffer of this size, as a part of the cost in a large one:
/// the core knows the pages of a small buffer. The cost is measured in a buffer of four
/// times the cache before the last.
double Estimator::pagesOf(const AccessGroup &group) const {
  if (device.caches.size() < 2)
    return 1;
  double bytes = 4 * double(device.caches[device.caches.size() - 2].bytes);
  constexpr double kLeast = 0.2;
  return std::clamp(group.first.rootBytes / bytes, kLeast, 1.0);
}

/// How much longer the lines of the group take than those of a long row: what a core
/// fetches ahead does not help a short piece of a row, and then another row.
double Estimator::jumpsOf(const AccessGroup &group) const {
  double line = double(device.lineBytes), own = group.first.bytes;
  // How long a piece is where offsets lie side by side, on average.
  auto joined = [&] {
    double runs = 1, bytes = 0;
    for (size_t i = 1; i < group.offsets.size(); ++i)
      if (double gap = group.offsets[i] - group.offsets[i - 1]; gap <= own)
        bytes += gap;
      else
        ++runs;
    return own + bytes / runs;
  };
  double piece = joined();
  for (size_t i = path.size() - 1; i-- > 0;) {
    unsigned loop = unsigned(path[i].node().loop);
    double stride = 0;
    for (auto [moved, bytes] : group.first.strides)
      if (moved == loop)
        stride = std::abs(bytes);
    double iterations = tree.iterations[loop];
    if (stride == 0 || iterations <= 1)
      continue;
    if (stride > std::max(piece, line))
      break;
    own += stride * (iterations - 1);
    piece = joined();
  }
  double lines = std::max(1.0, piece / line);
  return 1 + device.core.jumpLines * pagesOf(group) / lines;
}

/// How much longer cache lines take for stores that go to several rows in turn. A store
/// that covers parts of two lines needs both before the store to the next row.
double Estimator::splitsOf(const AccessGroup &group) const {
  constexpr double kTwoLines = 1.6;
  bool hasRows = false;
  for (size_t i = 1; i < group.offsets.size(); ++i)
    hasRows |= group.offsets[i] - group.offsets[i - 1] >
               group.first.bytes + double(device.lineBytes);
  return group.first.isSplit && hasRows ? kTwoLines : 1;
}

/// The part of a chain of so many instructions that nothing hides: a core looks ahead,
/// and begins with the chain that follows.
double Estimator::seen(double instructions) const {
  return std::min(1.0, instructions / device.core.windowInstructions);
}

/// What one execution of a node does, in all.
const Estimator::Summary &Estimator::summaryOf(const LoopNode &node) {
  if (auto known = summaries.find(&node); known != summaries.end())
    return *known->second;
  auto made = std::make_unique<Summary>();
  made->instructions = node.instructions;
  for (const LoopAccess &access : node.accesses)
    (access.isWrite ? made->writes : made->reads).insert(access.root);
  for (const LoopNode &inner : node.inner) {
    const Summary &part = summaryOf(inner);
    made->instructions += node.iterations * part.instructions;
    made->reads.insert(part.reads.begin(), part.reads.end());
    made->writes.insert(part.writes.begin(), part.writes.end());
  }
  return *(summaries[&node] = std::move(made));
}

/// The instructions from the begin of a chain, that of the node at this level of the
/// path, to work that does not wait for it: to the next iteration around, if what
/// follows in this one reads what the node writes. 0 if nothing does.
double Estimator::awaitedBy(size_t level) {
  double most = 0;
  for (size_t i = level;; --i) {
    const std::vector<LoopNode> &siblings = *path[i].siblings;
    const Summary &own = summaryOf(siblings[path[i].index]);
    double all = 0;
    bool isAwaited = false;
    for (size_t k = 0; k < siblings.size(); ++k) {
      const Summary &other = summaryOf(siblings[k]);
      all += other.instructions;
      if (k > path[i].index)
        for (mlir::Value root : own.writes)
          isAwaited |= other.reads.contains(root);
    }
    if (isAwaited)
      most = std::max(most, all);
    if (i == 0 || path[i - 1].node().iterations > 1)
      return most;
  }
}

/// Whether each iteration of the loop around this level of the path gives a buffer new
/// values, before the node there reads it: such as an accumulator that begins with zero.
bool Estimator::beginsAnew(size_t level, mlir::Value root) {
  const std::vector<LoopNode> &siblings = *path[level].siblings;
  for (size_t k = 0; k < path[level].index; ++k) {
    const Summary &other = summaryOf(siblings[k]);
    if (other.writes.contains(root) && !other.reads.contains(root))
      return true;
  }
  return false;
}

/// How long all executions of a block wait for what they stored themselves. The
/// iterations of the innermost loop that moves the address do not wait.
double Estimator::chainsOf(const LoopNode &leaf) {
  double longest = 0;
  for (const LoopAccess &access : leaf.accesses) {
    if (access.chain == 0)
      continue;
    double times = 1, moved = 1, repeated = 1;
    size_t chained = 0; // the loop that repeats the address
    for (size_t i = path.size() - 1; i-- > 0;) {
      const LoopNode &loop = path[i].node();
      bool moves = llvm::any_of(access.strides, [&](const LoopStride &stride) {
        return int(stride.first) == loop.loop;
      });
      if (repeated == 1 && beginsAnew(i + 1, access.root))
        break;
      if (repeated == 1 && !moves) {
        repeated = loop.iterations;
        chained = i;
      }
      (repeated == 1 ? moved : times) *= loop.iterations;
    }
    // Nothing comes back if no loop repeats the address.
    if (repeated <= 1)
      continue;
    double instructions =
        std::max(repeated * leaf.instructions * moved, awaitedBy(chained));
    longest = std::max(longest, times * access.chain *
                                    (access.isSeen ? 1 : seen(instructions)));
  }
  return longest;
}

/// Adds what comes to each cache to `brought`.
Time Estimator::timeOfBlock(const LoopNode &leaf,
                            SmallVectorImpl<double> &brought) {
  Time time;
  double executions = 1, overhead = 0, entry = 0;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    const LoopNode &loop = path[i].node();
    executions *= loop.iterations;
    overhead = loop.overhead;
    if (loop.inner.front().loop < 0)
      entry = loop.entry / loop.iterations;
  }
  double chains = chainsOf(leaf) / executions;
  if (leaf.work.chain > 0 && path.size() > 1)
    chains = std::max(
        chains, leaf.work.chain *
                    seen(std::max(path[path.size() - 2].node().iterations *
                                      leaf.instructions,
                                  awaitedBy(path.size() - 2))));
  double threads = parallel.back();
  const CoreWork &work = leaf.work;
  double units = work.arithmetic();
  // What waits for the operation before it, where the core does not look far enough
  // ahead to begin with the next iteration.
  double waits =
      std::max(chains, work.path * seen(leaf.instructions * leaf.lanes));
  double busy = std::max(work.nanoseconds(), overhead);
  double core = std::max(busy, waits) +
                device.core.waitsSeen * std::min(busy, waits) + entry +
                leaf.stall;
  double ofMultiplyAdds =
      units > 0 ? work.multiplyAdds * units /
                      (work.multiplyAdds + work.additions + work.functions +
                       work.gathers + work.divisions)
                : 0;
  double scale = executions / threads;
  if (leaf.isPacking) {
    time.packing = core * scale;
  } else {
    time.multiplyAdds = ofMultiplyAdds * scale;
    time.arithmetic = (units - ofMultiplyAdds) * scale;
    time.accesses = (core - units) * scale;
  }
  // From each level to the one before it.
  double all = time.total(), longest = all, caches = 0, memory = 0;
  ArrayRef<AccessGroup> groups = groupsOf(leaf);
  SmallVector<SmallVector<double, 4>> missed;
  SmallVector<double> jumps;
  for (const AccessGroup &group : groups) {
    missed.push_back(misses(group));
    jumps.push_back(jumpsOf(group));
  }
  size_t levels = device.caches.size();
  for (size_t i = 0; i < levels; ++i) {
    bool isLast = i + 1 == levels;
    auto [ofCore, ofAll] = device.bandwidthOf(i + 1);
    double rate = ofCore > 0 ? ofCore * threads : ofAll;
    if (ofAll > 0)
      rate = std::min(rate, ofAll);
    if (rate <= 0)
      continue;
    double bytes = 0; // with those that go back
    // What is written to memory comes first. What leaves the first cache does so
    // beside what comes.
    for (auto [group, ofCaches, longer] :
         llvm::zip_equal(groups, missed, jumps)) {
      double ways = isLast && !isStreamed(group) ? 2
                    : i == 0 ? device.core.leavingSeen * splitsOf(group)
                             : 1;
      bytes += (group.first.isWrite ? ways : 1) * longer * ofCaches[i];
      brought[i] += ofCaches[i];
    }
    double ns = bytes / rate;
    (isLast ? memory : caches) += ns;
    longest = std::max(longest, ns);
  }
  // What is shorter than the longest hides behind it, but for a part.
  double sum = all + caches + memory;
  double total = longest + device.core.levelsSeen * (sum - longest);
  double beyond = total - all;
  if (beyond > 0 && caches + memory > 0) {
    time.caches += beyond * caches / (caches + memory);
    time.memory += beyond * memory / (caches + memory);
  }
  return time;
}

Time Estimator::visit(const std::vector<LoopNode> &nodes,
                      SmallVectorImpl<double> &brought) {
  Time time;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const LoopNode &node = nodes[i];
    size_t place = nest ? nest->size() : 0;
    if (nest)
      nest->push_back({.depth = unsigned(path.size()),
                       .isLoop = node.loop >= 0,
                       .iterations = node.iterations,
                       .isParallel = node.isParallel,
                       .isPacking = node.isPacking});
    path.push_back({&nodes, i});
    SmallVector<double, 4> bytes(device.caches.size());
    Time own;
    if (node.loop < 0) {
      own = timeOfBlock(node, bytes);
    } else {
      bool divides = node.isParallel && parallel.size() == 1;
      double threads =
          divides ? std::min(double(options.threads), node.parts) : 1;
      if (divides)
        parallel.push_back(std::max(1.0, threads));
      own = visit(node.inner, bytes);
      if (divides && threads > 1) {
        // Some threads have a part more than others.
        double rounds = std::ceil(node.parts / threads);
        own.waiting += own.total() * (rounds * threads / node.parts - 1);
        if (node.isFirst)
          own.starting +=
              1000 * (device.startMicroseconds + device.meetMicroseconds);
      }
      if (divides)
        parallel.pop_back();
    }
    path.pop_back();
    time += own;
    for (size_t level = 0; level < bytes.size(); ++level)
      brought[level] += bytes[level];
    if (nest) {
      (*nest)[place].time = own;
      (*nest)[place].bytes = bytes;
    }
  }
  return time;
}

Time Estimator::run() {
  SmallVector<double, 4> brought(device.caches.size());
  Time time = visit(tree.nodes, brought);
  // The call, with what it loads before its loops.
  time.starting += device.core.callCycles * cycleOf(device);
  return time;
}

/// The buffer that a view is a part of, through loops and conditions that hand it on.
static mlir::Value firstOf(mlir::Value buffer) {
  for (;;) {
    buffer = rootOf(buffer);
    auto result = dyn_cast<OpResult>(buffer);
    if (!result)
      return buffer;
    unsigned number = result.getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
      buffer = loop.getInitArgs()[number];
    else if (auto branch = dyn_cast<scf::IfOp>(result.getOwner()))
      buffer = branch.thenYield().getOperand(number);
    else
      return buffer;
  }
}

/// The kernel with loops instead of linalg, and of copies.
static bool makeLoops(func::FuncOp kernel) {
  SmallVector<memref::CopyOp> copies;
  kernel.walk([&](memref::CopyOp op) { copies.push_back(op); });
  for (memref::CopyOp op : copies) {
    IRRewriter builder(op);
    // Parameters that are one buffer are copied nowhere.
    if (firstOf(op.getSource()) != firstOf(op.getTarget())) {
      auto copy = linalg::CopyOp::create(builder, op.getLoc(), op.getSource(),
                                         op.getTarget());
      (void)linalg::generalizeNamedOp(builder, copy);
    }
    op.erase();
  }
  // LLVM copies all that is side by side at once.
  flattenLoops(kernel);
  return succeeded(lowerToLoops(kernel));
}

std::optional<Time> cpu::timeOf(func::FuncOp kernel, const Device &device,
                                const TimeOptions &options,
                                std::vector<NestNode> *nest) {
  OwningOpRef<func::FuncOp> own = kernel.clone();
  return timeOfOwn(*own, device, options, nest);
}

std::optional<Time> cpu::timeOfOwn(func::FuncOp kernel, const Device &device,
                                   const TimeOptions &options,
                                   std::vector<NestNode> *nest) {
  if (!makeLoops(kernel))
    return std::nullopt;
  splitTileLoops(kernel);
  LoopTree tree = loopTreeOf(kernel, device);
  if (!tree.isKnown)
    return std::nullopt;
  return Estimator(tree, device, options, nest).run();
}
