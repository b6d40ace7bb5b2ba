// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Protos and the texts that jaxlib 0.10.2 writes of the same modules
// (tests/fuzz/corpus/proto): both are the same tree. `scripts/peers BUILD --only
// protos` compares many more: it names their folder in MERCATOR_PROTOS.

#include "mercator/frontends/hlo/Proto.h"
#include "mercator/frontends/hlo/Wire.h"
#include "mercator/support/File.h"

#include "HloText.h"
#include "tests/Scale.h"
#include "tests/Seed.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include "gtest/gtest.h"

#include <map>
#include <set>

using namespace mercator;
using namespace mercator::hlo;

namespace {

std::string corpusFolder() {
  return sourceFolder() + "/tests/fuzz/corpus/proto";
}

std::string contentOf(const std::string &path) {
  auto bytes = readFile(path);
  EXPECT_TRUE(bool(bytes)) << path;
  return bytes ? *bytes : std::string();
}

/// The text of a proto, or the diagnostics.
std::string readText(std::string bytes) {
  std::string out;
  llvm::raw_string_ostream os(out);
  SourceBuffer source("t", std::move(bytes));
  DiagnosticEngine diagnostics(os);
  std::optional<std::string> text = readProto(source, diagnostics);
  EXPECT_EQ(!text, diagnostics.hasErrors()) << out;
  return text ? *text : out;
}

/// The tree without what a proto does not say, printed. Computations are sorted:
/// XLA has two orders in which callees precede their callers.
std::string treeOf(std::string text) {
  // XLA numbers the members of long lists in comments.
  for (size_t at; (at = text.find("/*index=")) != std::string::npos;)
    text.erase(at, text.find("*/", at) + 2 - at);
  Parsed parsed = parseText(text);
  if (!parsed.module)
    return parsed.said;
  Module &module = *parsed.module;
  llvm::erase_if(module.attributes, [](const Attribute &attribute) {
    switch (attribute.name) {
    case AttrName::ReplicaCount:
    case AttrName::NumPartitions:
    case AttrName::AliasPassthroughParams:
    case AttrName::AllowPropagationToParameters:
    case AttrName::AllowPropagationToOutput:
      return true;
    default:
      return false;
    }
  });
  for (Computation &computation : module.computations)
    for (Instruction &node : computation.instructions) {
      std::map<AttrName, Attribute> kept;
      for (const Attribute &attribute : node.attributes)
        if (attribute.name != AttrName::Origin)
          kept[attribute.name] = attribute;
      node.attributes = module.save(llvm::ArrayRef<Attribute>(
          llvm::to_vector(llvm::make_second_range(kept))));
    }
  std::set<std::string> printed;
  for (const Computation &computation : module.computations) {
    std::string one;
    llvm::raw_string_ostream os(one);
    print(computation, os);
    printed.insert(std::move(one));
  }
  module.computations.clear();
  return toString(module) + llvm::join(printed, "\n");
}

/// The first line that differs, of both.
std::string difference(const std::string &a, const std::string &b) {
  llvm::SmallVector<llvm::StringRef> left, right;
  llvm::StringRef(a).split(left, '\n');
  llvm::StringRef(b).split(right, '\n');
  for (auto [l, r] : llvm::zip(left, right))
    if (l != r)
      return (l + "\n" + r).str();
  return std::to_string(left.size()) + " and " + std::to_string(right.size()) +
         " lines";
}

TEST(Proto, EqualsTheTextOfJaxlib) {
  const char *given = std::getenv("MERCATOR_PROTOS");
  std::string folder = given ? given : corpusFolder();
  std::error_code error;
  std::set<std::string> files;
  for (llvm::sys::fs::directory_iterator it(folder, error), end;
       !error && it != end; it.increment(error))
    if (llvm::StringRef(it->path()).ends_with(".pb"))
      files.insert(it->path());
  EXPECT_FALSE(files.empty());
  for (const std::string &file : files) {
    std::string bytes = contentOf(file), ours = treeOf(readText(bytes)),
                theirs =
                    treeOf(contentOf(file.substr(0, file.size() - 3) + ".hlo"));
    EXPECT_TRUE(looksLikeProto(bytes));
    EXPECT_EQ(ours == theirs, true) << file << '\n' << difference(ours, theirs);
  }
}

//===--- The wire format --------------------------------------------------===//

TEST(Wire, Fields) {
  std::string bytes("\x08\x96\x01\x12\x03"
                    "abc\x1A\x02\x08\x01\x22\x03\x01\x02\x03\x20\x04"
                    "\x2D\x00\x00\xC0\x3F\x31\x00\x00\x00\x00\x00\x00\x04\xC0"
                    "\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01",
                    44);
  WireFault fault(bytes);
  WireMessage message(bytes, fault);
  EXPECT_EQ(message.integer(1), -1); // the last of two
  EXPECT_EQ(message.text(2), "abc");
  EXPECT_TRUE(message.message(3).flag(1));
  EXPECT_EQ(message.integers(4),
            (llvm::SmallVector<int64_t, 8>{1, 2, 3, 4})); // packed, and not
  EXPECT_EQ(message.real32(5), 1.5f);
  EXPECT_EQ(message.real64(6), -2.5);
  EXPECT_EQ(message.fixed(5), std::string("\x00\x00\xC0\x3F", 4));
  EXPECT_FALSE(message.has(7));
  EXPECT_EQ(message.integer(7, 5), 5);
  EXPECT_FALSE(fault.found());
}

TEST(Wire, Damage) {
  auto said = [](llvm::StringRef bytes) {
    WireFault fault(bytes);
    WireMessage message(bytes, fault);
    (void)message.message(3).integers(4);
    return fault.found() ? fault.text() : std::string();
  };
  EXPECT_EQ(said(llvm::StringRef("\x08\x80", 2)),
            "byte 0: a number does not end");
  EXPECT_EQ(said(llvm::StringRef("\x08\x01\x00\x01", 4)),
            "byte 2: expected the number of a field");
  EXPECT_EQ(said(llvm::StringRef("\x0B\x0C", 2)),
            "byte 0: expected a number or bytes");
  EXPECT_EQ(said(llvm::StringRef("\x12\x05"
                                 "ab",
                                 4)),
            "byte 0: a field of 5 bytes, 2 are left");
  EXPECT_EQ(said(llvm::StringRef("\x1A\x03\x22\x01\xFF", 5)),
            "byte 4: a number does not end");
  EXPECT_EQ(
      said(llvm::StringRef("\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 11)),
      "byte 0: a number does not end");
}

//===--- Protos -----------------------------------------------------------===//

TEST(Proto, IsFoundInAnHloProto) {
  std::string inside = readText(contentOf(corpusFolder() + "/control.pb"));
  EXPECT_EQ(readText(contentOf(corpusFolder() + "/hlo_proto.pb")), inside);
  for (const std::string &bytes :
       {std::string(), std::string("\x0A"), std::string("\x0A\x05jit_f"),
        std::string(64, '\0'), std::string(64, '\xFF'), std::string(64, '\x0A'),
        std::string("HloModule m"), std::string("\nmodule {}")})
    EXPECT_FALSE(looksLikeProto(bytes));
}

/// Replaces `from` by as many other bytes.
std::string changed(std::string bytes, llvm::StringRef from,
                    llvm::StringRef to) {
  size_t at = bytes.find(from.str());
  EXPECT_NE(at, std::string::npos) << from.str();
  EXPECT_EQ(from.size(), to.size());
  return bytes.replace(at, to.size(), to.str());
}

TEST(Proto, WrongProtosAreRefused) {
  std::string control = contentOf(corpusFolder() + "/control.pb");
  // What no text could say.
  EXPECT_EQ(readText(changed(control, "\x0A\x07product", "\x0A\x07p = f()")),
            "error: cannot read 't': instruction 'p = f()': expected a name of "
            "an instruction, got 'p = f()'\n");
  EXPECT_EQ(readText(changed(control, "\x5A\x05kLoop", "\x5A\x05k{\n)#")),
            "error: cannot read 't': instruction 'fused': expected a word, got "
            "'k{<0A>)#'\n");
  std::string literals = contentOf(corpusFolder() + "/literals.pb");
  // The bytes of v_s8: one of two.
  EXPECT_EQ(readText(changed(literals, llvm::StringRef("\x7A\x02\x80\x7F", 4),
                             llvm::StringRef("\x7A\x01\x80\x08", 4)))
                .find("error: cannot read 't': "),
            0u);
  // A file that is cut off says so.
  std::string text = readText(control.substr(0, control.size() / 2));
  EXPECT_NE(text.find("error: cannot read 't': byte "), std::string::npos)
      << text;
  EXPECT_NE(text.find(" are left"), std::string::npos) << text;
}

/// Random changes: each is a text, which the parser reads or refuses, or a
/// diagnostic.
TEST(Proto, MutationsAreDiagnostics) {
  uint64_t seed = testSeed();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  auto below = [&](uint64_t n) { return random() % n; };
  std::vector<std::string> seeds;
  for (const char *name : {"async", "attributes", "collectives", "control",
                           "hlo_proto", "literals"})
    seeds.push_back(contentOf(corpusFolder() + "/" + name + ".pb"));
  unsigned texts = 0, modules = 0;
  const char *count = std::getenv("MERCATOR_MUTATIONS");
  for (int i = 0, n = count ? atoi(count) : cases(1000); i < n; ++i) {
    std::string bytes = seeds[below(seeds.size())];
    for (uint64_t changes = 1 + below(3); changes; --changes) {
      size_t at = below(bytes.size());
      switch (below(4)) {
      case 0:
        bytes[at] = char(random());
        break;
      case 1:
        bytes[at] ^= char(1 << below(8));
        break;
      case 2:
        bytes.erase(at, 1 + below(4));
        break;
      default:
        bytes.insert(at, 1 + below(4), char(random()));
      }
    }
    if (!looksLikeProto(bytes))
      continue;
    std::string text = readText(bytes);
    if (llvm::StringRef(text).starts_with("error: "))
      continue;
    ++texts;
    modules += parseText(text).module != nullptr;
  }
  // Numbers, for example, may be any.
  EXPECT_GT(texts, 0u);
  EXPECT_GT(modules, 0u);
}

} // namespace
