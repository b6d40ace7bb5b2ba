// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/kernels/Config.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

using namespace mercator;
using namespace mercator::kernels;
using llvm::StringRef;
namespace json = llvm::json;

/// A number, or the text of one, as protobuf writes int64; -1 for anything else.
static int64_t integerOf(const json::Value *value, int64_t absent) {
  if (!value)
    return absent;
  if (std::optional<int64_t> number = value->getAsInteger())
    return *number;
  int64_t number;
  if (std::optional<StringRef> text = value->getAsString();
      text && !text->getAsInteger(10, number))
    return number;
  return -1;
}

static constexpr int64_t kMostTile = int64_t(1) << 30;

static bool addSizes(const json::Object &object,
                     llvm::SmallVectorImpl<int64_t> &sizes) {
  const json::Array *list = object.getArray("sizes");
  if (!list)
    return false;
  for (const json::Value &value : *list) {
    int64_t size = integerOf(&value, -1);
    if (size < 1 || size > kMostTile)
      return false;
    sizes.push_back(size);
  }
  return true;
}

static std::optional<json::Value> objectIn(StringRef text) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  if (!value->getAsObject())
    return std::nullopt;
  return std::move(*value);
}

llvm::SmallVector<int64_t, 2> kernels::parseSizes(StringRef text) {
  llvm::SmallVector<int64_t, 2> sizes;
  std::optional<json::Value> value = objectIn(text);
  if (!value || !addSizes(*value->getAsObject(), sizes))
    sizes.clear();
  return sizes;
}

std::optional<Config> kernels::parseConfig(StringRef text, std::string *why) {
  auto fail = [&](const char *reason) {
    if (why)
      *why = reason;
    return std::nullopt;
  };
  Config config;
  if (text.empty())
    return config;
  std::optional<json::Value> value = objectIn(text);
  if (!value)
    return fail("the backend_config is no JSON object");
  const json::Object &top = *value->getAsObject();
  if (const json::Object *native =
          top.getObject("native_emitter_backend_config"))
    config.unroll = integerOf(native->get("unroll_factor"), 0);
  if (config.unroll < 0 || config.unroll > 64 ||
      (config.unroll & (config.unroll - 1)))
    return fail("expected a power of two up to 64 as 'unroll_factor'");
  const json::Object *fusion = top.getObject("fusion_backend_config");
  if (!fusion)
    return config;
  if (std::optional<StringRef> kind = fusion->getString("kind"))
    config.kind = kind->str();
  const json::Object *block = fusion->getObject("block_level_fusion_config");
  if (!block)
    return config;
  config.warps = integerOf(block->get("num_warps"), 1);
  if (config.warps < 1 || config.warps > 32 ||
      (config.warps & (config.warps - 1)))
    return fail("expected a power of two up to 32 as 'num_warps'");
  config.copyEngine = block->getBoolean("is_tma_allowed").value_or(false);
  const json::Array *tiles = block->getArray("output_tiles");
  if (!tiles)
    return fail("expected a list as 'output_tiles'");
  for (const json::Value &tile : *tiles)
    if (!tile.getAsObject() ||
        !addSizes(*tile.getAsObject(), config.tiles.emplace_back()))
      return fail("expected sizes of at least 1 in 'output_tiles'");
  return config;
}
