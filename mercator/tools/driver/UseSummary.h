// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What a person at a terminal sees instead of thousands of lines of `access`
/// and `tile`: the bytes by kind of instruction, the causes of waste, and the
/// instructions with the most bytes, with the commands that show more.

#ifndef MERCATOR_TOOLS_DRIVER_USESUMMARY_H
#define MERCATOR_TOOLS_DRIVER_USESUMMARY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mercator {

class UseSummary {
public:
  /// An instruction that moves this number of bytes.
  void add(llvm::StringRef computation, llvm::StringRef name,
           llvm::StringRef operation, llvm::StringRef at, int64_t bytes);
  /// Bytes that are moved and not used, of the instruction that was added last.
  void addWaste(llvm::StringRef cause, int64_t bytes);
  /// `assuming` says how bytes are counted, `command` is the command line, `lines`
  /// the number of lines that it would have printed.
  void print(llvm::StringRef assuming, llvm::StringRef command, size_t lines,
             bool color, llvm::raw_ostream &os) const;

private:
  struct Count {
    int64_t times = 0, bytes = 0;
    std::string first; ///< an instruction, as `--instruction` takes it
    void add(int64_t more, llvm::StringRef name);
  };
  struct Large {
    int64_t bytes = 0;
    std::string name, operation, at;
  };
  using Counts = std::map<std::string, Count>;

  Count all;
  Counts kinds, causes;
  std::vector<Large> instructions;
};

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_USESUMMARY_H
