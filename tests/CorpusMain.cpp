// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Runs a fuzz target on files instead of random bytes: every input that ever
/// broke something stays a test, in builds without libFuzzer too.
///
///   NAME FOLDER...

#include "mercator/support/File.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
  unsigned count = 0;
  for (int i = 1; i < argc; ++i) {
    std::error_code code;
    for (llvm::sys::fs::directory_iterator it(argv[i], code), end;
         !code && it != end; it.increment(code)) {
      // Said before the run: on a crash the last line names the culprit.
      llvm::errs() << it->path() << '\n';
      llvm::Expected<std::string> text = mercator::readFile(it->path());
      if (!text) {
        llvm::errs() << llvm::toString(text.takeError()) << '\n';
        return 1;
      }
      LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(text->data()),
                             text->size());
      ++count;
    }
    if (code) {
      llvm::errs() << argv[i] << ": " << code.message() << '\n';
      return 1;
    }
  }
  llvm::errs() << count << " inputs\n";
  // An empty corpus tests nothing.
  return count == 0;
}
