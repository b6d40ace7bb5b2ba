// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// libmercator_mpi.so: messages by MPI. Nothing else of Mercator knows MPI.

#include "mercator/runtime/processes/Transport.h"

#include <mpi.h>

#include <cstdlib>
#include <cstring>
#include <deque>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

namespace {
/// A message that is sent in no round.
struct Left {
  std::vector<char> bytes;
  MPI_Request request = MPI_REQUEST_NULL;
};

struct State {
  MPI_Comm data = MPI_COMM_NULL, control = MPI_COMM_NULL;
  std::vector<MPI_Request> round;
  std::deque<Left> left;
  char error[MPI_MAX_ERROR_STRING] = "";
  bool hasFailed = false;

  void note(int code) {
    if (code == MPI_SUCCESS || hasFailed)
      return;
    hasFailed = true;
    int length = 0;
    MPI_Error_string(code, error, &length);
  }

  void drop() {
    while (!left.empty()) {
      int isDone = 0;
      note(MPI_Test(&left.front().request, &isDone, MPI_STATUS_IGNORE));
      if (!isDone)
        return;
      left.pop_front();
    }
  }
};
} // namespace

static State &of(void *state) { return *static_cast<State *>(state); }

static void startSend(void *state, const void *data, int64_t bytes, int32_t to,
                      int32_t tag) {
  State &own = of(state);
  own.note(MPI_Isend(data, int(bytes), MPI_BYTE, to, tag, own.data,
                     &own.round.emplace_back(MPI_REQUEST_NULL)));
}

static void startReceive(void *state, void *data, int64_t bytes, int32_t from,
                         int32_t tag) {
  State &own = of(state);
  own.note(MPI_Irecv(data, int(bytes), MPI_BYTE, from, tag, own.data,
                     &own.round.emplace_back(MPI_REQUEST_NULL)));
}

static int32_t test(void *state) {
  State &own = of(state);
  int isDone = 0;
  own.note(MPI_Testall(int(own.round.size()), own.round.data(), &isDone,
                       MPI_STATUSES_IGNORE));
  if (own.hasFailed)
    return -1;
  if (!isDone)
    return 0;
  own.round.clear();
  own.drop();
  return 1;
}

static int32_t isDone(void *state, int32_t i) {
  State &own = of(state);
  int is = 0;
  own.note(
      MPI_Request_get_status(own.round[size_t(i)], &is, MPI_STATUS_IGNORE));
  return is;
}

static void leave(void *state, const void *data, int64_t bytes, int32_t to,
                  int32_t tag) {
  State &own = of(state);
  own.drop();
  Left &message = own.left.emplace_back();
  message.bytes.resize(size_t(bytes));
  if (bytes > 0)
    std::memcpy(message.bytes.data(), data, size_t(bytes));
  own.note(MPI_Isend(message.bytes.data(), int(bytes), MPI_BYTE, to, tag,
                     own.data, &message.request));
}

static void tell(void *state, const void *data, int64_t bytes, int32_t to) {
  State &own = of(state);
  own.drop();
  Left &message = own.left.emplace_back();
  message.bytes.resize(size_t(bytes));
  std::memcpy(message.bytes.data(), data, size_t(bytes));
  own.note(MPI_Isend(message.bytes.data(), int(bytes), MPI_BYTE, to, 0,
                     own.control, &message.request));
}

static int32_t hear(void *state, void *data, int64_t bytes) {
  State &own = of(state);
  int isThere = 0;
  MPI_Status status;
  own.note(MPI_Iprobe(MPI_ANY_SOURCE, 0, own.control, &isThere, &status));
  if (!isThere || own.hasFailed)
    return 0;
  own.note(MPI_Recv(data, int(bytes), MPI_BYTE, status.MPI_SOURCE, 0,
                    own.control, MPI_STATUS_IGNORE));
  return 1;
}

static const char *why(void *state) { return of(state).error; }

static void abortAll(void *state, int32_t code) {
  (void)MPI_Abort(MPI_COMM_WORLD, code);
}

static void finish(void *state) {
  State &own = of(state);
  own.drop();
  // What nobody receives.
  for (Left &message : own.left)
    if (message.request != MPI_REQUEST_NULL) {
      (void)MPI_Cancel(&message.request);
      (void)MPI_Request_free(&message.request);
    }
  (void)MPI_Finalize();
}

/// Open MPI reads the memory of a neighbor with this call, and expects that it may.
/// Containers forbid the call.
static void avoidForbiddenReads() {
  char from = 1, to = 0;
  iovec local{&to, 1}, remote{&from, 1};
  if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) != 1)
    setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);
}

[[gnu::visibility("default")]] const mercator_transport *
mercator_open_mpi(const char **reason) {
  static State state;
  static mercator_transport transport = {
      .version = MERCATOR_TRANSPORT_VERSION,
      .rank = 0,
      .size = 1,
      .local = 1,
      .state = &state,
      .send = startSend,
      .receive = startReceive,
      .test = test,
      .is_done = isDone,
      .leave = leave,
      .tell = tell,
      .hear = hear,
      .why = why,
      .abort = abortAll,
      .finish = finish,
  };
  int isThere = 0, provided = 0, rank = 0, size = 1, local = 1;
  MPI_Initialized(&isThere);
  if (!isThere) {
    avoidForbiddenReads();
    state.note(
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided));
  }
  MPI_Comm machine = MPI_COMM_NULL;
  if (!state.hasFailed) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    state.note(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    state.note(MPI_Comm_size(MPI_COMM_WORLD, &size));
    state.note(MPI_Comm_dup(MPI_COMM_WORLD, &state.data));
    state.note(MPI_Comm_dup(MPI_COMM_WORLD, &state.control));
    state.note(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0,
                                   MPI_INFO_NULL, &machine));
  }
  if (!state.hasFailed) {
    MPI_Comm_set_errhandler(state.data, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(state.control, MPI_ERRORS_RETURN);
    state.note(MPI_Comm_size(machine, &local));
  }
  transport.rank = rank;
  transport.size = size;
  transport.local = local;
  if (!state.hasFailed)
    return &transport;
  *reason = state.error;
  return nullptr;
}
