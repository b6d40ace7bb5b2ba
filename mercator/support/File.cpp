// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/support/File.h"

#include "mercator/support/Diagnostic.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mercator;
namespace fs = llvm::sys::fs;

static llvm::Error fileError(llvm::StringRef action, llvm::StringRef path,
                             const llvm::Twine &reason) {
  std::string name = path == "-" ? "<stdin>" : quote(path, 400);
  return llvm::createStringError("cannot " + action + " " + name + ": " +
                                 reason);
}

static llvm::Error fileError(llvm::StringRef action, llvm::StringRef path,
                             std::error_code code) {
  return fileError(action, path, llvm::StringRef(code.message()).lower());
}

llvm::Expected<std::string> mercator::readFile(llvm::StringRef path,
                                               size_t limit) {
  bool isStdin = path == "-";
  fs::file_t file = fs::getStdinHandle();
  if (!isStdin) {
    llvm::Expected<fs::file_t> opened = fs::openNativeFileForRead(path);
    if (!opened)
      return fileError("read", path,
                       llvm::errorToErrorCode(opened.takeError()));
    file = *opened;
  }
  llvm::scope_exit close([&] {
    if (!isStdin)
      (void)fs::closeFile(file);
  });

  // One loop for files and pipes: a file may grow while it is read, and a path
  // may name a pipe.
  std::string content;
  fs::file_status status;
  if (!fs::status(file, status) && fs::is_regular_file(status))
    content.reserve(std::min<uint64_t>(status.getSize(), limit) + 1);
  constexpr size_t chunk = 1 << 16;
  while (true) {
    size_t size = content.size();
    content.resize(size + chunk);
    llvm::Expected<size_t> count =
        fs::readNativeFile(file, {content.data() + size, chunk});
    if (!count)
      return fileError("read", path, llvm::errorToErrorCode(count.takeError()));
    content.resize(size + *count);
    if (content.size() > limit)
      return fileError("read", path,
                       "more than " + llvm::Twine(limit) +
                           " bytes, the limit for an input");
    if (*count == 0)
      return content;
  }
}

/// The path of the file behind symbolic links: a rename must not replace a link
/// by a file.
static std::string resolve(llvm::StringRef path) {
  llvm::SmallString<256> real;
  if (!fs::real_path(path, real))
    return std::string(real);
  return path.str();
}

llvm::Error
mercator::writeFile(llvm::StringRef path,
                    llvm::function_ref<void(llvm::raw_ostream &)> write) {
  if (path == "-") {
    write(llvm::outs());
    llvm::outs().flush();
    return llvm::Error::success();
  }
  fs::file_status status;
  bool exists = !fs::status(path, status);
  if (exists && fs::is_directory(status))
    return fileError("write", path, "it is a folder");
  if (exists && !fs::is_regular_file(status)) {
    std::error_code code;
    llvm::raw_fd_ostream os(path, code, fs::CD_OpenExisting, fs::FA_Write,
                            fs::OF_None);
    if (code)
      return fileError("write", path, code);
    write(os);
    os.flush();
    code = os.error();
    os.clear_error();
    return code ? fileError("write", path, code) : llvm::Error::success();
  }

  std::string target = resolve(path);
  llvm::Expected<fs::TempFile> temp =
      fs::TempFile::create(target + ".tmp-%%%%%%%%");
  if (!temp)
    return fileError("write", path, llvm::errorToErrorCode(temp.takeError()));
  std::error_code code;
  {
    llvm::raw_fd_ostream os(temp->FD, /*shouldClose=*/false);
    write(os);
    os.flush();
    code = os.error();
    os.clear_error();
  }
  if (code) {
    llvm::consumeError(temp->discard());
    return fileError("write", path, code);
  }
  if (exists)
    (void)fs::setPermissions(temp->FD, status.permissions());
  if (llvm::Error error = temp->keep(target))
    return fileError("write", path, llvm::errorToErrorCode(std::move(error)));
  return llvm::Error::success();
}
