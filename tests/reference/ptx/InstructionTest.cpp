// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// One instruction at a time, as a table: an opcode, operands as a type and its bits, and
/// the result.
///
///   add.s32 b32 7FFFFFFF b32 1 = b32 80000000

#include "Kernels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <bit>
#include <cmath>

using namespace mercator;

namespace {

/// A row as the body of a kernel that stores the result. "!7" is a number in the
/// instruction, decimal; other operands are registers.
std::string bodyOf(llvm::StringRef row, std::string &expected, unsigned &bits) {
  llvm::SmallVector<llvm::StringRef> words;
  row.split(words, ' ', -1, /*KeepEmpty=*/false);
  std::string body, operands;
  auto registerOf = [](llvm::StringRef type, unsigned index) {
    llvm::StringRef prefix = type == "pred"  ? "%p"
                             : type == "b16" ? "%rs"
                             : type == "b32" ? "%r"
                                             : "%rd";
    return (prefix + llvm::Twine(index)).str();
  };
  unsigned index = 10;
  size_t at = 1;
  for (; words[at] != "="; ++at) {
    if (words[at].starts_with("!")) {
      operands += ", " + words[at].drop_front().str();
      continue;
    }
    llvm::StringRef type = words[at], value = words[++at];
    std::string name = registerOf(type, index++);
    if (type == "pred")
      body += "setp.ne.s32 " + name + ", " + value.str() + ", 0;\n";
    else
      body += "mov." + type.str() + " " + name + ", 0x" + value.str() + ";\n";
    operands += ", " + name;
  }
  llvm::StringRef type = words[at + 1];
  expected = words[at + 2].str();
  std::string result = registerOf(type, 5);
  body += (words[0] + " " + result + operands + ";\n").str();
  bits = type == "b64" ? 64 : type == "b16" ? 16 : 32;
  if (type == "pred")
    body += "selp.b32 %r6, 1, 0, %p5;\nst.global.b32 [%rd0], %r6;\n";
  else
    body += "st.global.b" + std::to_string(bits) + " [%rd0], " + result + ";\n";
  return body;
}

void expectRows(llvm::ArrayRef<const char *> rows) {
  Kernels kernels;
  for (llvm::StringRef row : rows) {
    std::string expected;
    unsigned bits = 0;
    std::string body = bodyOf(row, expected, bits);
    ASSERT_TRUE(kernels.run(body, {})) << row.str() << '\n' << kernels.messages;
    uint64_t value = kernels.word(0);
    if (bits == 64)
      value |= uint64_t(kernels.word(1)) << 32;
    if (bits == 16)
      value &= 0xFFFF;
    uint64_t wanted = 0;
    ASSERT_FALSE(llvm::StringRef(expected).getAsInteger(16, wanted))
        << row.str();
    EXPECT_EQ(llvm::utohexstr(value), llvm::utohexstr(wanted)) << row.str();
  }
}

TEST(PtxInstructions, IntegersWrap) {
  expectRows({
      "add.s32 b32 7FFFFFFF b32 1 = b32 80000000",
      "add.u16 b16 FFFF b16 1 = b16 0",
      "add.s64 b64 FFFFFFFFFFFFFFFF b64 1 = b64 0",
      "sub.u16 b16 0 b16 1 = b16 FFFF",
      "mul.lo.s32 b32 80000000 b32 FFFFFFFF = b32 80000000",
      "mul.lo.u16 b16 FFFF b16 FFFF = b16 1",
      "mul.hi.s32 b32 80000000 b32 80000000 = b32 40000000",
      "mul.hi.u32 b32 FFFFFFFF b32 FFFFFFFF = b32 FFFFFFFE",
      "mul.hi.u32 b32 7 !-1396898037 = b32 4",
      "mul.hi.s16 b16 8000 b16 2 = b16 FFFF",
      "mul.hi.u16 b16 8000 b16 2 = b16 1",
      "mul.hi.s64 b64 8000000000000000 b64 2 = b64 FFFFFFFFFFFFFFFF",
      "mul.hi.u64 b64 FFFFFFFFFFFFFFFF b64 FFFFFFFFFFFFFFFF = b64 FFFFFFFFFFFFFFFE",
      "mul.wide.s32 b32 FFFFFFFF b32 2 = b64 FFFFFFFFFFFFFFFE",
      "mul.wide.u32 b32 FFFFFFFF b32 2 = b64 1FFFFFFFE",
      "mul.wide.u16 b16 FFFF b16 FFFF = b32 FFFE0001",
      "mad.lo.s32 b32 3 b32 4 b32 5 = b32 11",
      "mad.hi.u32 b32 80000000 b32 4 b32 1 = b32 3",
      "mad.hi.s32 b32 FFFFFFFF b32 1 b32 0 = b32 FFFFFFFF",
      "mad.wide.s32 b32 FFFFFFFF b32 3 b64 10 = b64 D",
      "div.s32 b32 FFFFFFF9 b32 2 = b32 FFFFFFFD",
      "div.s32 b32 80000000 b32 FFFFFFFF = b32 80000000",
      "div.u32 b32 FFFFFFF9 b32 2 = b32 7FFFFFFC",
      "rem.s32 b32 FFFFFFF9 b32 2 = b32 FFFFFFFF",
      "rem.s64 b64 8000000000000000 b64 FFFFFFFFFFFFFFFF = b64 0",
      "min.s32 b32 FFFFFFFF b32 1 = b32 FFFFFFFF",
      "min.u32 b32 FFFFFFFF b32 1 = b32 1",
      "max.s16 b16 FFFF b16 1 = b16 1",
      "abs.s32 b32 80000000 = b32 80000000",
      "neg.s32 b32 1 = b32 FFFFFFFF",
      "sad.u32 b32 1 b32 5 b32 10 = b32 14",
      "dp4a.s32.s32 b32 01FF0203 b32 01010101 b32 10 = b32 15",
      "dp4a.u32.u32 b32 01FF0203 b32 01010101 b32 10 = b32 115",
      "dp2a.lo.s32.s32 b32 FFFF0002 b32 05060103 b32 0 = b32 5",
      "dp2a.hi.s32.s32 b32 FFFF0002 b32 05060103 b32 0 = b32 7",
  });
}

TEST(PtxInstructions, Bits) {
  expectRows({
      "and.b32 b32 F0F0 b32 FF00 = b32 F000",
      "or.b16 b16 F0 b16 0F = b16 FF",
      "xor.b64 b64 FF b64 F = b64 F0",
      "not.b32 b32 0 = b32 FFFFFFFF",
      "cnot.b32 b32 0 = b32 1",
      "shl.b32 b32 1 b32 1F = b32 80000000",
      "shl.b32 b32 1 b32 20 = b32 0",
      "shl.b64 b64 1 b32 3F = b64 8000000000000000",
      "shr.s32 b32 80000000 b32 28 = b32 FFFFFFFF",
      "shr.u32 b32 80000000 b32 1F = b32 1",
      "shr.u32 b32 80000000 b32 20 = b32 0",
      "shr.u16 b16 8000 !5 = b16 400",
      "popc.b32 b32 F0F0 = b32 8",
      "popc.b64 b64 8000000000000001 = b32 2",
      "clz.b32 b32 1 = b32 1F",
      "clz.b64 b64 0 = b32 40",
      "bfind.u32 b32 10 = b32 4",
      "bfind.s32 b32 FFFFFFFF = b32 FFFFFFFF",
      "bfind.s32 b32 FFFFFF00 = b32 7",
      "bfind.shiftamt.u32 b32 10 = b32 1B",
      "brev.b32 b32 1 = b32 80000000",
      "brev.b64 b64 3 = b64 C000000000000000",
      "bfe.u32 b32 ABCD1234 b32 4 b32 8 = b32 23",
      "bfe.s32 b32 F0 b32 4 b32 4 = b32 FFFFFFFF",
      "bfe.s32 b32 80000000 b32 1C b32 8 = b32 FFFFFFF8",
      "bfe.u32 b32 FFFFFFFF b32 0 b32 0 = b32 0",
      "bfe.u64 b64 FF00000000 b32 20 b32 4 = b64 F",
      "bfi.b32 b32 F b32 0 b32 4 b32 4 = b32 F0",
      "bfi.b32 b32 FF b32 12345678 b32 1C b32 8 = b32 F2345678",
      "prmt.b32 b32 3020100 b32 7060504 b32 7531 = b32 7050301",
      "prmt.b32 b32 80 b32 0 b32 8 = b32 808080FF",
      "prmt.b32.f4e b32 3020100 b32 7060504 b32 1 = b32 4030201",
      "prmt.b32.rc16 b32 3020100 b32 7060504 b32 1 = b32 3020302",
      "shf.l.wrap.b32 b32 80000001 b32 2 b32 4 = b32 28",
      "shf.r.clamp.b32 b32 80000001 b32 2 b32 28 = b32 2",
      "shf.r.wrap.b32 b32 80000001 b32 2 b32 24 = b32 28000000",
      "lop3.b32 b32 F0 b32 CC b32 AA !150 = b32 96",
      "lop3.b32 b32 F0 b32 CC b32 AA !202 = b32 CA",
  });
}

TEST(PtxInstructions, CarriesGoFromOneToTheNext) {
  Kernels kernels;
  ASSERT_TRUE(
      kernels.run("mov.b32 %r3, -1; mov.b32 %r4, 1;"
                  "add.cc.u32 %r5, %r3, %r4; addc.u32 %r6, 0, 0;"
                  "sub.cc.u32 %r7, 0, 1; subc.u32 %r8, 5, 0;"
                  "mad.lo.cc.u32 %r9, %r3, 2, 3; madc.hi.u32 %r10, %r3, 2, 0;"
                  "st.global.v4.b32 [%rd0], {%r5, %r6, %r7, %r8};"
                  "st.global.v2.b32 [%rd0+16], {%r9, %r10};",
                  {}))
      << kernels.messages;
  uint32_t expected[] = {0, 1, 0xFFFFFFFF, 4, 1, 2};
  for (unsigned at = 0; at < 6; ++at)
    EXPECT_EQ(kernels.word(at), expected[at]) << at;
}

TEST(PtxInstructions, FloatsAreRoundedInEachDirection) {
  expectRows({
      "add.rn.f32 b32 3F800000 b32 33800000 = b32 3F800000",
      "add.f32 b32 3F800001 b32 33800000 = b32 3F800002",
      "add.rp.f32 b32 3F800000 b32 33800000 = b32 3F800001",
      "add.rm.f32 b32 3F800000 b32 33800000 = b32 3F800000",
      "add.rz.f32 b32 BF800000 b32 B3800000 = b32 BF800000",
      "add.rm.f32 b32 BF800000 b32 B3800000 = b32 BF800001",
      "add.rm.f32 b32 3F800000 b32 BF800000 = b32 80000000",
      "add.rn.f32 b32 3F800000 b32 BF800000 = b32 0",
      "sub.rp.f32 b32 3F800000 b32 3F800000 = b32 0",
      "mul.rz.f32 b32 3F800001 b32 3F800001 = b32 3F800002",
      "mul.rp.f32 b32 3F800001 b32 3F800001 = b32 3F800003",
      "mul.rn.f32 b32 7F000000 b32 7F000000 = b32 7F800000",
      "mul.rz.f32 b32 7F000000 b32 7F000000 = b32 7F7FFFFF",
      "mul.rn.ftz.f32 b32 00800000 b32 3F000000 = b32 0",
      "mul.rn.f32 b32 00800000 b32 3F000000 = b32 400000",
      "fma.rn.f32 b32 3F800001 b32 3F800001 b32 BF800002 = b32 28800000",
      "fma.rm.f32 b32 BF800001 b32 3F800001 b32 0 = b32 BF800003",
      "fma.rp.f32 b32 3F000000 b32 437C0000 b32 4B400001 = b32 4B40007F",
      "add.sat.f32 b32 3F800000 b32 3F800000 = b32 3F800000",
      "add.sat.f32 b32 BF800000 b32 0 = b32 0",
      "div.rn.f32 b32 3F800000 b32 40400000 = b32 3EAAAAAB",
      "div.rz.f32 b32 3F800000 b32 40400000 = b32 3EAAAAAA",
      "div.rp.f32 b32 3F800000 b32 40400000 = b32 3EAAAAAB",
      "sqrt.rn.f32 b32 40000000 = b32 3FB504F3",
      "rcp.rn.f32 b32 40400000 = b32 3EAAAAAB",
      "add.rn.f32 b32 7F800000 b32 FF800000 = b32 7FFFFFFF",
      "add.rn.f64 b64 3FB999999999999A b64 3FC999999999999A = b64 3FD3333333333334",
      "fma.rn.f64 b64 3FF0000000000001 b64 3FF0000000000001 b64 BFF0000000000002 = b64 3970000000000000",
      "neg.f32 b32 7FC00000 = b32 FFC00000",
      "abs.f32 b32 80000000 = b32 0",
      "min.f32 b32 7FC00000 b32 3F800000 = b32 3F800000",
      "min.NaN.f32 b32 7FC00000 b32 3F800000 = b32 7FFFFFFF",
      "max.f32 b32 80000000 b32 0 = b32 0",
      "min.f32 b32 0 b32 80000000 = b32 80000000",
      "max.NaN.f32 b32 FF800000 b32 3F800000 = b32 3F800000",
      "copysign.f32 b32 80000000 b32 3F800000 = b32 BF800000",
      "testp.subnormal.f32 b32 1 = pred 1",
      "testp.notanumber.f32 b32 7F800000 = pred 0",
  });
}

TEST(PtxInstructions, Halves) {
  expectRows({
      "add.rn.f16 b16 3C00 b16 1000 = b16 3C00", // 1 + 2^-11: a tie
      "add.rn.f16 b16 3C01 b16 1000 = b16 3C02",
      "mul.rn.f16 b16 7BFF b16 4000 = b16 7C00",
      "fma.rn.f16 b16 3C01 b16 3C01 b16 BC02 = b16 10", // 2^-20
      "add.rn.bf16 b16 3F80 b16 3B80 = b16 3F80",
      "add.rn.bf16 b16 3F81 b16 3B80 = b16 3F82",
      "fma.rn.bf16 b16 3F81 b16 3F81 b16 BF82 = b16 3880", // 2^-14
      "max.NaN.bf16 b16 7FC0 b16 3F80 = b16 7FFF",
      "max.bf16 b16 7FC0 b16 3F80 = b16 3F80",
      "fma.rn.relu.bf16 b16 3F80 b16 BF80 b16 0 = b16 0",
      "add.rn.f16x2 b32 3C004000 b32 3C003C00 = b32 40004200",
      "mul.rn.bf16x2 b32 3F804000 b32 40004000 = b32 40004080",
      "neg.f16 b16 3C00 = b16 BC00",
      "abs.bf16x2 b32 BF80BF80 = b32 3F803F80",
      "setp.lt.bf16 b16 BF80 b16 3F80 = pred 1",
      "ex2.approx.f16 b16 4000 = b16 4400",
  });
}

TEST(PtxInstructions, Conversions) {
  expectRows({
      "cvt.rni.s32.f32 b32 40200000 = b32 2",        // 2.5
      "cvt.rni.s32.f32 b32 C0600000 = b32 FFFFFFFC", // -3.5
      "cvt.rzi.s32.f32 b32 BFC00000 = b32 FFFFFFFF",
      "cvt.rmi.s32.f32 b32 BFC00000 = b32 FFFFFFFE",
      "cvt.rpi.s32.f32 b32 3FC00000 = b32 2",
      "cvt.rzi.s32.f32 b32 7FC00000 = b32 0",
      "cvt.rzi.s32.f32 b32 4F32D05E = b32 7FFFFFFF", // 3e9
      "cvt.rzi.u32.f32 b32 4F32D05E = b32 B2D05E00",
      "cvt.rzi.u32.f32 b32 BF800000 = b32 0",
      "cvt.rzi.s64.f64 b64 C3E0000000000000 = b64 8000000000000000",
      "cvt.rmi.f32.f32 b32 BFC00000 = b32 C0000000",
      "cvt.sat.f32.f32 b32 40000000 = b32 3F800000",
      "cvt.sat.f32.f32 b32 7FC00000 = b32 0",
      "cvt.rn.f32.s32 b32 1000001 = b32 4B800000",
      "cvt.rp.f32.s32 b32 1000001 = b32 4B800001",
      "cvt.rn.f32.u64 b64 FFFFFFFFFFFFFFFF = b32 5F800000",
      "cvt.rz.f32.u64 b64 FFFFFFFFFFFFFFFF = b32 5F7FFFFF",
      "cvt.rn.f64.u64 b64 FFFFFFFFFFFFFFFF = b64 43F0000000000000",
      "cvt.rz.f64.u64 b64 FFFFFFFFFFFFFFFF = b64 43EFFFFFFFFFFFFF",
      "cvt.rn.f32.f64 b64 3FF0000010000000 = b32 3F800000",
      "cvt.rp.f32.f64 b64 3FF0000010000000 = b32 3F800001",
      "cvt.f64.f32 b32 3F800001 = b64 3FF0000020000000",
      "cvt.rn.f16.f32 b32 477FF000 = b16 7C00", // 65520
      "cvt.rz.f16.f32 b32 477FF000 = b16 7BFF",
      "cvt.rn.f16.f32 b32 33800000 = b16 1", // 2^-24
      "cvt.rn.f16.f32 b32 33000000 = b16 0", // 2^-25: a tie
      "cvt.f32.f16 b16 1 = b32 33800000",
      "cvt.rn.bf16.f32 b32 3F808000 = b16 3F80",
      "cvt.rn.bf16.f32 b32 3F818000 = b16 3F82",
      "cvt.rz.bf16.f32 b32 3F81FFFF = b16 3F81",
      "cvt.f32.bf16 b16 C040 = b32 C0400000",
      "cvt.rn.bf16x2.f32 b32 3F800000 b32 40000000 = b32 3F804000",
      "cvt.rn.relu.f16x2.f32 b32 BF800000 b32 40000000 = b32 4000",
      "cvt.rna.tf32.f32 b32 3F801000 = b32 3F802000",
      "cvt.rna.tf32.f32 b32 BF800FFF = b32 BF800000",
      "cvt.rn.satfinite.e4m3x2.f32 b32 447A0000 b32 BDCCCCCD = b16 7E9D", // 1000, -0.1
      "cvt.rn.satfinite.e5m2x2.f32 b32 47C35000 b32 3F800000 = b16 7B3C", // 1e5, 1
      "cvt.rn.f16x2.e4m3x2 b16 7E38 = b32 5F003C00",
      "cvt.s32.s8 b32 80 = b32 FFFFFF80",
      "cvt.u32.u8 b32 180 = b32 80",
      "cvt.s16.s8 b16 80 = b16 FF80",
      "cvt.u8.u32 b32 1FF = b16 FF",
      "cvt.sat.u8.s32 b32 FFFFFFFB = b16 0",
      "cvt.sat.s8.s32 b32 12C = b16 7F",
      "cvt.sat.u32.u64 b64 100000000 = b32 FFFFFFFF",
      "cvt.s64.s32 b32 80000000 = b64 FFFFFFFF80000000",
      "cvt.u64.u32 b32 80000000 = b64 80000000",
      "cvt.u16.u32 b32 12345 = b16 2345",
      "cvt.s32.s16 b16 8000 = b32 FFFF8000",
      "cvt.ftz.f32.f32 b32 1 = b32 0",
  });
}

TEST(PtxInstructions, ComparisonsAndChoices) {
  expectRows({
      "setp.lt.s32 b32 FFFFFFFF b32 0 = pred 1",
      "setp.lt.u32 b32 FFFFFFFF b32 0 = pred 0",
      "setp.hi.u32 b32 FFFFFFFF b32 0 = pred 1",
      "setp.eq.f32 b32 7FC00000 b32 7FC00000 = pred 0",
      "setp.ne.f32 b32 7FC00000 b32 0 = pred 0",
      "setp.neu.f32 b32 7FC00000 b32 0 = pred 1",
      "setp.nan.f32 b32 7FC00000 b32 0 = pred 1",
      "setp.num.f64 b64 0 b64 0 = pred 1",
      "setp.eq.ftz.f32 b32 1 b32 0 = pred 1",
      "setp.eq.f32 b32 80000000 b32 0 = pred 1",
      "setp.lt.and.s32 b32 0 b32 1 pred 0 = pred 0",
      "setp.lt.or.s32 b32 1 b32 0 pred 1 = pred 1",
      "setp.lt.xor.s32 b32 0 b32 1 pred 1 = pred 0",
      "and.pred pred 1 pred 0 = pred 0",
      "or.pred pred 1 pred 0 = pred 1",
      "xor.pred pred 1 pred 1 = pred 0",
      "not.pred pred 0 = pred 1",
      "selp.b32 b32 1 b32 2 pred 0 = b32 2",
      "selp.f32 !0f3F800000 b32 2 pred 1 = b32 3F800000",
      "selp.b64 b64 1 b64 2 pred 1 = b64 1",
      "slct.f32.s32 b32 1 b32 2 b32 80000000 = b32 2",
      "mov.f64 !1.5 = b64 3FF8000000000000",
  });
  Kernels kernels;
  ASSERT_TRUE(kernels.run(
      "setp.gt.u32 %p1|%p2, %r0, 3;"
      "selp.b32 %r3, 1, 0, %p1; selp.b32 %r4, 2, 0, %p2; or.b32 %r3, %r3, %r4;"
      "mov.b64 %rd2, {%r3, %r0}; mov.b64 {%r5, %r6}, %rd2;"
      "mov.b32 {%rs1, %rs2}, %r5; mov.b32 %r7, {%rs2, %rs1};"
      "st.global.b32 [%rd1], %r7;",
      {}))
      << kernels.messages;
  EXPECT_EQ(kernels.word(3), 2u << 16);
  EXPECT_EQ(kernels.word(4), 1u << 16);
}

/// The ISA allows an error of approximations: these are correctly rounded.
TEST(PtxInstructions, ApproximationsAreWithinTheirErrors) {
  struct Case {
    const char *opcode;
    double (*function)(double);
    double from, to, absolute, relative;
  };
  const Case cases[] = {
      {"ex2.approx.ftz.f32", [](double x) { return std::exp2(x); }, -20, 20, 0,
       0x1p-22},
      {"lg2.approx.f32", [](double x) { return std::log2(x); }, 0.001, 100,
       0x1p-22, 0x1p-22},
      {"sin.approx.f32", [](double x) { return std::sin(x); }, -3.1, 3.1,
       0x1p-20, 0},
      {"cos.approx.f32", [](double x) { return std::cos(x); }, -3.1, 3.1,
       0x1p-20, 0},
      {"rcp.approx.ftz.f32", [](double x) { return 1 / x; }, 0.01, 100, 0,
       0x1p-23},
      {"rsqrt.approx.f32", [](double x) { return 1 / std::sqrt(x); }, 0.01, 100,
       0, 0x1p-22},
      {"sqrt.approx.f32", [](double x) { return std::sqrt(x); }, 0.01, 100, 0,
       0x1p-22},
      {"tanh.approx.f32", [](double x) { return std::tanh(x); }, -5, 5, 0,
       0x1p-10},
  };
  Kernels kernels;
  for (const Case &c : cases) {
    std::string from = llvm::utohexstr(std::bit_cast<uint32_t>(float(c.from)));
    std::string step =
        llvm::utohexstr(std::bit_cast<uint32_t>(float((c.to - c.from) / 64)));
    from.insert(0, 8 - from.size(), '0');
    step.insert(0, 8 - step.size(), '0');
    ASSERT_TRUE(kernels.run("cvt.rn.f32.u32 %r3, %r0; fma.rn.f32 %r3, %r3, 0f" +
                                step + ", 0f" + from + ";" + c.opcode +
                                " %r4, %r3; st.global.b32 [%rd1], %r4;"
                                "st.global.b32 [%rd1+1024], %r3;",
                            {.block = {64, 1, 1}}))
        << c.opcode << '\n'
        << kernels.messages;
    for (unsigned lane = 0; lane < 64; ++lane) {
      double x = std::bit_cast<float>(kernels.word(256 + lane));
      double expected = c.function(x),
             got = std::bit_cast<float>(kernels.word(lane));
      EXPECT_LE(std::fabs(got - expected),
                c.absolute + c.relative * std::fabs(expected))
          << c.opcode << " of " << x;
    }
  }
}

} // namespace
