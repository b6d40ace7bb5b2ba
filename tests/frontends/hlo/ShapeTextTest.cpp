// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HloText.h"

#include <gtest/gtest.h>

using namespace mercator;
using namespace mercator::hlo;

/// The shape of a parameter written with `text`.
static Parsed parseShapeText(const std::string &text) {
  return parseText("p = " + text + " parameter(0)");
}

TEST(HloShape, PrintsWhatItRead) {
  for (const char *text : {
           "f32[]",
           "pred[2,3]",
           "f8e4m3b11fnuz[4]{0}",
           "c128[1,2,3]{0,2,1}",
           "f32[<=10,?,4]",
           "token[]",
           "opaque[]",
           "()",
           "(f32[], (s32[2]{0}, token[]))",
           "b(f32[4])",
           "b((f32[4], s32[]))",
           "f32[8,128]{1,0:T(8,128)(2,1)}",
           "f32[8,128]{1,0:T(*,128)}",
           "s4[16]{0:E(4)}",
           "f32[4]{0:S(5)}",
           "f32[4]{0:L(16)}",
           "f32[4,4]{1,0:D(D,C)#(u32)*(u64)}",
           "f32[4]{0:T(2)L(4)#(u32)*(u8)E(32)S(1)SC(0:1,2)(1:3)P(f32[4]{0})M(8)"
           "}",
           "f32[]{:T(256)}",
       }) {
    Parsed parsed = parseShapeText(text);
    ASSERT_TRUE(parsed.module) << text << "\n" << parsed.said;
    EXPECT_EQ(
        toString(*parsed.module->entryComputation().instructions[0].shape),
        text);
  }
}

TEST(HloShape, NormalizesSpaces) {
  Parsed parsed = parseShapeText("( f32 [ 3 , 4 ] { 0 , 1 },s32[]{} )");
  ASSERT_TRUE(parsed.module) << parsed.said;
  EXPECT_EQ(toString(*parsed.module->entryComputation().instructions[0].shape),
            "(f32[3,4]{0,1}, s32[])");
}

TEST(HloShape, Fields) {
  Parsed parsed = parseShapeText("f32[<=10,?,4]{2,0,1:T(8)S(3)}");
  ASSERT_TRUE(parsed.module) << parsed.said;
  const Shape &shape = *parsed.module->entryComputation().instructions[0].shape;
  EXPECT_EQ(shape.elementType, ElementType::F32);
  EXPECT_EQ(shape.dims, (ArrayRef<int64_t>{10, Shape::kUnbounded, 4}));
  EXPECT_TRUE(shape.isDynamic(0) && shape.isDynamic(1) && !shape.isDynamic(2));
  EXPECT_FALSE(shape.isStatic());
  ASSERT_TRUE(shape.layout);
  EXPECT_EQ(shape.layout->minorToMajor, (ArrayRef<int64_t>{2, 0, 1}));
  EXPECT_EQ(shape.layout->tiles[0].dims, (ArrayRef<int64_t>{8}));
  EXPECT_EQ(shape.layout->memorySpace, 3);
}

TEST(HloShape, ElementTypes) {
  unsigned count = 0;
#define HLO_ELEMENT_TYPE(ENUM, SPELLING, BITS, CLASS)                          \
  {                                                                            \
    ++count;                                                                   \
    EXPECT_EQ(elementTypeFromSpelling(SPELLING), ElementType::ENUM);           \
    EXPECT_EQ(spelling(ElementType::ENUM), SPELLING);                          \
    EXPECT_EQ(bitWidth(ElementType::ENUM), BITS##u);                           \
  }
#include "mercator/frontends/hlo/ElementTypes.def"
  EXPECT_EQ(count, 30u);
  EXPECT_EQ(byteWidth(ElementType::PRED), 1u);
  EXPECT_EQ(byteWidth(ElementType::S4), 1u);
  EXPECT_EQ(byteWidth(ElementType::C128), 16u);
  EXPECT_EQ(realPart(ElementType::C64), ElementType::F32);
  EXPECT_FALSE(elementTypeFromSpelling("f33"));
}

TEST(HloShape, SameShapeIgnoresLayouts) {
  Parsed parsed = parseText("a = (f32[2,3]{1,0}, s32[]) parameter(0)\n"
                            "b = (f32[2,3]{0,1}, s32[]) parameter(1)\n"
                            "c = (f32[2,3], u32[]) parameter(2)\n"
                            "d = (f32[2,<=3], s32[]) parameter(3)\n");
  ASSERT_TRUE(parsed.module) << parsed.said;
  auto shape = [&](unsigned i) -> const Shape & {
    return *parsed.module->entryComputation().instructions[i].shape;
  };
  EXPECT_TRUE(sameShape(shape(0), shape(1)));
  EXPECT_FALSE(sameShapeAndLayout(shape(0), shape(1)));
  EXPECT_TRUE(sameShapeAndLayout(shape(0), shape(0)));
  EXPECT_FALSE(sameShape(shape(0), shape(2)));
  EXPECT_FALSE(sameShape(shape(0), shape(3)));
}
