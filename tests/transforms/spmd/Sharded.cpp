// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sharded.h"

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/Register.h"
#include "mercator/reference/AllRules.h"
#include "mercator/reference/core/Processes.h"
#include "mercator/runtime/Npz.h"
#include "mercator/transforms/chlo/Passes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace mercator;
using namespace mercator::spmd;
using reference::Evaluator;
using reference::Scalar;
using reference::Tensor;
using TensorValue = reference::Value;

namespace {

Tensor makeZeros(RankedTensorType type) {
  return *Tensor::zeros(
      type, [&] { return emitError(UnknownLoc::get(type.getContext())); });
}

Tensor drawTensor(RankedTensorType type, std::mt19937_64 &engine) {
  Tensor result = makeZeros(type);
  bool isReal = result.element().isReal() || result.element().isComplex();
  // Sometimes negative alone, so that a wrong start of a maximum is seen.
  double least = engine() % 3 == 0 ? -9 : -3;
  for (int64_t i = 0; i < result.size(); ++i)
    result.set(i, isReal ? Scalar::complex(double(engine() % 7) + least,
                                           double(engine() % 7) + least)
                         : Scalar::whole(int64_t(engine() % 7)));
  return result;
}

/// Calls f(place in the shard, place in the whole) for the elements of a device.
void forEachElement(const Mesh &mesh, const Sharding &sharding,
                    const Tensor &whole, const Tensor &shard, int64_t device,
                    llvm::function_ref<void(int64_t, int64_t)> f) {
  SmallVector<int64_t> part = sharding.partOf(mesh, device);
  for (Index at(shard.shape()); at; ++at) {
    SmallVector<int64_t> in;
    bool isIn = true;
    for (size_t dim = 0; dim < part.size(); ++dim) {
      in.push_back(part[dim] * shard.dim(dim) + (*at)[dim]);
      isIn &= in.back() < whole.dim(dim);
    }
    if (isIn)
      f(shard.linear(*at), whole.linear(in));
  }
}

/// Equal, or equal up to the rounding of sums in another order.
bool isClose(const Tensor &x, int64_t i, const Tensor &y, int64_t k) {
  Scalar a = x.at(i), b = y.at(k);
  auto near = [](double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b)) ||
           std::abs(a - b) <= 1e-4 * std::max({1.0, std::abs(a), std::abs(b)});
  };
  if (!x.element().isReal() && !x.element().isComplex())
    return a.integer == b.integer;
  return near(a.re, b.re) && near(a.im, b.im);
}

std::string numberText(const Tensor &tensor, int64_t place) {
  bool isReal = tensor.element().isReal() || tensor.element().isComplex();
  return isReal ? std::to_string(tensor.at(place).re)
                : std::to_string(tensor.at(place).integer);
}

/// An array of f32, as a member of an archive.
void addArray(std::vector<NpzMember> &members, const Tensor &tensor) {
  NpyArray array{{NpyKind::Real, 4}, {}, {}};
  for (int64_t size : tensor.shape())
    array.shape.push_back(size);
  for (int64_t i = 0; i < tensor.size(); ++i) {
    auto number = float(tensor.at(i).re);
    array.elements.append(reinterpret_cast<const char *>(&number), 4);
  }
  members.push_back({std::to_string(members.size()), std::move(array)});
}

/// A folder that is removed in the end.
class Folder {
public:
  Folder() { (void)llvm::sys::fs::createUniqueDirectory("sharded", path); }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  ~Folder() { (void)llvm::sys::fs::remove_directories(path); }

  [[nodiscard]] std::string file(StringRef name) const {
    return (path + "/" + name).str();
  }
  void write(StringRef name, StringRef text) const {
    std::error_code error;
    llvm::raw_fd_ostream(file(name), error) << text;
  }
  [[nodiscard]] std::string read(StringRef name) const {
    auto buffer = llvm::MemoryBuffer::getFile(file(name));
    return buffer ? (*buffer)->getBuffer().str() : std::string();
  }

private:
  llvm::SmallString<64> path;
};

/// What is wrong when processes of MPI run the program, each on its inputs; empty if
/// they compute what is expected, in two runs with the same bits.
std::string runByMpi(const std::string &mercator, const std::string &program,
                     const std::vector<NpzMember> &inputs,
                     const std::vector<NpzMember> &expected,
                     int64_t processes) {
  Folder folder;
  folder.write("f.mlir", program);
  folder.write("in.npz", *printNpz(inputs));
  folder.write("expected.npz", *printNpz(expected));
  std::string log = folder.file("log"), first;
  for (bool again : {false, true}) {
    std::vector<std::string> words = {mercator,
                                      "run",
                                      folder.file("f.mlir"),
                                      "--processes=" +
                                          std::to_string(processes),
                                      "--threads=1",
                                      "--timeout=60",
                                      "--input=" + folder.file("in.npz"),
                                      "--expect=" + folder.file("expected.npz"),
                                      "-o",
                                      folder.file("out.npz")};
    if (inputs.empty())
      llvm::erase_if(
          words, [](StringRef word) { return word.starts_with("--input"); });
    SmallVector<StringRef> command(words.begin(), words.end());
    // The watchdog: nothing runs for three minutes.
    std::string why;
    int code =
        llvm::sys::ExecuteAndWait(mercator, command, std::nullopt,
                                  {std::nullopt, log, log}, 180, 0, &why);
    if (code != 0)
      return "by MPI: code " + std::to_string(code) + " " + why + "\n" +
             folder.read("log");
    std::string bits = folder.read("out.npz");
    if (again && bits != first)
      return "by MPI: other bits in the second run";
    first = std::move(bits);
  }
  return first.empty() ? "by MPI: no results" : "";
}

} // namespace

Outcome mercator::spmd::runSharded(StringRef text, const Request &request,
                                   uint64_t seed, const std::string &mercator) {
  Outcome outcome;
  DialectRegistry registry;
  registerAllMercatorDialects(registry);
  registerMapInterfaces(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      outcome.text += diagnostic.str() + "\n";
  });
  auto end = [&](Outcome::Kind kind) {
    outcome.kind = kind;
    return std::move(outcome);
  };
  OwningOpRef<ModuleOp> whole = parseSourceString<ModuleOp>(text, &context);
  if (!whole)
    return end(Outcome::Kind::Invalid);
  OwningOpRef<ModuleOp> parts = whole->clone();
  auto entryOf = [](ModuleOp module) {
    return module.lookupSymbol<func::FuncOp>("main");
  };
  auto spell = [&](ModuleOp module) {
    PassManager passes(&context);
    passes.addPass(chlo::createChloLegalizeToStablehlo());
    return passes.run(module);
  };

  // The whole program.
  std::mt19937_64 engine(seed);
  std::vector<TensorValue> arguments;
  for (Type type : entryOf(*whole).getArgumentTypes())
    arguments.emplace_back(drawTensor(cast<RankedTensorType>(type), engine));
  if (failed(spell(*whole)))
    return end(Outcome::Kind::Invalid);
  Evaluator evaluator(*whole, reference::allRules());
  auto expected = evaluator.call(entryOf(*whole), arguments);
  if (failed(expected))
    return end(Outcome::Kind::Invalid);

  // The partitioned program.
  Request proven = request;
  proven.proves = true;
  auto report = partition(entryOf(*parts), proven);
  if (failed(report))
    return end(Outcome::Kind::Refused);
  outcome.report = *report;
  llvm::raw_string_ostream(outcome.partitioned) << *parts;
  if (failed(verify(*parts)) || failed(spell(*parts)))
    return end(Outcome::Kind::Different);
  const Mesh &mesh = report->mesh;
  func::FuncOp entry = entryOf(*parts);
  std::vector<reference::ProcessGrid::Invocation> programs;
  std::vector<NpzMember> inputs, wanted;
  for (int64_t device = 0; device < mesh.devices; ++device) {
    std::vector<TensorValue> shards;
    for (auto [i, type] : llvm::enumerate(entry.getArgumentTypes())) {
      Tensor shard = makeZeros(cast<RankedTensorType>(type));
      const Tensor &from = *arguments[i].tensor();
      forEachElement(mesh, report->arguments[i], from, shard, device,
                     [&](int64_t to, int64_t at) { shard.copy(to, from, at); });
      shards.emplace_back(shard);
      if (!mercator.empty())
        addArray(inputs, shard);
    }
    programs.push_back({entry, std::move(shards)});
  }
  reference::ProcessGrid grid(1, mesh.devices);
  Evaluator parallel(*parts, reference::allRules());
  auto results = grid.run(parallel, programs);
  if (failed(results))
    return end(Outcome::Kind::Different);
  for (int64_t device = 0; device < mesh.devices; ++device)
    for (auto [i, value] : llvm::enumerate((*results)[device])) {
      const Tensor &shard = *value.tensor(), &all = *(*expected)[i].tensor();
      forEachElement(mesh, report->results[i], all, shard, device,
                     [&](int64_t at, int64_t in) {
                       if (outcome.text.empty() && !isClose(shard, at, all, in))
                         outcome.text = "device " + std::to_string(device) +
                                        ", result " + std::to_string(i) +
                                        ", element " + std::to_string(in) +
                                        " of the whole: expected " +
                                        numberText(all, in) + ", got " +
                                        numberText(shard, at);
                     });
      if (!mercator.empty())
        addArray(wanted, *value.tensor());
    }
  if (!mercator.empty() && mesh.devices > 1 && outcome.text.empty())
    outcome.text =
        runByMpi(mercator, outcome.partitioned, inputs, wanted, mesh.devices);
  return end(outcome.text.empty() ? Outcome::Kind::Equal
                                  : Outcome::Kind::Different);
}
