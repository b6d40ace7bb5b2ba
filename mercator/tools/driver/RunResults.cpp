// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/RunResults.h"

#include "mercator/reference/Print.h"

#include "llvm/Support/JSON.h"

#include <cmath>

using namespace mercator;
using namespace mercator::reference;
using llvm::StringRef;

/// Tensors with more elements are shortened for a person.
static constexpr int64_t kShownElements = 1000;

std::optional<RunOutput> RunOutput::choose(Invocation &invocation) {
  return RunOutput(invocation);
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

static void writeValue(llvm::raw_ostream &os, const std::string &title,
                       const Value &value) {
  if (const Tensor *tensor = value.tensor()) {
    writeTensor(os, title, *tensor);
  } else if (const Tuple *tuple = value.tuple()) {
    for (auto [i, member] : llvm::enumerate(tuple->members))
      writeValue(os, title + "." + std::to_string(i), member);
  } else {
    os << title << ": token\n";
  }
}

void RunOutput::show(StringRef name, const Tensor &tensor) {
  // A program reads one object, so what the program shows is not for it.
  if (!invocation->has("json"))
    writeTensor(invocation->getOut(),
                name.empty() ? "print" : ("probe " + name).str(), tensor);
}

void RunOutput::writeText(llvm::ArrayRef<Value> results,
                          Evaluator::Checks checks) {
  llvm::raw_ostream &os = invocation->getOut();
  for (auto [i, value] : llvm::enumerate(results))
    writeValue(os, "result " + std::to_string(i), value);
  if (checks.passed + checks.failed != 0)
    os << "checks: " << checks.passed << " passed, " << checks.failed
       << " failed\n";
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

static void writeValue(llvm::json::OStream &json, const Value &value) {
  json.object([&] {
    if (const Tensor *tensor = value.tensor()) {
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
    } else if (const Tuple *tuple = value.tuple()) {
      json.attribute("type", "tuple");
      json.attributeArray("members", [&] {
        for (const Value &member : tuple->members)
          writeValue(json, member);
      });
    } else {
      json.attribute("type", "token");
    }
  });
}

void RunOutput::writeJson(llvm::raw_ostream &os, StringRef module,
                          StringRef function, llvm::ArrayRef<Value> results,
                          Evaluator::Checks checks) {
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("schema", "mercator.run/1");
    json.attribute("module", module);
    json.attribute("function", function);
    json.attributeObject("checks", [&] {
      json.attribute("passed", checks.passed);
      json.attribute("failed", checks.failed);
    });
    json.attributeArray("results", [&] {
      for (const Value &value : results)
        writeValue(json, value);
    });
  });
  os << '\n';
}

llvm::LogicalResult RunOutput::write(StringRef module, StringRef function,
                                     llvm::ArrayRef<Value> results,
                                     Evaluator::Checks checks) {
  if (invocation->has("json"))
    writeJson(invocation->getOut(), module, function, results, checks);
  else
    writeText(results, checks);
  return llvm::success();
}
