// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/run/Results.h"

#include "mercator/compiler/program/NpyTensor.h"
#include "mercator/reference/core/Print.h"
#include "mercator/support/Diagnostic.h"
#include "mercator/support/File.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace mercator;
using namespace mercator::reference;
using llvm::StringRef;

/// Text shows at most this many elements of a tensor.
static constexpr int64_t kShownElements = 1000;

static void collect(std::vector<ResultLeaf> &leaves, const ResultLeaf &leaf) {
  const Tuple *tuple = leaf.value->tuple();
  if (!tuple) {
    leaves.push_back(leaf);
    return;
  }
  for (auto [i, member] : llvm::enumerate(tuple->members)) {
    ResultLeaf inner = leaf;
    inner.value = &member;
    inner.number += "." + std::to_string(i);
    collect(leaves, inner);
  }
}

std::vector<ResultLeaf> mercator::leavesOf(const RunResults &results) {
  std::vector<ResultLeaf> leaves;
  for (auto [process, values] : llvm::enumerate(results.values))
    for (auto [i, value] : llvm::enumerate(values)) {
      size_t own = values.size() - results.printed.size();
      collect(leaves, {&value, int64_t(process) / results.partitions,
                       int64_t(process) % results.partitions,
                       i < own ? std::to_string(i) : results.printed[i - own],
                       i >= own, results.values.size() > 1});
    }
  return leaves;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void mercator::writeText(StringRef title, const Tensor &tensor,
                         llvm::raw_ostream &os) {
  os << title << ": " << tensor.type();
  if (tensor.size() > kShownElements)
    os << ", " << tensor.size() << " elements, of which the first and last 3 "
       << "of each dimension are shown";
  os << "\n  ";
  print(os, tensor, kShownElements, /*indent=*/2);
  os << '\n';
}

static void writeChecks(llvm::raw_ostream &os, Evaluator::Checks checks) {
  if (checks.passed + checks.failed != 0)
    os << "checks: " << checks.passed << " passed, " << checks.failed
       << " failed\n";
}

void mercator::writeText(const RunResults &results, llvm::raw_ostream &os) {
  for (const ResultLeaf &leaf : leavesOf(results)) {
    std::string title = leaf.title();
    if (const Tensor *tensor = leaf.tensor())
      writeText(title, *tensor, os);
    else
      os << title << ": token\n";
  }
  writeChecks(os, results.checks);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void writeFloat(llvm::json::OStream &json,
                       const llvm::fltSemantics &format, double value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printFloat(os, format, value);
  if (std::isfinite(value))
    json.rawValue(text);
  else
    json.value(text);
}

static void writeElement(llvm::json::OStream &json, const Element &element,
                         Scalar value) {
  switch (element.kind) {
  case ElementKind::Boolean:
    return json.value(value.integer != 0);
  case ElementKind::SignedInt:
    return json.value(value.integer);
  case ElementKind::UnsignedInt:
    return json.value(uint64_t(value.integer));
  case ElementKind::Real:
    return writeFloat(json, *element.format, value.re);
  case ElementKind::Complex:
    json.array([&] {
      writeFloat(json, *element.format, value.re);
      writeFloat(json, *element.format, value.im);
    });
  }
}

void mercator::writeHead(const ResultLeaf &leaf, llvm::json::OStream &json) {
  json.attribute("replica", leaf.replica);
  json.attribute("partition", leaf.partition);
  json.attribute("result", leaf.number);
  const Tensor *tensor = leaf.tensor();
  if (!tensor) {
    json.attribute("type", "token");
    return;
  }
  std::string type;
  llvm::raw_string_ostream(type) << tensor->type().getElementType();
  json.attribute("type", type);
  json.attributeArray("shape", [&] {
    for (int64_t extent : tensor->shape())
      json.value(extent);
  });
}

static void writeElements(llvm::json::OStream &json, const Tensor &tensor) {
  json.attributeArray("elements", [&] {
    for (int64_t i = 0; i < tensor.size(); ++i)
      writeElement(json, tensor.element(), tensor.at(i));
  });
}

void mercator::writeHead(const RunResults &results, llvm::json::OStream &json) {
  json.attribute("schema", "mercator.run/1");
  json.attribute("module", results.module);
  json.attribute("function", results.function);
  json.attributeObject("checks", [&] {
    json.attribute("passed", results.checks.passed);
    json.attribute("failed", results.checks.failed);
  });
}

void mercator::writeJson(const RunResults &results, llvm::raw_ostream &os) {
  llvm::json::OStream json(os);
  json.object([&] {
    writeHead(results, json);
    json.attributeArray("results", [&] {
      for (const ResultLeaf &leaf : leavesOf(results))
        json.object([&] {
          writeHead(leaf, json);
          if (leaf.tensor())
            writeElements(json, *leaf.tensor());
        });
    });
  });
  os << '\n';
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Whether the only result is a tuple: a program of HLO returns several results so,
/// and the tensors have the names that they would have in StableHLO.
static bool isTuple(const RunResults &results) {
  return llvm::all_of(results.values, [&](const std::vector<Value> &own) {
    return own.size() == 1 + results.printed.size() && own.front().tuple();
  });
}

/// The name of a result in a folder or an archive.
static std::string memberOf(const ResultLeaf &leaf, const RunResults &results) {
  StringRef number = leaf.number;
  if (!leaf.isPrinted && isTuple(results))
    number.consume_front("0.");
  std::string which = number.str();
  std::replace(which.begin(), which.end(), '/', '_');
  if (results.values.size() > 1)
    which = "r" + std::to_string(leaf.replica) + ".p" +
            std::to_string(leaf.partition) + "." + which;
  return which;
}

llvm::Error mercator::saveNpz(const RunResults &results, StringRef path,
                              llvm::raw_ostream &os) {
  std::vector<NpzMember> members;
  std::string lines;
  for (const ResultLeaf &leaf : leavesOf(results)) {
    const Tensor *tensor = leaf.tensor();
    if (!tensor)
      continue;
    members.push_back({memberOf(leaf, results), toNpy(*tensor)});
    llvm::raw_string_ostream(lines)
        << path << "/" << members.back().name << ": " << tensor->type() << '\n';
  }
  Fallible<std::string> file = printNpz(members);
  if (!file)
    return llvm::createStringError(file.why());
  if (llvm::Error error =
          writeFile(path, [&](llvm::raw_ostream &stream) { stream << *file; }))
    return error;
  os << lines;
  writeChecks(os, results.checks);
  return llvm::Error::success();
}

llvm::Error mercator::saveNpy(const RunResults &results, StringRef path,
                              bool isFolder, llvm::raw_ostream &os) {
  if (isFolder)
    if (std::error_code error = llvm::sys::fs::create_directories(path))
      return llvm::createStringError("cannot make the folder " +
                                     quote(path, 400) + ": " +
                                     StringRef(error.message()).lower());
  for (const ResultLeaf &leaf : leavesOf(results)) {
    const Tensor *tensor = leaf.tensor();
    if (!tensor)
      continue;
    std::string file = path.str();
    if (isFolder)
      file = (path.rtrim('/') + "/" + memberOf(leaf, results) + ".npy").str();
    if (llvm::Error error = writeNpy(file, toNpy(*tensor)))
      return error;
    os << file << ": " << tensor->type() << '\n';
  }
  writeChecks(os, results.checks);
  return llvm::Error::success();
}
