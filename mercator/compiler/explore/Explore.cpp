// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/explore/Explore.h"
#include "mercator/analysis/Layout.h"
#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/explore/Simplifications.h"
#include "mercator/compiler/maps/Access.h"
#include "mercator/compiler/maps/Kernels.h"
#include "mercator/compiler/maps/Maps.h"
#include "mercator/compiler/shard/Shard.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/support/Saturating.h"
#include "mercator/support/Utf8.h"
#include "mercator/transforms/flow/formation/maps/Traffic.h"

#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

using namespace mercator;
using llvm::StringRef;

namespace {
/// Texts, each with a number.
class Numbered {
public:
  explicit Numbered(std::vector<std::string> &texts) : texts(texts) {}
  unsigned operator()(StringRef text) {
    auto [it, isNew] = numbers.try_emplace(text, unsigned(texts.size()));
    if (isNew)
      texts.push_back(text.str());
    return it->second;
  }

private:
  std::vector<std::string> &texts;
  llvm::StringMap<unsigned> numbers;
};

/// Makes the lists of instructions and of what they refer to.
class ProgramReader {
public:
  ProgramReader(const InstructionTable &table, const Device &device,
                Exploration &out)
      : table(table), out(out), accesses({.memory = device}),
        numberOfType(out.types), numberOfMap(out.maps),
        numberOfAccess(out.accesses) {}

  void read();
  void add(const KernelRecord &record);
  [[nodiscard]] std::vector<std::string> takePairs() { return pairs.take(); }

private:
  using End = Exploration::End;

  void addComputations();
  void add(unsigned computation, StringRef name, mlir::Operation *op,
           mlir::Location location, mlir::ValueRange results);
  void addCalls(mlir::Operation *op, Exploration::Instruction &instruction);
  std::optional<Exploration::Operand> find(mlir::Value value) const;
  void addMaps(mlir::Operation *op, unsigned number);
  void addReads(const MapRecord &record, Exploration::Instruction &to);
  unsigned typeOf(mlir::Type type);
  std::vector<unsigned> mapsOf(const indexing::MapSet &maps);

  const InstructionTable &table;
  Exploration &out;
  access::Accesses accesses;
  Numbered numberOfType, numberOfMap, numberOfAccess;
  ComposedPairs pairs;
  llvm::DenseMap<mlir::Type, unsigned> knownTypes;
  llvm::DenseMap<mlir::Operation *, unsigned> ofOperation;
  llvm::DenseMap<mlir::Value, unsigned> ofArgument;
  llvm::DenseMap<mlir::Block *, unsigned> ofBlock;
  llvm::StringMap<unsigned> ofName; ///< "computation/instruction"
};
} // namespace

/// {"text":"tensor<8x4xf32>","sizes":[8,4],"element":"f32","bytes":4,
///  "minor_to_major":[1,0]}
static std::string typeJson(mlir::Type type) {
  std::string text, json;
  llvm::raw_string_ostream(text) << type;
  llvm::raw_string_ostream os(json);
  llvm::json::OStream writer(os);
  writer.object([&] {
    writer.attribute("text", validUtf8(text));
    auto tensor = llvm::dyn_cast<mlir::ShapedType>(type);
    if (!tensor || !tensor.hasRank())
      return;
    writer.attributeArray("sizes", [&] {
      for (int64_t size : tensor.getShape())
        mlir::ShapedType::isDynamic(size) ? writer.value(nullptr)
                                          : writer.value(size);
    });
    std::string element;
    llvm::raw_string_ostream(element) << tensor.getElementType();
    writer.attribute("element", validUtf8(element));
    if (auto layout = access::Layout::of(type)) {
      writer.attribute("bits", layout->bits);
      writer.attributeArray("minor_to_major", [&] {
        for (int64_t dim : layout->minorToMajor)
          writer.value(dim);
      });
      if (!layout->tiles.empty())
        writer.attribute("tiled", true);
    }
  });
  return json;
}

unsigned ProgramReader::typeOf(mlir::Type type) {
  auto [it, isNew] = knownTypes.try_emplace(type, 0);
  if (isNew)
    it->second = numberOfType(typeJson(type));
  return it->second;
}

std::vector<unsigned> ProgramReader::mapsOf(const indexing::MapSet &maps) {
  std::vector<unsigned> numbers;
  for (const indexing::OperandMap &m : maps) {
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::json::OStream json(os);
    writeJson(m, json);
    numbers.push_back(numberOfMap(text));
  }
  return numbers;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void ProgramReader::add(unsigned computation, StringRef name,
                        mlir::Operation *op, mlir::Location location,
                        mlir::ValueRange results) {
  Exploration::Instruction &instruction = out.instructions.emplace_back();
  instruction.name = name.str();
  instruction.computation = computation;
  instruction.origin = originOf(location);
  if (op)
    instruction.operation = op->getName().getStringRef().str();
  unsigned line = 0;
  if (!StringRef(placeOf(location)).rsplit(':').second.getAsInteger(10, line))
    instruction.line = line;
  for (mlir::Value result : results)
    instruction.types.push_back(typeOf(result.getType()));
}

void ProgramReader::addComputations() {
  llvm::DenseMap<mlir::Block *, unsigned> entries;
  for (const Computation *entry : table.getEntries())
    entries[entry->block] = 0;
  for (auto [i, computation] : llvm::enumerate(table.getComputations())) {
    mlir::Block *block = computation.block;
    out.computations.push_back(
        {.name = computation.name, .isEntry = entries.contains(block)});
    ofBlock[block] = i;
    for (mlir::BlockArgument argument : block->getArguments()) {
      ofArgument[argument] = out.instructions.size();
      add(i, table.nameOf(mlir::Value(argument)), nullptr, argument.getLoc(),
          {argument});
    }
    table.forEachOperation(computation, [&](mlir::Operation *op) {
      ofOperation[op] = out.instructions.size();
      add(i, table.nameOf(op), op, op->getLoc(), op->getResults());
    });
  }
}

std::optional<Exploration::Operand>
ProgramReader::find(mlir::Value value) const {
  if (auto it = ofArgument.find(value); it != ofArgument.end())
    return Exploration::Operand{it->second, 0};
  auto result = llvm::dyn_cast<mlir::OpResult>(value);
  auto it = result ? ofOperation.find(result.getOwner()) : ofOperation.end();
  if (it == ofOperation.end())
    return std::nullopt;
  return Exploration::Operand{it->second, result.getResultNumber()};
}

/// The computations that an operation has inside, and the functions it names.
void ProgramReader::addCalls(mlir::Operation *op,
                             Exploration::Instruction &instruction) {
  auto addBlock = [&](mlir::Block *block) {
    auto it = ofBlock.find(block);
    if (it == ofBlock.end() ||
        llvm::is_contained(instruction.calls, it->second))
      return;
    instruction.calls.push_back(it->second);
    std::optional<unsigned> &caller = out.computations[it->second].caller;
    if (!caller)
      caller = ofOperation.lookup(op);
  };
  for (mlir::Region &region : op->getRegions())
    for (mlir::Block &block : region)
      addBlock(&block);
  for (mlir::NamedAttribute attribute : op->getAttrs())
    attribute.getValue().walk([&](mlir::SymbolRefAttr symbol) {
      mlir::Operation *callee =
          mlir::SymbolTable::lookupNearestSymbolFrom(op, symbol);
      if (callee && callee->getNumRegions() == 1 &&
          !callee->getRegion(0).empty())
        addBlock(&callee->getRegion(0).front());
    });
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

static void addBytes(std::optional<int64_t> &sum, std::optional<int64_t> more) {
  if (!more)
    sum.reset();
  else if (sum)
    sum = saturatingAdd(*sum, *more);
}

static std::optional<int64_t> bytesRead(const OperandAccess &operand) {
  if (operand.read.why.exactness == Exactness::Unknown)
    return std::nullopt;
  return saturatingMul(operand.read.value, operand.bytes);
}

static unsigned countLeaves(mlir::Type type) {
  auto tuple = llvm::dyn_cast<mlir::TupleType>(type);
  if (!tuple)
    return 1;
  unsigned count = 0;
  for (mlir::Type member : tuple.getTypes())
    count += countLeaves(member);
  return count;
}

/// The member of a tuple that get_tuple_element takes: its first leaf. None for
/// other operations.
static std::optional<unsigned> takenMember(mlir::Operation *op) {
  auto take = llvm::dyn_cast<stablehlo::GetTupleElementOp>(op);
  if (!take)
    return std::nullopt;
  auto tuple = llvm::cast<mlir::TupleType>(take->getOperand(0).getType());
  auto index = take->getAttrOfType<mlir::IntegerAttr>("index");
  unsigned leaves = 0;
  for (mlir::Type member : tuple.getTypes().take_front(index.getInt()))
    leaves += countLeaves(member);
  return leaves;
}

/// From a result to the operands, and how these are accessed.
void ProgramReader::addReads(const MapRecord &record,
                             Exploration::Instruction &to) {
  InstructionAccess access = accessOf(record, accesses);
  to.movesOwnBytes = record.movesOwnBytes;
  Exploration::Record &reads = to.reads.emplace_back();
  reads.from = {.number = record.from, .element = record.element};
  if (record.type)
    reads.from.type = typeOf(record.type);
  if (auto layout = access::Layout::of(record.type))
    addBytes(to.bytes, layout->bytes());
  else
    addBytes(to.bytes, std::nullopt);
  for (auto [target, operand] : llvm::zip(record.to, access.operands)) {
    End &end = reads.to.emplace_back();
    end = {.number = target.number,
           .element = target.element,
           .maps = mapsOf(target.maps)};
    if (target.type)
      end.type = typeOf(target.type);
    addBytes(to.bytes, bytesRead(operand));
    operand.name.clear();
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::json::OStream json(os);
    writeJson(operand, json);
    end.access = numberOfAccess(text);
    for (const indexing::OperandMap &m : target.maps)
      pairs.add(to.operands[target.number].instruction, m);
  }
}

void ProgramReader::addMaps(mlir::Operation *op, unsigned number) {
  // `instruction` stays where it is: none is added here.
  Exploration::Instruction &instruction = out.instructions[number];
  Instruction asked{&table.getComputations()[instruction.computation], op,
                    nullptr};
  instruction.bytes = 0;
  forEachRecord(
      table, asked, indexing::Direction::OutToIn,
      [&](const MapRecord &record) { addReads(record, instruction); });
  if (instruction.reads.empty())
    instruction.bytes.reset();
  forEachRecord(
      table, asked, indexing::Direction::InToOut, [&](const MapRecord &record) {
        Exploration::Record &reaches = instruction.reaches.emplace_back();
        reaches.from = {.number = record.from, .element = record.element};
        for (const MapTarget &target : record.to)
          reaches.to.push_back({.number = target.number,
                                .element = target.element,
                                .maps = mapsOf(target.maps)});
      });
  if (std::optional<unsigned> member = takenMember(op)) {
    for (Exploration::Record &record : instruction.reads)
      for (End &end : record.to)
        end.element = member;
    for (Exploration::Record &record : instruction.reaches)
      record.from.element = member;
  }
  pairs.finish(number, instruction);
}

void ProgramReader::read() {
  addComputations();
  for (auto [i, computation] : llvm::enumerate(table.getComputations())) {
    table.forEachOperation(computation, [&](mlir::Operation *op) {
      unsigned number = ofOperation[op];
      Exploration::Instruction &instruction = out.instructions[number];
      for (mlir::Value operand : op->getOperands())
        instruction.operands.push_back(
            find(operand).value_or(Exploration::Operand{number, 0}));
      addCalls(op, instruction);
      addMaps(op, number);
    });
    for (mlir::Value value : table.root(computation).values)
      if (auto operand = find(value))
        out.computations[i].results.push_back(*operand);
  }
}

/// A kernel of an instruction of the list.
void ProgramReader::add(const KernelRecord &record) {
  if (ofName.empty())
    for (auto [i, instruction] : llvm::enumerate(out.instructions))
      ofName.try_emplace(out.computations[instruction.computation].name + "/" +
                             instruction.name,
                         unsigned(i));
  auto found = ofName.find(record.computation + "/" + record.instruction);
  if (found == ofName.end() || !record.kernel.isKnown())
    return;
  Exploration::Kernel kernel{.instruction = found->second,
                             .emitter =
                                 kernels::nameOf(record.kernel.emitter).str(),
                             .choice = record.kernel.choice,
                             .grid = record.kernel.grid,
                             .block = record.kernel.block,
                             .microseconds = record.time.microseconds,
                             .accesses = {}};
  for (const kernels::Counted &access : record.counts.accesses)
    if (!access.byEngine && access.map.numDims() >= 2 &&
        !access.map.isKnownEmpty())
      kernel.accesses.push_back(
          {.isRead = access.kind == kernels::Step::Kind::Reads,
           .number = access.operand,
           .by = access.by,
           .map = mapsOf({{access.map}}).front(),
           .vector = access.vector,
           .loads = access.traffic.loads,
           .sectors = access.traffic.touchedSectors()});
  out.kernels.push_back(std::move(kernel));
}

//===----------------------------------------------------------------------===//
// Dispatches
//===----------------------------------------------------------------------===//

/// Finds the instructions of dispatches: by their lines, and then by their names.
static void assignDispatches(Exploration &out) {
  llvm::DenseMap<unsigned, llvm::SmallVector<unsigned, 1>> byLine;
  for (auto [i, instruction] : llvm::enumerate(out.instructions))
    if (instruction.line && !instruction.operation.empty())
      byLine[*instruction.line].push_back(i);
  for (auto [number, dispatch] : llvm::enumerate(out.explanation->dispatches))
    for (const Explanation::Operation &op : dispatch.operations) {
      unsigned line = 0;
      if (StringRef(op.place).rsplit(':').second.getAsInteger(10, line))
        continue;
      StringRef name = StringRef(op.text).split(" = ").first;
      llvm::ArrayRef<unsigned> there = byLine[line];
      for (unsigned i : there) {
        Exploration::Instruction &it = out.instructions[i];
        bool isNamed = it.name == name || name.ends_with("/" + it.name);
        if (!it.dispatch && (isNamed || there.size() == 1))
          it.dispatch = number;
      }
    }
}

static Exploration::Dispatch timeOf(const Explanation::Dispatch &dispatch,
                                    const flow::Machine &machine) {
  if (!dispatch.flops)
    return {};
  double bytes = 0;
  for (const auto *tensors : {&dispatch.reads, &dispatch.gives})
    for (const Explanation::Tensor &tensor : *tensors) {
      if (!tensor.bytes)
        return {};
      bytes += double(*tensor.bytes);
    }
  double rate = machine.flopsPerNs * machine.cores;
  return {{{.start = int64_t(machine.dispatchNs),
            .memory = int64_t(bytes / machine.bytesPerNs),
            .arithmetic = int64_t(double(*dispatch.flops) / rate)}}};
}

/// The pipeline runs on a program of its own, whose errors are not the user's.
static void explainInto(const Compilation &program,
                        const ExploreOptions &options, Exploration &out) {
  std::string errors;
  llvm::raw_string_ostream os(errors);
  constexpr size_t kMostScheduled = 4096; // instructions
  bool isSmall = out.instructions.size() <= kMostScheduled;
  for (bool cpu : {options.device.target == "cpu" && isSmall, false}) {
    errors.clear();
    DiagnosticEngine quiet(os);
    auto copy = Compilation::load(program.getSource(), quiet);
    if (!copy)
      break;
    Answer<Explanation> answer = copy->explain(
        {.formation = options.formation, .cpu = cpu, .gpu = options.gpu});
    if (answer) {
      out.explanation = std::move(*answer);
      break;
    }
    if (!cpu)
      break;
  }
  if (!out.explanation) {
    out.noDispatches = StringRef(errors).split('\n').first.str();
    return;
  }
  assignDispatches(out);
  flow::Machine machine(options.device);
  for (const Explanation::Dispatch &dispatch : out.explanation->dispatches)
    out.dispatches.push_back(timeOf(dispatch, machine));
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static void addSources(const ExploreOptions &options, Exploration &out) {
  llvm::StringMap<bool> asked;
  for (const Exploration::Instruction &instruction : out.instructions) {
    StringRef name = StringRef(instruction.origin).rsplit(':').first;
    if (name.empty() || !asked.try_emplace(name, true).second)
      continue;
    if (std::optional<std::string> text = options.source(name))
      out.sources.push_back({name.str(), std::move(*text)});
  }
}

Answer<Exploration> Compilation::explore(const ExploreOptions &options) {
  Exploration out;
  out.module = getName().str();
  out.file = source.getName().str();
  out.text = source.getText().str();
  out.device = options.device;
  out.trace = options.trace;
  const InstructionTable &table = getInstructions();
  if (table.getComputations().empty()) {
    (void)diagnostics.error({}, "expected a function with a body in " +
                                    quote(getName()) + ", got none");
    return ExitCode::InputRejected;
  }
  ProgramReader reader(table, options.device, out);
  reader.read();
  out.simplified = reader.takePairs();
  if (options.gpu)
    forEachKernel({.device = *options.gpu},
                  [&](const KernelRecord &record) { reader.add(record); });
  explainInto(*this, options, out);
  if (std::optional<spmd::PartitionReport> shards =
          shardsOf(*program->module)) {
    llvm::raw_string_ostream os(out.shards);
    llvm::json::OStream json(os);
    writeJson(*shards, getName(), json);
  }
  if (options.source)
    addSources(options, out);
  if (options.second) {
    Answer<ProgramDiff> answer = diff(*options.second);
    if (!answer)
      return answer.getFailure();
    const SourceBuffer &text = options.second->getSource();
    out.second = {text.getName().str(), text.getText().str(),
                  std::move(*answer)};
  }
  return out;
}
