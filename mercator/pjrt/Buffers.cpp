// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/pjrt/Buffers.h"

#include "llvm/ADT/SmallVector.h"

#include <cstring>
#include <numeric>

using namespace mercator::pjrt;
using llvm::ArrayRef;

static llvm::SmallVector<int64_t> rowMajorStrides(ArrayRef<int64_t> dims,
                                                  int64_t bytes) {
  llvm::SmallVector<int64_t> strides(dims.size());
  for (size_t i = dims.size(); i-- > 0; bytes *= std::max<int64_t>(dims[i], 1))
    strides[i] = bytes;
  return strides;
}

/// Whether elements lie as `strides` say if they lie row-major. The stride of a
/// dimension of one element does not count.
static bool isRowMajor(ArrayRef<int64_t> dims, ArrayRef<int64_t> strides,
                       int64_t bytes) {
  auto dense = rowMajorStrides(dims, bytes);
  for (size_t i = 0; i < dims.size(); ++i)
    if (dims[i] == 0)
      return true;
  for (size_t i = 0; i < dims.size(); ++i)
    if (dims[i] != 1 && strides[i] != dense[i])
      return false;
  return true;
}

/// Copies a tensor between two orders of its elements.
static void copyStrided(ArrayRef<int64_t> dims, size_t bytes, const char *from,
                        ArrayRef<int64_t> fromStrides, char *to,
                        ArrayRef<int64_t> toStrides) {
  if (dims.empty()) {
    std::memcpy(to, from, bytes);
    return;
  }
  for (int64_t i = 0; i < dims.front(); ++i)
    copyStrided(dims.drop_front(), bytes, from + i * fromStrides.front(),
                fromStrides.drop_front(), to + i * toStrides.front(),
                toStrides.drop_front());
}

Buffer *mercator::pjrt::newBuffer(Client *client, int type,
                                  ArrayRef<int64_t> dims) {
  auto *buffer = new Buffer{client, type, dims.vec(), {}, typeBytes(type), {}};
  for (int64_t extent : dims)
    buffer->bytes *= size_t(extent);
  for (size_t i = dims.size(); i-- > 0;)
    buffer->minorToMajor.push_back(int64_t(i));
  return buffer;
}

Error *mercator::pjrt::bufferFromHost(BufferFromHost *args) {
  if (typeBytes(args->type) == 0)
    return fail(Code::Unimplemented,
                "expected an element type that Mercator knows, got number " +
                    std::to_string(args->type));
  ArrayRef<int64_t> dims(args->dims, args->rank);
  std::unique_ptr<Buffer> buffer(newBuffer(args->client, args->type, dims));
  auto dense = rowMajorStrides(dims, int64_t(typeBytes(args->type)));
  ArrayRef<int64_t> strides(dense);
  if (args->strides && args->strideCount == args->rank && args->rank)
    strides = ArrayRef(args->strides, args->rank);
  bool isDense = isRowMajor(dims, strides, int64_t(typeBytes(args->type)));
  bool isLent = args->semantics == BufferFromHost::kZeroCopy ||
                args->semantics == BufferFromHost::kMutableZeroCopy;
  args->done = new Event;
  if (isDense && isLent && buffer->bytes) {
    args->done->occurrence = std::make_shared<Occurrence>();
    buffer->storage = Storage::borrow(const_cast<void *>(args->data),
                                      buffer->bytes, args->done->occurrence);
  } else {
    buffer->storage = Storage::allocate(buffer->bytes);
    if (!buffer->storage)
      return fail(Code::ResourceExhausted,
                  "there is no memory for a buffer of " +
                      std::to_string(buffer->bytes) + " bytes");
    const char *from = static_cast<const char *>(args->data);
    if (isDense && buffer->bytes)
      std::memcpy(buffer->storage->data(), from, buffer->bytes);
    else if (buffer->bytes)
      copyStrided(dims, typeBytes(args->type), from, strides,
                  buffer->storage->data(), dense);
  }
  args->buffer = buffer.release();
  return nullptr;
}

Error *mercator::pjrt::bufferToHost(BufferToHost *args) {
  Buffer *buffer = args->buffer;
  if (!buffer->storage)
    return fail(Code::InvalidArgument,
                "the buffer has been deleted or donated");
  args->event = nullptr;
  if (!args->to) {
    args->bytes = buffer->bytes;
    return nullptr;
  }
  if (args->bytes < buffer->bytes)
    return fail(Code::InvalidArgument,
                "expected room for " + std::to_string(buffer->bytes) +
                    " bytes, got " + std::to_string(args->bytes));
  ArrayRef<int64_t> dims(buffer->dims);
  int64_t size = int64_t(typeBytes(buffer->type));
  auto dense = rowMajorStrides(dims, size), wanted = dense;
  if (MemoryLayout *layout = args->layout) {
    if (layout->kind == MemoryLayout::kStrides &&
        layout->strides.rank == dims.size()) {
      wanted.assign(layout->strides.bytes, layout->strides.bytes + dims.size());
    } else if (layout->kind == MemoryLayout::kTiled &&
               layout->tiled.rank == dims.size()) {
      int64_t stride = size;
      for (int64_t dim : ArrayRef(layout->tiled.minorToMajor, dims.size())) {
        wanted[size_t(dim)] = stride;
        stride *= std::max<int64_t>(dims[size_t(dim)], 1);
      }
    }
  }
  char *to = static_cast<char *>(args->to);
  if (buffer->bytes && isRowMajor(dims, wanted, size))
    std::memcpy(to, buffer->storage->data(), buffer->bytes);
  else if (buffer->bytes)
    copyStrided(dims, size_t(size), buffer->storage->data(), dense, to, wanted);
  // In a program the other bits of a byte are zero; in an array they are the sign.
  if (unsigned bits = narrowSigned(buffer->type))
    for (size_t i = 0; i < buffer->bytes; ++i)
      to[i] = char(int8_t(uint8_t(to[i]) << (8 - bits)) >> (8 - bits));
  args->event = new Event;
  return nullptr;
}

Error *mercator::pjrt::bufferCopy(BufferCopy *args) {
  if (!args->buffer->storage)
    return fail(Code::InvalidArgument,
                "the buffer has been deleted or donated");
  args->copy = new Buffer(*args->buffer);
  return nullptr;
}
