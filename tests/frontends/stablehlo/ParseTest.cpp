// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/stablehlo/Parse.h"
#include "mercator/dialects/Register.h"
#include "mercator/frontends/stablehlo/Binary.h"

#include "gtest/gtest.h"

using namespace mercator;
using namespace mercator::stablehlo;

namespace {

/// The diagnostics of a refused text; "module" for any other text.
std::string said(std::string text) {
  std::string out;
  llvm::raw_string_ostream os(out);
  SourceBuffer source("t.mlir", std::move(text));
  DiagnosticEngine diagnostics(os);
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = parseStablehlo(source, context, diagnostics);
  EXPECT_EQ(!module, diagnostics.hasErrors());
  EXPECT_TRUE(context.shouldPrintOpOnDiagnostic());
  return module ? "module" : out;
}

TEST(ParseStablehlo, Text) {
  EXPECT_EQ(said("func.func @f(%x: tensor<4xf32>) { return }"), "module");
  EXPECT_EQ(said("func.func @f() {\n"
                 "  %0 = stablehlo.constant dense_resource<__elided__> : "
                 "tensor<4xf32>\n"
                 "  return\n}"),
            "module");
}

TEST(ParseStablehlo, MlirDiagnosticsBecomeOurs) {
  EXPECT_EQ(said("func.func @f(%x: tensor<4xf32>) {\n"
                 "  %0 = stablehlo.erf %x : tensor<4xf32>\n"
                 "  return\n}"),
            "t.mlir:2:8: error: custom op 'stablehlo.erf' is unknown\n"
            "    %0 = stablehlo.erf %x : tensor<4xf32>\n"
            "         ^\n");
  // Verifiers name the operation and do not print it.
  EXPECT_EQ(said("func.func @f(%x: tensor<4xf32>) {\n"
                 "  %0:2 = chlo.top_k(%x, k = 8) : tensor<4xf32> -> "
                 "(tensor<8xf32>, tensor<8xi32>)\n"
                 "  return\n}"),
            "t.mlir:2:10: error: 'chlo.top_k' op expected operand whose last "
            "dimension has at least k = 8 elements, got 4\n"
            "    %0:2 = chlo.top_k(%x, k = 8) : tensor<4xf32> -> "
            "(tensor<8xf32>, tensor<8xi32>)\n"
            "           ^\n");
  // Including the notes.
  EXPECT_EQ(said("func.func @f(%x: f32) { return }\n"
                 "func.func @f(%x: f32) { return }\n"),
            "t.mlir:2:1: error: redefinition of symbol named 'f'\n"
            "  func.func @f(%x: f32) { return }\n"
            "  ^\n"
            "t.mlir:1:1: note: see existing symbol definition here\n"
            "  func.func @f(%x: f32) { return }\n"
            "  ^\n");
}

TEST(ParseStablehlo, Limits) {
  EXPECT_EQ(said("func.func @f() {\n  %0 = stablehlo.constant dense<1> : "
                 "tensor<9223372036854775807x9223372036854775807xi32>\n"
                 "  return\n}"),
            "t.mlir:2:45: error: expected a shape of at most "
            "72057594037927936 elements, got more\n"
            "    %0 = stablehlo.constant dense<1> : "
            "tensor<9223372036854775807x9223372036854775807xi32>\n"
            "                                              "
            "^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n");
}

// Text that crashes MLIR's own parser or printer.
TEST(ParseStablehlo, NotForMlir) {
  for (llvm::StringRef elements : {"index: 1", " // of\n index", "!i: 1"}) {
    std::string text =
        ("!i = index\nmodule attributes {a = array<" + elements + ">} {}")
            .str();
    EXPECT_NE(said(text).find("expected an array of i1, i8, .. or a float"),
              std::string::npos)
        << text;
  }
  for (llvm::StringRef text :
       {"func.func @\"\"() { return }", "module attributes {a = @\"\"} {}",
        "module attributes {a = @b::@\"\"} {}",
        "\"builtin.module\"() <{sym_name = \"\"}> ({}) : () -> ()"})
    EXPECT_NE(said(text.str()).find("expected a symbol with a name, got"),
              std::string::npos)
        << text.str();
  for (llvm::StringRef text :
       {"func.func private @f() attributes {a = array<i64: 1>, index = "
        "array<i1>}",
        "func.func private @f() attributes {a = \"\", b = @\" \"}"})
    EXPECT_EQ(said(text.str()), "module") << text.str();
}

TEST(ParseStablehlo, ProducersOfBytecode) {
  std::string version("\x0d", 1), rest("\0\1\2", 3);
  EXPECT_FALSE(bytecodeProducer("ML\xEF"));
  EXPECT_EQ(bytecodeProducer("ML\xEFR" + version + "p" + rest), "p");
  // Truncated.
  for (const std::string &bytes : {std::string("ML\xEFR"), "ML\xEFR" + version,
                                   std::string("ML\xEFR\0\0", 6)})
    EXPECT_EQ(bytecodeProducer(bytes), "");
}

/// The diagnostics of a binary file.
std::string refused(std::string bytes) {
  std::string out;
  llvm::raw_string_ostream os(out);
  SourceBuffer source("t.pb", std::move(bytes));
  DiagnosticEngine diagnostics(os);
  EXPECT_EQ(failed(refuseBinary(source, diagnostics)), diagnostics.hasErrors());
  return out;
}

TEST(ParseStablehlo, OtherBinaryFiles) {
  std::string zeros(8, '\0');
  EXPECT_EQ(refused("\x0a\x05jit_f\x12\x04main" + zeros),
            "error: expected StableHLO or HLO text, got binary data in 't.pb'\n"
            "note: XLA writes modules as text, not as .pb, with "
            "--xla_dump_hlo_as_text\n"
            "help: XLA_FLAGS='--xla_dump_to=DIR --xla_dump_hlo_as_text' python "
            "PROGRAM.py\n");
  EXPECT_EQ(refused("\x89PNG\r\n\x1a\n" + zeros),
            "error: expected StableHLO or HLO text, got binary data in "
            "'t.pb'\n");
  EXPECT_EQ(refused("module {\r\n\t}\v\f\n"), "");
  EXPECT_EQ(refused("module @\"\xC3\xA9\" {}"), "");
}

TEST(ParseStablehlo, Hints) {
  auto help = [](const std::string &text) {
    std::string all = said(text);
    size_t at = all.find("help: ");
    return at == std::string::npos ? all : all.substr(at);
  };
  EXPECT_EQ(help("func.func @f(%x: tensor<4xf32>) {\n"
                 "  %0 = stablehlo.tanhh %x : tensor<4xf32>\n  return\n}"),
            "help: did you mean `stablehlo.tanh`?\n");
  EXPECT_EQ(help("func.func @f(%x: tensor<4xf32>) {\n  %0 = "
                 "\"stablehlo.adds\"(%x) : (tensor<4xf32>) -> tensor<4xf32>\n  "
                 "return\n}"),
            "help: did you mean `stablehlo.add`?\n");
  for (auto [wrong, right] : {std::pair("2x3xfloat", "f32"),
                              {"double", "f64"},
                              {"3xpred", "i1"},
                              {"3xs64", "i64"},
                              {"c64", "complex<f32>"}})
    EXPECT_EQ(
        help(std::string("func.func @f(%x: tensor<") + wrong + ">) { return }"),
        std::string("help: did you mean `") + right + "`?\n");
  // Without a similar name there is no suggestion.
  EXPECT_EQ(help("func.func @f() {\n  stablehlo.frobnicate\n}").find("help"),
            std::string::npos);
}

TEST(ParseStablehlo, PlacesOfTheTextComeFirst) {
  // An operation's own location becomes a note.
  EXPECT_EQ(said("#loc = loc(\"f.py\":3:4)\n"
                 "func.func @f(%x: tensor<4xf32>) {\n"
                 "  %0 = stablehlo.slice %x [0:5] : (tensor<4xf32>) -> "
                 "tensor<5xf32> loc(#loc1)\n  return loc(#loc)\n}\n"
                 "#loc1 = loc(\"jit(f)/slice\"(callsite(\"g\"(#loc) at "
                 "\"main.py\":9:0)))\n"),
            "t.mlir:3:8: error: 'stablehlo.slice' op expected limit 0 "
            "within [0, 4], got 5\n"
            "    %0 = stablehlo.slice %x [0:5] : (tensor<4xf32>) -> "
            "tensor<5xf32> loc(#loc1)\n         ^\n"
            "note: written at f.py:3\n");
  // Locations with ranges, without columns, and in the same file.
  for (auto [location, note] :
       {std::pair("\"f.py\":3:4 to 5:6", "note: written at f.py:3\n"),
        {"fused<\"x\">[unknown, \"f.py\":7:1]", "note: written at f.py:7\n"},
        {"\"t.mlir\":9:9", "note: written at t.mlir:9\n"},
        {"\"name\"", "^\n"},
        {"unknown", "^\n"}}) {
    std::string all =
        said(std::string("func.func @f(%x: tensor<4xf32>) {\n  %0 = "
                         "\"stablehlo.tanh\"(%x) : (tensor<4xf32>) -> "
                         "tensor<5xf32> loc(") +
             location + ")\n  return\n}\n");
    EXPECT_EQ(all.find("t.mlir:2:8: error: "), 0u) << all;
    EXPECT_TRUE(llvm::StringRef(all).ends_with(note)) << all;
  }
}

TEST(LooksLikeStablehlo, DistinguishesHlo) {
  for (llvm::StringRef text :
       {"module {}", "builtin.module {}", "func.func @f() {}", "#loc = loc(x)",
        "!t = i32", "\"builtin.module\"() ({}) : () -> ()",
        "// a comment\n\n module @m {}", "%0 = stablehlo.add %1, %1 : f32",
        "ascend.graph @g"})
    EXPECT_TRUE(looksLikeStablehlo(text)) << text.str();
  for (llvm::StringRef text :
       {"HloModule m", "ENTRY e { ROOT p = f32[] parameter(0) }",
        "%0 = f32[4] add(%a, %b)", "p = f32[] parameter(0)", "",
        "// only a comment", "modules = f32[] parameter(0)"})
    EXPECT_FALSE(looksLikeStablehlo(text)) << text.str();
}

} // namespace
