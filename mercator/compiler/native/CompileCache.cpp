// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/native/CompileCache.h"

#include "mercator/runtime/Abi.h"
#include "mercator/support/File.h"
#include "mercator/targets/cpu/llvm/Object.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/xxhash.h"

#include <chrono>
#include <elf.h>
#include <link.h>

using namespace mercator;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// The build ids of the program and its libraries, which are hashes of what they
/// contain.
static std::string buildIds() {
  std::string ids;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *into) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr) &header = info->dlpi_phdr[i];
          if (header.p_type != PT_NOTE)
            continue;
          StringRef notes(
              reinterpret_cast<const char *>(info->dlpi_addr + header.p_vaddr),
              header.p_memsz);
          while (notes.size() > sizeof(ElfW(Nhdr))) {
            ElfW(Nhdr) note;
            std::memcpy(&note, notes.data(), sizeof note);
            size_t name = (note.n_namesz + 3) / 4 * 4,
                   size = (note.n_descsz + 3) / 4 * 4;
            StringRef rest = notes.drop_front(sizeof note);
            if (rest.size() < name + size)
              break;
            if (note.n_type == NT_GNU_BUILD_ID)
              *static_cast<std::string *>(into) +=
                  rest.substr(name, note.n_descsz);
            notes = rest.drop_front(name + size);
          }
        }
        return 0;
      },
      &ids);
  return ids;
}

std::string CompileCache::keyOf(llvm::ArrayRef<std::string> words) {
  static const std::string ids = buildIds();
  cpu::Machine host = cpu::Machine::host();
  std::string version = std::to_string(MERCATOR_ABI_VERSION);
  llvm::SmallVector<StringRef> all = {ids, host.cpu, host.features, version};
  llvm::append_range(all, words);
  llvm::BLAKE3 hash;
  for (StringRef word : all) {
    hash.update(std::to_string(word.size()) + ":");
    hash.update(word);
  }
  return llvm::toHex(hash.final<20>(), /*LowerCase=*/true);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

// A file is the magic, the checksum of what follows, and pieces: each its size in
// 8 bytes, then its bytes, both padded to 64. Constants are used where they lie,
// and the file lies at a multiple of 64: code loads them with aligned vectors.
static constexpr StringRef kMagic = "mercator machine code 1\n";
static constexpr size_t kStep = cpu::kConstantAlignment;
static_assert(kMagic.size() + sizeof(uint64_t) <= kStep);

static void put(llvm::raw_ostream &os, StringRef bytes) {
  auto pad = [&](size_t size) {
    os.write_zeros((kStep - size % kStep) % kStep);
  };
  char size[8];
  llvm::support::endian::write64le(size, bytes.size());
  os << StringRef(size, sizeof size);
  pad(sizeof size);
  os << bytes;
  pad(bytes.size());
}

static void put(llvm::raw_ostream &os, int64_t number) {
  put(os, StringRef(std::to_string(number)));
}

namespace {
/// The pieces of a file. After one that is missing, all are empty.
class Pieces {
public:
  explicit Pieces(StringRef bytes) : rest(bytes) {}
  StringRef take() {
    if (rest.size() < kStep)
      return fail();
    uint64_t size = llvm::support::endian::read64le(rest.data());
    rest = rest.drop_front(kStep);
    uint64_t padded = (size + kStep - 1) / kStep * kStep;
    if (size > rest.size() || padded > rest.size())
      return fail();
    StringRef piece = rest.take_front(size);
    rest = rest.drop_front(padded);
    return piece;
  }
  int64_t takeNumber() {
    int64_t number = 0;
    if (take().getAsInteger(10, number))
      fail();
    return number;
  }
  [[nodiscard]] bool isWhole() const { return isGood && rest.empty(); }

private:
  StringRef fail() {
    isGood = false;
    rest = "";
    return "";
  }
  StringRef rest;
  bool isGood = true;
};
} // namespace

static void put(llvm::raw_ostream &os, llvm::ArrayRef<int64_t> numbers) {
  put(os, int64_t(numbers.size()));
  for (int64_t number : numbers)
    put(os, number);
}

static void write(const NativeCode &code, llvm::raw_ostream &os) {
  put(os, code.type);
  put(os, code.arenaBytes);
  put(os, int64_t(code.objects.size()));
  for (StringRef object : code.objects)
    put(os, object);
  put(os, int64_t(code.dispatches.size()));
  for (const cpu::TracedDispatch &dispatch : code.dispatches) {
    put(os, dispatch.name);
    put(os, dispatch.kernel);
    put(os, dispatch.bytes);
    put(os, dispatch.flops);
    put(os, int64_t(dispatch.predicted.has_value()));
    for (const cpu::Time::Cause &cause : cpu::Time::causes())
      if (dispatch.predicted) // in picoseconds
        put(os, int64_t(*dispatch.predicted.*cause.field * 1000));
  }
  put(os, int64_t(code.constants.size()));
  for (const NativeCode::Constant &constant : code.constants) {
    put(os, constant.symbol);
    put(os, constant.bytes);
  }
  put(os, code.aliases);
  put(os, code.overwritten);
}

static std::optional<NativeCode> readBody(StringRef bytes) {
  Pieces pieces(bytes);
  NativeCode code;
  code.type = pieces.take();
  code.arenaBytes = pieces.takeNumber();
  for (int64_t i = pieces.takeNumber(); i > 0 && !bytes.empty(); --i)
    code.objects.push_back(pieces.take().str());
  for (int64_t i = pieces.takeNumber(); i > 0; --i) {
    cpu::TracedDispatch &dispatch = code.dispatches.emplace_back();
    dispatch.name = pieces.take();
    dispatch.kernel = pieces.take();
    dispatch.bytes = pieces.takeNumber();
    dispatch.flops = pieces.takeNumber();
    if (pieces.takeNumber() != 0)
      dispatch.predicted.emplace();
    for (const cpu::Time::Cause &cause : cpu::Time::causes())
      if (dispatch.predicted)
        *dispatch.predicted.*cause.field = double(pieces.takeNumber()) / 1000;
  }
  for (int64_t i = pieces.takeNumber(); i > 0; --i) {
    NativeCode::Constant &constant = code.constants.emplace_back();
    constant.symbol = pieces.take();
    constant.bytes = pieces.take();
  }
  for (std::vector<int64_t> *numbers : {&code.aliases, &code.overwritten})
    for (int64_t i = pieces.takeNumber(); i > 0; --i)
      numbers->push_back(pieces.takeNumber());
  if (!pieces.isWhole())
    return std::nullopt;
  return code;
}

std::string CompileCache::defaultFolder() {
  llvm::SmallString<128> path;
  if (!llvm::sys::path::cache_directory(path))
    return "";
  llvm::sys::path::append(path, "mercator");
  return path.str().str();
}

std::string CompileCache::fileOf(StringRef key) const {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, key + ".code");
  return path.str().str();
}

std::string CompileCache::print(const NativeCode &code) {
  std::string file = kMagic.str();
  file.resize(kStep);
  llvm::raw_string_ostream os(file);
  write(code, os);
  llvm::support::endian::write64le(
      file.data() + kMagic.size(),
      llvm::xxh3_64bits(StringRef(file).drop_front(kStep)));
  return file;
}

/// The code in the content of a file, which lies at a multiple of kStep.
static std::optional<NativeCode> readInPlace(StringRef bytes) {
  if (bytes.size() < kStep || !bytes.starts_with(kMagic))
    return std::nullopt;
  uint64_t sum = llvm::support::endian::read64le(bytes.data() + kMagic.size());
  StringRef rest = bytes.drop_front(kStep);
  return sum == llvm::xxh3_64bits(rest) ? readBody(rest) : std::nullopt;
}

std::optional<NativeCode> CompileCache::read(StringRef bytes) {
  std::shared_ptr<llvm::WritableMemoryBuffer> owner =
      llvm::WritableMemoryBuffer::getNewUninitMemBuffer(bytes.size(), "",
                                                        llvm::Align(kStep));
  llvm::copy(bytes, owner->getBufferStart());
  std::optional<NativeCode> code =
      readInPlace(StringRef(owner->getBufferStart(), bytes.size()));
  if (code)
    code->owner = std::move(owner);
  return code;
}

std::optional<NativeCode> CompileCache::load(StringRef key) const {
  if (!isOn())
    return std::nullopt;
  std::string path = fileOf(key);
  auto file = llvm::MemoryBuffer::getFile(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/false,
      /*IsVolatile=*/false, llvm::Align(kStep));
  if (!file)
    return std::nullopt;
  std::shared_ptr<llvm::MemoryBuffer> owner = std::move(*file);
  std::optional<NativeCode> code = readInPlace(owner->getBuffer());
  if (!code) {
    llvm::sys::fs::remove(path);
    return std::nullopt;
  }
  // Used now: it is not the oldest any more.
  int descriptor = 0;
  if (!llvm::sys::fs::openFileForWrite(path, descriptor,
                                       llvm::sys::fs::CD_OpenExisting,
                                       llvm::sys::fs::OF_Append)) {
    auto now = std::chrono::time_point_cast<std::chrono::nanoseconds>(
        std::chrono::system_clock::now());
    (void)llvm::sys::fs::setLastAccessAndModificationTime(descriptor, now, now);
    llvm::sys::Process::SafelyCloseFileDescriptor(descriptor);
  }
  code->owner = std::move(owner);
  return code;
}

void CompileCache::deleteOldest() const {
  struct Entry {
    llvm::sys::TimePoint<> time;
    uint64_t bytes;
    std::string path;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(folder, error), end;
       !error && it != end; it.increment(error)) {
    auto status = it->status();
    if (!status || status->type() != llvm::sys::fs::file_type::regular_file ||
        !StringRef(it->path()).contains(".code"))
      continue;
    entries.push_back(
        {status->getLastModificationTime(), status->getSize(), it->path()});
    total += status->getSize();
  }
  if (total <= kMostBytes)
    return;
  llvm::sort(entries,
             [](const Entry &a, const Entry &b) { return a.time < b.time; });
  for (const Entry &entry : entries) {
    if (total <= kMostBytes)
      return;
    llvm::sys::fs::remove(entry.path);
    total -= entry.bytes;
  }
}

llvm::Error CompileCache::store(StringRef key, const NativeCode &code) const {
  if (!isOn())
    return llvm::Error::success();
  uint64_t bytes = 0;
  for (const NativeCode::Constant &constant : code.constants)
    bytes += constant.bytes.size();
  if (bytes > kMostBytes / 4) // to read it would take as long as to make it
    return llvm::Error::success();
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return llvm::createStringError("cannot make the folder '" + folder +
                                   "': " + StringRef(error.message()).lower());
  std::string content = print(code);
  llvm::Error error =
      writeFile(fileOf(key), [&](llvm::raw_ostream &file) { file << content; });
  if (!error)
    deleteOldest();
  return error;
}
