// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A client of the plugin, for tests.

#ifndef MERCATOR_TESTS_PJRT_PLUGIN_H
#define MERCATOR_TESTS_PJRT_PLUGIN_H

#include "mercator/pjrt/Layout.h"

#include "gtest/gtest.h"

#include <string>
#include <vector>

extern "C" const mercator::pjrt::Api *
GetPjrtApi(); // NOLINT(readability-identifier-naming)

namespace mercator::pjrt {

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

  /// With `complete`, the caller waits for the end of the program and frees the event.
  std::string execute(Executable *executable, std::vector<Buffer *> inputs,
                      std::vector<Buffer *> &outputs,
                      Event **complete = nullptr) {
    ExecuteOptions options = {};
    options.size = sizeof(options);
    Buffer *const *inputList = inputs.data();
    Buffer **outputList = outputs.data();
    Event *done = nullptr;
    Execute args = {};
    args.executable = executable;
    args.options = &options;
    args.inputs = &inputList;
    args.devices = 1;
    args.inputCount = inputs.size();
    args.outputs = &outputList;
    args.complete = &done;
    std::string said = call(api.LoadedExecutable_Execute, args);
    if (!said.empty())
      return said;
    if (complete) {
      *complete = done;
      return said;
    }
    said = wait(done);
    free(api.Event_Destroy, done);
    return said;
  }

  /// The message of the error that has happened, if one has.
  std::string wait(Event *event) {
    Of<Event> args = {};
    args.object = event;
    return call(api.Event_Await, args);
  }

  std::vector<float> read(Buffer *buffer, size_t count) {
    std::vector<float> values(count);
    BufferToHost args = {};
    args.buffer = buffer;
    args.to = values.data();
    args.bytes = count * sizeof(float);
    EXPECT_EQ(call(api.Buffer_ToHostBuffer, args), "");
    EXPECT_EQ(wait(args.event), "");
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

  uintptr_t addressOf(Buffer *buffer) {
    Value<Buffer, uintptr_t> args = {};
    args.object = buffer;
    EXPECT_EQ(call(api.Buffer_UnsafePointer, args), "");
    return args.value;
  }

  static constexpr int kF32 = 11;
  const Api &api = *GetPjrtApi();
  Client *client = nullptr;
};

} // namespace mercator::pjrt

#endif // MERCATOR_TESTS_PJRT_PLUGIN_H
