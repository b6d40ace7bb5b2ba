// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HloText.h"
#include "mercator/frontends/hlo/FloatFormat.h"

#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

using namespace mercator;
using namespace mercator::hlo;

/// The bytes of `shape constant(value)` in hexadecimal, element by element, or
/// the first line of the diagnostics.
static std::string bytesOf(const std::string &shape, const std::string &value) {
  Parsed parsed = parseText("c = " + shape + " constant(" + value + ")");
  if (!parsed.module)
    return parsed.said.substr(0, parsed.said.find('\n'));
  const Literal &literal =
      *parsed.module->entryComputation().instructions[0].literal;
  return llvm::toHex(StringRef(literal.bytes.data(), literal.bytes.size()),
                     true);
}

struct LiteralRow {
  const char *shape, *value, *bytes;
};

TEST(HloLiteral, ScalarsAreLittleEndianBits) {
  const LiteralRow rows[] = {
      {"pred[]", "true", "01"},
      {"pred[]", "0", "00"},
      {"s8[]", "-128", "80"},
      {"s4[]", "-8", "f8"},
      {"s4[]", "7", "07"},
      {"u4[]", "15", "0f"},
      {"s2[]", "-2", "fe"},
      {"s1[]", "-1", "ff"},
      {"u1[]", "1", "01"},
      {"s16[]", "258", "0201"},
      {"u32[]", "4294967295", "ffffffff"},
      {"s64[]", "-9223372036854775808", "0000000000000080"},
      {"u64[]", "18446744073709551615", "ffffffffffffffff"},
      {"f32[]", "1", "0000803f"},
      {"f32[]", "0.1", "cdcccc3d"},
      {"f32[]", "-0.0", "00000080"},
      {"f32[]", "16777217", "0000804b"}, // rounds to even
      {"f32[]", "1e-50", "00000000"},    // too small: zero
      {"f32[]", "1e-45", "01000000"},    // the smallest
      {"f32[]", "-1.99999988", "ffffffbf"},
      {"f64[]", "0.1", "9a9999999999b93f"},
      {"f16[]", "65504", "ff7b"},
      {"bf16[]", "1.5", "c03f"},
      {"f8e5m2[]", "1", "3c"},
      {"f8e4m3fn[]", "448", "7e"},
      {"f8e4m3b11fnuz[]", "1", "58"},
      {"f8e8m0fnu[]", "4", "81"},
      {"f4e2m1fn[]", "-6", "0f"},
      {"c64[]", "(1, -2)", "0000803f000000c0"},
      {"c128[]", "(0.1, 0)", "9a9999999999b93f0000000000000000"},
  };
  for (const LiteralRow &row : rows)
    EXPECT_EQ(bytesOf(row.shape, row.value), row.bytes)
        << row.shape << row.value;
}

TEST(HloLiteral, SpecialValuesKeepTheirBits) {
  const LiteralRow rows[] = {
      {"f32[]", "inf", "0000807f"},
      {"f32[]", "-inf", "000080ff"},
      {"f32[]", "nan", "0000c07f"},
      {"f32[]", "-nan", "0000c0ff"},
      {"f32[]", "nan(0x1)", "0100807f"},
      {"f32[]", "-nan(0x400001)", "0100c0ff"},
      {"f64[]", "nan(0xfffffffffffff)", "ffffffffffffff7f"},
      {"f16[]", "nan(0x1)", "017c"},
      {"bf16[]", "nan(0x7f)", "ff7f"},
      {"f8e5m2[]", "nan(0x1)", "7d"},
      {"f8e4m3fn[]", "nan", "7f"},
      {"c64[]", "(nan, inf)", "0000c07f0000807f"},
  };
  for (const LiteralRow &row : rows)
    EXPECT_EQ(bytesOf(row.shape, row.value), row.bytes)
        << row.shape << row.value;
}

TEST(HloLiteral, Arrays) {
  const LiteralRow rows[] = {
      {"s8[3]", "{1, 2, 3}", "010203"},
      {"s8[2,2]", "{ { 1, 2 }, { 3, 4 } }", "01020304"},
      {"s8[2,2]{0,1}", "{{1,2},{3,4}}", "01020304"}, // logical order
      {"s8[2,1,2]", "{ { /*i0=0*/ {1, 2} }, { /*i0=1*/ {3, 4} } }", "01020304"},
      {"pred[2]", "{true, 0}", "0100"},
      {"c64[2]", "{(1, 0), (0, 0)}", "0000803f000000000000000000000000"},
      {"s8[0]", "{}", ""},
      {"s8[2,0]", "{ {}, {} }", ""},
      {"s8[2,0]", "{}", ""},
      {"s8[1]", "7", "07"},
      {"s8[2]", "s8[2]{0} {1, 2}", "0102"}, // old texts repeat the shape
  };
  for (const LiteralRow &row : rows)
    EXPECT_EQ(bytesOf(row.shape, row.value), row.bytes)
        << row.shape << row.value;
}

TEST(HloLiteral, SplatElidedAndTuple) {
  Parsed parsed = parseText(
      "a = f32[1000000,1000000] constant(2)\n"
      "b = f32[8]{0} constant({...})\n"
      "c = (s8[2], (pred[], f32[4])) constant(({1, 2}, (true, {...})))\n");
  ASSERT_TRUE(parsed.module) << parsed.said;
  auto literal = [&](unsigned i) {
    return parsed.module->entryComputation().instructions[i].literal;
  };
  EXPECT_TRUE(literal(0)->splat);
  EXPECT_EQ(literal(0)->bytes.size(), 4u);
  EXPECT_TRUE(literal(1)->elided);
  EXPECT_TRUE(literal(1)->bytes.empty());
  ASSERT_EQ(literal(2)->elements.size(), 2u);
  EXPECT_EQ(literal(2)->elements[0]->bytes.size(), 2u);
  EXPECT_TRUE(literal(2)->elements[1]->elements[1]->elided);
}

TEST(HloLiteral, Refusals) {
  const LiteralRow rows[] = {
      {"s8[]", "128", "t.hlo:1:19: error: 128 does not fit 's8'"},
      {"s4[]", "-9", "t.hlo:1:19: error: -9 does not fit 's4'"},
      {"u8[]", "-1", "t.hlo:1:19: error: -1 does not fit 'u8'"},
      {"u64[]", "18446744073709551616",
       "t.hlo:1:20: error: 18446744073709551616 does not fit 'u64'"},
      {"s32[]", "1.5",
       "t.hlo:1:20: error: expected an integer for 's32', got '1.5'"},
      {"pred[]", "2", "t.hlo:1:21: error: expected 'true' or 'false', got '2'"},
      {"f16[]", "65520", "t.hlo:1:20: error: 65520 does not fit 'f16'"},
      {"f32[]", "1e39", "t.hlo:1:20: error: 1e39 does not fit 'f32'"},
      {"f32[]", "true",
       "t.hlo:1:20: error: expected a number for 'f32', got 'true'"},
      {"f32[]", "nan(0x800000)",
       "t.hlo:1:20: error: this NaN payload does not fit 'f32'"},
      {"f32[]", "nan(0x0)",
       "t.hlo:1:20: error: this NaN payload does not fit 'f32'"},
      {"f32[]", "nan(1)",
       "t.hlo:1:20: error: expected a NaN payload such as 'nan(0x400000)'"},
      {"f8e4m3fn[]", "nan(0x1)",
       "t.hlo:1:25: error: this NaN payload does not fit 'f8e4m3fn'"},
      {"s8[2]", "{1}",
       "t.hlo:1:22: error: expected 2 entries in dimension 0 of "
       "'s8[2]', got 1"},
      {"s8[2]", "{1, 2, 3}",
       "t.hlo:1:25: error: expected 2 entries in dimension 0 of "
       "'s8[2]', got more"},
      {"s8[2,2]", "{1, 2}",
       "t.hlo:1:23: error: expected '{' before dimension 1, got "
       "'1'"},
      {"s8[2]", "{{1}, {2}}",
       "t.hlo:1:21: error: expected an integer for 's8', got '{'"},
      {"c64[]", "1",
       "t.hlo:1:20: error: expected '(' before a complex number, got '1'"},
      {"token[]", "1",
       "t.hlo:1:22: error: a constant of shape 'token[]' cannot be "
       "written"},
      {"(s8[], s8[])", "(1)",
       "t.hlo:1:29: error: expected ',' between tuple members, "
       "got ')'"},
  };
  for (const LiteralRow &row : rows)
    EXPECT_EQ(bytesOf(row.shape, row.value), row.bytes)
        << row.shape << row.value;
}

/// parseFloat reads back the output of formatFloat, for every value of the
/// small types and for a sample of f32 and f64.
static void expectRoundTrip(uint64_t bits, ElementType type) {
  std::string text = formatFloat(bits, type);
  unsigned width = 2 * byteWidth(type);
  std::string read = bytesOf(spelling(type).str() + "[]", text);
  std::string expected;
  for (unsigned i = 0; i < width / 2; ++i)
    expected +=
        llvm::toHex(StringRef(std::string(1, char(bits >> (8 * i)))), true);
  ASSERT_EQ(read, expected) << spelling(type).str() << " " << text;
}

TEST(HloLiteral, FloatsRoundTrip) {
  for (ElementType type :
       {ElementType::F8E3M4, ElementType::F8E4M3, ElementType::F8E4M3FN,
        ElementType::F8E4M3FNUZ, ElementType::F8E4M3B11FNUZ,
        ElementType::F8E5M2, ElementType::F8E5M2FNUZ})
    for (unsigned bits = 0; bits < 256; ++bits) {
      // Types with a single NaN write it `nan`; its other bit patterns are the
      // same value.
      llvm::APFloat value(floatSemantics(type), llvm::APInt(8, bits));
      if (value.isNaN() && !hasIeeeNans(type))
        continue;
      expectRoundTrip(bits, type);
    }
  for (unsigned bits = 0; bits < 16; ++bits)
    expectRoundTrip(bits, ElementType::F4E2M1FN);
  for (unsigned bits = 0; bits < 65536; bits += 7) {
    expectRoundTrip(bits, ElementType::F16);
    expectRoundTrip(bits, ElementType::BF16);
  }
  for (uint64_t bits = 0; bits < (uint64_t(1) << 32); bits += 777767)
    expectRoundTrip(bits, ElementType::F32);
  for (uint64_t step = 0x0003141592653589, bits = 1; bits > step || bits == 1;
       bits += step)
    expectRoundTrip(bits, ElementType::F64);
}
