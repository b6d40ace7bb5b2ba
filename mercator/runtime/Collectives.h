// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What compiled programs exchange with other processes. A header of C.
///
///   %0 = call @mercator_gather(%x, %to, %kind, %channel, %bytes, %1, %2, %c0, %c1)
///       : (tensor<4xf32>, tensor<2x4xf32>, i64, ...) -> tensor<2x4xf32>
///
///   int32_t status =
///       mercator_gather_bytes(context, "", 7, 8, operands, numbers, results);
///
/// These functions move bytes. A reduction is an exchange of pieces and then code
/// of the program, which combines the pieces in the order of the group: the bits of
/// a result do not depend on the run.
///
/// Processes are numbered replica * partitions + partition. `numbers` begins with
/// the operation in the user's program (mercator_operation), its channel, and the
/// bytes of an element. Then follow groups, or pairs:
///
///   groups  their number, and for each its size and its members, in order
///   pairs   their number, and for each its source and its target
///
/// A process is in one group at most. Of n members with chunks of c elements, the
/// last chunks may be short or empty: all of them have the extent of one tensor, which
/// is not always a multiple of n. What belongs to no element is not written.
///
/// The name of a function is that in the program and `_bytes`:
///
///   in the program     operands   results   moves
///   mercator_gather    x: c       all       chunk i of `all` is x of member i
///   mercator_scatter   x          y: n x c  row i of y is, of member i, the chunk
///                                           whose number is the place of this
///                                           process in the group
///   mercator_gather_others        all       as mercator_gather, where the chunk of
///                                           this process is there
///   mercator_scatter_others
///                      x          y         as mercator_scatter, without the row of
///                                           this process; all chunks have c elements
///   mercator_permute   x          y         y is x of the source; zeros without one
///   mercator_send      x                    to all targets; does not wait
///   mercator_receive              y         what the source sends; zeros without one
///   mercator_process              y: i32    the number of this process
///
/// A process in no group leaves its result as it is.
///
/// `file`, `line` and `column` are the place of the operation, as in
/// mercator_failure (Abi.h). Messages between two processes meet by operation,
/// channel, group, and extents. What does not fit is never received: a process that
/// waits in vain says so (processes/States.h).

#ifndef MERCATOR_RUNTIME_COLLECTIVES_H
#define MERCATOR_RUNTIME_COLLECTIVES_H

#include "mercator/runtime/Abi.h"

#ifdef __cplusplus
extern "C" {
#endif

// NOLINTBEGIN(readability-identifier-naming): names of C

/// The operations of a program that exchange data. Messages name them.
typedef enum mercator_operation {
  mercator_op_none = 0,
  mercator_op_all_gather = 1,
  mercator_op_all_reduce = 2,
  mercator_op_all_to_all = 3,
  mercator_op_collective_broadcast = 4,
  mercator_op_collective_permute = 5,
  mercator_op_collective_reduce = 6,
  mercator_op_cross_replica_sum = 7,
  mercator_op_recv = 8,
  mercator_op_reduce_scatter = 9,
  mercator_op_send = 10,
} mercator_operation;

/// The type of all functions. Returns mercator_ok, or mercator_failed_check.
typedef int32_t mercator_collective(mercator_context *context, const char *file,
                                    int64_t line, int64_t column,
                                    const mercator_tensor *operands,
                                    const int64_t *numbers,
                                    const mercator_tensor *results);

mercator_collective mercator_gather_bytes, mercator_gather_others_bytes,
    mercator_scatter_bytes, mercator_scatter_others_bytes,
    mercator_permute_bytes, mercator_send_bytes, mercator_receive_bytes,
    mercator_process_bytes;

/// The function of a name such as "mercator_gather_bytes"; null if there is none.
mercator_collective *mercator_find_collective(const char *name);

// NOLINTEND(readability-identifier-naming)

#ifdef __cplusplus
}
#endif

#endif // MERCATOR_RUNTIME_COLLECTIVES_H
