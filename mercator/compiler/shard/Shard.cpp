// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/shard/Shard.h"

#include "mercator/compiler/Compilation.h"
#include "mercator/dialects/sdy/Sdy.h"
#include "mercator/frontends/stablehlo/BoolElements.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"

#include <tuple>

using namespace mercator;

/// The function that begins the program; null after an error.
static mlir::func::FuncOp findEntry(mlir::ModuleOp module,
                                    DiagnosticEngine &diagnostics) {
  for (auto candidate : module.getOps<mlir::func::FuncOp>())
    if (isEntry(candidate) && !candidate.isDeclaration())
      return candidate;
  (void)diagnostics.error({},
                          "expected a function @main with a body, got none");
  return nullptr;
}

static void namePlaces(spmd::PartitionReport &report) {
  for (spmd::OperationReport &op : report.operations)
    op.at = placeOf(op.loc);
  for (spmd::ProofReport &proof : report.proofs)
    proof.at = placeOf(proof.loc);
}

Answer<ShardedText> Compilation::shard(const ShardOptions &options) {
  llvm::StringRef function;
  std::optional<OneModule> found =
      findModule(*program, function, diagnostics, /*canChoose=*/false);
  if (!found)
    return ExitCode::InputRejected;
  auto handler = forward();
  if (options.readsPartitioned && isPartitioned(found->module)) {
    llvm::FailureOr<SentTable> sent =
        sentBy(found->module, options.request.cluster);
    if (failed(sent))
      return ExitCode::InputRejected;
    for (SentRow &row : sent->rows)
      row.at = placeOf(row.loc);
    ShardedText result;
    result.sent = std::move(*sent);
    return result;
  }
  mlir::OwningOpRef<mlir::ModuleOp> module = found->module.clone();
  mlir::func::FuncOp entry = findEntry(*module, diagnostics);
  if (!entry)
    return ExitCode::InputRejected;
  llvm::FailureOr<spmd::PartitionReport> report =
      spmd::partition(entry, options.request);
  if (failed(report))
    return ExitCode::InputRejected;
  if (failed(mlir::verify(*module)))
    return ExitCode::InternalError;
  ShardedText result;
  result.report = std::move(*report);
  namePlaces(result.report);
  llvm::raw_string_ostream os(result.text);
  stablehlo::print(*module, os);
  os << "\n";
  return result;
}

std::optional<spmd::PartitionReport> mercator::shardsOf(mlir::ModuleOp module) {
  auto entries = module.getOps<mlir::func::FuncOp>();
  auto entry = llvm::find_if(entries, [](mlir::func::FuncOp function) {
    return isEntry(function) && !function.isDeclaration();
  });
  if (entry == entries.end() || module.getOps<sdy::MeshOp>().empty())
    return std::nullopt;
  mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  mlir::ScopedDiagnosticHandler quiet(module.getContext(),
                                      [](mlir::Diagnostic &) {});
  llvm::FailureOr<spmd::PartitionReport> report = spmd::partition(
      copy->lookupSymbol<mlir::func::FuncOp>((*entry).getName()), {});
  if (failed(report) || report->mesh.devices == 1)
    return std::nullopt;
  namePlaces(*report);
  return std::move(*report);
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// `0=-,x,-`.
static std::string dividedAt(const llvm::Twine &argument, int64_t rank,
                             int64_t dim, llvm::StringRef axis) {
  std::string text = (argument + "=").str();
  for (int64_t i = 0; i < rank; ++i)
    text += (i ? "," : "") + (i == dim ? axis.str() : std::string("?"));
  return text;
}

/// The ways to try, the plain ones first.
static std::vector<spmd::Request> waysToDivide(mlir::func::FuncOp entry,
                                               int64_t devices) {
  struct Place {
    size_t argument;
    int64_t rank, dim, size;
  };
  std::vector<Place> places;
  for (auto [i, type] : llvm::enumerate(entry.getArgumentTypes()))
    if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type))
      for (auto [dim, size] : llvm::enumerate(tensor.getShape()))
        if (size > 1)
          places.push_back({i, tensor.getRank(), int64_t(dim), size});
  std::vector<spmd::Request> ways;
  for (const Place &place : places)
    if (place.size % devices == 0)
      ways.push_back({.mesh = "x:" + std::to_string(devices),
                      .in = {dividedAt(llvm::Twine(place.argument), place.rank,
                                       place.dim, "x")}});
  for (int64_t first = 2; first < devices; ++first) {
    int64_t second = devices / first;
    if (devices % first != 0)
      continue;
    for (const Place &x : places)
      for (const Place &y : places) {
        if (x.size % first != 0 || y.size % second != 0 ||
            (x.argument == y.argument && x.dim == y.dim))
          continue;
        spmd::Request way{.mesh = "x:" + std::to_string(first) +
                                  ",y:" + std::to_string(second)};
        std::string one =
            dividedAt(llvm::Twine(x.argument), x.rank, x.dim, "x");
        if (x.argument != y.argument) {
          way.in = {one,
                    dividedAt(llvm::Twine(y.argument), y.rank, y.dim, "y")};
        } else {
          std::string both = std::to_string(x.argument) + "=";
          for (int64_t i = 0; i < x.rank; ++i)
            both += std::string(i ? "," : "") + (i == x.dim   ? "x"
                                                 : i == y.dim ? "y"
                                                              : "?");
          way.in = {both};
        }
        ways.push_back(std::move(way));
      }
  }
  return ways;
}

Answer<ShardChoices> Compilation::rankShardings(int64_t devices,
                                                const Cluster *cluster) {
  llvm::StringRef function;
  std::optional<OneModule> found =
      findModule(*program, function, diagnostics, /*canChoose=*/false);
  if (!found)
    return ExitCode::InputRejected;
  mlir::func::FuncOp entry = findEntry(found->module, diagnostics);
  if (!entry)
    return ExitCode::InputRejected;
  ShardChoices result;
  std::vector<spmd::Request> ways = waysToDivide(entry, devices);
  if (ways.size() > ShardChoices::kMostChoices) {
    result.untried = ways.size() - ShardChoices::kMostChoices;
    ways.resize(ShardChoices::kMostChoices);
  }
  for (spmd::Request &way : ways) {
    way.cluster = cluster;
    mlir::OwningOpRef<mlir::ModuleOp> module = found->module.clone();
    mlir::ScopedDiagnosticHandler quiet(module->getContext(),
                                        [](mlir::Diagnostic &) {});
    llvm::FailureOr<spmd::PartitionReport> report =
        spmd::partition(findEntry(*module, diagnostics), way);
    if (failed(report)) {
      ++result.refused;
      continue;
    }
    result.choices.push_back(
        {std::move(way), report->received + report->reduced, report->peakBytes,
         report->wholeWork > 0 ? report->work / report->wholeWork : 1,
         report->sendMicroseconds + report->computeMicroseconds});
  }
  auto divides = [&](const ShardChoice &choice) {
    return choice.share * double(devices) <= 2;
  };
  auto rank = [&](const ShardChoice &choice) {
    return std::tuple(choice.microseconds, !divides(choice), choice.received,
                      choice.peakBytes, choice.request.mesh, choice.request.in);
  };
  llvm::sort(result.choices,
             [&](const ShardChoice &one, const ShardChoice &other) {
               return rank(one) < rank(other);
             });
  return result;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

void mercator::writeJson(const spmd::PartitionReport &report,
                         llvm::StringRef module, llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("schema", "mercator.shard/1");
    json.attribute("module", module);
    json.attributeArray("mesh", [&] {
      for (const spmd::Axis &axis : report.mesh.axes)
        json.object([&] {
          json.attribute("axis", axis.name + axis.part);
          json.attribute("size", axis.size);
        });
    });
    json.attribute("devices", report.mesh.devices);
    auto shardings = [&](llvm::StringRef key,
                         const std::vector<spmd::Sharding> &of) {
      json.attributeArray(key, [&] {
        for (const spmd::Sharding &sharding : of)
          json.value(sharding.text(report.mesh));
      });
    };
    shardings("arguments", report.arguments);
    shardings("results", report.results);
    json.attributeArray("conflicts", [&] {
      for (const std::string &text : report.conflicts)
        json.value(text);
    });
    json.attribute("argument_bytes", report.argumentBytes);
    json.attribute("peak_bytes", report.peakBytes);
    json.attribute("received_bytes", report.received);
    json.attribute("received_bytes_of_all", report.receivedByAll);
    json.attribute("least_bytes_of_all", report.leastOfAll);
    json.attribute("reduced_bytes", report.reduced);
    json.attribute("work", report.work);
    json.attribute("whole_work", report.wholeWork);
    if (report.sendMicroseconds + report.computeMicroseconds > 0) {
      json.attribute("send_microseconds", report.sendMicroseconds);
      json.attribute("compute_microseconds", report.computeMicroseconds);
    }
    if (!report.proofs.empty())
      json.attributeArray("proofs", [&] {
        for (const spmd::ProofReport &each : report.proofs)
          json.object([&] {
            json.attribute("operation", each.name);
            json.attribute("at", each.at);
            json.attribute("verdict", spmd::nameOf(each.proof.verdict));
            if (!each.proof.reason.empty())
              json.attribute("reason", each.proof.reason);
          });
      });
    json.attributeArray("operations", [&] {
      for (const spmd::OperationReport &op : report.operations)
        json.object([&] {
          json.attribute("operation", op.name);
          json.attribute("at", op.at);
          if (std::string origin = originOf(op.loc); !origin.empty())
            json.attribute("origin", origin);
          json.attribute("sharding", op.sharding);
          if (!op.whole.empty())
            json.attribute("whole_because", op.whole);
          if (!op.reduction.empty()) {
            json.attribute("reduction", op.reduction);
            json.attribute("reduced_bytes", op.reduced);
            if (op.reducedMicroseconds > 0)
              json.attribute("reduced_microseconds", op.reducedMicroseconds);
          }
          json.attributeArray("operands", [&] {
            for (const spmd::OperandReport &operand : op.operands)
              json.object([&] {
                json.attribute("operand", operand.operand);
                json.attribute("has", operand.has);
                json.attribute("movement", operand.movement);
                json.attribute("map", operand.map);
                json.attribute("received_bytes", operand.received);
                json.attribute("least_bytes", operand.least);
                json.attribute("received_bytes_of_all", operand.receivedByAll);
                json.attribute("least_bytes_of_all", operand.leastOfAll);
                if (operand.microseconds > 0)
                  json.attribute("microseconds", operand.microseconds);
              });
          });
        });
    });
  });
}

void mercator::writeJson(const SentTable &sent, llvm::StringRef module,
                         llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("schema", "mercator.sent/1");
    json.attribute("module", module);
    json.attribute("devices", sent.devices);
    json.attributeArray("collectives", [&] {
      for (const SentRow &row : sent.rows)
        json.object([&] {
          json.attribute("operation", row.operation);
          json.attribute("at", row.at);
          json.attribute("count", row.count);
          json.attribute("groups", row.groups);
          json.attribute("members", row.members);
          json.attribute("bytes", row.bytes);
          json.attribute("received_bytes", row.received);
          if (row.microseconds > 0)
            json.attribute("microseconds", row.microseconds);
        });
    });
  });
}

void mercator::writeJson(const ShardChoices &choices, llvm::StringRef module,
                         llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("schema", "mercator.shard_choices/1");
    json.attribute("module", module);
    json.attribute("refused", int64_t(choices.refused));
    json.attribute("untried", int64_t(choices.untried));
    json.attributeArray("choices", [&] {
      for (const ShardChoice &choice : choices.choices)
        json.object([&] {
          json.attribute("mesh", choice.request.mesh);
          json.attributeArray("in", [&] {
            for (const std::string &text : choice.request.in)
              json.value(text);
          });
          json.attribute("received_bytes", choice.received);
          json.attribute("peak_bytes", choice.peakBytes);
          json.attribute("share", choice.share);
          if (choice.microseconds > 0)
            json.attribute("microseconds", choice.microseconds);
        });
    });
  });
}
