// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Simplifying the maps that XLA's tests simplify.

#include "Bench.h"

#include "mercator/analysis/maps/AffineBridge.h"
#include "mercator/indexing/notation/Notation.h"
#include "mercator/indexing/simplify/Simplify.h"
#include "mercator/support/File.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/JSON.h"

#include <deque>
#include <memory>

using namespace mercator;
using namespace mercator::bench;
using namespace mercator::indexing;

/// The texts of the maps; none where the file is not there.
static std::vector<std::string> readTexts() {
  const char *shared = std::getenv("MERCATOR_SHARED");
  std::string folder = shared ? shared : MERCATOR_SOURCE_DIR "/../shared";
  llvm::Expected<std::string> file =
      readFile(folder + "/data/xla-cases/simplify.json");
  if (!file) {
    llvm::consumeError(file.takeError());
    return {};
  }
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(*file);
  require(static_cast<bool>(json), "simplify.json is no JSON");
  std::vector<std::string> texts;
  for (const llvm::json::Value &entry : *json->getAsArray())
    texts.push_back(entry.getAsObject()->getString("before")->str());
  return texts;
}

static Map parse(Arena &arena, llvm::StringRef text) {
  ParseError error;
  std::optional<Map> map = parseMap(arena, text, error);
  require(map.has_value(), "a map of simplify.json does not parse");
  return std::move(*map);
}

/// All expressions of a map, those of its constraints too.
static std::vector<Expr> expressions(const Map &map) {
  std::vector<Expr> all(map.results.begin(), map.results.end());
  for (const Constraint &constraint : map.domain.constraints)
    all.push_back(constraint.expr);
  return all;
}

namespace {
/// The expressions of all maps as far as AffineExpr has them.
struct AffineForms {
  struct Form {
    mlir::AffineExpr expr;
    unsigned dims, symbols;
  };
  std::vector<Form> forms;

  AffineForms(mlir::MLIRContext &context, llvm::ArrayRef<std::string> texts) {
    Arena arena;
    for (const std::string &text : texts) {
      Map map = parse(arena, text);
      for (Expr e : expressions(map))
        if (std::optional<mlir::AffineExpr> x = toAffine(&context, map, e))
          forms.push_back(
              {*x, map.numDims(), map.domain.numVars() - map.numDims()});
    }
  }
  void simplifyAll() const {
    for (const Form &form : forms)
      keep(mlir::simplifyAffineExpr(form.expr, form.dims, form.symbols));
  }
};

/// Each map in an arena of its own.
struct OwnArenas {
  std::deque<std::optional<Arena>> arenas;
  std::vector<std::optional<Map>> maps;

  /// Making the arenas, simplifying and freeing them counts; reading the text
  /// does not.
  double simplifyAll(llvm::ArrayRef<std::string> texts) {
    arenas.resize(texts.size());
    maps.resize(texts.size());
    Stopwatch making;
    for (std::optional<Arena> &arena : arenas)
      arena.emplace();
    double seconds = making.seconds();
    for (size_t i = 0; i < texts.size(); ++i)
      maps[i] = parse(*arenas[i], texts[i]);
    Stopwatch simplifying;
    for (std::optional<Map> &map : maps)
      keep(simplify(*map));
    for (std::optional<Arena> &arena : arenas)
      arena.reset();
    return seconds + simplifying.seconds();
  }
};
} // namespace

void mercator::bench::simplifyRows(Bench &bench) {
  std::vector<std::string> texts = readTexts();
  if (texts.empty())
    return bench.skip("simplify",
                      "xla-cases/simplify.json is not there (MERCATOR_SHARED)");
  auto threading = mlir::MLIRContext::Threading::DISABLED;
  OwnArenas own;
  bench.row("simplify-fresh", texts.size(),
            selfTimed([&] { return own.simplifyAll(texts); }), selfTimed([&] {
              mlir::MLIRContext context(threading);
              AffineForms forms(context, texts);
              Stopwatch watch;
              forms.simplifyAll();
              return watch.seconds();
            }));

  Arena arena;
  std::vector<Map> maps;
  for (const std::string &text : texts)
    maps.push_back(parse(arena, text));
  mlir::MLIRContext context(threading);
  AffineForms forms(context, texts);
  bench.row("simplify-warm", texts.size(), timed([&] {
              for (const Map &map : maps)
                keep(simplify(map));
            }),
            timed([&] { forms.simplifyAll(); }));
}
