// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wire format of protocol buffers: reads a message by field numbers, without
// generated code.
//
//   08 96 01            field 1, a varint    150
//   12 03 61 62 63      field 2, bytes       "abc"
//   1A 02 08 01         field 3, a message   { field 1: 1 }
//   22 03 01 02 03      field 4, packed      1, 2, 3
//
// ```cpp (llvm::StringRef bytes)
// WireFault fault(bytes);
// WireMessage message(bytes, fault);
// assert(message.integer(1) == 150 && message.text(2) == "abc");
// assert(message.message(3).flag(1));
// assert(message.integers(4).size() == 3);
// assert(!fault.found());
// ```
//
// As the specification asks, a field that is absent has its default, the last of
// several values of a field counts, numbers in a list may be packed or not, and
// unknown fields are skipped. Two values of a message are not merged; no writer
// makes them.
//
// Errors: damaged bytes end the message. The fault has the place of the first
// damage and is shared by a message and those inside it. Groups, which the format
// has abandoned, count as damage.
//
// Time and memory are linear in the bytes of a message, without those of the
// messages inside it. Nothing is copied: the bytes must outlive the message.
//
// Source: protobuf.dev/programming-guides/encoding.

#ifndef MERCATOR_FRONTENDS_HLO_WIRE_H
#define MERCATOR_FRONTENDS_HLO_WIRE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mercator::hlo {

/// The first damage of a file.
class WireFault {
public:
  explicit WireFault(llvm::StringRef file) : file(file) {}
  [[nodiscard]] bool found() const { return first.has_value(); }
  /// "byte 17: a field of 40 bytes, 3 are left". Requires: found().
  [[nodiscard]] const std::string &text() const { return *first; }
  /// `at` points into the file.
  void report(const char *at, llvm::StringRef what);

private:
  llvm::StringRef file;
  std::optional<std::string> first;
};

class WireMessage {
public:
  /// Requires: `bytes` lie in the file of `fault`, which outlives the message.
  WireMessage(llvm::StringRef bytes, WireFault &fault);

  [[nodiscard]] bool has(uint32_t number) const;
  [[nodiscard]] int64_t integer(uint32_t number, int64_t otherwise = 0) const;
  [[nodiscard]] bool flag(uint32_t number) const {
    return integer(number) != 0;
  }
  /// A `float` and a `double`.
  [[nodiscard]] float real32(uint32_t number) const;
  [[nodiscard]] double real64(uint32_t number) const;
  /// A string or bytes.
  [[nodiscard]] llvm::StringRef text(uint32_t number) const;
  /// Empty if it is absent.
  [[nodiscard]] WireMessage message(uint32_t number) const;

  [[nodiscard]] llvm::SmallVector<int64_t, 8> integers(uint32_t number) const;
  [[nodiscard]] llvm::SmallVector<llvm::StringRef, 4>
  texts(uint32_t number) const;
  [[nodiscard]] llvm::SmallVector<WireMessage, 0>
  messages(uint32_t number) const;
  /// The bytes of `repeated float` and the like, little endian.
  [[nodiscard]] std::string fixed(uint32_t number) const;

private:
  enum class Type : uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };
  struct Field {
    uint32_t number = 0;
    uint32_t order = 0; // among all fields of the message
    Type type = Type::Varint;
    uint64_t value = 0;
    llvm::StringRef bytes; // for Bytes
  };

  void read(llvm::StringRef bytes);
  [[nodiscard]] const Field *last(uint32_t number, Type type) const;
  [[nodiscard]] llvm::ArrayRef<Field> all(uint32_t number) const;

  WireFault *fault;
  llvm::SmallVector<Field, 0> fields; // by number, else in order
};

} // namespace mercator::hlo

#endif // MERCATOR_FRONTENDS_HLO_WIRE_H
