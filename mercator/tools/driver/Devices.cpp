// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `mercator device`: what is known of a device, as a table or as a file for
/// `--device`.

#include "mercator/compiler/native/Measure.h"
#include "mercator/compiler/program/Device.h"
#include "mercator/support/Color.h"
#include "mercator/support/Numbers.h"
#include "mercator/support/Table.h"
#include "mercator/tools/driver/Command.h"
#include "mercator/tools/driver/Device.h"

#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using llvm::StringRef;

/// "114 GB/s", "10.9 TB/s"; "-" if it is not known.
static std::string rateText(double giga, StringRef unit) {
  if (giga <= 0)
    return "-";
  bool isTera = giga >= 1000;
  return shortNumber(isTera ? giga / 1000 : giga) + (isTera ? " T" : " G") +
         unit.str();
}

static std::string counted(int64_t count, StringRef what) {
  return std::to_string(count) + " " + what.str() + (count == 1 ? "" : "s");
}

static std::string microseconds(double time) {
  return time > 0 ? shortNumber(time) + " us" : "-";
}

static void printFacts(const Device &device, llvm::raw_ostream &os,
                       bool color) {
  Table facts({{"", Style::Cyan}, {""}});
  facts.addRow({"target", device.target});
  if (!device.cpus.empty())
    facts.addRow({"CPUs", llvm::join(device.cpus, ", ")});
  if (!device.features.empty())
    facts.addRow({"features", llvm::join(device.features, ", ")});
  facts.addRow({"cores", std::to_string(device.cores)});
  facts.addRow({device.isGpu() ? "warps" : "vectors",
                std::to_string(device.vectorBytes()) + " B, " +
                    std::to_string(device.lanes) + " lanes of f32"});
  facts.addRow(
      {"transfers", "sectors of " + std::to_string(device.sectorBytes) +
                        " B, lines of " + std::to_string(device.lineBytes) +
                        " B; tensors begin at multiples of " +
                        std::to_string(device.baseAlignment) + " B"});
  if (device.banks > 0)
    facts.addRow({"shared memory", counted(device.banks, "bank") + " of " +
                                       std::to_string(device.bankBytes) +
                                       " B"});
  facts.addRow({"dispatch", "start " + microseconds(device.startMicroseconds) +
                                ", meet " +
                                microseconds(device.meetMicroseconds)});
  if (!device.matmulTiles.empty())
    facts.addRow({"tiles", counted(device.matmulTiles.size(), "tile") +
                               " of matrix products"});
  if (!device.coreOperators.empty())
    facts.addRow(
        {"operators", counted(device.coreOperators.size(), "operator") +
                          " with a list of element types"});
  facts.print(os, color, /*indent=*/2);
}

static void printRates(const Device &device, llvm::raw_ostream &os,
                       bool color) {
  Table table({{"multiply-adds", Style::Cyan},
               {""},
               {"one core", Style::Plain, Align::Right},
               {"all cores", Style::Plain, Align::Right}});
  for (const Device::MultiplyAdd &each : device.multiplyAdds) {
    StringRef unit = each.type == "i8" ? "OP/s" : "FLOP/s";
    table.addRow(
        {each.type,
         each.unit == Device::Unit::Matrix ? "of matrices" : "of vectors",
         rateText(each.gigaflopsPerSecond, unit),
         rateText(each.gigaflopsPerSecond * double(device.cores), unit)});
  }
  if (!table.empty()) {
    os << '\n';
    table.print(os, color, /*indent=*/2);
  }
}

static void printFunctions(const Device &device, llvm::raw_ostream &os,
                           bool color) {
  Table table({{"functions of f32", Style::Cyan},
               {"one core", Style::Plain, Align::Right},
               {"all cores", Style::Plain, Align::Right}});
  for (const Device::Function &each : device.functions)
    table.addRow({each.name, rateText(each.gigaPerSecond, "/s"),
                  rateText(each.gigaPerSecond * double(device.cores), "/s")});
  if (!table.empty()) {
    os << '\n';
    table.print(os, color, /*indent=*/2);
  }
}

/// What the estimate of machine code knows of a core, beside its rates.
static void printCore(const Device &device, llvm::raw_ostream &os, bool color) {
  if (device.target != "cpu")
    return;
  Table table({{"a core", Style::Cyan}, {"", Style::Plain, Align::Right}});
  for (const auto &[name, place] : Device::coreNumbers())
    table.addRow({name.str(), shortNumber(device.core.*place)});
  os << '\n';
  table.print(os, color, /*indent=*/2);
}

static void printMemory(const Device &device, llvm::raw_ostream &os,
                        bool color) {
  Table table({{"memory", Style::Cyan},
               {"size", Style::Plain, Align::Right},
               {"line", Style::Plain, Align::Right},
               {"shared by", Style::Plain, Align::Right},
               {"one core", Style::Plain, Align::Right},
               {"all cores", Style::Plain, Align::Right}});
  for (const Device::Cache &cache : device.caches)
    table.addRow({cache.name, bytesText(cache.bytes),
                  std::to_string(cache.lineBytes) + " B",
                  counted(cache.sharedBy, "core"),
                  rateText(cache.coreGigabytesPerSecond, "B/s"),
                  rateText(cache.gigabytesPerSecond, "B/s")});
  table.addRow({"memory", "", "", counted(device.cores, "core"),
                rateText(device.coreGigabytesPerSecond, "B/s"),
                rateText(device.gigabytesPerSecond, "B/s")});
  os << '\n';
  table.print(os, color, /*indent=*/2);
}

static void printDevice(const Device &device, llvm::raw_ostream &os,
                        bool color) {
  os << paint(device.name, Style::Bold, color) << ": " << device.title << '\n';
  printFacts(device, os, color);
  printRates(device, os, color);
  printFunctions(device, os, color);
  printMemory(device, os, color);
  printCore(device, os, color);
  if (device.sources.empty())
    return;
  os << "\n  " << paint("sources", Style::Bold, color) << '\n';
  for (const std::string &source : device.sources)
    os << "  " << source << '\n';
}

static ExitCode wrongUsage(Invocation &invocation, const llvm::Twine &text) {
  (void)invocation.getDiagnostics().error({}, text.str());
  return ExitCode::WrongUsage;
}

static ExitCode measure(Invocation &invocation) {
  if (!invocation.getOperands().empty())
    return wrongUsage(invocation, "expected nothing with --measure, got " +
                                      quote(invocation.getOperand(0)));
  invocation.getOut() << toJson(measureHost(), /*indent=*/2) << '\n';
  return ExitCode::Done;
}

static ExitCode printList(Invocation &invocation) {
  if (invocation.has("json"))
    return wrongUsage(invocation, "expected --list or --json, got both");
  if (!invocation.getOperands().empty())
    return wrongUsage(invocation, "expected nothing with --list, got " +
                                      quote(invocation.getOperand(0)));
  Table table({{"", Style::Cyan}, {""}});
  for (const std::string &name : deviceNames())
    if (llvm::Expected<Device> device = findDevice(name))
      table.addRow({name, device->title});
    else
      llvm::consumeError(device.takeError());
  table.print(invocation.getOut(), invocation.useColor());
  return ExitCode::Done;
}

static ExitCode runDevice(Invocation &invocation) {
  if (invocation.has("list"))
    return printList(invocation);
  if (invocation.has("measure"))
    return measure(invocation);
  llvm::Expected<Device> device =
      loadDevice(invocation.getOperands().empty() ? defaultDevice()
                                                  : invocation.getOperand(0));
  if (!device)
    return wrongUsage(invocation, llvm::toString(device.takeError()));
  if (invocation.has("json"))
    invocation.getOut() << toJson(*device, /*indent=*/2) << '\n';
  else
    printDevice(*device, invocation.getOut(), invocation.useColor());
  return ExitCode::Done;
}

static constexpr Option deviceOptions[] = {
    {.name = "list", .help = "print the names of the known devices"},
    {.name = "measure",
     .help = "measure this machine, and write a file for --device"},
};

const Command mercator::deviceCommand = {
    .name = "device",
    .operands = "[DEVICE]",
    .summary = "print what is known of a device: cores, rates, caches",
    .details =
        "DEVICE is a name of `--list` or a JSON file; without it, the CPU of this\n"
        "machine, or $MERCATOR_DEVICE. With --json the output is a file for --device.\n",
    .options = deviceOptions,
    .examples = "mercator device\n"
                "mercator device --list\n"
                "mercator device --measure -o host.json\n"
                "mercator device zen5 --json -o mine.json\n",
    .run = runDevice,
    .folds = true};
