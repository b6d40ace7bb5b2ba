// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/device/Memory.h"

#include "llvm/Support/JSON.h"

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

/// What the kernel says of this machine.
static MemorySystem host() {
  auto ask = [](int what, int64_t otherwise) {
    long value = ::sysconf(what);
    return value > 0 ? int64_t(value) : otherwise;
  };
  MemorySystem system;
  system.name = "host";
  system.title = "this machine";
#if defined(__AVX512F__)
  system.lanes = 16;
#elif defined(__x86_64__)
  system.lanes = __builtin_cpu_supports("avx512f") ? 16
                 : __builtin_cpu_supports("avx2")  ? 8
                                                   : 4;
#else
  system.lanes = 4;
#endif
  system.lineBytes = ask(_SC_LEVEL1_DCACHE_LINESIZE, 64);
  system.sectorBytes = system.lineBytes;
  system.baseAlignment = 64;
  system.cores = ask(_SC_NPROCESSORS_ONLN, 1);
  for (auto [name, what] : {std::pair("L1", _SC_LEVEL1_DCACHE_SIZE),
                            {"L2", _SC_LEVEL2_CACHE_SIZE},
                            {"L3", _SC_LEVEL3_CACHE_SIZE}})
    if (int64_t bytes = ask(what, 0))
      system.caches.push_back({name, bytes});
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
