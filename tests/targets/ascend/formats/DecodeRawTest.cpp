// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A file as protoc decodes it without a schema: the numbers of all fields.

#include "tests/targets/ascend/formats/Graphs.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "gtest/gtest.h"

using namespace mercator;
using namespace mercator::ascend;
using mlir::ModuleOp;
using mlir::OwningOpRef;

/// The output of `protoc --decode_raw`, on one line.
static std::string decodeRaw(llvm::StringRef protoc, llvm::StringRef bytes) {
  llvm::SmallString<64> in, out;
  int handle = -1;
  if (llvm::sys::fs::createTemporaryFile("mercator", "air", handle, in) ||
      llvm::sys::fs::createTemporaryFile("mercator", "txt", out))
    return "";
  llvm::scope_exit remove([&] {
    llvm::sys::fs::remove(in);
    llvm::sys::fs::remove(out);
  });
  llvm::raw_fd_ostream(handle, /*shouldClose=*/true) << bytes;
  std::optional<llvm::StringRef> redirects[] = {in.str(), out.str(),
                                                std::nullopt};
  int rc = llvm::sys::ExecuteAndWait(protoc, {protoc, "--decode_raw"},
                                     std::nullopt, redirects);
  auto text = llvm::MemoryBuffer::getFile(out);
  if (rc != 0 || !text)
    return "";
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString((*text)->getBuffer(), words);
  std::string line = llvm::join(words, " ");
  // "x0" could be a message, field 15 of which is 48.
  for (llvm::StringRef number : {"0", "1"}) {
    std::string guess = "{ 15: " + std::to_string(int(number[0])) + " }";
    for (size_t at; (at = line.find(guess)) != std::string::npos;)
      line.replace(at - 1, guess.size() + 1, ": \"x" + number.str() + "\"");
  }
  return line;
}

TEST(AirBytes, NumbersOfFields) {
  auto protoc = llvm::sys::findProgramByName("protoc");
  if (!protoc)
    GTEST_SKIP() << "there is no protoc, which scripts/setup installs";
  Graphs graphs;
  OwningOpRef<ModuleOp> module = graphs.parse(R"(
      ascend.graph @g {
        %x = ascend.Data {index = 0} : tensor<?xui8>
        %c = ascend.Const dense<[true, false]> : tensor<2xi1> loc("c")
        %y = ascend.Cast(%x) {dst_type = 12} : (tensor<?xui8>) -> tensor<?xi1>
        %z = ascend.Pack(%y, %y) {N = 2} : (tensor<?xi1>, tensor<?xi1>) -> tensor<2x?xi1>
        ascend.NetOutput %c, %z : tensor<2xi1>, tensor<2x?xi1>
      })");
  ASSERT_TRUE(module) << graphs.messages;
  // A description: 2 is the type, 3 the shape, 5 the annotations.
  auto desc = [](std::string name, std::string type, std::string dims,
                 std::string ranges = "") {
    if (!name.empty())
      name = "1: \"" + name + "\" ";
    return "{ " + name + "2: " + type + " 3 { 1: \"" + dims +
           "\" } 4: \"ND\" 5 { 1: \"format_for_int\" 2 { 3: 2 } } 5 { 1: "
           "\"origin_format\" 2 { 2: \"ND\" } } 5 { 1: "
           "\"origin_format_for_int\" "
           "2 { 3: 2 } } 5 { 1: \"origin_shape\" 2 { 1 { 3: \"" +
           dims +
           "\" 20: 2 } } } 5 { 1: \"origin_shape_initialized\" 2 { 5: 1 } } " +
           ranges + "14: \"NPU\" } ";
  };
  auto names = [](std::string which, std::string keys, std::string values) {
    return "10 { 1: \"_" + which + "_name_key\" 2 { 1 { " + keys +
           " } } } 10 { 1: \"_" + which + "_name_value\" 2 { 1 { 3: \"" +
           values + "\" } } } ";
  };
  std::string one = R"(\000)", two = R"(\000\001)",
              any = R"(\377\377\377\377\377\377\377\377\377\001)";
  // The range of the input: at least 0, without a limit.
  std::string range = R"(2 { 14 { 1 { 1: "\000)" + any + R"(" } } } } )";
  std::string ranges = R"(5 { 1: "origin_shape_range" )" + range +
                       R"(5 { 1: "shape_range" )" + range;
  std::string y = names("output", R"(2: "y")", one);
  EXPECT_EQ(
      decodeRaw(*protoc, graphs.air(*module)),
      R"(7 { 1: "g" 4: "input0:0" )"
      R"(6 { 1: "input0" 2: "Data" 5: "" )" +
          names("input", R"(2: "x")", one) + y +
          R"(10 { 1: "index" 2 { 3: 0 } } 33 )" + desc("x", "4", any, ranges) +
          "34 " + desc("y", "4", any, ranges) + R"(} 6 { 1: "c" 2: "Const" )" +
          y + R"(10 { 1: "value" 2 { 12 { 1 )" + desc("", "11", R"(\002)") +
          R"(2: "\001\000" } } } 21: 1 34 )" + desc("y", "11", R"(\002)") +
          R"(} 6 { 1: "Cast_0" 2: "Cast" 5: "input0:0" )" +
          names("input", R"(2: "x")", one) + y +
          R"(10 { 1: "dst_type" 2 { 3: 12 } } 21: 2 33 )" +
          desc("x", "4", any) + "34 " + desc("y", "11", any) +
          R"(} 6 { 1: "Pack_0" 2: "Pack" 5: "Cast_0:0" 5: "Cast_0:0" )"
          R"(10 { 1: "N" 2 { 3: 2 } } )" +
          names("input", R"(2: "x0" 2: "x1")", two) + y +
          R"(10 { 1: "axis" 2 { 3: 0 } } 21: 3 33 )" + desc("x0", "11", any) +
          "33 " + desc("x1", "11", any) + "34 " +
          desc("y", "11", R"(\002)" + any) +
          R"(} 6 { 1: "NetOutput" 2: "NetOutput" 5: "c:0" 5: "Pack_0:0" )" +
          names("input", R"(2: "input0" 2: "input1")", two) + "21: 4 33 " +
          desc("input0", "11", R"(\002)") + "33 " +
          desc("input1", "11", R"(\002)" + any) + "} }");
}
