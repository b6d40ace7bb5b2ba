// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/llvm/LoopCounters.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace mercator;

namespace {

/// The code of a loop from `start` to 8 in which `i` is the counter.
std::string counted(const std::string &body, const std::string &start = "0") {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  auto module = llvm::parseAssemblyString(
      "define void @f(ptr %p, i64 %n) {\nentry:\n  br label %loop\n"
      "loop:\n  %i = phi i64 [ " +
          start + ", %entry ], [ %next, %loop ]\n" + body +
          "  %next = add i64 %i, 1\n  %more = icmp slt i64 %next, 8\n"
          "  br i1 %more, label %loop, label %end\nend:\n  ret void\n}\n",
      error, context);
  if (!module) {
    ADD_FAILURE() << error.getMessage().str();
    return "";
  }
  cpu::countMultiples(*module->getFunction("f"));
  std::string text;
  llvm::raw_string_ostream os(text);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  module->print(os, nullptr);
  return text;
}

int count(const std::string &text, const std::string &part) {
  int found = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1))
    ++found;
  return found;
}

const std::string kStore = "  %at = getelementptr i8, ptr %p, i64 %m\n"
                           "  store i8 0, ptr %at\n";

TEST(LoopCounters, CountMultiples) {
  for (const char *multiple :
       {"  %m = shl i64 %i, 5\n", "  %m = mul i64 %i, 32\n"}) {
    std::string text = counted(multiple + kStore);
    // The multiple ends the loop, and the counter is gone.
    EXPECT_EQ(count(text, " = phi "), 1) << text;
    EXPECT_EQ(count(text, "shl") + count(text, "mul"), 0) << text;
    EXPECT_EQ(count(text, ", 32"), 1) << text;
    EXPECT_EQ(count(text, ", 256"), 1) << text;
  }
}

TEST(LoopCounters, OfEqualFactorsAreOne) {
  std::string text = counted("  %m = shl i64 %i, 5\n  %l = mul i64 %i, 32\n"
                             "  %b = getelementptr i8, ptr %p, i64 %l\n"
                             "  store i8 1, ptr %b\n" +
                             kStore);
  EXPECT_EQ(count(text, " = phi "), 1) << text;
}

TEST(LoopCounters, StayIfSomethingElseNeedsThem) {
  std::string other = "  %b = getelementptr i8, ptr %p, i64 %i\n"
                      "  store i8 1, ptr %b\n",
              text = counted("  %m = shl i64 %i, 5\n" + kStore + other);
  EXPECT_EQ(count(text, " = phi "), 2) << text;
  EXPECT_EQ(count(text, ", 8\n"), 1) << text;
  // A multiple of a start that is not known may wrap at the end.
  text = counted("  %m = shl i64 %i, 5\n" + kStore, "%n");
  EXPECT_EQ(count(text, " = phi "), 2) << text;
  EXPECT_EQ(count(text, ", 8\n"), 1) << text;
}

TEST(LoopCounters, HaveConstantFactors) {
  std::string text = counted("  %m = mul i64 %i, %n\n" + kStore);
  EXPECT_EQ(count(text, " = phi "), 1) << text;
  EXPECT_EQ(count(text, "mul"), 1) << text;
}

} // namespace
