// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What a compiled program and its caller agree on. A header of C.
///
///   mercator_context *context = mercator_new_context(arena_bytes);
///   const int64_t sizes[] = {4};
///   float x[] = {1, 2, 3, 4}, y[4];
///   const mercator_tensor inputs[] = {{x, 1, sizes}};
///   mercator_tensor results[] = {{y, 1, sizes}};
///   int32_t status = mercator_main(context, inputs, results);
///   mercator_free_context(context);
///
/// A *context* is the memory of one run: the arena, which has buffers of known
/// size at places that the compiler chose, and *slots* for buffers whose sizes
/// follow from the data. One context serves one run at a time and may be used
/// again; then no memory is allocated, except for slots that must grow.
///
/// The caller passes memory for each result of known extents, which overlaps no
/// other tensor: until the program writes the result, it keeps other tensors there.
/// A result of unknown extents is allocated by the context, which owns it until the
/// next run; the program writes its address and sizes into the caller's table.
///
/// Tensors are contiguous and row-major, and may lie at any address. An element
/// takes its size rounded up to whole bytes; a bool is 0 or 1. The bits of a byte
/// beyond an element of 2 to 7 bits are not read, and are zero in results.
///
/// A program sets the floating-point mode of its threads: it rounds to nearest, and
/// unless it is compiled with `--math=precise`, subnormal numbers of f32, f64 and
/// bf16 are taken for zero. The caller has its own mode back when the program
/// returns.

#ifndef MERCATOR_RUNTIME_ABI_H
#define MERCATOR_RUNTIME_ABI_H

#include "mercator/runtime/Calls.h"

#ifdef __cplusplus
extern "C" {
#endif

// NOLINTBEGIN(readability-identifier-naming): names of C

/// Changes when a compiled program must be compiled again.
#define MERCATOR_ABI_VERSION 2

typedef struct mercator_context mercator_context;

/// Null if there is no memory. The arena is not cleared.
mercator_context *mercator_new_context(int64_t arena_bytes);
void mercator_free_context(mercator_context *context);

/// Why the last run of a context returned mercator_failed_check.
typedef struct mercator_failure {
  /// What was expected: "expected operands of the same extent in dimension 0".
  const char *message;
  /// The place of the operation. The file is empty if it is the one that was
  /// compiled; the line is 0 if no place is known.
  const char *file;
  int64_t line, column;
  /// The two numbers that were compared, if there are two: `count` is 2 or 0.
  int64_t count, numbers[2];
} mercator_failure;

/// Has no meaning after other runs. The texts are those of the program.
const mercator_failure *mercator_last_failure(const mercator_context *context);

/// The processes that run the program together (processes/Processes.h); null, as at
/// first, where there is one. They outlive the context.
typedef struct mercator_processes mercator_processes;
void mercator_set_processes(mercator_context *context,
                            mercator_processes *processes);
mercator_processes *mercator_get_processes(const mercator_context *context);

/// How many threads run a kernel, from 1 to 1024, in runs that have no number of their
/// own (Run.h).
/// The default is the number of processors that the process may use (by its
/// affinity and its control group), or that of the environment variable
/// MERCATOR_THREADS if it is such a number. Results do not depend on it.
void mercator_set_threads(int64_t threads);
int64_t mercator_get_threads(void);

/// The type of mercator_main. Returns mercator_ok, or why there are no results:
/// the numbers of Calls.h.
typedef int32_t mercator_program(mercator_context *context,
                                 const mercator_tensor *inputs,
                                 mercator_tensor *results);

// Called by programs.

/// The arena, aligned to 64 bytes.
void *mercator_arena(mercator_context *context);
/// At least `bytes` bytes, aligned to 64. A later call with the same number may
/// return the same memory. Null if there is no memory.
void *mercator_slot(mercator_context *context, int64_t number, int64_t bytes);
/// Afterwards, each of two slots has the other's memory.
void mercator_exchange_slots(mercator_context *context, int64_t a, int64_t b);
/// Memory for a result of these sizes, whose table entry it fills in.
void *mercator_result(mercator_context *context, mercator_tensor *result,
                      int64_t rank, const int64_t *sizes, int64_t bytes);

/// Notes a failure, and returns mercator_failed_check.
int32_t mercator_fail(mercator_context *context, const char *message,
                      const char *file, int64_t line, int64_t column,
                      int64_t count, int64_t first, int64_t second);

/// The floating-point mode of the program, which flushes subnormal numbers or not.
/// Returns the mode of before.
uint64_t mercator_begin_floats(int32_t flushes);
void mercator_end_floats(uint64_t before);

/// Asks the system, once in a process, for the registers of AMX. Returns mercator_ok, or
/// mercator_failed_check with a failure of the context, which may be null.
int32_t mercator_begin_tiles(mercator_context *context);

/// One part of a kernel. Parts may run at the same time, and in any order. `worker` is
/// the thread: those that compute parts are numbered from 0, and there are at most as
/// many as parts. What a part keeps for itself lies in memory of its worker, which the
/// part before has left in the cache.
typedef void mercator_task(int64_t number, int64_t worker, void *data);
/// Runs the parts 0 .. count - 1, in this thread and in those of the runtime, with
/// the floating-point mode of this thread.
void mercator_parallel(int64_t count, mercator_task *task, void *data);

/// Copies bytes in several threads; past the caches if it `streams`. Between the two
/// ranges is no overlap, or they are the same.
void mercator_copy(void *to, const void *from, int64_t bytes, int32_t streams);

/// Around a dispatch, in programs compiled with a trace. See Trace.h.
void mercator_trace_begin(int64_t dispatch);
void mercator_trace_end(int64_t dispatch);

/// In programs that are compiled with checks: a buffer that may be read and
/// written. It replaces one at the same address. A process runs one such program
/// at a time.
void mercator_watch(const void *buffer, int64_t bytes);
void mercator_unwatch(const void *buffer);
void mercator_unwatch_all(void);
/// Ends the process with code 70 and a message if the bytes are in no buffer.
void mercator_check(const void *at, int64_t bytes, const char *function);

/// The power modulo 2^64. Of a negative exponent the quotient 1 / base^|exponent|
/// without its fraction; 0 for the base 0.
int64_t mercator_power_int(int64_t base, int64_t exponent);

// NOLINTEND(readability-identifier-naming)

#ifdef __cplusplus
}
#endif

#endif // MERCATOR_RUNTIME_ABI_H
