// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/vhlo/Container.h"

#include "mercator/frontends/stablehlo/Limits.h"

#include "llvm/ADT/bit.h"

#include <cstring>
#include <memory>
#include <vector>

using namespace mercator;
using llvm::StringRef;

namespace {
/// Bytes from the front; 0 after the end.
class Bytes {
public:
  explicit Bytes(StringRef bytes) : rest(bytes) {}

  [[nodiscard]] bool isEmpty() const { return rest.empty() || overrun; }
  [[nodiscard]] bool isOverrun() const { return overrun; }

  uint8_t byte() {
    overrun |= rest.empty();
    if (overrun)
      return 0;
    uint8_t first = uint8_t(rest.front());
    rest = rest.drop_front();
    return first;
  }
  /// The number of zero bits at the end of the first byte is the number of bytes
  /// that follow it. These bits and the one bit after them are cut off. A first byte
  /// of 0 is followed by 8 bytes and cut off whole.
  uint64_t number() {
    uint8_t first = byte();
    unsigned further = first == 0 ? 8 : unsigned(llvm::countr_zero(first));
    uint64_t value = further == 8 ? 0 : first >> (further + 1);
    for (unsigned i = 0; i < further; ++i)
      value |= uint64_t(byte()) << (further == 8 ? 8 * i : 7 - further + 8 * i);
    return value;
  }
  /// A number whose lowest bit is a flag.
  uint64_t numberAndFlag(bool &flag) {
    uint64_t value = number();
    flag = value & 1;
    return value >> 1;
  }
  /// The number of things that follow.
  uint64_t count() {
    uint64_t value = number();
    overrun |= value > rest.size();
    return overrun ? 0 : value;
  }
  StringRef take(uint64_t size) {
    overrun |= size > rest.size();
    if (overrun)
      return {};
    StringRef taken = rest.take_front(size);
    rest = rest.drop_front(size);
    return taken;
  }
  void skipText() {
    size_t end = rest.find('\0');
    (void)take(end == StringRef::npos ? rest.size() + 1 : end + 1);
  }
  /// Bytes up to a multiple of `alignment`, counted from `begin`.
  void align(const char *begin, uint64_t alignment) {
    if (alignment > 1 && alignment <= 4096)
      (void)take(-uint64_t(rest.data() - begin) % alignment);
  }
  [[nodiscard]] uint64_t size() const { return overrun ? 0 : rest.size(); }

private:
  StringRef rest;
  bool overrun = false;
};

class Container {
public:
  explicit Container(StringRef bytes) : begin(bytes.data()), all(bytes) {}
  std::optional<std::string> check();

private:
  enum Section { Strings, Dialects, AttrTypes, AttrTypeOffsets, Operations };
  static constexpr unsigned kSections = 9, kProperties = 8;

  void fail(const char *what) {
    if (!fault)
      fault = what;
  }
  /// An identifier and the bytes of a section.
  std::pair<unsigned, StringRef> section(Bytes &in);
  void checkDialects(Bytes in);
  void checkOffsets(Bytes in);
  void checkCounts(Bytes in, const char *what);

  // Operations. A value is a place in a table of a region and the regions in it.
  struct Region {
    Bytes *in;
    std::unique_ptr<Bytes> own;
    uint64_t regions = 0; ///< that follow, of the same operation
    uint64_t blocks = 0;  ///< that follow
    uint64_t operations = 0;
    uint64_t values = 0;
    uint64_t next = 0; ///< the place of the next value
    bool isOpen = false;
    bool isIsolated = false;
  };
  void checkOperations(StringRef bytes);
  void blockHeader(Region &region);
  void operation(Region &region);
  void orders(Bytes &in, uint64_t values, uint64_t first);
  void define(Region &region, uint64_t count);

  const char *begin;
  StringRef all;
  uint64_t version = 0;
  std::optional<std::string> fault;
  std::vector<Region> stack;
  std::vector<std::vector<uint32_t>> scopes; ///< the values in sight
  std::vector<uint32_t> uses;                ///< of each value
  /// Pairs of uses to be exchanged: the value and the largest index.
  std::vector<std::pair<uint32_t, uint64_t>> pairs;
};
} // namespace

std::pair<unsigned, StringRef> Container::section(Bytes &in) {
  uint8_t id = in.byte();
  uint64_t size = in.number();
  if (id & 0x80)
    in.align(begin, in.number());
  StringRef bytes = in.take(size);
  if (in.isOverrun())
    fail("a section is longer than the file");
  return {id & 0x7f, bytes};
}

void Container::checkDialects(Bytes in) {
  uint64_t dialects = in.count();
  for (uint64_t i = 0; i < dialects; ++i) {
    bool hasVersion = false;
    // Without versions until format 1.
    if (version < 1)
      (void)in.number();
    else
      (void)in.numberAndFlag(hasVersion);
    if (hasVersion)
      (void)section(in);
  }
  if (version >= 4)
    (void)in.count();
  while (!in.isEmpty()) {
    (void)in.number();
    for (uint64_t names = in.count(); names && !in.isOverrun(); --names)
      (void)in.number();
  }
  if (in.isOverrun())
    fail("the table of dialects is cut off");
}

void Container::checkOffsets(Bytes in) {
  uint64_t attributes = in.count(), types = in.count();
  for (uint64_t left : {attributes, types})
    while (left && !in.isOverrun()) {
      (void)in.number();
      uint64_t members = in.count();
      if (members > left)
        return fail("a group of attributes or types is too large");
      left -= members;
      for (; members; --members)
        (void)in.number();
    }
  if (in.isOverrun())
    fail("the table of attributes and types is cut off");
}

void Container::checkCounts(Bytes in, const char *what) {
  (void)in.count();
  if (in.isOverrun())
    fail(what);
}

void Container::define(Region &region, uint64_t count) {
  region.next += count;
  if (region.next > scopes.back().size())
    fail("a region defines more values than it claims");
}

void Container::orders(Bytes &in, uint64_t values, uint64_t first) {
  uint64_t count = values > 1 ? in.count() : 1;
  for (; count && !in.isOverrun(); --count) {
    uint64_t value = values > 1 ? in.number() : 0;
    bool isPairs = false;
    uint64_t indices = in.numberAndFlag(isPairs), largest = 0;
    for (; indices && !in.isOverrun(); --indices)
      largest = std::max(largest, in.number());
    if (isPairs && value < values && first + value < scopes.back().size())
      pairs.push_back({scopes.back()[first + value], largest});
  }
}

void Container::blockHeader(Region &region) {
  Bytes &in = *region.in;
  bool hasArguments = false;
  region.operations = in.numberAndFlag(hasArguments);
  if (region.operations > in.size())
    return fail("a block claims more operations than there are bytes");
  if (!hasArguments)
    return;
  if (stack.size() == 1)
    return fail("the file itself has arguments");
  uint64_t count = in.count(), first = region.next;
  for (uint64_t i = 0; i < count; ++i) {
    bool hasLocation = true;
    if (version >= 4)
      (void)in.numberAndFlag(hasLocation);
    else
      (void)in.number();
    if (hasLocation)
      (void)in.number();
  }
  define(region, count);
  if (version >= 3 && in.byte())
    orders(in, count, first);
}

void Container::operation(Region &region) {
  enum {
    Attrs = 1,
    Results = 2,
    Operands = 4,
    Successors = 8,
    Regions = 16,
    Orders = 32,
    Properties = 64
  };
  Bytes &in = *region.in;
  (void)in.number(); // the name
  uint8_t mask = in.byte();
  (void)in.number(); // the location
  if (mask & Attrs)
    (void)in.number();
  if (mask & Properties)
    (void)in.number();
  auto skip = [&] {
    uint64_t count = in.count();
    for (uint64_t i = 0; i < count; ++i)
      (void)in.number();
    return count;
  };
  uint64_t results = mask & Results ? skip() : 0;
  if (mask & Operands)
    for (uint64_t count = in.count(); count; --count)
      if (uint64_t value = in.number(); value < scopes.back().size())
        ++uses[scopes.back()[value]];
  if (mask & Successors)
    (void)skip();
  if (version >= 3 && mask & Orders)
    orders(in, results, region.next);
  // A region without values does not number its results.
  if (region.values)
    define(region, results);
  if (!(mask & Regions))
    return;
  bool isIsolated = false;
  uint64_t regions = in.numberAndFlag(isIsolated);
  if (regions > in.size())
    return fail("an operation claims more regions than there are bytes");
  if (regions == 0)
    return;
  Region inner;
  inner.in = &in;
  inner.regions = regions;
  inner.isIsolated = isIsolated;
  if (isIsolated) {
    scopes.emplace_back();
    if (version >= 2) {
      inner.own = std::make_unique<Bytes>(section(in).second);
      inner.in = inner.own.get();
    }
  }
  if (stack.size() > stablehlo::kMaxLevels)
    return fail("regions are nested too deep");
  stack.push_back(std::move(inner));
}

void Container::checkOperations(StringRef bytes) {
  Region top;
  top.own = std::make_unique<Bytes>(bytes);
  top.in = top.own.get();
  top.isOpen = true;
  top.blocks = 1;
  scopes.emplace_back();
  stack.push_back(std::move(top));
  blockHeader(stack.back());
  while (!stack.empty() && !fault) {
    Region &region = stack.back();
    if (region.in->isOverrun())
      return fail("the operations are cut off");
    if (!region.isOpen && region.regions == 0) {
      if (region.isIsolated)
        scopes.pop_back();
      stack.pop_back();
    } else if (!region.isOpen) {
      --region.regions;
      region.blocks = region.in->count();
      if (region.blocks == 0)
        continue;
      region.values = region.in->count();
      region.next = scopes.back().size();
      region.isOpen = true;
      for (uint64_t i = 0; i < region.values; ++i) {
        scopes.back().push_back(uint32_t(uses.size()));
        uses.push_back(0);
      }
      // Nested regions may claim the same bytes again.
      if (uses.size() > all.size())
        return fail("regions claim more values than there are bytes");
      blockHeader(region);
    } else if (region.operations) {
      --region.operations;
      operation(region);
    } else if (--region.blocks) {
      blockHeader(region);
    } else {
      region.isOpen = false;
      scopes.back().resize(scopes.back().size() - region.values);
      region.values = 0;
    }
  }
  for (auto [value, largest] : pairs)
    if (largest >= uses[value])
      return fail("the order of uses names a use that there is not");
}

std::optional<std::string> Container::check() {
  Bytes in(all);
  (void)in.take(strlen("ML\xEFR"));
  version = in.number();
  in.skipText();
  std::optional<StringRef> sections[kSections];
  while (!in.isEmpty() && !fault) {
    auto [id, bytes] = section(in);
    if (id >= kSections || sections[id])
      fail("a section is unknown or occurs twice");
    else
      sections[id] = bytes;
  }
  // The reader names a section that is missing.
  auto with = [&](unsigned id, auto check) {
    if (!fault && sections[id])
      check(*sections[id]);
  };
  with(Strings, [&](StringRef bytes) {
    checkCounts(Bytes(bytes), "the table of strings is cut off");
  });
  with(Dialects, [&](StringRef bytes) { checkDialects(Bytes(bytes)); });
  with(AttrTypeOffsets, [&](StringRef bytes) { checkOffsets(Bytes(bytes)); });
  with(kProperties, [&](StringRef bytes) {
    checkCounts(Bytes(bytes), "the table of properties is cut off");
  });
  with(Operations, [&](StringRef bytes) { checkOperations(bytes); });
  return fault;
}

std::optional<std::string> vhlo::faultOf(StringRef bytecode) {
  return Container(bytecode).check();
}
