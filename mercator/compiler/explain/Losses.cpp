// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/explain/Losses.h"

#include "mercator/analysis/access/Lanes.h"
#include "mercator/support/Numbers.h"
#include "mercator/support/Utf8.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <cmath>
#include <map>
#include <set>
#include <tuple>

using namespace mercator;
using kernels::Counted;
using kernels::Emitter;
using llvm::StringRef;

StringRef mercator::nameOf(KernelLoss::Kind kind) {
  switch (kind) {
  case KernelLoss::Kind::Between:
    return "between";
  case KernelLoss::Kind::Strided:
    return "strided";
  case KernelLoss::Kind::Recomputed:
    return "recomputed";
  case KernelLoss::Kind::FewBlocks:
    return "few-blocks";
  case KernelLoss::Kind::Tail:
    return "tail";
  case KernelLoss::Kind::Start:
    return "start";
  case KernelLoss::Kind::Bytes:
    return "bytes";
  }
  llvm_unreachable("all kinds are listed");
}

namespace {
/// A part of a kernel's time; 0 if it has none of that name.
double partOf(const kernels::Time &time, StringRef name) {
  for (const kernels::Time::Part &part : time.parts)
    if (part.name == name)
      return part.microseconds;
  return 0;
}

StringRef longestOf(const kernels::Time &time) {
  return time.parts.empty() ? StringRef() : StringRef(time.parts.front().name);
}

/// How much shorter the kernel would be if a part took so long instead. Parts of one
/// length disturb each other, as in kernels/Time.h.
double gainOf(const kernels::Time &time, StringRef name, double instead) {
  double before = 0, after = 0;
  for (const kernels::Time::Part &part : time.parts) {
    if (part.name == "start")
      continue;
    double now = part.name == name ? instead : part.microseconds;
    before += part.microseconds * part.microseconds;
    after += now * now;
  }
  double work = time.microseconds - partOf(time, "start");
  return before > 0 ? work * (1 - std::sqrt(after / before)) : 0;
}

class LossFinder {
public:
  LossFinder(llvm::ArrayRef<KernelRecord> kernels,
             const Explanation &explanation, const Device &device,
             ProducersOf producersOf)
      : kernels(kernels), explanation(explanation), device(device),
        producersOf(producersOf) {
    for (auto [i, kernel] : llvm::enumerate(kernels))
      for (const std::string &line : kernel.lines)
        kernelsOfLine[line].push_back(i);
  }

  std::vector<KernelLoss> find() {
    findBetween();
    findStarts();
    for (size_t i = 0; i < kernels.size(); ++i) {
      const KernelRecord &k = kernels[i];
      if (!k.kernel.isKnown() || k.time.parts.empty())
        continue;
      findStrided(i);
      findRecomputed(i);
      findIdle(i);
      findBytes(i);
    }
    llvm::sort(losses, [](const KernelLoss &a, const KernelLoss &b) {
      return std::tie(b.microseconds, a.what) <
             std::tie(a.microseconds, b.what);
    });
    return std::move(losses);
  }

private:
  void add(KernelLoss loss, size_t kernel) {
    loss.kernels = {kernel};
    loss.microseconds *= double(kernels[kernel].repeats);
    losses.push_back(std::move(loss));
  }

  [[nodiscard]] bool isIn(const std::string &line, size_t kernel) const {
    auto it = kernelsOfLine.find(line);
    return it != kernelsOfLine.end() && llvm::is_contained(it->second, kernel);
  }

  //===--- Bytes between kernels -------------------------------------------===//

  /// The operand that an emitter changes in place moves no bytes.
  static bool isChangedInPlace(const KernelRecord &k, size_t operand) {
    return operand == 0 && (k.kernel.emitter == Emitter::UpdateInPlace ||
                            k.kernel.emitter == Emitter::Scatter);
  }

  void findBetween() {
    struct Handed {
      int64_t bytes = 0;
      std::vector<size_t> readers = {};
    };
    std::map<size_t, Handed> handed; // by writer
    for (auto [i, k] : llvm::enumerate(kernels))
      for (auto [operand, source] : llvm::enumerate(k.sources)) {
        if (!source.kernel || source.bytes() == 0 ||
            isChangedInPlace(k, operand))
          continue;
        Handed &h = handed[*source.kernel];
        int64_t bytes = source.bytes();
        if (k.kernel.isKnown() && k.counts.bytesRead.value > 0)
          bytes = std::min(bytes, k.counts.bytesRead.value);
        h.bytes = std::max(h.bytes, bytes);
        if (h.readers.empty() || h.readers.back() != i)
          h.readers.push_back(i);
      }
    for (const auto &[from, h] : handed) {
      KernelLoss loss{.kind = KernelLoss::Kind::Between,
                      .kernels = {from},
                      .bytes = h.bytes};
      llvm::append_range(loss.kernels, h.readers);
      loss.what = bytesText(h.bytes) + " go through memory from " +
                  kernels[from].instruction + " to " +
                  kernels[h.readers.front()].instruction;
      if (h.readers.size() > 1)
        loss.what += " and " + std::to_string(h.readers.size() - 1) + " more";
      explainBetween(from, h.readers, loss);
      losses.push_back(std::move(loss));
    }
  }

  /// Of readers, how often they and what they read run.
  int64_t timesOf(llvm::ArrayRef<size_t> runs) const {
    int64_t times = 0;
    for (size_t i : runs)
      times += kernels[i].repeats;
    return times;
  }

  /// What our formation does with the tensor, and the time that it costs.
  void explainBetween(size_t from, llvm::ArrayRef<size_t> readers,
                      KernelLoss &loss) {
    double rate = device.gigabytesPerSecond * 1e3; // bytes in a microsecond
    auto set = [&](int64_t times) {
      loss.microseconds =
          rate > 0 ? double(loss.bytes) * double(times) / rate : 0;
    };
    std::map<size_t, std::vector<size_t>> keptIn; // readers by dispatch
    for (size_t reader : readers)
      if (std::optional<size_t> dispatch = dispatchOf(from, reader))
        keptIn[*dispatch].push_back(reader);
    set(kernels[from].repeats + timesOf(readers));
    if (keptIn.empty()) {
      const Explanation::Edge *edge = edgeBetween(from, readers, false);
      loss.help.push_back(
          edge ? "Mercator's formation has them apart, too: " +
                     edge->reasons.front().text
               : std::string("one kernel for both would keep them"));
      addMaps(edge, loss);
      return;
    }
    auto most = keptIn.begin();
    for (auto it = most; it != keptIn.end(); ++it)
      if (timesOf(it->second) > timesOf(most->second))
        most = it;
    auto &[dispatch, kept] = *most;
    loss.dispatch = dispatch;
    std::string text = "dispatch " + std::to_string(dispatch) +
                       " of Mercator's formation computes ";
    if (kept.size() == readers.size()) {
      text += readers.size() == 1 ? "both, and keeps them"
                                  : "all of them, and keeps the bytes";
    } else {
      // The others read what it writes.
      set(timesOf(kept));
      text += "it with " + kernels[kept.front()].instruction;
      if (kept.size() > 1)
        text += " and " + std::to_string(kept.size() - 1) + " more";
    }
    loss.help.push_back(std::move(text));
    addMaps(edgeBetween(from, kept, true), loss);
  }

  /// Which part of the tensor a part of each result makes, and reads: a kernel that
  /// computes such parts of both keeps them.
  static void addMaps(const Explanation::Edge *edge, KernelLoss &loss) {
    if (!edge || edge->made.empty() || edge->read.empty())
      return;
    loss.help.push_back("made by " + edge->made);
    loss.help.push_back("read by " + edge->read);
  }

  /// The largest edge inside of a dispatch, or apart; null if there is none.
  const Explanation::Edge *
  edgeBetween(size_t from, llvm::ArrayRef<size_t> readers, bool inside) {
    const Explanation::Edge *largest = nullptr;
    auto [begin, end] = edgesFrom(from);
    for (auto it = begin; it != end; ++it) {
      const Explanation::Edge *edge = it->second;
      if (edge->inside == inside &&
          llvm::any_of(readers,
                       [&](size_t r) { return isIn(edge->place, r); }) &&
          (!largest || edge->bytes.value_or(0) > largest->bytes.value_or(0)))
        largest = edge;
    }
    return largest;
  }

  using EdgesByKernel = std::multimap<size_t, const Explanation::Edge *>;

  std::pair<EdgesByKernel::const_iterator, EdgesByKernel::const_iterator>
  edgesFrom(size_t kernel) {
    if (!hasEdges) {
      hasEdges = true;
      for (const Explanation::Edge &edge : explanation.edges)
        if (auto it = kernelsOfLine.find(edge.producerPlace);
            it != kernelsOfLine.end())
          for (size_t k : it->second)
            edges.emplace(k, &edge);
    }
    return edges.equal_range(kernel);
  }

  /// Our dispatch that computes all of the writer, and what reads its result. A
  /// writer that our formation divides is not kept.
  std::optional<size_t> dispatchOf(size_t from, size_t reader) {
    if (dispatchesOf.empty())
      for (auto [i, dispatch] : llvm::enumerate(explanation.dispatches))
        for (const Explanation::Operation &op : dispatch.operations)
          if (auto it = kernelsOfLine.find(op.place); it != kernelsOfLine.end())
            for (size_t k : it->second)
              dispatchesOf[k].insert(i);
    const std::set<size_t> &own = dispatchesOf[from];
    if (own.size() != 1 || !dispatchesOf[reader].contains(*own.begin()) ||
        edgeBetween(from, reader, /*inside=*/false))
      return std::nullopt;
    return *own.begin();
  }

  //===--- Launches ---------------------------------------------------------===//

  /// Kernels that start for longer than they work, as one loss.
  void findStarts() {
    KernelLoss loss{.kind = KernelLoss::Kind::Start};
    int64_t launches = 0;
    for (auto [i, k] : llvm::enumerate(kernels)) {
      double over = k.time.microseconds - k.leastMicroseconds;
      if (!k.kernel.isKnown() || longestOf(k.time) != "start" || over <= 0)
        continue;
      loss.kernels.push_back(i);
      loss.microseconds += over * double(k.repeats);
      launches += k.repeats;
    }
    if (loss.kernels.empty())
      return;
    constexpr size_t kMostNames = 3;
    std::vector<std::string> names;
    for (size_t i : llvm::ArrayRef(loss.kernels)
                        .take_front(std::min(kMostNames, loss.kernels.size())))
      names.push_back(kernels[i].instruction);
    loss.what = std::to_string(launches) +
                (launches == 1 ? " launch costs" : " launches cost") +
                " more than the work: " + llvm::join(names, ", ");
    if (loss.kernels.size() > kMostNames)
      loss.what +=
          " and " + std::to_string(loss.kernels.size() - kMostNames) + " more";
    if (kernels.size() > 1)
      loss.help = {"the work of a neighbor in the same kernel would hide it"};
    losses.push_back(std::move(loss));
  }

  //===--- Sectors ----------------------------------------------------------===//

  /// Sectors of an access if dimension `fastest` of the tensor had neighbors in
  /// memory; none where that is not known.
  std::optional<int64_t>
  sectorsWith(const Counted &c, const access::Layout &layout, int64_t fastest) {
    // Loads that are joined have the number of their element, not its index.
    if (c.map.numResults() != layout.shape.size())
      return std::nullopt;
    access::Layout other = layout;
    llvm::erase(other.minorToMajor, fastest);
    other.minorToMajor.insert(other.minorToMajor.begin(), fastest);
    std::optional<access::Traffic> traffic =
        access::trafficOf({.map = c.map,
                           .lanes = device.lanes,
                           .vector = c.vector,
                           .isOneLoad = true},
                          other, device);
    if (!traffic)
      return std::nullopt;
    return traffic->touchedSectors();
  }

  /// Whether each lane takes neighbors, one after the other: the cache gives them
  /// again.
  static bool takesNeighbors(const Counted &c, const access::Layout &layout) {
    int64_t element = std::max<int64_t>(1, layout.bits / 8);
    return c.vector == 1 && c.traffic.laneStride &&
           *c.traffic.laneStride > element &&
           *c.traffic.laneStride <= 16 * element;
  }

  void findStrided(size_t number) {
    const KernelRecord &k = kernels[number];
    double requests = partOf(k.time, "requests"),
           memory = partOf(k.time, "memory");
    double total = 0, used = 0, spread = 0;
    for (const Counted &c : k.counts.accesses) {
      if (c.byEngine)
        continue;
      total += double(c.traffic.touchedSectors());
      if (c.kind != kernels::Step::Kind::Reads)
        continue;
      used += double(c.traffic.usedBytes);
      spread += double(c.traffic.touchedSectors() - c.traffic.neededSectors);
    }
    if (total <= 0)
      return;
    // Memory gives units of which lanes use a part.
    auto read = double(k.counts.bytesRead.value),
         moved = read + double(k.counts.bytesWritten.value);
    double unused = moved > 0 ? std::max(0.0, read - used) / moved : 0;
    double least = k.time.microseconds / 50; // what is worth a line
    auto gainWithout = [&](double sectors) {
      return gainOf(k.time, "requests", requests * (1 - sectors / total));
    };
    double neighbors = 0, factor = 1;
    std::vector<std::string> tensors; // whose neighbors are taken
    int64_t bits = 0;
    for (const Counted &c : k.counts.accesses) {
      bool isRead = c.kind == kernels::Step::Kind::Reads;
      if (c.byEngine || c.traffic.factor() < 1.5)
        continue;
      std::optional<access::Layout> layout;
      if (isRead && c.operand < k.sources.size())
        layout = k.sources[c.operand].layout;
      else if (!isRead && c.operand < k.results.size())
        layout = k.results[c.operand];
      if (!layout)
        continue;
      std::string tensor = isRead ? k.operands[c.operand] : "its result";
      double wasted =
          double(c.traffic.touchedSectors()) * (1 - 1 / c.traffic.factor());
      if (takesNeighbors(c, *layout)) {
        neighbors += wasted;
        factor = std::max(factor, c.traffic.factor());
        if (!llvm::is_contained(tensors, tensor))
          tensors.push_back(std::move(tensor));
        bits = std::max(bits, layout->bits);
        continue;
      }
      double gain = gainWithout(wasted);
      if (isRead && spread > 0)
        gain = std::max(gain, gainOf(k.time, "memory",
                                     memory * (1 - unused * wasted / spread)));
      if (gain < least)
        continue;
      KernelLoss loss{.kind = KernelLoss::Kind::Strided, .microseconds = gain};
      loss.what = k.instruction + (isRead ? " reads " : " writes ") + tensor +
                  " in " + shortNumber(c.traffic.factor()) +
                  " times the sectors that it needs";
      loss.help.push_back("by " + c.by);
      helpStrided(c, *layout, tensor, loss);
      add(std::move(loss), number);
    }
    if (neighbors == 0 || gainWithout(neighbors) < least)
      return;
    KernelLoss loss{.kind = KernelLoss::Kind::Strided,
                    .microseconds = gainWithout(neighbors)};
    loss.what = k.instruction + " touches sectors of " +
                llvm::join(tensors, " and ") + " " + shortNumber(factor) +
                " times: each lane takes neighbors one after the other";
    loss.help.push_back(
        "last dimensions that are multiples of " +
        std::to_string(std::max<int64_t>(2, 128 / std::max<int64_t>(bits, 8))) +
        " elements, aligned, would let it take them at once");
    add(std::move(loss), number);
  }

  /// The layout that removes the loss, if one does.
  void helpStrided(const Counted &c, const access::Layout &layout,
                   const std::string &tensor, KernelLoss &loss) {
    int64_t now = c.traffic.touchedSectors(), best = now;
    std::optional<int64_t> fastest;
    bool canMove = layout.tiles.empty() && layout.minorToMajor.size() > 1 &&
                   c.traffic.fetchedAre == Exactness::Exact;
    if (!canMove)
      return;
    for (int64_t dim : llvm::ArrayRef(layout.minorToMajor).drop_front()) {
      if (layout.shape[dim] == 1)
        continue;
      std::optional<int64_t> sectors = sectorsWith(c, layout, dim);
      if (sectors && *sectors < best) {
        best = *sectors;
        fastest = dim;
      }
    }
    if (!fastest || double(best) >= 0.7 * double(now))
      return;
    llvm::SmallVector<std::string> order = {std::to_string(*fastest)};
    for (int64_t dim : layout.minorToMajor)
      if (dim != *fastest)
        order.push_back(std::to_string(dim));
    loss.help.push_back(
        "with layout {" + llvm::join(order, ",") + "} of " + tensor + ", " +
        shortNumber(c.traffic.factor() * double(best) / double(now)) +
        " times: move dimension " + std::to_string(*fastest) +
        " last where it is made");
  }

  //===--- Work -------------------------------------------------------------===//

  /// Instructions of one element, for operations that are worth keeping.
  static double workOf(StringRef operation) {
    static const llvm::StringMap<double> work = {
        {"stablehlo.sine", 120},        {"stablehlo.cosine", 120},
        {"stablehlo.tan", 120},         {"stablehlo.power", 80},
        {"stablehlo.atan2", 80},        {"stablehlo.tanh", 20},
        {"stablehlo.logistic", 20},     {"stablehlo.divide", 12},
        {"stablehlo.remainder", 12},    {"stablehlo.log", 12},
        {"stablehlo.log_plus_one", 12}, {"stablehlo.exponential_minus_one", 12},
        {"stablehlo.exponential", 8},   {"stablehlo.sqrt", 8},
        {"stablehlo.rsqrt", 8},         {"stablehlo.cbrt", 8}};
    auto it = work.find(operation);
    return it == work.end() ? 0 : it->second;
  }

  void findRecomputed(size_t number) {
    const KernelRecord &k = kernels[number];
    bool computesEach = k.kernel.emitter == Emitter::Loop ||
                        k.kernel.emitter == Emitter::Transpose ||
                        k.kernel.emitter == Emitter::Concatenate;
    double arithmetic = partOf(k.time, "arithmetic");
    if (!producersOf || !computesEach || arithmetic < k.time.microseconds / 20)
      return;
    double again = 0, most = 0;
    const ProducerAccess *worst = nullptr;
    std::vector<ProducerAccess> producers = producersOf(k);
    for (const ProducerAccess &p : producers) {
      double work = workOf(p.operation) * double(p.read.value);
      if (p.recomputed.why.exactness == Exactness::Unknown ||
          p.recomputed.value < 1.5)
        continue;
      double more = work * (p.recomputed.value - 1);
      again += more;
      if (more > most) {
        most = more;
        worst = &p;
      }
    }
    // The predicted time has each value once.
    constexpr double kClock = 0.87; // of the highest
    double rate =
        device.multiplyAddRate("f32") / 2 * 1e3 * kClock *
        double(device.cores); // instructions of lanes in a microsecond
    double gain =
        rate > 0 ? -gainOf(k.time, "arithmetic", arithmetic + again / rate) : 0;
    if (!worst || gain < k.time.microseconds / 50)
      return;
    KernelLoss loss{.kind = KernelLoss::Kind::Recomputed, .microseconds = gain};
    loss.what = k.instruction + " computes " + worst->name + " " +
                (worst->recomputed.isExact() ? "" : "up to ") +
                shortNumber(worst->recomputed.value) + " times";
    loss.help = {"a kernel of its own for it would compute each value once"};
    add(std::move(loss), number);
  }

  //===--- Multiprocessors --------------------------------------------------===//

  /// Those that have no block: of all blocks, or of the last ones.
  void findIdle(size_t number) {
    const KernelRecord &k = kernels[number];
    int64_t grid = k.kernel.grid, block = k.kernel.block;
    StringRef longest = longestOf(k.time);
    if (grid > 0 && grid < device.cores) {
      double now = partOf(k.time, "few blocks");
      KernelLoss loss{.kind = KernelLoss::Kind::FewBlocks,
                      .microseconds =
                          gainOf(k.time, "few blocks",
                                 now * double(grid) / double(device.cores))};
      loss.what = k.instruction + " has only " + std::to_string(grid) +
                  (grid == 1 ? " block for " : " blocks for ") +
                  std::to_string(device.cores) + " multiprocessors";
      loss.help = {"more blocks would use the others: reduce more columns "
                   "together, or the rows in two steps"};
      if (longest != "start" && loss.microseconds > k.time.microseconds / 10)
        add(std::move(loss), number);
      return;
    }
    bool isComputing = longest == "arithmetic" || longest == "requests" ||
                       longest == "steps" || longest == "products";
    if (!isComputing || grid == 0 || block == 0 || device.cores == 0)
      return;
    constexpr int64_t kThreadsOfCore = 2048, kBlocksOfCore = 32,
                      kProductBlocks = 2;
    int64_t together =
        k.kernel.emitter == Emitter::TritonProduct
            ? kProductBlocks
            : std::clamp<int64_t>(kThreadsOfCore / block, 1, kBlocksOfCore);
    int64_t wave = device.cores * together, waves = (grid + wave - 1) / wave;
    int64_t last = grid - (waves - 1) * wave;
    double idle =
        1 - double(grid) / (double(waves) * double(wave)); // of all rooms
    constexpr int64_t kMostWaves = 8;
    if (waves < 2 || waves > kMostWaves || idle < 0.1)
      return;
    KernelLoss loss{.kind = KernelLoss::Kind::Tail,
                    .microseconds =
                        (k.time.microseconds - partOf(k.time, "start")) * idle};
    loss.what = k.instruction + " has " + std::to_string(grid) +
                " blocks, and the device takes " + std::to_string(wave) +
                " at once: the last wave has " + std::to_string(last);
    loss.help = {"sizes that make a multiple of " + std::to_string(wave) +
                 " blocks leave no tail"};
    add(std::move(loss), number);
  }

  //===--- Bytes ------------------------------------------------------------===//

  /// Memory gives 64 bytes where fewer are needed, or a lookup brings a row again.
  void findBytes(size_t number) {
    const KernelRecord &k = kernels[number];
    double over =
        k.time.microseconds - partOf(k.time, "start") - k.leastMicroseconds;
    if (longestOf(k.time) != "memory" ||
        k.counts.bytesRead.value + k.counts.bytesWritten.value <=
            1.05 * double(k.counts.leastBytes) ||
        over < k.time.microseconds / 20)
      return;
    KernelLoss loss{.kind = KernelLoss::Kind::Bytes, .microseconds = over};
    loss.what =
        k.instruction + " moves " +
        bytesText(k.counts.bytesRead.value + k.counts.bytesWritten.value) +
        ", and its arguments and results have " +
        bytesText(k.counts.leastBytes);
    if (!k.counts.bytesRead.why.reason.empty())
      loss.help.push_back(k.counts.bytesRead.why.reason);
    add(std::move(loss), number);
  }

  llvm::ArrayRef<KernelRecord> kernels;
  const Explanation &explanation;
  const Device &device;
  ProducersOf producersOf;
  llvm::StringMap<std::vector<size_t>> kernelsOfLine;
  EdgesByKernel edges;
  bool hasEdges = false;
  std::map<size_t, std::set<size_t>> dispatchesOf; ///< by kernel
  std::vector<KernelLoss> losses;
};
} // namespace

std::vector<KernelLoss>
mercator::findLosses(llvm::ArrayRef<KernelRecord> kernels,
                     const Explanation &explanation, const Device &device,
                     ProducersOf producersOf) {
  return LossFinder(kernels, explanation, device, producersOf).find();
}

void mercator::writeJson(const KernelLoss &loss,
                         llvm::ArrayRef<KernelRecord> kernels,
                         llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("kind", nameOf(loss.kind));
    json.attribute("us", loss.microseconds);
    json.attributeArray("kernels", [&] {
      for (size_t i : loss.kernels)
        json.value(validUtf8(kernels[i].instruction));
    });
    json.attribute("what", validUtf8(loss.what));
    json.attributeArray("help", [&] {
      for (const std::string &line : loss.help)
        json.value(validUtf8(line));
    });
    if (loss.kind == KernelLoss::Kind::Between)
      json.attribute("bytes", loss.bytes);
    if (loss.dispatch)
      json.attribute("dispatch", int64_t(*loss.dispatch));
  });
}
