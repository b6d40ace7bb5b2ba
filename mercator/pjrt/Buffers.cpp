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
  std::shared_ptr<Occurrence> returned;
  if (isDense && isLent && buffer->bytes) {
    returned = std::make_shared<Occurrence>();
    buffer->storage = Storage::borrow(const_cast<void *>(args->data),
                                      buffer->bytes, returned);
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
  args->done = new Event{std::move(returned)};
  args->buffer = buffer.release();
  return nullptr;
}

namespace {
/// The copy of a buffer to memory of the client, when the bytes are there.
struct ToHost {
  std::shared_ptr<Storage> storage;
  std::vector<int64_t> dims;
  size_t bytes;
  int type;
  llvm::SmallVector<int64_t> strides; ///< that the client wants
  char *to;
  std::shared_ptr<Occurrence> done = {};

  void run() const {
    if (!bytes)
      return;
    int64_t size = int64_t(typeBytes(type));
    if (isRowMajor(dims, strides, size))
      std::memcpy(to, storage->data(), bytes);
    else
      copyStrided(dims, size_t(size), storage->data(),
                  rowMajorStrides(dims, size), to, strides);
    // In a program the other bits of a byte are zero; in an array they are the
    // sign.
    if (unsigned bits = narrowSigned(type))
      for (size_t i = 0; i < bytes; ++i)
        to[i] = char(int8_t(uint8_t(to[i]) << (8 - bits)) >> (8 - bits));
  }
};
} // namespace

static llvm::SmallVector<int64_t> stridesFor(const Buffer &buffer,
                                             const MemoryLayout *layout) {
  ArrayRef<int64_t> dims(buffer.dims);
  int64_t stride = int64_t(typeBytes(buffer.type));
  auto wanted = rowMajorStrides(dims, stride);
  if (layout && layout->kind == MemoryLayout::kStrides &&
      layout->strides.rank == dims.size())
    wanted.assign(layout->strides.bytes, layout->strides.bytes + dims.size());
  else if (layout && layout->kind == MemoryLayout::kTiled &&
           layout->tiled.rank == dims.size())
    for (int64_t dim : ArrayRef(layout->tiled.minorToMajor, dims.size())) {
      wanted[size_t(dim)] = stride;
      stride *= std::max<int64_t>(dims[size_t(dim)], 1);
    }
  return wanted;
}

/// What has happened with an error, which is freed.
static std::shared_ptr<Occurrence> failed(Error *error) {
  auto occurrence = std::make_shared<Occurrence>();
  occurrence->happen(std::move(*error));
  delete error;
  return occurrence;
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
  args->event = new Event;
  ToHost copy = {buffer->storage,
                 buffer->dims,
                 buffer->bytes,
                 buffer->type,
                 stridesFor(*buffer, args->layout),
                 static_cast<char *>(args->to)};
  if (!buffer->defined || buffer->defined->hasHappened()) {
    if (Error *error = buffer->defined ? buffer->defined->failure() : nullptr)
      args->event->occurrence = failed(error);
    else
      copy.run();
    return nullptr;
  }
  args->event->occurrence = copy.done = std::make_shared<Occurrence>();
  buffer->defined->onReady(
      [](Error *error, void *data) {
        std::unique_ptr<ToHost> copy(static_cast<ToHost *>(data));
        std::unique_ptr<Error> why(error);
        if (!why)
          copy->run();
        copy->done->happen(why ? std::optional(*why) : std::nullopt);
      },
      new ToHost(std::move(copy)));
  return nullptr;
}

Error *mercator::pjrt::bufferCopy(BufferCopy *args) {
  if (!args->buffer->storage)
    return fail(Code::InvalidArgument,
                "the buffer has been deleted or donated");
  args->buffer->storage->share();
  args->copy = new Buffer(*args->buffer);
  args->copy->referred.reset();
  args->copy->references = 0;
  return nullptr;
}

Error *mercator::pjrt::addressOf(Buffer *buffer, char *&bytes) {
  const auto &storage = buffer->storage ? buffer->storage : buffer->referred;
  if (!storage)
    return fail(Code::InvalidArgument,
                "the buffer has been deleted or donated");
  if (buffer->defined) {
    buffer->defined->wait();
    if (Error *error = buffer->defined->failure())
      return error;
  }
  storage->share();
  bytes = storage->data();
  return nullptr;
}

Error *mercator::pjrt::refer(Buffer *buffer) {
  if (!buffer->storage)
    return fail(Code::InvalidArgument,
                "the buffer has been deleted or donated");
  buffer->storage->share();
  if (buffer->references++ == 0)
    buffer->referred = buffer->storage;
  return nullptr;
}

Error *mercator::pjrt::unrefer(Buffer *buffer) {
  if (buffer->references == 0)
    return fail(Code::InvalidArgument,
                "nobody refers to the bytes of the buffer");
  if (--buffer->references == 0)
    buffer->referred.reset();
  return nullptr;
}
