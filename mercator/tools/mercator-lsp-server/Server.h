// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A language server between an editor and MLIR's: what MLIR's answers, and below it
/// the maps of the instruction under the cursor.
///
///   editor  --hover-->  Server  --hover-->  mlir-lsp-server
///   editor  <--text + maps--    <--text--
///
/// HLO text, which MLIR cannot read, is answered here: errors, and maps.

#ifndef MERCATOR_TOOLS_MERCATORLSPSERVER_SERVER_H
#define MERCATOR_TOOLS_MERCATORLSPSERVER_SERVER_H

#include "mercator/tools/mercator-lsp-server/Documents.h"

#include <cstdio>
#include <map>
#include <mutex>

namespace mercator::lsp {

class Server {
public:
  /// `toEditor` and `toMlir` are written to.
  Server(std::FILE *toEditor, std::FILE *toMlir)
      : toEditor(toEditor), toMlir(toMlir) {}

  /// A message of the editor. A text that is no message is passed on.
  void fromEditor(const std::string &text);
  /// A message of MLIR's server. May run at the same time as fromEditor.
  void fromMlir(const std::string &text);

private:
  /// A hover that MLIR's server was asked for.
  struct Question {
    std::string uri;
    Position position;
  };

  /// Whether the message is answered here, and MLIR's server must not see it.
  bool answer(const llvm::json::Object &message);
  void publish(llvm::StringRef uri);
  void reply(const llvm::json::Value &id, llvm::json::Value result);
  void send(const llvm::json::Value &message);

  std::FILE *toEditor, *toMlir;
  std::mutex mutex; ///< of all that follows, and of toEditor
  Documents documents;
  std::map<std::string, Question> questions; ///< by the text of the id
};

} // namespace mercator::lsp

#endif // MERCATOR_TOOLS_MERCATORLSPSERVER_SERVER_H
