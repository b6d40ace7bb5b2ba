// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of the rows of tables/*.maps; tables/README.md defines a row.

#include "Program.h"

#include "mercator/support/File.h"
#include "tests/Folders.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest-spi.h"

using namespace mercator;
using namespace mercator::testing;

//===--- Reading a table --------------------------------------------------===//

namespace {
/// The maps of some operands, which are alike, and of one result.
struct MapRow {
  std::string place;   ///< file:line of the row
  std::string section; ///< its name
  std::string arguments, operation;
  std::vector<unsigned> operands;
  unsigned result = 0;
  std::vector<std::string> outToIn, inToOut;
};

struct MapTable {
  std::vector<MapRow> rows;
  std::vector<std::string> errors; ///< file:line: what was expected
};

class TableReader {
public:
  explicit TableReader(llvm::StringRef file) : file(file.str()) {}

  MapTable read(llvm::StringRef text) {
    for (llvm::StringRef line : llvm::split(text, '\n')) {
      ++number;
      line = line.rtrim();
      if (!line.empty() && !line.starts_with("#"))
        readLine(line);
    }
    finishProgram();
    return std::move(table);
  }

private:
  void readLine(llvm::StringRef line) {
    bool isIndented = line.consume_front("    ");
    if (isIndented && state == State::Program) {
      program.operation += line.str() + "\n";
    } else if (isIndented && state == State::Row) {
      readMap(line);
    } else if (isIndented) {
      error("a program before its operation and its maps");
    } else if (line.consume_front("program")) {
      finishProgram();
      if (program.section.empty())
        error("a [Section] before its first program");
      state = State::Program;
      program.arguments = line.trim().str();
      program.operation.clear();
    } else if (line.consume_front("operand ")) {
      finishRow();
      readRow(line);
    } else if (line.consume_front("[") && line.consume_back("]")) {
      finishProgram();
      program.section = line.str();
    } else {
      error("[Section], program or operand");
    }
  }

  /// `0`, `1 2 3`, `0, result 1`.
  void readRow(llvm::StringRef line) {
    if (state == State::None)
      return error("a program before its operands");
    if (program.operation.empty())
      error("an operation in the program");
    state = State::Row;
    MapRow row = program;
    row.place = here();
    auto [operands, result] = line.split(", result ");
    bool isWrong = !result.empty() && result.getAsInteger(10, row.result);
    for (llvm::StringRef word : llvm::split(operands, ' '))
      isWrong |= word.getAsInteger(10, row.operands.emplace_back());
    if (isWrong)
      error("numbers of operands, and `, result` and its number");
    table.rows.push_back(std::move(row));
  }

  void readMap(llvm::StringRef line) {
    MapRow &row = table.rows.back();
    if (line.consume_front("out-to-in  "))
      row.outToIn.push_back(line.str());
    else if (line.consume_front("in-to-out  "))
      row.inToOut.push_back(line.str());
    else
      error("out-to-in or in-to-out, and a map");
  }

  void finishRow() {
    if (state != State::Row)
      return;
    const MapRow &row = table.rows.back();
    if (row.outToIn.empty() || row.inToOut.empty())
      table.errors.push_back(row.place + ": expected maps in both directions");
  }

  void finishProgram() {
    finishRow();
    if (state == State::Program)
      error("an operand of the program");
    state = State::None;
  }

  [[nodiscard]] std::string here() const {
    return file + ":" + std::to_string(number);
  }
  void error(const char *expected) {
    table.errors.push_back(here() + ": expected " + expected);
  }

  enum class State { None, Program, Row } state = State::None;
  std::string file;
  unsigned number = 0;
  MapRow program; ///< its section, arguments and operation
  MapTable table;
};

MapTable readTable(llvm::StringRef file, llvm::StringRef text) {
  return TableReader(file).read(text);
}

/// Expects that the last operation of the program has these maps. A failure
/// names the place of the row.
void check(const MapRow &row) {
  SCOPED_TRACE(row.place + ": [" + row.section + "]\n" + row.operation);
  Program program(around(row.operation, row.arguments));
  ASSERT_TRUE(program.module);
  mlir::Operation *op =
      program.function("f").getBody().front().getTerminator()->getPrevNode();
  auto texts = [](const std::vector<std::string> &maps) {
    return std::vector<llvm::StringRef>(maps.begin(), maps.end());
  };
  for (unsigned operand : row.operands) {
    SCOPED_TRACE("operand " + std::to_string(operand));
    ASSERT_LT(operand, op->getNumOperands());
    ASSERT_LT(row.result, op->getNumResults());
    Arena arena;
    expectMaps(arena, mapsOf(op, arena, kOut, operand, row.result),
               texts(row.outToIn));
    expectMaps(arena, mapsOf(op, arena, kIn, operand, row.result),
               texts(row.inToOut));
  }
}

//===--- Tests ------------------------------------------------------------===//

constexpr llvm::StringLiteral kReverse = R"(# A comment.

[Reverse]
program %p0: tensor<4xf32>
    %0 = stablehlo.reverse %p0, dims = [0] : tensor<4xf32>
operand 0
    out-to-in  (d0) -> (3 - d0), domain: d0 in [0, 3]
    in-to-out  (d0) -> (3 - d0), domain: d0 in [0, 3]
)";

TEST(MapTables, EachRowIsRight) {
  std::error_code code;
  size_t files = 0, rows = 0;
  for (llvm::sys::fs::directory_iterator
           it(sourceFolder() + "/tests/analysis/maps/tables", code),
       end;
       !code && it != end; it.increment(code)) {
    llvm::StringRef path = it->path();
    if (!path.ends_with(".maps"))
      continue;
    ++files;
    std::string text = llvm::cantFail(readFile(path.str()));
    MapTable table = readTable(path.rsplit('/').second, text);
    for (const std::string &error : table.errors)
      ADD_FAILURE() << error;
    for (const MapRow &row : table.rows) {
      check(row);
      rows += row.operands.size();
    }
  }
  EXPECT_GE(files, 9u);
  EXPECT_GE(rows, 88u);
}

TEST(MapTables, RowsOfAText) {
  MapTable table = readTable("t.maps", kReverse.str() + R"(operand 1 2, result 3
    out-to-in  ~(d0) -> (0)
    out-to-in  (d0) -> (1)
    in-to-out  (d0) -> (2)
)");
  EXPECT_EQ(table.errors, std::vector<std::string>());
  ASSERT_EQ(table.rows.size(), 2u);
  const MapRow &first = table.rows[0], &second = table.rows[1];
  EXPECT_EQ(first.place, "t.maps:6");
  EXPECT_EQ(first.section, "Reverse");
  EXPECT_EQ(first.arguments, "%p0: tensor<4xf32>");
  EXPECT_EQ(first.operands, std::vector<unsigned>{0});
  EXPECT_EQ(first.outToIn.size(), 1u);
  check(first);
  EXPECT_EQ(second.place, "t.maps:9");
  EXPECT_EQ(second.operation, first.operation);
  EXPECT_EQ(second.operands, (std::vector<unsigned>{1, 2}));
  EXPECT_EQ(second.result, 3u);
  EXPECT_EQ(second.outToIn,
            (std::vector<std::string>{"~(d0) -> (0)", "(d0) -> (1)"}));
  EXPECT_EQ(second.inToOut, std::vector<std::string>{"(d0) -> (2)"});
}

TEST(MapTables, AFailureNamesItsRow) {
  static MapRow row; // the macro takes statics only
  row = readTable("t.maps", kReverse).rows[0];
  row.outToIn = {"(d0) -> (d0), domain: d0 in [0, 3]"};
  EXPECT_NONFATAL_FAILURE(check(row), "t.maps:6: [Reverse]");
}

TEST(MapTables, ErrorsOfAText) {
  struct Row {
    const char *text, *error;
  };
  const Row rows[] = {
      {"operands 0", "t.maps:1: expected [Section], program or operand"},
      {"[A]\noperand 0", "t.maps:2: expected a program before its operands"},
      {"[A]\n    out-to-in  (d0) -> (d0)",
       "t.maps:2: expected a program before its operation and its maps"},
      {"[A]\nprogram\n    %0 = a.b", "t.maps:3: expected an operand"},
      {"program\n    %0 = a.b\n",
       "t.maps:1: expected a [Section] before its first program"},
      {"[A]\nprogram\noperand 0", "t.maps:3: expected an operation"},
      {"[A]\nprogram\n    %0 = a.b\noperand x",
       "t.maps:4: expected numbers of operands"},
      {"[A]\nprogram\n    %0 = a.b\noperand 0, result x",
       "t.maps:4: expected numbers of operands"},
      {"[A]\nprogram\n    %0 = a.b\noperand 0\n    out-to-in (d0) -> (d0)",
       "t.maps:5: expected out-to-in or in-to-out, and a map"},
      {"[A]\nprogram\n    %0 = a.b\noperand 0\n    out-to-in  (d0) -> (d0)\n"
       "operand 1",
       "t.maps:4: expected maps in both directions"},
  };
  for (const Row &row : rows) {
    MapTable table = readTable("t.maps", row.text);
    ASSERT_FALSE(table.errors.empty()) << row.text;
    EXPECT_TRUE(llvm::StringRef(table.errors[0]).starts_with(row.error))
        << "expected " << row.error << "\ngot " << table.errors[0];
  }
}

} // namespace
