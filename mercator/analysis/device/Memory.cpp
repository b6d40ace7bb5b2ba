// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/device/Memory.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Threading.h"

#include <unistd.h>

using namespace mercator;
using llvm::StringRef;

namespace {
struct Known {
  StringRef name, json;
};
// {"h100", R"json(...)json"}, for each file of devices/.
constexpr Known known[] = {
#include "mercator/analysis/device/Devices.inc"
};
} // namespace

static llvm::Error wrong(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

static llvm::Error readNumber(const llvm::json::Object &object, StringRef key,
                              int64_t least, int64_t &value) {
  constexpr int64_t most = int64_t(1) << 50;
  std::optional<int64_t> number = object.getInteger(key);
  if (!number || *number < least || *number > most)
    return wrong("expected a number from " + llvm::Twine(least) + " to " +
                 llvm::Twine(most) + " as '" + key + "'");
  value = *number;
  return llvm::Error::success();
}

static llvm::Error readCaches(const llvm::json::Object &object,
                              std::vector<MemorySystem::Cache> &caches) {
  const llvm::json::Array *list = object.getArray("caches");
  if (!list)
    return wrong("expected a list as 'caches'");
  for (const llvm::json::Value &value : *list) {
    const llvm::json::Object *cache = value.getAsObject();
    std::optional<StringRef> name;
    if (cache)
      name = cache->getString("name");
    if (!name)
      return wrong("expected an object with 'name' and 'bytes' in 'caches'");
    int64_t bytes = 0;
    if (llvm::Error error = readNumber(*cache, "bytes", 1, bytes))
      return error;
    caches.push_back({name->str(), bytes});
  }
  return llvm::Error::success();
}

llvm::Expected<MemorySystem> mercator::parseMemorySystem(StringRef text) {
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  if (!json)
    return json.takeError();
  const llvm::json::Object *object = json->getAsObject();
  if (!object || object->getString("schema") != StringRef("mercator.device/1"))
    return wrong("expected an object with \"schema\": \"mercator.device/1\"");
  MemorySystem system;
  for (auto [key, place] :
       {std::pair("name", &system.name), {"title", &system.title}}) {
    std::optional<StringRef> value = object->getString(key);
    if (!value)
      return wrong("expected a text as '" + llvm::Twine(key) + "'");
    *place = value->str();
  }
  struct Number {
    StringRef key;
    int64_t least;
    int64_t &place;
  };
  for (Number n : {Number{"lanes", 1, system.lanes},
                   Number{"sector_bytes", 1, system.sectorBytes},
                   Number{"line_bytes", 1, system.lineBytes},
                   Number{"base_alignment", 1, system.baseAlignment},
                   Number{"banks", 0, system.banks},
                   Number{"bank_bytes", 0, system.bankBytes}})
    if (llvm::Error error = readNumber(*object, n.key, n.least, n.place))
      return std::move(error);
  if (system.lanes > 1024)
    return wrong("expected at most 1024 'lanes'");
  if (system.lineBytes % system.sectorBytes != 0 || system.lineBytes > 65536)
    return wrong("expected 'line_bytes' to be a multiple of 'sector_bytes', up "
                 "to 65536");
  if (llvm::Error error = readCaches(*object, system.caches))
    return std::move(error);
  if (object->get("cores"))
    if (llvm::Error error = readNumber(*object, "cores", 1, system.cores))
      return std::move(error);
  system.gigabytesPerSecond = object->getNumber("memory_gb_per_s").value_or(0);
  system.gigaflopsPerSecond = object->getNumber("f32_gflop_per_s").value_or(0);
  return system;
}

std::string mercator::toJson(const MemorySystem &system) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("schema", "mercator.device/1");
    json.attribute("name", system.name);
    json.attribute("title", system.title);
    json.attribute("lanes", system.lanes);
    json.attribute("sector_bytes", system.sectorBytes);
    json.attribute("line_bytes", system.lineBytes);
    json.attribute("base_alignment", system.baseAlignment);
    json.attribute("banks", system.banks);
    json.attribute("bank_bytes", system.bankBytes);
    json.attributeArray("caches", [&] {
      for (const MemorySystem::Cache &cache : system.caches)
        json.object([&] {
          json.attribute("name", cache.name);
          json.attribute("bytes", cache.bytes);
        });
    });
    json.attribute("memory_gb_per_s", system.gigabytesPerSecond);
    json.attribute("f32_gflop_per_s", system.gigaflopsPerSecond);
    json.attribute("cores", system.cores);
  });
  return text;
}

//===--- This machine -----------------------------------------------------===//

/// What the system calls its processor; empty if it does not say.
static std::string processorName() {
  // A file without a size: it is read to its end.
  auto text = llvm::MemoryBuffer::getFileAsStream("/proc/cpuinfo");
  if (!text)
    return "";
  StringRef rest = (*text)->getBuffer();
  while (!rest.empty()) {
    auto [line, next] = rest.split('\n');
    rest = next;
    auto [key, value] = line.split(':');
    if (key.trim() == "model name")
      return value.trim().str();
  }
  return "";
}

/// The f32 elements of a vector register.
static int64_t vectorLanes() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") ? 16
         : __builtin_cpu_supports("avx2")  ? 8
                                           : 4;
#else
  return 4;
#endif
}

static MemorySystem host() {
  auto ask = [](int what, int64_t otherwise) {
    long value = ::sysconf(what);
    return value > 0 ? int64_t(value) : otherwise;
  };
  // The nearest CPU that is known: what the system does not say is like there.
  MemorySystem nearest = llvm::cantFail(findMemorySystem("zen5"));
  MemorySystem system = nearest;
  system.name = "host";
  system.lanes = vectorLanes();
  system.lineBytes = ask(_SC_LEVEL1_DCACHE_LINESIZE, nearest.lineBytes);
  system.sectorBytes = system.lineBytes;
  // The affinity of this process counts.
  system.cores = llvm::hardware_concurrency().compute_thread_count();
  system.gigaflopsPerSecond = nearest.gigaflopsPerSecond /
                              double(nearest.cores * nearest.lanes) *
                              double(system.cores * system.lanes);
  system.caches.clear();
  for (auto [name, what] : {std::pair("L1", _SC_LEVEL1_DCACHE_SIZE),
                            {"L2", _SC_LEVEL2_CACHE_SIZE},
                            {"L3", _SC_LEVEL3_CACHE_SIZE}})
    if (int64_t bytes = ask(what, 0))
      system.caches.push_back({name, bytes});
  if (system.caches.empty())
    system.caches = nearest.caches;
  std::string processor = processorName();
  system.title = (processor.empty() ? "" : processor + ", ") +
                 std::to_string(system.cores) +
                 (system.cores == 1 ? " core" : " cores") + " (this machine)";
  return system;
}

std::vector<std::string> mercator::memorySystemNames() {
  std::vector<std::string> names;
  for (const Known &k : known)
    names.push_back(k.name.str());
  names.push_back("host");
  return names;
}

llvm::Expected<MemorySystem> mercator::findMemorySystem(StringRef name) {
  if (name == "host")
    return host();
  for (const Known &k : known)
    if (k.name == name)
      return parseMemorySystem(k.json);
  std::string all;
  for (const std::string &other : memorySystemNames())
    all += (all.empty() ? "" : ", ") + other;
  return wrong("expected a device (" + all + ") or a file, got '" + name + "'");
}
