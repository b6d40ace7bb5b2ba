// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/RunResults.h"

#include "mercator/reference/core/Print.h"
#include "mercator/support/File.h"
#include "mercator/tools/driver/NpyTensor.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace mercator;
using namespace mercator::reference;
using llvm::StringRef;

/// Tensors with more elements are shortened for a person.
static constexpr int64_t kShownElements = 1000;

std::optional<RunOutput> RunOutput::choose(Invocation &invocation) {
  StringRef path = invocation.get("o");
  auto form = Form::stream;
  if (path.empty() || path == "-")
    form = Form::stream;
  else if (invocation.has("json"))
    form = Form::jsonFile;
  else if (path.ends_with("/") || llvm::sys::fs::is_directory(path))
    form = Form::npyFolder;
  else if (path.ends_with(".npy"))
    form = Form::npyFile;
  else {
    DiagnosticEngine &diagnostics = invocation.getDiagnostics();
    (void)diagnostics.error({}, "expected a name that ends in .npy, or a "
                                "folder, after `-o`, got " +
                                    quote(path));
    diagnostics.help("-o " + path + ".npy");
    return std::nullopt;
  }
  return RunOutput(invocation, form);
}

llvm::LogicalResult RunOutput::expect(size_t tensors) {
  if (form != Form::npyFile || tensors == 1)
    return llvm::success();
  StringRef path = invocation->get("o");
  DiagnosticEngine &diagnostics = invocation->getDiagnostics();
  (void)diagnostics.error({}, "expected a folder after `-o` for " +
                                  llvm::Twine(tensors) +
                                  " results, got the file " + quote(path, 400));
  diagnostics.help("-o " + path.drop_back(StringRef(".npy").size()) + "/");
  return llvm::failure();
}

/// A tensor or token of the results, and which one it is: the process, and the
/// number of the result, with those of members where it is in a tuple.
struct Leaf {
  const Value *value;
  int64_t replica, partition;
  std::string number; // "0", "0.1"
};

static void collect(std::vector<Leaf> &leaves, const Leaf &leaf) {
  const Tuple *tuple = leaf.value->tuple();
  if (!tuple) {
    leaves.push_back(leaf);
    return;
  }
  for (auto [i, member] : llvm::enumerate(tuple->members)) {
    Leaf inner = leaf;
    inner.value = &member;
    inner.number += "." + std::to_string(i);
    collect(leaves, inner);
  }
}

static std::vector<Leaf> leavesOf(const RunResults &results) {
  std::vector<Leaf> leaves;
  for (auto [process, values] : llvm::enumerate(results.values))
    for (auto [i, value] : llvm::enumerate(values))
      collect(leaves,
              {&value, int64_t(process) / results.partitions,
               int64_t(process) % results.partitions, std::to_string(i)});
  return leaves;
}

//===----------------------------------------------------------------------===//
// For a person
//===----------------------------------------------------------------------===//

static void writeTensor(llvm::raw_ostream &os, StringRef title,
                        const Tensor &tensor) {
  os << title << ": " << tensor.type();
  if (tensor.size() > kShownElements)
    os << ", " << tensor.size() << " elements, of which the first and last 3 "
       << "of each dimension are shown";
  os << "\n  ";
  print(os, tensor, kShownElements, /*indent=*/2);
  os << '\n';
}

void RunOutput::show(StringRef name, const Tensor &tensor) {
  // A program reads one object, so what the program shows is not for it.
  if (!invocation->has("json"))
    writeTensor(invocation->getOut(),
                name.empty() ? "print" : ("probe " + name).str(), tensor);
}

static void writeChecks(llvm::raw_ostream &os, Evaluator::Checks checks) {
  if (checks.passed + checks.failed != 0)
    os << "checks: " << checks.passed << " passed, " << checks.failed
       << " failed\n";
}

static void writeText(llvm::raw_ostream &os, const RunResults &results) {
  bool several = results.values.size() > 1;
  for (const Leaf &leaf : leavesOf(results)) {
    std::string title = "result " + leaf.number;
    if (several)
      title = "process (" + std::to_string(leaf.replica) + ", " +
              std::to_string(leaf.partition) + "), " + title;
    if (const Tensor *tensor = leaf.value->tensor())
      writeTensor(os, title, *tensor);
    else
      os << title << ": token\n";
  }
  writeChecks(os, results.checks);
}

//===----------------------------------------------------------------------===//
// For a program
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
  case ElementKind::boolean:
    return json.value(value.integer != 0);
  case ElementKind::signedInt:
    return json.value(value.integer);
  case ElementKind::unsignedInt:
    return json.value(uint64_t(value.integer));
  case ElementKind::real:
    return writeFloat(json, *element.format, value.re);
  case ElementKind::complex:
    json.array([&] {
      writeFloat(json, *element.format, value.re);
      writeFloat(json, *element.format, value.im);
    });
  }
}

static void writeLeaf(llvm::json::OStream &json, const Leaf &leaf) {
  json.attribute("replica", leaf.replica);
  json.attribute("partition", leaf.partition);
  json.attribute("result", leaf.number);
  const Tensor *tensor = leaf.value->tensor();
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
  json.attributeArray("elements", [&] {
    for (int64_t i = 0; i < tensor->size(); ++i)
      writeElement(json, tensor->element(), tensor->at(i));
  });
}

static void writeJson(llvm::raw_ostream &os, const RunResults &results) {
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("schema", "mercator.run/1");
    json.attribute("module", results.module);
    json.attribute("function", results.function);
    json.attributeObject("checks", [&] {
      json.attribute("passed", results.checks.passed);
      json.attribute("failed", results.checks.failed);
    });
    json.attributeArray("results", [&] {
      for (const Leaf &leaf : leavesOf(results))
        json.object([&] { writeLeaf(json, leaf); });
    });
  });
  os << '\n';
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// The file of a result.
static std::string fileOf(const Leaf &leaf, StringRef path, bool isFolder,
                          bool severalProcesses) {
  if (!isFolder)
    return path.str();
  std::string which = leaf.number;
  if (severalProcesses)
    which = "r" + std::to_string(leaf.replica) + ".p" +
            std::to_string(leaf.partition) + "." + which;
  return (path.rtrim('/') + "/" + which + ".npy").str();
}

llvm::LogicalResult RunOutput::save(const RunResults &results) {
  DiagnosticEngine &diagnostics = invocation->getDiagnostics();
  StringRef path = invocation->get("o");
  bool isFolder = form == Form::npyFolder;
  if (isFolder)
    if (std::error_code error = llvm::sys::fs::create_directories(path))
      return diagnostics.error({}, "cannot make the folder " +
                                       quote(path, 400) + ": " +
                                       StringRef(error.message()).lower());
  for (const Leaf &leaf : leavesOf(results)) {
    if (!leaf.value->tensor())
      continue;
    const Tensor &tensor = *leaf.value->tensor();
    std::string file = fileOf(leaf, path, isFolder, results.values.size() > 1);
    if (llvm::Error error = writeNpy(file, toNpy(tensor)))
      return diagnostics.error({}, llvm::toString(std::move(error)));
    invocation->getOut() << file << ": " << tensor.type() << '\n';
  }
  writeChecks(invocation->getOut(), results.checks);
  return llvm::success();
}

llvm::LogicalResult RunOutput::write(const RunResults &results) {
  llvm::raw_ostream &os = invocation->getOut();
  switch (form) {
  case Form::stream:
    invocation->has("json") ? writeJson(os, results) : writeText(os, results);
    return llvm::success();
  case Form::jsonFile:
    if (llvm::Error error =
            writeFile(invocation->get("o"), [&](llvm::raw_ostream &file) {
              writeJson(file, results);
            }))
      return invocation->getDiagnostics().error(
          {}, llvm::toString(std::move(error)));
    return llvm::success();
  case Form::npyFile:
  case Form::npyFolder:
    return save(results);
  }
  llvm_unreachable("a form without a case");
}
