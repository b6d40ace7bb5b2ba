// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every HLO opcode has maps in both directions: exact ones, or
// over-approximations with a reason. The table says which, opcode by opcode.

#include "../hlo/OpcodeRows.h"
#include "ImportText.h"

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/Register.h"

#include <set>

using namespace mercator;
using namespace mercator::hlo;
using indexing::Direction;
using indexing::MapSet;

namespace {

struct Expectation {
  const char *opcode;
  /// One character for each operand and, for each operand, for each result: `=`
  /// for exact maps, `~` for others.
  const char *maps;
  /// A part of the reason of the first inexact map.
  const char *reason = "";
};

/// In the order of `rows`. When maps become exact, update the row.
const Expectation expectations[] = {
    {"abs", "="},
    {"acos", "="},
    {"acosh", "="},
    {"add", "=="},
    {"add-dependency", "=="},
    {"after-all", "=="},
    {"all-gather", "="},
    {"all-gather-done", "~",
     "all-gather-done: which elements it reads is not analysed"},
    {"all-gather-start", "~",
     "all-gather-start: which elements it reads is not analysed"},
    {"all-reduce", "="},
    {"all-reduce-done", "="},
    {"all-reduce-start", "~",
     "all-reduce-start: the element may be that of another device"},
    {"all-to-all", "="},
    {"and", "=="},
    {"asin", "="},
    {"asinh", "="},
    {"async-done", "="},
    {"async-start", "~",
     "async-start: which elements it reads is not analysed"},
    {"async-update", "="},
    {"atan", "="},
    {"atan2", "=="},
    {"atanh", "="},
    {"batch-norm-grad", "==============="},
    {"batch-norm-inference", "====="},
    {"batch-norm-training", "========="},
    {"bitcast", "="},
    {"bitcast-convert", "="},
    {"broadcast", "="},
    {"call", "="},
    {"cbrt", "="},
    {"ceil", "="},
    {"cholesky", "="},
    {"clamp", "==="},
    {"count-leading-zeros", "="},
    {"collective-broadcast", "=="},
    {"collective-permute", "="},
    {"collective-permute-done", "="},
    {"collective-permute-start", "~",
     "collective-permute-start: the element may be that of another device"},
    {"collective-reduce", "="},
    {"compare", "=="},
    {"complex", "=="},
    {"concatenate", "=="},
    {"conditional", "="},
    {"conditional", "="},
    {"constant", ""},
    {"convert", "="},
    {"convolution", "=="},
    {"convolution", "~~",
     "convolution: which elements it reads is not analysed"},
    {"copy", "="},
    {"copy-done", "="},
    {"copy-start", "="},
    {"cosine", "="},
    {"cosh", "="},
    {"custom-call", "~~", "what it reads is not known"},
    {"divide", "=="},
    {"domain", "="},
    {"dot", "=="},
    {"dynamic-reshape", "=="},
    {"dynamic-slice", "==="},
    {"dynamic-update-slice", "===="},
    {"erf", "="},
    {"exponential", "="},
    {"exponential-minus-one", "="},
    {"fft", "="},
    {"floor", "="},
    {"fusion", "="},
    {"gather", "=="},
    {"get-dimension-size", "="},
    {"get-tuple-element", "="},
    {"imag", "="},
    {"infeed", "=="},
    {"iota", ""},
    {"is-finite", "="},
    {"log", "="},
    {"log-plus-one", "="},
    {"logistic", "="},
    {"map", "=="},
    {"maximum", "=="},
    {"minimum", "=="},
    {"mulhi", "=="},
    {"multiply", "=="},
    {"negate", "="},
    {"not", "="},
    {"opt-barrier", "===="},
    {"or", "=="},
    {"outfeed", "=="},
    {"pad", "=="},
    {"parameter", ""},
    {"partition-id", ""},
    {"popcnt", "="},
    {"power", "=="},
    {"ragged-all-to-all", "~~~~~~",
     "ragged-all-to-all: which elements it reads is not analysed"},
    {"ragged-dot", "==="},
    {"real", "="},
    {"recv", "~", "recv: which elements it reads is not analysed"},
    {"recv-done", "~", "recv-done: which elements it reads is not analysed"},
    {"reduce", "=="},
    {"reduce-precision", "="},
    {"reduce-scatter", "="},
    {"reduce-window", "=="},
    {"remainder", "=="},
    {"replica-id", ""},
    {"reshape", "="},
    {"reverse", "="},
    {"rng", "==="},
    {"rng-bit-generator", "=="},
    {"rng-get-and-update-state", ""},
    {"round-nearest-afz", "="},
    {"round-nearest-even", "="},
    {"rsqrt", "="},
    {"scaled-dot", "===="},
    {"scan", "===="},
    {"scatter", "==="},
    {"select", "==="},
    {"select-and-scatter", "==="},
    {"send", "~~", "send: which elements it reads is not analysed"},
    {"send-done", "~", "send-done: which elements it reads is not analysed"},
    {"set-dimension-size", "=="},
    {"shift-left", "=="},
    {"shift-right-arithmetic", "=="},
    {"shift-right-logical", "=="},
    {"shuffle", "~",
     "shuffle: in which order its dimensions come is not known"},
    {"sign", "="},
    {"sine", "="},
    {"sinh", "="},
    {"slice", "="},
    {"sort", "="},
    {"sqrt", "="},
    {"stochastic-convert", "=="},
    {"subtract", "=="},
    {"tan", "="},
    {"tanh", "="},
    {"topk", "=="},
    {"transpose", "="},
    {"triangular-solve", "=="},
    {"tuple", "=="},
    {"while", "="},
    {"xor", "=="},
};

/// The maps of the operation of instruction `r`.
mlir::Operation *rootOf(mlir::ModuleOp module) {
  mlir::Operation *root = nullptr;
  module.walk([&](mlir::Operation *op) {
    if (nameIn(op->getLoc()) == "r" && op->getNumResults() > 0)
      root = op;
  });
  return root;
}

std::string opcodeOf(llvm::StringRef row) {
  // After the shape: a word followed by an opening parenthesis.
  size_t end = row.find('(', row.starts_with("(") ? row.find(") ") : 0);
  while (row[end - 1] == ' ' || row[end - 1] == '(')
    end = row.find('(', end + 1);
  return row.take_front(end).rsplit(' ').second.str();
}

} // namespace

TEST(OpcodeMaps, EveryOpcodeHasThem) {
  size_t count = sizeof(rows) / sizeof(rows[0]);
  std::string actual;
  for (size_t i = 0; i < count; ++i) {
    SCOPED_TRACE(rows[i]);
    ImportedText imported = importText(inContext(rows[i]));
    ASSERT_TRUE(imported.module) << imported.said;
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    registerMapInterfaces(registry);
    imported.context->appendDialectRegistry(registry);
    mlir::Operation *op = rootOf(*imported.module);
    std::string classes, reason;
    indexing::Arena arena;
    for (unsigned k = 0; op && k < op->getNumOperands(); ++k)
      for (unsigned r = 0; r < op->getNumResults(); ++r) {
        MapSet back = mapsOf(op, arena, Direction::OutToIn, k, r),
               forth = mapsOf(op, arena, Direction::InToOut, k, r);
        EXPECT_FALSE(back.empty());
        EXPECT_FALSE(forth.empty());
        // Maps that are inexact in one direction are inexact in the other.
        EXPECT_EQ(back.isExact(), forth.isExact()) << k << " " << r;
        for (const MapSet *maps : {&back, &forth})
          for (const indexing::OperandMap &m : *maps) {
            EXPECT_EQ(m.exact, m.reason.empty());
            if (reason.empty())
              reason = m.reason;
          }
        classes += back.isExact() ? '=' : '~';
      }
    std::string opcode = opcodeOf(rows[i]);
    actual += "    {\"" + opcode + "\", \"" + classes + "\"" +
              (reason.empty() ? "" : ", \"" + reason + "\"") + "},\n";
    if (i >= sizeof(expectations) / sizeof(expectations[0]))
      continue;
    EXPECT_EQ(opcode, expectations[i].opcode);
    EXPECT_EQ(classes, expectations[i].maps);
    EXPECT_NE(reason.find(expectations[i].reason), std::string::npos) << reason;
    EXPECT_EQ(reason.empty(), expectations[i].reason[0] == '\0') << reason;
  }
  EXPECT_EQ(count, sizeof(expectations) / sizeof(expectations[0])) << actual;
}
