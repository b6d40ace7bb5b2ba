// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// mercator-lsp-server: MLIR's language server with Mercator's dialects, and the maps of
/// what the cursor is on (Server.h). An editor starts it and speaks with it on standard
/// input and output.

#include "mercator/dialects/Register.h"
#include "mercator/tools/mercator-lsp-server/Messages.h"
#include "mercator/tools/mercator-lsp-server/Server.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace mercator;

static constexpr llvm::StringLiteral kHelp =
    R"(mercator-lsp-server: a language server for StableHLO, linalg and HLO text

usage: mercator-lsp-server [OPTION OF mlir-lsp-server]...

An editor starts it. It answers as mlir-lsp-server does; a hover also has the
indexing maps of the instruction under the cursor. docs/editor.md sets it up.
)";

int main(int argc, char **argv) {
  if (argc > 1 && llvm::StringRef(argv[1]) == "--help") {
    llvm::outs() << kHelp;
    return 0;
  }
  int toMlir[2], fromMlir[2];
  if (pipe(toMlir) != 0 || pipe(fromMlir) != 0) {
    llvm::errs() << "error: cannot make a pipe\n";
    return 1;
  }
  // Before any thread: MLIR's server in a process of its own.
  pid_t child = fork();
  if (child < 0) {
    llvm::errs() << "error: cannot start a process\n";
    return 1;
  }
  if (child == 0) {
    dup2(toMlir[0], STDIN_FILENO);
    dup2(fromMlir[1], STDOUT_FILENO);
    for (int end : {toMlir[0], toMlir[1], fromMlir[0], fromMlir[1]})
      close(end);
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
  }
  close(toMlir[0]);
  close(fromMlir[1]);
  // If it ends, writing to it fails.
  std::signal(SIGPIPE, SIG_IGN);
  std::FILE *in = fdopen(fromMlir[0], "r"), *out = fdopen(toMlir[1], "w");
  lsp::Server server(stdout, out);
  std::thread answers([&] {
    while (std::optional<std::string> text = lsp::readMessage(in))
      server.fromMlir(*text);
  });
  while (std::optional<std::string> text = lsp::readMessage(stdin))
    server.fromEditor(*text);
  std::fclose(out);
  answers.join();
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
