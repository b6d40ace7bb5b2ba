// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/Npy.h"
#include "tests/Seed.h"

#include "llvm/ADT/Twine.h"
#include <gtest/gtest.h>

using namespace mercator;
using llvm::StringRef;

namespace {

/// A file of the version with that header, padded as numpy pads it not at all.
std::string file(unsigned version, StringRef header, StringRef elements) {
  std::string bytes = "\x93NUMPY";
  bytes += char(version);
  bytes += '\0';
  for (unsigned i = 0; i < (version == 1 ? 2u : 4u); ++i)
    bytes += char(header.size() >> 8 * i);
  return bytes + header.str() + elements.str();
}

std::string messageOf(StringRef bytes) {
  Fallible<NpyArray> array = parseNpy(bytes);
  return array ? "read" : array.why();
}

std::string header(StringRef descr, StringRef shape,
                   StringRef order = "False") {
  return (llvm::Twine("{'descr': '") + descr + "', 'fortran_order': " + order +
          ", 'shape': " + shape + ", }\n")
      .str();
}

TEST(Npy, ReadsEveryVersion) {
  for (unsigned version : {1u, 2u, 3u}) {
    auto array = parseNpy(file(version, header("<i2", "(2, 1)"), "\1\2\3\4"));
    ASSERT_TRUE(bool(array)) << array.why();
    EXPECT_EQ(array->type, (NpyType{NpyKind::SignedInt, 2}));
    EXPECT_EQ(array->shape, (std::vector<int64_t>{2, 1}));
    EXPECT_EQ(array->elements, "\1\2\3\4");
  }
}

TEST(Npy, TurnsBigEndianRound) {
  auto ints = parseNpy(file(1, header(">i4", "(2,)"), "abcdefgh"));
  ASSERT_TRUE(bool(ints));
  EXPECT_EQ(ints->elements, "dcbahgfe");
  // The parts of a complex number keep their places.
  auto complex = parseNpy(file(1, header(">c8", "()"), "abcdefgh"));
  ASSERT_TRUE(bool(complex));
  EXPECT_EQ(complex->elements, "dcbahgfe");
}

TEST(Npy, TurnsColumnsIntoRows) {
  auto array = parseNpy(file(1, header("|u1", "(2, 3)", "True"), "adbecf"));
  ASSERT_TRUE(bool(array));
  EXPECT_EQ(array->elements, "abcdef");
  auto cube = parseNpy(file(1, header("|u1", "(2, 2, 2)", "True"), "aecgbfdh"));
  ASSERT_TRUE(bool(cube));
  EXPECT_EQ(cube->elements, "abcdefgh");
  EXPECT_TRUE(bool(parseNpy(file(1, header("<f8", "(0, 3)", "True"), ""))));
}

TEST(Npy, MakesBooleansOneOrZero) {
  auto array = parseNpy(file(1, header("|b1", "(3,)"), StringRef("\0\1\7", 3)));
  ASSERT_TRUE(bool(array));
  EXPECT_EQ(array->elements, std::string("\0\1\1", 3));
}

TEST(Npy, TakesHeadersAsOthersWriteThem) {
  // Keys in another order, double quotes, Python 2's integers, no last comma.
  StringRef text = "{\"shape\": (1L, 2L), 'descr':'=f2','fortran_order':False}";
  EXPECT_EQ(messageOf(file(1, text, "abcd")), "read");
}

TEST(Npy, RefusesWhatIsNoArray) {
  EXPECT_EQ(messageOf(""), "expected an .npy file, got nothing");
  EXPECT_EQ(messageOf("PK\3\4rest"), "expected an .npy file, got a file that "
                                     "begins with 'PK<03><04>re'");
  EXPECT_EQ(messageOf("\x93NUMPY\1"), "expected a version and a length after "
                                      "the magic, got the end of the file");
  EXPECT_EQ(messageOf(file(4, "", "")),
            "expected version 1.0, 2.0 or 3.0, got 4.0");
  EXPECT_EQ(messageOf(StringRef("\x93NUMPY\1\0\xff\x7f{}", 12)),
            "expected a header of 32767 bytes, got only 2");
  EXPECT_EQ(messageOf(StringRef("\x93NUMPY\2\0\xff\xff\xff\xff", 12)),
            "expected a header of at most 1048576 bytes, got one of "
            "4294967295");
}

TEST(Npy, RefusesHeadersThatLie) {
  auto refuses = [](StringRef header, StringRef message) {
    EXPECT_EQ(messageOf(file(1, header, "abcd")), message.str());
  };
  refuses("", "expected '{' in the header, got its end");
  refuses("{'descr': '<f4'}", "expected fortran_order in the header, got none");
  refuses("{'color': 1}", "expected descr, fortran_order and shape in the "
                          "header, each once, got 'color'");
  refuses(header("<f16", "(1,)"),
          "expected elements of a type b1, i1 to i8, u1 to u8, f1 to f8, c8, "
          "c16, V1 or V2, got '<f16'");
  refuses(header("|O", "(1,)"),
          "expected elements of a type b1, i1 to i8, u1 to u8, f1 to f8, c8, "
          "c16, V1 or V2, got '|O'");
  refuses("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}",
          "expected elements of one simple type, got structures");
  refuses(header("<f4", "(-1,)"),
          "expected an extent in the header, got '-1,), }<0A>'");
  refuses(header("<f4", "(2,)"), "expected 8 bytes of elements, got 4");
  refuses(header("<f4", "()") + "x", "expected nothing after '}' in the "
                                     "header, got '<0A>x'");
  refuses(header("<f4", "(99999999999999999999,)"),
          "expected extents that fit 64 bits, got '99999999999999999999'");
  refuses(header("<f4", "(4294967296, 4294967296)"),
          "expected a size that fits 64 bits, got more");
  refuses(header("<f4", "(4294967296, 4294967296, 0)"),
          "expected 0 bytes of elements, got 4");
  std::string many = "(";
  for (int i = 0; i < 65; ++i)
    many += "1,";
  refuses(header("<f4", many + ")"),
          "expected at most 64 dimensions, got more");
}

TEST(Npy, ReadsWhatItWrites) {
  SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(testSeed()));
  std::mt19937_64 random(testSeed());
  static constexpr NpyType types[] = {
      {NpyKind::Boolean, 1},     {NpyKind::SignedInt, 1},
      {NpyKind::SignedInt, 8},   {NpyKind::UnsignedInt, 2},
      {NpyKind::UnsignedInt, 4}, {NpyKind::Real, 2},
      {NpyKind::Real, 8},        {NpyKind::Complex, 8},
      {NpyKind::Complex, 16},    {NpyKind::Raw, 1},
      {NpyKind::Raw, 2}};
  for (int round = 0; round < 200; ++round) {
    NpyArray array;
    array.type = types[random() % std::size(types)];
    size_t count = 1;
    for (unsigned rank = random() % 5; rank-- > 0;) {
      array.shape.push_back(random() % 4);
      count *= array.shape.back();
    }
    for (size_t i = 0; i < count * array.type.bytes; ++i)
      array.elements +=
          char(array.type.kind == NpyKind::Boolean ? random() % 2 : random());
    std::string bytes = printNpy(array);
    EXPECT_EQ((bytes.size() - array.elements.size()) % 64, 0u);
    Fallible<NpyArray> again = parseNpy(bytes);
    ASSERT_TRUE(bool(again)) << again.why();
    EXPECT_EQ(again->type, array.type);
    EXPECT_EQ(again->shape, array.shape);
    EXPECT_EQ(again->elements, array.elements);
  }
}

} // namespace
