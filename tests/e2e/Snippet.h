// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program and the output of `mercator map` for it, for tests.
//
//   Snippet p("p0 = f32[10,20] parameter(0)\n"
//             "t = f32[20,10] transpose(p0), dimensions={1,0}\n");
//   p.reads("t", 0, {"(d0, d1) -> (d1, d0), domain: d in [0, 19] x [0, 9]"});
//
// Each question is one run of the command, from the text to the JSON. Maps are
// written in the notation and compared by meaning (Prove.h): as sets, in any
// order, runtime variables by their numbers.

#ifndef MERCATOR_TESTS_E2E_SNIPPET_H
#define MERCATOR_TESTS_E2E_SNIPPET_H

#include "mercator/indexing/map/Map.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include "gtest/gtest.h"

#include <optional>
#include <string>
#include <vector>

namespace mercator::e2e {

/// The output and the exit code of a command.
struct Outcome {
  int code = 0;
  std::string out, err;
};

/// Runs `mercator WORDS...` in this process.
[[nodiscard]] Outcome runCommand(llvm::ArrayRef<const char *> words);

/// The maps between two tensors, as printed by the command.
struct Answer {
  bool found = false; ///< there is a record for them
  std::string name;   ///< of the operand
  std::vector<std::string> maps;
  std::vector<std::string> reasons; ///< of each map; empty: exact
  llvm::json::Array json;           ///< the same, all that was said
};

class Snippet {
public:
  explicit Snippet(llvm::StringRef text);
  ~Snippet();
  Snippet(const Snippet &) = delete;

  /// The same program, queried with `--fused`.
  [[nodiscard]] Snippet &fused() {
    options = {"--fused"};
    return *this;
  }

  /// Runs `mercator map` on the program.
  [[nodiscard]] Outcome run(llvm::ArrayRef<const char *> options);

  /// Element d of the result reads exactly these elements of operand k.
  void reads(llvm::StringRef instruction, unsigned operand,
             llvm::ArrayRef<std::string> maps, unsigned result = 0);
  /// Element d of operand k is read by exactly these elements of the result.
  void reaches(llvm::StringRef instruction, unsigned operand,
               llvm::ArrayRef<std::string> maps, unsigned result = 0);
  /// The maps differ from `map`: that map would be wrong.
  void doesNotRead(llvm::StringRef instruction, unsigned operand,
                   llvm::StringRef map);
  void doesNotReach(llvm::StringRef instruction, unsigned operand,
                    llvm::StringRef map);
  /// The elements read are contained in `map`. For maps without range
  /// variables.
  void readsWithin(llvm::StringRef instruction, unsigned operand,
                   llvm::StringRef map);
  void hasNoRecords(llvm::StringRef instruction);

  /// The single map of the read, as text; "" if there are several.
  [[nodiscard]] std::string textOf(llvm::StringRef instruction,
                                   unsigned operand);

  [[nodiscard]] Answer ask(llvm::StringRef instruction, bool inToOut,
                           unsigned operand, unsigned result);
  [[nodiscard]] llvm::json::Array records(llvm::StringRef instruction,
                                          llvm::StringRef direction);

private:
  std::string path;
  std::vector<std::string> options;
};

/// Whether two sets of maps, in the notation, mean the same.
[[nodiscard]] testing::AssertionResult
sameMaps(llvm::ArrayRef<std::string> actual,
         llvm::ArrayRef<std::string> expected);

/// The map of a text. Invalid text is a failure of the test.
[[nodiscard]] indexing::Map parse(indexing::Arena &arena, llvm::StringRef text);

/// Checks that `before` simplifies to `after` and that `after` does not
/// simplify further: equal handles, that is, the same text up to spelling.
void becomes(llvm::StringRef before, llvm::StringRef after);

/// The folder of programs outside of the repository; none if it is absent.
/// Tests then skip.
[[nodiscard]] std::optional<std::string> sharedData();

} // namespace mercator::e2e

#endif // MERCATOR_TESTS_E2E_SNIPPET_H
