// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/stablehlo/Parse.h"
#include "mercator/frontends/stablehlo/BoolElements.h"
#include "mercator/frontends/stablehlo/Foreign.h"
#include "mercator/frontends/stablehlo/Hints.h"
#include "mercator/frontends/stablehlo/Limits.h"
#include "mercator/frontends/stablehlo/Names.h"
#include "mercator/frontends/stablehlo/Places.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SourceMgr.h"

using namespace mercator;
using llvm::StringRef;

//===--- Kinds of files ---------------------------------------------------===//

bool stablehlo::looksLikeStablehlo(StringRef text) {
  while (true) {
    text = text.ltrim();
    if (!text.starts_with("//"))
      break;
    text = text.drop_until([](char c) { return c == '\n'; });
  }
  // `#map = ..`, `!type = ..`
  if (text.starts_with("#") || text.starts_with("!"))
    return text.size() > 1 && llvm::isAlpha(text[1]);
  auto isWordChar = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.';
  };
  // `"func.func"() ..`
  if (StringRef quoted = text; quoted.consume_front("\"")) {
    StringRef name = quoted.take_while(isWordChar);
    return name.contains('.') && quoted.substr(name.size()).starts_with("\"");
  }
  StringRef word = text.take_while(isWordChar);
  if (word == "module" || word == "builtin.module" || word == "func.func" ||
      word == "ascend.graph")
    return true;
  StringRef line = text.split('\n').first;
  // `util.global private @g`
  if (word.contains('.') && line.contains('@'))
    return true;
  // `%0 = stablehlo.add`, where HLO has `%0 = f32[4] add`.
  return text.starts_with("%") && line.contains("= stablehlo.");
}

//===--- Diagnostics ------------------------------------------------------===//

mlir::ScopedDiagnosticHandler
stablehlo::forwardDiagnostics(mlir::MLIRContext &context,
                              const SourceBuffer &source,
                              mercator::DiagnosticEngine &diagnostics) {
  return mlir::ScopedDiagnosticHandler(&context,
                                       [&](mlir::Diagnostic &diagnostic) {
                                         tell(diagnostic, source, diagnostics);
                                       });
}

//===--- Text -------------------------------------------------------------===//

/// Parses a text as a module; other top-level operations are wrapped in one.
static mlir::OwningOpRef<mlir::ModuleOp>
takeModule(mlir::Block &block, const SourceBuffer &source,
           mlir::MLIRContext &context) {
  if (llvm::hasSingleElement(block))
    if (auto module = llvm::dyn_cast<mlir::ModuleOp>(block.front())) {
      module->remove();
      return module;
    }
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(
      mlir::FileLineColLoc::get(&context, source.getName(), 1, 1));
  module->getBody()->getOperations().splice(module->getBody()->begin(),
                                            block.getOperations());
  return module;
}

/// Parses `whole`: `skipped` line ends, then the bytes of `source` from `from`
/// on. The line numbers are those of `source`.
static mlir::OwningOpRef<mlir::ModuleOp>
parseText(StringRef whole, size_t skipped, size_t from,
          const SourceBuffer &source, mlir::MLIRContext &context,
          mercator::DiagnosticEngine &diagnostics) {
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        std::string text = diagnostic.str();
        if (auto foreign = stablehlo::messageOfForeign(text, context)) {
          text = *foreign;
          stablehlo::tell(diagnostic, text, source, diagnostics);
        } else {
          stablehlo::tell(diagnostic, source, diagnostics);
        }
        auto place =
            diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>();
        if (!place)
          return;
        size_t at = source.getOffset({place.getLine(), place.getColumn()});
        if (auto hint = stablehlo::hintFor(text, source.getText(), at, context))
          diagnostics.help(*hint);
        // The last word of the text, with an open bracket before it.
        StringRef all = source.getText().rtrim();
        if (at < all.size() && all.count('{') > all.count('}') &&
            !all.substr(at).contains('\n') &&
            all.substr(at).find_first_of(" \t({") == StringRef::npos)
          diagnostics.note({}, "the text ends here: the file is cut off");
      });
  // The source line shows the operation.
  bool printsOperation = context.shouldPrintOpOnDiagnostic();
  context.printOpOnDiagnostic(false);
  std::optional<std::string> packed = stablehlo::packBoolElements(whole);
  StringRef text = packed ? StringRef(*packed) : whole;
  llvm::SourceMgr texts;
  texts.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(text, source.getName(),
                                       /*RequiresNullTerminator=*/false),
      {});
  mlir::Block block;
  mlir::AsmParserState state;
  bool hadErrors = diagnostics.hasErrors();
  // Verification waits until the operations have their locations.
  mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  stablehlo::loadConvertedDialects(text, context);
  // Attributes of unknown dialects are kept as text.
  bool allowsUnknown = context.allowsUnregisteredDialects();
  context.allowUnregisteredDialects(true);
  bool parsed =
      succeeded(mlir::parseAsmSourceFile(texts, &block, config, &state));
  context.allowUnregisteredDialects(allowsUnknown);
  mlir::OwningOpRef<mlir::ModuleOp> module;
  // MLIR continues after some bytes that it reports as unexpected.
  if (parsed && (hadErrors || !diagnostics.hasErrors())) {
    module = takeModule(block, source, context);
    stablehlo::keepPlaces(state, *module, source, text.data() + skipped, from);
    stablehlo::nameValues(state, *module);
    if (failed(stablehlo::convertForeign(*module)) ||
        failed(stablehlo::refuseForeign(*module)) ||
        failed(mlir::verify(*module)))
      module = nullptr;
  }
  context.printOpOnDiagnostic(printsOperation);
  return module;
}

//===--- Several modules --------------------------------------------------===//

static bool isSeparator(StringRef line) { return line.trim() == "// -----"; }

static bool hasSeparators(const SourceBuffer &source) {
  for (unsigned line = 1; line <= source.getLineCount(); ++line)
    if (isSeparator(source.getLine(line)))
      return true;
  return false;
}

/// The parts between lines `// -----`; each is a module.
static mlir::OwningOpRef<mlir::ModuleOp>
parseParts(const SourceBuffer &source, mlir::MLIRContext &context,
           mercator::DiagnosticEngine &diagnostics) {
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
  unsigned count = source.getLineCount(), begin = 1;
  size_t linesBefore = 0;
  for (unsigned end = 1; end <= count + 1 && !diagnostics.isOverLimit();
       ++end) {
    bool isEnd = end == count + 1;
    if (!isEnd && !isSeparator(source.getLine(end)))
      continue;
    size_t from = source.getOffset({begin, 1}),
           to = isEnd ? source.getText().size() : source.getOffset({end, 1});
    unsigned before = begin - 1;
    begin = end + 1;
    StringRef part = source.getText().slice(from, to);
    if (part.trim().empty())
      continue;
    // MLIR counts lines itself.
    linesBefore += before;
    if (linesBefore > stablehlo::kMaxLinesBeforeModules) {
      (void)diagnostics.error({&source, from, from},
                              "expected fewer modules in one file");
      return nullptr;
    }
    std::string text = std::string(before, '\n') + part.str();
    mlir::OwningOpRef<mlir::ModuleOp> module =
        parseText(text, before, from, source, context, diagnostics);
    if (module && (!module->getBody()->empty() || module->getSymName()))
      modules.push_back(std::move(module));
  }
  if (diagnostics.hasErrors())
    return nullptr;
  return stablehlo::joinModules(std::move(modules), source.getName(), context);
}

mlir::OwningOpRef<mlir::ModuleOp>
stablehlo::joinModules(std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules,
                       StringRef file, mlir::MLIRContext &context) {
  if (modules.size() == 1)
    return std::move(modules.front());
  mlir::OwningOpRef<mlir::ModuleOp> joined =
      mlir::ModuleOp::create(mlir::FileLineColLoc::get(&context, file, 1, 1));
  llvm::StringSet<> names;
  for (mlir::OwningOpRef<mlir::ModuleOp> &module : modules) {
    if (std::optional<StringRef> name = module->getSymName()) {
      std::string unique = name->str();
      for (unsigned i = 1; !names.insert(unique).second; ++i)
        unique = (*name + "." + llvm::Twine(i)).str();
      module->setSymName(unique);
    }
    joined->getBody()->push_back(module.release());
  }
  return joined;
}

mlir::OwningOpRef<mlir::ModuleOp>
stablehlo::parseStablehlo(const SourceBuffer &source,
                          mlir::MLIRContext &context,
                          mercator::DiagnosticEngine &diagnostics) {
  if (failed(checkLimits(source, diagnostics)))
    return nullptr;
  if (!hasSeparators(source))
    return parseText(source.getText(), 0, 0, source, context, diagnostics);
  // MLIR treats a separator as a comment. If no names clash, one module may
  // hold all parts.
  DiagnosticEngine quiet(llvm::nulls());
  if (auto module = parseText(source.getText(), 0, 0, source, context, quiet))
    return module;
  return parseParts(source, context, diagnostics);
}
