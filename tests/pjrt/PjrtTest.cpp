// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugin as a client sees it. test-peers runs it in JAX.

#include "mercator/pjrt/Layout.h"

#include "gtest/gtest.h"

#include <string>
#include <vector>

using namespace mercator::pjrt;

extern "C" const Api *GetPjrtApi(); // NOLINT(readability-identifier-naming)

namespace {

/// Calls a function of the table; the message of its error.
template <typename Args> std::string call(void *function, Args &args) {
  args.size = sizeof(Args);
  Error *error = reinterpret_cast<Error *(*)(Args *)>(function)(&args);
  if (!error)
    return {};
  Text<Error> text = {};
  text.object = error;
  reinterpret_cast<void (*)(Text<Error> *)>(GetPjrtApi()->Error_Message)(&text);
  std::string message(text.text, text.length);
  Of<Error> destroy = {};
  destroy.object = error;
  reinterpret_cast<void (*)(Of<Error> *)>(GetPjrtApi()->Error_Destroy)(
      &destroy);
  return message.empty() ? "an error" : message;
}

class Pjrt : public ::testing::Test {
protected:
  void SetUp() override {
    ClientCreate args = {};
    ASSERT_EQ(call(api.Client_Create, args), "");
    client = args.client;
  }
  void TearDown() override {
    Of<Client> args = {};
    args.object = client;
    EXPECT_EQ(call(api.Client_Destroy, args), "");
  }

  std::string compile(std::string text, Executable *&executable,
                      std::string options = "") {
    Program program = {};
    program.size = sizeof(Program);
    program.code = text.data();
    program.codeLength = text.size();
    program.format = "mlir";
    program.formatLength = 4;
    ClientCompile args = {};
    args.client = client;
    args.program = &program;
    args.options = options.data();
    args.optionsLength = options.size();
    std::string said = call(api.Client_Compile, args);
    executable = args.executable;
    return said;
  }

  Buffer *lend(const float *data, std::vector<int64_t> dims,
               BufferFromHost::Semantics semantics, Event *&done,
               std::vector<int64_t> strides = {}) {
    BufferFromHost args = {};
    args.client = client;
    args.data = data;
    args.type = kF32;
    args.dims = dims.data();
    args.rank = dims.size();
    args.strides = strides.empty() ? nullptr : strides.data();
    args.strideCount = strides.size();
    args.semantics = semantics;
    EXPECT_EQ(call(api.Client_BufferFromHostBuffer, args), "");
    done = args.done;
    return args.buffer;
  }

  std::string execute(Executable *executable, std::vector<Buffer *> inputs,
                      std::vector<Buffer *> &outputs) {
    ExecuteOptions options = {};
    options.size = sizeof(options);
    Buffer *const *inputList = inputs.data();
    Buffer **outputList = outputs.data();
    Event *complete = nullptr;
    Execute args = {};
    args.executable = executable;
    args.options = &options;
    args.inputs = &inputList;
    args.devices = 1;
    args.inputCount = inputs.size();
    args.outputs = &outputList;
    args.complete = &complete;
    std::string said = call(api.LoadedExecutable_Execute, args);
    if (said.empty())
      free(api.Event_Destroy, complete);
    return said;
  }

  std::vector<float> read(Buffer *buffer, size_t count) {
    std::vector<float> values(count);
    BufferToHost args = {};
    args.buffer = buffer;
    args.to = values.data();
    args.bytes = count * sizeof(float);
    EXPECT_EQ(call(api.Buffer_ToHostBuffer, args), "");
    free(api.Event_Destroy, args.event);
    return values;
  }

  template <typename T> void free(void *function, T *object) {
    Of<T> args = {};
    args.object = object;
    EXPECT_EQ(call(function, args), "");
  }
  bool isReady(Event *event) {
    Value<Event, bool> args = {};
    args.object = event;
    EXPECT_EQ(call(api.Event_IsReady, args), "");
    return args.value;
  }
  bool isDeleted(Buffer *buffer) {
    Value<Buffer, bool> args = {};
    args.object = buffer;
    EXPECT_EQ(call(api.Buffer_IsDeleted, args), "");
    return args.value;
  }

  static constexpr int kF32 = 11;
  const Api &api = *GetPjrtApi();
  Client *client = nullptr;
};

TEST_F(Pjrt, RunsAProgram) {
  Executable *twice = nullptr;
  ASSERT_EQ(compile("module @twice { func.func @main(%x: tensor<2x3xf32>) -> "
                    "tensor<2x3xf32> { %0 = stablehlo.add %x, %x : "
                    "tensor<2x3xf32> return %0 : tensor<2x3xf32> } }",
                    twice),
            "");
  Text<Executable> name = {};
  name.object = twice;
  ASSERT_EQ(call(api.Executable_Name, name), "");
  EXPECT_EQ(std::string(name.text, name.length), "twice");

  float x[] = {1, 2, 3, 4, 5, 6};
  Event *done = nullptr;
  // Column-major: the copy is row-major.
  Buffer *columns = lend(x, {2, 3}, BufferFromHost::kDuringCall, done, {4, 8});
  EXPECT_TRUE(isReady(done));
  free(api.Event_Destroy, done);
  std::vector<Buffer *> outputs(1);
  ASSERT_EQ(execute(twice, {columns}, outputs), "");
  EXPECT_EQ(read(outputs[0], 6), (std::vector<float>{2, 6, 10, 4, 8, 12}));
  free(api.Buffer_Destroy, outputs[0]);
  free(api.Buffer_Destroy, columns);
  free(api.LoadedExecutable_Destroy, twice);
}

TEST_F(Pjrt, LendsAnArrayUntilItsBufferIsFreed) {
  alignas(64) float x[] = {1, 2, 3};
  Event *done = nullptr;
  Buffer *buffer = lend(x, {3}, BufferFromHost::kZeroCopy, done);
  EXPECT_FALSE(isReady(done));
  Value<Buffer, uintptr_t> address = {};
  address.object = buffer;
  ASSERT_EQ(call(api.Buffer_UnsafePointer, address), "");
  EXPECT_EQ(address.value, reinterpret_cast<uintptr_t>(x));
  free(api.Buffer_Destroy, buffer);
  EXPECT_TRUE(isReady(done));
  free(api.Event_Destroy, done);
}

TEST_F(Pjrt, DonatedBuffersAreDeleted) {
  Executable *f = nullptr;
  ASSERT_EQ(
      compile("func.func @main(%x: tensor<3xf32> {tf.aliasing_output = 0 : "
              "i32}, %y: tensor<3xf32>) -> tensor<3xf32> { %0 = "
              "stablehlo.subtract %x, %y : tensor<3xf32> return %0 : "
              "tensor<3xf32> }",
              f),
      "");
  float x[] = {1, 2, 3}, y[] = {1, 1, 1};
  Event *done = nullptr;
  Buffer *a = lend(x, {3}, BufferFromHost::kDuringCall, done);
  free(api.Event_Destroy, done);
  Buffer *b = lend(y, {3}, BufferFromHost::kDuringCall, done);
  free(api.Event_Destroy, done);
  std::vector<Buffer *> outputs(1);
  ASSERT_EQ(execute(f, {a, b}, outputs), "");
  EXPECT_EQ(read(outputs[0], 3), (std::vector<float>{0, 1, 2}));
  EXPECT_TRUE(isDeleted(a));
  EXPECT_FALSE(isDeleted(b));
  free(api.Buffer_Destroy, outputs[0]);
  // It cannot be used again.
  EXPECT_NE(execute(f, {a, b}, outputs).find("deleted or donated"),
            std::string::npos);
  free(api.Buffer_Destroy, a);
  free(api.Buffer_Destroy, b);
  free(api.LoadedExecutable_Destroy, f);
}

TEST_F(Pjrt, ErrorsSayWhatAndWhere) {
  Executable *f = nullptr;
  std::string said =
      compile("func.func @main(%x: tensor<4xf32>) -> tensor<5xf32> {\n"
              "  %0 = stablehlo.slice %x [0:5] : (tensor<4xf32>) -> "
              "tensor<5xf32> loc(\"f.py\":3:4)\n  return %0 : tensor<5xf32>\n}",
              f);
  EXPECT_NE(said.find("expected limit 0 within [0, 4], got 5"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("written at f.py:3"), std::string::npos) << said;
  EXPECT_NE(compile("not a program", f), "");
  EXPECT_NE(compile(std::string("ML\xEFR\0", 5), f), "");
  // CompileOptionsProto: executable_build_options { num_partitions: 2 }
  EXPECT_NE(compile("func.func @main() { return }", f, "\x1a\x02\x28\x02")
                .find("expected a program for one device, got 1 replicas and 2 "
                      "partitions"),
            std::string::npos);
  // A function that the plugin does not have.
  Head nothing = {};
  EXPECT_NE(call(api.Client_DmaMap, nothing).find("does not have"),
            std::string::npos);
}

} // namespace
