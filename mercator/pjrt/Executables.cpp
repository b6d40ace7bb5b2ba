// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/pjrt/Executables.h"
#include "mercator/compiler/native/CompileCache.h"
#include "mercator/compiler/run/Run.h"
#include "mercator/pjrt/Buffers.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

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
static Error *describe(Executable &executable) {
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
  if (Error *error = describe(*executable))
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

Error *mercator::pjrt::execute(Execute *args) {
  Executable &executable = *args->executable;
  NativeFunction &function = *executable.function;
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
  Buffer *const *given = args->inputs[0];
  llvm::SmallVector<mercator_tensor> inputs(count);
  for (size_t i = 0; i < count; ++i) {
    if (Error *error = checkInput(executable, i, given[i]))
      return error;
    inputs[i] = {given[i]->storage->data(), int64_t(given[i]->dims.size()),
                 given[i]->dims.data()};
  }
  llvm::SmallVector<mercator_tensor> outputs;
  llvm::SmallVector<std::unique_ptr<Buffer>> made;
  for (auto [type, number, bytes] :
       llvm::zip(function.results(), executable.outputTypes,
                 executable.outputBytes)) {
    made.emplace_back(newBuffer(executable.client, number, type.shape));
    made.back()->storage = Storage::allocate(bytes);
    if (!made.back()->storage)
      return fail(Code::ResourceExhausted,
                  "there is no memory for a result of " +
                      std::to_string(bytes) + " bytes");
    outputs.push_back({made.back()->storage->data(), int64_t(type.shape.size()),
                       made.back()->dims.data()});
  }
  {
    std::lock_guard lock(executable.running);
    if (failed(function.call(inputs.data(), outputs.data())))
      return diagnosed(executable, Code::InvalidArgument);
  }
  llvm::ArrayRef<int64_t> kept;
  if (args->options)
    kept = {args->options->kept, args->options->keptCount};
  for (size_t i = 0; i < count; ++i)
    if (function.isDonated(i) && !llvm::is_contained(kept, int64_t(i)))
      given[i]->storage.reset();
  for (size_t i = 0; i < made.size(); ++i)
    args->outputs[0][i] = made[i].release();
  if (args->complete)
    args->complete[0] = new Event;
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
  for (size_t bytes : args->executable->outputBytes)
    outputs += int64_t(bytes);
  // A client of an older version has fewer fields.
  auto *begin = reinterpret_cast<char *>(&args->code);
  char *end = reinterpret_cast<char *>(args) +
              std::min(args->size, sizeof(MemoryStatistics));
  std::memset(begin, 0, size_t(end - begin));
  args->code = function.codeBytes();
  args->arguments = inputs;
  args->outputs = outputs;
  args->temporaries = function.arenaBytes();
  if (reinterpret_cast<char *>(&args->total) <= end)
    args->peak = inputs + outputs + function.arenaBytes();
  return nullptr;
}
