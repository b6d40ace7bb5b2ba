// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/run/Report.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace mercator;

bool RunReport::Compared::isEqual() const {
  return llvm::all_of(rows,
                      [](const Difference &row) { return row.isEqual(); });
}

static double median(std::vector<double> seconds) {
  llvm::sort(seconds);
  return seconds[seconds.size() / 2];
}

void mercator::writeTimes(const RunResults &results, llvm::raw_ostream &os) {
  double least = *llvm::min_element(results.seconds);
  os << (results.isCached ? "read from the cache in " : "compiled in ")
     << llvm::format("%.3f s", results.phases.total()) << "; run in "
     << llvm::format("%.4f ms", median(results.seconds) * 1e3) << " (median of "
     << results.seconds.size() << ", least "
     << llvm::format("%.4f ms", least * 1e3) << ")\n";
}

void mercator::writeDispatches(const RunResults &results,
                               llvm::raw_ostream &os) {
  for (const DispatchTime &dispatch : results.dispatches) {
    if (dispatch.calls == 0)
      continue;
    double calls = double(dispatch.calls);
    os << "  " << dispatch.name << ": ";
    if (dispatch.calls != 1)
      os << dispatch.calls << " calls of ";
    os << cpu::spellNanoseconds(dispatch.least / calls) << "; "
       << (dispatch.predicted ? cpu::spell(*dispatch.predicted)
                              : "no prediction: it depends on data")
       << "\n";
  }
}

void mercator::writeTuned(const RunResults &results, llvm::raw_ostream &os) {
  for (const TunedDispatch &dispatch : results.tuned) {
    os << "  " << dispatch.name << ": chosen "
       << cpu::spellNanoseconds(dispatch.chosen) << ", the best of "
       << dispatch.candidates << " measured "
       << cpu::spellNanoseconds(dispatch.best) << " ("
       << llvm::format("%.0f %%", 100 * dispatch.best / dispatch.chosen) << ")";
    if (!dispatch.to.empty())
      os << ": " << dispatch.from << " => " << dispatch.to;
    os << "\n";
  }
}

static void writeText(const Difference &row, llvm::StringRef whose,
                      llvm::raw_ostream &os) {
  os << row.title << ": ";
  if (!row.mismatch.empty()) {
    os << row.mismatch << "\n";
    return;
  }
  os << row.type << ", ";
  if (row.isEqual()) {
    os << "equal to " << whose;
    if (row.roundingErrors)
      os << llvm::formatv(" within rounding errors, {0:e1}",
                          *row.roundingErrors);
    else if (row.isFlushed)
      os << " with subnormal numbers as zero";
    else if (row.relative != 0)
      os << llvm::formatv(" within {0:e1}", row.relative);
    os << "\n";
    return;
  }
  os << row.differing << " of " << row.type.getNumElements()
     << " elements differ: at [" << row.place << "] got " << row.got
     << ", expected " << row.expected << " (tolerance "
     << llvm::formatv("{0:e1}", row.tolerance) << ")\n";
}

void mercator::writeText(const RunReport::Compared &compared,
                         llvm::raw_ostream &os) {
  llvm::StringRef whose =
      compared.with == "evaluator" ? "the evaluator's" : "the expected";
  for (const Difference &row : compared.rows)
    ::writeText(row, whose, os);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void writeNumber(llvm::json::OStream &json, llvm::StringRef key,
                        double value) {
  if (std::isfinite(value))
    json.attribute(key, value);
  else
    json.attribute(key, nullptr);
}

static std::vector<int64_t> indexOf(int64_t place,
                                    llvm::ArrayRef<int64_t> shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    index[i] = shape[i] == 0 ? 0 : place % shape[i];
    place = shape[i] == 0 ? 0 : place / shape[i];
  }
  return index;
}

static void writeJson(llvm::json::OStream &json, llvm::StringRef with,
                      const Difference &row) {
  json.attribute("with", with);
  json.attribute("equal", row.isEqual());
  if (!row.mismatch.empty()) {
    json.attribute("mismatch", row.mismatch);
    return;
  }
  writeNumber(json, "relative", row.relative);
  writeNumber(json, "tolerance", row.tolerance);
  json.attribute("differing", row.differing);
  if (row.roundingErrors)
    writeNumber(json, "rounding_errors", *row.roundingErrors);
  if (row.isFlushed)
    json.attribute("subnormals_as_zero", true);
  if (row.isAmplified)
    json.attribute("amplified", true);
  if (row.type.getNumElements() == 0)
    return;
  json.attributeArray("element", [&] {
    for (int64_t i : indexOf(row.place, row.type.getShape()))
      json.value(i);
  });
  json.attribute("got", row.got);
  json.attribute("expected", row.expected);
}

static void writeTimes(llvm::json::OStream &json, const RunResults &results) {
  json.attributeObject("times", [&] {
    json.attribute("runs", int64_t(results.seconds.size()));
    json.attribute("median_ms", median(results.seconds) * 1e3);
    json.attribute("least_ms", *llvm::min_element(results.seconds) * 1e3);
    json.attribute("threads", results.threads);
    json.attribute("cpu", results.cpu);
    json.attribute("compile_s", results.phases.total());
    json.attribute("from_cache", results.isCached);
  });
}

static void writeDispatches(llvm::json::OStream &json,
                            const RunResults &results) {
  json.attributeArray("dispatches", [&] {
    for (const DispatchTime &dispatch : results.dispatches)
      json.object([&] {
        json.attribute("name", dispatch.name);
        json.attribute("calls", dispatch.calls);
        double calls = double(std::max<int64_t>(1, dispatch.calls));
        json.attribute("least_us", dispatch.least / calls / 1000);
        json.attribute("median_us", dispatch.median / calls / 1000);
        if (!dispatch.predicted)
          return;
        json.attribute("predicted_us", dispatch.predicted->total() / 1000);
        json.attributeObject("causes_us", [&] {
          for (const cpu::Time::Cause &cause : cpu::Time::causes())
            json.attribute(cause.name, *dispatch.predicted.*cause.field / 1000);
        });
      });
  });
}

static void writeTuned(llvm::json::OStream &json, const RunResults &results) {
  json.attributeArray("tuned", [&] {
    for (const TunedDispatch &dispatch : results.tuned)
      json.object([&] {
        json.attribute("name", dispatch.name);
        json.attribute("candidates", dispatch.candidates);
        json.attribute("chosen_us", dispatch.chosen / 1000);
        json.attribute("best_us", dispatch.best / 1000);
        if (dispatch.to.empty())
          return;
        json.attribute("from", dispatch.from);
        json.attribute("to", dispatch.to);
      });
  });
}

void mercator::writeJson(const RunReport &report, llvm::raw_ostream &os) {
  const RunResults &results = *report.results;
  llvm::json::OStream json(os);
  json.object([&] {
    writeHead(results, json);
    if (report.isTimed)
      ::writeTimes(json, results);
    if (!results.dispatches.empty())
      ::writeDispatches(json, results);
    if (!results.tuned.empty())
      ::writeTuned(json, results);
    json.attributeArray("results", [&] {
      size_t next = 0;
      for (const ResultLeaf &leaf : leavesOf(results))
        json.object([&] {
          writeHead(leaf, json);
          if (!leaf.tensor() || report.compared.empty())
            return;
          json.attributeArray("comparisons", [&] {
            for (const RunReport::Compared &compared : report.compared)
              json.object([&] {
                ::writeJson(json, compared.with, compared.rows[next]);
              });
          });
          ++next;
        });
    });
  });
  os << '\n';
}
