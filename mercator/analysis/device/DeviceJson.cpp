// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/device/Device.h"
#include "mercator/analysis/device/Members.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <array>
#include <charconv>

using namespace mercator;
using llvm::StringRef;
using llvm::Twine;
using Need = Members::Need;

static constexpr StringRef kSchema = "mercator.device/1";
static constexpr int64_t kMost = int64_t(1) << 50;
static constexpr std::array<StringRef, 3> kTargets = {"cpu", "gpu", "ascend"};
static constexpr std::array<StringRef, 5> kTypes = {"f32", "f64", "f16", "bf16",
                                                    "i8"};
static constexpr std::array<StringRef, 2> kUnits = {"vector", "matrix"};

llvm::ArrayRef<Device::CoreNumber> Device::coreNumbers() {
  static constexpr CoreNumber all[] = {
      {"add_cycles", &Core::addCycles},
      {"multiply_add_cycles", &Core::multiplyAddCycles},
      {"multiply_cycles", &Core::multiplyCycles},
      {"maximum_cycles", &Core::maximumCycles},
      {"function_waits", &Core::functionWaits},
      {"function_most_cycles", &Core::functionMostCycles},
      {"load_cycles", &Core::loadCycles},
      {"miss_cycles", &Core::missCycles},
      {"store_cycles", &Core::storeCycles},
      {"division_slots", &Core::divisionSlots},
      {"shuffle_slots", &Core::shuffleSlots},
      {"scalars_per_cycle", &Core::scalarsPerCycle},
      {"store_loads", &Core::storeLoads},
      {"load_over_lines", &Core::loadOverLines},
      {"store_over_lines", &Core::storeOverLines},
      {"window_instructions", &Core::windowInstructions},
      {"loop_cycles", &Core::loopCycles},
      {"combine_cycles", &Core::combineCycles},
      {"call_cycles", &Core::callCycles},
      {"library_rate", &Core::libraryRate},
      {"waits_seen", &Core::waitsSeen},
      {"levels_seen", &Core::levelsSeen},
      {"leaving_seen", &Core::leavingSeen},
      {"jump_lines", &Core::jumpLines},
      {"cache_holds", &Core::cacheHolds},
      {"cache_loses", &Core::cacheLoses},
  };
  return all;
}

//===--- Reading ----------------------------------------------------------===//

namespace {
class DeviceReader {
public:
  Device device;
  std::string error;

  void read(const llvm::json::Value &value) {
    Members members(value, "", error);
    readNames(members);
    readSizes(members);
    readMultiplyAdds(members);
    readFunctions(members);
    readCaches(members);
    members.number("memory_gb_per_s", device.gigabytesPerSecond);
    members.number("memory_core_gb_per_s", device.coreGigabytesPerSecond);
    members.number("start_us", device.startMicroseconds);
    members.number("meet_us", device.meetMicroseconds);
    members.number("gigahertz", device.gigahertz);
    readCore(members);
    readTiles(members);
    readOperators(members);
    members.finish();
  }

private:
  void readNames(Members &members) {
    std::string schema;
    members.text("schema", schema);
    members.text("name", device.name);
    members.text("title", device.title);
    members.texts("cpus", device.cpus);
    members.texts("features", device.features);
    members.texts("sources", device.sources);
  }

  void readSizes(Members &members) {
    members.integer("cores", 1, kMost, device.cores, Need::Optional);
    members.integer("lanes", 1, 1024, device.lanes);
    members.integer("sector_bytes", 1, 65536, device.sectorBytes);
    members.integer("line_bytes", 1, 65536, device.lineBytes);
    members.integer("base_alignment", 1, kMost, device.baseAlignment);
    members.integer("banks", 0, kMost, device.banks);
    members.integer("bank_bytes", 0, kMost, device.bankBytes);
    if (error.empty() && device.lineBytes % device.sectorBytes != 0)
      members.fail("expected 'line_bytes' to be a multiple of 'sector_bytes', "
                   "got " +
                   Twine(device.lineBytes) + " and " +
                   Twine(device.sectorBytes));
    unsigned target = device.isGpu() ? 1 : 0;
    members.word("target", kTargets, target, Need::Optional);
    device.target = kTargets[target].str();
  }

  void readMultiplyAdds(Members &members) {
    members.list("multiply_adds", Need::Optional,
                 [&](const llvm::json::Value &value, std::string path) {
                   Members row(value, path, error);
                   unsigned type = 0, unit = 0;
                   double rate = 0;
                   row.word("type", kTypes, type);
                   row.word("unit", kUnits, unit, Need::Optional);
                   row.number("core_gflop_per_s", rate, Need::Required);
                   row.finish();
                   auto isSame = [&](const Device::MultiplyAdd &other) {
                     return other.type == kTypes[type] &&
                            other.unit == Device::Unit(unit);
                   };
                   if (llvm::any_of(device.multiplyAdds, isSame))
                     row.fail("expected one rate of " + kTypes[type] + " in " +
                              kUnits[unit] + " instructions, got another as '" +
                              path + "'");
                   device.multiplyAdds.push_back(
                       {kTypes[type].str(), Device::Unit(unit), rate});
                 });
    // The older form: of all cores.
    double all = 0;
    members.number("f32_gflop_per_s", all);
    if (!members.has("f32_gflop_per_s"))
      return;
    if (members.has("multiply_adds"))
      return members.fail("expected 'f32_gflop_per_s' or 'multiply_adds', got "
                          "both");
    if (all > 0)
      device.multiplyAdds.push_back(
          {"f32", Device::Unit::Vector, all / double(device.cores)});
  }

  void readFunctions(Members &members) {
    members.list("functions", Need::Optional,
                 [&](const llvm::json::Value &value, std::string path) {
                   Members row(value, path, error);
                   unsigned name = 0;
                   double rate = 0;
                   row.word("name", deviceFunctions(), name);
                   row.number("core_gop_per_s", rate, Need::Required);
                   row.finish();
                   StringRef function = deviceFunctions()[name];
                   if (llvm::any_of(device.functions,
                                    [&](const Device::Function &other) {
                                      return other.name == function;
                                    }))
                     row.fail("expected one rate of " + function +
                              ", got another as '" + path + "'");
                   device.functions.push_back({function.str(), rate});
                 });
  }

  void readCaches(Members &members) {
    std::vector<bool> saysShared;
    members.list(
        "caches", Need::Required,
        [&](const llvm::json::Value &value, std::string path) {
          Members row(value, std::move(path), error);
          Device::Cache cache{.name = "", .bytes = 1};
          cache.lineBytes = device.lineBytes;
          row.text("name", cache.name);
          row.integer("bytes", 1, kMost, cache.bytes);
          row.integer("line_bytes", 1, 65536, cache.lineBytes, Need::Optional);
          row.integer("shared_by", 1, kMost, cache.sharedBy, Need::Optional);
          row.number("core_gb_per_s", cache.coreGigabytesPerSecond);
          row.number("gb_per_s", cache.gigabytesPerSecond);
          row.finish();
          saysShared.push_back(row.has("shared_by"));
          if (!device.caches.empty() &&
              device.caches.back().bytes > cache.bytes)
            row.fail("expected 'caches' from the smallest to the "
                     "largest, got " +
                     Twine(cache.bytes) + " bytes after " +
                     Twine(device.caches.back().bytes));
          device.caches.push_back(std::move(cache));
        });
    // Without a number, all cores share the last of several caches.
    if (device.caches.size() > 1 && !saysShared.back())
      device.caches.back().sharedBy = device.cores;
  }

  void readCore(Members &members) {
    members.nested("core", [&](const llvm::json::Value &value) {
      Members row(value, "core", error);
      for (const auto &[name, place] : Device::coreNumbers())
        row.positive(name, device.core.*place);
      row.finish();
      if (device.core.cacheHolds >= device.core.cacheLoses)
        row.fail("expected 'core.cache_holds' to be less than "
                 "'core.cache_loses'");
    });
  }

  void readTiles(Members &members) {
    members.list("matmul_tiles", Need::Optional,
                 [&](const llvm::json::Value &value, std::string path) {
                   Members row(value, path, error);
                   MatmulTile tile{};
                   row.text("lhs", tile.lhs);
                   row.text("rhs", tile.rhs);
                   row.text("acc", tile.acc);
                   row.text("feature", tile.feature, Need::Optional);
                   row.integer("m", 1, 65536, tile.m);
                   row.integer("k", 1, 65536, tile.k);
                   row.integer("n", 1, 65536, tile.n);
                   row.integer("narrow_k", 1, 65536, tile.narrowK);
                   row.text("comment", tile.comment, Need::Optional);
                   row.finish();
                   if (!tile.feature.empty() &&
                       !llvm::is_contained(device.features, tile.feature))
                     row.fail("expected one of 'features' as '" + path +
                              ".feature', got \"" + tile.feature + "\"");
                   device.matmulTiles.push_back(std::move(tile));
                 });
  }

  void readOperators(Members &members) {
    members.list("core_operators", Need::Optional,
                 [&](const llvm::json::Value &value, std::string path) {
                   Members row(value, path, error);
                   CoreOperator op;
                   row.text("name", op.name);
                   row.texts("types", op.types, Need::Required);
                   row.finish();
                   if (llvm::any_of(device.coreOperators,
                                    [&](const CoreOperator &other) {
                                      return other.name == op.name;
                                    }))
                     row.fail("expected one row for each operator, got "
                              "another of \"" +
                              op.name + "\" as '" + path + "'");
                   device.coreOperators.push_back(std::move(op));
                 });
  }
};
} // namespace

llvm::Expected<Device> mercator::parseDevice(StringRef text) {
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  if (!json)
    return json.takeError();
  const llvm::json::Object *object = json->getAsObject();
  if (!object || object->getString("schema") != kSchema)
    return llvm::createStringError("expected an object with \"schema\": \"" +
                                   kSchema + "\"");
  DeviceReader reader;
  reader.read(*json);
  if (!reader.error.empty())
    return llvm::createStringError(reader.error);
  return std::move(reader.device);
}

//===--- Writing ----------------------------------------------------------===//

/// A list of texts, if there is one.
static void writeTexts(llvm::json::OStream &json, StringRef key,
                       llvm::ArrayRef<std::string> texts) {
  if (!texts.empty())
    json.attributeArray(key, [&] {
      for (const std::string &text : texts)
        json.value(text);
    });
}

/// With as few digits as give the same number again.
static void writeNumber(llvm::json::OStream &json, StringRef key,
                        double value) {
  std::array<char, 32> text;
  auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), value);
  json.attributeBegin(key);
  json.rawValue(StringRef(text.data(), end - text.data()));
  json.attributeEnd();
}

/// A number that is known.
static void writeKnown(llvm::json::OStream &json, StringRef key, double value) {
  if (value > 0)
    writeNumber(json, key, value);
}

static void writeCaches(llvm::json::OStream &json, const Device &device) {
  json.attributeArray("caches", [&] {
    for (const Device::Cache &cache : device.caches)
      json.object([&] {
        json.attribute("name", cache.name);
        json.attribute("bytes", cache.bytes);
        json.attribute("line_bytes", cache.lineBytes);
        json.attribute("shared_by", cache.sharedBy);
        writeKnown(json, "core_gb_per_s", cache.coreGigabytesPerSecond);
        writeKnown(json, "gb_per_s", cache.gigabytesPerSecond);
      });
  });
}

static void writeMultiplyAdds(llvm::json::OStream &json, const Device &device) {
  if (device.multiplyAdds.empty())
    return;
  json.attributeArray("multiply_adds", [&] {
    for (const Device::MultiplyAdd &each : device.multiplyAdds)
      json.object([&] {
        json.attribute("type", each.type);
        json.attribute("unit", kUnits[unsigned(each.unit)]);
        writeNumber(json, "core_gflop_per_s", each.gigaflopsPerSecond);
      });
  });
}

static void writeFunctions(llvm::json::OStream &json, const Device &device) {
  if (device.functions.empty())
    return;
  json.attributeArray("functions", [&] {
    for (const Device::Function &each : device.functions)
      json.object([&] {
        json.attribute("name", each.name);
        writeNumber(json, "core_gop_per_s", each.gigaPerSecond);
      });
  });
}

/// The numbers that are not the usual ones.
static void writeCore(llvm::json::OStream &json, const Device &device) {
  if (device.core == Device::Core())
    return;
  json.attributeObject("core", [&] {
    for (const auto &[name, place] : Device::coreNumbers())
      if (device.core.*place != Device::Core().*place)
        writeNumber(json, name, device.core.*place);
  });
}

static void writeTables(llvm::json::OStream &json, const Device &device) {
  if (!device.matmulTiles.empty())
    json.attributeArray("matmul_tiles", [&] {
      for (const MatmulTile &tile : device.matmulTiles)
        json.object([&] {
          json.attribute("lhs", tile.lhs);
          json.attribute("rhs", tile.rhs);
          json.attribute("acc", tile.acc);
          if (!tile.feature.empty())
            json.attribute("feature", tile.feature);
          json.attribute("m", tile.m);
          json.attribute("k", tile.k);
          json.attribute("n", tile.n);
          json.attribute("narrow_k", tile.narrowK);
          if (!tile.comment.empty())
            json.attribute("comment", tile.comment);
        });
    });
  if (!device.coreOperators.empty())
    json.attributeArray("core_operators", [&] {
      for (const CoreOperator &op : device.coreOperators)
        json.object([&] {
          json.attribute("name", op.name);
          json.attributeArray("types", [&] {
            for (const std::string &type : op.types)
              json.value(type);
          });
        });
    });
}

std::string mercator::toJson(const Device &device, unsigned indent) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, indent);
  json.object([&] {
    json.attribute("schema", kSchema);
    json.attribute("name", device.name);
    json.attribute("title", device.title);
    json.attribute("target", device.target);
    writeTexts(json, "cpus", device.cpus);
    writeTexts(json, "features", device.features);
    writeTexts(json, "sources", device.sources);
    json.attribute("cores", device.cores);
    json.attribute("lanes", device.lanes);
    json.attribute("sector_bytes", device.sectorBytes);
    json.attribute("line_bytes", device.lineBytes);
    json.attribute("base_alignment", device.baseAlignment);
    json.attribute("banks", device.banks);
    json.attribute("bank_bytes", device.bankBytes);
    writeMultiplyAdds(json, device);
    writeFunctions(json, device);
    writeCaches(json, device);
    writeKnown(json, "memory_gb_per_s", device.gigabytesPerSecond);
    writeKnown(json, "memory_core_gb_per_s", device.coreGigabytesPerSecond);
    writeKnown(json, "start_us", device.startMicroseconds);
    writeKnown(json, "meet_us", device.meetMicroseconds);
    writeKnown(json, "gigahertz", device.gigahertz);
    writeCore(json, device);
    writeTables(json, device);
  });
  return text;
}
