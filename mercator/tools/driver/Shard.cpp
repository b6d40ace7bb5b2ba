// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator shard FILE`: what each device computes, receives, and why.

#include "mercator/compiler/shard/Shard.h"
#include "mercator/compiler/Compilation.h"
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

static void printOperation(const spmd::OperationReport &op, bool color,
                           llvm::raw_ostream &os) {
  os << "  " << paint(op.name, Style::Cyan, color) << "  " << op.sharding
     << "  " << paint(op.at, Style::Dim, color) << '\n';
  for (const spmd::OperandReport &operand : op.operands) {
    os << "    operand " << operand.operand << " " << operand.has << ": "
       << operand.movement << ", " << bytesText(operand.received)
       << " a device";
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
    os << "    " << op.reduction << ", " << bytesText(op.reduced)
       << " a device: the terms of its sum are divided\n";
  if (!op.whole.empty())
    os << "    " << paint("computed whole: " + op.whole, Style::Yellow, color)
       << '\n';
}

static void print(const spmd::PartitionReport &report, StringRef module,
                  bool color, llvm::raw_ostream &os) {
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

static void print(const ShardChoices &choices, bool color,
                  llvm::raw_ostream &os) {
  Table table({{"mesh"},
               {"arguments"},
               {"received", Style::Plain, Align::Right},
               {"memory", Style::Plain, Align::Right},
               {"work", Style::Plain, Align::Right}});
  constexpr size_t kShown = 12;
  for (const ShardChoice &choice :
       llvm::ArrayRef(choices.choices).take_front(kShown))
    table.addRow({choice.request.mesh, llvm::join(choice.request.in, " "),
                  bytesText(choice.received), bytesText(choice.peakBytes),
                  shortNumber(100 * choice.share) + " %"});
  table.print(os, color, 2);
  if (choices.choices.size() > kShown)
    os << "  and " << choices.choices.size() - kShown << " more (--json)\n";
  if (choices.refused)
    os << "  " << choices.refused << " refused\n";
  if (choices.untried)
    os << "  " << choices.untried << " not tried\n";
}

static ExitCode rankChoices(Invocation &invocation, Compilation &compilation,
                            int64_t devices) {
  Answer<ShardChoices> choices = compilation.rankShardings(devices);
  if (!choices)
    return choices.getFailure();
  if (invocation.has("json")) {
    llvm::json::OStream json(invocation.getOut(), 2);
    writeJson(*choices, compilation.getName(), json);
    invocation.getOut() << "\n";
  } else {
    print(*choices, invocation.useColor(), invocation.getOut());
  }
  return ExitCode::Done;
}

static ExitCode runShard(Invocation &invocation) {
  std::optional<int64_t> devices = autoDevices(invocation);
  if (devices == 0)
    return ExitCode::WrongUsage;
  Compilation *compilation = invocation.load(0);
  if (!compilation)
    return ExitCode::InputRejected;
  if (devices)
    return rankChoices(invocation, *compilation, *devices);
  Answer<ShardedText> sharded =
      compilation->shard({.request = shardRequestOf(invocation)});
  if (!sharded)
    return sharded.getFailure();
  if (invocation.has("json")) {
    llvm::json::OStream json(invocation.getOut(), 2);
    writeJson(sharded->report, compilation->getName(), json);
    invocation.getOut() << "\n";
    return ExitCode::Done;
  }
  print(sharded->report, compilation->getName(), invocation.useColor(),
        invocation.getOut());
  return ExitCode::Done;
}

static constexpr Option shardOptions[] = {meshOption, inOption, outOption};

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
        "mercator compile examples/sharded_mlp.mlir --stop-after=spmd\n",
    .run = runShard};
