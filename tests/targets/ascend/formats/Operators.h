// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every operator of the registry with every supported element type, as a graph:
// from Inputs/operators.txt.

#ifndef MERCATOR_TESTS_TARGETS_ASCEND_FORMATS_OPERATORS_H
#define MERCATOR_TESTS_TARGETS_ASCEND_FORMATS_OPERATORS_H

#include "mercator/dialects/ascend/Registry.h"
#include "tests/targets/ascend/formats/Graphs.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <map>
#include <set>

namespace mercator::ascend {

inline constexpr llvm::StringLiteral kOperatorPrelude = R"(
ascend.graph @main {
  %x = ascend.Data {index = 0, name = "x"} : tensor<2x3xT>
  %y = ascend.Data {index = 1, name = "y"} : tensor<2x3xT>
  %z = ascend.Data {index = 2, name = "z"} : tensor<2x4x3xT>
  %s = ascend.Data {index = 3, name = "s"} : tensor<T>
  %i = ascend.Data {index = 4, name = "i"} : tensor<2x1xi64>
  %j = ascend.Data {index = 5, name = "j"} : tensor<2x3xi32>
  %b = ascend.Data {index = 6, name = "b"} : tensor<2x3xi1>
  %image = ascend.Data {index = 7, name = "image"} : tensor<2x4x5x6xT>
  %kernel = ascend.Data {index = 8, name = "kernel"} : tensor<6x2x3x2xT>
  %volume = ascend.Data {index = 9, name = "volume"} : tensor<1x2x3x4x5xT>
  %cube = ascend.Data {index = 10, name = "cube"} : tensor<3x2x2x2x2xT>
  %v = ascend.Data {index = 11, name = "v"} : tensor<3xT>
  %zero = ascend.Const dense<0> : tensor<i64>
  %first = ascend.Const dense<1> : tensor<1xi64>
  %axis = ascend.Const dense<2> : tensor<1xi64>
  %perm = ascend.Const dense<[2, 0, 1]> : tensor<3xi64>
  %flat = ascend.Const dense<-1> : tensor<1xi64>
  %wide = ascend.Const dense<[4, 2, 3]> : tensor<3xi64>
  %ones = ascend.Const dense<1> : tensor<2xi64>
  %zeros = ascend.Const dense<0> : tensor<2xi64>
  %sizes = ascend.Const dense<[1, -1]> : tensor<2xi64>
  %extents = ascend.Const dense<[2, 3]> : tensor<2xi64>
  %steps = ascend.Const dense<[1, 2]> : tensor<2xi64>
  %pads = ascend.Const dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>
  %both = ascend.Const dense<[0, -1]> : tensor<2xi64>
  %places = ascend.Const dense<[[1, 0, 1], [0, 0, 1]]> : tensor<2x3xi64>
  %two = ascend.Const dense<2> : tensor<i32>
  %r = ascend.)";

/// Calls `use` with the operator's name, the type and the graph.
inline void forEveryOperator(
    Graphs &graphs,
    llvm::function_ref<void(llvm::StringRef, GeType, mlir::ModuleOp)> use) {
  auto file =
      llvm::MemoryBuffer::getFile(MERCATOR_ASCEND_INPUTS "/operators.txt");
  ASSERT_TRUE(file);
  std::set<std::string> seen;
  for (llvm::StringRef line : llvm::split((*file)->getBuffer(), '\n')) {
    auto [names, rest] = line.split(" = ");
    if (line.empty() || line.starts_with("#"))
      continue;
    llvm::StringRef result = rest.rsplit(" -> ").second;
    // One result, or several in parentheses.
    std::string results = "%r";
    size_t count = 1;
    if (result.consume_front("(") && result.consume_back(")")) {
      count = result.count("tensor<");
      results = "%r#0";
      for (size_t i = 1; i < count; ++i)
        results += ", %r#" + std::to_string(i);
    }
    for (llvm::StringRef name : llvm::split(names, ' '))
      for (unsigned type = 0; type < kGeTypes; ++type) {
        std::string element;
        llvm::raw_string_ostream(element)
            << elementType(GeType(type), &graphs.context);
        std::string text = kOperatorPrelude.str() + name.str() + rest.str() +
                           "\n  ascend.NetOutput " + results + " : " +
                           result.str() + "\n}";
        if (count > 1)
          text.replace(text.find("%r = "), 5,
                       "%r:" + std::to_string(count) + " = ");
        for (size_t at = 0; (at = text.find("T>", at)) != std::string::npos;
             at += element.size())
          text.replace(at, 1, element);
        graphs.messages.clear();
        mlir::OwningOpRef<mlir::ModuleOp> module = graphs.parse(text);
        if (!module) {
          // The registry refuses the type, and there is no other error.
          EXPECT_NE(graphs.messages.find("' of "), std::string::npos)
              << name.str() << " of " << element << ": " << graphs.messages;
          continue;
        }
        seen.insert(name.str());
        SCOPED_TRACE(name.str() + " of " + element);
        use(name, GeType(type), *module);
      }
  }
  for (const Operator &entry : allOperators())
    EXPECT_TRUE(seen.contains(entry.name.str()))
        << "add to Inputs/operators.txt: " << entry.name.str();
}

/// `Pow: int8 uint8`, one a line: the types that a writer refuses, each with a
/// message that names the operator and the type.
class Refusals {
public:
  void add(llvm::StringRef name, GeType type, llvm::StringRef message) {
    EXPECT_NE(message.find(("'ascend." + name + "' op expected").str()),
              llvm::StringRef::npos)
        << message.str();
    rows[name.str()].insert(ascend::name(type).str());
  }
  /// All except types whose name has this prefix.
  [[nodiscard]] std::string without(llvm::StringRef prefix) const {
    std::string text;
    for (const auto &[name, types] : rows) {
      std::string line;
      for (llvm::StringRef type : types)
        if (prefix.empty() || !type.starts_with(prefix))
          line += " " + type.str();
      if (!line.empty())
        text += name + ":" + line + "\n";
    }
    return text;
  }

private:
  std::map<std::string, std::set<std::string>> rows;
};

} // namespace mercator::ascend

#endif // MERCATOR_TESTS_TARGETS_ASCEND_FORMATS_OPERATORS_H
