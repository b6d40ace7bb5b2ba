// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/pjrt/Executables.h"
#include "mercator/compiler/explain/Explain.h"
#include "mercator/compiler/native/CompileCache.h"
#include "mercator/compiler/run/Run.h"
#include "mercator/pjrt/Buffers.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

#include <chrono>
#include <cstring>

using namespace mercator;
using namespace mercator::pjrt;
using llvm::StringRef;

//===--- Options ----------------------------------------------------------===//

/// A number of the message CompileOptionsProto: the field `field` of its
/// executable_build_options (3); 1 if it is absent. The message is read as far as it
/// is one.
static int64_t buildOption(StringRef message, uint64_t field) {
  auto varint = [](StringRef &bytes) {
    uint64_t value = 0;
    for (unsigned shift = 0; !bytes.empty() && shift < 64; shift += 7) {
      auto byte = static_cast<unsigned char>(bytes.front());
      bytes = bytes.drop_front();
      value |= uint64_t(byte & 0x7f) << shift;
      if (!(byte & 0x80))
        break;
    }
    return value;
  };
  auto find = [&](StringRef bytes, uint64_t wanted, StringRef &part,
                  uint64_t &number) {
    while (!bytes.empty()) {
      uint64_t key = varint(bytes), value = 0;
      StringRef inner;
      switch (key & 7) {
      case 0:
        value = varint(bytes);
        break;
      case 1:
        bytes = bytes.drop_front(std::min<size_t>(8, bytes.size()));
        break;
      case 2:
        value = varint(bytes);
        inner = bytes.take_front(value);
        bytes = bytes.drop_front(inner.size());
        break;
      case 5:
        bytes = bytes.drop_front(std::min<size_t>(4, bytes.size()));
        break;
      default:
        return false;
      }
      if (key >> 3 == wanted) {
        part = inner;
        number = value;
        return true;
      }
    }
    return false;
  };
  StringRef build, none;
  uint64_t number = 0;
  if (!find(message, 3, build, number) || !find(build, field, none, number))
    return 1;
  return int64_t(number);
}

static Error *checkOptions(StringRef options) {
  constexpr uint64_t kReplicas = 4, kPartitions = 5;
  int64_t replicas = buildOption(options, kReplicas),
          partitions = buildOption(options, kPartitions);
  if (replicas > 1 || partitions > 1)
    return fail(Code::Unimplemented,
                "expected a program for one device, got " +
                    std::to_string(replicas) + " replicas and " +
                    std::to_string(partitions) +
                    " partitions: Mercator's plugin has one device");
  return nullptr;
}

//===--- Compilation ------------------------------------------------------===//

static Error *diagnosed(Executable &executable, Code code) {
  std::string said = std::exchange(executable.said, {});
  return fail(code, said.empty() ? "the program cannot be compiled" : said);
}

/// Fills in what clients ask of the outputs.
static Error *describeResults(Executable &executable) {
  for (const TensorType &type : executable.function->parameters())
    executable.inputTypes.push_back(typeNumber(type.element));
  for (const TensorType &type : executable.function->results()) {
    int number = typeNumber(type.element);
    if (!number)
      return fail(Code::Unimplemented,
                  "expected results of an element type that "
                  "JAX has, got " +
                      type.element);
    executable.outputTypes.push_back(number);
    size_t bytes = typeBytes(number);
    for (int64_t extent : type.shape) {
      executable.dims.push_back(extent);
      bytes *= size_t(extent);
    }
    executable.outputBytes.push_back(bytes);
    executable.ranks.push_back(type.shape.size());
    executable.kinds.push_back(kMemoryKind.data());
    executable.kindLengths.push_back(kMemoryKind.size());
  }
  return nullptr;
}

Error *mercator::pjrt::compile(ClientCompile *args) {
  if (Error *error = checkOptions({args->options, args->optionsLength}))
    return error;
  StringRef format(args->program->format, args->program->formatLength);
  if (format != "mlir")
    return fail(Code::Unimplemented,
                "expected a program of the format 'mlir', got '" +
                    format.str() + "'");
  auto executable = std::make_unique<Executable>();
  executable->client = args->client;
  executable->stream =
      std::make_unique<llvm::raw_string_ostream>(executable->said);
  executable->diagnostics =
      std::make_unique<DiagnosticEngine>(*executable->stream);
  std::string code(args->program->code, args->program->codeLength);
  executable->fingerprint =
      llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(code)),
                  /*LowerCase=*/true);
  executable->compilation =
      Compilation::load("jax", std::move(code), *executable->diagnostics);
  if (!executable->compilation)
    return diagnosed(*executable, Code::InvalidArgument);
  executable->name = executable->compilation->getName().str();
  RunOptions options;
  options.through = Stage::Cpu;
  options.native.usesDonations = true;
  options.cache = CompileCache::defaultFolder();
  if (const char *off = std::getenv("MERCATOR_CACHE");
      off && StringRef(off) == "off")
    options.cache.clear();
  Answer<NativeFunction> function =
      executable->compilation->makeFunction(options);
  if (!function)
    return diagnosed(*executable, function.getFailure() == ExitCode::Undecided
                                      ? Code::Unimplemented
                                      : Code::InvalidArgument);
  executable->function.emplace(std::move(*function));
  if (Error *error = describeResults(*executable))
    return error;
  args->executable = executable.release();
  return nullptr;
}

//===--- Execution --------------------------------------------------------===//

static std::string shapeOf(llvm::ArrayRef<int64_t> dims) {
  return "[" +
         llvm::join(
             llvm::map_range(
                 dims, [](int64_t extent) { return std::to_string(extent); }),
             ",") +
         "]";
}

static Error *checkInput(const Executable &executable, size_t i,
                         const Buffer *buffer) {
  const TensorType &type = executable.function->parameters()[i];
  auto is = [&](const std::string &what) {
    return fail(Code::InvalidArgument, "parameter " + std::to_string(i) +
                                           " of " + executable.name + ": " +
                                           what);
  };
  if (!buffer->storage)
    return is("the buffer has been deleted or donated");
  if (buffer->type != executable.inputTypes[i] || buffer->dims != type.shape)
    return is("expected " + type.element + shapeOf(type.shape) +
              ", got a buffer of shape " + shapeOf(buffer->dims) +
              " and element type number " + std::to_string(buffer->type));
  return nullptr;
}

namespace {
/// One run of a program: what it reads and writes, which it keeps alive.
struct Call {
  struct Input {
    std::shared_ptr<Storage> storage;
    std::shared_ptr<Occurrence> defined;
    /// The bytes are copied from there first: they must not be written.
    std::shared_ptr<Storage> original = {};
  };
  Executable &executable;
  llvm::SmallVector<Input, 8> inputs;
  llvm::SmallVector<std::shared_ptr<Storage>, 4> outputs;

  std::optional<Error> run();
};
} // namespace

/// A program that takes longer runs in the thread of the queue. Handing it over and
/// back takes some microseconds.
static constexpr int64_t kShortNanoseconds = 100'000;

std::optional<Error> Call::run() {
  auto begin = std::chrono::steady_clock::now();
  NativeFunction &function = *executable.function;
  llvm::SmallVector<mercator_tensor, 16> tensors;
  for (auto [input, type] : llvm::zip(inputs, function.parameters())) {
    if (input.defined)
      if (std::unique_ptr<Error> error{input.defined->failure()})
        return *error;
    if (input.original)
      std::memcpy(input.storage->data(), input.original->data(),
                  input.storage->byteSize());
    tensors.push_back(
        {input.storage->data(), int64_t(type.shape.size()), type.shape.data()});
  }
  for (auto [output, type] : llvm::zip(outputs, function.results()))
    tensors.push_back(
        {output->data(), int64_t(type.shape.size()), type.shape.data()});
  std::optional<Error> error;
  if (failed(function.call(tensors.data(), tensors.data() + inputs.size()))) {
    std::lock_guard lock(executable.asking);
    std::unique_ptr<Error> said(diagnosed(executable, Code::InvalidArgument));
    error = *said;
  }
  executable.nanoseconds =
      std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin)
          .count();
  return error;
}

static Error *noMemory(const char *what, size_t bytes) {
  return fail(Code::ResourceExhausted, "there is no memory for " +
                                           std::string(what) + " of " +
                                           std::to_string(bytes) + " bytes");
}

/// The inputs of a run, checked. What the program writes is copied, unless only this
/// run has it.
static Error *takeInputs(Call &call, const Execute &args) {
  Executable &executable = call.executable;
  const NativeFunction &function = *executable.function;
  llvm::ArrayRef<int64_t> kept;
  if (args.options)
    kept = {args.options->kept, args.options->keptCount};
  Buffer *const *given = args.inputs[0];
  for (size_t i = 0; i < args.inputCount; ++i) {
    if (Error *error = checkInput(executable, i, given[i]))
      return error;
    Call::Input &input =
        call.inputs.emplace_back(given[i]->storage, given[i]->defined);
    bool isKept =
        llvm::is_contained(kept, int64_t(i)) ||
        llvm::count(llvm::ArrayRef(given, args.inputCount), given[i]) > 1;
    if (!function.isOverwritten(i) || (input.storage->isOwn() && !isKept))
      continue;
    input.original = std::move(input.storage);
    input.storage = Storage::allocate(given[i]->bytes);
    if (!input.storage)
      return noMemory("the copy of an input", given[i]->bytes);
  }
  return nullptr;
}

Error *mercator::pjrt::execute(Execute *args) {
  Executable &executable = *args->executable;
  const NativeFunction &function = *executable.function;
  if (executable.isDeleted)
    return fail(Code::InvalidArgument, "the program has been deleted");
  if (args->devices != 1)
    return fail(Code::Unimplemented,
                "expected one device, got " + std::to_string(args->devices));
  size_t count = function.parameters().size();
  if (args->inputCount != count)
    return fail(Code::InvalidArgument, "expected " + std::to_string(count) +
                                           " inputs, got " +
                                           std::to_string(args->inputCount));
  Call call{executable, {}, {}};
  if (Error *error = takeInputs(call, *args))
    return error;
  llvm::SmallVector<std::unique_ptr<Buffer>, 4> made;
  for (size_t i = 0; i < executable.outputTypes.size(); ++i) {
    made.emplace_back(newBuffer(executable.client, executable.outputTypes[i],
                                function.results()[i].shape));
    int64_t alias = function.aliasOf(i);
    made[i]->storage = alias >= 0
                           ? call.inputs[size_t(alias)].storage
                           : Storage::allocate(executable.outputBytes[i]);
    if (!made[i]->storage)
      return noMemory("a result", executable.outputBytes[i]);
    call.outputs.push_back(made[i]->storage);
  }
  // From here on the donated inputs are gone, also after an error.
  llvm::ArrayRef<int64_t> kept;
  if (args->options)
    kept = {args->options->kept, args->options->keptCount};
  for (size_t i = 0; i < count; ++i)
    if (function.isDonated(i) && !llvm::is_contained(kept, int64_t(i)))
      args->inputs[0][i]->storage.reset();
  bool areDefined = llvm::all_of(call.inputs, [](const Call::Input &input) {
    return !input.defined || input.defined->hasHappened();
  });
  int64_t last = executable.nanoseconds;
  std::optional<Error> error;
  std::shared_ptr<Occurrence> done;
  if (!areDefined || last < 0 || last > kShortNanoseconds ||
      !executable.client->queue.tryNow([&] { error = call.run(); })) {
    done = std::make_shared<Occurrence>();
    ++executable.owners;
    executable.client->queue.later(
        [done, call = std::make_shared<Call>(std::move(call))]() mutable {
          Executable *executable = &call->executable;
          std::optional<Error> error = call->run();
          call.reset(); // a loan ends before the run does
          done->happen(std::move(error));
          release(executable);
        });
  }
  if (error)
    return new Error(std::move(*error));
  for (size_t i = 0; i < made.size(); ++i) {
    made[i]->defined = done;
    args->outputs[0][i] = made[i].release();
  }
  if (args->complete)
    args->complete[0] = new Event{done};
  return nullptr;
}

//===--- Questions --------------------------------------------------------===//

Error *mercator::pjrt::optimizedProgram(Value<Executable, Program *> *args) {
  constexpr StringRef kFormat = "mlir";
  StringRef text = args->object->compilation->getSource().getText();
  Program *program = args->value;
  program->format = kFormat.data();
  program->formatLength = kFormat.size();
  // First asked for the size, then with room.
  if (!program->code)
    program->codeLength = text.size();
  else if (program->codeLength < text.size())
    return fail(Code::InvalidArgument, "expected room for " +
                                           std::to_string(text.size()) +
                                           " bytes of text");
  else
    std::memcpy(program->code, text.data(), text.size());
  return nullptr;
}

void mercator::pjrt::release(Executable *executable) {
  if (executable && --executable->owners == 0)
    delete executable;
}

/// As XLA calls them: operations on floats, the bytes that dispatches read and write,
/// and the estimated time. What stands in a loop counts once.
static std::vector<NamedValue> costsOf(const Explanation &explanation) {
  double flops = 0, bytes = 0, nanoseconds = 0;
  for (const Explanation::Dispatch &dispatch : explanation.dispatches) {
    flops += double(dispatch.flops.value_or(0));
    for (const auto *tensors : {&dispatch.reads, &dispatch.gives})
      for (const Explanation::Tensor &tensor : *tensors)
        bytes += double(tensor.bytes.value_or(0));
  }
  for (const Explanation::Total &total : explanation.totals)
    nanoseconds += double(total.nanoseconds);
  std::vector<NamedValue> costs;
  auto add = [&](StringRef name, double value) {
    NamedValue cost = {};
    cost.size = sizeof(NamedValue);
    cost.name = name.data();
    cost.nameLength = name.size();
    cost.kind = NamedValue::kFloat;
    cost.real = float(value);
    cost.length = 1;
    costs.push_back(cost);
  };
  add("flops", flops);
  add("bytes accessed", bytes);
  if (!explanation.totals.empty())
    add("optimal_seconds", nanoseconds * 1e-9);
  return costs;
}

Error *
mercator::pjrt::costAnalysis(CountedList<Executable, const NamedValue> *args) {
  Executable &executable = *args->object;
  std::lock_guard lock(executable.asking);
  if (executable.costs.empty()) {
    Answer<Explanation> explanation = executable.compilation->explain({});
    if (!explanation)
      return diagnosed(executable, Code::Internal);
    executable.said.clear();
    executable.costs = costsOf(*explanation);
  }
  args->count = executable.costs.size();
  args->items = executable.costs.data();
  return nullptr;
}

Error *mercator::pjrt::memoryStatistics(MemoryStatistics *args) {
  const NativeFunction &function = *args->executable->function;
  int64_t inputs = 0, outputs = 0;
  for (auto [type, number] :
       llvm::zip(function.parameters(), args->executable->inputTypes)) {
    int64_t bytes = int64_t(typeBytes(number));
    for (int64_t extent : type.shape)
      bytes *= extent;
    inputs += bytes;
  }
  int64_t aliases = 0;
  for (auto [i, bytes] : llvm::enumerate(args->executable->outputBytes)) {
    outputs += int64_t(bytes);
    if (function.aliasOf(i) >= 0)
      aliases += int64_t(bytes);
  }
  // A client of an older version has fewer fields.
  auto *begin = reinterpret_cast<char *>(&args->code);
  char *end = reinterpret_cast<char *>(args) +
              std::min(args->size, sizeof(MemoryStatistics));
  std::memset(begin, 0, size_t(end - begin));
  args->code = function.codeBytes();
  args->arguments = inputs;
  args->outputs = outputs;
  args->aliases = aliases;
  args->temporaries = function.arenaBytes();
  if (reinterpret_cast<char *>(&args->total) <= end)
    args->peak = inputs + outputs - aliases + function.arenaBytes();
  return nullptr;
}
