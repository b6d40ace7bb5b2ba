// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator access FILE`: how much of each operand an instruction reads, how
/// often, and how many sectors its warps touch.

#include "mercator/compiler/maps/Access.h"
#include "mercator/compiler/Compilation.h"
#include "mercator/support/Color.h"
#include "mercator/support/Numbers.h"
#include "mercator/tools/driver/Command.h"
#include "mercator/tools/driver/Device.h"
#include "mercator/tools/driver/KernelsText.h"
#include "mercator/tools/driver/StatusLine.h"
#include "mercator/tools/driver/UseSummary.h"
#include "mercator/tools/driver/Worst.h"

#include <functional>

using namespace mercator;
using namespace mercator::access;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// "16384 of 16384 elements, 2 reads each; 400 B in 12.5 KiB of lines".
static std::string utilization(const OperandAccess &operand,
                               int64_t lineBytes) {
  if (operand.read.why.exactness == Exactness::Unknown)
    return "elements read: " + operand.read.why.reason;
  std::string text = operand.read.isExact() ? "" : "at most ";
  text += std::to_string(operand.read.value);
  if (operand.elements)
    text += " of " + std::to_string(*operand.elements);
  text +=
      operand.read.value == 1 && !operand.elements ? " element" : " elements";
  if (const Verdict<double> &each = operand.readsEach;
      each.why.exactness != Exactness::Unknown && operand.read.value > 0)
    text += ", " + std::string(each.isExact() ? "" : "at most ") +
            shortNumber(each.value) +
            (each.value == 1 ? " read each" : " reads each");
  int64_t used, fetched;
  bool isKnown =
      operand.lines.why.exactness != Exactness::Unknown &&
      !__builtin_mul_overflow(operand.read.value, operand.bytes, &used) &&
      !__builtin_mul_overflow(operand.lines.value, lineBytes, &fetched);
  if (isKnown && fetched - used >= lineBytes) // some of each line is not used
    text += "; " + bytesText(used) + " in " +
            std::string(operand.lines.isExact() ? "" : "at most ") +
            bytesText(fetched) + " of lines";
  return text;
}

/// "32" or "1 to 2", the number of sectors of a load.
static std::string rangeOf(const std::map<int64_t, int64_t> &counts) {
  int64_t least = counts.begin()->first, most = counts.rbegin()->first;
  if (least == most)
    return std::to_string(least);
  return std::to_string(least) + " to " + std::to_string(most);
}

static void print(const MemoryAccess &access, StringRef verb,
                  const AccessQuery &query, bool color, llvm::raw_ostream &os) {
  os << "        " << verb << ' ' << access.by;
  if (!access.isExact)
    os << "  more than is read";
  if (access.isShared)
    os << "  with an earlier result";
  if (!access.unknown.empty())
    os << "  not known: " << access.unknown;
  if (!access.traffic) {
    os << (access.unknown.empty() ? "  nothing\n" : "\n");
    return;
  }
  const Traffic &t = *access.traffic;
  if (!access.lanesAlong.empty())
    os << "  lanes along " << access.lanesAlong;
  if (t.isUniform)
    os << "  one element for all lanes";
  else if (t.laneStride)
    os << "  lanes " << *t.laneStride << " B apart";
  int64_t touched = t.touchedSectors();
  os << "  " << rangeOf(t.sectors)
     << (touched == t.loads ? " sector" : " sectors") << " for "
     << shortNumber(double(t.neededSectors) / t.loads) << " needed  "
     << t.usedBytes / t.loads << " of "
     << (t.fetchedAre == Exactness::UpperBound ? "at most " : "")
     << t.fetchedBytes / t.loads << " B used";
  bool isGood = t.factor() < 1.005;
  if (!t.grounds.reason.empty())
    os << "  "
       << paint(t.grounds.reason, isGood ? Style::Dim : Style::Yellow, color);
  if (t.grounds.exactness != Exactness::Exact)
    os << " (" << nameOf(t.grounds.exactness) << ")";
  os << '\n';
  if (!isGood && !t.grounds.help.empty())
    os << "          " << paint("help: " + t.grounds.help, Style::Dim, color)
       << '\n';
  if (access.block) {
    const Traffic &block = *access.block;
    os << "          blocks of " << *query.block << ": "
       << rangeOf(block.sectors) << " sectors for "
       << shortNumber(double(block.neededSectors) / block.loads) << " needed\n";
  }
  if (!query.warp)
    return;
  // The sectors of one load, and the lanes that read from each.
  std::map<int64_t, std::vector<size_t>> sectors;
  for (auto [lane, address] : llvm::enumerate(access.addresses))
    if (address)
      sectors[*address / query.memory.sectorBytes].push_back(lane);
  os << "          load " << *query.warp << ":";
  if (sectors.empty())
    os << (access.addresses.empty() ? " there is none, or data decide"
                                    : " no lane takes part");
  os << '\n';
  for (const auto &[sector, lanes] : sectors) {
    os << "            byte " << sector * query.memory.sectorBytes << "  |";
    for (size_t lane = 0; lane < access.addresses.size(); ++lane)
      os << (llvm::is_contained(lanes, lane) ? '#' : '.');
    os << "|\n";
  }
}

namespace {
/// Prints instructions under the title of their computation.
class AccessText {
public:
  AccessText(const AccessQuery &query, bool color, llvm::raw_ostream &os)
      : query(query), color(color), os(os) {}

  void write(const InstructionAccess &instruction) {
    if (instruction.computation != computation || isFirst) {
      computation = instruction.computation;
      os << (isFirst ? "" : "\n") << paint(computation, Style::Bold, color)
         << ": " << query.memory.title << ", "
         << query.lanes.value_or(query.memory.lanes) << " lanes, sectors of "
         << query.memory.sectorBytes << " B\n";
      isFirst = false;
    }
    StringRef at = instruction.at;
    at = at == "?" ? "" : at.substr(at.rfind('/') + 1);
    os << "  " << paint(instruction.name, Style::Cyan, color);
    if (!instruction.operation.empty())
      os << " = " << shortName(instruction.operation);
    os << "  " << paint(at, Style::Dim, color)
       << (instruction.origin.empty() ? "" : ", ") << instruction.origin << "  "
       << instruction.type << '\n';
    for (const OperandAccess &operand : instruction.operands) {
      os << "    " << operand.name << "  "
         << utilization(operand, query.memory.lineBytes) << '\n';
      for (const MemoryAccess &access : operand.accesses)
        print(access, "by", query, color, os);
      if (operand.accesses.empty())
        os << "        reads nothing\n";
    }
    if (instruction.store.traffic || !instruction.store.unknown.empty())
      print(instruction.store, "writes", query, color, os);
    printProducers(instruction.producers);
  }

private:
  /// Those that are computed more than once without a tile.
  void printProducers(llvm::ArrayRef<ProducerAccess> producers) {
    for (const ProducerAccess &producer : producers) {
      const Verdict<double> &times = producer.recomputed;
      if (times.why.exactness == Exactness::Unknown || times.value < 1.005)
        continue;
      os << "    " << producer.name << "  "
         << (producer.read.isExact() ? "" : "at most ") << producer.read.value
         << " elements, each computed " << (times.isExact() ? "" : "at most ")
         << shortNumber(times.value) << " times if nothing is kept\n";
    }
  }

  const AccessQuery &query;
  bool color;
  llvm::raw_ostream &os;
  std::string computation;
  bool isFirst = true;
};
} // namespace

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// A number of an option in [1, most]; false after an error.
static bool readNumber(Invocation &invocation, StringRef option, int64_t least,
                       int64_t most, std::optional<int64_t> &value) {
  if (!invocation.has(option))
    return true;
  int64_t number;
  if (!invocation.get(option).getAsInteger(10, number) && number >= least &&
      number <= most) {
    value = number;
    return true;
  }
  (void)invocation.getDiagnostics().error(
      {}, ("expected a number from " + llvm::Twine(least) + " to " +
           llvm::Twine(most) + " for --" + option + ", got " +
           quote(invocation.get(option)))
              .str());
  return false;
}

/// `--lanes=d1:32` or `--lanes=32`.
static bool readLanes(Invocation &invocation, AccessQuery &query) {
  if (!invocation.has("lanes"))
    return true;
  StringRef text = invocation.get("lanes"), count = text;
  if (text.starts_with("("))
    return readLaneMap(SourceBuffer("<--lanes>", text.str()), query,
                       invocation.getDiagnostics());
  int64_t dim = 0, lanes = 0;
  bool isRight = true;
  if (text.consume_front("d")) {
    auto [index, rest] = text.split(':');
    isRight = !index.getAsInteger(10, dim) && dim >= 0;
    query.laneDim = dim;
    count = rest;
  }
  if (!count.empty()) {
    isRight &= !count.getAsInteger(10, lanes) && lanes >= 1 && lanes <= 1024;
    query.lanes = lanes;
  }
  if (isRight)
    return true;
  (void)invocation.getDiagnostics().error(
      {},
      "expected lanes such as d1:32 or 32, at most 1024, for --lanes, got " +
          quote(invocation.get("lanes")));
  return false;
}

static std::optional<AccessQuery> parseAccessQuery(Invocation &invocation) {
  AccessQuery query;
  std::optional<int64_t> vector;
  constexpr int64_t most = int64_t(1) << 62;
  if (!readDevice(invocation, query.memory) || !readLanes(invocation, query) ||
      !readNumber(invocation, "vector", 1, 64, vector) ||
      !readNumber(invocation, "block", 1, 1024, query.block) ||
      !readNumber(invocation, "warp", 0, most, query.warp))
    return std::nullopt;
  query.vector = vector.value_or(1);
  query.sharesRows = !invocation.has("per-element");
  query.maps.fused = invocation.has("fused");
  if (invocation.has("instruction"))
    query.maps.instruction = invocation.get("instruction").str();
  for (auto [option, pattern] :
       {std::pair("op", &query.maps.select.operation),
        {"computation", &query.maps.select.computation},
        {"match", &query.maps.select.match}})
    if (invocation.has(option))
      *pattern = invocation.get(option).str();
  return query;
}

/// The store, and the reads that are known to be carried out.
static std::vector<const MemoryAccess *>
countedIn(const InstructionAccess &instruction) {
  std::vector<const MemoryAccess *> accesses = {&instruction.store};
  for (const OperandAccess &operand : instruction.operands)
    for (const MemoryAccess &access : operand.accesses)
      // Else most of the bytes may not be read, or count for another result.
      if (access.isExact && !access.isShared)
        accesses.push_back(&access);
  return accesses;
}

static int64_t bytesOf(const InstructionAccess &instruction) {
  if (!instruction.movesOwnBytes)
    return 0;
  int64_t bytes = 0;
  for (const MemoryAccess *access : countedIn(instruction))
    if (access->traffic &&
        __builtin_add_overflow(bytes, access->traffic->fetchedBytes, &bytes))
      bytes = INT64_MAX;
  return bytes;
}

static void add(const InstructionAccess &instruction, UseSummary &summary) {
  if (!instruction.movesOwnBytes)
    return;
  summary.add(instruction.computation, instruction.name,
              shortName(instruction.operation), instruction.at,
              bytesOf(instruction));
  for (const MemoryAccess *access : countedIn(instruction))
    if (access->traffic && access->traffic->factor() >= 1.005)
      summary.addWaste(
          StringRef(access->traffic->grounds.reason).split(':').first,
          access->traffic->fetchedBytes - access->traffic->usedBytes);
}

static bool isStrided(const MemoryAccess &access) {
  return access.traffic && access.traffic->factor() >= 1.005 &&
         StringRef(access.traffic->grounds.reason).starts_with("strided");
}

/// The instruction with only its strided accesses; none if it has none.
static std::optional<InstructionAccess>
onlyStrided(InstructionAccess instruction) {
  for (OperandAccess &operand : instruction.operands)
    llvm::erase_if(operand.accesses, std::not_fn(isStrided));
  llvm::erase_if(instruction.operands, [](const OperandAccess &operand) {
    return operand.accesses.empty();
  });
  instruction.producers.clear();
  if (!isStrided(instruction.store)) {
    if (instruction.operands.empty())
      return std::nullopt;
    instruction.store = {};
  }
  return instruction;
}

/// Whether the view of an element a thread is asked for, or an option that only this
/// view has.
static bool wantsElements(Invocation &invocation) {
  return llvm::any_of(
      llvm::ArrayRef<StringRef>{
          "per-element", "json", "fused", "op", "computation", "match", "lanes",
          "block", "vector", "warp", "strided", "summary", "worst"},
      [&](StringRef option) { return invocation.has(option); });
}

/// The kernels, or the one that --instruction names; false if it names none.
static bool printKernels(Invocation &invocation, Compilation &compilation,
                         const KernelQuery &query) {
  bool isFound = false;
  StringRef wanted = invocation.get("instruction");
  wanted.consume_front("%");
  compilation.forEachKernel(query, [&](const KernelRecord &kernel) {
    if (invocation.has("instruction") && kernel.instruction != wanted)
      return;
    printKernel(kernel, invocation.useColor(), invocation.getOut());
    isFound = true;
  });
  return isFound;
}

static ExitCode runAccess(Invocation &invocation) {
  std::optional<AccessQuery> query = parseAccessQuery(invocation);
  if (!query)
    return ExitCode::WrongUsage;
  std::optional<std::optional<int64_t>> limit = worstOf(invocation);
  if (!limit)
    return ExitCode::WrongUsage;
  Compilation *compilation = invocation.load(0);
  if (!compilation)
    return ExitCode::InputRejected;
  noteMissingOrigins(invocation, *compilation);
  bool hasKernels = hasGpuKernels(invocation, *compilation, query->memory);
  KernelQuery kernelQuery{.device = query->memory};
  if (!readKernelChoice(invocation, kernelQuery.byHand))
    return ExitCode::WrongUsage;
  if (hasKernels && !wantsElements(invocation))
    if (printKernels(invocation, *compilation, kernelQuery))
      return ExitCode::Done;
  llvm::raw_ostream &os = invocation.getOut();
  std::string written; // nothing is written after an error
  llvm::raw_string_ostream all(written);
  ExitCode code;
  StatusLine status;
  UseSummary summary;
  Worst<InstructionAccess> worst(*limit);
  bool isJson = invocation.has("json");
  auto writeAll =
      [&](llvm::function_ref<void(const InstructionAccess &)> emit) {
        code = compilation->access(*query, [&](const InstructionAccess &i) {
          status.step(i.name);
          if (!invocation.has("strided")) {
            add(i, summary);
            return worst.take(i, bytesOf(i), emit);
          }
          auto strided = onlyStrided(i);
          if (!strided)
            return;
          add(*strided, summary);
          worst.take(isJson ? i : *strided, bytesOf(*strided), emit);
        });
        worst.finish(emit);
      };
  if (isJson) {
    AccessJson json(all, compilation->getName(), query->memory);
    writeAll([&](const InstructionAccess &i) { json.write(i); });
    if (hasKernels)
      compilation->forEachKernel(
          kernelQuery, [&](const KernelRecord &kernel) { json.write(kernel); });
    json.finish();
  } else {
    AccessText text(*query, invocation.useColor(), all);
    writeAll([&](const InstructionAccess &i) { text.write(i); });
  }
  status.stop();
  if (code != ExitCode::Done)
    return code;
  size_t lines = StringRef(written).count('\n');
  if (!isJson && invocation.summarizes(lines))
    summary.print("without caches",
                  "mercator access " + invocation.getOperand(0).str(), lines,
                  invocation.useColor(), os);
  else
    os << written;
  return code;
}

static constexpr Option accessOptions[] = {
    {.name = "instruction",
     .value = "NAME",
     .help = "only this one; NAME or COMPUTATION/NAME"},
    {.name = "fused", .help = "of the entry, to the parameters"},
    {.name = "op", .value = "GLOB", .help = "only operations of this kind"},
    {.name = "computation",
     .value = "GLOB",
     .help = "only instructions of these computations"},
    {.name = "match",
     .value = "GLOB",
     .help = "only instructions of these names"},
    {.name = "device", .value = "DEVICE", .help = deviceHelp},
    {.name = "lanes",
     .value = "dK:N",
     .help =
         "N lanes along dimension K of the result, else along its layout; or "
         "a map from (lane, element, ...)"},
    {.name = "block",
     .value = "N",
     .help = "also blocks of N threads that share a cache"},
    {.name = "vector",
     .value = "N",
     .help = "elements that a lane takes, in as few loads as can be"},
    {.name = "per-element",
     .help =
         "each lane computes an element alone, also of a reduction, and of HLO "
         "compiled for a GPU"},
    {.name = "kernel",
     .value = "loop:unroll=1,block=256",
     .help = "of HLO compiled for a GPU: another choice for its loop kernels"},
    {.name = "summary",
     .help = "what moves the most bytes, and why, instead of all instructions"},
    {.name = "worst",
     .value = "N",
     .help = "only the N instructions that move the most bytes"},
    {.name = "strided",
     .help = "only strided accesses, and the instructions that have one"},
    {.name = "all",
     .help = "on a terminal: no summary instead of more than 200 lines"},
    {.name = "warp",
     .value = "N",
     .help = "draw the sectors of load N, and the lanes that read from them"},
};

const Command mercator::accessCommand = {
    .name = "access",
    .operands = "FILE",
    .summary = "print how instructions read memory: utilization and coalescing",
    .details =
        "For each operand: the elements that are read, the reads of each, and for each map\n"
        "the sectors that the lanes of a warp touch together, over all loads.\n",
    .options = accessOptions,
    .examples =
        "mercator access examples/transpose_add.hlo\n"
        "mercator access examples/softmax.hlo --op=fusion --vector=4\n"
        "mercator access examples/transpose_add.hlo --instruction=t --lanes=d0:32 --warp=0\n",
    .run = runAccess,
    .folds = true};
