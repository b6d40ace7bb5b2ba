// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/explore/Explore.h"
#include "mercator/compiler/explore/Page.h"
#include "mercator/support/Utf8.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

using namespace mercator;
using llvm::StringRef;
using Json = llvm::json::OStream;

static void writeNumbers(Json &json, StringRef key,
                         llvm::ArrayRef<unsigned> numbers) {
  if (!numbers.empty())
    json.attributeArray(key, [&] {
      for (unsigned number : numbers)
        json.value(number);
    });
}

/// Absent values are omitted.
template <typename T>
static void writeOptional(Json &json, StringRef key,
                          const std::optional<T> &value) {
  if (value)
    json.attribute(key, *value);
}

static void writeText(Json &json, StringRef key, const std::string &text) {
  if (!text.empty())
    json.attribute(key, validUtf8(text));
}

static void writeOperands(Json &json, StringRef key,
                          llvm::ArrayRef<Exploration::Operand> operands) {
  if (!operands.empty())
    json.attributeArray(key, [&] {
      for (auto [instruction, result] : operands)
        json.array([&] {
          json.value(instruction);
          json.value(result);
        });
    });
}

static void writeEnd(Json &json, const Exploration::End &end) {
  json.attribute("number", end.number);
  writeOptional(json, "element", end.element);
  writeOptional(json, "type", end.type);
  writeNumbers(json, "maps", end.maps);
  writeOptional(json, "access", end.access);
}

namespace {
/// Lists of records, each list once: layers of a model repeat them.
class RecordLists {
public:
  void write(Json &json, StringRef key,
             llvm::ArrayRef<Exploration::Record> records) {
    if (records.empty())
      return;
    std::string text;
    llvm::raw_string_ostream os(text);
    Json list(os);
    list.array([&] {
      for (const Exploration::Record &record : records)
        list.object([&] {
          list.attributeObject("from", [&] { writeEnd(list, record.from); });
          list.attributeArray("to", [&] {
            for (const Exploration::End &end : record.to)
              list.object([&] { writeEnd(list, end); });
          });
        });
    });
    auto [it, isNew] = numbers.try_emplace(text, unsigned(texts.size()));
    if (isNew)
      texts.push_back(std::move(text));
    json.attribute(key, it->second);
  }

  std::vector<std::string> texts;

private:
  llvm::StringMap<unsigned> numbers;
};
} // namespace

static void write(Json &json, const Exploration::Instruction &it,
                  RecordLists &lists) {
  json.object([&] {
    json.attribute("name", validUtf8(it.name));
    json.attribute("computation", it.computation);
    writeText(json, "operation", it.operation);
    writeOptional(json, "line", it.line);
    writeText(json, "origin", it.origin);
    writeNumbers(json, "types", it.types);
    writeOperands(json, "operands", it.operands);
    lists.write(json, "reads", it.reads);
    lists.write(json, "reaches", it.reaches);
    writeNumbers(json, "calls", it.calls);
    writeOptional(json, "dispatch", it.dispatch);
    writeOptional(json, "bytes", it.bytes);
    if (!it.movesOwnBytes)
      json.attribute("inside", true);
  });
}

static void write(Json &json, const Exploration::Computation &computation) {
  json.object([&] {
    json.attribute("name", validUtf8(computation.name));
    if (computation.isEntry)
      json.attribute("entry", true);
    writeOptional(json, "caller", computation.caller);
    writeOperands(json, "results", computation.results);
  });
}

static void writeTextFile(Json &json, StringRef name, StringRef text) {
  json.object([&] {
    json.attribute("name", validUtf8(name));
    json.attribute("text", validUtf8(text));
  });
}

/// A list of JSON values, a line each.
static void writeValues(llvm::raw_ostream &os, StringRef key,
                        llvm::ArrayRef<std::string> values) {
  os << ",\n\"" << key << "\":[";
  StringRef separator = "\n";
  for (StringRef value : values) {
    os << separator << value.trim();
    separator = ",\n";
  }
  os << "]";
}

static void write(Json &json, const Exploration::Dispatch &dispatch) {
  json.object([&] {
    if (!dispatch.time)
      return;
    auto [start, memory, arithmetic] = *dispatch.time;
    json.attribute("nanoseconds", start + memory + arithmetic);
    json.attribute("start", start);
    json.attribute("memory", memory);
    json.attribute("arithmetic", arithmetic);
  });
}

static void write(Json &json, const Exploration::Kernel &kernel) {
  json.object([&] {
    json.attribute("instruction", kernel.instruction);
    json.attribute("emitter", kernel.emitter);
    writeText(json, "choice", kernel.choice);
    json.attribute("grid", kernel.grid);
    json.attribute("block", kernel.block);
    json.attribute("us", kernel.microseconds);
    json.attributeArray("accesses", [&] {
      for (const Exploration::Kernel::Access &access : kernel.accesses)
        json.object([&] {
          json.attribute(access.isRead ? "reads" : "writes", access.number);
          json.attribute("by", access.by);
          json.attribute("map", access.map);
          json.attribute("vector", access.vector);
          json.attribute("loads", access.loads);
          json.attribute("sectors", access.sectors);
        });
    });
  });
}

static void write(Json &json, const Exploration::Source &source) {
  writeTextFile(json, source.name, source.text);
}

template <typename Values, typename... More>
static void writeList(llvm::raw_ostream &os, StringRef key,
                      const Values &values, More &...more) {
  os << ",\n\"" << key << "\":[";
  StringRef separator = "\n";
  for (const auto &value : values) {
    os << separator;
    separator = ",\n";
    Json json(os);
    write(json, value, more...);
  }
  os << "]";
}

/// Devices that the page may ask about: the program's own first.
static std::vector<std::string> devicesOf(const Exploration &exploration) {
  std::vector<std::string> devices = {toJson(exploration.device)};
  for (const Device &device : knownDevices())
    if (device.name != exploration.device.name && device.target != "ascend")
      devices.push_back(toJson(device));
  return devices;
}

void mercator::writeJson(const Exploration &exploration,
                         llvm::raw_ostream &os) {
  auto attribute = [&](StringRef key, StringRef text) {
    os << ",\n\"" << key << "\":";
    Json(os).value(validUtf8(text));
  };
  os << R"({"schema":"mercator.explore/1")";
  attribute("module", exploration.module);
  attribute("file", exploration.file);
  attribute("text", exploration.text);
  writeValues(os, "devices", devicesOf(exploration));
  writeList(os, "sources", exploration.sources);
  writeValues(os, "types", exploration.types);
  writeValues(os, "maps", exploration.maps);
  writeValues(os, "accesses", exploration.accesses);
  writeList(os, "computations", exploration.computations);
  RecordLists lists;
  writeList(os, "instructions", exploration.instructions, lists);
  writeValues(os, "records", lists.texts);
  writeList(os, "dispatches", exploration.dispatches);
  if (!exploration.kernels.empty())
    writeList(os, "kernels", exploration.kernels);
  if (exploration.explanation) {
    os << ",\n\"explain\":";
    writeJson(*exploration.explanation, os);
  } else {
    attribute("no_dispatches", exploration.noDispatches);
  }
  writeValues(os, "simplified", exploration.simplified);
  if (!exploration.shards.empty())
    os << ",\n\"shards\":" << exploration.shards;
  if (!exploration.trace.empty())
    os << ",\n\"trace\":" << StringRef(exploration.trace).trim();
  if (exploration.second) {
    os << ",\n\"second\":";
    Json json(os);
    writeTextFile(json, exploration.second->file, exploration.second->text);
    os << ",\n\"diff\":";
    writeJson(exploration.second->diff, os);
  }
  os << "}\n";
}

namespace {
/// Writes JSON that may stand in a script: `<` occurs in strings only, and may be
/// escaped there.
class EscapedStream : public llvm::raw_ostream {
public:
  explicit EscapedStream(llvm::raw_ostream &to) : to(to) {}
  ~EscapedStream() override { flush(); }

private:
  void write_impl(const char *bytes, size_t size) override {
    StringRef rest(bytes, size);
    while (!rest.empty()) {
      size_t end = rest.find('<');
      to << rest.substr(0, end);
      if (end == StringRef::npos)
        break;
      to << "\\u003c";
      rest = rest.drop_front(end + 1);
    }
    at += size;
  }
  uint64_t current_pos() const override { return at; }

  llvm::raw_ostream &to;
  uint64_t at = 0;
};
} // namespace

void mercator::writePage(const Exploration &exploration,
                         llvm::raw_ostream &os) {
  os << pageBeforeData();
  {
    EscapedStream escaped(os);
    writeJson(exploration, escaped);
  }
  os << pageAfterData();
}
