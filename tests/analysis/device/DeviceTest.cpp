// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/device/Device.h"
#include "tests/Folders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gtest/gtest.h"

using namespace mercator;

TEST(Device, IsFoundByTargetAndName) {
  EXPECT_EQ(findDevice("cpu", "aarch64")->name, "aarch64");
  EXPECT_EQ(findDevice("ascend", "910b"), &devices::ascend910b());
  EXPECT_EQ(findDevice("ascend", "any"), &devices::ascendAny());
  EXPECT_EQ(findDevice("ascend", "aarch64"), nullptr);
  EXPECT_EQ(findDevice("cpu", ""), nullptr);
}

// A pass takes the first tile whose feature it has.
TEST(Device, TileWithoutFeatureComesAfterThoseWithFeatures) {
  bool sawPlain = false;
  for (const MatmulTile &tile : findDevice("cpu", "aarch64")->matmulTiles)
    if (tile.lhs == "i8") {
      EXPECT_FALSE(sawPlain && !tile.feature.empty());
      sawPlain |= tile.feature.empty();
    }
  EXPECT_TRUE(sawPlain);
}

TEST(Device, TilesNeedOnlyFeaturesOfTheDevice) {
  for (const MatmulTile &tile : findDevice("cpu", "aarch64")->matmulTiles)
    EXPECT_TRUE(tile.feature.empty() ||
                llvm::is_contained(findDevice("cpu", "aarch64")->features,
                                   tile.feature))
        << tile.feature;
}

TEST(Device, CoresSayWhatTheySupport) {
  EXPECT_EQ(whyNotOnCore(devices::ascend910b(), "ClipByValue", "int8"),
            "ClipByValue of int8 is not supported by the cores of the 910B "
            "(they support float32, float16, int32, int64, bfloat16)");
  EXPECT_EQ(whyNotOnCore(devices::ascend910b(), "LeftShift", "int32"),
            "LeftShift is not supported by the cores of the 910B");
  EXPECT_EQ(whyNotOnCore(devices::ascend910b(), "BitwiseAnd", "uint64"),
            "BitwiseAnd of uint64 is not supported by the cores of the 910B "
            "(they support int32, int16, uint16, int64)");
  EXPECT_EQ(whyNotOnCore(devices::ascend910b(), "Slice", "complex64"),
            "Slice of complex64 is not supported by the cores of the 910B "
            "(they support float32, float16, int8, int32, uint8, int16, "
            "uint16, uint32, int64, uint64, bool, bfloat16)");
  for (llvm::StringRef type : {"float32", "float16", "int32"})
    EXPECT_EQ(whyNotOnCore(devices::ascend910b(), "TensorScatterAdd", type),
              "");
  EXPECT_EQ(whyNotOnCore(devices::ascend910b(), "Minimum", "int32"), "");
}

TEST(Device, NothingIsRefusedWhereNothingIsKnown) {
  // No row: the public sources have no list.
  EXPECT_EQ(whyNotOnCore(devices::ascend910b(), "Sort", "int8"), "");
  EXPECT_EQ(whyNotOnCore(devices::ascendAny(), "ClipByValue", "int8"), "");
}

//===--- Files ------------------------------------------------------------===//

TEST(Device, JsonRoundTrips) {
  for (const std::string &name : deviceNames()) {
    std::string text = toJson(llvm::cantFail(findDevice(name)));
    llvm::Expected<Device> read = parseDevice(text);
    ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
    EXPECT_EQ(toJson(*read), text);
  }
}

// All members, in the order and the form of the writer.
TEST(Device, EveryMemberIsWritten) {
  llvm::StringRef text =
      R"({"schema":"mercator.device/1","name":"n","title":"t",)"
      R"("target":"ascend","cpus":["c"],"features":["+f"],"sources":["s"],)"
      R"("cores":4,"lanes":8,"sector_bytes":32,"line_bytes":64,)"
      R"("base_alignment":16,"banks":2,"bank_bytes":4,"multiply_adds":)"
      R"([{"type":"f64","unit":"matrix","core_gflop_per_s":59.1}],)"
      R"("functions":[{"name":"exp","core_gop_per_s":4.2}],"caches":)"
      R"([{"name":"L1","bytes":1024,"line_bytes":128,"shared_by":2,)"
      R"("core_gb_per_s":82.6,"gb_per_s":93.5}],"memory_gb_per_s":30.4,)"
      R"("memory_core_gb_per_s":28.7,"start_us":0.19,"meet_us":0.14,)"
      R"("core":{"add_cycles":2,"cache_loses":1.5},)"
      R"("matmul_tiles":[{"lhs":"i8","rhs":"i8","acc":"i32","feature":"+f",)"
      R"("m":8,"k":4,"n":16,"narrow_k":2,"comment":"a tile"}],)"
      R"("core_operators":[{"name":"Add","types":["int32","bool"]}]})";
  Device device = llvm::cantFail(parseDevice(text));
  EXPECT_EQ(toJson(device), text);
  EXPECT_EQ(device.caches[0].coreGigabytesPerSecond, 82.6);
  EXPECT_EQ(device.caches[0].gigabytesPerSecond, 93.5);
  EXPECT_EQ(device.coreGigabytesPerSecond, 28.7);
  EXPECT_EQ(device.gigabytesPerSecond, 30.4);
  EXPECT_EQ(device.startMicroseconds, 0.19);
  EXPECT_EQ(device.meetMicroseconds, 0.14);
  EXPECT_EQ(device.core.addCycles, 2);
  EXPECT_EQ(device.core.multiplyAddCycles, 4);
  EXPECT_EQ(device.core.cacheLoses, 1.5);
  EXPECT_EQ(device.multiplyAddRate("f64", Device::Unit::Matrix), 59.1);
  EXPECT_EQ(device.multiplyAddRate("f64"), 0);
  EXPECT_EQ(device.matmulTiles[0].narrowK, 2);
}

// docs/devices.md has the numbers of a core, with their defaults.
TEST(Device, NumbersOfACoreAreDocumented) {
  auto page = llvm::MemoryBuffer::getFile(sourceFolder() + "/docs/devices.md");
  ASSERT_TRUE(bool(page));
  for (const auto &[name, place] : Device::coreNumbers()) {
    std::string row;
    llvm::raw_string_ostream(row)
        << "| `" << name << "` | " << llvm::format("%g", Device::Core().*place)
        << " | ";
    EXPECT_TRUE((*page)->getBuffer().contains(row)) << row;
  }
}

TEST(Device, NameIsThatOfTheFile) {
  llvm::Expected<Device> none = findDevice("h1000");
  ASSERT_FALSE(bool(none));
  EXPECT_EQ(llvm::toString(none.takeError()),
            "expected a device (910b, aarch64, graniterapids, h100, h200, "
            "sapphirerapids, x86-64-v3, zen4, zen5, host) or a file, got "
            "'h1000'");
  for (const Device &device : knownDevices()) {
    EXPECT_EQ(llvm::cantFail(findDevice(device.name)).title, device.title);
    EXPECT_FALSE(device.sources.empty()) << device.name;
    EXPECT_GT(device.multiplyAddRate("f32"), 0) << device.name;
    EXPECT_GT(device.gigabytesPerSecond, 0) << device.name;
    EXPECT_EQ(device.isGpu(), device.target == "gpu") << device.name;
  }
}

/// A device with all members that must be there.
static llvm::json::Object smallDevice() {
  return llvm::json::Object{
      {"schema", "mercator.device/1"},
      {"name", "small"},
      {"title", "a small CPU"},
      {"cores", 4},
      {"lanes", 8},
      {"sector_bytes", 64},
      {"line_bytes", 64},
      {"base_alignment", 64},
      {"banks", 0},
      {"bank_bytes", 0},
      {"caches", llvm::json::Array{
                     llvm::json::Object{{"name", "L1"}, {"bytes", 32768}},
                     llvm::json::Object{{"name", "L2"}, {"bytes", 1048576}}}}};
}

static std::string textOf(llvm::json::Value value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

static std::string errorOf(llvm::StringRef text) {
  llvm::Expected<Device> read = parseDevice(text);
  return read ? "" : llvm::toString(read.takeError());
}

TEST(Device, FunctionsHaveRates) {
  llvm::json::Object file = smallDevice();
  file["functions"] = llvm::json::Array{
      llvm::json::Object{{"name", "exp"}, {"core_gop_per_s", 1.25}}};
  Device device = llvm::cantFail(parseDevice(textOf(std::move(file))));
  EXPECT_EQ(device.functionRate("exp"), 1.25);
  EXPECT_EQ(device.functionRate("erf"), 0);
  EXPECT_EQ(toJson(llvm::cantFail(parseDevice(toJson(device)))),
            toJson(device));
}

TEST(Device, ALastCacheHasAtLeastTheBandwidthOfMemory) {
  Device device;
  device.caches = {{"L1", 1024}, {"L2", 4096}};
  device.coreGigabytesPerSecond = 10;
  device.gigabytesPerSecond = 40;
  EXPECT_EQ(device.bandwidthOf(0).ofCore, 0);
  EXPECT_EQ(device.bandwidthOf(1).ofCore, 10);
  EXPECT_EQ(device.bandwidthOf(2).ofCore, 10);
  device.caches[1].gigabytesPerSecond = 100;
  EXPECT_EQ(device.bandwidthOf(1).ofCore, 0);
  EXPECT_EQ(device.bandwidthOf(1).ofAll, 100);
  EXPECT_EQ(device.bandwidthOf(2).ofAll, 40);
}

// The form of files before there were rates per core.
TEST(Device, OlderFilesAreRead) {
  llvm::json::Object file = smallDevice();
  file["f32_gflop_per_s"] = 400;
  file["memory_gb_per_s"] = 30.5;
  Device device = llvm::cantFail(parseDevice(textOf(std::move(file))));
  EXPECT_EQ(device.target, "cpu");
  EXPECT_EQ(device.multiplyAddRate("f32"), 100);
  EXPECT_EQ(device.multiplyAddRate("f64"), 0);
  EXPECT_EQ(device.gigabytesPerSecond, 30.5);
  EXPECT_EQ(device.vectorBytes(), 32);
  // The last of several caches is shared by all cores.
  EXPECT_EQ(device.caches[0].sharedBy, 1);
  EXPECT_EQ(device.caches[1].sharedBy, 4);
  EXPECT_EQ(device.caches[1].lineBytes, 64);
}

TEST(Device, WrongMembersAreNamed) {
  const struct {
    const char *member, *value, *error;
  } rows[] = {
      {"schema", "\"mercator.device/2\"",
       "expected an object with \"schema\": \"mercator.device/1\""},
      {"name", "5", "expected a text as 'name', got 5"},
      {"target", "\"tpu\"",
       "expected one of cpu, gpu, ascend as 'target', got \"tpu\""},
      {"cpus", "\"znver4\"", "expected a list as 'cpus', got \"znver4\""},
      {"cpus", "[1]", "expected a text as 'cpus[0]', got 1"},
      {"cores", "0",
       "expected an integer from 1 to 1125899906842624 as 'cores', got 0"},
      {"lanes", "0", "expected an integer from 1 to 1024 as 'lanes', got 0"},
      {"lanes", "1.5",
       "expected an integer from 1 to 1024 as 'lanes', got 1.5"},
      {"lanes", "2048",
       "expected an integer from 1 to 1024 as 'lanes', got 2048"},
      {"sector_bytes", "48",
       "expected 'line_bytes' to be a multiple of 'sector_bytes', got 64 and "
       "48"},
      {"memory_gb_per_s", "\"fast\"",
       "expected a number from 0 to 1e12 as 'memory_gb_per_s', got \"fast\""},
      {"memory_gb_per_s", "-1",
       "expected a number from 0 to 1e12 as 'memory_gb_per_s', got -1"},
      {"start_us", "1e13",
       "expected a number from 0 to 1e12 as 'start_us', got 10000000000000"},
      {"caches", "{}", "expected a list as 'caches', got {}"},
      {"caches", "[3]", "expected an object as 'caches[0]', got 3"},
      {"caches", R"([{"bytes": 1}])",
       "expected a text as 'caches[0].name', got nothing"},
      {"caches", R"([{"name": "L1", "bytes": 1, "shared_by": 0}])",
       "expected an integer from 1 to 1125899906842624 as "
       "'caches[0].shared_by', got 0"},
      {"caches", R"([{"name": "L1", "bytes": 1, "share_by": 2}])",
       "unknown member 'caches[0].share_by'; expected 'shared_by'"},
      {"caches", R"([{"name": "L1", "bytes": 2}, {"name": "L2", "bytes": 1}])",
       "expected 'caches' from the smallest to the largest, got 1 bytes after "
       "2"},
      {"multiply_adds", R"([{"type": "f8", "core_gflop_per_s": 1}])",
       "expected one of f32, f64, f16, bf16, i8 as 'multiply_adds[0].type', got "
       "\"f8\""},
      {"multiply_adds", R"([{"type": "f32"}])",
       "expected a number from 0 to 1e12 as "
       "'multiply_adds[0].core_gflop_per_s', got nothing"},
      {"multiply_adds",
       R"([{"type": "i8", "unit": "amx", "core_gflop_per_s": 1}])",
       "expected one of vector, matrix as 'multiply_adds[0].unit', got "
       "\"amx\""},
      {"multiply_adds",
       R"([{"type": "f32", "core_gflop_per_s": 1},
           {"type": "f32", "core_gflop_per_s": 2}])",
       "expected one rate of f32 in vector instructions, got another as "
       "'multiply_adds[1]'"},
      {"functions", R"([{"name": "gamma", "core_gop_per_s": 1}])",
       "expected one of division, sqrt, rsqrt, exp, log, tanh, erf, sin, power, "
       "maximum, gather as 'functions[0].name', got \"gamma\""},
      {"functions",
       R"([{"name": "exp", "core_gop_per_s": 1},
           {"name": "exp", "core_gop_per_s": 1}])",
       "expected one rate of exp, got another as 'functions[1]'"},
      {"matmul_tiles",
       R"([{"lhs": "i8", "rhs": "i8", "acc": "i32", "feature": "+dot", "m": 1,
            "k": 1, "n": 1, "narrow_k": 1}])",
       "expected one of 'features' as 'matmul_tiles[0].feature', got \"+dot\""},
      {"core_operators", R"([{"name": "Add"}])",
       "expected a list as 'core_operators[0].types', got nothing"},
      {"core_operators",
       R"([{"name": "Add", "types": []}, {"name": "Add", "types": []}])",
       "expected one row for each operator, got another of \"Add\" as "
       "'core_operators[1]'"},
      {"core", "3", "expected an object as 'core', got 3"},
      {"core", R"({"add_cycles": 0})",
       "expected a number from 0.01 to 1e6 as 'core.add_cycles', got 0"},
      {"core", R"({"store_cycle": 5})",
       "unknown member 'core.store_cycle'; expected 'store_cycles'"},
      {"core", R"({"cache_holds": 1.2})",
       "expected 'core.cache_holds' to be less than 'core.cache_loses'"},
      {"lines", "64", "unknown member 'lines'; expected 'lanes'"},
  };
  for (auto [member, value, error] : rows) {
    llvm::json::Object file = smallDevice();
    file[member] = llvm::cantFail(llvm::json::parse(value));
    EXPECT_EQ(errorOf(textOf(std::move(file))), error);
  }
  llvm::json::Object file = smallDevice();
  file["multiply_adds"] = llvm::json::Array();
  file["f32_gflop_per_s"] = 1;
  EXPECT_EQ(errorOf(textOf(std::move(file))),
            "expected 'f32_gflop_per_s' or 'multiply_adds', got both");
  EXPECT_NE(errorOf("{").find("Expected object key"), std::string::npos);
  EXPECT_EQ(errorOf("{}"),
            "expected an object with \"schema\": \"mercator.device/1\"");
}

/// Changes one place of the value: `left` counts places down to it. True when done.
static bool change(llvm::json::Value &value, int &left,
                   const llvm::json::Value &to) {
  if (left-- == 0) {
    value = to;
    return true;
  }
  if (llvm::json::Object *object = value.getAsObject()) {
    std::vector<std::string> keys;
    for (const auto &[key, member] : *object)
      keys.push_back(key.str());
    llvm::sort(keys);
    for (const std::string &key : keys)
      if (change(*object->get(key), left, to))
        return true;
  } else if (llvm::json::Array *array = value.getAsArray()) {
    for (llvm::json::Value &element : *array)
      if (change(element, left, to))
        return true;
  }
  return false;
}

// Each value of each known file, replaced by others: what is accepted round-trips,
// what is not has a reason.
TEST(Device, AnyChangeIsReadOrRefused) {
  const llvm::json::Value replacements[] = {
      nullptr,
      true,
      -1,
      0,
      3.25,
      int64_t(1) << 60,
      1e300,
      "",
      "f32",
      llvm::json::Array{},
      llvm::json::Array{1, "x", nullptr},
      llvm::json::Object{},
      llvm::json::Object{{"name", "x"}, {"bytes", 1}}};
  unsigned accepted = 0, refused = 0;
  for (const Device &device : knownDevices()) {
    llvm::json::Value whole = llvm::cantFail(llvm::json::parse(toJson(device)));
    // The rows of operators are alike.
    if (auto *operators = whole.getAsObject()->getArray("core_operators"))
      while (operators->size() > 3)
        operators->pop_back();
    for (int at = 0;; ++at) {
      bool isInside = false;
      for (const llvm::json::Value &to : replacements) {
        llvm::json::Value changed = whole;
        int left = at;
        isInside = change(changed, left, to);
        if (!isInside)
          break;
        std::string text = textOf(changed);
        llvm::Expected<Device> read = parseDevice(text);
        if (read) {
          ++accepted;
          std::string again = toJson(*read);
          EXPECT_EQ(toJson(llvm::cantFail(parseDevice(again))), again) << text;
        } else {
          ++refused;
          std::string error = llvm::toString(read.takeError());
          EXPECT_TRUE(llvm::StringRef(error).contains("expected")) << error;
        }
      }
      if (!isInside)
        break;
    }
  }
  EXPECT_GT(accepted, 300u);
  EXPECT_GT(refused, 3000u);
}

//===--- This machine -----------------------------------------------------===//

// The rates of the nearest CPU, for the cores and lanes of this one.
TEST(Device, TheHostHasCachesAndRates) {
  Device host = llvm::cantFail(findDevice("host"));
  EXPECT_EQ(host.target, "cpu");
  EXPECT_FALSE(host.caches.empty());
  EXPECT_GE(host.cores, 1);
  EXPECT_GT(host.gigabytesPerSecond, 0);
  EXPECT_GT(host.multiplyAddRate("f32"), 0);
  for (const Device::Cache &cache : host.caches) {
    EXPECT_GE(cache.sharedBy, 1);
    EXPECT_LE(cache.sharedBy, host.cores);
  }
}

TEST(Device, CpusAreRecognized) {
  const struct {
    const char *cpu, *device;
  } rows[] = {
      {"znver4", "zen4"},
      {"znver5", "zen5"},
      {"sapphirerapids", "sapphirerapids"},
      {"emeraldrapids", "sapphirerapids"},
      {"graniterapids-d", "graniterapids"},
      {"x86-64-v3", "x86-64-v3"},
  };
  for (auto [cpu, device] : rows)
    EXPECT_EQ(nearestDevice(cpu).name, device);
  EXPECT_EQ(nearestDevice("a CPU of tomorrow").target, "cpu");
}
