// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// mercator-ptx FOLDER [--hlo=FILE] [--inputs=A.npy,B.npy] [--output=FOLDER] [--races]
///              [--json]: runs a program that XLA compiled for a GPU.
///
/// FOLDER has the HLO, the PTX and thunk_sequence.txt, as CompiledProgram.h says. Without
/// inputs the numbers of floats are random, in [-1, 1), and those of integers 0 to 3.
/// Prints what each kernel did, or with --json an array with an object for each kernel;
/// --output writes the results as result0.npy and so on. The exit code is 4 if a part of
/// the program cannot run.

#include "tests/reference/ptx/CompiledProgram.h"
#include "tests/reference/ptx/RandomInputs.h"

#include "mercator/runtime/Npy.h"
#include "mercator/support/File.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace mercator;
using namespace mercator::reference;

static NpyType npyTypeOf(const ArrayType &type) {
  llvm::StringRef element = type.element;
  auto bytes =
      unsigned(type.elements() ? type.bytes() / uint64_t(type.elements()) : 1);
  if (element == "pred")
    return {NpyKind::Boolean, 1};
  if (element.starts_with("c"))
    return {NpyKind::Complex, bytes};
  if (element == "f16" || element == "f32" || element == "f64")
    return {NpyKind::Real, bytes};
  if (element.contains('f'))
    return {NpyKind::Raw, bytes};
  return {element.starts_with("u") ? NpyKind::UnsignedInt : NpyKind::SignedInt,
          bytes};
}

static int fail(int code, const llvm::Twine &message) {
  llvm::errs() << "mercator-ptx: " << message << '\n';
  return code;
}

static void print(const CompiledProgram::Outcome &outcome) {
  for (const CompiledProgram::KernelRun &run : outcome.kernels) {
    const ptx::Counts &c = run.counts;
    auto blocks =
        uint64_t(run.launch.grid[0]) * run.launch.grid[1] * run.launch.grid[2];
    uint64_t threads =
        run.launch.block[0] * run.launch.block[1] * run.launch.block[2];
    llvm::outs() << run.kernel << ": grid " << blocks << ", block " << threads
                 << ", loads " << c.loads << "/" << c.loadSectors << ", stores "
                 << c.stores << "/" << c.storeSectors << ", atomics "
                 << c.atomics << "/" << c.atomicSectors << ", shared loads "
                 << c.sharedLoads << "/" << c.sharedLoadPasses
                 << ", shared stores " << c.sharedStores << "/"
                 << c.sharedStorePasses << ", products " << c.products
                 << ", instructions " << c.instructions
                 << llvm::format(", %.0f M lane instructions/s",
                                 double(c.laneInstructions) / run.seconds / 1e6)
                 << (run.races.empty() ? "" : ", RACES") << '\n';
  }
}

/// The races with their places in the text.
static void reportRaces(const CompiledProgram &program,
                        const CompiledProgram::Outcome &outcome) {
  DiagnosticEngine diagnostics(llvm::errs());
  for (const CompiledProgram::KernelRun &run : outcome.kernels)
    program.report(run, diagnostics);
}

static void printJson(const CompiledProgram::Outcome &outcome) {
  llvm::json::OStream json(llvm::outs(), 1);
  json.array([&] {
    for (const CompiledProgram::KernelRun &run : outcome.kernels)
      json.object([&] {
        json.attribute("instruction", run.instruction);
        json.attribute("kernel", run.kernel);
        json.attributeArray("grid", [&] {
          for (uint32_t extent : run.launch.grid)
            json.value(extent);
        });
        json.attributeArray("block", [&] {
          for (uint32_t extent : run.launch.block)
            json.value(extent);
        });
        run.counts.print(json);
        json.attribute("races", int64_t(run.races.size()));
      });
  });
  llvm::outs() << '\n';
}

int main(int argc, char **argv) {
  std::string folder, output, hlo;
  llvm::SmallVector<llvm::StringRef> files;
  bool isJson = false;
  ptx::Options options;
  for (llvm::StringRef argument :
       llvm::ArrayRef(argv, size_t(argc)).drop_front()) {
    if (argument == "--json")
      isJson = true;
    else if (argument == "--races")
      options.findRaces = true;
    else if (argument.consume_front("--inputs="))
      argument.split(files, ',', -1, /*KeepEmpty=*/false);
    else if (argument.consume_front("--output="))
      output = argument.str();
    else if (argument.consume_front("--hlo="))
      hlo = argument.str();
    else if (argument.starts_with("-") || !folder.empty())
      return fail(2, "unknown argument " + argument);
    else
      folder = argument.str();
  }
  if (folder.empty())
    return fail(2, "expected a folder");
  std::string why;
  std::optional<CompiledProgram> program =
      CompiledProgram::read(folder, why, hlo);
  if (!program)
    return fail(1, why);
  std::vector<std::vector<uint8_t>> inputs = randomInputs(program->inputs(), 1);
  for (auto [index, file] : llvm::enumerate(files)) {
    llvm::Expected<std::string> text = readFile(file);
    if (!text)
      return fail(1, llvm::toString(text.takeError()));
    Fallible<NpyArray> array = parseNpy(*text);
    if (!array)
      return fail(1, file + ": " + array.why());
    if (index >= inputs.size() ||
        array->elements.size() != inputs[index].size())
      return fail(1, file + ": expected another size");
    llvm::ArrayRef bytes(
        reinterpret_cast<const uint8_t *>(array->elements.data()),
        array->elements.size());
    inputs[index] = fromRowMajor(program->inputs()[index], bytes);
  }
  std::optional<CompiledProgram::Outcome> outcome =
      program->run(inputs, options, why);
  if (!outcome)
    return fail(4, why);
  if (isJson)
    printJson(*outcome);
  else
    print(*outcome);
  reportRaces(*program, *outcome);
  if (output.empty())
    return 0;
  for (auto [index, type, bytes] :
       llvm::enumerate(program->resultTypes(), outcome->results)) {
    std::vector<uint8_t> rows = toRowMajor(type, bytes);
    NpyArray array = {npyTypeOf(type), type.shape,
                      std::string(rows.begin(), rows.end())};
    if (llvm::Error error =
            writeFile(output + "/result" + std::to_string(index) + ".npy",
                      [&, &array = array](llvm::raw_ostream &os) {
                        os << printNpy(array);
                      }))
      return fail(1, llvm::toString(std::move(error)));
  }
  return 0;
}
