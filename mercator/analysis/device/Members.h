// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A strict reader of JSON objects, for the files of devices and clusters. Internal.
//
//   Members members(value, "caches[0]", error);
//   members.text("name", cache.name);
//   members.finish();      // error: "unknown member 'caches[0].byts'; expected 'bytes'"

#ifndef MERCATOR_ANALYSIS_DEVICE_MEMBERS_H
#define MERCATOR_ANALYSIS_DEVICE_MEMBERS_H

#include "mercator/support/Suggest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <string>
#include <vector>

namespace mercator {

/// The members of an object: each is read by its name, then `finish` refuses the
/// others. The first error is kept; values read after it have no meaning.
class Members {
public:
  enum class Need { Required, Optional };

  Members(const llvm::json::Value &value, std::string path, std::string &error)
      : object(value.getAsObject()), path(std::move(path)), error(error) {
    if (!object)
      fail("expected an object as '" + this->path + "', got " + shown(&value));
  }

  [[nodiscard]] bool has(llvm::StringRef key) const {
    return object && object->get(key);
  }

  void text(llvm::StringRef key, std::string &place,
            Need need = Need::Required) {
    if (const llvm::json::Value *value = find(key, need, "a text")) {
      if (std::optional<llvm::StringRef> got = value->getAsString())
        place = got->str();
      else
        refuse(key, "a text", value);
    }
  }

  /// One of these words; its index.
  void word(llvm::StringRef key, llvm::ArrayRef<llvm::StringRef> words,
            unsigned &place, Need need = Need::Required) {
    std::string expected = "one of " + llvm::join(words, ", ");
    const llvm::json::Value *value = find(key, need, expected);
    if (!value)
      return;
    std::optional<llvm::StringRef> got = value->getAsString();
    const auto *found = got ? llvm::find(words, *got) : words.end();
    if (found == words.end())
      return refuse(key, expected, value);
    place = found - words.begin();
  }

  void integer(llvm::StringRef key, int64_t least, int64_t most, int64_t &place,
               Need need = Need::Required) {
    std::string expected =
        ("an integer from " + llvm::Twine(least) + " to " + llvm::Twine(most))
            .str();
    const llvm::json::Value *value = find(key, need, expected);
    if (!value)
      return;
    std::optional<int64_t> got = value->getAsInteger();
    if (!got || *got < least || *got > most)
      return refuse(key, expected, value);
    place = *got;
  }

  /// A rate, a bandwidth or a time.
  void number(llvm::StringRef key, double &place, Need need = Need::Optional) {
    number(key, 0, 1e12, "a number from 0 to 1e12", place, need);
  }

  /// A number that may be a divisor.
  void positive(llvm::StringRef key, double &place) {
    number(key, 0.01, 1e6, "a number from 0.01 to 1e6", place, Need::Optional);
  }

  void nested(llvm::StringRef key,
              llvm::function_ref<void(const llvm::json::Value &)> read) {
    if (const llvm::json::Value *value = find(key, Need::Optional, "an object"))
      read(*value);
  }

  void list(llvm::StringRef key, Need need,
            llvm::function_ref<void(const llvm::json::Value &, std::string)>
                element) {
    const llvm::json::Value *value = find(key, need, "a list");
    if (!value)
      return;
    const llvm::json::Array *array = value->getAsArray();
    if (!array)
      return refuse(key, "a list", value);
    for (auto [i, each] : llvm::enumerate(*array))
      element(each, at(key) + "[" + std::to_string(i) + "]");
  }

  void texts(llvm::StringRef key, std::vector<std::string> &place,
             Need need = Need::Optional) {
    list(key, need, [&](const llvm::json::Value &value, const std::string &at) {
      if (std::optional<llvm::StringRef> got = value.getAsString())
        place.push_back(got->str());
      else
        fail("expected a text as '" + at + "', got " + shown(&value));
    });
  }

  void refuse(llvm::StringRef key, const llvm::Twine &expected,
              const llvm::json::Value *value) {
    fail("expected " + expected + " as '" + at(key) + "', got " + shown(value));
  }

  void fail(const llvm::Twine &text) {
    if (error.empty())
      error = text.str();
  }

  /// A member that is read elsewhere.
  void mention(llvm::StringRef key) { known.push_back(key); }

  /// Refuses members that no call has read.
  void finish() {
    if (!object)
      return;
    std::vector<llvm::StringRef> unknown;
    for (const auto &[key, value] : *object)
      if (!llvm::is_contained(known, llvm::StringRef(key)))
        unknown.push_back(key);
    if (unknown.empty())
      return;
    llvm::StringRef first = *llvm::min_element(unknown);
    auto nearest = suggest(first, known);
    fail("unknown member '" + at(first) + "'; expected " +
         (nearest ? "'" + nearest->str() + "'" : llvm::join(known, ", ")));
  }

private:
  void number(llvm::StringRef key, double least, double most,
              llvm::StringRef expected, double &place, Need need) {
    const llvm::json::Value *value = find(key, need, expected);
    if (!value)
      return;
    std::optional<double> got = value->getAsNumber();
    if (!got || !(*got >= least && *got <= most))
      return refuse(key, expected, value);
    place = *got;
  }

  [[nodiscard]] std::string at(llvm::StringRef key) const {
    return (path.empty() ? "" : path + ".") + key.str();
  }

  static std::string shown(const llvm::json::Value *value) {
    if (!value)
      return "nothing";
    std::string text;
    llvm::raw_string_ostream(text) << *value;
    constexpr size_t most = 40;
    return text.size() > most ? text.substr(0, most) + ".." : text;
  }

  const llvm::json::Value *find(llvm::StringRef key, Need need,
                                const llvm::Twine &expected) {
    known.push_back(key);
    const llvm::json::Value *value = object ? object->get(key) : nullptr;
    if (!value && need == Need::Required)
      refuse(key, expected, nullptr);
    return value;
  }

  const llvm::json::Object *object;
  std::string path;
  std::string &error;
  llvm::SmallVector<llvm::StringRef> known;
};

} // namespace mercator

#endif // MERCATOR_ANALYSIS_DEVICE_MEMBERS_H
