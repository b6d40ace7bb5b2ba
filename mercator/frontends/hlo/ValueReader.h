// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the values of attributes that the parser keeps as text. Internal to the
// import.
//
// ```cpp
// ValueReader reader{"[2,4]<=[8]"};
// llvm::SmallVector<int64_t> dims;
// assert(reader.numbers("[", "]", dims) && dims.size() == 2);
// assert(reader.consume("<="));
// ```
//
// Each function skips spaces, and returns false if the text does not begin with
// the requested item.

#ifndef MERCATOR_FRONTENDS_HLO_VALUEREADER_H
#define MERCATOR_FRONTENDS_HLO_VALUEREADER_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace mercator::hlo {

struct ValueReader {
  llvm::StringRef text;

  bool consume(llvm::StringRef word) {
    text = text.ltrim();
    return text.consume_front(word);
  }
  bool number(int64_t &value) {
    text = text.ltrim();
    return !text.consumeInteger(10, value);
  }
  /// `[2,4]` or `(1,0)`.
  bool numbers(llvm::StringRef open, llvm::StringRef close,
               llvm::SmallVectorImpl<int64_t> &values) {
    if (!consume(open))
      return false;
    if (consume(close))
      return true;
    do {
      if (!number(values.emplace_back()))
        return false;
    } while (consume(","));
    return consume(close);
  }
  /// `'axis_0'`, without the quotes.
  bool name(llvm::StringRef &value) {
    if (!consume("'"))
      return false;
    size_t end = text.find('\'');
    value = text.take_front(end);
    text = text.drop_front(std::min(end, text.size()));
    return consume("'");
  }
  [[nodiscard]] bool atEnd() const { return text.trim().empty(); }
};

} // namespace mercator::hlo

#endif // MERCATOR_FRONTENDS_HLO_VALUEREADER_H
