// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/stablehlo/Places.h"
#include "mercator/frontends/stablehlo/Definitions.h"

#include "mlir/IR/Block.h"

using namespace mercator;
using mlir::AsmParserState;
using mlir::FileLineColRange;

void stablehlo::keepPlaces(const AsmParserState &state, mlir::Operation *root,
                           const SourceBuffer &source, const char *text,
                           size_t from) {
  mlir::MLIRContext *context = root->getContext();
  auto name = mlir::StringAttr::get(context, source.getName());
  auto placed = [&](mlir::Location location,
                    llvm::SMRange range) -> mlir::Location {
    if (!range.isValid())
      return location;
    LineColumn at =
        source.getLineColumn(from + (range.Start.getPointer() - text));
    auto place = mlir::FileLineColLoc::get(name, at.line, at.column);
    // A fused location leaves out one that the text says to be unknown. The metadata
    // keeps it apart from one that the text does not give.
    if (llvm::isa<mlir::UnknownLoc>(location))
      return mlir::FusedLoc::get(context, {place},
                                 mlir::UnitAttr::get(context));
    return mlir::FusedLoc::get(context, {place, location});
  };
  visitDefinitions(state, root,
                   [&](mlir::Operation *op,
                       const AsmParserState::OperationDefinition &definition) {
                     op->setLoc(placed(op->getLoc(), definition.loc));
                   });
  root->walk([&](mlir::Block *block) {
    const AsmParserState::BlockDefinition *definition =
        state.getBlockDef(block);
    if (!definition)
      return;
    for (auto [argument, text] :
         llvm::zip(block->getArguments(), definition->arguments))
      argument.setLoc(placed(argument.getLoc(), text.loc));
  });
}

void stablehlo::restoreLocations(mlir::Operation *root,
                                 const SourceBuffer &source) {
  auto given = [&](mlir::Location location) -> mlir::Location {
    if (auto name = llvm::dyn_cast<mlir::NameLoc>(location);
        name && name.getName().strref().starts_with("%"))
      location = name.getChildLoc();
    auto fused = llvm::dyn_cast<mlir::FusedLoc>(location);
    auto place =
        fused
            ? llvm::dyn_cast<mlir::FileLineColLoc>(fused.getLocations().front())
            : nullptr;
    if (!place || place.getFilename().strref() != source.getName())
      return location;
    if (llvm::isa_and_nonnull<mlir::UnitAttr>(fused.getMetadata()))
      return mlir::UnknownLoc::get(root->getContext());
    bool isOurs = !fused.getMetadata() && fused.getLocations().size() == 2;
    return isOurs ? fused.getLocations().back() : location;
  };
  root->walk([&](mlir::Operation *op) {
    op->setLoc(given(op->getLoc()));
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        for (mlir::BlockArgument argument : block.getArguments())
          argument.setLoc(given(argument.getLoc()));
  });
}

namespace {
/// The places in a location: the place in the text, and another place.
struct Places {
  FileLineColRange here, elsewhere;
};
} // namespace

static Places placesOf(mlir::Location location, const SourceBuffer &source) {
  Places places;
  location->walk([&](mlir::Location inner) {
    auto place = llvm::dyn_cast<FileLineColRange>(inner);
    if (!place)
      return mlir::WalkResult::advance();
    bool isHere = place.getFilename().strref() == source.getName();
    if (isHere && !places.here)
      places.here = place;
    else if (!places.elsewhere)
      places.elsewhere = place;
    return mlir::WalkResult::advance();
  });
  return places;
}

static SourceRange rangeOf(FileLineColRange place, const SourceBuffer &source) {
  if (!place)
    return {};
  size_t at = source.getOffset({place.getStartLine(), place.getStartColumn()});
  return {&source, at, at};
}

void stablehlo::tell(const mlir::Diagnostic &diagnostic,
                     const std::string &text, const SourceBuffer &source,
                     DiagnosticEngine &diagnostics) {
  Places places = placesOf(diagnostic.getLocation(), source);
  SourceRange where = rangeOf(places.here, source);
  switch (diagnostic.getSeverity()) {
  case mlir::DiagnosticSeverity::Error:
    (void)diagnostics.error(where, text);
    break;
  case mlir::DiagnosticSeverity::Warning:
    diagnostics.warning(where, text);
    break;
  case mlir::DiagnosticSeverity::Note:
  case mlir::DiagnosticSeverity::Remark:
    diagnostics.note(where, text);
    break;
  }
  if (FileLineColRange place = places.elsewhere;
      place && place.getStartLine() != 0)
    diagnostics.note({}, "written at " + place.getFilename().strref() + ":" +
                             llvm::Twine(place.getStartLine()));
}

void stablehlo::tell(const mlir::Diagnostic &diagnostic,
                     const SourceBuffer &source,
                     DiagnosticEngine &diagnostics) {
  tell(diagnostic, diagnostic.str(), source, diagnostics);
  for (const mlir::Diagnostic &note : diagnostic.getNotes()) {
    std::string said = note.str();
    llvm::StringRef help = said;
    if (help.consume_front("help: "))
      diagnostics.help(help);
    else
      diagnostics.note(
          rangeOf(placesOf(note.getLocation(), source).here, source), said);
  }
}
