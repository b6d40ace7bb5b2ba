// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/stablehlo/Limits.h"

#include "gtest/gtest.h"

using namespace mercator;
using namespace mercator::stablehlo;

namespace {

/// The diagnostics of a text, without the source line; empty if it keeps the
/// limits.
std::string refusal(const std::string &text) {
  std::string out;
  llvm::raw_string_ostream os(out);
  SourceBuffer source("t.mlir", text);
  DiagnosticEngine diagnostics(os);
  bool failed = llvm::failed(checkLimits(source, diagnostics));
  EXPECT_EQ(failed, diagnostics.hasErrors());
  return out.substr(0, out.find('\n'));
}

std::string times(size_t n, llvm::StringRef text) {
  std::string out;
  for (size_t i = 0; i < n; ++i)
    out += text;
  return out;
}

const std::string kLevels =
    "error: expected at most 256 levels of nesting, got more";

TEST(Limits, EveryBracketIsALevel) {
  for (llvm::StringRef bracket : {"(", "[", "{", "<"}) {
    EXPECT_EQ(refusal(times(256, bracket)), "");
    EXPECT_EQ(refusal(times(257, bracket)), "t.mlir:1:257: " + kLevels);
  }
  EXPECT_EQ(refusal(times(300, "tuple<(") + times(300, ")>")),
            "t.mlir:1:902: " + kLevels);
  // Adjacent brackets are no nesting.
  EXPECT_EQ(refusal(times(1000, "tuple<()> [{}] ")), "");
}

TEST(Limits, NestingOfAMillion) {
  for (llvm::StringRef open :
       {"tuple<", "(", "[", "{a=", "\"scf.execute_region\"() ({\n",
        "callsite(\"a\" at ", "fused["})
    EXPECT_NE(refusal(times(1000000, open)), "") << open.str();
}

TEST(Limits, StringsAndCommentsAreNoBrackets) {
  std::string many = times(300, "(");
  EXPECT_EQ(refusal("\"" + many + "\""), "");
  EXPECT_EQ(refusal("\"\\\"" + many + "\""), "");
  EXPECT_EQ(refusal("// " + many), "");
  EXPECT_EQ(refusal("// \" \n" + many), "t.mlir:2:257: " + kLevels);
  EXPECT_EQ(refusal("\"\\\\\"" + many), "t.mlir:1:261: " + kLevels);
  // A string ends with its line at the latest.
  EXPECT_EQ(refusal("\"\n" + many), "t.mlir:2:257: " + kLevels);
}

TEST(Limits, ComparisonsAndArrowsAreNoBrackets) {
  EXPECT_EQ(refusal(times(300, "(d0 <= 3, d0 >= 3) -> () ")), "");
  EXPECT_EQ(refusal(times(300, "affine_set<(d0) : (d0 >= 0)> ")), "");
  // Strings cannot hide brackets either.
  EXPECT_NE(refusal(times(300, "( >= ")), "");
  EXPECT_NE(refusal(times(300, "( -> ")), "");
}

TEST(Limits, ANameIsAsDeepAsItsDefinition) {
  for (auto [sigil, open, close] :
       {std::tuple("!", "tuple<", ">"), {"#", "[", "]"}, {"#", "loc(", ")"}}) {
    std::string text;
    for (int i = 1; i <= 300; ++i)
      text += std::string(sigil) + "a" + std::to_string(i) + " = " + open +
              sigil + "a" + std::to_string(i - 1) + close + "\n";
    EXPECT_NE(refusal(text).find(":257:"), std::string::npos) << refusal(text);
  }
  // Text after a definition does not belong to it.
  EXPECT_EQ(refusal("!a = tuple<i32>\nmodule {" + times(200, "(") +
                    times(200, ")") + "}\nmodule {" + times(200, "(") + "!a" +
                    times(200, ")") + "}"),
            "");
  EXPECT_EQ(refusal("!a = " + times(200, "(") + times(200, ")") + "\nmodule {" +
                    times(200, "[") + "!a"),
            "t.mlir:2:209: " + kLevels);
}

TEST(Limits, ADefinitionMayGoOnInTheNextLine) {
  std::string deep = "!a = " + times(200, "(") + times(200, ")");
  for (llvm::StringRef definition :
       {"\n#b = 1 :\n !a\n", "\n#b = 1\n : !a\n", "\n#b =\n !a\n",
        "\n!b = () ->\n !a\n", "\n!b = ()\n -> !a\n", "\n#b = [\n!a\n]\n",
        "\n!b = tuple\n<!a>\n", "\n#b\n=\n!a\n"})
    EXPECT_NE(refusal(deep + definition.str() + "module {" + times(100, "[") +
                      (definition.contains("!b") ? "!b" : "#b")),
              "")
        << definition.str();
}

TEST(Limits, ThePartsOfANameAreLimited) {
  std::string text;
  for (int i = 1; i <= 40; ++i)
    text += "!a" + std::to_string(i) + " = tuple<!a" + std::to_string(i - 1) +
            ", !a" + std::to_string(i - 1) + ">\n";
  EXPECT_EQ(refusal(text), "t.mlir:21:20: error: expected a name for at most "
                           "1048576 parts, got more");
  text = text.substr(0, text.find("!a20 ="));
  EXPECT_EQ(refusal(text), "");
  EXPECT_EQ(refusal(text + "module {" + times(60, "!a19 ") + "}"), "");
  EXPECT_NE(refusal(text + "module {" + times(200, "!a19 ") + "}"), "");
}

TEST(Limits, Operators) {
  for (llvm::StringRef op : {"- ", "+ d0 ", "* 2", " mod 7", " floordiv 2"}) {
    std::string map = "affine_map<(d0) -> (d0";
    EXPECT_EQ(refusal(map + times(4096, op) + ")>" + times(4096, op)), "");
    EXPECT_NE(refusal(map + times(4097, op) + ")>").find("4096 operators"),
              std::string::npos);
  }
  EXPECT_EQ(refusal("dense<[" + times(5000, "-1, ") + "]>"), "");
}

TEST(Limits, Elements) {
  const char *most = "error: expected a shape of at most 72057594037927936 "
                     "elements, got more";
  EXPECT_EQ(refusal("tensor<9223372036854775807x9223372036854775807xf32>"),
            std::string("t.mlir:1:8: ") + most);
  for (llvm::StringRef large :
       {"tensor<99999999999999999999xf32>", "vector<268435456x268435457xi8>",
        "memref<4294967296x?x4294967296xf32>",
        "tensor< 4294967296 x\n4294967296 x f32>",
        "tensor // <\n"
        "<4294967296x4294967296xf32>",
        "tensor<4294967296x0x4294967296xf32>"})
    EXPECT_NE(refusal(large.str()).find(most), std::string::npos)
        << large.str();
  for (llvm::StringRef fine :
       {"tensor<268435456x268435456xi8>", "tensor<0x9007199254740992xi8>",
        "tensor<?x?x0xf32>", "tensor<f32>", "tensor<*xf32>",
        "99999999999999999999"})
    EXPECT_EQ(refusal(fine.str()), "") << fine.str();
}

TEST(Limits, NumbersOfResults) {
  EXPECT_EQ(refusal("%0#2147483648"),
            "t.mlir:1:4: error: expected the number of a result, at most "
            "1048576, got '2147483648'");
  for (llvm::StringRef large :
       {"%0#99999999999999999999", "%a.b-c$d #1048576", "%x // a\n#4000000000",
        "%0:4000000000 = \"f\"()", "%0 : 1048577 = \"f\"()"})
    EXPECT_NE(refusal(large.str()).find("the number of a result"),
              std::string::npos)
        << large.str();
  for (llvm::StringRef fine :
       {"%0#1048575", "%0:1048576 = \"f\"()", "%0 : tensor<99xi1>",
        "\"%0#4000000000\"", "// %0#4000000000", "%0, #a", "%4000000000"})
    EXPECT_EQ(refusal(fine.str()), "") << fine.str();
  // A text may number as many results as it has bytes.
  EXPECT_EQ(refusal("%0#2000000 " + times(3000000, " ")), "");
}

TEST(Limits, NumbersOfResultsTogether) {
  std::string many;
  for (int i = 0; i < 100; ++i)
    many += "%a" + std::to_string(i) + "#100000\n";
  EXPECT_EQ(refusal(many), "t.mlir:11:6: error: expected numbers of at most "
                           "1048576 results together, got more");
  // One name at one level is one value; nested operations may reuse it.
  EXPECT_EQ(refusal(times(1000, "%a#100000 ")), "");
  EXPECT_NE(refusal(times(200, "{ %a#100000 ")), "");
}

TEST(Limits, BitsOfIntegers) {
  for (llvm::StringRef large : {"i4097", "si16777215", "ui99999999999999999999",
                                "tensor<4xi16777215>", "1 : i16777215"})
    EXPECT_NE(refusal(large.str())
                  .find("expected an integer type of at most 4096 "
                        "bits, got '"),
              std::string::npos)
        << large.str();
  for (llvm::StringRef fine :
       {"i4096", "tensor<99999xi8>", "@i16777215", "%i16777215", "#i16777215",
        "!i16777215", "^i16777215", "{i16777215 = 1}", "\"i16777215\"",
        "a.i16777215", "i16777215x", "f16777215"})
    EXPECT_EQ(refusal(fine.str()), "") << fine.str();
}

} // namespace
