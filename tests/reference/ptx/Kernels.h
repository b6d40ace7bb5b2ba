// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Kernels as text, for tests of the evaluator of PTX:
///
///   Kernels kernels;
///   kernels.run("mov.u32 %r1, %tid.x;"
///               "st.global.b32 [%rd0], %r1;", {.block = {32, 1, 1}});
///   kernels.word(0)                  // the first word of the memory at %rd0
///   kernels.messages                 // of the last run
///
/// The body may use %p0 to %p15, %rs, %r and %rd 0 to 63. %rd0 is a buffer of 64 KiB,
/// filled with the words 0, 1, 2, ..; %rd1 is its address plus 4 times the thread in the
/// grid; %r0 is the thread in the block.

#ifndef MERCATOR_TESTS_REFERENCE_PTX_KERNELS_H
#define MERCATOR_TESTS_REFERENCE_PTX_KERNELS_H

#include "mercator/reference/ptx/Machine.h"

#include "gtest/gtest.h"

#include <cstring>

namespace mercator {

class Kernels {
public:
  struct How {
    std::array<uint32_t, 3> grid = {1, 1, 1};
    std::array<uint32_t, 3> block = {32, 1, 1};
    bool findRaces = false;
    uint64_t limit = 1000000;
    std::string variables = "";
  };

  /// False if the text or the run fails.
  bool run(const std::string &body, const How &how) {
    std::string text =
        ".version 8.0\n.target sm_90a\n.address_size 64\n"
        ".visible .entry test(.param .u64 out)\n{\n"
        ".reg .pred %p<16>; .reg .b16 %rs<64>; .reg .b32 %r<64>; .reg .b64 %rd<64>;\n" +
        how.variables +
        "ld.param.b64 %rd0, [out]; mov.u32 %r0, %tid.x;\n"
        "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.s32 %r1, %r1, %r2, %r0;\n"
        "mul.wide.u32 %rd1, %r1, 4; add.s64 %rd1, %rd0, %rd1;\n" +
        body + "\nret;\n}\n";
    return runText(text, "test", how);
  }

  bool runText(const std::string &text, const std::string &name,
               const How &how) {
    using namespace reference::ptx;
    messages.clear();
    llvm::raw_string_ostream os(messages);
    DiagnosticEngine diagnostics(os);
    source = std::make_unique<SourceBuffer>("test.ptx", text);
    module = parse(*source, diagnostics);
    if (!module)
      return false;
    const Kernel *kernel = module->find(name);
    if (!kernel)
      return false;
    memory = std::make_unique<Memory>();
    address = memory->allocate(1 << 16);
    for (uint32_t word = 0; word < (1 << 14); ++word)
      std::memcpy(memory->bytes(address).data() + 4 * word, &word, 4);
    Launch launch = {how.grid, how.block, 0,
                     std::vector<uint64_t>(kernel->parameters.size(), address)};
    outcome = reference::ptx::run(
        *module, *kernel, launch, *memory,
        {.findRaces = how.findRaces, .limit = how.limit}, diagnostics);
    return outcome.has_value();
  }

  [[nodiscard]] uint32_t word(size_t index) const {
    uint32_t value;
    std::memcpy(&value, memory->bytes(address).data() + 4 * index, 4);
    return value;
  }
  [[nodiscard]] const reference::ptx::Counts &counts() const {
    return outcome->counts;
  }

  std::string messages;
  std::optional<reference::ptx::Outcome> outcome;

private:
  std::unique_ptr<SourceBuffer> source;
  std::optional<reference::ptx::Module> module;
  std::unique_ptr<reference::ptx::Memory> memory;
  uint64_t address = 0;
};

} // namespace mercator

#endif // MERCATOR_TESTS_REFERENCE_PTX_KERNELS_H
