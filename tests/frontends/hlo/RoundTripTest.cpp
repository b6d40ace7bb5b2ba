// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Real programs: parsed without diagnostics, printed, parsed again, the same
/// tree.

#include "HloText.h"
#include "mercator/support/File.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <gtest/gtest.h>

using namespace mercator;
using namespace mercator::hlo;

static void expectSameAttribute(const Attribute &a, const Attribute &b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.kind, b.kind) << spelling(a.name).str();
  EXPECT_EQ(a.integer, b.integer);
  EXPECT_TRUE(a.real == b.real || (a.real != a.real && b.real != b.real));
  EXPECT_EQ(a.ints, b.ints);
  EXPECT_EQ(a.otherName, b.otherName);
  switch (a.kind) {
  case AttrKind::String:
  case AttrKind::Word:
  case AttrKind::Raw:
    EXPECT_EQ(a.text, b.text);
    break;
  case AttrKind::Window:
    EXPECT_EQ(a.window(), b.window());
    break;
  case AttrKind::Slices:
    EXPECT_EQ(a.slices(), b.slices());
    break;
  case AttrKind::Padding:
    EXPECT_EQ(a.padding(), b.padding());
    break;
  case AttrKind::Words:
    EXPECT_EQ(a.words(), b.words());
    break;
  case AttrKind::IntLists:
    EXPECT_EQ(a.intLists(), b.intLists());
    break;
  case AttrKind::Computation:
  case AttrKind::Computations:
    ASSERT_EQ(a.computations().size(), b.computations().size());
    for (size_t i = 0; i < a.computations().size(); ++i) {
      EXPECT_EQ(a.computations()[i].index, b.computations()[i].index);
      EXPECT_EQ(a.computations()[i].builtin, b.computations()[i].builtin);
    }
    break;
  case AttrKind::Metadata:
    EXPECT_EQ(a.metadata().opName, b.metadata().opName);
    EXPECT_EQ(a.metadata().sourceFile, b.metadata().sourceFile);
    EXPECT_EQ(a.metadata().sourceLine, b.metadata().sourceLine);
    EXPECT_EQ(a.metadata().others, b.metadata().others);
    break;
  default:
    break; // the caller compares text
  }
}

static void expectSameLiteral(const Literal *a, const Literal *b) {
  ASSERT_EQ(!a, !b);
  if (!a)
    return;
  EXPECT_EQ(a->elided, b->elided);
  EXPECT_EQ(a->splat, b->splat);
  EXPECT_EQ(a->bytes, b->bytes);
  ASSERT_EQ(a->elements.size(), b->elements.size());
  for (size_t i = 0; i < a->elements.size(); ++i)
    expectSameLiteral(a->elements[i], b->elements[i]);
}

static void expectSameTree(const Module &a, const Module &b) {
  EXPECT_EQ(a.hasHeader, b.hasHeader);
  EXPECT_EQ(a.entry, b.entry);
  ASSERT_EQ(a.computations.size(), b.computations.size());
  for (size_t c = 0; c < a.computations.size(); ++c) {
    const Computation &x = a.computations[c], &y = b.computations[c];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.root, y.root);
    EXPECT_EQ(x.parameters, y.parameters);
    EXPECT_EQ(x.hasSignature, y.hasSignature);
    ASSERT_EQ(x.instructions.size(), y.instructions.size());
    for (size_t i = 0; i < x.instructions.size(); ++i) {
      const Instruction &m = x.instructions[i], &n = y.instructions[i];
      EXPECT_EQ(m.name, n.name);
      EXPECT_EQ(m.opcode, n.opcode);
      EXPECT_EQ(m.asyncWrapped, n.asyncWrapped);
      EXPECT_EQ(m.operands, n.operands);
      EXPECT_EQ(m.parameterNumber, n.parameterNumber);
      EXPECT_TRUE(sameShapeAndLayout(*m.shape, *n.shape)) << m.name.str();
      expectSameLiteral(m.literal, n.literal);
      ASSERT_EQ(m.attributes.size(), n.attributes.size());
      for (size_t k = 0; k < m.attributes.size(); ++k)
        expectSameAttribute(m.attributes[k], n.attributes[k]);
    }
  }
}

/// The law of Printer.h. Returns the number of instructions.
static size_t expectRoundTrip(const std::string &text,
                              const std::string &name) {
  Parsed first = parseText(text);
  EXPECT_TRUE(first.module) << name << "\n" << first.said;
  EXPECT_EQ(first.said, "") << name;
  if (!first.module)
    return 0;
  std::string once = toString(*first.module);
  Parsed second = parseText(once);
  EXPECT_TRUE(second.module) << name << "\n" << second.said;
  if (!second.module)
    return 0;
  EXPECT_EQ(second.said, "") << name;
  expectSameTree(*first.module, *second.module);
  EXPECT_EQ(toString(*second.module), once) << name;
  size_t count = 0;
  for (const Computation &computation : first.module->computations)
    count += computation.instructions.size();
  return count;
}

static std::string read(const std::string &path) {
  llvm::Expected<std::string> text = readFile(path);
  EXPECT_TRUE(bool(text)) << path;
  if (text)
    return *text;
  llvm::consumeError(text.takeError());
  return "";
}

TEST(HloRoundTrip, Models) {
  std::string folder = sharedFolder() + "/data/models";
  if (!llvm::sys::fs::is_directory(folder))
    GTEST_SKIP() << folder << " is absent";
  const std::pair<const char *, size_t> models[] = {
      {"mobilenet_v2.hlo", 2000},
      {"llama31_8b.hlo", 14000},
      {"maxtext_train_step.hlo", 1500},
      {"large_loop_fusion.hlo", 16000}};
  for (auto [name, atLeast] : models)
    EXPECT_GT(expectRoundTrip(read(folder + "/" + name), name), atLeast)
        << name;
}

TEST(HloRoundTrip, XlaCases) {
  std::string folder = sharedFolder() + "/data/xla-cases";
  if (!llvm::sys::fs::is_directory(folder))
    GTEST_SKIP() << folder << " is absent";
  unsigned count = 0;
  for (const char *file : {"analysis.json", "extra.json"}) {
    llvm::Expected<llvm::json::Value> json =
        llvm::json::parse(read(folder + "/" + file));
    ASSERT_TRUE(bool(json)) << file;
    for (const llvm::json::Value &row : *json->getAsArray()) {
      auto hlo = row.getAsObject()->getString("hlo");
      if (!hlo)
        continue;
      auto name = row.getAsObject()->getString("name").value_or("");
      expectRoundTrip(hlo->str(), name.str());
      ++count;
    }
  }
  EXPECT_GT(count, 80u);
}

/// The HLO listings of a seed: blocks up to an empty line that begin with an
/// instruction or a computation.
static std::vector<std::string> listings(StringRef document) {
  std::vector<std::string> found;
  std::string block;
  auto begins = [](StringRef line) {
    auto [name, rest] = line.ltrim().split(' ');
    rest = rest.ltrim();
    bool instruction = rest.starts_with("= ") && rest.contains('[');
    bool computation = rest == "{" && name != "struct" && name != "class" &&
                       !line.starts_with("struct") &&
                       !line.starts_with("class");
    return instruction || computation;
  };
  llvm::SmallVector<StringRef> lines;
  document.split(lines, '\n');
  lines.push_back("");
  for (StringRef line : lines) {
    if (line.trim().empty()) {
      if (!block.empty())
        found.push_back(block);
      block.clear();
    } else if (!block.empty() || begins(line)) {
      block += line.str() + "\n";
    }
  }
  return found;
}

TEST(HloRoundTrip, SeedsVerbatim) {
  std::string folder = sharedFolder() + "/seeds";
  if (!llvm::sys::fs::is_directory(folder))
    GTEST_SKIP() << folder << " is absent";
  unsigned count = 0, documents = 0;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(folder, code), end;
       !code && it != end; it.increment(code)) {
    StringRef name = llvm::sys::path::filename(it->path());
    if (!name.starts_with("000") && !name.starts_with("001") &&
        !name.starts_with("002"))
      continue;
    ++documents;
    for (const std::string &listing : listings(read(it->path()))) {
      expectRoundTrip(listing, listing);
      ++count;
    }
  }
  EXPECT_EQ(documents, 3u);
  EXPECT_EQ(count, 53u);
}
