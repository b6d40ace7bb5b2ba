// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs in MLIR text, and maps in the notation, compared by meaning.

#ifndef MERCATOR_TESTS_ANALYSIS_MAPS_PROGRAM_H
#define MERCATOR_TESTS_ANALYSIS_MAPS_PROGRAM_H

#include "mercator/analysis/maps/FusionMaps.h"
#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/Register.h"
#include "mercator/indexing/decide/Prove.h"
#include "mercator/indexing/notation/Notation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <string>
#include <vector>

namespace mercator::testing {

using indexing::Arena;
using indexing::Direction;
using indexing::Map;
using indexing::MapSet;
using indexing::OperandMap;

inline constexpr auto kOut = Direction::OutToIn;
inline constexpr auto kIn = Direction::InToOut;

/// A module, parsed and verified.
class Program {
public:
  explicit Program(llvm::StringRef text) {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    registerMapInterfaces(registry);
    context.appendDialectRegistry(registry);
    module = mlir::parseSourceString<mlir::ModuleOp>(
        text, mlir::ParserConfig(&context));
    EXPECT_TRUE(module) << text.str();
  }
  mlir::func::FuncOp function(llvm::StringRef name) {
    return module->lookupSymbol<mlir::func::FuncOp>(name);
  }
  /// The first operation of that name, anywhere.
  mlir::Operation *find(llvm::StringRef name) {
    mlir::Operation *found = nullptr;
    module->walk([&](mlir::Operation *op) {
      if (op->getName().getStringRef() != name)
        return mlir::WalkResult::advance();
      found = op;
      return mlir::WalkResult::interrupt();
    });
    EXPECT_TRUE(found) << name.str();
    return found;
  }
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// The text of a program with one operation, in a function of `arguments`.
inline std::string around(llvm::StringRef operation,
                          llvm::StringRef arguments) {
  return ("func.func @f(" + arguments + ") { " + operation + "\n return }")
      .str();
}

inline Map parse(Arena &arena, llvm::StringRef text) {
  indexing::ParseError error;
  std::optional<Map> map = indexing::parseMap(arena, text, error);
  EXPECT_TRUE(map) << text.str() << "\n" << error.message;
  return map ? *map : Map(arena);
}

inline std::string toString(const MapSet &maps) {
  std::string out;
  for (const OperandMap &m : maps)
    out += "\n  " + indexing::toString(m.map) +
           (m.exact ? "" : " [" + m.reason + "]");
  return out.empty() ? "\n  nothing" : out;
}

/// Expects that the maps of a set, in order, mean the same as the texts. "~"
/// precedes a map that is not exact.
inline void expectMaps(Arena &arena, const MapSet &maps,
                       llvm::ArrayRef<llvm::StringRef> expected) {
  std::string all = toString(maps);
  ASSERT_EQ(maps.size(), expected.size()) << all;
  for (size_t i = 0; i < expected.size(); ++i) {
    const OperandMap &m = maps[i];
    llvm::StringRef text = expected[i];
    bool exact = !text.consume_front("~");
    EXPECT_EQ(m.exact, exact) << all;
    EXPECT_EQ(m.reason.empty(), exact) << all;
    // Sources are not compared here.
    Map got = m.map, want = parse(arena, text);
    for (indexing::RuntimeVariable &v : got.domain.runtimes)
      v = {v.bounds};
    indexing::Verdict verdict = indexing::prove(got, want);
    EXPECT_EQ(verdict.kind, indexing::Decision::Kind::Yes)
        << "expected " << text.str() << "\ngot " << all << "\n"
        << verdict.reason;
  }
}

/// The text of an operation, and the expected maps of one operand and one
/// result.
struct Case {
  const char *arguments, *operation, *name;
  unsigned operand;
  std::vector<llvm::StringRef> outToIn, inToOut;
  unsigned result = 0;
};

inline void check(const Case &c) {
  SCOPED_TRACE(c.operation);
  SCOPED_TRACE("operand " + std::to_string(c.operand) + " result " +
               std::to_string(c.result));
  Program program(around(c.operation, c.arguments));
  ASSERT_TRUE(program.module);
  mlir::Operation *op = program.find(c.name);
  Arena arena;
  expectMaps(arena, mapsOf(op, arena, kOut, c.operand, c.result), c.outToIn);
  expectMaps(arena, mapsOf(op, arena, kIn, c.operand, c.result), c.inToOut);
}

} // namespace mercator::testing

#endif // MERCATOR_TESTS_ANALYSIS_MAPS_PROGRAM_H
