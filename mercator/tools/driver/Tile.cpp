// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator tile FILE`: the parts of its operands that a tile of a result needs.

#include "mercator/compiler/maps/Tile.h"
#include "mercator/compiler/Compilation.h"
#include "mercator/support/Color.h"
#include "mercator/support/Numbers.h"
#include "mercator/support/Table.h"
#include "mercator/tools/driver/Command.h"
#include "mercator/tools/driver/Device.h"
#include "mercator/tools/driver/KernelsText.h"
#include "mercator/tools/driver/StatusLine.h"
#include "mercator/tools/driver/UseSummary.h"
#include "mercator/tools/driver/Worst.h"

#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using namespace mercator::tiles;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// `0:256`, `p0:+16`, `2*p1:+9:2`.
static std::string rangeText(StringRef offset, int64_t size, int64_t stride) {
  int64_t begin, end;
  std::string text;
  if (!offset.getAsInteger(10, begin) &&
      !__builtin_add_overflow(begin, (size - 1) * stride + 1, &end))
    text = std::to_string(begin) + ":" + std::to_string(end);
  else
    text = offset.str() + ":+" + std::to_string((size - 1) * stride + 1);
  return stride == 1 ? text : text + ":" + std::to_string(stride);
}

/// `[p0:+16, 0:256]`, or `[rt0:+1, 0:256] at 16 places`.
static std::string boxText(const OperandTile &tile) {
  std::vector<std::string> dims;
  for (const BoxDim &dim : tile.places > 1 ? tile.placeDims : tile.dims)
    dims.push_back(rangeText(dim.offset, dim.size, dim.stride));
  std::string text = "[" + llvm::join(dims, ", ") + "]";
  return tile.places > 1
             ? text + " at " + std::to_string(tile.places) + " places"
             : text;
}

static std::string atMost(const Grounds &why) {
  return why.exactness == Exactness::UpperBound ? "at most " : "";
}

static std::string boxText(llvm::ArrayRef<TileDim> tile) {
  std::vector<std::string> dims;
  for (auto [i, dim] : llvm::enumerate(tile))
    dims.push_back(rangeText(dim.offset ? std::to_string(*dim.offset)
                                        : "p" + std::to_string(i),
                             dim.size, dim.stride));
  return "[" + llvm::join(dims, ", ") + "]";
}

static void printNotes(const NeededTile &needed, bool color,
                       llvm::raw_ostream &os) {
  const OperandTile &tile = needed.tile;
  auto note = [&](const std::string &text, Style style) {
    os << "      " << paint(text, style, color) << '\n';
  };
  if (!needed.isExactMap)
    note("its map gives more than is read", Style::Yellow);
  if (!tile.isBox.value && !tile.dims.empty() && tile.places <= 1) {
    std::string text = "not a box: " + tile.isBox.why.reason;
    if (tile.overRead() > 1)
      text += "; " + shortNumber(tile.overRead()) +
              " elements of the box for each that is read";
    note(text, Style::Yellow);
    if (!tile.isBox.why.help.empty())
      note("help: " + tile.isBox.why.help, Style::Dim);
  }
  if (!tile.mask.empty())
    note("where " + llvm::join(tile.mask, ", "), Style::Dim);
  for (auto [i, elements] : llvm::enumerate(needed.shared))
    if (elements > 0 && elements < tile.boxElements)
      note("shares " + std::to_string(elements) +
               " elements with the next tile along d" + std::to_string(i),
           Style::Dim);
  const Verdict<double> &recomputed = needed.recomputed;
  if (recomputed.why.exactness != Exactness::Unknown &&
      recomputed.value > 1.005)
    note(std::string(recomputed.isExact() ? "" : "at most ") +
             shortNumber(recomputed.value) +
             " times the work: tiles compute the same elements",
         Style::Yellow);
}

static void printRows(llvm::ArrayRef<NeededTile> rows, StringRef each,
                      bool color, llvm::raw_ostream &os) {
  size_t width = 0;
  for (const NeededTile &needed : rows)
    width = std::max<size_t>(width, displayWidth(needed.name));
  for (const NeededTile &needed : rows) {
    os << "    " << needed.name;
    os.indent(width - displayWidth(needed.name));
    os << boxText(needed.tile) << "  " << atMost(needed.tile.elements.why)
       << needed.tile.elements.value
       << (needed.tile.elements.value == 1 ? " element" : " elements");
    if (needed.bytes)
      os << "  " << bytesText(*needed.bytes);
    if (needed.tile.reuse() > 0)
      os << each << shortNumber(needed.tile.reuse());
    if (needed.tile.places > 1)
      os << "  " << needed.tile.isBox.why.reason;
    for (const NeededTile::Loop &loop : needed.loops)
      os << "  loop " << loop.name << " in " << loop.begin << ':' << loop.end;
    os << '\n';
    printNotes(needed, color, os);
  }
}

static void print(const InstructionTile &tile, bool color,
                  llvm::raw_ostream &os) {
  StringRef at = tile.at;
  at = at == "?" ? "" : at.substr(at.rfind('/') + 1);
  os << "  " << paint(tile.name, Style::Cyan, color);
  if (!tile.refused.empty()) {
    os << "  no tiles: " << tile.refused << '\n';
    return;
  }
  os << boxText(tile.dims);
  if (!tile.readBy.empty())
    os << "  read by " << paint(tile.readBy, Style::Cyan, color);
  if (!tile.operation.empty())
    os << " = " << shortName(tile.operation);
  os << "  " << paint(at, Style::Dim, color)
     << (tile.origin.empty() ? "" : ", ") << tile.origin << "  " << tile.type
     << '\n';
  printRows(tile.needed, tile.readBy.empty() ? "  each for " : "  each from ",
            color, os);
  if (!tile.producers.empty()) {
    os << "    " << paint("between, the nearest first", Style::Dim, color)
       << '\n';
    printRows(tile.producers, "  each for ", color, os);
  }
  if (!tile.footprint)
    return;
  os << "    " << bytesText(*tile.footprint) << " in all";
  if (!tile.fits.empty())
    os << ", fits " << tile.fits;
  if (tile.tiles > 1)
    os << "; " << tile.tiles << " tiles move " << bytesText(*tile.moved);
  os << '\n';
}

/// `16x128`.
static std::string sizesText(const TileChoice &choice) {
  std::vector<std::string> sizes;
  for (int64_t size : choice.sizes)
    sizes.push_back(std::to_string(size));
  return sizes.empty() ? "scalar" : llvm::join(sizes, "x");
}

static void print(const TileChoices &choices, bool color,
                  llvm::raw_ostream &os) {
  os << "  " << paint(choices.name, Style::Cyan, color);
  if (!choices.operation.empty())
    os << " = " << shortName(choices.operation);
  StringRef at = choices.at;
  at = at == "?" ? "" : at.substr(at.rfind('/') + 1);
  os << "  " << paint(at, Style::Dim, color)
     << (choices.origin.empty() ? "" : ", ") << choices.origin << "  "
     << choices.type << '\n';
  os << "    " << choices.search.tried << " sizes tried, "
     << choices.search.tooLarge << " need more than " << choices.cache << ", "
     << bytesText(choices.cacheBytes);
  if (!choices.tooSmall.empty())
    os << "; none fits " << llvm::join(choices.tooSmall, " or ");
  os << '\n';
  if (choices.loop)
    os << "    a tile loops over " << choices.loop->name << " in "
       << choices.loop->begin << ":" << choices.loop->end
       << ", in steps of the size in its column\n";
  if (choices.search.best.empty() && choices.search.smallest)
    os << "    the smallest, " << sizesText(*choices.search.smallest)
       << ", needs " << bytesText(choices.search.smallest->footprint) << '\n';
  std::vector<Table::Column> columns = {{"tile"},
                                        {"needs", Style::Plain, Align::Right},
                                        {"tiles", Style::Plain, Align::Right},
                                        {"moved", Style::Plain, Align::Right},
                                        {""}};
  if (choices.loop)
    columns.insert(columns.begin() + 1,
                   {choices.loop->name, Style::Plain, Align::Right});
  Table table(std::move(columns));
  for (const TileChoice &choice : choices.search.best) {
    // Rows that move as little are as good.
    bool isTie = &choice != &choices.search.best.front() &&
                 choice.moved == choices.search.best.front().moved;
    std::vector<std::string> cells = {
        sizesText(choice), bytesText(choice.footprint),
        std::to_string(choice.tiles), bytesText(choice.moved),
        isTie ? "as few as the first" : ""};
    if (choices.loop)
      cells.insert(cells.begin() + 1, std::to_string(choice.contracted));
    table.addRow(std::move(cells));
  }
  if (!table.empty())
    table.print(os, color, 4);
}

namespace {
/// Prints instructions under the names of their computations, with the device.
struct Sections {
  llvm::raw_ostream &os;
  bool color;
  StringRef device;
  std::optional<std::string> current = {};

  void begin(StringRef computation) {
    if (current == computation)
      return;
    os << (current ? "\n" : "") << paint(computation, Style::Bold, color)
       << ": " << device << '\n';
    current = computation.str();
  }
};

/// The JSON of a list of objects.
struct JsonList {
  llvm::raw_ostream &os;
  bool isEmpty = true;

  void begin(StringRef module, StringRef device) {
    os << R"({"schema":"mercator.tile/1","module":)";
    llvm::json::OStream(os).value(module);
    os << R"(,"device":)";
    llvm::json::OStream(os).value(device);
    os << R"(,"instructions":[)";
  }
  template <typename T> void add(const T &item) {
    os << (isEmpty ? "\n  " : ",\n  ");
    isEmpty = false;
    llvm::json::OStream json(os);
    writeJson(item, json);
  }
  void end() { os << (isEmpty ? "]}\n" : "\n]}\n"); }
};
} // namespace

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// `16x128`; false after an error.
static bool readSizes(Invocation &invocation, TileQuery &query) {
  StringRef text = invocation.get("tile");
  if (text == "auto")
    return query.isAuto = true;
  llvm::SmallVector<StringRef> parts;
  text.split(parts, 'x');
  for (StringRef part : parts) {
    int64_t size;
    if (part.getAsInteger(10, size) || size < 1) {
      (void)invocation.getDiagnostics().error(
          {}, "expected sizes such as 16x128, or auto, for --tile, got " +
                  quote(text));
      return false;
    }
    query.sizes.push_back(size);
  }
  return true;
}

static void wrongTile(Invocation &invocation, StringRef got) {
  (void)invocation.getDiagnostics().error({}, "expected --of or --tile, got " +
                                                  got);
  invocation.getDiagnostics().help(
      "--tile=16x128, --tile=auto, or --of='%35[0:16, 0:128]'");
}

static std::optional<TileQuery> parseTileQuery(Invocation &invocation) {
  TileQuery query;
  if (!readDevice(invocation, query.memory))
    return std::nullopt;
  if (invocation.has("of") && invocation.has("tile")) {
    wrongTile(invocation, "both");
    return std::nullopt;
  }
  query.maps.fused = invocation.has("fused");
  if (invocation.get("direction") == "in-to-out") {
    query.maps.directions = MapQuery::Directions::InToOut;
    if (invocation.get("tile") == "auto") {
      (void)invocation.getDiagnostics().error(
          {}, "expected sizes for --tile with --direction=in-to-out, got auto");
      return std::nullopt;
    }
  }
  if (invocation.has("instruction"))
    query.maps.instruction = invocation.get("instruction").str();
  for (auto [option, pattern] :
       {std::pair("op", &query.maps.select.operation),
        {"computation", &query.maps.select.computation},
        {"match", &query.maps.select.match}})
    if (invocation.has(option))
      *pattern = invocation.get(option).str();
  if (invocation.has("tile"))
    return readSizes(invocation, query) ? std::optional(query) : std::nullopt;
  if (!invocation.has("of"))
    return query; // those of kernels
  SourceBuffer text("<--of>", invocation.get("of").str());
  query.of = parseTensorPart(text, invocation.getDiagnostics());
  if (!query.of)
    return std::nullopt;
  query.maps.instruction = query.of->name;
  return query;
}

static int64_t bytesOf(const InstructionTile &tile) {
  return tile.moved.value_or(0);
}
static int64_t bytesOf(const TileChoices &choices) {
  return choices.search.best.empty() ? 0 : choices.search.best.front().moved;
}

static void add(const InstructionTile &tile, UseSummary &summary) {
  if (!tile.movesOwnBytes)
    return;
  summary.add(tile.computation, tile.name, shortName(tile.operation), tile.at,
              bytesOf(tile));
  for (const NeededTile &needed : tile.needed)
    if (needed.bytes && needed.tile.overRead() > 1)
      summary.addWaste("not a box", int64_t(double(*needed.bytes) *
                                            (1 - 1 / needed.tile.overRead()) *
                                            double(needed.tile.positions)));
}

static void add(const TileChoices &choices, UseSummary &summary) {
  if (!choices.movesOwnBytes)
    return;
  summary.add(choices.computation, choices.name, shortName(choices.operation),
              choices.at, bytesOf(choices));
}

/// For each kernel, or the one that --instruction names, what one of its blocks
/// computes.
static ExitCode
tileKernels(Compilation &compilation, TileQuery query,
            llvm::function_ref<void(const InstructionTile &)> f) {
  std::vector<KernelRecord> kernels;
  StringRef wanted =
      query.maps.instruction ? StringRef(*query.maps.instruction) : StringRef();
  wanted.consume_front("%");
  compilation.forEachKernel(
      {.device = query.memory}, [&](const KernelRecord &kernel) {
        if (wanted.empty() || wanted == kernel.instruction ||
            wanted == kernel.computation + "/" + kernel.instruction)
          kernels.push_back(kernel);
      });
  if (kernels.empty()) // the error says which names there are
    return wanted.empty() ? ExitCode::Done : compilation.tile(query, f);
  for (const KernelRecord &kernel : kernels) {
    query.ofKernel = tilesOf(kernel);
    if (query.ofKernel.empty()) {
      InstructionTile none;
      none.computation = kernel.computation;
      none.name = kernel.instruction;
      none.refused = !kernel.kernel.isKnown() ? kernel.kernel.unknown
                     : !kernel.kernel.uncounted.empty()
                         ? kernel.kernel.uncounted
                         : "its threads write at indices of data";
      f(none);
      continue;
    }
    query.maps.instruction = kernel.computation + "/" + kernel.instruction;
    if (ExitCode code = compilation.tile(query, f); code != ExitCode::Done)
      return code;
  }
  return ExitCode::Done;
}

static ExitCode runTile(Invocation &invocation) {
  std::optional<TileQuery> query = parseTileQuery(invocation);
  if (!query)
    return ExitCode::WrongUsage;
  std::optional<std::optional<int64_t>> limit = worstOf(invocation);
  if (!limit)
    return ExitCode::WrongUsage;
  Compilation *compilation = invocation.load(0);
  if (!compilation)
    return ExitCode::InputRejected;
  noteMissingOrigins(invocation, *compilation);
  bool ofKernels = !invocation.has("of") && !invocation.has("tile");
  if (ofKernels && (query->maps.directions ||
                    !hasGpuKernels(invocation, *compilation, query->memory))) {
    wrongTile(invocation, "none");
    return ExitCode::WrongUsage;
  }
  bool isJson = invocation.has("json"), color = invocation.useColor();
  std::string written; // nothing is written after an error
  llvm::raw_string_ostream os(written);
  Sections sections{os, color, query->memory.title};
  JsonList list{os};
  if (isJson)
    list.begin(compilation->getName(), query->memory.name);
  StatusLine status;
  UseSummary summary;
  auto emit = [&](const auto &item) {
    if (isJson)
      return list.add(item);
    sections.begin(item.computation);
    print(item, color, os);
  };
  Worst<InstructionTile> worstTiles(*limit);
  Worst<TileChoices> worstChoices(*limit);
  auto takeTile = [&](const InstructionTile &item) {
    status.step(item.name);
    add(item, summary);
    worstTiles.take(item, bytesOf(item), emit);
  };
  auto takeChoices = [&](const TileChoices &item) {
    status.step(item.name);
    add(item, summary);
    worstChoices.take(item, bytesOf(item), emit);
  };
  ExitCode code = ofKernels ? tileKernels(*compilation, *query, takeTile)
                  : query->isAuto
                      ? compilation->chooseTiles(*query, takeChoices)
                      : compilation->tile(*query, takeTile);
  worstTiles.finish(emit);
  worstChoices.finish(emit);
  if (code == ExitCode::Done && query->of && !isJson && !query->maps.fused &&
      !query->maps.directions) {
    // And of the parameters.
    sections.os << "\nparameters\n";
    sections.current.reset();
    query->maps.fused = true;
    code = compilation->tile(*query, [&](const InstructionTile &item) {
      add(item, summary);
      emit(item);
    });
  }
  status.stop();
  if (isJson)
    list.end();
  if (code != ExitCode::Done)
    return code;
  size_t lines = StringRef(written).count('\n');
  if (!isJson && invocation.summarizes(lines))
    summary.print(
        "if nothing stays in a cache between tiles",
        "mercator tile " + invocation.getOperand(0).str() +
            (ofKernels ? "" : " --tile=" + invocation.get("tile").str()),
        lines, color, invocation.getOut());
  else
    invocation.getOut() << written;
  return code;
}

static constexpr Option tileOptions[] = {
    {.name = "tile",
     .value = "SIZES",
     .help =
         "16x128 at any position, or auto: the sizes that move the fewest bytes"},
    {.name = "of",
     .value = "PART",
     .help = "a part of a result: '%35[0:16, :, 0:128:2]'"},
    {.name = "instruction",
     .value = "NAME",
     .help = "only this one; NAME or COMPUTATION/NAME"},
    {.name = "fused", .help = "to the parameters, through everything between"},
    {.name = "direction",
     .value = "out-to-in|in-to-out",
     .help =
         "what a tile of a result needs, or what depends on one of an operand"},
    {.name = "op", .value = "GLOB", .help = "only operations of this kind"},
    {.name = "computation",
     .value = "GLOB",
     .help = "only instructions of these computations"},
    {.name = "match",
     .value = "GLOB",
     .help = "only instructions of these names"},
    {.name = "summary",
     .help = "what moves the most bytes, and why, instead of all instructions"},
    {.name = "worst",
     .value = "N",
     .help = "only the N instructions that move the most bytes"},
    {.name = "all",
     .help = "on a terminal: no summary instead of more than 200 lines"},
    {.name = "device", .value = "DEVICE", .help = deviceHelp},
};

const Command mercator::tileCommand = {
    .name = "tile",
    .operands = "FILE",
    .summary = "print what a tile of a result needs of its operands",
    .details =
        "A tile has an offset, a size and a stride in each dimension. The part of an operand\n"
        "is a box of the same form, or the smallest box around it with the reason.\n"
        "Of HLO compiled for a GPU, the default are the tiles of its kernels: what one\n"
        "block computes.\n",
    .options = tileOptions,
    .examples =
        "mercator tile examples/transpose_add.hlo --of='y[0:16, 0:128]'\n"
        "mercator tile examples/softmax.hlo --tile=8x128 --fused\n"
        "mercator tile examples/transpose_add.hlo --tile=auto --device=zen5\n",
    .run = runTile,
    .folds = true};
