// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/hlo/Proto.h"
#include "mercator/frontends/hlo/Lexer.h"
#include "mercator/frontends/hlo/ProtoText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mercator;
using namespace mercator::hlo;
using namespace mercator::hlo::field;
using llvm::SmallVector;
using llvm::Twine;

/// Of an id, what is unique inside a computation. Since 2025 the upper half is
/// the number of the computation.
static int64_t localId(int64_t id) { return id & 0xffffffff; }

//===----------------------------------------------------------------------===//
// Finding the module
//===----------------------------------------------------------------------===//

static bool isPrintable(StringRef text) {
  return !text.empty() && llvm::all_of(text, llvm::isPrint);
}

/// Whether the first computation has a name and an instruction with an opcode.
static bool isModuleProto(StringRef bytes) {
  WireFault ignored(bytes);
  SmallVector<StringRef, 4> computations =
      WireMessage(bytes, ignored).texts(kComputations);
  if (computations.empty())
    return false;
  WireMessage computation(computations.front(), ignored);
  SmallVector<StringRef, 4> instructions = computation.texts(kInstructions);
  if (instructions.empty() || !isPrintable(computation.text(kComputationName)))
    return false;
  StringRef opcode = WireMessage(instructions.front(), ignored).text(kOpcode);
  return !opcode.empty() && llvm::all_of(opcode, [](char c) {
    return llvm::isAlnum(c) || c == '-';
  });
}

/// The module in an HloModuleProto, an HloProto or a snapshot.
static std::optional<StringRef> findModule(StringRef bytes) {
  // A module, the field 1 of an HloProto, the field 1 of that in a snapshot.
  for (int level = 0; level < 3; ++level) {
    if (bytes.empty() || bytes.front() != '\x0A')
      return std::nullopt;
    if (isModuleProto(bytes))
      return bytes;
    WireFault ignored(bytes);
    bytes = WireMessage(bytes, ignored).text(1);
  }
  return std::nullopt;
}

bool mercator::hlo::looksLikeProto(StringRef bytes) {
  return findModule(bytes).has_value();
}

std::optional<std::string>
mercator::hlo::readProto(const SourceBuffer &source,
                         DiagnosticEngine &diagnostics) {
  auto refuse = [&](const Twine &what) {
    (void)diagnostics.error({}, "cannot read " + quote(source.getName()) +
                                    ": " + what);
    return std::nullopt;
  };
  StringRef bytes = source.getText();
  std::optional<StringRef> proto = findModule(bytes);
  if (!proto)
    return refuse("expected an HloModuleProto or an HloProto");
  constexpr size_t kGrowth = 256, kHeader = 1 << 16;
  size_t limit =
      std::min<size_t>(bytes.size() * kGrowth + kHeader, size_t(kNoLoc) - 1);
  WireFault fault(bytes);
  Module scratch;
  ProtoText writer(scratch, fault, limit);
  writer.writeModule(WireMessage(*proto, fault));
  if (std::optional<std::string> problem = writer.error())
    return refuse(*problem);
  return writer.takeText();
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

bool ProtoText::fail(const Twine &what) {
  if (!problem)
    problem = where.empty() ? what.str() : where + ": " + what.str();
  return false;
}

bool ProtoText::failed() const {
  return problem || fault.found() || text.size() > limit;
}

std::optional<std::string> ProtoText::error() const {
  // Damaged bytes explain what follows from them.
  if (fault.found())
    return fault.text();
  if (problem)
    return problem;
  if (text.size() > limit)
    return "its text would have more than " + std::to_string(limit) + " bytes";
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static bool isOneToken(const std::string &text, TokenKind kind) {
  if (text.size() >= kNoLoc)
    return false;
  Token token = Lexer(text).lex(0);
  return token.is(kind) && token.begin == 0 && token.end == text.size();
}

void ProtoText::writeName(StringRef name, StringRef what) {
  if (!isOneToken(("%" + name).str(), TokenKind::Name))
    fail("expected a name of " + what + ", got " + quote(name));
  os << '%' << name;
}

void ProtoText::writeWord(StringRef word) {
  if (!isOneToken(word.str(), TokenKind::Word))
    fail("expected a word, got " + quote(word));
  os << word;
}

void ProtoText::writeIndices(llvm::ArrayRef<int64_t> values) {
  os << '{';
  llvm::interleave(values, os, ",");
  os << '}';
}

void ProtoText::writeFrontendAttributes(const WireMessage &attributes) {
  std::map<StringRef, StringRef> sorted;
  for (const WireMessage &entry : attributes.messages(1))
    sorted[entry.text(1)] = entry.text(2);
  if (sorted.empty())
    return;
  os << ", frontend_attributes={";
  const char *separator = "";
  for (auto [key, value] : sorted) {
    os << separator;
    separator = ",";
    // A key such as `xla.sdy.sharding` is written without quotes.
    if (isOneToken(key.str(), TokenKind::Word))
      os << key;
    else
      os << escape(key);
    os << '=' << escape(value);
  }
  os << '}';
}

//===----------------------------------------------------------------------===//
// Module
//===----------------------------------------------------------------------===//

void ProtoText::writeModule(const WireMessage &module) {
  SmallVector<WireMessage, 0> protos = module.messages(kComputations);
  for (const WireMessage &proto : protos)
    if (!computations
             .try_emplace(proto.integer(kComputationId),
                          proto.text(kComputationName))
             .second)
      fail("two computations have the id " +
           Twine(proto.integer(kComputationId)));
  SmallVector<StringRef, 4> payloadList = module.texts(kPayloads);
  payloads = payloadList;

  // The sequence of each computation, by its id.
  std::map<int64_t, SmallVector<int64_t, 8>> sequences;
  for (const WireMessage &entry : module.message(kSchedule).messages(1))
    sequences[entry.integer(1)] = entry.message(2).integers(1);

  findWrapped(protos);
  writeHeader(module);
  writeTables(module.message(kStackFrameIndex));
  int64_t entry = module.integer(kEntryId);
  if (!computations.contains(entry))
    fail("no computation has the id " + Twine(entry) + " of the entry");
  for (const WireMessage &proto : protos) {
    if (failed())
      return;
    int64_t id = proto.integer(kComputationId);
    if (wrapped.contains(id))
      continue;
    auto sequence = sequences.find(id);
    os << '\n';
    writeComputation(proto, id == entry,
                     sequence == sequences.end()
                         ? llvm::ArrayRef<int64_t>()
                         : llvm::ArrayRef<int64_t>(sequence->second));
  }
}

void ProtoText::writeHeader(const WireMessage &module) {
  os << "HloModule ";
  writeWord(module.text(kModuleName));
  if (module.has(kSchedule))
    os << ", is_scheduled=true";
  auto aliases = module.message(kInputOutputAlias).messages(1);
  if (!aliases.empty()) {
    os << ", input_output_alias={ ";
    llvm::interleaveComma(aliases, os, [&](const WireMessage &alias) {
      writeIndices(alias.integers(1));
      os << ": (" << alias.integer(2) << ", ";
      writeIndices(alias.integers(3));
      os << (alias.integer(4) == 2 ? ", must-alias)" : ", may-alias)");
    });
    os << " }";
  }
  auto donors = module.message(kBufferDonor).messages(1);
  if (!donors.empty()) {
    os << ", buffer_donor={ ";
    llvm::interleaveComma(donors, os, [&](const WireMessage &donor) {
      os << '(' << donor.integer(1) << ", ";
      writeIndices(donor.integers(2));
      os << ')';
    });
    os << " }";
  }
  if (module.has(kProgramShape)) {
    WireMessage program = module.message(kProgramShape);
    os << ", entry_computation_layout={(";
    llvm::interleaveComma(program.messages(1), os,
                          [&](const WireMessage &shape) { writeShape(shape); });
    os << ")->";
    writeShape(program.message(2));
    os << '}';
  }
  writeFrontendAttributes(module.message(kModuleFrontendAttributes));
  os << '\n';
}

void ProtoText::writeTables(const WireMessage &index) {
  SmallVector<StringRef, 4> files = index.texts(1), functions = index.texts(2);
  auto locations = index.messages(3), frames = index.messages(4);
  if (files.empty() && functions.empty() && locations.empty() && frames.empty())
    return;
  auto names = [&](StringRef title, llvm::ArrayRef<StringRef> rows) {
    os << '\n' << title << '\n';
    for (auto [i, row] : llvm::enumerate(rows))
      os << i + 1 << ' ' << escape(row) << '\n';
  };
  names("FileNames", files);
  names("FunctionNames", functions);
  os << "\nFileLocations\n";
  for (auto [i, row] : llvm::enumerate(locations))
    os << i + 1 << " {file_name_id=" << row.integer(1)
       << " function_name_id=" << row.integer(2) << " line=" << row.integer(3)
       << " end_line=" << row.integer(5) << " column=" << row.integer(4)
       << " end_column=" << row.integer(6) << "}\n";
  os << "\nStackFrames\n";
  for (auto [i, row] : llvm::enumerate(frames))
    os << i + 1 << " {file_location_id=" << row.integer(1)
       << " parent_frame_id=" << row.integer(2) + 1 << "}\n";
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

void ProtoText::writeSignature(const WireMessage &program) {
  auto shapes = program.messages(1);
  SmallVector<StringRef, 4> names = program.texts(3);
  if (names.size() != shapes.size()) {
    fail("expected a name of each of the " + Twine(shapes.size()) +
         " parameters, got " + Twine(names.size()));
    return;
  }
  os << " (";
  llvm::interleaveComma(llvm::zip(names, shapes), os, [&](auto pair) {
    writeWord(std::get<0>(pair));
    os << ": ";
    writeShape(std::get<1>(pair), /*withLayout=*/false);
  });
  os << ") -> ";
  writeShape(program.message(2), /*withLayout=*/false);
}

/// Puts the instructions into the order of the schedule.
bool ProtoText::orderBySchedule(std::vector<Node> &list,
                                llvm::ArrayRef<int64_t> schedule) {
  if (schedule.empty())
    return true;
  llvm::DenseMap<int64_t, size_t> places;
  for (auto [i, id] : llvm::enumerate(schedule))
    places[localId(id)] = i;
  if (places.size() != list.size() || schedule.size() != list.size())
    return fail("expected a schedule of its " + Twine(list.size()) +
                " instructions, got one of " + Twine(places.size()));
  std::vector<std::pair<size_t, size_t>> order;
  for (auto [i, node] : llvm::enumerate(list)) {
    auto place = places.find(localId(node.proto.integer(kId)));
    if (place == places.end())
      return fail("instruction " + quote(node.name) +
                  " is not in the schedule");
    order.push_back({place->second, i});
  }
  llvm::sort(order);
  std::vector<Node> sorted;
  for (auto [place, i] : order)
    sorted.push_back(std::move(list[i]));
  list = std::move(sorted);
  return true;
}

std::vector<ProtoText::Node>
ProtoText::readNodes(const WireMessage &computation) {
  std::vector<Node> list;
  for (WireMessage &proto : computation.messages(kInstructions)) {
    StringRef name = proto.text(kName), opcode = proto.text(kOpcode);
    list.push_back({std::move(proto), name, opcode});
  }
  return list;
}

bool ProtoText::numberNodes(llvm::ArrayRef<Node> list, Nodes &numbered) {
  numbered.clear();
  for (const Node &node : list)
    if (!numbered.try_emplace(localId(node.proto.integer(kId)), &node).second)
      return fail("two instructions have the id " +
                  Twine(node.proto.integer(kId)));
  return true;
}

/// Finds the computations that XLA does not write: of parameters and one
/// operation on all of them, called by an async-start and nothing else.
void ProtoText::findWrapped(llvm::ArrayRef<WireMessage> protos) {
  std::map<int64_t, bool> onlyAsync; // by the id of a called computation
  for (const WireMessage &computation : protos)
    for (StringRef bytes : computation.texts(kInstructions)) {
      WireMessage node(bytes, fault);
      bool isAsync = node.text(kOpcode).starts_with("async-");
      for (int64_t id : node.integers(kCalledIds))
        onlyAsync.try_emplace(id, true).first->second &= isAsync;
    }
  for (const WireMessage &computation : protos) {
    int64_t id = computation.integer(kComputationId);
    auto called = onlyAsync.find(id);
    if (called == onlyAsync.end() || !called->second)
      continue;
    Wrapped one;
    one.list = readNodes(computation);
    if (!numberNodes(one.list, one.nodes))
      return;
    int64_t root = localId(computation.integer(kRootId));
    one.operation = one.nodes.lookup(root);
    if (!one.operation || one.operation->opcode == "parameter" ||
        one.operation->opcode.starts_with("async-"))
      continue;
    llvm::SmallVector<int64_t, 8> operands =
        one.operation->proto.integers(kOperandIds);
    bool isPlain = operands.size() + 1 == one.list.size();
    for (size_t i = 0; isPlain && i < operands.size(); ++i) {
      const Node *operand = one.nodes.lookup(localId(operands[i]));
      isPlain = operand && operand->opcode == "parameter" &&
                operand->proto.integer(kParameterNumber) == int64_t(i);
    }
    if (!isPlain)
      continue;
    // The nodes stay where they are when the list moves.
    wrapped.emplace(id, std::move(one));
  }
}

void ProtoText::writeComputation(const WireMessage &computation, bool isEntry,
                                 llvm::ArrayRef<int64_t> schedule) {
  StringRef name = computation.text(kComputationName);
  where = "computation " + quote(name);
  std::vector<Node> list = readNodes(computation);
  if (!orderBySchedule(list, schedule) || !numberNodes(list, nodes))
    return;
  asyncCalls.clear();

  os << (isEntry ? "ENTRY " : "");
  writeName(name, "a computation");
  if (computation.has(kComputationShape))
    writeSignature(computation.message(kComputationShape));
  os << " {\n";
  int64_t root = localId(computation.integer(kRootId));
  if (!nodes.contains(root))
    fail("no instruction has the id " + Twine(root) + " of the root");
  for (const Node &node : list) {
    if (failed())
      return;
    os << "  ";
    writeInstruction(node, localId(node.proto.integer(kId)) == root);
    os << '\n';
  }
  os << '}';
  StringRef thread = computation.text(kExecutionThread);
  if (!thread.empty() && thread != "main")
    os << ", execution_thread=" << escape(thread);
  os << '\n';
}
