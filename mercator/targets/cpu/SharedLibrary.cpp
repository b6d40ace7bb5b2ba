// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/SharedLibrary.h"

#include "mercator/targets/cpu/host/Host.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

#include <dlfcn.h>
#include <link.h>
#include <optional>
#include <vector>

using namespace mercator;
using namespace llvm;

namespace {
/// A file that is gone at the end.
class TemporaryFile {
public:
  static Expected<TemporaryFile> make(StringRef kind, StringRef content) {
    SmallString<128> path;
    int descriptor;
    if (std::error_code code =
            sys::fs::createTemporaryFile("mercator", kind, descriptor, path))
      return createStringError(code,
                               "there is no temporary file: " + code.message());
    TemporaryFile file(path.str().str());
    raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << content;
    os.close();
    if (os.has_error())
      return createStringError(os.error(),
                               file.path + ": " + os.error().message());
    return file;
  }
  TemporaryFile(TemporaryFile &&other) noexcept
      : path(std::exchange(other.path, "")) {}
  ~TemporaryFile() {
    if (!path.empty())
      (void)sys::fs::remove(path);
  }
  std::string path;

private:
  explicit TemporaryFile(std::string path) : path(std::move(path)) {}
};
} // namespace

/// The static library of the runtime: beside this program, beside the shared library
/// that has this code, or where it was built.
static std::optional<std::string> runtimeLibrary() {
  static int here;
  std::string program = sys::fs::getMainExecutable(nullptr, &here);
  StringRef folder = sys::path::parent_path(sys::path::parent_path(program));
  Dl_info library;
  bool isKnown = dladdr(&here, &library) && library.dli_fname;
  StringRef beside =
      sys::path::parent_path(isKnown ? library.dli_fname : program.c_str());
  StringRef name = "/libmercator_runtime_calls.a";
  for (std::string path :
       {(folder + "/lib" + name).str(), (beside + name).str(),
        std::string(MERCATOR_RUNTIME_LIBRARY)})
    if (sys::fs::exists(path))
      return path;
  return std::nullopt;
}

/// The files of the shared libraries that this process has loaded and that code
/// of the runtime may need.
static std::vector<std::string> neededLibraries() {
  std::vector<std::string> found;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *into) {
        StringRef path = info->dlpi_name, name = sys::path::filename(path);
        for (StringRef wanted : {"libstdc++.so", "libm.so", "libc.so",
                                 "libgcc_s.so", "liblapack.so", "libblas.so"})
          if (name.starts_with(wanted))
            static_cast<std::vector<std::string> *>(into)->push_back(
                path.str());
        return 0;
      },
      &found);
  return found;
}

static Expected<std::string> findLinker() {
  for (StringRef name : {"ld.lld-22", "ld.lld"})
    if (ErrorOr<std::string> path = sys::findProgramByName(name))
      return *path;
  return createStringError(
      "expected the linker ld.lld on the PATH, got none (package lld)");
}

Expected<std::string> cpu::linkSharedLibrary(ArrayRef<std::string> objects,
                                             StringRef name) {
  Expected<std::string> linker = findLinker();
  if (!linker)
    return linker.takeError();
  std::optional<std::string> runtime = runtimeLibrary();
  if (!runtime)
    return createStringError("expected libmercator_runtime_calls.a beside this "
                             "program, got none");
  std::vector<TemporaryFile> files;
  for (const std::string &object : objects) {
    auto file = TemporaryFile::make("o", object);
    if (!file)
      return file.takeError();
    files.push_back(std::move(*file));
  }
  auto exports = TemporaryFile::make(
      "map", ("{ global: " + name +
              "; mercator_new_context; mercator_free_context; "
              "mercator_set_threads; mercator_last_failure; local: *; };\n")
                 .str());
  if (!exports)
    return exports.takeError();
  auto messages = TemporaryFile::make("txt", "");
  if (!messages)
    return messages.takeError();
  auto made = TemporaryFile::make("so", "");
  if (!made)
    return made.takeError();
  std::vector<std::string> words = {
      *linker,
      "-shared",
      "--gc-sections",
      "--version-script=" + exports->path,
      ("--defsym=" + name + "=" + StringRef(kEntry)).str(),
      "-o",
      made->path,
      "-u",
      "mercator_new_context",
      "-u",
      "mercator_free_context",
      "-u",
      "mercator_set_threads",
      "-u",
      "mercator_last_failure",
      *runtime,
      "--as-needed"};
  append_range(words, neededLibraries());
  for (const TemporaryFile &file : files)
    words.push_back(file.path);
  std::vector<StringRef> arguments(words.begin(), words.end());
  std::optional<StringRef> redirects[] = {
      std::nullopt, StringRef(messages->path), StringRef(messages->path)};
  std::string why;
  int status = sys::ExecuteAndWait(*linker, arguments, std::nullopt, redirects,
                                   0, 0, &why);
  if (status != 0) {
    if (auto text = MemoryBuffer::getFile(messages->path))
      why += (*text)->getBuffer().split('\n').first;
    return createStringError("the linker failed: " + why);
  }
  auto bytes = MemoryBuffer::getFile(made->path);
  if (!bytes)
    return createStringError(bytes.getError(),
                             made->path + ": " + bytes.getError().message());
  return (*bytes)->getBuffer().str();
}
