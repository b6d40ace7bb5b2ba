// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HloText.h"
#include "OpcodeRows.h"
#include "mercator/frontends/hlo/OpcodeTable.h"

#include <gtest/gtest.h>

#include <map>

using namespace mercator;
using namespace mercator::hlo;

TEST(HloOpcodes, EveryOpcodeWithEveryAttribute) {
  std::map<std::string, AttributeSet> used;
  for (const char *row : rows) {
    Parsed parsed = parseText(inContext(row));
    ASSERT_TRUE(parsed.module) << row << "\n" << parsed.said;
    EXPECT_EQ(parsed.said, "") << row;
    const Instruction &root =
        parsed.module->entryComputation().rootInstruction();
    AttributeSet &set = used[spelling(root.opcode).str()];
    for (const Attribute &attribute : root.attributes)
      set.set(unsigned(attribute.name));

    std::string once = toString(*parsed.module);
    Parsed again = parseText(once);
    ASSERT_TRUE(again.module) << once << "\n" << again.said;
    EXPECT_EQ(toString(*again.module), once) << row;
  }
  EXPECT_EQ(kOpcodeCount, 136u);
  for (unsigned i = 0; i < kOpcodeCount; ++i) {
    const OpcodeInfo &row = info(Opcode(i));
    ASSERT_TRUE(used.count(row.spelling.str())) << row.spelling.str();
    AttributeSet left = row.allowed & ~used[row.spelling.str()];
    for (unsigned a = 0; a < kAttributeCount; ++a)
      EXPECT_TRUE(!left.test(a) || placeOf(AttrName(a)) != AttrPlace::Opcode)
          << row.spelling.str() << " without " << spelling(AttrName(a)).str();
  }
}

TEST(HloOpcodes, RequiredAttributesAreRequired) {
  unsigned tried = 0;
  for (const char *row : rows) {
    Parsed whole = parseText(inContext(row));
    ASSERT_TRUE(whole.module) << whole.said;
    const Instruction &root =
        whole.module->entryComputation().rootInstruction();
    // Removes all attributes: the error names the first required one.
    std::string text = toString(*whole.module);
    size_t begin = text.find("ROOT %r = ");
    size_t end = text.find('\n', begin);
    std::string cut = text.substr(begin, end - begin);
    size_t attributes =
        root.attributes.empty()
            ? cut.size()
            : cut.find((", " + spelling(root.attributes[0].name) + "=").str());
    if (root.attributes.empty() || info(root.opcode).required.none())
      continue;
    ASSERT_NE(attributes, std::string::npos) << cut;
    Parsed parsed =
        parseText(text.substr(0, begin) + cut.substr(0, attributes) + "\n}\n");
    EXPECT_FALSE(parsed.module) << row;
    EXPECT_NE(parsed.said.find("needs the attribute"), std::string::npos)
        << row << parsed.said;
    ++tried;
  }
  EXPECT_GT(tried, 40u);
}

TEST(HloOpcodes, OperandCounts) {
  for (const char *row : rows) {
    Parsed whole = parseText(inContext(row));
    ASSERT_TRUE(whole.module) << whole.said;
    Opcode opcode = whole.module->entryComputation().rootInstruction().opcode;
    if (info(opcode).maxOperands <= 0)
      continue;
    std::string text = row;
    size_t open =
        text.find(spelling(opcode).str() + "(") + spelling(opcode).size() + 1;
    text.insert(open, "x, x, x, x, x, x, x, ");
    Parsed parsed = parseText(inContext(text));
    EXPECT_FALSE(parsed.module) << text;
    EXPECT_NE(parsed.said.find("operand"), std::string::npos) << parsed.said;
  }
}

TEST(HloOpcodes, CommonAttributesOnAnyInstruction) {
  Parsed parsed = parseText(
      "a = f32[] parameter(0), sharding={replicated}, "
      "parameter_replication={true}\n"
      "b = f32[] negate(a), metadata={op_type=\"t\" op_name=\"n\" "
      "source_file=\"f\" "
      "source_line=3 source_end_line=4 source_column=5 source_end_column=6 "
      "stack_frame_id=7 profile_type={1} deduplicated_name=\"d\"}, "
      "frontend_attributes={a=\"1\",b.c={\"x\":2}}, "
      "statistics={visualizing_index=0,s=1}, "
      "control-predecessors={a}, origin={{\"v\"}}, "
      "backend_config={\"k\":[1,\"}\"]}\n"
      "c = f32[] negate(b), backend_config=\"raw \\\"text\\\"\"\n");
  ASSERT_TRUE(parsed.module) << parsed.said;
  const Computation &entry = parsed.module->entryComputation();
  EXPECT_EQ(entry.instructions[0].text(AttrName::Sharding), "{replicated}");
  const Instruction &b = entry.instructions[1];
  const Metadata &metadata = b.find(AttrName::Metadata)->metadata();
  EXPECT_EQ(metadata.opType, "t");
  EXPECT_EQ(metadata.opName, "n");
  EXPECT_EQ(metadata.sourceFile, "f");
  EXPECT_EQ(metadata.sourceLine, 3);
  EXPECT_EQ(metadata.sourceEndLine, 4);
  EXPECT_EQ(metadata.sourceColumn, 5);
  EXPECT_EQ(metadata.sourceEndColumn, 6);
  EXPECT_EQ(metadata.stackFrameId, 7);
  EXPECT_EQ(metadata.others, "profile_type={1} deduplicated_name=\"d\"");
  ArrayRef<DictionaryEntry> entries =
      b.find(AttrName::FrontendAttributes)->entries();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].key, "a");
  EXPECT_EQ(entries[0].value, "1");
  EXPECT_EQ(entries[1].value, "{\"x\":2}");
  EXPECT_EQ(b.ints(AttrName::ControlPredecessors), (ArrayRef<int64_t>{0}));
  EXPECT_EQ(b.find(AttrName::BackendConfig)->kind, AttrKind::Raw);
  EXPECT_EQ(b.text(AttrName::BackendConfig), "{\"k\":[1,\"}\"]}");
  const Attribute *quoted = entry.instructions[2].find(AttrName::BackendConfig);
  EXPECT_EQ(quoted->kind, AttrKind::String);
  EXPECT_EQ(quoted->text, "raw \"text\"");
}

//===----------------------------------------------------------------------===//
// The typed values
//===----------------------------------------------------------------------===//

/// The root of a row above.
static Parsed parseRow(const std::string &row, const Instruction *&root) {
  Parsed parsed = parseText(inContext(row));
  EXPECT_TRUE(parsed.module) << parsed.said;
  root = parsed.module ? &parsed.module->entryComputation().rootInstruction()
                       : nullptr;
  return parsed;
}

TEST(HloAttributes, Window) {
  const Instruction *root;
  Parsed parsed = parseRow(
      "f32[2,3] reduce-window(x, s), window={size=2x3 stride=2x3 pad=-1_1x2_3 "
      "lhs_dilate=1x1 rhs_dilate=1x2 rhs_reversal=0x1}, to_apply=max",
      root);
  ASSERT_TRUE(root);
  ArrayRef<WindowDim> window = root->find(AttrName::Window)->window();
  ASSERT_EQ(window.size(), 2u);
  EXPECT_EQ(window[0], (WindowDim{2, 2, -1, 1, 1, 1, false}));
  EXPECT_EQ(window[1], (WindowDim{3, 3, 2, 3, 1, 2, true}));
}

TEST(HloAttributes, SlicesAndPadding) {
  const Instruction *root;
  Parsed slice = parseRow("f32[2,4] slice(x), slice={[0:4:2], [1:5]}", root);
  ASSERT_TRUE(root);
  EXPECT_EQ(root->find(AttrName::Slice)->slices(),
            (ArrayRef<SliceDim>{{0, 4, 2}, {1, 5, 1}}));
  Parsed pad = parseRow("f32[9,8] pad(x, s), padding=1_1_1x-1_1", root);
  ASSERT_TRUE(root);
  EXPECT_EQ(root->find(AttrName::Padding)->padding(),
            (ArrayRef<PadDim>{{1, 1, 1}, {-1, 1, 0}}));
}

TEST(HloAttributes, ConvolutionLabels) {
  const Instruction *root;
  Parsed parsed =
      parseRow("f32[1,6,6,4] convolution(img, ker), window={size=3x3 "
               "pad=1_1x1_1}, dim_labels=b01f_01io->b01f",
               root);
  ASSERT_TRUE(root);
  const ConvLabels &labels = root->find(AttrName::DimLabels)->convLabels();
  EXPECT_EQ(labels.spatialRank(), 2u);
  EXPECT_EQ(labels.lhs.batch, 0);
  EXPECT_EQ(labels.lhs.feature, 3);
  EXPECT_EQ(labels.lhs.spatial, (ArrayRef<int64_t>{1, 2}));
  EXPECT_EQ(labels.rhs.feature, 2); // i
  EXPECT_EQ(labels.rhs.batch, 3);   // o
  EXPECT_EQ(labels.rhs.spatial, (ArrayRef<int64_t>{0, 1}));
  EXPECT_EQ(labels.result.feature, 3);
}

TEST(HloAttributes, ListsAndScalars) {
  const Instruction *root;
  Parsed dot =
      parseRow("f32[4,5] dot(x, m), lhs_contracting_dims={1}, "
               "rhs_contracting_dims={0}, operand_precision={high,default}",
               root);
  ASSERT_TRUE(root);
  EXPECT_EQ(root->ints(AttrName::LhsContractingDims), (ArrayRef<int64_t>{1}));
  EXPECT_TRUE(root->ints(AttrName::LhsBatchDims).empty());
  EXPECT_EQ(root->find(AttrName::OperandPrecision)->words()[1], "default");
  Parsed norm =
      parseRow("(f32[4,8], f32[8], f32[8]) batch-norm-training(x, v, v), "
               "epsilon=1.25e-3, feature_index=1",
               root);
  ASSERT_TRUE(root);
  EXPECT_EQ(root->find(AttrName::Epsilon)->real, 1.25e-3);
  EXPECT_EQ(root->integer(AttrName::FeatureIndex, -1), 1);
  Parsed permute = parseRow("f32[4,8] collective-permute(x), "
                            "source_target_pairs={{0,1},{1,0}}",
                            root);
  ASSERT_TRUE(root);
  EXPECT_EQ(root->find(AttrName::SourceTargetPairs)->intLists()[1],
            (ArrayRef<int64_t>{1, 0}));
  EXPECT_FALSE(root->flag(AttrName::UseGlobalDeviceIds));
  EXPECT_EQ(root->integer(AttrName::ChannelId, -1), -1);
}

TEST(HloAttributes, CalledComputations) {
  const Instruction *root;
  Parsed parsed =
      parseRow("f32[4] reduce(x, s), dimensions={1}, to_apply=%max", root);
  ASSERT_TRUE(root);
  const ComputationRef *ref = root->called(AttrName::ToApply);
  ASSERT_TRUE(ref);
  EXPECT_FALSE(ref->builtin);
  EXPECT_EQ(parsed.module->computations[ref->index].name, "max");
  EXPECT_EQ(root->called(AttrName::Calls), nullptr);
}

TEST(HloAttributes, BuiltinReducersWhereNoComputationHasTheName) {
  const std::pair<const char *, Opcode> names[] = {
      {"max", Opcode::Maximum},  {"maximum", Opcode::Maximum},
      {"min", Opcode::Minimum},  {"minimum", Opcode::Minimum},
      {"add", Opcode::Add},      {"multiply", Opcode::Multiply},
      {"mul", Opcode::Multiply}, {"and", Opcode::And},
      {"or", Opcode::Or},        {"xor", Opcode::Xor}};
  for (auto [name, opcode] : names) {
    Parsed parsed =
        parseText("p = s32[8] parameter(0)\nz = s32[] constant(0)\n"
                  "r = s32[] reduce(p, z), dimensions={0}, to_apply=" +
                  std::string(name));
    ASSERT_TRUE(parsed.module) << parsed.said;
    const ComputationRef *ref =
        parsed.module->entryComputation().rootInstruction().called(
            AttrName::ToApply);
    EXPECT_EQ(ref->builtin, opcode) << name;
    EXPECT_EQ(ref->index, kNone);
  }
}
