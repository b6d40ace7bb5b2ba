// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sharded.h"

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/Register.h"
#include "mercator/reference/AllRules.h"
#include "mercator/reference/core/Processes.h"
#include "mercator/transforms/chlo/Passes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

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

} // namespace

Outcome mercator::spmd::runSharded(StringRef text, const Request &request,
                                   uint64_t seed) {
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
  for (int64_t device = 0; device < mesh.devices; ++device) {
    std::vector<TensorValue> shards;
    for (auto [i, type] : llvm::enumerate(entry.getArgumentTypes())) {
      Tensor shard = makeZeros(cast<RankedTensorType>(type));
      const Tensor &from = *arguments[i].tensor();
      forEachElement(mesh, report->arguments[i], from, shard, device,
                     [&](int64_t to, int64_t at) { shard.copy(to, from, at); });
      shards.emplace_back(shard);
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
    }
  return end(outcome.text.empty() ? Outcome::Kind::Equal
                                  : Outcome::Kind::Different);
}
