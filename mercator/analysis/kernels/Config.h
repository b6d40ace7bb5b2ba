// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The backend_config of a fusion: what XLA decided about its kernel and wrote down.
///
///   backend_config={"fusion_backend_config":{"kind":"__triton",
///     "block_level_fusion_config":{"output_tiles":[{"sizes":["8"]}],
///     "num_warps":"8"}}}
///
/// ```cpp
/// std::optional<mercator::kernels::Config> config =
///     mercator::kernels::parseConfig(R"({"fusion_backend_config":{}})");
/// assert(config && config->tiles.empty());
/// ```

#ifndef MERCATOR_ANALYSIS_KERNELS_CONFIG_H
#define MERCATOR_ANALYSIS_KERNELS_CONFIG_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace mercator::kernels {

struct Config {
  std::string kind = {}; ///< "__triton", "__triton_nested_gemm_fusion", ..
  /// What one block computes of each result.
  llvm::SmallVector<llvm::SmallVector<int64_t, 4>, 1> tiles = {};
  int64_t warps = 0;
  int64_t unroll = 0; ///< 0: not said
  bool copyEngine = false;

  [[nodiscard]] bool isTriton() const {
    return llvm::StringRef(kind).starts_with("__triton");
  }
};

/// None for a text that is no JSON object, or has a member of a wrong type or out of
/// range; `why` then names it. An empty text is an empty configuration.
[[nodiscard]] std::optional<Config> parseConfig(llvm::StringRef text,
                                                std::string *why = nullptr);

/// The sizes of `{"sizes":["32"]}`, which a dot has for its contracted dimension.
[[nodiscard]] llvm::SmallVector<int64_t, 2> parseSizes(llvm::StringRef text);

} // namespace mercator::kernels

#endif // MERCATOR_ANALYSIS_KERNELS_CONFIG_H
