// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LoopPrograms.h"

#include <random>

namespace mercator::testing {

using std::string;
using std::to_string;
using std::vector;

string loopText(const string &result, int number, int count,
                const vector<Carried> &carried, const string &body) {
  string i = "%i" + to_string(number), n = to_string(number);
  string types = "tensor<i32>", values = "%next" + n;
  string text = "%start" + n +
                " = stablehlo.constant dense<0> : tensor<i32>\n%" + result +
                ":" + to_string(carried.size() + 1) + " = stablehlo.while(" +
                i + " = %start" + n;
  for (const Carried &each : carried) {
    text += ", " + each.name + " = " + each.init;
    types += ", " + each.type;
    values += ", " + each.next;
  }
  return text + ") : " + types + "\ncond {\n%end" + n +
         " = stablehlo.constant dense<" + to_string(count) +
         "> : tensor<i32>\n%more" + n + " = stablehlo.compare LT, " + i +
         ", %end" + n +
         " : (tensor<i32>, tensor<i32>) -> tensor<i1>\nstablehlo.return %more" +
         n + " : tensor<i1>\n} do {\n" + body + "%step" + n +
         " = stablehlo.constant dense<1> : tensor<i32>\n%next" + n +
         " = stablehlo.add " + i + ", %step" + n +
         " : tensor<i32>\nstablehlo.return " + values + " : " + types + "\n}\n";
}

namespace {
class Maker {
public:
  Maker(uint64_t seed, bool isUnknown) : engine(seed), isUnknown(isUnknown) {}
  string make();

private:
  int below(int n) { return int(engine() % uint64_t(n)); }
  bool chance(int percent) { return below(100) < percent; }
  string fresh() { return "%v" + to_string(next++); }
  template <typename T> const T &anyOf(const vector<T> &all) {
    return all[size_t(below(int(all.size())))];
  }
  string add(const string &operation) {
    string name = fresh();
    text += name + " = " + operation + "\n";
    return name;
  }

  string index();
  string starts(const string &first);
  string element(const vector<string> &pool);
  string statement(vector<string> &pool, int depth);
  string update(const string &tensor, const string &element);
  string scatter(const vector<string> &pool);
  string conditional(const vector<string> &pool, int depth);
  string loop(const vector<string> &pool, int depth);
  string body(vector<string> pool, int depth, vector<string> &results,
              size_t count);

  std::mt19937_64 engine;
  bool isUnknown;
  int next = 0, loops = 0;
  string text;
  string type, row, unknownRow;
  vector<int> shape;
  vector<string> counters;
};
} // namespace

/// A start index, a tensor<i32>; what is out of range is clamped.
string Maker::index() {
  if (counters.empty() || chance(15))
    return add("stablehlo.constant dense<" + to_string(below(shape[0] + 2)) +
               "> : tensor<i32>");
  const string &i = anyOf(counters);
  if (chance(50))
    return i;
  string c = add("stablehlo.constant dense<" + to_string(below(shape[0])) +
                 "> : tensor<i32>");
  return add(string(chance(50) ? "stablehlo.subtract " : "stablehlo.add ") + c +
             ", " + i + " : tensor<i32>");
}

string Maker::starts(const string &first) {
  string all = first;
  for (size_t i = 1; i < shape.size(); ++i)
    all += ", " + add("stablehlo.constant dense<0> : tensor<i32>");
  return all;
}

static string startTypes(size_t rank) {
  string types;
  for (size_t i = 0; i < rank; ++i)
    types += ", tensor<i32>";
  return types;
}

/// The first row of a tensor, or one of its elements.
string Maker::element(const vector<string> &pool) {
  string at = starts(index());
  string sizes = "1";
  for (size_t i = 1; i < shape.size(); ++i)
    sizes += ", " + to_string(shape[i]);
  string own =
      add("stablehlo.dynamic_slice " + anyOf(pool) + ", " + at + ", sizes = [" +
          sizes + "] : (" + type + startTypes(shape.size()) + ") -> " + row);
  if (chance(40))
    return own;
  string more =
      add("stablehlo.constant dense<" + to_string(below(9) - 4) + "> : " + row);
  return add(string(chance(70) ? "stablehlo.add " : "stablehlo.multiply ") +
             own + ", " + more + " : " + row);
}

string Maker::update(const string &tensor, const string &element) {
  string at = starts(index());
  return add("stablehlo.dynamic_update_slice " + tensor + ", " + element +
             ", " + at + " : (" + type + ", " + row + startTypes(shape.size()) +
             ") -> " + type);
}

string Maker::scatter(const vector<string> &pool) {
  string at =
      add("stablehlo.reshape " + index() + " : (tensor<i32>) -> tensor<1xi32>");
  string number = add("stablehlo.reshape " + element(pool) + " : (" + row +
                      ") -> tensor<i32>");
  string name = fresh(), sum = fresh();
  text += name + " = \"stablehlo.scatter\"(" + anyOf(pool) + ", " + at + ", " +
          number +
          ") <{indices_are_sorted = true, scatter_dimension_numbers = "
          "#stablehlo.scatter<inserted_window_dims = [0], "
          "scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({\n"
          "^bb0(%old" +
          sum.substr(1) + ": tensor<i32>, %new" + sum.substr(1) +
          ": tensor<i32>):\n";
  string what = chance(50) ? "%new" + sum.substr(1) : "";
  if (what.empty()) {
    text += sum + " = stablehlo.add %old" + sum.substr(1) + ", %new" +
            sum.substr(1) + " : tensor<i32>\n";
    what = sum;
  }
  text += "stablehlo.return " + what + " : tensor<i32>\n}) : (" + type +
          ", tensor<1xi32>, tensor<i32>) -> " + type + "\n";
  return name;
}

/// The text of a region: some operations, and tensors of the pool.
string Maker::body(vector<string> pool, int depth, vector<string> &results,
                   size_t count) {
  string before = std::move(text);
  text.clear();
  size_t first = pool.size();
  for (int i = below(3) + int(depth == 1); i >= 0; --i)
    pool.push_back(statement(pool, depth));
  for (size_t i = 0; i < count; ++i)
    results.push_back(
        chance(60) ? pool[first + size_t(below(int(pool.size() - first)))]
                   : anyOf(pool));
  std::swap(before, text);
  return before;
}

string Maker::conditional(const vector<string> &pool, int depth) {
  string bit;
  if (counters.empty() || chance(20)) {
    bit =
        add("stablehlo.reshape " + index() + " : (tensor<i32>) -> tensor<i32>");
  } else {
    string one = add("stablehlo.constant dense<1> : tensor<i32>");
    bit =
        add("stablehlo.and " + anyOf(counters) + ", " + one + " : tensor<i32>");
  }
  size_t count = 1 + size_t(below(2)), cases = 2 + size_t(below(2));
  string types = type, name = fresh();
  if (count == 2)
    types += ", " + type;
  bool isIf = cases == 2;
  string operand = bit;
  if (isIf) {
    string zero = add("stablehlo.constant dense<0> : tensor<i32>");
    operand = add("stablehlo.compare EQ, " + bit + ", " + zero +
                  " : (tensor<i32>, tensor<i32>) -> tensor<i1>");
  }
  string own = name + ":" + to_string(count) + " = \"stablehlo." +
               (isIf ? "if" : "case") + "\"(" + operand + ") (";
  for (size_t i = 0; i < cases; ++i) {
    vector<string> results;
    string inner =
        chance(25) ? string() : body(pool, depth + 1, results, count);
    while (results.size() < count)
      results.push_back(anyOf(pool));
    string values = results[0];
    if (count == 2)
      values += ", " + results[1];
    own += string(i ? ", " : "") + "{\n" + inner + "stablehlo.return " +
           values + " : " + types + "\n}";
  }
  text += own + ") : (" + (isIf ? "tensor<i1>" : "tensor<i32>") + ") -> ";
  text += count == 2 ? "(" + types + ")\n" : types + "\n";
  return name + "#" + to_string(below(int(count)));
}

string Maker::loop(const vector<string> &pool, int depth) {
  int number = loops++;
  size_t count = 1 + size_t(below(depth == 0 ? 4 : 3));
  vector<Carried> carried;
  vector<string> inner = chance(50) || depth == 0 ? vector<string>() : pool;
  size_t given = inner.size();
  for (size_t i = 0; i < count; ++i) {
    string name = "%c" + to_string(number) + "_" + to_string(i);
    carried.push_back({name, anyOf(pool), "", type});
    inner.push_back(name);
  }
  counters.push_back("%i" + to_string(number));
  vector<string> results;
  string own = body(inner, depth + 1, results, count);
  // Some exchange places, or stay.
  for (size_t i = 0; i < count; ++i)
    carried[i].next =
        chance(35) ? inner[given + size_t(below(int(count)))] : results[i];
  counters.pop_back();
  string name = "loop" + to_string(number);
  text += loopText(name, number, below(depth == 0 ? 7 : 4), carried, own);
  return "%" + name + "#" + to_string(1 + below(int(count)));
}

string Maker::statement(vector<string> &pool, int depth) {
  switch (below(depth < 3 ? 12 : 8)) {
  case 0:
    return add("stablehlo.add " + anyOf(pool) + ", " + anyOf(pool) + " : " +
               type);
  case 1:
    return add("stablehlo.maximum " + anyOf(pool) + ", " + anyOf(pool) + " : " +
               type);
  case 2: {
    if (isUnknown || shape.size() != 1)
      return add("stablehlo.subtract " + anyOf(pool) + ", " + anyOf(pool) +
                 " : " + type);
    // The elements move by one place.
    const string &from = anyOf(pool);
    string n = to_string(shape[0]), rest = to_string(shape[0] - 1);
    string a = add("stablehlo.slice " + from + " [1:" + n + "] : (" + type +
                   ") -> tensor<" + rest + "xi32>");
    string b = add("stablehlo.slice " + from + " [0:1] : (" + type +
                   ") -> tensor<1xi32>");
    return add("stablehlo.concatenate " + a + ", " + b +
               ", dim = 0 : (tensor<" + rest + "xi32>, tensor<1xi32>) -> " +
               type);
  }
  case 3:
    if (shape.size() == 1)
      return scatter(pool);
    [[fallthrough]];
  case 4: {
    const string &tensor = anyOf(pool);
    return add("func.call @g(" + tensor + ", " + index() + ") : (" + type +
               ", tensor<i32>) -> " + type);
  }
  case 8:
  case 9:
    return conditional(pool, depth);
  case 10:
  case 11:
    return loop(pool, depth);
  default: {
    string what = element(pool);
    return update(anyOf(pool), what);
  }
  }
}

string Maker::make() {
  // On the stack, in the arena, and of two dimensions.
  static const vector<vector<int>> shapes = {{5}, {12}, {72}, {300}, {6, 20}};
  shape = anyOf(shapes);
  string rest;
  for (size_t i = 1; i < shape.size(); ++i)
    rest += "x" + to_string(shape[i]);
  type = "tensor<" + (isUnknown ? string("?") : to_string(shape[0])) + rest +
         "xi32>";
  row = "tensor<1" + rest + "xi32>";
  vector<string> pool;
  string parameters;
  for (int i = 0; i < 3; ++i) {
    pool.push_back("%x" + to_string(i));
    parameters += string(i ? ", " : "") + pool.back() + ": " + type;
  }
  if (!isUnknown)
    pool.push_back(
        add("stablehlo.constant dense<" + to_string(below(5)) + "> : " + type));
  for (int i = below(3); i > 0; --i)
    pool.push_back(statement(pool, 1));
  for (int i = 1 + below(2); i > 0; --i) {
    string given = loop(pool, 0);
    string name = given.substr(0, given.find('#'));
    // All of its tensors.
    for (int k = 1; text.find(name + ":" + to_string(k) + " =") == string::npos;
         ++k)
      pool.push_back(name + "#" + to_string(k));
    if (chance(40))
      pool.push_back(statement(pool, 1));
  }
  vector<string> results;
  for (int i = 2 + below(4); i > 0; --i)
    results.push_back(
        pool[pool.size() - 1 - size_t(below(std::min(int(pool.size()), 6)))]);
  string values, types;
  for (const string &each : results) {
    values += (values.empty() ? "" : ", ") + each;
    types += (types.empty() ? "" : ", ") + type;
  }
  string own = std::move(text);
  text.clear();
  // A function that updates its argument.
  string tensor = "%t", zero;
  counters = {"%k"};
  string element = this->element({tensor});
  string updated = update(tensor, element);
  return "func.func @f(" + parameters + ") -> (" + types + ") {\n" + own +
         "return " + values + " : " + types +
         "\n}\nfunc.func private @g(%t: " + type + ", %k: tensor<i32>) -> " +
         type + " {\n" + text + "return " + updated + " : " + type + "\n}\n";
}

string randomLoopProgram(uint64_t seed, bool isUnknown) {
  return Maker(seed * 2654435761u + 17, isUnknown).make();
}

} // namespace mercator::testing
