// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A writer whose files are parsed as messages of its schema.

#ifndef MERCATOR_TESTS_TARGETS_ASCEND_FORMATS_WRITING_H
#define MERCATOR_TESTS_TARGETS_ASCEND_FORMATS_WRITING_H

#include "tests/targets/ascend/formats/Graphs.h"

#include "gtest/gtest.h"

namespace mercator::ascend {

template <typename Message,
          llvm::LogicalResult (*writer)(GraphOp, llvm::raw_ostream &)>
class Writing : public ::testing::Test {
protected:
  /// Nothing on failure.
  std::optional<Message> write(mlir::ModuleOp module) {
    graphs.messages.clear();
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    if (failed(writer(Graphs::graph(module), os))) {
      EXPECT_EQ(bytes, "") << "bytes were written";
      return std::nullopt;
    }
    Message message;
    EXPECT_TRUE(message.ParseFromString(bytes));
    return message;
  }
  std::optional<Message> write(llvm::StringRef text) {
    mlir::OwningOpRef<mlir::ModuleOp> module = graphs.parse(text);
    if (!module) {
      ADD_FAILURE() << graphs.messages;
      return std::nullopt;
    }
    return write(*module);
  }
  void refuse(llvm::StringRef text, llvm::StringRef why) {
    EXPECT_FALSE(write(text));
    EXPECT_NE(graphs.messages.find(why.str()), std::string::npos)
        << graphs.messages;
  }
  void refuseWhatNoFileHolds() {
    refuse(R"(
ascend.graph @large {
  %c = ascend.Const dense<0.0> : tensor<30000x30000xf32>
  ascend.NetOutput %c : tensor<30000x30000xf32>
})",
           "expected constants of less than 2 GiB together");
    refuse(R"(
ascend.graph @elided {
  %c = ascend.Const dense_resource<__elided__> : tensor<3xf32>
  ascend.NetOutput %c : tensor<3xf32>
})",
           "expected the elements of the constant, which the text omits");
  }

  Graphs graphs;
};

} // namespace mercator::ascend

#endif // MERCATOR_TESTS_TARGETS_ASCEND_FORMATS_WRITING_H
