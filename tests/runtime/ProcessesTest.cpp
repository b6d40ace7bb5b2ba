// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processes are threads here, and their messages lie in queues.

#include "mercator/runtime/processes/Processes.h"
#include "mercator/runtime/Collectives.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

using namespace mercator;

namespace {
using Queue = std::deque<std::vector<char>>;

/// What all processes share.
struct Network {
  std::mutex mutex;
  std::map<std::tuple<int32_t, int32_t, int32_t>, Queue>
      data; ///< from, to, tag
  std::map<int32_t, Queue> control;
  std::atomic<int> aborts = 0;
  std::atomic<int64_t> bytes = 0;
};

/// A process of the network.
struct Node {
  Network *network;
  int32_t rank;
  struct Receive {
    void *data;
    int64_t bytes;
    int32_t from, tag;
    bool isDone;
  };
  std::vector<Receive> round;

  void push(Queue &queue, const void *data, int64_t bytes) {
    std::lock_guard lock(network->mutex);
    const char *begin = static_cast<const char *>(data);
    queue.emplace_back(begin, begin + bytes);
  }

  mercator_transport transport(int32_t size);
};
} // namespace

static Node &nodeOf(void *state) { return *static_cast<Node *>(state); }

static void sendInThread(void *state, const void *data, int64_t bytes,
                         int32_t to, int32_t tag) {
  Node &node = nodeOf(state);
  node.network->mutex.lock();
  Queue &queue = node.network->data[{node.rank, to, tag}];
  node.network->mutex.unlock();
  node.push(queue, data, bytes);
  node.network->bytes += bytes;
  node.round.push_back({nullptr, 0, to, tag, true});
}

mercator_transport Node::transport(int32_t size) {
  return {
      .version = MERCATOR_TRANSPORT_VERSION,
      .rank = rank,
      .size = size,
      .local = size,
      .state = this,
      .send = sendInThread,
      .receive =
          [](void *state, void *data, int64_t bytes, int32_t from,
             int32_t tag) {
            nodeOf(state).round.push_back({data, bytes, from, tag, false});
          },
      .test = [](void *state) -> int32_t {
        Node &node = nodeOf(state);
        bool areDone = true;
        for (Receive &receive : node.round) {
          if (receive.isDone)
            continue;
          std::lock_guard lock(node.network->mutex);
          Queue &queue =
              node.network->data[{receive.from, node.rank, receive.tag}];
          if (queue.empty()) {
            areDone = false;
            continue;
          }
          EXPECT_EQ(int64_t(queue.front().size()), receive.bytes);
          std::memcpy(receive.data, queue.front().data(), queue.front().size());
          queue.pop_front();
          receive.isDone = true;
        }
        if (areDone)
          node.round.clear();
        return areDone;
      },
      .is_done = [](void *state, int32_t i) -> int32_t {
        return nodeOf(state).round[size_t(i)].isDone;
      },
      .leave =
          [](void *state, const void *data, int64_t bytes, int32_t to,
             int32_t tag) {
            sendInThread(state, data, bytes, to, tag);
            nodeOf(state).round.pop_back();
          },
      .tell =
          [](void *state, const void *data, int64_t bytes, int32_t to) {
            Node &node = nodeOf(state);
            node.network->mutex.lock();
            Queue &queue = node.network->control[to];
            node.network->mutex.unlock();
            node.push(queue, data, bytes);
          },
      .hear = [](void *state, void *data, int64_t bytes) -> int32_t {
        Node &node = nodeOf(state);
        std::lock_guard lock(node.network->mutex);
        Queue &queue = node.network->control[node.rank];
        if (queue.empty())
          return 0;
        std::memcpy(data, queue.front().data(), size_t(bytes));
        queue.pop_front();
        return 1;
      },
      .why = [](void *) { return ""; },
      .abort = [](void *state, int32_t) { ++nodeOf(state).network->aborts; },
      .finish = [](void *) {},
  };
}

/// Runs a function in each process, and then ends the processes.
static void runEach(Network &network, int32_t size,
                    const std::function<void(Processes &)> &body,
                    double timeout = 20) {
  std::vector<std::thread> threads;
  for (int32_t rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      Node node{&network, rank, {}};
      mercator_transport transport = node.transport(size);
      Processes processes(transport);
      processes.setProgram("f.mlir");
      processes.setTimeout(timeout);
      body(processes);
      processes.finish(0);
    });
  for (std::thread &thread : threads)
    thread.join();
}

//===----------------------------------------------------------------------===//
// What processes know of each other
//===----------------------------------------------------------------------===//

static ProcessState waitingState(int32_t rank, int32_t tag,
                                 std::initializer_list<int> peers) {
  ProcessState state{.rank = rank, .phase = Phase::Waits, .tag = tag};
  state.operation = mercator_op_all_reduce;
  for (int peer : peers)
    state.waitsFor.set(size_t(peer));
  return state;
}

TEST(StatesTest, NobodyIsStuckAtFirst) {
  States states(3);
  for (int32_t rank = 0; rank < 3; ++rank)
    EXPECT_FALSE(states.isStuck(rank));
}

TEST(StatesTest, WaitsForAnEndedProcess) {
  States states(3);
  states.set(waitingState(0, 5, {1}));
  EXPECT_FALSE(states.isStuck(0));
  states.set({.rank = 1, .phase = Phase::Ended});
  EXPECT_TRUE(states.isStuck(0));
}

// 0 and 1 meet in one operation: the messages are under way.
TEST(StatesTest, OneOperationIsNoCycle) {
  States states(2);
  states.set(waitingState(0, 5, {1}));
  states.set(waitingState(1, 5, {0}));
  EXPECT_FALSE(states.isStuck(0));
  EXPECT_FALSE(states.isStuck(1));
}

TEST(StatesTest, CycleOfOperations) {
  States states(3);
  states.set(waitingState(0, 5, {1}));
  states.set(waitingState(1, 6, {2}));
  EXPECT_FALSE(states.isStuck(0)); // 2 may still come
  states.set(waitingState(2, 7, {0}));
  for (int32_t rank = 0; rank < 3; ++rank)
    EXPECT_TRUE(states.isStuck(rank));
}

// 2 and 3 exchange something large, and 0 waits for it.
TEST(StatesTest, ChainToProgress) {
  States states(4);
  states.set(waitingState(0, 5, {2}));
  states.set(waitingState(2, 6, {3}));
  states.set(waitingState(3, 6, {2}));
  for (int32_t rank = 0; rank < 4; ++rank)
    EXPECT_FALSE(states.isStuck(rank));
}

TEST(StatesTest, Describes) {
  States states(3);
  ProcessState own = waitingState(0, 5, {1, 2});
  own.line = 3;
  own.column = 8;
  own.channel = 4;
  states.set(own);
  ProcessState other = waitingState(1, 6, {0});
  other.operation = mercator_op_all_gather;
  other.line = 9;
  other.column = 2;
  states.set(other);
  states.set({.rank = 2, .phase = Phase::Ended});
  EXPECT_EQ(states.describe(0, " in vain", "f.mlir"),
            "f.mlir:3:8: error: process 0 waits in all_reduce on channel 4 for "
            "processes 1, 2 in vain\n"
            "f.mlir:9:2: note: process 1 waits in all_gather for process 0\n"
            "note: process 2 has ended the program\n");
}

//===----------------------------------------------------------------------===//
// Functions of programs
//===----------------------------------------------------------------------===//

/// A tensor of one dimension, or of several.
template <typename T>
static mercator_tensor tensorOf(std::vector<T> &elements,
                                const std::vector<int64_t> &sizes) {
  return {elements.data(), int64_t(sizes.size()), sizes.data()};
}

static int32_t callOf(mercator_collective *function, Processes *processes,
                      const mercator_tensor *operand,
                      const mercator_tensor *result,
                      const std::vector<int64_t> &numbers) {
  mercator_context *context = mercator_new_context(0);
  mercator_set_processes(context, processes);
  int32_t status = function(context, "", 3, 8, operand, numbers.data(), result);
  mercator_free_context(context);
  return status;
}

// Chunks of 2 of 5 elements: the last one is short.
TEST(CollectiveCallsTest, GathersChunks) {
  Network network;
  runEach(network, 3, [](Processes &processes) {
    int32_t r = processes.rank();
    std::vector<int32_t> x = {10 * r, 10 * r + 1}, all(5, -1);
    std::vector<int64_t> own = {2}, whole = {5};
    mercator_tensor from = tensorOf(x, own), to = tensorOf(all, whole);
    // In the order of the group.
    EXPECT_EQ(callOf(mercator_gather_bytes, &processes, &from, &to,
                     {mercator_op_all_gather, 0, 4, 1, 3, 2, 0, 1}),
              mercator_ok);
    EXPECT_EQ(all, (std::vector<int32_t>{20, 21, 0, 1, 10}));
  });
}

TEST(CollectiveCallsTest, ScattersChunks) {
  Network network;
  runEach(network, 3, [](Processes &processes) {
    int32_t r = processes.rank();
    std::vector<int32_t> x(5), rows(6, -1);
    for (int32_t i = 0; i < 5; ++i)
      x[size_t(i)] = 10 * r + i;
    std::vector<int64_t> own = {5}, whole = {3, 2};
    mercator_tensor from = tensorOf(x, own), to = tensorOf(rows, whole);
    EXPECT_EQ(callOf(mercator_scatter_bytes, &processes, &from, &to,
                     {mercator_op_reduce_scatter, 0, 4, 1, 3, 0, 1, 2}),
              mercator_ok);
    for (int32_t member = 0; member < 3; ++member)
      for (int32_t i = 0; i < 2; ++i)
        EXPECT_EQ(rows[size_t(2 * member + i)],
                  2 * r + i < 5 ? 10 * member + 2 * r + i : -1);
  });
  // Nobody sends more than others need: 2 x 2 elements, or 2 + 1 of the last chunk.
  EXPECT_EQ(network.bytes, 4 * (3 + 3 + 4));
}

// The own chunk is there; the others come.
TEST(CollectiveCallsTest, GathersOthers) {
  Network network;
  runEach(network, 3, [](Processes &processes) {
    int32_t r = processes.rank();
    size_t place = (size_t(r) + 1) % 3; // in 2, 0, 1
    std::vector<int32_t> all(6, -1);
    all[2 * place] = 10 * r;
    all[2 * place + 1] = 10 * r + 1;
    std::vector<int64_t> whole = {6};
    mercator_tensor to = tensorOf(all, whole);
    EXPECT_EQ(callOf(mercator_gather_others_bytes, &processes, nullptr, &to,
                     {mercator_op_all_reduce, 0, 4, 1, 3, 2, 0, 1}),
              mercator_ok);
    EXPECT_EQ(all, (std::vector<int32_t>{20, 21, 0, 1, 10, 11}));
  });
}

// The rows of the others, in the order of the group.
TEST(CollectiveCallsTest, ScattersOthers) {
  Network network;
  runEach(network, 3, [](Processes &processes) {
    int32_t r = processes.rank(), place = (r + 1) % 3; // in 2, 0, 1
    std::vector<int32_t> x(6), rows(4, -1), expected;
    for (int32_t i = 0; i < 6; ++i)
      x[size_t(i)] = 10 * r + i;
    std::vector<int64_t> own = {6}, whole = {2, 2};
    mercator_tensor from = tensorOf(x, own), to = tensorOf(rows, whole);
    EXPECT_EQ(callOf(mercator_scatter_others_bytes, &processes, &from, &to,
                     {mercator_op_all_reduce, 0, 4, 1, 3, 2, 0, 1}),
              mercator_ok);
    for (int32_t member : {2, 0, 1})
      if (member != r)
        for (int32_t i = 0; i < 2; ++i)
          expected.push_back(10 * member + 2 * place + i);
    EXPECT_EQ(rows, expected);
  });
  EXPECT_EQ(network.bytes, 3 * 4 * 4);
}

TEST(CollectiveCallsTest, PermutesToSeveralAndFromNobody) {
  Network network;
  runEach(network, 4, [](Processes &processes) {
    int32_t r = processes.rank();
    std::vector<int32_t> x = {r + 1}, y = {-1};
    std::vector<int64_t> sizes = {1};
    mercator_tensor from = tensorOf(x, sizes), to = tensorOf(y, sizes);
    EXPECT_EQ(
        callOf(mercator_permute_bytes, &processes, &from, &to,
               {mercator_op_collective_permute, 0, 4, 3, 1, 1, 1, 2, 2, 0}),
        mercator_ok);
    EXPECT_EQ(y[0], (std::vector<int32_t>{3, 2, 2, 0})[size_t(r)]);
  });
}

// All receive first: a send does not wait, and a process may send to itself.
TEST(CollectiveCallsTest, SendsDoNotWait) {
  Network network;
  runEach(network, 3, [](Processes &processes) {
    int32_t r = processes.rank();
    std::vector<int32_t> x = {r}, y = {-1};
    std::vector<int64_t> sizes = {1};
    mercator_tensor from = tensorOf(x, sizes), to = tensorOf(y, sizes);
    std::vector<int64_t> numbers = {
        mercator_op_send, 7, 4, 3, 0, 2, 1, 1, 2, 0};
    EXPECT_EQ(callOf(mercator_send_bytes, &processes, &from, nullptr, numbers),
              mercator_ok);
    EXPECT_EQ(callOf(mercator_receive_bytes, &processes, nullptr, &to, numbers),
              mercator_ok);
    EXPECT_EQ(y[0], 2 - r);
  });
}

TEST(CollectiveCallsTest, OneProcessAlone) {
  std::vector<int32_t> x = {1, 2}, y(2);
  std::vector<int64_t> sizes = {2}, rows = {1, 2};
  mercator_tensor from = tensorOf(x, sizes), to = tensorOf(y, rows);
  EXPECT_EQ(callOf(mercator_gather_bytes, nullptr, &from, &to,
                   {mercator_op_all_gather, 0, 4, 1, 1, 0}),
            mercator_ok);
  EXPECT_EQ(y, x);
}

// The second process has another extent: both say where they wait.
TEST(CollectiveCallsTest, OtherExtentsNeverMeet) {
  Network network;
  runEach(network, 2, [](Processes &processes) {
    int64_t count = processes.rank() + 1;
    std::vector<int32_t> x(static_cast<size_t>(count)), all(size_t(2 * count));
    std::vector<int64_t> own = {count}, whole = {2 * count};
    mercator_tensor from = tensorOf(x, own), to = tensorOf(all, whole);
    EXPECT_EQ(callOf(mercator_gather_bytes, &processes, &from, &to,
                     {mercator_op_all_gather, 0, 4, 1, 2, 0, 1}),
              mercator_failed_check);
  });
  EXPECT_EQ(network.aborts, 2);
}

TEST(CollectiveCallsTest, EndsAfterTheTimeout) {
  Network network;
  std::atomic<bool> isOver = false;
  runEach(
      network, 2,
      [&](Processes &processes) {
        if (processes.rank() == 1) { // computes for long
          while (!isOver)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
          return;
        }
        std::vector<int32_t> x(1), all(2);
        std::vector<int64_t> own = {1}, whole = {2};
        mercator_tensor from = tensorOf(x, own), to = tensorOf(all, whole);
        EXPECT_EQ(callOf(mercator_gather_bytes, &processes, &from, &to,
                         {mercator_op_all_gather, 0, 4, 1, 2, 0, 1}),
                  mercator_failed_check);
        isOver = true;
      },
      /*timeout=*/0.5);
  EXPECT_EQ(network.aborts, 1);
}

TEST(ProcessesTest, CollectsAndAgrees) {
  Network network;
  runEach(network, 4, [](Processes &processes) {
    std::string own(size_t(processes.rank()) * 3, 'x');
    std::vector<std::string> all = processes.collect(own, false);
    ASSERT_EQ(all.size(), processes.rank() == 0 ? 4u : 0u);
    for (size_t i = 0; i < all.size(); ++i)
      EXPECT_EQ(all[i].size(), 3 * i);
    EXPECT_EQ(processes.broadcast(std::to_string(processes.rank())), "0");
    EXPECT_EQ(processes.agree(processes.rank() == 2 ? 4 : 0), 4);
    EXPECT_FALSE(processes.hasFirstFailed());
    EXPECT_EQ(processes.agree(processes.rank() == 0 ? 1 : 0), 1);
    EXPECT_TRUE(processes.hasFirstFailed());
  });
}

TEST(ProcessesTest, AllEndWithTheCodeOfTheFirst) {
  Network network;
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int32_t rank = 0; rank < 3; ++rank)
    threads.emplace_back([&, rank] {
      Node node{&network, rank, {}};
      mercator_transport transport = node.transport(3);
      Processes processes(transport);
      right += processes.finish(rank == 0 ? 3 : rank) == 3;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, 3);
}
