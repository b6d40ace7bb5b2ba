// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/mercator-lsp-server/Server.h"

#include "mercator/tools/mercator-lsp-server/Messages.h"

#include "llvm/Support/raw_ostream.h"

using namespace mercator;
using namespace mercator::lsp;
using llvm::StringRef;
namespace json = llvm::json;

static std::string textOf(const json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

/// The message, if the text is one.
static std::optional<json::Object> parse(StringRef text) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  json::Object *object = value->getAsObject();
  return object ? std::optional(std::move(*object)) : std::nullopt;
}

void Server::send(const json::Value &message) {
  writeMessage(toEditor, textOf(message));
}

void Server::reply(const json::Value &id, json::Value result) {
  send(json::Object{
      {"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void Server::publish(StringRef uri) {
  send(json::Object{
      {"jsonrpc", "2.0"},
      {"method", "textDocument/publishDiagnostics"},
      {"params",
       json::Object{{"uri", uri}, {"diagnostics", documents.diagnose(uri)}}}});
}

static json::Value markdown(std::string text) {
  return json::Object{{"contents", json::Object{{"kind", "markdown"},
                                                {"value", std::move(text)}}}};
}

bool Server::answer(const json::Object &message) {
  StringRef method = message.getString("method").value_or("");
  const json::Object *params = message.getObject("params");
  const json::Object *document =
      params ? params->getObject("textDocument") : nullptr;
  std::optional<StringRef> uri =
      document ? document->getString("uri") : std::nullopt;
  if (!uri)
    return false;
  if (method == "textDocument/didOpen")
    documents.open(*uri, document->getString("text").value_or("").str());
  bool isHlo = documents.isHlo(*uri);
  if (method == "textDocument/didChange")
    if (const json::Array *changes = params->getArray("contentChanges"))
      documents.change(*uri, *changes);
  if (method == "textDocument/didClose")
    documents.close(*uri);
  bool changes =
      method == "textDocument/didOpen" || method == "textDocument/didChange";
  if (isHlo && changes)
    publish(*uri);
  const json::Value *id = message.get("id");
  if (method == "textDocument/hover" && id) {
    const json::Object *place = params->getObject("position");
    Question question{uri->str(), {}};
    if (place)
      question.position = {
          unsigned(std::max<int64_t>(0, place->getInteger("line").value_or(0))),
          unsigned(std::max<int64_t>(
              0, place->getInteger("character").value_or(0)))};
    if (!isHlo) {
      questions[textOf(*id)] = question;
      return false;
    }
    std::string text = documents.hover(*uri, question.position);
    reply(*id, text.empty() ? json::Value(nullptr) : markdown(text));
    return true;
  }
  if (isHlo && id)
    reply(*id, nullptr);
  return isHlo;
}

void Server::fromEditor(const std::string &text) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    std::optional<json::Object> message = parse(text);
    if (message && answer(*message))
      return;
  }
  writeMessage(toMlir, text);
}

/// The text of the contents of a hover, in any of the three forms of the protocol.
static std::string textOfHover(const json::Object *result) {
  const json::Value *contents = result ? result->get("contents") : nullptr;
  if (!contents)
    return {};
  if (const json::Object *object = contents->getAsObject())
    return object->getString("value").value_or("").str();
  return contents->getAsString().value_or("").str();
}

void Server::fromMlir(const std::string &text) {
  std::lock_guard<std::mutex> lock(mutex);
  std::optional<json::Object> message = parse(text);
  const json::Value *id = message ? message->get("id") : nullptr;
  auto asked = id && !message->get("method") ? questions.find(textOf(*id))
                                             : questions.end();
  if (asked == questions.end())
    return writeMessage(toEditor, text);
  std::string maps = documents.hover(asked->second.uri, asked->second.position);
  questions.erase(asked);
  if (maps.empty())
    return writeMessage(toEditor, text);
  const json::Object *result = message->getObject("result");
  std::string before = textOfHover(result);
  json::Value hover =
      markdown(before.empty() ? maps : before + "\n\n***\n\n" + maps);
  if (const json::Value *range = result ? result->get("range") : nullptr)
    (*hover.getAsObject())["range"] = *range;
  reply(*id, std::move(hover));
}
