// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/stablehlo/BoolElements.h"
#include "mercator/dialects/Register.h"
#include "mercator/frontends/stablehlo/Parse.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

#include <chrono>

using namespace mercator;
using namespace mercator::stablehlo;

namespace {

std::string packed(const std::string &text) {
  std::optional<std::string> out = packBoolElements(text);
  EXPECT_TRUE(!out || out->size() == text.size());
  EXPECT_TRUE(!out || llvm::count(*out, '\n') == llvm::count(text, '\n'));
  return out.value_or("as it is");
}

TEST(BoolElements, BytesBecomeBits) {
  EXPECT_EQ(packed("dense<\"0x010001\"> : tensor<3xi1>"),
            "dense<\"0x05\"    > : tensor<3xi1>");
  EXPECT_EQ(packed("dense<\"0x00000000000000FF01\"> : tensor<3x3xi1>"),
            "dense<\"0x8001\"              > : tensor<3x3xi1>");
  // Only zero is false.
  EXPECT_EQ(packed("dense<\"0x0002f000\"> : vector<4xi1>"),
            "dense<\"0x06\"      > : vector<4xi1>");
}

TEST(BoolElements, OneByte) {
  // For one element: a nonzero byte is true.
  EXPECT_EQ(packed("dense<\"0x02\"> : tensor<i1>"),
            "dense<\"0xFF\"> : tensor<i1>");
  EXPECT_EQ(packed("dense<\"0x00\"> : tensor<1x1xi1>"),
            "dense<\"0x00\"> : tensor<1x1xi1>");
  // For two to eight elements: bits.
  EXPECT_EQ(packed("dense<\"0x01\"> : tensor<2xi1>"), "as it is");
  EXPECT_EQ(packed("dense<\"0x01\"> : tensor<8xi1>"), "as it is");
  // For more: the byte applies to every element.
  EXPECT_EQ(packed("dense<\"0x01\"> : tensor<9xi1>"),
            "dense<\"0xFF\"> : tensor<9xi1>");
}

TEST(BoolElements, OtherStringsStay) {
  for (llvm::StringRef text :
       {"dense<\"0xFF01\"> : tensor<16xi1>",
        "dense<\"0x010203\"> : tensor<2xi1>",
        "dense<\"0x0\"> : tensor<1xi1>",
        "dense<\"0x\"> : tensor<0xi1>",
        "dense<\"0x0101\"> : tensor<2xi8>",
        "dense<\"0x0101\"> : tensor<2xi16>",
        "dense<\"0x0101\"> : tensor<2x!quant.uniform<i8:f32, 1.0>>",
        "dense<\"0x0101\"> : tensor<?xi1>",
        "dense<\"0x0101\">",
        "dense<\"0x0101\"> : !a",
        "\"0x0101\"> : tensor<2xi1>",
        "condense<\"0x0101\"> : tensor<2xi1>",
        "dense<\"0x01",
        "\"0x",
        "dense<",
        "dense<\"0x0101\"> :",
        "dense<\"0x0101\"> : tensor<2",
        "dense<\"0x0101\"> : tensor<2x",
        "dense<\"0x0101\"> : tensor<2xi1_t>",
        "dense<\"0x01G1\"> : tensor<2xi1>",
        "dense<\"0x0101\"> : tensor<99999999999999999999x9xi1>"})
    EXPECT_EQ(packed(text.str()), "as it is") << text.str();
}

TEST(BoolElements, SpaceAndComments) {
  EXPECT_EQ(
      packed("dense\n < // of\n\"0x0101\" > // as\n:\n tensor < 2 x // x\n "
             "i1 , #a>"),
      "as it is"); // a comment before the string is not looked behind
  EXPECT_EQ(packed("dense\n <\n\"0x0101\" > // as\n:\n tensor < 2 x // x\n "
                   "i1 , #a>"),
            "dense\n <\n\"0x03\"   > // as\n:\n tensor < 2 x // x\n i1 , #a>");
}

TEST(BoolElements, NamesOfTypes) {
  EXPECT_EQ(packed("!b = tensor<2xi1>\n  !a = !b\ndense<\"0x0001\"> : !a"),
            "!b = tensor<2xi1>\n  !a = !b\ndense<\"0x02\"  > : !a");
  // Each program of a text has its own names.
  EXPECT_EQ(packed("!a = tensor<2xi1>\ndense<\"0x0001\"> : !a\n// -----\n"
                   "!a = tensor<2xi8>\ndense<\"0x0001\"> : !a"),
            "!a = tensor<2xi1>\ndense<\"0x02\"  > : !a\n// -----\n"
            "!a = tensor<2xi8>\ndense<\"0x0001\"> : !a");
  EXPECT_EQ(packed("!a = !a\ndense<\"0x0001\"> : !a"), "as it is");
}

TEST(BoolElements, BitsBecomeLists) {
  EXPECT_EQ(listBoolElements("x = dense<\"0x05\"> : tensor<3xi1>, y"),
            "x = dense<[true, false, true]> : tensor<3xi1>, y");
  EXPECT_EQ(listBoolElements("dense<\"0x8001\"> : tensor<3x1x3xi1>"),
            "dense<[[[false, false, false]], [[false, false, false]], [[false, "
            "true, true]]]> : tensor<3x1x3xi1>");
  EXPECT_EQ(listBoolElements("dense<\"0x0101\"> : tensor<2xi8>"),
            "dense<\"0x0101\"> : tensor<2xi8>");
}

class BoolPrograms : public ::testing::Test {
protected:
  BoolPrograms() {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
    context.allowUnregisteredDialects();
  }

  mlir::OwningOpRef<mlir::ModuleOp> read(std::string text) {
    std::string said;
    llvm::raw_string_ostream os(said);
    SourceBuffer source("t.mlir", std::move(text));
    DiagnosticEngine diagnostics(os);
    auto module = parseStablehlo(source, context, diagnostics);
    EXPECT_TRUE(module) << said;
    return module;
  }

  static std::string hex(const std::vector<bool> &elements, bool bits) {
    std::string bytes((bits ? elements.size() + 7 : 8 * elements.size()) / 8,
                      '\0');
    for (size_t i = 0; i < elements.size(); ++i)
      if (elements[i])
        bytes[bits ? i / 8 : i] |= char(bits ? 1 << (i % 8) : 1);
    return llvm::toHex(bytes);
  }

  mlir::MLIRContext context;
};

TEST_F(BoolPrograms, BothFormsAreOneConstant) {
  uint32_t state = 1;
  for (size_t n : {1, 2, 7, 8, 9, 15, 16, 17, 100, 101, 255, 256, 1000}) {
    for (int kind = 0; kind < 4; ++kind) { // random, false, true, one of them
      std::vector<bool> elements(n);
      for (size_t i = 0; i < n; ++i) {
        state = state * 1664525 + 1013904223;
        elements[i] = kind == 0   ? state >> 31
                      : kind == 3 ? i + 1 == n
                                  : kind == 2;
      }
      std::string list;
      for (bool element : elements)
        list += std::string(list.empty() ? "" : ", ") +
                (element ? "true" : "false");
      std::string type = "tensor<" + std::to_string(n) + "xi1>";
      auto program = [&](const std::string &value) {
        std::string attribute = "dense<" + value + "> : " + type;
        return "!t = " + type + "\n#a = " + attribute + "\nfunc.func @f() -> " +
               type + " attributes {a.b = " + attribute +
               ", c.d = [#a, dense<" + value +
               "> : !t]} {\n  %0 = stablehlo.constant " + attribute +
               "\n  %1 = \"stablehlo.constant\"() <{value = " + attribute +
               "}> : () -> " + type + "\n  \"x.y\"() {z = " + attribute +
               "} : () -> ()\n  return %0 : " + type + "\n}\n";
      };
      auto wanted = read(program("[" + list + "]"));
      ASSERT_TRUE(wanted);
      std::string text;
      llvm::raw_string_ostream os(text);
      stablehlo::print(*wanted, os);
      EXPECT_EQ(text.find("\"0x"), std::string::npos);
      EXPECT_TRUE(mlir::parseSourceString<mlir::ModuleOp>(text, &context));
      for (bool bits : {false, true}) {
        auto module = read(program("\"0x" + hex(elements, bits) + "\""));
        ASSERT_TRUE(module);
        std::string again;
        llvm::raw_string_ostream osAgain(again);
        stablehlo::print(*module, osAgain);
        EXPECT_EQ(again, text) << n << " elements";
      }
    }
  }
}

TEST_F(BoolPrograms, PlacesStayRight) {
  std::string said;
  llvm::raw_string_ostream os(said);
  SourceBuffer source(
      "t.mlir",
      "func.func @f() -> tensor<9xi1> {\n"
      "  %0 = stablehlo.constant dense<\"0x010100010101010101\"> : "
      "tensor<9xi1> "
      "%1 = stablehlo.nott %0 : tensor<9xi1>\n  return %1 : tensor<9xi1>\n}\n");
  DiagnosticEngine diagnostics(os);
  EXPECT_FALSE(parseStablehlo(source, context, diagnostics));
  EXPECT_EQ(said.find("t.mlir:2:77: error: custom op 'stablehlo.nott'"), 0u)
      << said;
}

TEST(BoolElements, LinearTime) {
  std::string text = "!a = tensor<4000000xi1>\ndense<\"0x" +
                     std::string(8000000, '1') + "\"> : !a\n";
  for (int i = 0; i < 20000; ++i)
    text += "!b" + std::to_string(i) +
            " = tensor<2xi1>\ndense<\"0x0001\"> : !b" + std::to_string(i) +
            "\n";
  auto begin = std::chrono::steady_clock::now();
  std::optional<std::string> out = packBoolElements(text);
  ASSERT_TRUE(out);
  EXPECT_EQ(listBoolElements(*out).find("\"0x"), std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

} // namespace
