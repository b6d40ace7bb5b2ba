// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/Collectives.h"
#include "mercator/runtime/processes/Processes.h"

#include <algorithm>
#include <cstring>
#include <string_view>

using namespace mercator;

namespace {
/// The head of `numbers`.
struct Header {
  int64_t operation, channel, elementBytes;
};

/// Reads `numbers`.
class Numbers {
public:
  explicit Numbers(const int64_t *at) : at(at) {}
  int64_t next() { return *at++; }

private:
  const int64_t *at;
};

/// A number that all members of a group compute alike, from what must agree.
class Signature {
public:
  Signature &add(int64_t value) {
    hash ^= uint64_t(value);
    hash *= 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
    return *this;
  }
  [[nodiscard]] int32_t tag() const {
    constexpr uint64_t kFirst = 16, kCount = (uint64_t(1) << 30) - kFirst;
    return int32_t(kFirst + hash % kCount);
  }

private:
  uint64_t hash = 0x2545F4914F6CDD1Du;
};

/// One call.
struct Call {
  mercator_context *context;
  Processes *processes; ///< null: there is one process
  Numbers numbers;
  Header header;
  ProcessState state;
  Signature signature;

  Call(mercator_context *context, const char *file, int64_t line,
       int64_t column, const int64_t *given)
      : context(context),
        processes(static_cast<Processes *>(mercator_get_processes(context))),
        numbers(given), header{numbers.next(), numbers.next(), numbers.next()} {
    state.operation = int32_t(header.operation);
    state.channel = header.channel;
    state.line = line;
    state.column = column;
    std::strncpy(state.file, file, sizeof(state.file) - 1);
    signature.add(header.operation)
        .add(header.channel)
        .add(header.elementBytes);
  }

  [[nodiscard]] int64_t self() const {
    return processes ? processes->rank() : 0;
  }

  int32_t exchange(const std::vector<Message> &sends,
                   const std::vector<Message> &receives) {
    if (sends.empty() && receives.empty())
      return mercator_ok;
    if (!processes)
      return fail("expected other processes, and there is one");
    state.tag = signature.tag();
    if (processes->exchange(state, sends, receives))
      return mercator_ok;
    return fail("it was ended, since it waits in vain");
  }

  int32_t fail(const char *why) {
    return mercator_fail(context, why, state.file, state.line, state.column, 0,
                         0, 0);
  }
};

/// The group of a process.
struct Group {
  std::vector<int64_t> members; ///< empty: it is in none
  int64_t place = 0;
};
} // namespace

static Group groupOf(Call &call) {
  Group own;
  int64_t count = call.numbers.next();
  for (int64_t i = 0; i < count; ++i) {
    int64_t size = call.numbers.next();
    std::vector<int64_t> members;
    for (int64_t k = 0; k < size; ++k)
      members.push_back(call.numbers.next());
    auto found = std::find(members.begin(), members.end(), call.self());
    if (found == members.end())
      continue;
    own.place = found - members.begin();
    own.members = std::move(members);
  }
  for (int64_t member : own.members)
    call.signature.add(member);
  return own;
}

static int64_t elementsOf(const mercator_tensor &tensor) {
  int64_t count = 1;
  for (int64_t d = 0; d < tensor.rank; ++d)
    count *= tensor.sizes[d];
  return count;
}

static void copyBytes(void *to, const void *from, int64_t bytes) {
  if (bytes > 0 && to != from)
    std::memcpy(to, from, size_t(bytes));
}

static char *bytesOf(const mercator_tensor &tensor) {
  return static_cast<char *>(tensor.data);
}

namespace {
/// A tensor in pieces of `chunk` elements, one for each member of a group. The last
/// ones may be short, or empty.
struct Pieces {
  int64_t total, chunk, elementBytes;

  [[nodiscard]] int64_t begin(int64_t i) const {
    return i * chunk * elementBytes;
  }
  [[nodiscard]] int64_t bytes(int64_t i) const {
    return std::clamp<int64_t>(total - i * chunk, 0, chunk) * elementBytes;
  }
};
} // namespace

/// All pieces of `all`. That of this process is there where `x` is null. It is sent
/// from `x`, since what was just written to `all` lies in a cache of this core.
static int32_t gather(Call &call, void *x, const mercator_tensor &all,
                      int64_t chunk, const Group &group) {
  Pieces pieces{elementsOf(all), chunk, call.header.elementBytes};
  call.signature.add(0).add(pieces.chunk).add(pieces.total);
  std::vector<Message> sends, receives;
  int64_t own = pieces.bytes(group.place);
  void *from = x ? x : bytesOf(all) + pieces.begin(group.place);
  for (int64_t i = 0; i < int64_t(group.members.size()); ++i) {
    auto peer = int32_t(group.members[i]);
    char *to = bytesOf(all) + pieces.begin(i);
    if (peer == call.self()) {
      if (x)
        copyBytes(to, x, own);
      continue;
    }
    if (int64_t size = pieces.bytes(i))
      receives.push_back({to, size, peer});
    if (own > 0)
      sends.push_back({from, own, peer});
  }
  return call.exchange(sends, receives);
}

int32_t mercator_gather_bytes(mercator_context *context, const char *file,
                              int64_t line, int64_t column,
                              const mercator_tensor *operands,
                              const int64_t *numbers,
                              const mercator_tensor *results) {
  Call call(context, file, line, column, numbers);
  Group group = groupOf(call);
  return gather(call, operands[0].data, results[0], elementsOf(operands[0]),
                group);
}

int32_t mercator_gather_others_bytes(mercator_context *context,
                                     const char *file, int64_t line,
                                     int64_t column,
                                     const mercator_tensor *operands,
                                     const int64_t *numbers,
                                     const mercator_tensor *results) {
  Call call(context, file, line, column, numbers);
  Group group = groupOf(call);
  if (group.members.empty())
    return mercator_ok;
  return gather(call, nullptr, results[0],
                elementsOf(results[0]) / int64_t(group.members.size()), group);
}

/// The chunk of this process of all members, in chunks of `y`; of the others only,
/// where it is not `hasOwn`.
static int32_t scatter(Call &call, const Group &group, const mercator_tensor &x,
                       const mercator_tensor &y, int64_t chunk, bool hasOwn) {
  Pieces pieces{elementsOf(x), chunk, call.header.elementBytes};
  call.signature.add(1).add(pieces.chunk).add(pieces.total);
  std::vector<Message> sends, receives;
  int64_t own = pieces.bytes(group.place), row = 0;
  for (int64_t i = 0; i < int64_t(group.members.size()); ++i) {
    auto peer = int32_t(group.members[i]);
    bool isOwn = peer == call.self();
    if (isOwn && !hasOwn)
      continue;
    char *from = bytesOf(x) + pieces.begin(i),
         *to = bytesOf(y) + pieces.begin(row++);
    if (isOwn) {
      copyBytes(to, from, own);
      continue;
    }
    if (own > 0)
      receives.push_back({to, own, peer});
    if (int64_t size = pieces.bytes(i))
      sends.push_back({from, size, peer});
  }
  return call.exchange(sends, receives);
}

int32_t mercator_scatter_bytes(mercator_context *context, const char *file,
                               int64_t line, int64_t column,
                               const mercator_tensor *operands,
                               const int64_t *numbers,
                               const mercator_tensor *results) {
  Call call(context, file, line, column, numbers);
  Group group = groupOf(call);
  const mercator_tensor &y = results[0];
  int64_t chunk = 1;
  for (int64_t d = 1; d < y.rank; ++d)
    chunk *= y.sizes[d];
  return scatter(call, group, operands[0], y, chunk, true);
}

int32_t mercator_scatter_others_bytes(mercator_context *context,
                                      const char *file, int64_t line,
                                      int64_t column,
                                      const mercator_tensor *operands,
                                      const int64_t *numbers,
                                      const mercator_tensor *results) {
  Call call(context, file, line, column, numbers);
  Group group = groupOf(call);
  if (group.members.empty())
    return mercator_ok;
  return scatter(call, group, operands[0], results[0],
                 elementsOf(operands[0]) / int64_t(group.members.size()),
                 false);
}

namespace {
/// Where this process sends, and from whom it receives; -1: from nobody.
struct Routes {
  std::vector<int32_t> targets;
  int64_t source = -1;
};
} // namespace

static Routes routesOf(Call &call) {
  Routes routes;
  int64_t count = call.numbers.next();
  for (int64_t i = 0; i < count; ++i) {
    int64_t source = call.numbers.next(), target = call.numbers.next();
    if (source == call.self())
      routes.targets.push_back(int32_t(target));
    if (target == call.self())
      routes.source = source;
  }
  return routes;
}

int32_t mercator_permute_bytes(mercator_context *context, const char *file,
                               int64_t line, int64_t column,
                               const mercator_tensor *operands,
                               const int64_t *numbers,
                               const mercator_tensor *results) {
  Call call(context, file, line, column, numbers);
  Routes routes = routesOf(call);
  const mercator_tensor &x = operands[0], &y = results[0];
  int64_t bytes = elementsOf(x) * call.header.elementBytes;
  call.signature.add(2).add(bytes);
  std::vector<Message> sends, receives;
  for (int32_t target : routes.targets)
    if (target != call.self() && bytes > 0)
      sends.push_back({x.data, bytes, target});
  if (routes.source == call.self())
    copyBytes(y.data, x.data, bytes);
  else if (routes.source >= 0 && bytes > 0)
    receives.push_back({y.data, bytes, int32_t(routes.source)});
  else if (bytes > 0)
    std::memset(y.data, 0, size_t(bytes));
  return call.exchange(sends, receives);
}

/// A transfer is of one tensor. What a process sends to itself goes by the transport
/// as well.
int32_t mercator_send_bytes(mercator_context *context, const char *file,
                            int64_t line, int64_t column,
                            const mercator_tensor *operands,
                            const int64_t *numbers,
                            const mercator_tensor *results) {
  Call call(context, file, line, column, numbers);
  Routes routes = routesOf(call);
  int64_t bytes = elementsOf(operands[0]) * call.header.elementBytes;
  Signature signature;
  signature.add(mercator_op_recv).add(call.header.channel).add(bytes);
  std::vector<Message> sends;
  for (int32_t target : routes.targets)
    sends.push_back({operands[0].data, bytes, target});
  if (sends.empty())
    return mercator_ok;
  if (!call.processes)
    return call.fail("expected other processes, and there is one");
  call.processes->leave(signature.tag(), sends);
  return mercator_ok;
}

int32_t mercator_receive_bytes(mercator_context *context, const char *file,
                               int64_t line, int64_t column,
                               const mercator_tensor *operands,
                               const int64_t *numbers,
                               const mercator_tensor *results) {
  Call call(context, file, line, column, numbers);
  Routes routes = routesOf(call);
  const mercator_tensor &y = results[0];
  int64_t bytes = elementsOf(y) * call.header.elementBytes;
  call.signature = {};
  call.signature.add(mercator_op_recv).add(call.header.channel).add(bytes);
  if (routes.source >= 0)
    return call.exchange({}, {{y.data, bytes, int32_t(routes.source)}});
  if (bytes > 0)
    std::memset(y.data, 0, size_t(bytes));
  return mercator_ok;
}

int32_t mercator_process_bytes(mercator_context *context, const char *file,
                               int64_t line, int64_t column,
                               const mercator_tensor *operands,
                               const int64_t *numbers,
                               const mercator_tensor *results) {
  auto *processes = static_cast<Processes *>(mercator_get_processes(context));
  int32_t rank = processes ? processes->rank() : 0;
  std::memcpy(results[0].data, &rank, sizeof(rank));
  return mercator_ok;
}

mercator_collective *mercator_find_collective(const char *name) {
  struct Entry {
    const char *name;
    mercator_collective *function;
  };
  static const Entry entries[] = {
      {"mercator_gather_bytes", mercator_gather_bytes},
      {"mercator_gather_others_bytes", mercator_gather_others_bytes},
      {"mercator_scatter_bytes", mercator_scatter_bytes},
      {"mercator_scatter_others_bytes", mercator_scatter_others_bytes},
      {"mercator_permute_bytes", mercator_permute_bytes},
      {"mercator_send_bytes", mercator_send_bytes},
      {"mercator_receive_bytes", mercator_receive_bytes},
      {"mercator_process_bytes", mercator_process_bytes},
  };
  for (const Entry &entry : entries)
    if (std::string_view(name) == entry.name)
      return entry.function;
  return nullptr;
}
