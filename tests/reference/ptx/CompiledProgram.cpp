// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/reference/ptx/CompiledProgram.h"

#include "mercator/reference/ptx/Formats.h"
#include "mercator/support/File.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <cmath>

namespace mercator {

using namespace reference::ptx;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

int64_t ArrayType::elements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

static unsigned bitsOfElement(StringRef element) {
  if (element == "pred")
    return 8;
  if (element.starts_with("c"))
    return element == "c64" ? 64 : element == "c128" ? 128 : 0;
  StringRef digits =
      element.drop_until([](char c) { return llvm::isDigit(c); });
  unsigned bits = 0;
  digits.take_while([](char c) { return llvm::isDigit(c); })
      .getAsInteger(10, bits);
  return bits;
}

uint64_t ArrayType::bytes() const {
  return (uint64_t(elements()) * bitsOfElement(element) + 7) / 8;
}

/// Calls f(row-major place, place in the layout) for each element.
template <typename F> static void forPlaces(const ArrayType &type, F &&f) {
  size_t rank = type.shape.size();
  std::vector<int64_t> stride(rank, 0), index(rank, 0);
  int64_t step = 1;
  for (int64_t dim : type.minorToMajor) {
    stride[size_t(dim)] = step;
    step *= type.shape[size_t(dim)];
  }
  int64_t place = 0;
  for (int64_t at = 0, count = type.elements(); at < count; ++at) {
    f(at, place);
    for (size_t dim = rank; dim-- > 0;) {
      place += stride[dim];
      if (++index[dim] < type.shape[dim])
        break;
      place -= stride[dim] * index[dim];
      index[dim] = 0;
    }
  }
}

std::vector<uint8_t> toRowMajor(const ArrayType &type,
                                llvm::ArrayRef<uint8_t> bytes) {
  unsigned size = bitsOfElement(type.element) / 8;
  std::vector<uint8_t> result(bytes.begin(), bytes.end());
  if (size != 0)
    forPlaces(type, [&](int64_t row, int64_t layout) {
      std::copy_n(bytes.begin() + layout * size, size,
                  result.begin() + row * size);
    });
  return result;
}

std::vector<uint8_t> fromRowMajor(const ArrayType &type,
                                  llvm::ArrayRef<uint8_t> bytes) {
  unsigned size = bitsOfElement(type.element) / 8;
  std::vector<uint8_t> result(bytes.begin(), bytes.end());
  if (size != 0)
    forPlaces(type, [&](int64_t row, int64_t layout) {
      std::copy_n(bytes.begin() + row * size, size,
                  result.begin() + layout * size);
    });
  return result;
}

/// The text up to the bracket that closes the first one; it is removed from `text`.
static StringRef takeBrackets(StringRef &text) {
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (StringRef("([{").contains(text[at]))
      ++depth;
    if (StringRef(")]}").contains(text[at]) && --depth == 0) {
      StringRef inside = text.slice(1, at);
      text = text.drop_front(at + 1);
      return inside;
    }
  }
  StringRef all = text;
  text = "";
  return all;
}

static std::vector<int64_t> integersOf(StringRef list) {
  std::vector<int64_t> result;
  llvm::SmallVector<StringRef> parts;
  list.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    int64_t value = 0;
    part.trim().ltrim("<=").getAsInteger(10, value);
    result.push_back(value);
  }
  return result;
}

/// Takes a type, and appends its arrays in order.
static void takeType(StringRef &text, std::vector<ArrayType> &leaves) {
  text = text.ltrim();
  if (text.starts_with("(")) {
    StringRef inside = takeBrackets(text);
    while (!inside.trim().empty()) {
      takeType(inside, leaves);
      inside = inside.ltrim().ltrim(',').ltrim();
      if (inside.starts_with("/*"))
        inside =
            inside.drop_front(std::min(inside.size(), inside.find("*/") + 2));
    }
    return;
  }
  if (text.starts_with("/*"))
    text = text.drop_front(std::min(text.size(), text.find("*/") + 2)).ltrim();
  ArrayType type;
  StringRef begin = text;
  type.element = text.take_while([](char c) { return llvm::isAlnum(c); }).str();
  text = text.drop_front(type.element.size());
  if (text.starts_with("["))
    type.shape = integersOf(takeBrackets(text));
  for (size_t dim = type.shape.size(); dim-- > 0;)
    type.minorToMajor.push_back(int64_t(dim));
  if (text.starts_with("{"))
    type.minorToMajor = integersOf(takeBrackets(text).split(':').first);
  type.minorToMajor.resize(type.shape.size());
  type.text = begin.drop_back(text.size()).str();
  leaves.push_back(std::move(type));
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// A line `[ROOT] %name = type opcode(operands), attributes`.
static bool parseInstruction(StringRef line,
                             CompiledProgram::Instruction &result) {
  line.consume_front("ROOT ");
  auto [name, rest] = line.split(" = ");
  if (rest.empty() || !name.starts_with("%"))
    return false;
  result.name = name.drop_front().str();
  takeType(rest, result.leaves);
  rest = rest.ltrim();
  size_t open = rest.find('(');
  if (open == StringRef::npos)
    return false;
  result.opcode = rest.take_front(open).str();
  rest = rest.drop_front(open);
  StringRef inside = takeBrackets(rest);
  result.text = inside.str();
  result.attributes = rest.str();
  llvm::SmallVector<StringRef> parts;
  inside.split(parts, ", ");
  for (StringRef part : parts)
    if (size_t at = part.rfind('%'); at != StringRef::npos)
      result.operands.push_back(part.drop_front(at + 1).str());
  return true;
}

static std::string kernelNameOf(StringRef instruction) {
  std::string name = instruction.str();
  for (char &c : name)
    c = c == '.' || c == '-' ? '_' : c;
  return name;
}

static std::optional<std::string> contentOf(const std::string &path,
                                            std::string &why) {
  llvm::Expected<std::string> text = readFile(path);
  if (text)
    return std::move(*text);
  why = llvm::toString(text.takeError());
  return std::nullopt;
}

static std::array<uint32_t, 3> threeOf(StringRef text, StringRef key) {
  std::array<uint32_t, 3> result = {1, 1, 1};
  text = text.substr(text.find(key) + key.size());
  for (auto [dim, value] :
       llvm::enumerate(integersOf(text.split('[').second.split(']').first)))
    if (dim < 3)
      result[dim] = uint32_t(value);
  return result;
}

std::optional<CompiledProgram> CompiledProgram::read(const std::string &folder,
                                                     std::string &why,
                                                     std::string hlo) {
  CompiledProgram program;
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(folder, error), end;
       file != end && !error; file.increment(error))
    files.push_back(file->path());
  llvm::sort(files);
  std::string sequence, metadata, assignment;
  for (const std::string &file : files) {
    StringRef name = llvm::sys::path::filename(file);
    if (name.ends_with(".hlo") && hlo.empty())
      hlo = file;
    if (name.ends_with("thunk_sequence.txt"))
      sequence = file;
    if (name.ends_with("thunk_metadata.txt"))
      metadata = file;
    if (name.ends_with("buffer-assignment.txt"))
      assignment = file;
    if (!name.ends_with(".ptx"))
      continue;
    std::optional<std::string> text = contentOf(file, why);
    if (!text)
      return std::nullopt;
    Source source = {std::make_unique<SourceBuffer>(file, std::move(*text)),
                     {}};
    llvm::raw_string_ostream os(why);
    DiagnosticEngine diagnostics(os);
    std::optional<Module> module = parse(*source.text, diagnostics);
    if (!module)
      return std::nullopt;
    source.module = std::move(*module);
    for (const Kernel &kernel : source.module.kernels)
      program.kernels[kernel.name] = program.sources.size();
    program.sources.push_back(std::move(source));
  }
  if (hlo.empty() || sequence.empty()) {
    why = folder + ": expected a file .hlo and thunk_sequence.txt";
    return std::nullopt;
  }

  // Thunk 3 is instruction "x.1".
  std::map<std::string, std::string> instructionOf;
  if (!metadata.empty()) {
    std::optional<std::string> text = contentOf(metadata, why);
    if (!text)
      return std::nullopt;
    StringRef rest = *text, annotation;
    while (!rest.empty()) {
      StringRef line;
      std::tie(line, rest) = rest.split('\n');
      line = line.trim();
      if (line.consume_front("profile_annotation:"))
        annotation = line.trim().trim('"');
      if (line.consume_front("thunk_id:"))
        instructionOf[line.trim().str()] = annotation.str();
    }
  }
  std::optional<std::string> text = contentOf(sequence, why);
  if (!text)
    return std::nullopt;
  for (StringRef line : llvm::split(*text, '\n')) {
    auto [number, rest] = line.trim().split(':');
    size_t grid = rest.find(" grid: ");
    if (grid == StringRef::npos)
      continue;
    Launched launch;
    launch.kernel = rest.take_front(grid).rsplit(' ').second.str();
    launch.grid = threeOf(rest, "grid:");
    launch.block = threeOf(rest, "threads:");
    rest.split("shared_memory:")
        .second.trim()
        .split(' ')
        .first.getAsInteger(10, launch.shared);
    auto known = instructionOf.find(number.ltrim('0').str());
    program
        .launches[known == instructionOf.end() ? launch.kernel
                                               : kernelNameOf(known->second)]
        .push_back(std::move(launch));
  }

  // allocation 3: ...
  //  value: <31 while.1{1} (phi) @0> (size=224,offset=0): f32[8,7]{1,0}
  if (!assignment.empty()) {
    text = contentOf(assignment, why);
    if (!text)
      return std::nullopt;
    StringRef allocation;
    for (StringRef line : llvm::split(*text, '\n')) {
      if (line.starts_with("allocation "))
        allocation = line.split(':').first;
      line = line.trim();
      if (!line.consume_front("value: <"))
        continue;
      StringRef value = line.split(' ').second.split(' ').first;
      StringRef offset = line.split("offset=").second.split(')').first;
      program.places[value] = (allocation + " " + offset).str();
    }
  }
  text = contentOf(hlo, why);
  if (!text)
    return std::nullopt;
  Computation *computation = nullptr;
  for (StringRef line : llvm::split(*text, '\n')) {
    bool isHeader = !line.starts_with(" ") && line.ends_with("{") &&
                    (line.starts_with("%") || line.starts_with("ENTRY"));
    if (isHeader) {
      bool isEntry = line.consume_front("ENTRY ");
      std::string name = line.drop_front().split(' ').first.str();
      computation = &program.computations[name];
      if (isEntry)
        program.entry = name;
      continue;
    }
    line = line.trim();
    if (line == "}")
      computation = nullptr;
    Instruction instruction;
    bool isRoot = line.starts_with("ROOT ");
    if (!computation || !parseInstruction(line, instruction))
      continue;
    if (isRoot)
      computation->root = computation->instructions.size();
    computation->instructions.push_back(std::move(instruction));
  }
  const Computation &entry = program.computations[program.entry];
  if (entry.instructions.empty()) {
    why = hlo + ": expected an entry computation";
    return std::nullopt;
  }
  std::map<int64_t, ArrayType> parameters;
  for (const Instruction &instruction : entry.instructions)
    if (instruction.opcode == "parameter" && instruction.leaves.size() == 1)
      parameters[integersOf(instruction.text).at(0)] = instruction.leaves[0];
  for (auto &[number, type] : parameters)
    program.parameters.push_back(type);
  program.results = entry.instructions[entry.root].leaves;
  return program;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// The part of an attribute: `condition=%name`.
static std::string attributeOf(StringRef attributes, StringRef key) {
  size_t at = attributes.find((", " + key + "=").str());
  if (at == StringRef::npos)
    return "";
  StringRef rest = attributes.drop_front(at + key.size() + 3);
  return rest.take_until([](char c) { return c == ',' || c == ' '; })
      .ltrim('%')
      .str();
}

/// Buffers of the arrays of a value.
using Leaves = std::vector<uint64_t>;

class ProgramRun {
public:
  ProgramRun(const CompiledProgram &program, const Options &options,
             std::string &why)
      : program(program), options(options), why(why) {}

  std::optional<Leaves> computation(const std::string &name,
                                    const Leaves *arguments);

  Memory memory;
  std::vector<CompiledProgram::KernelRun> kernels;
  Leaves inputs;

private:
  using Instruction = CompiledProgram::Instruction;
  using Values = std::map<std::string, Leaves>;

  bool instruction(const Instruction &i, Values &values,
                   const Leaves *arguments,
                   std::map<std::string, const Instruction *> &known);
  bool launch(const Instruction &i, const Leaves &operands,
              llvm::ArrayRef<ArrayType> operandTypes, Leaves &results);
  bool constant(const Instruction &i, Leaves &result);
  void copySorted(const Instruction &i, const Leaves &operands,
                  const Leaves &results);
  bool copySlice(const Instruction &i, const Leaves &operands,
                 llvm::ArrayRef<ArrayType> operandTypes, Leaves &result);
  std::string placeOf(const Instruction &i, size_t index) const;
  Leaves inPlace(const Instruction &i, size_t index, const Kernel &kernel,
                 const Leaves &operands,
                 llvm::ArrayRef<ArrayType> operandTypes) const;
  bool refuse(const llvm::Twine &message) {
    why = message.str();
    return false;
  }
  uint64_t copyOf(uint64_t buffer) {
    uint64_t copy = memory.allocate(memory.bytes(buffer).size());
    llvm::copy(memory.bytes(buffer), memory.bytes(copy).begin());
    return copy;
  }

  const CompiledProgram &program;
  const Options &options;
  std::string &why;
  std::map<uint64_t, std::string> homes; ///< the place of each buffer
};

bool ProgramRun::constant(const Instruction &i, Leaves &result) {
  const ArrayType &type = i.leaves[0];
  uint64_t buffer = memory.allocate(type.bytes());
  result = {buffer};
  unsigned size = bitsOfElement(type.element) / 8;
  std::string flat = i.text;
  for (char &c : flat)
    c = StringRef("{},").contains(c) ? ' ' : c;
  llvm::SmallVector<StringRef> words;
  StringRef(flat).split(words, ' ', -1, /*KeepEmpty=*/false);
  if (int64_t(words.size()) != type.elements() || size == 0 || size > 8 ||
      StringRef(type.element).starts_with("c"))
    return refuse("constant " + i.name + " of " + type.text +
                  " is not supported");
  std::vector<uint8_t> bytes;
  for (StringRef word : words) {
    uint64_t bits = 0;
    int64_t whole = 0;
    double number = 0;
    StringRef element = type.element;
    bool isFloat = element.contains('f');
    if (word == "true" || word == "false")
      bits = word == "true";
    else if (!isFloat && !word.getAsInteger(10, whole))
      bits = uint64_t(whole);
    else if (!isFloat && !word.getAsInteger(10, bits))
      ;
    else if (isFloat) {
      number = std::strtod(word.str().c_str(), nullptr);
      bits = element == "f64"    ? std::bit_cast<uint64_t>(number)
             : element == "f32"  ? std::bit_cast<uint32_t>(float(number))
             : element == "f16"  ? encode(kF16, {number}, Rounding::Nearest)
             : element == "bf16" ? encode(kBF16, {number}, Rounding::Nearest)
                                 : 0;
      if (size == 1)
        return refuse("constant " + i.name + " of " + type.text +
                      " is not supported");
    } else
      return refuse("constant " + i.name + ": expected a number, got " + word);
    for (unsigned byte = 0; byte < size; ++byte)
      bytes.push_back(uint8_t(bits >> (8 * byte)));
  }
  llvm::copy(fromRowMajor(type, bytes), memory.bytes(buffer).begin());
  return true;
}

/// The place that XLA assigned to a result; empty if it is not known.
std::string ProgramRun::placeOf(const Instruction &i, size_t index) const {
  std::string name = i.name;
  if (i.leaves.size() > 1)
    name += "{" + std::to_string(index) + "}";
  return program.places.lookup(name);
}

/// The operands that may become this result.
Leaves ProgramRun::inPlace(const Instruction &i, size_t index,
                           const Kernel &kernel, const Leaves &operands,
                           llvm::ArrayRef<ArrayType> operandTypes) const {
  std::string place = placeOf(i, index);
  const ArrayType &type = i.leaves[index];
  auto isUsed = [&](size_t parameter) {
    return parameter < kernel.isParameterUsed.size() &&
           kernel.isParameterUsed[parameter];
  };
  Leaves found;
  for (auto [operand, buffer] : llvm::enumerate(operands)) {
    auto home = homes.find(buffer);
    bool isHere = home != homes.end() && home->second == place;
    bool isAlike = operandTypes[operand].element == type.element &&
                   operandTypes[operand].elements() == type.elements() &&
                   isUsed(operand) != isUsed(operands.size() + index);
    if (place.empty() ? isAlike : isHere)
      found.push_back(buffer);
  }
  return found;
}

/// A sort happens in its results: what it sorts is copied there before.
void ProgramRun::copySorted(const Instruction &i, const Leaves &operands,
                            const Leaves &results) {
  const CompiledProgram::Computation *body = nullptr;
  const Instruction *root = &i;
  if (auto calls =
          program.computations.find(attributeOf(i.attributes, "calls"));
      calls != program.computations.end()) {
    body = &calls->second;
    root = &body->instructions[body->root];
  }
  if (root->opcode != "sort")
    return;
  for (auto [index, name] : llvm::enumerate(root->operands)) {
    size_t source = index;
    if (body) {
      auto found = llvm::find_if(body->instructions,
                                 [&, &name = name](const Instruction &each) {
                                   return each.name == name;
                                 });
      if (found == body->instructions.end() || found->opcode != "parameter")
        continue;
      source = size_t(integersOf(found->text).at(0));
    }
    if (source < operands.size() && index < results.size() &&
        operands[source] != results[index])
      llvm::copy(memory.bytes(operands[source]),
                 memory.bytes(results[index]).begin());
  }
}

/// A fusion of one slice whose elements are neighbors is a copy of memory: no kernel.
bool ProgramRun::copySlice(const Instruction &i, const Leaves &operands,
                           llvm::ArrayRef<ArrayType> operandTypes,
                           Leaves &result) {
  auto calls = program.computations.find(attributeOf(i.attributes, "calls"));
  if (calls == program.computations.end() || operands.size() != 1)
    return false;
  const Instruction &root = calls->second.instructions[calls->second.root];
  size_t at = root.attributes.find("slice={");
  if (root.opcode != "slice" || at == std::string::npos)
    return false;
  // slice={[2:3], [0:16]}: the first element, and the strides of the operand's layout.
  StringRef list = StringRef(root.attributes).drop_front(at + 6);
  list = takeBrackets(list);
  const ArrayType &from = operandTypes[0], &to = i.leaves[0];
  llvm::SmallVector<StringRef> ranges;
  list.split(ranges, ", ");
  if (ranges.size() != from.shape.size() ||
      StringRef(root.attributes).count(":") < ranges.size())
    return false;
  int64_t offset = 0, stride = 1;
  for (int64_t dim : from.minorToMajor) {
    offset += stride *
              integersOf(ranges[size_t(dim)].trim("[]").split(':').first).at(0);
    stride *= from.shape[size_t(dim)];
  }
  uint64_t size = to.bytes() / uint64_t(std::max<int64_t>(1, to.elements()));
  llvm::ArrayRef<uint8_t> bytes = memory.bytes(operands[0]);
  if (uint64_t(offset) * size + to.bytes() > bytes.size())
    return false;
  result = {memory.allocate(to.bytes())};
  homes[result[0]] = placeOf(i, 0);
  llvm::copy(bytes.slice(uint64_t(offset) * size, to.bytes()),
             memory.bytes(result[0]).begin());
  return true;
}

bool ProgramRun::launch(const Instruction &i, const Leaves &operands,
                        llvm::ArrayRef<ArrayType> operandTypes,
                        Leaves &results) {
  const auto &launches = program.launches.at(kernelNameOf(i.name));
  for (const CompiledProgram::Launched &launched : launches) {
    auto found = program.kernels.find(launched.kernel);
    if (found == program.kernels.end())
      return refuse("no PTX of the kernel " + launched.kernel);
    const CompiledProgram::Source &source = program.sources[found->second];
    const Kernel &kernel = *source.module.find(launched.kernel);
    Launch launch = {launched.grid, launched.block, launched.shared, {}};
    launch.arguments = operands;
    // Of several operands, the one that the kernel changes is the result.
    std::map<size_t, std::vector<std::pair<uint64_t, std::vector<uint8_t>>>>
        undecided;
    if (results.empty())
      for (auto [index, type] : llvm::enumerate(i.leaves)) {
        Leaves places = inPlace(i, index, kernel, operands, operandTypes);
        results.push_back(places.empty() ? memory.allocate(type.bytes())
                                         : places[0]);
        homes[results.back()] = placeOf(i, index);
        for (uint64_t buffer : places.size() > 1 ? places : Leaves()) {
          llvm::ArrayRef<uint8_t> bytes = memory.bytes(buffer);
          undecided[index].push_back({buffer, {bytes.begin(), bytes.end()}});
        }
      }
    if (&launched == &launches.front())
      copySorted(i, operands, results);
    llvm::append_range(launch.arguments, results);
    std::string said;
    llvm::raw_string_ostream os(said);
    DiagnosticEngine diagnostics(os);
    auto begin = std::chrono::steady_clock::now();
    std::optional<reference::ptx::Outcome> outcome = reference::ptx::run(
        source.module, kernel, launch, memory, options, diagnostics);
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - begin;
    if (!outcome)
      return refuse("kernel " + kernel.name + ": " + said);
    for (auto &[index, places] : undecided)
      for (auto &[buffer, before] : places)
        if (!llvm::equal(memory.bytes(buffer), before))
          results[index] = buffer;
    kernels.push_back({i.name, kernel.name, launch, outcome->counts,
                       outcome->races, time.count()});
  }
  return true;
}

bool ProgramRun::instruction(
    const Instruction &i, Values &values, const Leaves *arguments,
    std::map<std::string, const Instruction *> &known) {
  Leaves operands;
  std::vector<ArrayType> operandTypes;
  std::vector<Leaves> each;
  for (const std::string &operand : i.operands) {
    auto [name, index] = StringRef(operand).split('#');
    auto value = values.find(name.str());
    if (value == values.end())
      return refuse("operand " + operand + " of " + i.name + " has no value");
    Leaves leaves = value->second;
    std::vector<ArrayType> types = known[name.str()]->leaves;
    if (!index.empty()) {
      size_t at = size_t(integersOf(index).at(0));
      if (at >= leaves.size())
        return refuse("operand " + operand + " is a nested tuple");
      leaves = {leaves[at]};
      types = {types[at]};
    }
    llvm::append_range(operands, leaves);
    llvm::append_range(operandTypes, types);
    each.push_back(std::move(leaves));
  }
  Leaves &result = values[i.name];
  known[i.name] = &i;
  if (i.opcode == "parameter") {
    size_t number = size_t(integersOf(i.text).at(0));
    if (arguments)
      result = *arguments; // computations have one tuple
    else if (number < inputs.size())
      result = {inputs[number]};
    for (auto [index, buffer] : llvm::enumerate(result))
      homes[buffer] = placeOf(i, index);
    return true;
  }
  if (program.launches.count(kernelNameOf(i.name)))
    return launch(i, operands, operandTypes, result);
  if (i.opcode == "constant")
    return constant(i, result);
  if (copySlice(i, operands, operandTypes, result))
    return true;
  if (i.opcode == "bitcast" || i.opcode == "tuple" ||
      i.opcode == "opt-barrier" || i.opcode == "optimization-barrier") {
    result = operands;
    return true;
  }
  if (i.opcode == "get-tuple-element") {
    size_t at = size_t(integersOf(attributeOf(i.attributes, "index")).at(0));
    if (i.leaves.size() != 1 || at >= operands.size())
      return refuse(i.name + " of a nested tuple");
    result = {operands[at]};
    return true;
  }
  if (i.opcode == "copy") {
    for (auto [index, operand] : llvm::enumerate(operands)) {
      result.push_back(copyOf(operand));
      homes[result.back()] = placeOf(i, index);
    }
    return true;
  }
  if (i.opcode == "while") {
    result = operands;
    for (unsigned step = 0; step < 10000; ++step) {
      std::optional<Leaves> test =
          computation(attributeOf(i.attributes, "condition"), &result);
      if (!test)
        return false;
      if (memory.bytes(test->at(0))[0] == 0)
        return true;
      std::optional<Leaves> next =
          computation(attributeOf(i.attributes, "body"), &result);
      if (!next)
        return false;
      result = *next;
    }
    return refuse(i.name + " takes more than 10000 steps");
  }
  return refuse(i.opcode + " " + i.name + " launches no kernel");
}

std::optional<Leaves> ProgramRun::computation(const std::string &name,
                                              const Leaves *arguments) {
  auto found = program.computations.find(name);
  if (found == program.computations.end()) {
    why = "no computation " + name;
    return std::nullopt;
  }
  const CompiledProgram::Computation &body = found->second;
  Values values;
  std::map<std::string, const Instruction *> known;
  for (const Instruction &i : body.instructions)
    if (!instruction(i, values, arguments, known))
      return std::nullopt;
  return values[body.instructions[body.root].name];
}

void CompiledProgram::report(const KernelRun &run,
                             DiagnosticEngine &diagnostics) const {
  const Source &source = sources[kernels.find(run.kernel)->second];
  for (const Race &race : run.races)
    reference::ptx::report(source.module, *source.module.find(run.kernel), race,
                           diagnostics);
}

std::optional<CompiledProgram::Outcome>
CompiledProgram::run(llvm::ArrayRef<std::vector<uint8_t>> given,
                     const Options &options, std::string &why) const {
  ProgramRun run(*this, options, why);
  for (auto [type, bytes] : llvm::zip(parameters, given)) {
    uint64_t buffer = run.memory.allocate(type.bytes());
    if (bytes.size() != type.bytes()) {
      why =
          "expected " + std::to_string(type.bytes()) + " bytes of " + type.text;
      return std::nullopt;
    }
    llvm::copy(bytes, run.memory.bytes(buffer).begin());
    run.inputs.push_back(buffer);
  }
  std::optional<Leaves> leaves = run.computation(entry, nullptr);
  if (!leaves)
    return std::nullopt;
  Outcome outcome;
  outcome.kernels = std::move(run.kernels);
  for (uint64_t leaf : *leaves) {
    llvm::ArrayRef<uint8_t> bytes = run.memory.bytes(leaf);
    outcome.results.emplace_back(bytes.begin(), bytes.end());
  }
  return outcome;
}

} // namespace mercator
