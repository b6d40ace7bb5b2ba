// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/hlo/Wire.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

#include <bit>
#include <tuple>

using namespace mercator::hlo;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

void WireFault::report(const char *at, StringRef what) {
  if (!first)
    first = "byte " + std::to_string(at - file.data()) + ": " + what.str();
}

/// Takes a varint from the front; none if it does not end in 10 bytes.
static std::optional<uint64_t> takeVarint(StringRef &bytes) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 70 && !bytes.empty(); shift += 7) {
    auto byte = static_cast<unsigned char>(bytes.front());
    bytes = bytes.drop_front();
    if (shift < 64)
      value |= uint64_t(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return value;
  }
  return std::nullopt;
}

WireMessage::WireMessage(StringRef bytes, WireFault &fault) : fault(&fault) {
  read(bytes);
  llvm::sort(fields, [](const Field &a, const Field &b) {
    return std::tie(a.number, a.order) < std::tie(b.number, b.order);
  });
}

void WireMessage::read(StringRef bytes) {
  while (!bytes.empty()) {
    const char *begin = bytes.data();
    std::optional<uint64_t> tag = takeVarint(bytes);
    if (!tag || *tag >> 3 == 0 || *tag >> 32 != 0)
      return fault->report(begin, "expected the number of a field");
    Field field;
    field.number = *tag >> 3;
    field.order = fields.size();
    field.type = Type(*tag & 7);
    switch (field.type) {
    case Type::Varint: {
      std::optional<uint64_t> value = takeVarint(bytes);
      if (!value)
        return fault->report(begin, "a number does not end");
      field.value = *value;
      break;
    }
    case Type::Fixed32:
    case Type::Fixed64: {
      size_t width = field.type == Type::Fixed32 ? 4 : 8;
      if (bytes.size() < width)
        return fault->report(begin, "a number does not end");
      field.value = width == 4 ? llvm::support::endian::read32le(bytes.data())
                               : llvm::support::endian::read64le(bytes.data());
      bytes = bytes.drop_front(width);
      break;
    }
    case Type::Bytes: {
      std::optional<uint64_t> size = takeVarint(bytes);
      if (!size)
        return fault->report(begin, "a number does not end");
      if (*size > bytes.size())
        fault->report(begin, "a field of " + std::to_string(*size) +
                                 " bytes, " + std::to_string(bytes.size()) +
                                 " are left");
      // Of a file that is cut off, the rest is still what the field says.
      field.bytes = bytes.take_front(*size);
      bytes = bytes.drop_front(field.bytes.size());
      break;
    }
    default:
      return fault->report(begin, "expected a number or bytes");
    }
    fields.push_back(field);
  }
}

ArrayRef<WireMessage::Field> WireMessage::all(uint32_t number) const {
  const Field *begin = llvm::partition_point(
      fields, [&](const Field &field) { return field.number < number; });
  const Field *end = begin;
  while (end != fields.end() && end->number == number)
    ++end;
  return ArrayRef<Field>(begin, end);
}

const WireMessage::Field *WireMessage::last(uint32_t number, Type type) const {
  for (const Field &field : llvm::reverse(all(number)))
    if (field.type == type)
      return &field;
  return nullptr;
}

bool WireMessage::has(uint32_t number) const { return !all(number).empty(); }

int64_t WireMessage::integer(uint32_t number, int64_t otherwise) const {
  const Field *field = last(number, Type::Varint);
  return field ? int64_t(field->value) : otherwise;
}

float WireMessage::real32(uint32_t number) const {
  const Field *field = last(number, Type::Fixed32);
  return field ? std::bit_cast<float>(uint32_t(field->value)) : 0;
}

double WireMessage::real64(uint32_t number) const {
  const Field *field = last(number, Type::Fixed64);
  return field ? std::bit_cast<double>(field->value) : 0;
}

StringRef WireMessage::text(uint32_t number) const {
  const Field *field = last(number, Type::Bytes);
  return field ? field->bytes : StringRef();
}

WireMessage WireMessage::message(uint32_t number) const {
  return WireMessage(text(number), *fault);
}

SmallVector<int64_t, 8> WireMessage::integers(uint32_t number) const {
  SmallVector<int64_t, 8> values;
  for (const Field &field : all(number)) {
    if (field.type == Type::Varint)
      values.push_back(int64_t(field.value));
    for (StringRef rest = field.bytes; !rest.empty();) {
      const char *begin = rest.data();
      std::optional<uint64_t> value = takeVarint(rest);
      if (!value) {
        fault->report(begin, "a number does not end");
        return values;
      }
      values.push_back(int64_t(*value));
    }
  }
  return values;
}

SmallVector<StringRef, 4> WireMessage::texts(uint32_t number) const {
  SmallVector<StringRef, 4> values;
  for (const Field &field : all(number))
    if (field.type == Type::Bytes)
      values.push_back(field.bytes);
  return values;
}

SmallVector<WireMessage, 0> WireMessage::messages(uint32_t number) const {
  SmallVector<WireMessage, 0> values;
  for (StringRef bytes : texts(number))
    values.emplace_back(bytes, *fault);
  return values;
}

std::string WireMessage::fixed(uint32_t number) const {
  std::string bytes;
  for (const Field &field : all(number)) {
    size_t width = field.type == Type::Fixed32   ? 4
                   : field.type == Type::Fixed64 ? 8
                                                 : 0;
    bytes += field.bytes;
    for (size_t i = 0; i < width; ++i)
      bytes += char(field.value >> (8 * i));
  }
  return bytes;
}
