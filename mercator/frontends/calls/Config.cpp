// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/calls/Config.h"

#include <cmath>

using namespace mercator::calls;
using llvm::StringRef;
namespace json = llvm::json;

/// JSON's parser recurses once for each level.
static constexpr unsigned kMostLevels = 64;

bool Config::fail(size_t place, const llvm::Twine &message) {
  at = std::min(place, text.size());
  error = message.str();
  return false;
}

/// The first bracket beyond the limit of levels; npos if all are within it.
static size_t deepBracket(StringRef text) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kMostLevels)
        return i;
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
  }
  return StringRef::npos;
}

/// The message of a parser error, and the byte that it is about:
/// `[1:23, byte=22]: Expected , or ]`.
static std::pair<std::string, size_t> takeApart(llvm::Error e) {
  std::string whole = llvm::toString(std::move(e));
  StringRef rest = whole;
  size_t byte = 0;
  auto [place, message] = rest.split("]: ");
  if (message.empty())
    return {whole, 0};
  if (place.split("byte=").second.getAsInteger(10, byte))
    byte = 0;
  return {message.lower(), byte};
}

bool Config::read(StringRef source, StringRef inside,
                  llvm::ArrayRef<Field> wanted) {
  text = source;
  section = inside.str();
  if (size_t deep = deepBracket(text); deep != StringRef::npos)
    return fail(deep, "expected brackets nested at most " +
                          llvm::Twine(kMostLevels) + " deep");
  llvm::Expected<json::Value> parsed = json::parse(text);
  if (!parsed) {
    auto [message, byte] = takeApart(parsed.takeError());
    return fail(byte, "expected JSON: " + message);
  }
  json::Object *top = parsed->getAsObject();
  if (!top)
    return fail(0, "expected an object in braces");
  json::Value *own = section.empty() ? nullptr : top->get(section);
  if (own && !own->getAsObject())
    return fail(text.find("\"" + section + "\""),
                "expected an object as '" + section + "'");
  if (!own)
    section.clear();
  fields = std::move(own ? *own->getAsObject() : *top);
  return check(wanted);
}

bool Config::read(mlir::DictionaryAttr dictionary,
                  llvm::ArrayRef<Field> wanted) {
  for (mlir::NamedAttribute entry : dictionary) {
    json::Value value = nullptr;
    if (auto flag = llvm::dyn_cast<mlir::BoolAttr>(entry.getValue()))
      value = flag.getValue();
    else if (auto word = llvm::dyn_cast<mlir::StringAttr>(entry.getValue()))
      value = json::fixUTF8(word.getValue());
    else if (auto number = llvm::dyn_cast<mlir::FloatAttr>(entry.getValue()))
      value = number.getValueAsDouble();
    else if (auto integer = llvm::dyn_cast<mlir::IntegerAttr>(entry.getValue());
             integer && integer.getValue().getBitWidth() <= 64)
      value = integer.getType().isUnsignedInteger()
                  ? int64_t(integer.getValue().getZExtValue())
                  : integer.getValue().getSExtValue();
    fields[json::fixUTF8(entry.getName().getValue())] = std::move(value);
  }
  return check(wanted);
}

const json::Value *Config::find(StringRef name) const {
  const json::Object *object = &fields;
  while (true) {
    auto [first, rest] = name.split('.');
    const json::Value *value = object->get(first);
    if (!value || value->kind() == json::Value::Null)
      return nullptr;
    if (rest.empty())
      return value;
    object = value->getAsObject();
    if (!object)
      return nullptr;
    name = rest;
  }
}

static std::optional<double> numberOf(const json::Value &value) {
  if (std::optional<double> number = value.getAsNumber())
    return number;
  std::optional<StringRef> word = value.getAsString();
  if (!word)
    return std::nullopt;
  if (*word == "NaN")
    return std::nan("");
  if (*word == "Infinity" || *word == "-Infinity")
    return word->front() == '-' ? -INFINITY : INFINITY;
  double number;
  if (word->getAsDouble(number))
    return std::nullopt;
  return number;
}

static std::optional<int64_t> integerOf(const json::Value &value) {
  if (std::optional<int64_t> number = value.getAsInteger())
    return number;
  std::optional<StringRef> word = value.getAsString();
  int64_t number;
  if (!word || word->getAsInteger(10, number))
    return std::nullopt;
  return number;
}

static bool isOfKind(const json::Value &value, FieldKind kind) {
  switch (kind) {
  case FieldKind::Number:
    return numberOf(value).has_value();
  case FieldKind::Word:
    return value.getAsString() || value.getAsInteger();
  case FieldKind::Flag:
    return value.getAsBoolean().has_value();
  case FieldKind::Integers:
    return value.getAsArray() &&
           llvm::all_of(*value.getAsArray(), [](const json::Value &part) {
             return integerOf(part).has_value();
           });
  }
  return false;
}

static StringRef describeKind(FieldKind kind) {
  switch (kind) {
  case FieldKind::Number:
    return "a number";
  case FieldKind::Word:
    return "a word";
  case FieldKind::Flag:
    return "true or false";
  case FieldKind::Integers:
    return "a list of integers";
  }
  return "";
}

bool Config::check(llvm::ArrayRef<Field> wanted) {
  for (const Field &field : wanted) {
    StringRef last = field.name.rsplit('.').second;
    if (last.empty())
      last = field.name;
    // A parent of another kind hides the field.
    StringRef parent = field.name.split('.').first;
    const json::Value *value = find(field.name);
    const json::Value *above =
        parent.size() < field.name.size() ? find(parent) : nullptr;
    size_t place = text.find(("\"" + (value ? last : parent) + "\"").str());
    if (above && !above->getAsObject())
      return fail(place, "expected an object as '" + parent + "'");
    if (value ? isOfKind(*value, field.kind) : field.need == Need::Optional)
      continue;
    if (!value) {
      place = section.empty() ? 0 : text.find("\"" + section + "\"");
      fail(place, "expected the field '" + field.name + "'" +
                      (section.empty() ? llvm::Twine("")
                                       : llvm::Twine(" in '" + section + "'")));
    } else {
      std::string got;
      llvm::raw_string_ostream(got) << *value;
      if (got.size() > 40)
        got = got.substr(0, 37) + "...";
      fail(place, "expected " + describeKind(field.kind) + " as '" +
                      field.name + "', got " + json::fixUTF8(got));
    }
    help = field.kind == FieldKind::Integers ? "\"" + last.str() + "\":[\"1\"]"
           : field.kind == FieldKind::Number ? "\"" + last.str() + "\":1"
                                             : "";
    return false;
  }
  return true;
}

double Config::number(StringRef name, double otherwise) const {
  const json::Value *value = find(name);
  return value ? numberOf(*value).value_or(otherwise) : otherwise;
}

bool Config::flag(StringRef name, bool otherwise) const {
  const json::Value *value = find(name);
  return value ? value->getAsBoolean().value_or(otherwise) : otherwise;
}

std::string Config::word(StringRef name, StringRef otherwise) const {
  const json::Value *value = find(name);
  if (!value)
    return otherwise.str();
  if (std::optional<int64_t> number = value->getAsInteger())
    return std::to_string(*number);
  return value->getAsString().value_or(otherwise).str();
}

llvm::SmallVector<int64_t> Config::integers(StringRef name) const {
  llvm::SmallVector<int64_t> list;
  if (const json::Value *value = find(name); value && value->getAsArray())
    for (const json::Value &part : *value->getAsArray())
      list.push_back(integerOf(part).value_or(0));
  return list;
}
