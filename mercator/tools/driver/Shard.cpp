// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator shard FILE`: what each device computes, receives, and why.

#include "mercator/compiler/shard/Shard.h"
#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/program/Device.h"
#include "mercator/support/Color.h"
#include "mercator/support/Numbers.h"
#include "mercator/support/Table.h"
#include "mercator/tools/driver/Command.h"
#include "mercator/tools/driver/ShardOptions.h"
#include "mercator/tools/driver/UseSummary.h"

#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using llvm::StringRef;

spmd::Request mercator::shardRequestOf(Invocation &invocation) {
  spmd::Request request;
  if (invocation.has("mesh"))
    request.mesh = invocation.get("mesh").str();
  request.in = invocation.getAll("in").vec();
  request.out = invocation.getAll("out").vec();
  return request;
}

/// `, 3.2 us`; empty for a time that is not predicted.
static std::string sendTimeText(double microseconds) {
  return microseconds > 0 ? ", " + shortNumber(microseconds) + " us" : "";
}

static void printOperation(const spmd::OperationReport &op, bool color,
                           llvm::raw_ostream &os) {
  os << "  " << paint(op.name, Style::Cyan, color) << "  " << op.sharding
     << "  " << paint(op.at, Style::Dim, color) << '\n';
  for (const spmd::OperandReport &operand : op.operands) {
    os << "    operand " << operand.operand << " " << operand.has << ": "
       << operand.movement << ", " << bytesText(operand.received) << " a device"
       << sendTimeText(operand.microseconds);
    if (operand.received == operand.least)
      os << ", the minimum";
    else
      os << ", at least " << bytesText(operand.least);
    os << '\n';
    if (!operand.map.empty())
      os << "      " << paint("reads " + operand.map, Style::Dim, color)
         << '\n';
  }
  if (!op.reduction.empty())
    os << "    " << op.reduction << ", " << bytesText(op.reduced) << " a device"
       << sendTimeText(op.reducedMicroseconds)
       << ": the terms of its sum are divided\n";
  if (!op.whole.empty())
    os << "    " << paint("computed whole: " + op.whole, Style::Yellow, color)
       << '\n';
}

/// The operations that are not proved, and how many are.
static void printProofs(llvm::ArrayRef<spmd::ProofReport> proofs, bool color,
                        llvm::raw_ostream &os) {
  using Verdict = spmd::OperationProof::Verdict;
  size_t equal = 0;
  for (const spmd::ProofReport &each : proofs)
    equal += each.proof.verdict == Verdict::Equal;
  os << "\n"
     << paint("proved", Style::Bold, color) << "  " << equal << " of "
     << proofs.size()
     << " operations and movements: together, the devices read what the "
        "operation reads\n";
  for (const spmd::ProofReport &each : proofs)
    if (each.proof.verdict != Verdict::Equal)
      os << "  "
         << paint(spmd::nameOf(each.proof.verdict),
                  each.proof.verdict == Verdict::Different ? Style::Red
                                                           : Style::Yellow,
                  color)
         << "  " << paint(each.name, Style::Cyan, color) << "  "
         << paint(each.at, Style::Dim, color) << "  " << each.proof.reason
         << '\n';
}

static void print(const spmd::PartitionReport &report, StringRef module,
                  bool proves, bool color, llvm::raw_ostream &os) {
  os << paint(module, Style::Bold, color) << " on " << report.mesh.devices
     << (report.mesh.devices == 1 ? " device: " : " devices: ");
  report.mesh.print(os);
  os << "\n";
  for (auto [i, sharding] : llvm::enumerate(report.arguments))
    os << "  argument " << i << "  " << sharding.text(report.mesh) << '\n';
  for (auto [i, sharding] : llvm::enumerate(report.results))
    os << "  result " << i << "  " << sharding.text(report.mesh) << '\n';
  if (!report.operations.empty())
    os << "\n" << paint("what is sent", Style::Bold, color) << '\n';
  for (const spmd::OperationReport &op : report.operations)
    printOperation(op, color, os);
  for (const std::string &conflict : report.conflicts)
    os << "  " << paint("conflict", Style::Yellow, color) << " in " << conflict
       << '\n';
  os << "\n"
     << paint("in all", Style::Bold, color) << "  "
     << bytesText(report.received + report.reduced) << " received by a device";
  if (report.reduced)
    os << ", of which " << bytesText(report.reduced) << " for sums";
  if (report.receivedByAll > report.leastOfAll)
    os << "; " << bytesText(report.receivedByAll - report.leastOfAll)
       << " of all devices more than the minimum";
  os << "\n        " << bytesText(report.argumentBytes)
     << " of arguments on a device, " << bytesText(report.peakBytes)
     << " at most with values\n        "
     << shortNumber(100 * report.work / std::max(report.wholeWork, 1.0))
     << " % of the work on a device\n";
  if (report.sendMicroseconds + report.computeMicroseconds > 0)
    os << "        predicted: " << shortNumber(report.sendMicroseconds)
       << " us to send, " << shortNumber(report.computeMicroseconds)
       << " us to compute\n";
  if (proves)
    printProofs(report.proofs, color, os);
}

static void print(const SentTable &sent, StringRef module, bool hasTimes,
                  bool color, llvm::raw_ostream &os) {
  os << paint(module, Style::Bold, color) << " is partitioned for "
     << sent.devices << (sent.devices == 1 ? " device" : " devices") << "\n\n";
  std::vector<Table::Column> columns = {
      {"sends"},
      {"groups", Style::Plain, Align::Right},
      {"times", Style::Plain, Align::Right},
      {"has", Style::Plain, Align::Right},
      {"receives", Style::Plain, Align::Right},
      {"in all", Style::Plain, Align::Right}};
  if (hasTimes)
    columns.push_back({"predicted", Style::Plain, Align::Right});
  columns.push_back({"first at", Style::Dim});
  Table table(columns);
  int64_t received = 0, count = 0;
  double microseconds = 0;
  constexpr size_t kShownRows = 24;
  for (auto [i, each] : llvm::enumerate(sent.rows)) {
    received += each.receivedInAll();
    count += each.count;
    microseconds += each.microseconds * double(each.count);
    if (i >= kShownRows)
      continue;
    std::vector<std::string> row = {each.operation,
                                    std::to_string(each.groups) + " of " +
                                        std::to_string(each.members),
                                    std::to_string(each.count),
                                    bytesText(each.bytes),
                                    bytesText(each.received),
                                    bytesText(each.receivedInAll())};
    if (hasTimes)
      row.push_back(shortNumber(each.microseconds * double(each.count)) +
                    " us");
    row.push_back(each.at);
    table.addRow(row);
  }
  table.print(os, color, 2);
  if (sent.rows.size() > kShownRows)
    os << "  and " << sent.rows.size() - kShownRows << " more (--json)\n";
  os << "\n"
     << paint("in all", Style::Bold, color) << "  " << count << " collectives, "
     << bytesText(received) << " received by a device";
  if (hasTimes)
    os << ", predicted: " << shortNumber(microseconds) << " us to send";
  os << "\n";
}

/// `8` of `auto:8`; nothing for another text, 0 after an error.
static std::optional<int64_t> autoDevices(Invocation &invocation) {
  StringRef text = invocation.get("mesh");
  if (!text.consume_front("auto:"))
    return std::nullopt;
  int64_t devices;
  if (!text.getAsInteger(10, devices) && devices >= 1 && devices <= 65536)
    return devices;
  (void)invocation.getDiagnostics().error(
      {}, "expected a number of devices after auto:, from 1 to 65536, got '" +
              text + "'");
  return 0;
}

static void print(const ShardChoices &choices, bool hasTimes, bool color,
                  llvm::raw_ostream &os) {
  std::vector<Table::Column> columns = {
      {"mesh"},
      {"arguments"},
      {"received", Style::Plain, Align::Right},
      {"memory", Style::Plain, Align::Right},
      {"work", Style::Plain, Align::Right}};
  if (hasTimes)
    columns.push_back({"predicted", Style::Plain, Align::Right});
  Table table(columns);
  constexpr size_t kShown = 12;
  for (const ShardChoice &choice :
       llvm::ArrayRef(choices.choices).take_front(kShown)) {
    std::vector<std::string> row = {
        choice.request.mesh, llvm::join(choice.request.in, " "),
        bytesText(choice.received), bytesText(choice.peakBytes),
        shortNumber(100 * choice.share) + " %"};
    if (hasTimes)
      row.push_back(shortNumber(choice.microseconds) + " us");
    table.addRow(row);
  }
  table.print(os, color, 2);
  if (choices.choices.size() > kShown)
    os << "  and " << choices.choices.size() - kShown << " more (--json)\n";
  if (choices.refused)
    os << "  " << choices.refused << " refused\n";
  if (choices.untried)
    os << "  " << choices.untried << " not tried\n";
}

static ExitCode rankChoices(Invocation &invocation, Compilation &compilation,
                            int64_t devices, const Cluster *cluster) {
  Answer<ShardChoices> choices = compilation.rankShardings(devices, cluster);
  if (!choices)
    return choices.getFailure();
  if (invocation.has("json")) {
    llvm::json::OStream json(invocation.getOut(), 2);
    writeJson(*choices, compilation.getName(), json);
    invocation.getOut() << "\n";
  } else {
    print(*choices, cluster != nullptr, invocation.useColor(),
          invocation.getOut());
  }
  return ExitCode::Done;
}

/// As of `prove`: 3 for a difference, 4 for what is open.
static ExitCode exitCodeOf(llvm::ArrayRef<spmd::ProofReport> proofs) {
  using Verdict = spmd::OperationProof::Verdict;
  auto has = [&](Verdict verdict) {
    return llvm::any_of(proofs, [&](const spmd::ProofReport &each) {
      return each.proof.verdict == verdict;
    });
  };
  return has(Verdict::Different) ? ExitCode::PropertyFalse
         : has(Verdict::Open)    ? ExitCode::Undecided
                                 : ExitCode::Done;
}

static ExitCode runShard(Invocation &invocation) {
  std::optional<int64_t> devices = autoDevices(invocation);
  if (devices == 0)
    return ExitCode::WrongUsage;
  std::optional<Cluster> cluster;
  if (invocation.has("cluster")) {
    llvm::Expected<Cluster> found = loadCluster(invocation.get("cluster"));
    if (!found) {
      (void)invocation.getDiagnostics().error(
          {}, llvm::toString(found.takeError()));
      return ExitCode::WrongUsage;
    }
    cluster = std::move(*found);
  }
  const Cluster *links = cluster ? &*cluster : nullptr;
  Compilation *compilation = invocation.load(0);
  if (!compilation)
    return ExitCode::InputRejected;
  if (devices)
    return rankChoices(invocation, *compilation, *devices, links);
  spmd::Request request = shardRequestOf(invocation);
  request.proves = invocation.has("prove");
  request.cluster = links;
  bool isStated =
      !request.mesh.empty() || !request.in.empty() || !request.out.empty();
  Answer<ShardedText> sharded =
      compilation->shard({.request = request, .readsPartitioned = !isStated});
  if (!sharded)
    return sharded.getFailure();
  if (sharded->sent) {
    if (invocation.has("json")) {
      llvm::json::OStream json(invocation.getOut(), 2);
      writeJson(*sharded->sent, compilation->getName(), json);
      invocation.getOut() << "\n";
    } else {
      print(*sharded->sent, compilation->getName(), links != nullptr,
            invocation.useColor(), invocation.getOut());
    }
    return ExitCode::Done;
  }
  ExitCode code = exitCodeOf(sharded->report.proofs);
  if (invocation.has("json")) {
    llvm::json::OStream json(invocation.getOut(), 2);
    writeJson(sharded->report, compilation->getName(), json);
    invocation.getOut() << "\n";
    return code;
  }
  print(sharded->report, compilation->getName(), request.proves,
        invocation.useColor(), invocation.getOut());
  return code;
}

static constexpr Option shardOptions[] = {
    meshOption,
    inOption,
    outOption,
    {.name = "cluster",
     .value = "CLUSTER",
     .help =
         "predict times on these devices and links: h100x8, h100-hosts, or a "
         "JSON file"},
    {.name = "prove",
     .help = "compare what all devices read in each operation with its map"}};

const Command mercator::shardCommand = {
    .name = "shard",
    .operands = "FILE",
    .summary = "print what each device of a mesh computes, receives, and why",
    .details =
        "FILE is a program of JAX with shardings, or any StableHLO with --mesh. The\n"
        "partitioned program is that of `compile FILE --stop-after=spmd`.\n",
    .options = shardOptions,
    .examples =
        "mercator shard examples/sharded_mlp.mlir\n"
        "mercator shard examples/sharded_mlp.mlir --mesh=data:4 --in=4=data,-\n"
        "mercator shard examples/sharded_mlp.mlir --prove --cluster=h100x8\n"
        "mercator compile examples/sharded_mlp.mlir --stop-after=spmd\n",
    .run = runShard};
