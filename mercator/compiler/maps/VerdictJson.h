// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Verdicts (support/Verdict.h) as JSON, the same in every command:
///
///   {"value":32,"exactness":"exact","reason":"lanes are 4096 B apart",
///    "map":"(d0, d1) -> (d1, d0), ...","term":"d1 * 4096","help":"stage a tile"}
///
/// `value` is absent if the verdict is unknown, and so is each empty text.

#ifndef MERCATOR_COMPILER_MAPS_VERDICTJSON_H
#define MERCATOR_COMPILER_MAPS_VERDICTJSON_H

#include "mercator/support/Verdict.h"

#include "llvm/Support/JSON.h"

namespace mercator {

template <typename T>
void writeVerdict(llvm::StringRef key, const Verdict<T> &verdict,
                  llvm::json::OStream &json) {
  json.attributeObject(key, [&] {
    if (verdict.why.exactness != Exactness::Unknown)
      json.attribute("value", verdict.value);
    json.attribute("exactness", nameOf(verdict.why.exactness));
    for (auto [name, text] : {std::pair("reason", &verdict.why.reason),
                              {"map", &verdict.why.map},
                              {"term", &verdict.why.term},
                              {"help", &verdict.why.help}})
      if (!text->empty())
        json.attribute(name, *text);
  });
}

} // namespace mercator

#endif // MERCATOR_COMPILER_MAPS_VERDICTJSON_H
