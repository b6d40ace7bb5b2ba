// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sample.h"

namespace mercator::testing {

std::string join(const Numbers &numbers) {
  std::string out;
  for (int64_t n : numbers)
    out += (out.empty() ? "" : ", ") + std::to_string(n);
  return out;
}
std::string list(const Numbers &numbers) { return "[" + join(numbers) + "]"; }
std::string array(const Numbers &numbers) {
  return numbers.empty() ? "array<i64>" : "array<i64: " + join(numbers) + ">";
}

std::string TensorType::text() const {
  std::string out = "tensor<";
  for (int64_t extent : shape)
    out += std::to_string(extent) + "x";
  return out + element + ">";
}

static std::string nameOf(const Sample &sample, int value) {
  const SampleValue &v = sample.values[value];
  if (v.isArgument())
    return "%v" + std::to_string(value);
  const SampleOperation &op = sample.operations[v.operation];
  std::string name = "%v" + std::to_string(op.results[0]);
  return op.results.size() > 1 ? name + "#" + std::to_string(v.result) : name;
}

/// Replaces every "%{n}" by the name of value n.
static std::string withNames(const Sample &sample, const std::string &text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "%{") != 0) {
      out += text[i];
      continue;
    }
    size_t end = text.find('}', i);
    out += nameOf(sample, std::stoi(text.substr(i + 2, end - i - 2)));
    i = end;
  }
  return out;
}

std::vector<int> Sample::arguments() const {
  std::vector<bool> used(values.size());
  for (const SampleOperation &op : operations) {
    for (int v : op.operands)
      used[v] = true;
    for (int v : op.captured)
      used[v] = true;
  }
  for (int v : returned)
    used[v] = true;
  std::vector<int> list;
  for (int v = 0; v < int(values.size()); ++v)
    if (used[v] && values[v].isArgument())
      list.push_back(v);
  return list;
}

std::string Sample::text() const {
  auto types = [&](const std::vector<int> &list) {
    std::string out;
    for (int v : list)
      out += (out.empty() ? "" : ", ") + values[v].type.text();
    return "(" + out + ")";
  };
  auto names = [&](const std::vector<int> &list) {
    std::string out;
    for (int v : list)
      out += (out.empty() ? "" : ", ") + nameOf(*this, v);
    return out;
  };
  std::string parameters;
  for (int v : arguments())
    parameters += (parameters.empty() ? "" : ", ") + nameOf(*this, v) + ": " +
                  values[v].type.text() + " loc(\"v" + std::to_string(v) +
                  "\")";
  std::string out = functions + "func.func @f(" + parameters + ") -> " +
                    types(returned) + " {\n";
  for (const SampleOperation &op : operations) {
    out += "  ";
    if (!op.results.empty())
      out += "%v" + std::to_string(op.results[0]) +
             (op.results.size() > 1 ? ":" + std::to_string(op.results.size())
                                    : "") +
             " = ";
    out += "\"" + op.name + "\"(" + names(op.operands) + ")";
    if (!op.attributes.empty())
      out += " <{" + op.attributes + "}>";
    if (!op.regions.empty())
      out += " (" + withNames(*this, op.regions) + ")";
    out += " : " +
           (op.operandTypes.empty() ? types(op.operands) : op.operandTypes) +
           " -> " +
           (op.resultTypes.empty() ? types(op.results) : op.resultTypes);
    if (!op.results.empty())
      out += " loc(\"v" + std::to_string(op.results[0]) + "\")";
    out += "\n";
  }
  return out + "  return " + names(returned) + (returned.empty() ? "" : " : ") +
         (returned.empty()
              ? ""
              : types(returned).substr(1, types(returned).size() - 2)) +
         "\n}\n";
}

void Sample::prune() {
  std::vector<bool> needed(values.size());
  for (int v : returned)
    needed[v] = true;
  std::vector<int> number(operations.size(), -1);
  std::vector<SampleOperation> kept;
  for (int i = int(operations.size()) - 1; i >= 0; --i) {
    SampleOperation &op = operations[i];
    bool isNeeded = false;
    for (int v : op.results)
      isNeeded |= needed[v] && values[v].operation == i;
    if (!isNeeded)
      continue;
    number[i] = int(kept.size());
    for (int v : op.operands)
      needed[v] = true;
    for (int v : op.captured)
      needed[v] = true;
    kept.push_back(op);
  }
  for (SampleValue &v : values)
    if (v.operation >= 0)
      v.operation = number[v.operation] < 0
                        ? -1
                        : int(kept.size()) - 1 - number[v.operation];
  operations.assign(kept.rbegin(), kept.rend());
}

std::vector<Sample> Sample::smaller() const {
  std::vector<Sample> out;
  auto isPlain = [&](int i) {
    return operations[i].operandTypes.empty() &&
           operations[i].resultTypes.empty();
  };
  // Return one operand of the last operation.
  for (int v : returned)
    if (!values[v].isArgument()) {
      const SampleOperation &op = operations[values[v].operation];
      if (!isPlain(values[v].operation))
        continue;
      for (int operand : op.operands)
        if (!values[operand].isArgument()) {
          out.push_back(*this);
          out.back().returned = {operand};
          out.back().prune();
        }
    }
  // Replace the results of an operation by arguments.
  for (int i = 0; i < int(operations.size()); ++i) {
    bool isReturned = !isPlain(i);
    for (int v : operations[i].results)
      for (int r : returned)
        isReturned |= v == r;
    if (isReturned)
      continue;
    out.push_back(*this);
    for (int v : operations[i].results)
      out.back().values[v].operation = -1;
    out.back().prune();
  }
  return out;
}

int64_t Sample::weight() const {
  int64_t sum = 1000 * int64_t(operations.size());
  for (const SampleOperation &op : operations)
    for (int v : op.results)
      sum += 10 + values[v].type.size() + values[v].type.rank();
  for (int v : arguments())
    sum += 10 + values[v].type.size() + values[v].type.rank();
  return sum;
}

} // namespace mercator::testing
