// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What a client of PJRT holds: one device with one memory, buffers, programs.
///
/// A short program runs in the thread that executes it; its results are ready when
/// the call returns. A longer one runs in the thread of the client's Queue: until it
/// has run, its results have an occurrence that has not happened. An error of such a
/// program is that of the occurrence, and of all programs that read its results.
///
/// A client may lend its array to a buffer instead of having it copied; the event
/// tells it that the last buffer with this memory is gone.

#ifndef MERCATOR_PJRT_OBJECTS_H
#define MERCATOR_PJRT_OBJECTS_H

#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/run/NativeFunction.h"
#include "mercator/pjrt/Layout.h"
#include "mercator/pjrt/Queue.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace mercator::pjrt {

struct Error {
  Code code;
  std::string message;
};

inline Error *fail(Code code, std::string message) {
  return new Error{code, std::move(message)};
}

/// Happens once, well or with an error. Calls back those who wait for it.
class Occurrence {
public:
  [[nodiscard]] bool hasHappened() const { return happened; }
  void happen(std::optional<Error> why = std::nullopt);
  void wait() const { happened.wait(false); }
  /// A new error, or null. Requires: it has happened.
  [[nodiscard]] Error *failure() const {
    return error ? new Error(*error) : nullptr;
  }
  void onReady(void (*callback)(Error *, void *), void *data);

private:
  std::mutex mutex;
  std::atomic<bool> happened = false;
  std::optional<Error> error;
  std::vector<std::pair<void (*)(Error *, void *), void *>> callbacks;
};

struct Event {
  std::shared_ptr<Occurrence> occurrence; ///< null: it has happened
};

/// The one device, which is its own description, and its memory.
struct Device {};
struct Memory {};

struct Client {
  Device device;
  Memory memory;
  Device *devices[1] = {&device};
  Memory *memories[1] = {&memory};
  Queue queue;
};

/// The bytes of a buffer: our own, or those of an array of the client.
class Storage {
public:
  static std::shared_ptr<Storage> allocate(size_t bytes);
  static std::shared_ptr<Storage> borrow(void *data, size_t bytes,
                                         std::shared_ptr<Occurrence> returned);
  ~Storage();
  Storage(const Storage &) = delete;
  Storage &operator=(const Storage &) = delete;

  [[nodiscard]] char *data() const { return static_cast<char *>(bytes); }
  [[nodiscard]] size_t byteSize() const { return size; }
  /// Whether a program may write here after the only buffer was donated.
  [[nodiscard]] bool isOwn() const { return !returned && !isShared; }
  /// Another buffer, or a pointer of the client, refers to it from now on.
  void share() { isShared = true; }
  /// Of all storage that is allocated now, and at most so far.
  static int64_t inUse();
  static int64_t peak();
  static int64_t allocations();
  static int64_t largest();

private:
  Storage(void *bytes, size_t size, std::shared_ptr<Occurrence> returned)
      : bytes(bytes), size(size), returned(std::move(returned)) {}
  void *bytes;
  size_t size;
  std::shared_ptr<Occurrence> returned; ///< of borrowed bytes
  std::atomic<bool> isShared = false;
};

struct Buffer {
  Client *client;
  int type; ///< the number of the element type
  std::vector<int64_t> dims;
  std::vector<int64_t> minorToMajor;
  size_t bytes = 0;
  std::shared_ptr<Storage> storage;         ///< null: deleted
  std::shared_ptr<Occurrence> defined = {}; ///< null: the bytes are there
  /// References of the client to the bytes, which outlive a deletion.
  std::shared_ptr<Storage> referred = {};
  int references = 0;
};

struct Executable {
  Client *client = nullptr;
  // Before what refers to them.
  std::string said;
  std::unique_ptr<llvm::raw_string_ostream> stream;
  std::unique_ptr<DiagnosticEngine> diagnostics;
  std::unique_ptr<Compilation> compilation;
  std::optional<NativeFunction> function;
  std::mutex asking; ///< one question, or one message of a run, at a time
  std::atomic<bool> isDeleted = false;
  /// How long the last run took; -1 before the first.
  std::atomic<int64_t> nanoseconds = -1;
  /// A loaded executable is the executable, too.
  std::atomic<int> owners = 1;
  std::string name, fingerprint;
  std::vector<int> inputTypes, outputTypes;
  std::vector<size_t> outputBytes;
  // As the interface gives them.
  std::vector<int64_t> dims;
  std::vector<size_t> ranks;
  std::vector<const char *> kinds;
  std::vector<size_t> kindLengths;
  std::vector<NamedValue> costs; ///< empty: not asked yet
};

/// The number of an element type that is spelled as in MLIR: `f32`, `ui8`; 0 if
/// there is none.
[[nodiscard]] int typeNumber(llvm::StringRef spelled);
/// The bytes that an element takes; 0 for an unknown type.
[[nodiscard]] size_t typeBytes(int number);
/// Integers of less than a byte with a sign: their bits, else 0.
[[nodiscard]] unsigned narrowSigned(int number);

inline constexpr llvm::StringLiteral kPlatform = "mercator";
inline constexpr llvm::StringLiteral kMemoryKind = "device";

} // namespace mercator::pjrt

#endif // MERCATOR_PJRT_OBJECTS_H
