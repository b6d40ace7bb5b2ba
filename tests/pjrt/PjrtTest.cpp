// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugin as a client sees it. test-peers runs it in JAX.

#include "Plugin.h"

#include <cmath>
#include <map>

using namespace mercator::pjrt;

namespace {

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

TEST_F(Pjrt, AnUpdatedResultLiesInTheDonatedBuffer) {
  Executable *f = nullptr;
  ASSERT_EQ(
      compile("func.func @main(%x: tensor<100x4xf32> {tf.aliasing_output = 0 "
              ": i32}, %y: tensor<1x4xf32>) -> tensor<100x4xf32> { %i = "
              "stablehlo.constant dense<1> : tensor<i32> %0 = "
              "stablehlo.dynamic_update_slice %x, %y, %i, %i : "
              "(tensor<100x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) "
              "-> tensor<100x4xf32> return %0 : tensor<100x4xf32> }",
              f),
      "");
  std::vector<float> x(400, 1), y = {5, 6, 7, 8};
  Event *done = nullptr;
  Buffer *b = lend(y.data(), {1, 4}, BufferFromHost::kDuringCall, done);
  free(api.Event_Destroy, done);
  for (auto semantics :
       {BufferFromHost::kDuringCall, BufferFromHost::kZeroCopy}) {
    Buffer *a = lend(x.data(), {100, 4}, semantics, done);
    std::vector<Buffer *> outputs(1);
    ASSERT_EQ(execute(f, {a, b}, outputs), "");
    EXPECT_TRUE(isDeleted(a));
    free(api.Buffer_Destroy, a);
    EXPECT_EQ(read(outputs[0], 400)[4], 5);
    EXPECT_EQ(x[4], 1) << "an array of the client was written";
    EXPECT_TRUE(isReady(done));
    free(api.Event_Destroy, done);
    if (semantics == BufferFromHost::kZeroCopy) {
      free(api.Buffer_Destroy, outputs[0]);
      continue;
    }
    // Nobody has its address: the next result lies where it was.
    std::vector<Buffer *> next(1), last(1);
    ASSERT_EQ(execute(f, {outputs[0], b}, next), "");
    uintptr_t before = addressOf(next[0]);
    // Now the test has the address, and the bytes stay.
    ASSERT_EQ(execute(f, {next[0], b}, last), "");
    EXPECT_NE(addressOf(last[0]), before);
    for (Buffer *buffer : {outputs[0], next[0], last[0]})
      free(api.Buffer_Destroy, buffer);
  }
  MemoryStatistics memory = {};
  memory.executable = f;
  ASSERT_EQ(call(api.Executable_GetCompiledMemoryStats, memory), "");
  EXPECT_EQ(memory.aliases, 1600);
  EXPECT_EQ(memory.temporaries, 0);
  free(api.Buffer_Destroy, b);
  free(api.LoadedExecutable_Destroy, f);
}

TEST_F(Pjrt, BytesStayWhileTheClientRefersToThem) {
  float x[] = {1, 2, 3};
  Event *done = nullptr;
  Buffer *buffer = lend(x, {3}, BufferFromHost::kDuringCall, done);
  free(api.Event_Destroy, done);
  free(api.Buffer_IncreaseExternalReferenceCount, buffer);
  const auto *bytes = reinterpret_cast<const float *>(addressOf(buffer));
  free(api.Buffer_Delete, buffer);
  EXPECT_TRUE(isDeleted(buffer));
  EXPECT_EQ(bytes[2], 3);
  free(api.Buffer_DecreaseExternalReferenceCount, buffer);
  free(api.Buffer_Destroy, buffer);
}

/// Adds 1 to x, n times.
static constexpr const char *kCounts =
    "func.func @main(%x: tensor<f32>, %n: tensor<f32>) -> tensor<f32> {\n"
    "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %one = stablehlo.constant dense<1.0> : tensor<f32>\n"
    "  %0:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<f32>, tensor<f32>\n"
    "    cond { %c = stablehlo.compare LT, %i, %n : (tensor<f32>, "
    "tensor<f32>) -> tensor<i1> stablehlo.return %c : tensor<i1> }\n"
    "    do { %j = stablehlo.add %i, %one : tensor<f32>\n"
    "         %e = stablehlo.sine %s : tensor<f32>\n"
    "         %t = stablehlo.add %e, %one : tensor<f32>\n"
    "         stablehlo.return %j, %t : tensor<f32>, tensor<f32> }\n"
    "  return %0#1 : tensor<f32> }";

TEST_F(Pjrt, ALongProgramRunsWhileTheClientGoesOn) {
  Executable *f = nullptr;
  ASSERT_EQ(compile(kCounts, f), "");
  float zero = 0, many = 2e6, few = 1;
  Event *done = nullptr, *ran = nullptr, *ready = nullptr;
  auto scalar = [&](const float &value) {
    Buffer *buffer = lend(&value, {}, BufferFromHost::kDuringCall, done);
    free(api.Event_Destroy, done);
    return buffer;
  };
  Buffer *x = scalar(zero), *n = scalar(many), *one = scalar(few);
  std::vector<Buffer *> first(1), second(1);
  ASSERT_EQ(execute(f, {x, n}, first, &ran), "");
  EXPECT_FALSE(isReady(ran));
  Value<Buffer, Event *> args = {};
  args.object = first[0];
  ASSERT_EQ(call(api.Buffer_ReadyEvent, args), "");
  ready = args.value;
  EXPECT_FALSE(isReady(ready));
  // A program that needs the result is accepted before it is there.
  ASSERT_EQ(execute(f, {first[0], one}, second, &done), "");
  int calls = 0;
  EventOnReady on = {};
  on.event = ready;
  on.callback = [](Error *error, void *data) {
    EXPECT_EQ(error, nullptr);
    ++*static_cast<int *>(data);
  };
  on.data = &calls;
  ASSERT_EQ(call(api.Event_OnReady, on), "");
  // The inputs may be freed now.
  for (Buffer *buffer : {x, n, one})
    free(api.Buffer_Destroy, buffer);
  float value = read(first[0], 1)[0];
  EXPECT_EQ(wait(ran), "");
  EXPECT_EQ(calls, 1);
  EXPECT_FLOAT_EQ(read(second[0], 1)[0], std::sin(value) + 1);
  for (Event *event : {ran, ready, done})
    free(api.Event_Destroy, event);
  for (Buffer *buffer : {first[0], second[0]})
    free(api.Buffer_Destroy, buffer);
  free(api.LoadedExecutable_Destroy, f);
}

TEST_F(Pjrt, AnErrorIsThatOfTheResultsAndOfWhatReadsThem) {
  Executable *f = nullptr, *g = nullptr;
  ASSERT_EQ(
      compile("func.func @main(%x: tensor<2xf32>, %p: tensor<i1>) -> "
              "tensor<2xf32> {\n"
              "  stablehlo.custom_call @shape_assertion(%p) {has_side_effect = "
              "true, error_message = \"no\"} : (tensor<i1>) -> ()\n"
              "  return %x : tensor<2xf32> }",
              f),
      "");
  ASSERT_EQ(compile("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { %0 "
                    "= stablehlo.add %x, %x : tensor<2xf32> return %0 : "
                    "tensor<2xf32> }",
                    g),
            "");
  float x[] = {1, 2};
  bool p = false;
  Event *done = nullptr, *ran = nullptr;
  Buffer *a = lend(x, {2}, BufferFromHost::kDuringCall, done);
  free(api.Event_Destroy, done);
  BufferFromHost lent = {};
  lent.client = client;
  lent.data = &p;
  lent.type = 1;
  ASSERT_EQ(call(api.Client_BufferFromHostBuffer, lent), "");
  free(api.Event_Destroy, lent.done);
  std::vector<Buffer *> first(1), second(1);
  ASSERT_EQ(execute(f, {a, lent.buffer}, first, &ran), "");
  ASSERT_EQ(execute(g, {first[0]}, second, &done), "");
  std::string said = wait(ran);
  EXPECT_NE(said, "");
  EXPECT_EQ(wait(done), said);
  for (Event *event : {ran, done})
    free(api.Event_Destroy, event);
  for (Buffer *buffer : {a, lent.buffer, first[0], second[0]})
    free(api.Buffer_Destroy, buffer);
  for (Executable *executable : {f, g})
    free(api.LoadedExecutable_Destroy, executable);
}

TEST_F(Pjrt, CostsAreThoseOfTheDispatches) {
  Executable *f = nullptr;
  ASSERT_EQ(compile("func.func @main(%x: tensor<64x32xf32>, %y: "
                    "tensor<32x16xf32>) -> tensor<64x16xf32> { %0 = "
                    "stablehlo.dot_general %x, %y, contracting_dims = [1] x "
                    "[0] : (tensor<64x32xf32>, tensor<32x16xf32>) -> "
                    "tensor<64x16xf32> return %0 : tensor<64x16xf32> }",
                    f),
            "");
  CountedList<Executable, const NamedValue> args = {};
  args.object = f;
  ASSERT_EQ(call(api.Executable_GetCostAnalysis, args), "");
  std::map<std::string, float> costs;
  for (size_t i = 0; i < args.count; ++i)
    costs[{args.items[i].name, args.items[i].nameLength}] = args.items[i].real;
  EXPECT_EQ(costs["flops"], 2 * 64 * 32 * 16);
  EXPECT_EQ(costs["bytes accessed"], 4 * (64 * 32 + 32 * 16 + 64 * 16));
  EXPECT_GT(costs["optimal_seconds"], 0);
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
