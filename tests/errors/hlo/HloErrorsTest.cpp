// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// HLO text that must be refused: the message and its place. Errors of shapes
/// are in tests/frontends/hlo/ShapeInferenceTest.cpp, of constants in
/// LiteralTest.cpp.

#include "mercator/frontends/hlo/Parser.h"
#include "mercator/support/Diagnostic.h"

#include "llvm/ADT/SmallVector.h"

#include <gtest/gtest.h>

#include <string>

using namespace mercator;
using llvm::StringRef;

/// The diagnostics of `text`, which must be refused.
static std::string refuse(const std::string &text) {
  std::string said;
  llvm::raw_string_ostream os(said);
  SourceBuffer buffer("t.hlo", text);
  DiagnosticEngine diagnostics(os);
  EXPECT_EQ(hlo::parse(buffer, diagnostics), nullptr) << text;
  EXPECT_TRUE(diagnostics.hasErrors()) << text;
  return said;
}

/// Its messages, without the source lines and the file's name.
static std::string messages(const std::string &text) {
  llvm::SmallVector<StringRef> lines;
  std::string said = refuse(text), out;
  StringRef(said).split(lines, '\n');
  for (StringRef line : lines)
    if (line.consume_front("t.hlo:") || line.starts_with("help: "))
      out += (out.empty() ? "" : "\n") + line.str();
  return out;
}

struct Row {
  const char *text;
  const char *said;
};

static void check(llvm::ArrayRef<Row> rows) {
  for (const Row &row : rows)
    EXPECT_EQ(messages(row.text), row.said) << row.text;
}

TEST(HloErrors, TheWholePicture) {
  EXPECT_EQ(refuse("ENTRY e {\n  x = f32[4] parameter(0)\n"
                   "  ROOT r = f32[4] multipy(x, x)\n}\n"),
            "t.hlo:3:19: error: unknown opcode 'multipy'\n"
            "    ROOT r = f32[4] multipy(x, x)\n"
            "                    ^~~~~~~\n"
            "help: write 'multiply'\n");
}

TEST(HloErrors, Opcodes) {
  check({
      {"x = f32[4] parameter(0)\nr = f32[4] frobnicate(x)\n",
       "2:12: error: unknown opcode 'frobnicate'"},
      {"x = f32[4] parameter(0)\nr = f32[4] exp(x)\n",
       "2:12: error: unknown opcode 'exp'\nhelp: write 'exponential'"},
      {"x = f32[4] parameter(0)\nr = pred[4] lt(x, x)\n",
       "2:13: error: unknown opcode 'lt'\nhelp: write 'compare'"},
      {"x = f32[4] parameter(0)\ny = f32[4] negate(x, x)\n",
       "2:12: error: expected 1 operand for 'negate', got 2"},
      {"x = f32[4] parameter(0)\ny = f32[4] add(x)\n",
       "2:12: error: expected 2 operands for 'add', got 1"},
      {"x = f32[4] parameter(0)\ny = f32[4] reduce(x), dimensions={0}, "
       "to_apply=max\n",
       "2:12: error: expected at least 2 operands for 'reduce', got 1"},
      {"x = f32[4] parameter(0)\ny = f32[4] transpose(x)\n",
       "2:12: error: 'transpose' needs the attribute 'dimensions'"},
      {"x = f32[4] parameter(0)\ny = f32[4] {0} negate(x) z\n",
       "2:27: error: expected '=' after the name of an instruction, got the "
       "end of the "
       "text"},
      {"x = f32[4] parameter(0)\ny = f32[4] negate x\n",
       "2:19: error: expected '(' after the opcode, got 'x'"},
      {"x = f32[4] parameter(0)\ny = f32[4] add(x x)\n",
       "2:18: error: expected ',' between operands, got 'x'\n"
       "2:15: note: the operands begin here"},
  });
}

TEST(HloErrors, Attributes) {
  check({
      {"x = f32[4] parameter(0)\nr = f32[4] reverse(x), dimension={0}\n",
       "2:24: error: unknown attribute 'dimension' of 'reverse'\n"
       "help: write 'dimensions='"},
      {"x = f32[4] parameter(0)\nr = f32[4] negate(x), dimensions={0}\n",
       "2:23: error: attribute 'dimensions' does not belong to 'negate'"},
      {"x = f32[4] parameter(0)\nr = reverse(x), dimensions={0}, "
       "dimensions={0}\n",
       "2:33: error: attribute 'dimensions' is written twice"},
      {"x = f32[4] parameter(0)\nr = reverse(x) dimensions={0}\n",
       "2:16: error: expected ',' before attribute 'dimensions'"},
      {"x = f32[4] parameter(0)\nr = reverse(x), dimensions={0;1}\n",
       "2:30: error: unexpected character"},
      {"x = f32[4] parameter(0)\nr = reverse(x), dimensions=0\n",
       "2:28: error: expected '{' before a list of integers, got '0'"},
      {"x = f32[4] parameter(0)\nr = reverse(x), "
       "dimensions={99999999999999999999}\n",
       "2:29: error: 99999999999999999999 does not fit 64 bits"},
      {"HloModule m, is_schedule=true\nENTRY e { x = f32[] parameter(0) }\n",
       "1:14: error: unknown attribute 'is_schedule' of 'HloModule'\n"
       "help: write 'is_scheduled='"},
      {"x = f32[4] parameter(0)\ny = pred[4] compare(x, x), direction=lt\n",
       "2:38: error: expected one of EQ, NE, GE, GT, LE, LT, got 'lt'\n"
       "help: write 'direction=LT'"},
      {"x = f32[4] parameter(0)\ny = f32[4] fusion(x), kind=kLop, calls=f\n",
       "2:28: error: expected one of kLoop, kInput, kOutput, kCustom, got "
       "'kLop'\n"
       "help: write 'kind=kLoop'"},
      {"x = f32[4] parameter(0), sharding={replicated\n",
       "1:35: error: this bracket is never closed"},
      {"x = f32[4] parameter(0), sharding={replicated)\n",
       "1:46: error: this bracket has no matching opening bracket"},
      {"x = f32[4] parameter(0), metadata={op_name=\"a\\qb\"}\n",
       "1:46: error: unknown escape in a string"},
      {"x = f32[4] parameter(0), metadata={op_name=abc}\n",
       "1:44: error: expected a string in quotes, got 'abc'"},
  });
}

TEST(HloErrors, WindowsLabelsSlicesPadding) {
  const std::string operands =
      "x = f32[4,4] parameter(0)\nz = f32[] constant(0)\n";
  const Row rows[] = {
      {"y = f32[4,4] reduce-window(x, z), window={sise=1}, to_apply=max",
       "3:43: error: unknown key 'sise' of a window\n"
       "help: the keys are size, stride, pad, lhs_dilate, rhs_dilate, "
       "rhs_reversal"},
      {"y = f32[4,4] reduce-window(x, z), window={size=1x1 stride=1}, "
       "to_apply=max",
       "3:59: error: expected 2 values for 'stride', one for each dimension, got 1"},
      {"y = f32[4,4] reduce-window(x, z), window={size=1x1 pad=1x1}, "
       "to_apply=max",
       "3:56: error: expected a value such as '1_1x0_0' for 'pad'"},
      {"y = f32[4,4] reduce-window(x, z), window={size=1x1 size=1x1}, "
       "to_apply=max",
       "3:52: error: 'size' is written twice"},
      {"y = f32[4,4] convolution(x, x), window={size=}, dim_labels=bf_io->bf",
       "3:46: error: expected a value such as '3x3' for 'size'"},
      {"y = f32[4,4] convolution(x, x), dim_labels=bf_io->bb",
       "3:44: error: expected dimension labels, each letter and digit once on "
       "each side, "
       "got 'bf_io->bb'\nhelp: write for example 'dim_labels=b01f_01io->b01f'"},
      {"y = f32[4,4] convolution(x, x), dim_labels=b0f_0io->bf",
       "3:44: error: expected dimension labels, each letter and digit once on "
       "each side, "
       "got 'b0f_0io->bf'\nhelp: write for example "
       "'dim_labels=b01f_01io->b01f'"},
      {"y = f32[6,6] pad(x, z), padding=1x1",
       "3:33: error: expected padding as low_high or low_high_interior of each "
       "dimension, "
       "got '1x1'\nhelp: write for example 'padding=1_4_1x4_8'"},
      {"y = f32[2,4] slice(x), slice={0:2}",
       "3:31: error: expected '[' before a slice, got '0'"},
      {"y = f32[2,4] slice(x), slice={[0]}",
       "3:33: error: expected ':' after the start of a slice, got ']'"},
  };
  for (const Row &row : rows)
    EXPECT_EQ(messages(operands + row.text + "\n"), row.said) << row.text;
}

TEST(HloErrors, Names) {
  check({
      {"ENTRY e {\n  input = f32[4] parameter(0)\n  ROOT r = f32[4] "
       "negate(inpt)\n}\n",
       "3:26: error: no instruction is called 'inpt' in computation 'e'\n"
       "help: write 'input'"},
      {"ENTRY e {\n  a = negate(b)\n  ROOT b = f32[4] parameter(0)\n}\n",
       "2:14: error: instruction 'b' is used before its definition\n"
       "3:8: note: it is defined here"},
      {"x = f32[4] parameter(0)\ny = f32[4] add(x, y)\n",
       "2:19: error: instruction 'y' uses itself"},
      {"x = f32[4] parameter(0)\ny = f32[4] add(x, negate(y))\n",
       "2:26: error: instruction 'y' uses itself"},
      {"x = f32[4] parameter(0)\nx = negate(x)\n",
       "2:1: error: instruction 'x' is defined twice\n1:1: note: the first is "
       "here"},
      {"f32 = f32[4] parameter(0)\n", "1:1: error: 'f32' is the name of a type "
                                      "and cannot be that of an instruction"},
      {"x = f32[4] parameter(0)\ny = f32[4] negate(f32[5] x)\n",
       "2:19: error: operand 'x' is written as 'f32[5]' but has shape "
       "'f32[4]'\n"
       "1:1: note: it is defined here"},
      {"x = (f32[4], f32[5]) parameter(0)\n"
       "y = f32[4] get-tuple-element(x), index=2147483648\n",
       "2:40: error: index 2147483648 is out of range for a tuple of 2"},
      {"x = (f32[4], f32[5]) parameter(0)\ny = f32[4] negate(x#2147483648)\n",
       "2:21: error: index 2147483648 is out of range for a tuple of 2"},
  });
}

TEST(HloErrors, Computations) {
  check({
      {"f { x = f32[4] parameter(0) }\nf { x = f32[4] parameter(0) }\n",
       "2:1: error: computation 'f' is defined twice\n1:1: note: the first is "
       "here"},
      {"f {\n  x = f32[4] parameter(0)\n  ROOT r = f32[4] call(x), "
       "to_apply=f\n}\n",
       "3:37: error: computation 'f' calls itself"},
      {"f {\n  x = f32[4] parameter(0)\n  ROOT r = f32[4] call(x), "
       "to_apply=g\n}\n"
       "g {\n  x = f32[4] parameter(0)\n  ROOT r = f32[4] call(x), "
       "to_apply=f\n}\n",
       "3:37: error: computation 'g' is used before its definition\n"
       "5:1: note: it is defined here; a computation comes before those that "
       "call it"},
      {"x = f32[4] parameter(0)\nz = f32[] constant(0)\n"
       "r = f32[] reduce(x, z), dimensions={0}, to_apply=norm\n",
       "3:50: error: no computation is called 'norm'\n"
       "help: write 'to_apply=maximum', or minimum, add, multiply, and, or, "
       "xor"},
      {"reducer { a = f32[] parameter(0)\n b = f32[] parameter(1)\n c = add(a, "
       "b) }\n"
       "x = f32[4] parameter(0)\nz = f32[] constant(0)\n"
       "r = f32[] reduce(x, z), dimensions={0}, to_apply=reducr\n",
       "6:50: error: no computation is called 'reducr'\nhelp: write 'reducer'"},
      {"x = f32[4] parameter(0)\nr = f32[4] call(x), to_apply=max\n",
       "2:30: error: no computation is called 'max'"},
      {"ENTRY e {\n}\n", "1:7: error: computation 'e' has no instructions"},
      {"ENTRY e {\n  ROOT x = f32[4] parameter(0)\n  ROOT y = negate(x)\n}\n",
       "3:3: error: computation 'e' has a second ROOT\n2:8: note: the first is "
       "here"},
      {"ENTRY a { x = f32[] parameter(0) }\nENTRY b { x = f32[] parameter(0) "
       "}\n",
       "2:7: error: a module has one ENTRY, this is the second\n"
       "1:7: note: the first is here"},
      {"f (a: f32[]) -> f32[2] {\n  a = f32[] parameter(0)\n}\n",
       "1:1: error: the result of 'f' is 'f32[2]' in the signature, 'f32[]' in "
       "the "
       "body\n2:3: note: the root is here"},
      {"HloModule m, entry_computation_layout={(f32[2])->f32[]}\n"
       "ENTRY e {\n  a = f32[] parameter(0)\n}\n",
       "1:14: error: parameter 0 is 'f32[2]' in the layout, 'f32[]' in the "
       "entry "
       "computation\n2:7: note: the entry computation is here"},
      {"HloModule a\nENTRY a { x = f32[] parameter(0) }\nHloModule b\n",
       "3:1: error: expected one module, a second begins here"},
      {"x = f32[] parameter(0)\n}\n",
       "2:1: error: this '}' has no matching '{'"},
  });
}

TEST(HloErrors, Parameters) {
  check({
      {"x = f32[4] parameter(1)\n",
       "1:1: error: expected a parameter number below 1, "
       "the number of parameters, got 1"},
      {"x = f32[4] parameter(0)\ny = f32[] parameter(0)\n",
       "2:1: error: parameter 0 is defined twice\n1:1: note: the first is "
       "here"},
      {"x = f32[4] parameter(-1)\n",
       "1:22: error: expected a parameter number of 0 or more, got -1"},
      {"x = parameter(0)\n",
       "1:5: error: the shape of a parameter must be written\n"
       "help: write for example 'x = f32[] parameter(0)'"},
      {"x = constant(1)\n",
       "1:5: error: the shape of a constant must be written\n"
       "help: write for example 'x = f32[] constant(0)'"},
  });
}

TEST(HloErrors, Shapes) {
  check({
      {"x = f33[4] parameter(0)\n",
       "1:5: error: unknown element type 'f33'\nhelp: write 'f32'"},
      {"x = i32[4] parameter(0)\n",
       "1:5: error: unknown element type 'i32'\nhelp: write 's32'"},
      {"x = f32[4000000000,4000000000] parameter(0)\n",
       "1:5: error: the number of elements of this shape does not fit 64 bits"},
      {"x = f32[99999999999999999999] parameter(0)\n",
       "1:9: error: 99999999999999999999 does not fit 64 bits"},
      {"x = f32[-1] parameter(0)\n",
       "1:9: error: expected a dimension of 0 or more, got -1"},
      {"x = f32[4,5]{1,1} parameter(0)\n",
       "1:16: error: expected a layout that is a permutation of the 2 "
       "dimensions, got 1 "
       "twice"},
      {"x = f32[4,5]{2,0} parameter(0)\n",
       "1:14: error: expected a layout that is a permutation of the 2 "
       "dimensions, got 2"},
      {"x = f32[4,5]{1} parameter(0)\n",
       "1:13: error: expected a layout of 2 dimensions, got 1"},
      {"x = f32[4]{0:Q(1)} parameter(0)\n",
       "1:14: error: expected a layout property: T, E, S, L, M, D, SC, P, '#' "
       "or '*', got "
       "'Q'"},
      {"x = f32 parameter(0)\n",
       "1:9: error: expected '[' after the element type, got 'parameter'"},
  });
}

TEST(HloErrors, TextsThatEndEarly) {
  check({
      {"", "1:1: error: expected HLO or StableHLO text, got nothing"},
      {"\n// nothing\n",
       "1:1: error: expected HLO or StableHLO text, got nothing"},
      {"HloModule",
       "1:10: error: expected the module's name, got the end of the text"},
      {"HloModule m\n",
       "1:12: error: expected a computation, got the end of the text"},
      {"HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n  y = f32[4] add(x,",
       "4:20: error: expected an operand, got the end of the text"},
      {"HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n",
       "3:26: error: expected '}' after the instructions of 'e', got the end "
       "of the "
       "text\n2:9: note: they begin here"},
      {"x = f32[4",
       "1:10: error: expected ',' between dimensions, got the end of the text"},
      {"x = f32[4] parameter(0), metadata={op_name=\"abc}\n",
       "1:44: error: this string is never closed"},
      {"x = f32[4] parameter(0) /* abc\n",
       "1:25: error: this comment is never closed"},
  });
  // Every prefix of a valid text is either valid or refused with a place.
  const std::string whole =
      "HloModule m, entry_computation_layout={(f32[4]{0})->f32[]}\nmax {\n"
      "  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
      "  ROOT m = f32[] maximum(a, b), metadata={op_name=\"x\" "
      "source_line=3}\n}\n"
      "ENTRY e (p: f32[4]) -> f32[] {\n  %p = f32[4]{0} parameter(0)\n"
      "  z = f32[] constant(-inf)\n  /* c */ ROOT r = f32[] reduce(f32[4] %p, "
      "z), "
      "dimensions={0}, to_apply=max, sharding={devices=[2]<=[2]}\n}\n";
  for (size_t length = 0; length < whole.size(); ++length) {
    std::string said;
    llvm::raw_string_ostream os(said);
    SourceBuffer buffer("t.hlo", whole.substr(0, length));
    DiagnosticEngine diagnostics(os);
    bool good = hlo::parse(buffer, diagnostics) != nullptr;
    EXPECT_EQ(good, !diagnostics.hasErrors()) << whole.substr(0, length);
    if (!good)
      EXPECT_EQ(said.substr(0, 6), "t.hlo:") << whole.substr(0, length);
  }
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

static std::string repeat(StringRef text, unsigned count) {
  std::string out;
  for (unsigned i = 0; i < count; ++i)
    out += text;
  return out;
}

TEST(HloErrors, ThingsNestedTooDeeply) {
  const unsigned deep = 100000;
  const std::pair<std::string, const char *> rows[] = {
      {"x = " + repeat("(", deep),
       "1:261: error: shapes are nested more than 256 deep"},
      {"x = " + repeat("b(", deep),
       "1:517: error: shapes are nested more than 256 deep"},
      {"x = f32[] parameter(0)\ny = f32[] " + repeat("negate(", deep),
       "2:1810: error: operands are nested more than 256 deep"},
      {"x = f32[2] constant(" + repeat("{", deep),
       "1:22: error: expected a number for 'f32', got '{'"},
      {"x = f32[] parameter(0), sharding=" + repeat("{", deep),
       "1:290: error: brackets are nested too deeply"},
      {"x = f32[]{:" + repeat("P(f32[]{:", deep),
       "1:2309: error: shapes are nested more than 256 deep"},
      {"ENTRY e { x = f32[] parameter(0)\n y = f32[] " +
           repeat("call(x), to_apply={ x = f32[] parameter(0) y = f32[] ",
                  deep),
       "2:1673: error: computations are nested more than 31 deep"},
  };
  for (auto &[text, said] : rows) {
    std::string all = messages(text);
    EXPECT_EQ(all.substr(0, all.find('\n')), said) << text.substr(0, 60);
  }
}

TEST(HloErrors, ThingsTooLarge) {
  // 10^18 elements are a shape; 10^18 squared are not.
  SourceBuffer big("t.hlo", "x = f32[1000000000000000000] parameter(0)\n");
  DiagnosticEngine quiet(llvm::nulls());
  EXPECT_NE(hlo::parse(big, quiet), nullptr);
  EXPECT_EQ(
      messages(
          "x = f32[1000000000000000000,1000000000000000000] parameter(0)\n"),
      "1:5: error: the number of elements of this shape does not fit 64 bits");
  EXPECT_EQ(messages("x = f32[" + repeat("1,", 100) + "1] parameter(0)\n"),
            "1:137: error: a shape has at most 64 dimensions");
  EXPECT_EQ(
      messages("x = (" + repeat("f32[],", 70000) + "f32[]) parameter(0)\n"),
      "1:5: error: this tuple has more than 65536 members, nested ones "
      "counted");
  // Doubling a tuple 40 times would make 2^40 members.
  std::string text = "t0 = f32[] parameter(0)\n";
  for (int i = 1; i <= 40; ++i)
    text += "t" + std::to_string(i) + " = tuple(t" + std::to_string(i - 1) +
            ", t" + std::to_string(i - 1) + ")\n";
  EXPECT_EQ(messages(text),
            "17:7: error: a tuple has at most 65536 members, nested ones "
            "counted, and 256 levels");
  text = "t0 = f32[] parameter(0)\n";
  for (int i = 1; i <= 10000; ++i)
    text +=
        "t" + std::to_string(i) + " = tuple(t" + std::to_string(i - 1) + ")\n";
  EXPECT_EQ(messages(text),
            "257:8: error: a tuple has at most 65536 members, nested ones "
            "counted, and 256 levels");
}

//===----------------------------------------------------------------------===//
// Several errors
//===----------------------------------------------------------------------===//

TEST(HloErrors, EachFaultIsReportedOnce) {
  // b, d and the call of f follow from errors and are not reported.
  EXPECT_EQ(
      messages(
          "f {\n  x = f32[4] parameter(0)\n  a = f32[4] foo(x)\n"
          "  b = f32[4] add(a, x)\n  c = f32[5] negate(x)\n"
          "  ROOT d = f32[4] add(b, c),\n    metadata={op_name=\"x\"}, bar=1\n"
          "}\nENTRY g {\n  x = f32[4] parameter(0)\n"
          "  y = f32[4] call(x), to_apply=f\n  z = f32[4] baz(y)\n}\n"),
      "3:14: error: unknown opcode 'foo'\n"
      "5:7: error: expected shape 'f32[4]' for 'negate', got 'f32[5]'\n"
      "7:29: error: unknown attribute 'bar' of 'add'\n"
      "12:14: error: unknown opcode 'baz'");
}

TEST(HloErrors, LinesThatContinueAFaultAreSkipped) {
  EXPECT_EQ(messages("x = f32[4] parameter(0)\ny = f32[4] foo(x),\n"
                     "  dimensions={0},\nto_apply=max\nz=f32[4] bar(x)\n"),
            "2:12: error: unknown opcode 'foo'\n"
            "5:10: error: unknown opcode 'bar'");
}

TEST(HloErrors, AFaultInAHeaderHidesNothing) {
  EXPECT_EQ(messages("HloModule m, what=1\nENTRY e {\n  x = f32[] foo()\n}\n"),
            "1:14: error: unknown attribute 'what' of 'HloModule'\n"
            "3:13: error: unknown opcode 'foo'");
}

TEST(HloErrors, AFaultInAnInnerComputation) {
  EXPECT_EQ(
      messages("ENTRY e {\n  x = f32[4] parameter(0)\n  z = f32[] constant(0)\n"
               "  r = f32[] reduce(x, z), dimensions={0}, to_apply={\n"
               "    a = f32[] parameter(0)\n    ROOT b = f32[] foo(a)\n  }\n"
               "  ROOT s = f32[] bar(r)\n}\n"),
      "6:20: error: unknown opcode 'foo'\n8:18: error: unknown opcode 'bar'");
}

TEST(HloErrors, ManyFaultsAreCutOff) {
  std::string text = "ENTRY e {\n  x = f32[] parameter(0)\n";
  for (int i = 0; i < 20000; ++i)
    text += "  y" + std::to_string(i) + " = f32[] foo(x)\n";
  std::string said = refuse(text + "}\n");
  EXPECT_LT(said.size(), 4000u);
  EXPECT_EQ(llvm::count(said, '^'), 20);
}

TEST(HloErrors, StackTables) {
  check({
      {"HloModule m\nFileNames\n1 \"a\"\nFunctionNames\n1 "
       "\"f\"\nFileLocations\n"
       "1 {file=1}\n",
       "7:4: error: expected a key of this table, got 'file'"},
      {"HloModule m\nFileNames\n1 \"a\"\nFunctionNames\n1 "
       "\"f\"\nFileLocations\n"
       "1 {file_name_id=1}\nStackFrames\n1 {file_location_id=1 "
       "parent_frame_id=3}\n"
       "ENTRY e { x = f32[] parameter(0) }\n",
       "9:1: error: expected the parent of stack frame 1 to be an earlier one"},
      {"HloModule m\nFileNames\n1 \"a\"\nENTRY e { x = f32[] parameter(0) }\n",
       "4:1: error: expected 'FunctionNames', got 'ENTRY'"},
  });
}
