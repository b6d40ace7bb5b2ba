// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/Npz.h"
#include "tests/Seed.h"

#include <gtest/gtest.h>
#include <zlib.h>

using namespace mercator;

namespace {

NpyArray arrayOf(std::string elements) {
  return {{NpyKind::UnsignedInt, 1},
          {int64_t(elements.size())},
          std::move(elements)};
}

std::string whyNot(const std::string &bytes) {
  Fallible<std::vector<NpzMember>> members = parseNpz(bytes);
  return members ? "read" : members.why();
}

TEST(Npz, ReadsWhatItWrites) {
  SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(testSeed()));
  std::mt19937_64 random(testSeed());
  for (int round = 0; round < 50; ++round) {
    std::vector<NpzMember> members;
    for (uint64_t i = random() % 5; i-- > 0;) {
      std::string elements;
      for (uint64_t size = random() % 300; size-- > 0;)
        elements += char(random());
      members.push_back({"a" + std::to_string(i), arrayOf(elements)});
    }
    Fallible<std::string> file = printNpz(members);
    ASSERT_TRUE(bool(file));
    Fallible<std::vector<NpzMember>> again = parseNpz(*file);
    ASSERT_TRUE(bool(again)) << again.why();
    ASSERT_EQ(again->size(), members.size());
    for (size_t i = 0; i < members.size(); ++i) {
      EXPECT_EQ((*again)[i].name, members[i].name);
      EXPECT_EQ((*again)[i].array.elements, members[i].array.elements);
    }
  }
}

/// A member as numpy.savez_compressed writes it.
std::string deflated(const std::string &bytes) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(bytes.size() + 100, '\0');
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
  stream.avail_in = uInt(bytes.size());
  stream.next_out = reinterpret_cast<Bytef *>(packed.data());
  stream.avail_out = uInt(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

void setNumber(std::string &bytes, size_t place, uint64_t number, int size) {
  for (int i = 0; i < size; ++i)
    bytes[place + size_t(i)] = char(number >> 8 * i);
}

TEST(Npz, ReadsDeflatedMembers) {
  NpyArray array = arrayOf(std::string(5000, 'x'));
  std::string plain = *printNpz({{"x", array}}), npy = printNpy(array);
  std::string packed = deflated(npy);
  // The stored bytes are replaced, and both headers are told.
  size_t first = plain.find(npy);
  ASSERT_NE(first, std::string::npos);
  std::string file = plain;
  file.replace(first, npy.size(), packed);
  size_t removed = npy.size() - packed.size();
  size_t entry = first + packed.size(), end = file.size() - 22;
  setNumber(file, 8, 8, 2);
  setNumber(file, 18, packed.size(), 4);
  setNumber(file, entry + 10, 8, 2);
  setNumber(file, entry + 20, packed.size(), 4);
  setNumber(file, end + 16, first + npy.size() - removed, 4);
  Fallible<std::vector<NpzMember>> read = parseNpz(file);
  ASSERT_TRUE(bool(read)) << read.why();
  EXPECT_EQ(read->front().array.elements, array.elements);
}

TEST(Npz, RefusesWhatIsNoArchive) {
  EXPECT_EQ(whyNot(""), "expected an .npz file, got nothing");
  EXPECT_EQ(whyNot(std::string(100, 'a')),
            "expected an .npz file, got bytes that are no ZIP archive");
}

TEST(Npz, EveryDamagedByteIsSeenOrHarmless) {
  std::string file = *printNpz({{"x", arrayOf("abcdefgh")}});
  int refused = 0;
  for (size_t i = 0; i < file.size(); ++i) {
    std::string damaged = file;
    damaged[i] ^= 0x55;
    Fallible<std::vector<NpzMember>> read = parseNpz(damaged);
    refused += !read;
    if (read && !read->empty())
      EXPECT_EQ(read->front().array.elements, "abcdefgh") << "byte " << i;
  }
  EXPECT_GT(refused, 150);
  for (size_t size = 0; size < file.size(); ++size)
    EXPECT_NE(whyNot(file.substr(0, size)), "read");
}

TEST(Npz, LimitsWhatItAllocates) {
  std::string file = *printNpz({{"x", arrayOf(std::string(1000, 'x'))}});
  Fallible<std::vector<NpzMember>> read = parseNpz(file, 100);
  ASSERT_FALSE(bool(read));
  EXPECT_EQ(read.why(), "expected arrays of at most 100 bytes, got 'x.npy' of "
                        "1128");
}

} // namespace
