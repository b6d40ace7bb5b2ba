// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The functions of the interface on buffers. Internal to the plugin.

#ifndef MERCATOR_PJRT_BUFFERS_H
#define MERCATOR_PJRT_BUFFERS_H

#include "mercator/pjrt/Objects.h"

namespace mercator::pjrt {

/// A buffer without bytes yet.
[[nodiscard]] Buffer *newBuffer(Client *client, int type,
                                llvm::ArrayRef<int64_t> dims);
Error *bufferFromHost(BufferFromHost *args);
Error *bufferToHost(BufferToHost *args);
Error *bufferCopy(BufferCopy *args);
/// Where the bytes of a buffer are, when they are there.
Error *addressOf(Buffer *buffer, char *&bytes);
/// The client has a pointer to the bytes: they stay until it has none, and no program
/// writes them.
Error *refer(Buffer *buffer);
Error *unrefer(Buffer *buffer);

} // namespace mercator::pjrt

#endif // MERCATOR_PJRT_BUFFERS_H
