// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HloText.h"

#include <gtest/gtest.h>

using namespace mercator;
using namespace mercator::hlo;

static std::unique_ptr<Module> parseGood(StringRef text) {
  Parsed parsed = parseText(text);
  EXPECT_TRUE(parsed.module) << text.str() << "\n" << parsed.said;
  EXPECT_EQ(parsed.said, "");
  return std::move(parsed.module);
}

//===----------------------------------------------------------------------===//
// What a module is
//===----------------------------------------------------------------------===//

TEST(HloParser, BareInstructionsAreComputationEntry) {
  auto module =
      parseGood("p0 = f32[20] parameter(0)\n"
                "bc0 = f32[10, 20, 30] broadcast(p0), dimensions={1}\n");
  ASSERT_TRUE(module);
  EXPECT_FALSE(module->hasHeader);
  ASSERT_EQ(module->computations.size(), 1u);
  const Computation &entry = module->entryComputation();
  EXPECT_EQ(entry.name, "entry");
  EXPECT_TRUE(entry.isEntry);
  ASSERT_EQ(entry.instructions.size(), 2u);
  EXPECT_EQ(entry.root, 1u); // no ROOT: the last
  EXPECT_TRUE(entry.instructions[1].isRoot);
  EXPECT_EQ(entry.parameters, (std::vector<uint32_t>{0}));
  EXPECT_EQ(entry.instructions[1].operands, (ArrayRef<uint32_t>{0}));
  EXPECT_EQ(entry.lookup("bc0"), 1u);
  EXPECT_EQ(entry.lookup("x"), kNone);
}

TEST(HloParser, TheLastComputationIsTheEntry) {
  auto module =
      parseGood("a { p = f32[] parameter(0) }\n"
                "%b (p: f32[]) -> f32[] { ROOT p = f32[] parameter(0) }\n");
  ASSERT_TRUE(module);
  EXPECT_EQ(module->entryComputation().name, "b");
  EXPECT_FALSE(module->computations[0].isEntry);
}

TEST(HloParser, EntryMarksTheEntry) {
  auto module = parseGood("HloModule m\nENTRY a { p = f32[] parameter(0) }\n"
                          "b { p = f32[] parameter(0) }\n");
  ASSERT_TRUE(module);
  EXPECT_EQ(module->name, "m");
  EXPECT_EQ(module->entryComputation().name, "a");
}

TEST(HloParser, ComputationsThenBareInstructions) {
  auto module =
      parseGood("f { p = f32[] parameter(0) }\n"
                "x = f32[] parameter(0)\ny = f32[] call(x), to_apply=f\n");
  ASSERT_TRUE(module);
  EXPECT_EQ(module->entryComputation().name, "entry");
  EXPECT_EQ(module->computations.size(), 2u);
}

TEST(HloParser, AnOperandDefinedNowhereIsAParameterOfBareText) {
  auto module = parseGood("%add = f32[4] add(f32[4] %x, f32[4] %y)\n");
  ASSERT_TRUE(module);
  const Computation &entry = module->entryComputation();
  ASSERT_EQ(entry.parameters.size(), 2u);
  EXPECT_EQ(entry.instructions[entry.parameters[1]].name, "y");
  EXPECT_EQ(entry.instructions[entry.parameters[1]].parameterNumber, 1);
  // Also without names.
  auto unnamed = parseGood("a = f32[4] add(f32[4], f32[4])");
  ASSERT_TRUE(unnamed);
  EXPECT_EQ(unnamed->entryComputation().parameters.size(), 2u);
}

TEST(HloParser, ButNotWhereParametersAreWritten) {
  Parsed parsed =
      parseText("p = f32[4] parameter(0)\na = add(f32[4] p, f32[4] q)\n");
  EXPECT_FALSE(parsed.module);
}

TEST(HloParser, ByteOrderMarkAndLineEndings) {
  EXPECT_TRUE(
      parseGood("\xef\xbb\xbfp = f32[] parameter(0)\r\nq = negate(p)\r\n"));
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

TEST(HloParser, HeaderAttributes) {
  auto module = parseGood(
      "HloModule jit_f.1, is_scheduled=true, input_output_alias={ {0}: (0, {}, "
      "may-alias) }, buffer_donor={ (0, {}) }, "
      "entry_computation_layout={(f32[4]{0})"
      "->f32[4]{0}}, alias_passthrough_params=true, replica_count=2, "
      "num_partitions=8, "
      "frontend_attributes={a=\"b\"}, "
      "allow_spmd_sharding_propagation_to_parameters="
      "{true}, allow_spmd_sharding_propagation_to_output={false,true}\n"
      "ENTRY e { ROOT p = f32[4] parameter(0) }\n");
  ASSERT_TRUE(module);
  EXPECT_EQ(module->name, "jit_f.1");
  EXPECT_EQ(module->attributes.size(), 10u);
  EXPECT_TRUE(module->hasEntryLayout);
  EXPECT_EQ(toString(*module->entryLayoutResult), "f32[4]{0}");
  EXPECT_EQ(module->attributes[1].text, "{ {0}: (0, {}, may-alias) }");
  EXPECT_EQ(module->attributes[6].integer, 8);
}

TEST(HloParser, StackTables) {
  auto module =
      parseGood("HloModule m\n\nFileNames\n1 \"a.py\"\n2 \"b.py\"\n\n"
                "FunctionNames\n1 \"main\"\n\nFileLocations\n"
                "1 {file_name_id=2 function_name_id=1 line=3 end_line=4 "
                "column=5 end_column=6}\n\nStackFrames\n"
                "1 {file_location_id=1 parent_frame_id=1}\n"
                "2 {file_location_id=1 parent_frame_id=2}\n\n"
                "ENTRY e { ROOT p = f32[] parameter(0), "
                "metadata={stack_frame_id=2} }\n");
  ASSERT_TRUE(module);
  EXPECT_EQ(module->fileNames[1], "b.py");
  EXPECT_EQ(module->functionNames[0], "main");
  EXPECT_EQ(module->fileLocations[0].fileNameId, 2);
  EXPECT_EQ(module->fileLocations[0].endColumn, 6);
  ASSERT_EQ(module->stackFrames.size(), 2u);
  EXPECT_EQ(module->stackFrames[0].parentFrameId, 0); // none
  EXPECT_EQ(module->stackFrames[1].parentFrameId, 1);
  auto again = parseGood(toString(*module));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->fileNames, module->fileNames);
  EXPECT_EQ(again->fileLocations[0].endLine, 4);
  EXPECT_EQ(again->stackFrames[0].parentFrameId, 0);
  EXPECT_EQ(again->stackFrames[1].parentFrameId, 1);
}

TEST(HloParser, NothingPointsIntoTheText) {
  std::unique_ptr<Module> module;
  {
    std::string text = "HloModule name\nENTRY e { ROOT p = f32[] parameter(0), "
                       "sharding={replicated} }\n";
    module = parseGood(text);
    std::fill(text.begin(), text.end(), '#');
  }
  ASSERT_TRUE(module);
  EXPECT_EQ(module->entryComputation().instructions[0].text(AttrName::Sharding),
            "{replicated}");
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

TEST(HloParser, BothOperandStyles) {
  auto with = parseGood("p = f32[4]{0} parameter(0)\n"
                        "q = f32[4]{0} add(f32[4]{0} %p, f32[4]{0} %p)\n");
  auto without = parseGood("%p = f32[4]{0} parameter(0)\n"
                           "%q = f32[4]{0} add(p, /*index=1*/p)\n");
  ASSERT_TRUE(with && without);
  EXPECT_EQ(toString(*with), toString(*without));
}

TEST(HloParser, NestedOperandsComeFirst) {
  auto module =
      parseGood("ENTRY e {\n  p = f32[4] parameter(0)\n"
                "  ROOT r = add(f32[4] maximum(p, negate(p)), p)\n}\n");
  ASSERT_TRUE(module);
  EXPECT_EQ(toString(*module),
            "ENTRY %e {\n"
            "  %p = f32[4] parameter(0)\n"
            "  %negate.anon = f32[4] negate(%p)\n"
            "  %maximum.anon = f32[4] maximum(%p, %negate.anon)\n"
            "  ROOT %r = f32[4] add(%maximum.anon, %p)\n"
            "}\n");
  EXPECT_TRUE(module->entryComputation().instructions[1].nested);
}

TEST(HloParser, TupleElementsAsOperands) {
  auto module = parseGood("p = (f32[4], (s32[], f32[4])) parameter(0)\n"
                          "r = add(f32[4] %p#0, %p#1#1)\ns = negate(%p#0)\n");
  ASSERT_TRUE(module);
  const Computation &entry = module->entryComputation();
  // p, p#0, p#1, p#1#1, r, s: p#0 is one instruction.
  ASSERT_EQ(entry.instructions.size(), 6u);
  EXPECT_EQ(entry.instructions[1].opcode, Opcode::GetTupleElement);
  EXPECT_EQ(entry.instructions[3].integer(AttrName::Index, -1), 1);
  EXPECT_EQ(entry.instructions[5].operands[0], 1u);
}

TEST(HloParser, ComputationsWrittenWhereTheyAreCalled) {
  auto module = parseGood(
      "ENTRY e {\n  x = f32[8] parameter(0)\n  z = f32[] constant(0)\n"
      "  r = f32[] reduce(x, z), dimensions={0}, to_apply={\n"
      "    x = f32[] parameter(0)\n    y = f32[] parameter(1)\n"
      "    ROOT z = f32[] add(x, y)\n  }\n"
      "  ROOT s = f32[8] fusion(x), kind=kLoop, calls={ p = f32[8] "
      "parameter(0) "
      "ROOT q = f32[8] call(p), to_apply={ p = f32[8] parameter(0) } }\n}\n");
  ASSERT_TRUE(module);
  ASSERT_EQ(module->computations.size(), 4u);
  const Computation &entry = module->entryComputation();
  EXPECT_EQ(entry.name, "e");
  EXPECT_EQ(entry.instructions[2].called(AttrName::ToApply)->index, 0u);
  EXPECT_EQ(entry.rootInstruction().called(AttrName::Calls)->index, 2u);
  EXPECT_EQ(module->computations[2]
                .rootInstruction()
                .called(AttrName::ToApply)
                ->index,
            1u);
}

TEST(HloParser, AsyncSugar) {
  auto module = parseGood(
      "ENTRY e {\n  x = f32[4] parameter(0)\n"
      "  s = ((f32[4]), f32[4], u32[]) custom-call-start(x), "
      "custom_call_target=\"f\", "
      "async_execution_thread=\"t\"\n"
      "  u = ((f32[4]), f32[4], u32[]) custom-call-update(s)\n"
      "  ROOT d = f32[4] custom-call-done(u)\n}, execution_thread=\"main\"\n");
  ASSERT_TRUE(module);
  const Computation &entry = module->entryComputation();
  EXPECT_EQ(entry.executionThread, "main");
  EXPECT_EQ(entry.instructions[1].opcode, Opcode::AsyncStart);
  EXPECT_EQ(entry.instructions[1].asyncWrapped, Opcode::CustomCall);
  EXPECT_EQ(entry.rootInstruction().opcode, Opcode::AsyncDone);
  // A separate opcode takes precedence over the shorthand.
  auto own = parseGood("x = f32[4] parameter(0)\n"
                       "s = (f32[4], f32[4], u32[]) copy-start(x)\n");
  ASSERT_TRUE(own);
  EXPECT_EQ(own->entryComputation().rootInstruction().opcode,
            Opcode::CopyStart);
}

TEST(HloParser, ParametersAreIndexedByNumber) {
  auto module =
      parseGood("ENTRY e {\n  b = s32[] parameter(1)\n"
                "  a = f32[] parameter(0)\n  ROOT t = tuple(a, b)\n}\n");
  ASSERT_TRUE(module);
  EXPECT_EQ(module->entryComputation().parameters,
            (std::vector<uint32_t>{1, 0}));
}

TEST(HloParser, NamesAreLocalToTheirComputation) {
  EXPECT_TRUE(parseGood("f { x = f32[] parameter(0) }\n"
                        "g { x = s32[] parameter(0)  ROOT f = negate(x) }\n"));
}

TEST(HloParser, NamesMayBeOpcodesAndKeywords) {
  EXPECT_TRUE(
      parseGood("add = f32[] parameter(0)\nROOT = negate(add)\n"
                "dimensions = negate(ROOT)\nb = add(dimensions, add)\n"));
}

TEST(HloParser, LocationsAreOffsets) {
  std::string text = "ENTRY e {\n  ROOT %abc = f32[] parameter(0)\n}\n";
  auto module = parseGood(text);
  ASSERT_TRUE(module);
  const Instruction &node = module->entryComputation().instructions[0];
  EXPECT_EQ(text.substr(node.loc, 4), "%abc");
  EXPECT_EQ(text.substr(node.opcodeLoc, 9), "parameter");
  EXPECT_EQ(text.substr(module->entryComputation().loc, 1), "e");
}

TEST(HloParser, AParameterThatContradictsTheSignatureIsAWarning) {
  Parsed parsed =
      parseText("f (a: f32[2]) -> f32[] { a = f32[] parameter(0) }\n");
  EXPECT_TRUE(parsed.module);
  EXPECT_EQ(
      parsed.said.substr(0, parsed.said.find('\n')),
      "t.hlo:1:1: warning: parameter 0 of 'f' is 'f32[2]' in the signature, "
      "'f32[]' in the body");
}

TEST(HloParser, TenThousandInstructions) {
  std::string text = "HloModule m\nENTRY e {\n  x0 = f32[8] parameter(0)\n";
  for (int i = 1; i <= 10000; ++i)
    text += "  x" + std::to_string(i) + " = f32[8] add(x" +
            std::to_string(i - 1) + ", x" + std::to_string(i - 1) + ")\n";
  auto module = parseGood(text + "}\n");
  ASSERT_TRUE(module);
  EXPECT_EQ(module->entryComputation().instructions.size(), 10001u);
}
