// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/Npz.h"

#include <zlib.h>

#include <algorithm>

using namespace mercator;
using Text = std::string_view;

// The signatures and sizes of records. All numbers are little-endian.
static constexpr uint32_t kLocal = 0x04034b50, kEntry = 0x02014b50,
                          kEnd = 0x06054b50, kEnd64 = 0x06064b50,
                          kLocator64 = 0x07064b50;
static constexpr size_t kLocalBytes = 30, kEntryBytes = 46, kEndBytes = 22,
                        kLocator64Bytes = 20, kEnd64Bytes = 56;
static constexpr uint64_t kIn64 = 0xffffffff;
static constexpr unsigned kStored = 0, kDeflated = 8;

static uint64_t numberAt(Text bytes, size_t place, unsigned size) {
  uint64_t number = 0;
  for (unsigned i = 0; i < size; ++i)
    number |= uint64_t(uint8_t(bytes[place + i])) << 8 * i;
  return number;
}

static void append(std::string &bytes, uint64_t number, unsigned size) {
  for (unsigned i = 0; i < size; ++i)
    bytes += char(number >> 8 * i);
}

static uint32_t checksum(Text bytes) {
  return uint32_t(
      crc32_z(0, reinterpret_cast<const Bytef *>(bytes.data()), bytes.size()));
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// A row of the archive's directory.
struct Entry {
  Text name;
  unsigned flags, method;
  uint32_t checksum;
  uint64_t packed, size, place;
};

class Archive {
public:
  Archive(Text bytes, size_t most) : bytes(bytes), left(most) {}
  Fallible<std::vector<NpzMember>> read();

private:
  static Failure damaged(const std::string &what) {
    return Failure("expected " + what + " in the .npz file, got other bytes");
  }
  Fallible<size_t> findEnd() const;
  Fallible<Entry> entryAt(size_t &place) const;
  Fallible<std::string> contentOf(const Entry &entry);

  Text bytes;
  size_t left; ///< what may still be allocated
};
} // namespace

/// The end record is followed by a comment of at most 64 KiB.
Fallible<size_t> Archive::findEnd() const {
  if (bytes.size() >= kEndBytes) {
    size_t last = bytes.size() - kEndBytes;
    size_t first = last > 0xffff ? last - 0xffff : 0;
    for (size_t place = last + 1; place-- > first;)
      if (numberAt(bytes, place, 4) == kEnd)
        return place;
  }
  return Failure(bytes.empty() ? "expected an .npz file, got nothing"
                               : "expected an .npz file, got bytes that are "
                                 "no ZIP archive");
}

Fallible<Entry> Archive::entryAt(size_t &place) const {
  if (place > bytes.size() || bytes.size() - place < kEntryBytes ||
      numberAt(bytes, place, 4) != kEntry)
    return damaged("a directory entry");
  size_t name = numberAt(bytes, place + 28, 2),
         extra = numberAt(bytes, place + 30, 2),
         comment = numberAt(bytes, place + 32, 2);
  size_t first = place + kEntryBytes;
  if (bytes.size() - first < name + extra + comment)
    return damaged("a directory entry");
  Entry entry{.name = bytes.substr(first, name),
              .flags = unsigned(numberAt(bytes, place + 8, 2)),
              .method = unsigned(numberAt(bytes, place + 10, 2)),
              .checksum = uint32_t(numberAt(bytes, place + 16, 4)),
              .packed = numberAt(bytes, place + 20, 4),
              .size = numberAt(bytes, place + 24, 4),
              .place = numberAt(bytes, place + 42, 4)};
  // ZIP64: the numbers that do not fit stand in an extra field, in this order.
  Text fields = bytes.substr(first + name, extra);
  while (fields.size() >= 4) {
    size_t size = std::min<size_t>(numberAt(fields, 2, 2), fields.size() - 4);
    Text field = fields.substr(4, size);
    if (numberAt(fields, 0, 2) == 1)
      for (uint64_t *number : {&entry.size, &entry.packed, &entry.place})
        if (*number == kIn64 && field.size() >= 8) {
          *number = numberAt(field, 0, 8);
          field.remove_prefix(8);
        }
    fields.remove_prefix(4 + size);
  }
  place = first + name + extra + comment;
  return entry;
}

/// `packed` without its compression: exactly `size` bytes.
static std::optional<std::string> inflated(Text packed, size_t size) {
  std::string content(size, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return std::nullopt;
  constexpr size_t kMost = size_t(1) << 30; // zlib counts in 32 bits
  size_t from = 0, to = 0;
  int status = Z_OK;
  while (status == Z_OK) {
    stream.next_in = // NOLINTNEXTLINE: zlib does not write there
        reinterpret_cast<Bytef *>(const_cast<char *>(packed.data() + from));
    stream.avail_in = uInt(std::min(packed.size() - from, kMost));
    stream.next_out = reinterpret_cast<Bytef *>(content.data() + to);
    stream.avail_out = uInt(std::min(size - to, kMost));
    size_t inputs = stream.avail_in, outputs = stream.avail_out;
    status = inflate(&stream, Z_NO_FLUSH);
    from += inputs - stream.avail_in;
    to += outputs - stream.avail_out;
    if (status == Z_OK && inputs == stream.avail_in &&
        outputs == stream.avail_out)
      status = Z_BUF_ERROR;
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END || to != size)
    return std::nullopt;
  return content;
}

Fallible<std::string> Archive::contentOf(const Entry &entry) {
  std::string name(entry.name);
  if ((entry.flags & 1) != 0 ||
      (entry.method != kStored && entry.method != kDeflated))
    return Failure("expected '" + name +
                   "' stored or deflated, got another compression or "
                   "encryption");
  if (entry.place > bytes.size() || bytes.size() - entry.place < kLocalBytes ||
      numberAt(bytes, entry.place, 4) != kLocal)
    return damaged("the member '" + name + "'");
  size_t first = entry.place + kLocalBytes +
                 numberAt(bytes, entry.place + 26, 2) +
                 numberAt(bytes, entry.place + 28, 2);
  if (first > bytes.size() || bytes.size() - first < entry.packed)
    return damaged("all of the member '" + name + "'");
  // Deflate makes at most 1,032 bytes of one.
  if (entry.size / 1100 > entry.packed)
    return damaged("the size of the member '" + name + "'");
  if (entry.size > left)
    return Failure("expected arrays of at most " + std::to_string(left) +
                   " bytes, got '" + name + "' of " +
                   std::to_string(entry.size));
  left -= entry.size;
  Text packed = bytes.substr(first, entry.packed);
  std::optional<std::string> content;
  if (entry.method == kDeflated)
    content = inflated(packed, entry.size);
  else if (entry.size == entry.packed)
    content = std::string(packed);
  if (!content || checksum(*content) != entry.checksum)
    return damaged("the bytes of the member '" + name + "'");
  return *std::move(content);
}

Fallible<std::vector<NpzMember>> Archive::read() {
  Fallible<size_t> end = findEnd();
  if (!end)
    return end.takeFailure();
  uint64_t count = numberAt(bytes, *end + 10, 2);
  size_t place = numberAt(bytes, *end + 16, 4);
  if (*end >= kLocator64Bytes &&
      numberAt(bytes, *end - kLocator64Bytes, 4) == kLocator64) {
    uint64_t own = numberAt(bytes, *end - kLocator64Bytes + 8, 8);
    if (own > bytes.size() || bytes.size() - own < kEnd64Bytes ||
        numberAt(bytes, own, 4) != kEnd64)
      return damaged("the end of the directory");
    count = numberAt(bytes, own + 32, 8);
    place = numberAt(bytes, own + 48, 8);
  }
  std::vector<NpzMember> members;
  for (uint64_t i = 0; i < count; ++i) {
    Fallible<Entry> entry = entryAt(place);
    if (!entry)
      return entry.takeFailure();
    Fallible<std::string> content = contentOf(*entry);
    if (!content)
      return content.takeFailure();
    std::string name(entry->name);
    Fallible<NpyArray> array = parseNpy(*content);
    if (!array)
      return Failure("the member '" + name + "': " + array.why());
    if (name.ends_with(".npy"))
      name.resize(name.size() - 4);
    members.push_back({std::move(name), std::move(*array)});
  }
  return members;
}

Fallible<std::vector<NpzMember>> mercator::parseNpz(Text bytes, size_t most) {
  return Archive(bytes, most).read();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// What a local header and a directory entry have in common.
static void appendFields(std::string &to, Text name, Text content) {
  append(to, 20, 2);    // version 2.0 reads it
  append(to, 0x800, 2); // names are UTF-8
  append(to, kStored, 2);
  append(to, 0, 2);    // the time
  append(to, 0x21, 2); // 1980-01-01: the same arrays give the same bytes
  append(to, checksum(content), 4);
  append(to, content.size(), 4);
  append(to, content.size(), 4);
  append(to, name.size(), 2);
}

Fallible<std::string>
mercator::printNpz(const std::vector<NpzMember> &members) {
  std::string file, directory;
  for (const NpzMember &member : members) {
    std::string name = member.name + ".npy";
    std::string content = printNpy(member.array);
    uint64_t place = file.size();
    if (place + content.size() >= kIn64 - (1 << 20))
      return Failure("expected less than 4 GiB for an .npz file, got more");
    append(file, kLocal, 4);
    appendFields(file, name, content);
    append(file, 0, 2); // no extra fields
    file += name;
    file += content;
    append(directory, kEntry, 4);
    append(directory, 20, 2);
    appendFields(directory, name, content);
    append(directory, 0, 2 + 2 + 2 + 2); // extra, comment, disk, attributes
    append(directory, 0, 4);
    append(directory, place, 4);
    directory += name;
  }
  uint64_t place = file.size();
  file += directory;
  append(file, kEnd, 4);
  append(file, 0, 2 + 2);
  append(file, members.size(), 2);
  append(file, members.size(), 2);
  append(file, directory.size(), 4);
  append(file, place, 4);
  append(file, 0, 2);
  return file;
}
