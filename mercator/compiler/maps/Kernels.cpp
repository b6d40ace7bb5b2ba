// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/maps/Kernels.h"

#include "mercator/analysis/Computations.h"
#include "mercator/analysis/Layout.h"
#include "mercator/analysis/ValueHashes.h"
#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/maps/VerdictJson.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/simplify/Simplify.h"
#include "mercator/support/Saturating.h"
#include "mercator/support/Utf8.h"

#include "mlir/IR/SymbolTable.h"

using namespace mercator;

bool Compilation::isCompiledForGpu() {
  // XLA's scheduler for GPUs leaves its mark.
  auto attributes = getModule()->getAttrOfType<mlir::DictionaryAttr>(
      "mhlo.frontend_attributes");
  bool isFound = attributes && attributes.get("fingerprint_before_lhs");
  getModule().walk([&](mlir::Operation *op) {
    auto fusion = llvm::dyn_cast<hlo::FusionOp>(op);
    if (!fusion && !llvm::isa<stablehlo::CustomCallOp>(op))
      return;
    isFound |= fusion &&
               (fusion.getKind() == "kInput" || fusion.getKind() == "kCustom");
    if (auto text = op->getAttrOfType<mlir::StringAttr>("mhlo.backend_config");
        text && fusion)
      isFound |= text.getValue().contains("fusion_backend_config") ||
                 text.getValue().contains("native_emitter_backend_config");
    auto call = llvm::dyn_cast<stablehlo::CustomCallOp>(op);
    llvm::StringRef target =
        call ? call.getCallTargetName() : fusion.getLibraryTarget();
    if (!target.empty()) {
      isFound |= target.starts_with("__cublas") ||
                 target.starts_with("__cudnn") || target.starts_with("xla.gpu");
    }
  });
  return isFound;
}

/// The launch that makes a value, through operations that only hand it on.
static mlir::Operation *launchOf(mlir::Value value) {
  constexpr int kMostSteps = 64;
  for (int i = 0; i < kMostSteps; ++i) {
    mlir::Operation *op = value.getDefiningOp();
    if (!op || kernels::launches(op))
      return op;
    if (op->getNumOperands() != 1)
      return nullptr;
    value = op->getOperand(0);
  }
  return nullptr;
}

namespace {
/// Walks over what the entry runs: its instructions, and those of loops, branches and
/// calls in it.
class KernelWalk {
public:
  KernelWalk(const InstructionTable &table, const KernelQuery &query,
             llvm::function_ref<void(const KernelRecord &)> f)
      : table(table), query(query), f(f) {
    for (const Computation &computation : table.getComputations())
      computations.try_emplace(computation.block, computation.name);
  }

  void walk(mlir::Block &block, int64_t repeats) {
    if (++depth > kMostDepth)
      return;
    for (mlir::Operation &op : block) {
      if (kernels::launches(&op)) {
        launch(op, repeats);
        continue;
      }
      int64_t inside = saturatingMul(repeats, tripsOf(&op));
      maps::CalledBlock called = maps::computationOf(&op, &symbols);
      if (called.block && called.refusal.empty())
        walk(*called.block, inside);
      else if (maps::isControl(&op))
        for (mlir::Region &region : op.getRegions())
          for (mlir::Block &inner : region)
            walk(inner, inside);
    }
    --depth;
  }

private:
  static constexpr int kMostDepth = 64;

  /// {"known_trip_count":{"n":"10"}}
  static int64_t tripsOf(mlir::Operation *op) {
    auto text = op->getAttrOfType<mlir::StringAttr>("mhlo.backend_config");
    if (!text)
      return 1;
    llvm::Expected<llvm::json::Value> value =
        llvm::json::parse(text.getValue());
    if (!value) {
      llvm::consumeError(value.takeError());
      return 1;
    }
    const llvm::json::Object *top = value->getAsObject();
    const llvm::json::Object *trips =
        top ? top->getObject("known_trip_count") : nullptr;
    std::optional<llvm::StringRef> n =
        trips ? trips->getString("n") : std::nullopt;
    int64_t number;
    bool isNumber = n && !n->getAsInteger(10, number) && number >= 0;
    return isNumber ? number : 1;
  }

  void launch(mlir::Operation &op, int64_t repeats) {
    KernelRecord record;
    record.arena = std::make_shared<indexing::Arena>();
    record.instruction = table.nameOf(&op);
    record.computation = computations.lookup(op.getBlock());
    record.at = placeOf(op.getLoc());
    record.origin = originOf(op.getLoc());
    record.repeats = repeats;
    llvm::raw_string_ostream(record.type) << op.getResultTypes();
    for (mlir::Value operand : op.getOperands()) {
      record.operands.push_back(table.nameOf(operand));
      KernelRecord::Source &source = record.sources.emplace_back();
      source.layout = access::Layout::of(operand.getType());
      if (mlir::Operation *from = launchOf(operand))
        if (auto it = numbers.find(from); it != numbers.end())
          source.kernel = it->second;
    }
    for (mlir::Value result : op.getResults())
      record.results.push_back(access::Layout::of(result.getType()));
    describe(op, record);
    numbers[&op] = launched++;
    record.kernel =
        kernels::kernelOf(&op, *record.arena, query.device, query.byHand);
    record.counts =
        kernels::count(record.kernel, &op, *record.arena, query.device);
    record.time =
        kernels::timeOf(record.kernel, record.counts, &op, query.device);
    record.leastMicroseconds =
        kernels::leastMicroseconds(record.counts, query.device);
    f(record);
  }

  /// What it computes, and where that is in the text.
  void describe(mlir::Operation &op, KernelRecord &record) {
    auto fusion = llvm::dyn_cast<hlo::FusionOp>(&op);
    auto add = [&](mlir::Operation *part) {
      std::string line = placeOf(part->getLoc());
      if (!llvm::is_contained(record.lines, line))
        record.lines.push_back(std::move(line));
    };
    add(&op);
    if (!fusion) {
      record.root = op.getName().getStringRef();
      record.computes = hashes.own(&op);
      return;
    }
    mlir::Operation *end = fusion.getBody().front().getTerminator();
    llvm::hash_code all = llvm::hash_value(fusion.getLibraryTarget());
    for (mlir::Value root : end->getOperands())
      all = llvm::hash_combine(all, hashes.up(root));
    record.computes = size_t(all);
    if (end->getNumOperands() > 0)
      if (mlir::Operation *root = end->getOperand(0).getDefiningOp())
        record.root = root->getName().getStringRef();
    std::string inside; // the line of the last operation that has one
    for (mlir::Operation &part : fusion.getBody().front()) {
      if (&part == end)
        continue;
      add(&part);
      if (std::string origin = originOf(part.getLoc()); !origin.empty())
        inside = std::move(origin);
    }
    if (record.origin.empty())
      record.origin = std::move(inside);
  }

  const InstructionTable &table;
  const KernelQuery &query;
  llvm::function_ref<void(const KernelRecord &)> f;
  ValueHashes hashes;
  llvm::DenseMap<mlir::Block *, std::string> computations; ///< names
  llvm::DenseMap<mlir::Operation *, size_t> numbers;
  size_t launched = 0;
  mlir::SymbolTableCollection symbols;
  int depth = 0;
};
} // namespace

void Compilation::forEachKernel(
    const KernelQuery &query,
    llvm::function_ref<void(const KernelRecord &)> f) {
  const InstructionTable &table = getInstructions();
  KernelWalk walk(table, query, f);
  for (const Computation *entry : table.getEntries())
    walk.walk(*entry->block, 1);
}

std::vector<KernelTile> mercator::tilesOf(const KernelRecord &record) {
  constexpr unsigned kBlock = 3; // lane, element, warp, block
  std::vector<KernelTile> tiles;
  for (const kernels::Step &step : record.kernel.steps) {
    if (step.kind != kernels::Step::Kind::Writes ||
        step.map.numDims() <= kBlock || step.result >= record.results.size() ||
        !record.results[step.result])
      continue;
    const access::Layout &layout = *record.results[step.result];
    if (layout.shape.size() != step.map.numResults())
      continue;
    indexing::Map map = step.map;
    map.domain.dims[kBlock].bounds = indexing::Interval::point(0);
    map = indexing::simplify(map);
    indexing::IntervalAnalysis bounds(*record.arena, map.domain);
    KernelTile &tile = tiles.emplace_back();
    tile.shape = layout.shape;
    for (auto [e, extent] : llvm::zip(map.results, layout.shape)) {
      indexing::Interval taken = bounds.interval(e);
      int64_t size = taken.isBounded() && !taken.isEmpty()
                         ? taken.upper - taken.lower + 1
                         : extent;
      tile.sizes.push_back(
          std::clamp<int64_t>(size, 1, std::max<int64_t>(1, extent)));
    }
  }
  return tiles;
}

void mercator::writeJson(const KernelRecord &record,
                         llvm::json::OStream &json) {
  json.object([&] { writeMembers(record, json); });
}

void mercator::writeMembers(const KernelRecord &record,
                            llvm::json::OStream &json) {
  const kernels::Kernel &kernel = record.kernel;
  json.attribute("instruction", validUtf8(record.instruction));
  for (auto [key, text] :
       {std::pair("at", &record.at), {"origin", &record.origin}})
    if (!text->empty())
      json.attribute(key, validUtf8(*text));
  json.attribute("emitter", nameOf(kernel.emitter));
  if (record.repeats != 1)
    json.attribute("repeats", record.repeats);
  if (!kernel.isKnown()) {
    json.attribute("unknown", kernel.unknown);
    if (record.time.isEstimate) {
      json.attribute("us", record.time.microseconds);
      json.attribute("us_is_estimate", true);
      json.attribute("cause", record.time.cause);
    }
    return;
  }
  json.attribute("choice", kernel.choice);
  json.attribute("grid", kernel.grid);
  json.attribute("block", kernel.block);
  const kernels::Counts &counts = record.counts;
  for (auto [key, verdict] :
       {std::pair("loads", &counts.loads),
        {"load_sectors", &counts.loadSectors},
        {"stores", &counts.stores},
        {"store_sectors", &counts.storeSectors},
        {"shared_loads", &counts.sharedLoads},
        {"shared_load_passes", &counts.sharedLoadPasses},
        {"shared_stores", &counts.sharedStores},
        {"shared_store_passes", &counts.sharedStorePasses},
        {"dram_read", &counts.bytesRead},
        {"dram_write", &counts.bytesWritten}})
    writeVerdict(key, *verdict, json);
  json.attribute("least_bytes", counts.leastBytes);
  json.attribute("us", record.time.microseconds);
  json.attribute("cause", record.time.cause);
  json.attributeObject("us_of", [&] {
    for (const kernels::Time::Part &part : record.time.parts)
      json.attribute(part.name, part.microseconds);
  });
  json.attributeArray("accesses", [&] {
    for (const kernels::Counted &c : counts.accesses)
      json.object([&] {
        bool isRead = c.kind == kernels::Step::Kind::Reads;
        json.attribute(isRead ? "reads" : "writes",
                       validUtf8(isRead && c.operand < record.operands.size()
                                     ? record.operands[c.operand]
                                     : record.instruction));
        json.attribute("by", c.by);
        json.attribute("vector", c.vector);
        json.attribute("loads", c.traffic.loads);
        json.attribute("sectors", c.traffic.touchedSectors());
      });
  });
}
