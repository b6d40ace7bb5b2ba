// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The memory layout of PJRT's C interface, declared by ourselves.
///
/// A client (JAX, for example) finds the function GetPjrtApi in a library and gets
/// a table of functions from it. Each function takes one struct, which begins with
/// its size and a list of extensions; results are fields of the same struct:
///
///   MemoryText args = {sizeof(args)};          // PJRT_Memory_Kind_Args
///   args.object = memory;
///   Error *error = api->Memory_Kind(&args);    // args.text, args.size
///
/// Most structs hold an object and one result, so a few shapes serve them all.
/// test-peers compares sizes and offsets with the public header, pjrt_c_api.h.
///
/// The interface grows at the end of structs and of the table. A field that a client
/// may lack is read only if `size` covers it.

#ifndef MERCATOR_PJRT_LAYOUT_H
#define MERCATOR_PJRT_LAYOUT_H

#include <cstddef>
#include <cstdint>

namespace mercator::pjrt {

struct Buffer;
struct Client;
struct Device;
struct Error;
struct Event;
struct Executable;
struct Memory;

inline constexpr int kMajor = 0, kMinor = 104;

/// The beginning of every struct.
struct Head {
  size_t size;
  void *extensions;
};

//===--- Shapes of arguments ----------------------------------------------===//

template <typename T> struct Of : Head {
  T *object;
};
template <typename T, typename R> struct Value : Of<T> {
  R value;
};
template <typename T> struct Text : Of<T> {
  const char *text;
  size_t length;
};
template <typename T, typename E> struct List : Of<T> {
  E *items;
  size_t count;
};
/// Some structs have the number first.
template <typename T, typename E> struct CountedList : Of<T> {
  size_t count;
  E *items;
};
/// Bytes that the caller gives back with `free`.
template <typename T> struct Bytes : Of<T> {
  const char *bytes;
  size_t length;
  void *owner;
  void (*free)(void *owner);
};

//===--- Values -----------------------------------------------------------===//

/// Of absl::Status.
enum class Code : int {
  InvalidArgument = 3,
  ResourceExhausted = 8,
  FailedPrecondition = 9,
  Unimplemented = 12,
  Internal = 13,
};

struct NamedValue : Head {
  enum Kind : int { kString, kInt64, kInt64List, kFloat, kBool };
  const char *name;
  size_t nameLength;
  Kind kind;
  union {
    const char *text;
    int64_t number;
    const int64_t *numbers;
    float real;
    bool boolean;
  };
  size_t length; ///< of a text or a list; else 1
};

struct Program : Head {
  char *code;
  size_t codeLength;
  const char *format;
  size_t formatLength;
};

struct MemoryLayout : Head {
  enum Kind : int { kTiled, kStrides };
  struct Tiled : Head {
    const int64_t *minorToMajor;
    size_t rank;
    const int64_t *tiles;
    const size_t *tileRanks;
    size_t tileCount;
  };
  struct Strides : Head {
    const int64_t *bytes;
    size_t rank;
  };
  union {
    Tiled tiled;
    Strides strides;
  };
  Kind kind;
};

//===--- Arguments of their own shape -------------------------------------===//

struct ApiVersion : Head {
  int major, minor;
};

struct ErrorPayloads : Head {
  const Error *error;
  void (*visit)(const char *, size_t, const char *, size_t, void *);
  void *data;
};

struct PluginAttributes : Head {
  const NamedValue *items;
  size_t count;
};

struct DeviceAttributes : Head {
  Device *device;
  const NamedValue *items;
  size_t count;
  void *owner;
  void (*free)(void *owner);
};

struct EventOnReady : Head {
  Event *event;
  void (*callback)(Error *error, void *data);
  void *data;
};

struct ClientCreate : Head {
  const NamedValue *options;
  size_t optionCount;
  void *get, *getData, *put, *putData;
  Client *client;
  void *tryGet, *tryGetData;
};

struct ClientLookup : Head {
  Client *client;
  int id;
  Device *device;
};

struct ClientCompile : Head {
  Client *client;
  const Program *program;
  const char *options;
  size_t optionsLength;
  Executable *executable;
};

struct ClientDevices : Head {
  Client *client;
  int replicas, partitions;
  size_t count;
  int *devices;
};

struct BufferFromHost : Head {
  enum Semantics : int {
    kDuringCall,       ///< the data is the caller's again after the call
    kUntilTransferred, ///< .. after the event
    kZeroCopy,         ///< .. after the buffer is freed, and nobody writes it
    kMutableZeroCopy,
  };
  Client *client;
  const void *data;
  int type;
  const int64_t *dims;
  size_t rank;
  const int64_t *strides; ///< in bytes; null: row-major
  size_t strideCount;
  Semantics semantics;
  Device *device;
  Memory *memory;
  MemoryLayout *layout;
  Event *done;
  Buffer *buffer;
};

struct BufferToHost : Head {
  Buffer *buffer;
  MemoryLayout *layout;
  void *to; ///< null: only the size is wanted
  size_t bytes;
  Event *event;
};

struct BufferCopy : Head {
  Buffer *buffer;
  void *to; ///< a device or a memory
  Buffer *copy;
};

struct DeviceStatistics : Head {
  Device *device;
  int64_t bytesInUse;
  struct Optional {
    int64_t value;
    bool isSet;
  };
  Optional peakBytesInUse, allocations, largestAllocation, bytesLimit, reserved,
      peakReserved, reservable, largestFree, pool, peakPool;
};

struct LogicalId {
  int replica, partition;
};

struct ExecuteOptions : Head {
  void **sends, **receives;
  size_t sendCount, receiveCount;
  int launch;
  const int64_t *kept; ///< inputs that must not be donated
  size_t keptCount;
};

struct Execute : Head {
  Executable *executable;
  ExecuteOptions *options;
  Buffer *const *const *inputs; ///< for each device
  size_t devices;
  size_t inputCount;
  Buffer **const *outputs;
  Event **complete; ///< null, or one for each device
  Device *device;
};

struct OutputShapes : Head {
  Executable *executable;
  size_t count;
  const int64_t *dims; ///< of all outputs, one after another
  const size_t *ranks;
};

struct MemoryKinds : Head {
  Executable *executable;
  size_t count;
  const char *const *kinds;
  const size_t *lengths;
};

struct MemoryStatistics : Head {
  Executable *executable;
  int64_t code, arguments, outputs, aliases, temporaries;
  int64_t hostCode, hostArguments, hostOutputs, hostAliases, hostTemporaries;
  int64_t peak;
  int64_t total, allocated, indefinite, peakUnpadded;
};

struct Fingerprint : Head {
  const void *topology;
  uint64_t value;
};

//===--- The table --------------------------------------------------------===//

struct Api : Head {
  ApiVersion version;
#define DONE(NAME) void *NAME;
#define OPEN(NAME) void *NAME;
#include "mercator/pjrt/Functions.def"
#undef DONE
#undef OPEN
};

} // namespace mercator::pjrt

#endif // MERCATOR_PJRT_LAYOUT_H
