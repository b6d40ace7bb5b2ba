// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/AscendProgram.h"

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/frontends/stablehlo/Binary.h"
#include "mercator/frontends/stablehlo/Places.h"
#include "mercator/targets/ascend/formats/AirReader.h"
#include "mercator/targets/ascend/lowering/UndoHlo.h"
#include "mercator/tools/driver/Explain.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Whether bytes are a ge.ModelDef that holds a graph: fields 1, 2, 3, 7 (a
/// graph) and 11 alone.
static bool isModel(StringRef bytes) {
  auto varint = [&]() -> uint64_t {
    uint64_t value = 0;
    for (unsigned shift = 0; !bytes.empty() && shift < 64; shift += 7) {
      unsigned char byte = bytes.front();
      bytes = bytes.drop_front();
      value |= uint64_t(byte & 0x7f) << shift;
      if (!(byte & 0x80))
        break;
    }
    return value;
  };
  bool hasGraph = false;
  while (!bytes.empty()) {
    char tag = bytes.front();
    if (!StringRef("\x0A\x10\x1A\x3A\x5A").contains(tag))
      return false;
    bytes = bytes.drop_front();
    hasGraph |= tag == '\x3A';
    uint64_t value = varint();
    if (tag != '\x10')
      bytes = bytes.drop_front(std::min<uint64_t>(value, bytes.size()));
  }
  return hasGraph;
}

bool mercator::looksLikeAir(const SourceBuffer &source) {
  StringRef bytes = source.getText();
  return source.getName().ends_with_insensitive(".air") ||
         (stablehlo::isBinary(bytes) && isModel(bytes));
}

/// The nodes of graphs in a text are called what it calls their values.
static void nameNodes(Program &program) {
  program.module->walk([](ascend::GraphOp graph) {
    for (mlir::Operation &op : graph.getBody().front())
      if (auto named = llvm::dyn_cast<mlir::NameLoc>(op.getLoc())) {
        StringRef bare = named.getName().strref().ltrim('%');
        op.setLoc(mlir::NameLoc::get(
            mlir::StringAttr::get(op.getContext(), bare), named.getChildLoc()));
      }
  });
}

std::unique_ptr<Program>
mercator::loadAscendProgram(const SourceBuffer &source,
                            DiagnosticEngine &diagnostics) {
  if (!looksLikeAir(source)) {
    std::unique_ptr<Program> program = loadProgram(source, diagnostics);
    if (program)
      nameNodes(*program);
    return program;
  }
  auto program = std::make_unique<Program>();
  program->context = makeContext();
  auto handler = forwardAscendDiagnostics(*program, source, diagnostics);
  program->module = ascend::readAir(source.getText(), source.getName(),
                                    program->context.get());
  if (!program->module || diagnostics.hasErrors())
    return nullptr;
  program->name = program->module->getSymName().value_or("module").str();
  return program;
}

std::unique_ptr<mlir::ScopedDiagnosticHandler>
mercator::forwardAscendDiagnostics(const Program &program,
                                   const SourceBuffer &source,
                                   DiagnosticEngine &diagnostics) {
  if (!looksLikeAir(source))
    return std::make_unique<mlir::ScopedDiagnosticHandler>(
        program.context.get(), [&](mlir::Diagnostic &diagnostic) {
          stablehlo::tell(diagnostic, source, diagnostics);
        });
  // Bytes have no lines.
  auto say = [&diagnostics](const mlir::Diagnostic &diagnostic) {
    std::string before, text = diagnostic.str();
    mlir::Location location = diagnostic.getLocation();
    if (auto place = location->findInstanceOf<mlir::FileLineColLoc>())
      before =
          place.getLine() == 0 ? place.getFilename().str() : placeOf(place);
    if (llvm::StringRef node = nameIn(location); !node.empty())
      before += ", node " + quote(node);
    if (!before.empty())
      text = before + ": " + text;
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
      (void)diagnostics.error({}, text);
    else if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Warning)
      diagnostics.warning({}, text);
    else
      diagnostics.note({}, text);
  };
  return std::make_unique<mlir::ScopedDiagnosticHandler>(
      program.context.get(), [say](mlir::Diagnostic &diagnostic) {
        say(diagnostic);
        for (mlir::Diagnostic &note : diagnostic.getNotes())
          say(note);
      });
}

//===----------------------------------------------------------------------===//
// What stays
//===----------------------------------------------------------------------===//

static std::string whyNot(mlir::Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "stablehlo")
    return "there is no conversion for it yet";
  if (llvm::isa<mlir::CallOpInterface>(op))
    return "a graph cannot call a function, and this call could not be inlined";
  if (StringRef why = ascend::whyHloStays(op); !why.empty())
    return why.str();
  return ("only operations of StableHLO are converted, this is one of " +
          dialect)
      .str();
}

std::vector<ascend::Unconverted>
mercator::operationsThatStay(mlir::FunctionOpInterface function,
                             llvm::ArrayRef<ascend::Unconverted> left) {
  llvm::DenseMap<mlir::Operation *, const ascend::Unconverted *> reasons;
  for (const ascend::Unconverted &it : left)
    reasons.insert({it.op, &it});
  std::vector<ascend::Unconverted> stays;
  for (mlir::Block &block : function.getFunctionBody())
    for (mlir::Operation &op : block) {
      if (llvm::isa_and_nonnull<ascend::AscendDialect>(op.getDialect()) ||
          llvm::isa<mlir::func::ReturnOp>(op))
        continue;
      auto found = reasons.find(&op);
      if (found == reasons.end())
        stays.push_back({&op, whyNot(&op)});
      else
        stays.push_back(*found->second);
    }
  return stays;
}

void mercator::tellWhatStays(llvm::ArrayRef<ascend::Unconverted> stays,
                             bool asErrors, DiagnosticEngine &diagnostics) {
  constexpr size_t kShown = 20;
  // A kind is an operation and a reason.
  llvm::MapVector<std::pair<StringRef, StringRef>, std::vector<size_t>> kinds;
  auto nameOf = [&](size_t i) {
    return stays[i].name.empty() ? stays[i].op->getName().getStringRef()
                                 : stays[i].name;
  };
  for (size_t i = 0; i < stays.size(); ++i)
    kinds[{nameOf(i), stays[i].why}].push_back(i);
  std::vector<bool> isShown(stays.size());
  size_t shown = 0;
  for (auto &[kind, places] : kinds)
    if (shown < kShown && ++shown)
      isShown[places.front()] = true;
  for (size_t i = 0; i < stays.size() && shown < kShown; ++i)
    if (!isShown[i] && ++shown)
      isShown[i] = true;

  for (size_t i = 0; i < stays.size(); ++i) {
    if (!isShown[i])
      continue;
    // Where the text gives a location of its own there may be no place.
    mlir::Location loc = stays[i].op->getLoc();
    std::string which = nameOf(i).str();
    if (!loc->findInstanceOf<mlir::FileLineColLoc>())
      which += " " + quote(nameIn(loc));
    if (asErrors)
      mlir::emitError(loc) << "cannot convert " << which << ": "
                           << stays[i].why;
    else
      mlir::emitRemark(loc) << which << " stays: " << stays[i].why;
  }
  size_t told = 0, otherKinds = 0, others = 0;
  for (auto &[kind, places] : kinds) {
    size_t more = llvm::count_if(places, [&](size_t i) { return !isShown[i]; });
    if (!more)
      continue;
    if (told++ < kShown)
      diagnostics.note({}, "and " + llvm::Twine(more) + " more " + kind.first +
                               ": " + kind.second);
    else
      ++otherKinds, others += more;
  }
  if (others)
    diagnostics.note({}, "and " + llvm::Twine(others) + " more, of " +
                             llvm::Twine(otherKinds) + " other kinds");
}
