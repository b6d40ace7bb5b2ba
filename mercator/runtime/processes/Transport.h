// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What carries messages between processes: MPI (runtime/mpi), or threads in a test.
/// A header of C, since the library of MPI is loaded when it is needed.
///
///   const char *why = NULL;
///   const mercator_transport *mpi = mercator_open_mpi(&why);
///   mpi->receive(mpi->state, in, 64, 1, 7);
///   mpi->send(mpi->state, out, 64, 1, 7);
///   while (mpi->test(mpi->state) == 0) // both
///     ;
///
/// Messages of one tag from one process to another one arrive in order. A message
/// that is received has as many bytes as it is received with.

#ifndef MERCATOR_RUNTIME_PROCESSES_TRANSPORT_H
#define MERCATOR_RUNTIME_PROCESSES_TRANSPORT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// NOLINTBEGIN(readability-identifier-naming): names of C

/// Changes when a library of MPI must be compiled again.
#define MERCATOR_TRANSPORT_VERSION 1

typedef struct mercator_transport {
  int32_t version;
  /// The number of this process, that of all, and that of those on this machine.
  int32_t rank, size, local;
  void *state;
  /// Start a message of this round, of at most 2^30 bytes; its memory must stay. Tags
  /// are from 0 to 2^30 - 1.
  void (*send)(void *state, const void *data, int64_t bytes, int32_t to,
               int32_t tag);
  void (*receive)(void *state, void *data, int64_t bytes, int32_t from,
                  int32_t tag);
  /// 1: all messages of the round are done, and the next one begins; 0: not yet; -1:
  /// an error, see `why`.
  int32_t (*test)(void *state);
  /// Whether message `i` of the round is done.
  int32_t (*is_done)(void *state, int32_t i);
  /// Sends a copy, in no round.
  void (*leave)(void *state, const void *data, int64_t bytes, int32_t to,
                int32_t tag);
  /// Small messages beside the others, for what processes know of each other. `hear`
  /// returns 0 if there is none.
  void (*tell)(void *state, const void *data, int64_t bytes, int32_t to);
  int32_t (*hear)(void *state, void *data, int64_t bytes);
  /// The last error.
  const char *(*why)(void *state);
  /// Ends all processes with this code.
  void (*abort)(void *state, int32_t code);
  /// All processes call it at the end.
  void (*finish)(void *state);
} mercator_transport;

/// Exported by libmercator_mpi.so. Null after an error, which `why` tells.
const mercator_transport *mercator_open_mpi(const char **why);

// NOLINTEND(readability-identifier-naming)

#ifdef __cplusplus
}
#endif

#endif // MERCATOR_RUNTIME_PROCESSES_TRANSPORT_H
