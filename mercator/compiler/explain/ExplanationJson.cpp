// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/explain/Explanation.h"
#include "mercator/compiler/explain/Losses.h"
#include "mercator/support/Utf8.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace mercator;
using llvm::StringRef;

static void writeTensor(llvm::json::OStream &json,
                        const Explanation::Tensor &tensor) {
  json.object([&] {
    json.attribute("name", validUtf8(tensor.name));
    json.attribute("type", validUtf8(tensor.type));
    if (tensor.bytes)
      json.attribute("bytes", *tensor.bytes);
  });
}

static void writeTensors(llvm::json::OStream &json, StringRef key,
                         llvm::ArrayRef<Explanation::Tensor> tensors) {
  json.attributeArray(key, [&] {
    for (const Explanation::Tensor &tensor : tensors)
      writeTensor(json, tensor);
  });
}

//===----------------------------------------------------------------------===//
// Dispatches
//===----------------------------------------------------------------------===//

/// All but its place, inside of an object.
static void writeContents(llvm::json::OStream &json,
                          const Explanation::Dispatch &dispatch) {
  json.attribute("function", validUtf8(dispatch.function));
  json.attributeArray("operations", [&] {
    for (const Explanation::Operation &op : dispatch.operations)
      json.object([&] {
        json.attribute("operation", validUtf8(op.text));
        json.attribute("at", validUtf8(op.place));
        if (!op.origin.empty())
          json.attribute("origin", validUtf8(op.origin));
      });
  });
  json.attributeArray("workload", [&] {
    for (std::optional<int64_t> size : dispatch.workload) {
      if (size)
        json.value(*size);
      else
        json.value(nullptr);
    }
  });
  writeTensors(json, "reads", dispatch.reads);
  writeTensors(json, "gives", dispatch.gives);
  if (dispatch.flops)
    json.attribute("flops", *dispatch.flops);
}

static void writeDispatch(llvm::json::OStream &json,
                          const Explanation::Dispatch &dispatch) {
  json.object([&] {
    json.attribute("at", validUtf8(dispatch.place));
    writeContents(json, dispatch);
  });
}

static void writeEdge(llvm::json::OStream &json,
                      const Explanation::Edge &edge) {
  json.object([&] {
    json.attribute("function", validUtf8(edge.function));
    json.attribute("at", validUtf8(edge.place));
    json.attribute("edge", validUtf8(edge.text));
    json.attribute("inside", edge.inside);
    auto writeReason = [&](const Explanation::Reason &reason) {
      json.attribute("rule", reason.rule);
      if (!edge.inside)
        json.attribute("question", reason.question);
      json.attribute("reason", reason.text);
    };
    writeReason(edge.reasons.front());
    if (!edge.inside)
      json.attributeArray("reasons", [&] {
        for (const Explanation::Reason &reason : edge.reasons)
          json.object([&] { writeReason(reason); });
      });
    if (edge.bytes)
      json.attribute("bytes", *edge.bytes);
    if (!edge.made.empty())
      json.attribute("made", edge.made);
    if (!edge.read.empty())
      json.attribute("read", edge.read);
    if (!edge.cost.empty())
      json.attribute("cost", validUtf8(edge.cost));
    if (edge.timeOfOne && edge.timeOfTwo) {
      json.attribute("nanoseconds_of_one", *edge.timeOfOne);
      json.attribute("nanoseconds_of_two", *edge.timeOfTwo);
    }
    if (!edge.help.empty())
      json.attribute("help", edge.help);
  });
}

static void writeTotal(llvm::json::OStream &json,
                       const Explanation::Total &total) {
  json.object([&] {
    json.attribute("function", validUtf8(total.function));
    json.attribute("operations", total.operations);
    json.attribute("bytes_before", total.bytesBefore);
    json.attribute("nanoseconds_before", total.nanosecondsBefore);
    json.attribute("dispatches", total.dispatches);
    json.attribute("bytes", total.bytes);
    json.attribute("nanoseconds", total.nanoseconds);
  });
}

static void writeOutside(llvm::json::OStream &json,
                         const Explanation::Outside &outside) {
  json.object([&] {
    json.attribute("function", validUtf8(outside.function));
    json.attribute("at", validUtf8(outside.place));
    json.attribute("operation", validUtf8(outside.operation));
    json.attribute("reason", outside.reason);
  });
}

/// To a tenth.
static double rounded(double value) { return std::round(value * 10) / 10; }

static void writeSchedule(llvm::json::OStream &json,
                          const Explanation::Schedule &schedule) {
  json.object([&] {
    json.attribute("kernel", validUtf8(schedule.kernel));
    json.attributeArray("lines", [&] {
      for (const std::string &line : schedule.lines)
        json.value(validUtf8(line));
    });
    if (schedule.predicted.empty())
      return;
    json.attribute("predicted", schedule.predicted);
    json.attributeObject("nanoseconds", [&] {
      for (const auto &[cause, ns] : schedule.causes)
        json.attribute(cause, rounded(ns));
    });
    json.attributeArray("loops", [&] {
      for (const Explanation::Loop &loop : schedule.loops)
        json.object([&] {
          json.attribute("depth", loop.depth);
          if (loop.iterations > 0)
            json.attribute("iterations", rounded(loop.iterations));
          if (loop.isParallel)
            json.attribute("parallel", true);
          if (loop.isPacking)
            json.attribute("packing", true);
          json.attribute("nanoseconds", rounded(loop.nanoseconds));
          json.attributeArray("bytes", [&] {
            for (double bytes : loop.bytes)
              json.value(std::llround(bytes));
          });
        });
    });
  });
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

static void writeDimension(llvm::json::OStream &json,
                           const Explanation::Gather::Dimension &dimension) {
  json.object([&] {
    json.attribute("extent", dimension.extent);
    json.attribute("taken", dimension.taken);
    json.attribute("role", dimension.role);
    if (dimension.batchAxis)
      json.attribute("batch_axis", *dimension.batchAxis);
    if (dimension.resultAxis)
      json.attribute("result_axis", *dimension.resultAxis);
  });
}

static void writeStart(llvm::json::OStream &json,
                       const Explanation::Gather::Start &start) {
  json.object([&] {
    json.attribute("dimension", start.dimension);
    json.attribute("last", start.last);
    json.attribute("constant", start.constant);
    if (start.lower)
      json.attribute("lower", *start.lower);
    if (start.upper)
      json.attribute("upper", *start.upper);
    if (start.countsAlong)
      json.attribute("counts_along_batch_axis", *start.countsAlong);
    json.attribute("clamp_below", start.clampBelow);
    json.attribute("clamp_above", start.clampAbove);
  });
}

/// Nothing if there are none.
static void writeAiCpu(llvm::json::OStream &json,
                       llvm::ArrayRef<Explanation::AiCpu> aiCpu) {
  if (aiCpu.empty())
    return;
  json.attributeArray("ai_cpu", [&] {
    for (const Explanation::AiCpu &it : aiCpu)
      json.object([&] {
        json.attribute("why", it.why);
        json.attribute("nodes", it.nodes);
        json.attribute("bytes", it.bytes);
      });
  });
}

static void writeWay(llvm::json::OStream &json,
                     const Explanation::Gather::Way &way) {
  json.object([&] {
    json.attribute("way", way.name);
    json.attribute("taken", way.taken);
    json.attribute("possible", way.possible);
    if (way.isPlanned) {
      json.attribute("bytes", *way.bytes);
      json.attribute("index_entries", *way.indexEntries);
      json.attribute("nodes", *way.nodes);
      json.attribute("moves_operand", way.movesOperand);
    }
    if (!way.whyNot.empty())
      json.attribute("why", way.whyNot);
    writeAiCpu(json, way.aiCpu);
  });
}

static void writeStrings(llvm::json::OStream &json, StringRef key,
                         llvm::ArrayRef<std::string> strings) {
  json.attributeArray(key, [&] {
    for (const std::string &text : strings)
      json.value(text);
  });
}

static void writePlanning(llvm::json::OStream &json,
                          const Explanation::Gather &gather) {
  json.attributeArray("dimensions", [&] {
    for (const auto &dimension : gather.dimensions)
      writeDimension(json, dimension);
  });
  json.attributeArray("starts", [&] {
    for (const auto &start : gather.startColumns)
      writeStart(json, start);
  });
  json.attributeArray("ways", [&] {
    for (const auto &way : gather.ways)
      writeWay(json, way);
  });
  if (!gather.takenWay())
    return;
  writeStrings(json, "notes", gather.notes);
  writeStrings(json, "plan", gather.plan);
}

static void writeGather(llvm::json::OStream &json,
                        const Explanation::Gather &gather) {
  json.object([&] {
    json.attribute("function", validUtf8(gather.function));
    json.attribute("instruction", validUtf8(gather.instruction));
    json.attribute("operation", gather.operation);
    json.attribute("at", validUtf8(gather.place));
    json.attributeBegin("from");
    writeTensor(json, gather.from);
    json.attributeEnd();
    writeTensors(json, "start_indices", gather.starts);
    json.attributeBegin("gives");
    writeTensor(json, gather.gives);
    json.attributeEnd();
    if (!gather.unknown.empty())
      json.attribute("unknown", gather.unknown);
    else
      writePlanning(json, gather);
    json.attributeArray("maps", [&] {
      for (const MapRecord &record : gather.maps)
        writeJson(record, json);
    });
  });
}

//===----------------------------------------------------------------------===//
// Scatters
//===----------------------------------------------------------------------===//

static void writeDimension(llvm::json::OStream &json,
                           const Explanation::Scatter::Dimension &dimension) {
  json.object([&] {
    json.attribute("extent", dimension.extent);
    json.attribute("updated", dimension.updated);
    if (dimension.batchAxis)
      json.attribute("batch_axis", *dimension.batchAxis);
    if (!dimension.start)
      return;
    json.attribute("start", *dimension.start);
    if (dimension.lower)
      json.attribute("lower", *dimension.lower);
    if (dimension.upper)
      json.attribute("upper", *dimension.upper);
    json.attribute("clamp_below", dimension.clampBelow);
    json.attribute("clamp_above", dimension.clampAbove);
    json.attribute("may_be_outside", dimension.mayBeOutside);
  });
}

static void writeWay(llvm::json::OStream &json,
                     const Explanation::Scatter::Way &way) {
  json.object([&] {
    json.attribute("way", way.name);
    json.attribute("taken", way.taken);
    json.attribute("possible", way.possible);
    if (way.possible) {
      json.attribute("bytes", *way.bytes);
      json.attribute("bytes_in_place", *way.bytesInPlace);
      json.attribute("index_entries", *way.indexEntries);
      json.attribute("nodes", *way.nodes);
    }
    if (!way.whyNot.empty())
      json.attribute("why", way.whyNot);
    writeAiCpu(json, way.aiCpu);
  });
}

static void writePlanning(llvm::json::OStream &json,
                          const Explanation::Scatter &scatter) {
  json.attribute("body", scatter.body);
  json.attribute("two_updates", scatter.collision);
  json.attribute("spare_row", scatter.hasSpareRow);
  json.attribute("operand_read_elsewhere", scatter.isReadElsewhere);
  json.attribute("operand_is_argument", scatter.isArgument);
  json.attributeArray("dimensions", [&] {
    for (const auto &dimension : scatter.dimensions)
      writeDimension(json, dimension);
  });
  json.attributeArray("ways", [&] {
    for (const auto &way : scatter.ways)
      writeWay(json, way);
  });
  writeStrings(json, "notes", scatter.notes);
  json.attributeArray("plan", [&] {
    for (const std::string &line : scatter.plan)
      json.value(validUtf8(line));
  });
}

static void writeScatter(llvm::json::OStream &json,
                         const Explanation::Scatter &scatter) {
  json.object([&] {
    json.attribute("function", validUtf8(scatter.function));
    json.attribute("instruction", validUtf8(scatter.instruction));
    json.attribute("operation", scatter.operation);
    json.attribute("at", validUtf8(scatter.place));
    json.attributeBegin("operand");
    writeTensor(json, scatter.into);
    json.attributeEnd();
    json.attributeBegin("update");
    writeTensor(json, scatter.updates);
    json.attributeEnd();
    writeTensors(json, "indices", scatter.indices);
    json.attributeBegin("gives");
    writeTensor(json, scatter.gives);
    json.attributeEnd();
    if (!scatter.refused.empty())
      json.attribute("refused", scatter.refused);
    else
      writePlanning(json, scatter);
    json.attributeArray("maps", [&] {
      for (const MapRecord &record : scatter.maps)
        writeJson(record, json);
    });
  });
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// A list, one line for each record.
template <typename Records, typename Write>
static void writeList(llvm::raw_ostream &os, StringRef key,
                      const Records &records, Write write) {
  os << ",\"" << key << "\":[";
  StringRef separator = "\n  ";
  for (const auto &record : records) {
    os << separator;
    separator = ",\n  ";
    llvm::json::OStream json(os);
    write(json, record);
  }
  os << "]";
}

/// The kernels of a GPU in the order of execution, what they lose, and what they are
/// compared with.
static void writeLaunches(const Explanation &explanation,
                          llvm::raw_ostream &os) {
  llvm::StringMap<const Explanation::Dispatch *> contents; // by place
  for (const Explanation::Dispatch &kernel : explanation.kernels)
    contents.try_emplace(kernel.place, &kernel);
  size_t number = 0;
  writeList(os, "kernels", explanation.launches,
            [&](llvm::json::OStream &json, const KernelRecord &kernel) {
              json.object([&] {
                writeMembers(kernel, json);
                if (const auto *found = contents.lookup(kernel.at))
                  writeContents(json, *found);
                if (explanation.measured)
                  if (const auto &group = explanation.measured->kernels[number])
                    json.attributeObject("measured",
                                         [&] { writeMembers(*group, json); });
                ++number;
              });
            });
  writeList(os, "losses", explanation.losses,
            [&](llvm::json::OStream &json, const KernelLoss &loss) {
              writeJson(loss, explanation.launches, json);
            });
  if (explanation.measured)
    writeList(os, "other_launches", explanation.measured->others,
              [&](llvm::json::OStream &json, const Measured::Group &group) {
                json.object([&] { writeMembers(group, json); });
              });
  if (!explanation.against)
    return;
  os << R"(,"against":)";
  llvm::json::OStream json(os);
  writeJson(explanation.against->comparison, explanation.against->launches,
            explanation.launches, json);
}

void mercator::writeJson(const Explanation &explanation,
                         llvm::raw_ostream &os) {
  os << R"({"schema":"mercator.explain/1","module":)";
  llvm::json::OStream(os).value(validUtf8(explanation.module));
  writeList(os, "dispatches", explanation.dispatches, writeDispatch);
  if (explanation.launches.empty() && !explanation.against)
    writeList(os, "kernels", explanation.kernels, writeDispatch);
  else
    writeLaunches(explanation, os);
  writeList(os, "edges", explanation.edges, writeEdge);
  writeList(os, "outside", explanation.outside, writeOutside);
  writeList(os, "totals", explanation.totals, writeTotal);
  if (!explanation.schedules.empty())
    writeList(os, "schedules", explanation.schedules, writeSchedule);
  writeList(os, "gathers", explanation.gathers, writeGather);
  writeList(os, "scatters", explanation.scatters, writeScatter);
  os << "}\n";
}
