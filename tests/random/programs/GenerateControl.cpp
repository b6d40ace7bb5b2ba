// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

namespace mercator::testing {

namespace {

/// A few operations on values of type `t`, the type of `shape`. They use the
/// value `from`, and perhaps `other`. The result of the last is named `to`.
std::string someOperations(Generator &g, const TensorType &type,
                           const std::string &from, const std::string &other,
                           const std::string &to) {
  std::string t = type.text();
  switch (g.in(0, 3)) {
  case 0:
    return "  " + to + " = stablehlo.negate " + from + " : " + t + "\n";
  case 1:
    if (type.rank() > 0) {
      return "  " + to + " = stablehlo.reverse " + from +
             ", dims = " + list({g.in(0, type.rank() - 1)}) + " : " + t + "\n";
    }
    [[fallthrough]];
  default:
    return "  " + to + " = stablehlo.add " + from + ", " + other + " : " + t +
           "\n";
  }
}

std::string named(int v) { return "%{" + std::to_string(v) + "}"; }

bool ifOp(Generator &g) {
  int v = g.any("f32"), w = g.value(g.typeOf(v)), pred = g.value({{}, "i1"});
  std::string t = g.typeOf(v).text();
  std::string yes = someOperations(g, g.typeOf(v), named(v), named(w), "%r"),
              no = g.once(2)
                       ? ""
                       : "  %r = stablehlo.abs " + named(w) + " : " + t + "\n";
  g.emit("stablehlo.if", {pred}, "", {g.typeOf(v)},
         "{\n" + yes + "  stablehlo.return %r : " + t + "\n}, {\n" + no +
             "  stablehlo.return " + (no.empty() ? named(w) : "%r") + " : " +
             t + "\n}",
         {v, w});
  return true;
}

bool caseOp(Generator &g) {
  int v = g.any("f32"), w = g.value(g.typeOf(v));
  int index = g.argument({{}, "i32"});
  g.sample.values[index].lowest = -1;
  g.sample.values[index].highest = 3;
  g.sample.values[index].isIndex = true;
  std::string t = g.typeOf(v).text(), regions;
  int64_t count = g.in(1, 3);
  for (int64_t i = 0; i < count; ++i)
    regions += (i ? ", {\n" : "{\n") +
               someOperations(g, g.typeOf(v), named(g.once(2) ? v : w),
                              named(w), "%r") +
               "  stablehlo.return %r : " + t + "\n}";
  g.emit("stablehlo.case", {index}, "", {g.typeOf(v)}, regions, {v, w});
  return true;
}

bool whileOp(Generator &g) {
  int v = g.any("f32"), w = g.value(g.typeOf(v));
  int start = g.argument({{}, "i32"});
  g.sample.values[start].lowest = 0;
  g.sample.values[start].highest = 3;
  g.sample.values[start].isIndex = true;
  int limit = g.once(2) ? g.constant({{}, "i32"}, {2}) : -1;
  TensorType i{{}, "i32"};
  std::string t = g.typeOf(v).text();
  std::string carried = "(%i: tensor<i32>, %x: " + t + ", %y: " + t + ")";
  std::string bound =
      limit >= 0 ? "" : "  %n = stablehlo.constant dense<2> : tensor<i32>\n";
  std::string cond = "{\n^bb0" + carried + ":\n" + bound +
                     "  %c = stablehlo.compare LT, %i, " +
                     (limit >= 0 ? named(limit) : "%n") +
                     " : (tensor<i32>, tensor<i32>) -> tensor<i1>\n  "
                     "stablehlo.return %c : tensor<i1>\n}";
  bool swaps = g.once(3);
  std::string body =
      "{\n^bb0" + carried + ":\n" +
      someOperations(g, g.typeOf(v), "%x", "%y", "%r") +
      "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
      "  %j = stablehlo.add %i, %one : tensor<i32>\n  stablehlo.return %j, " +
      (swaps ? "%y, %r" : "%r, %y") + " : tensor<i32>, " + t + ", " + t + "\n}";
  std::vector<int> captured;
  if (limit >= 0)
    captured.push_back(limit);
  g.emit("stablehlo.while", {start, v, w}, "", {i, g.typeOf(v), g.typeOf(w)},
         cond + ", " + body, captured);
  return true;
}

/// A function @gN of two values of the same type.
std::string function(Generator &g, const TensorType &type, std::string &name) {
  name = "g" + std::to_string(g.sample.operations.size());
  std::string t = type.text();
  return "func.func private @" + name + "(%a: " + t + ", %b: " + t + ") -> (" +
         t + ", " + t + ") {\n" + someOperations(g, type, "%a", "%b", "%r") +
         "  return %r, %a : " + t + ", " + t + "\n}\n";
}
bool call(Generator &g) {
  int v = g.any("f32"), w = g.value(g.typeOf(v));
  std::string name;
  g.sample.functions += function(g, g.typeOf(v), name);
  g.emit("func.call", {v, w}, "callee = @" + name, {g.typeOf(v), g.typeOf(v)});
  return true;
}
bool composite(Generator &g) {
  int v = g.any("f32"), w = g.value(g.typeOf(v));
  std::string name;
  g.sample.functions += function(g, g.typeOf(v), name);
  g.emit("stablehlo.composite", {v, w},
         "decomposition = @" + name + ", name = \"my.op\"",
         {g.typeOf(v), g.typeOf(v)});
  return true;
}
bool fusion(Generator &g) {
  int v = g.any("f32"), w = g.value(g.typeOf(v));
  std::string t = g.typeOf(v).text();
  g.emit("hlo.fusion", {v, w}, "calls = \"g\", kind = \"kLoop\"",
         {g.typeOf(v), g.typeOf(v)},
         "{\n^bb0(%a: " + t + ", %b: " + t + "):\n" +
             someOperations(g, g.typeOf(v), "%a", "%b", "%r") +
             "  hlo.return %r, %b : " + t + ", " + t + "\n}");
  return true;
}

bool barrier(Generator &g) {
  int v = g.any("f32"), w = g.any("f32");
  g.emit("stablehlo.optimization_barrier", {v, w}, "",
         {g.typeOf(v), g.typeOf(w)});
  return true;
}

/// A tuple and its members.
bool tuple(Generator &g) {
  int v = g.any("f32"), w = g.any("i32");
  std::string type =
      "tuple<" + g.typeOf(v).text() + ", " + g.typeOf(w).text() + ">";
  int made = g.emit("stablehlo.tuple", {v, w}, "", {{{}, "none"}});
  g.sample.operations.back().resultTypes = "(" + type + ")";
  bool isFirst = g.once(2);
  g.emit("stablehlo.get_tuple_element", {made},
         std::string("index = ") + (isFirst ? "0" : "1") + " : i32",
         {g.typeOf(isFirst ? v : w)});
  g.sample.operations.back().operandTypes = "(" + type + ")";
  return true;
}

bool rng(Generator &g) {
  Numbers shape = g.shape(0, 2);
  int a = g.value({{}}), b = g.value({{}}),
      dims = g.constant({{int64_t(shape.size())}, "i64"}, shape);
  g.emit("stablehlo.rng", {a, b, dims},
         std::string("rng_distribution = #stablehlo<rng_distribution ") +
             (g.once(2) ? "UNIFORM>" : "NORMAL>"),
         {{shape}});
  return true;
}
bool rngBitGenerator(Generator &g) {
  TensorType state{{2}, "ui64"};
  g.emit("stablehlo.rng_bit_generator", {g.value(state)},
         "rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>",
         {state, {g.shape(0, 2), "ui32"}});
  return true;
}

} // namespace

void addControlGenerators(std::map<std::string, OperationGenerator> &all) {
  all["stablehlo.if"] = ifOp;
  all["stablehlo.case"] = caseOp;
  all["stablehlo.while"] = whileOp;
  all["func.call"] = call;
  all["stablehlo.composite"] = composite;
  all["hlo.fusion"] = fusion;
  all["stablehlo.optimization_barrier"] = barrier;
  all["stablehlo.get_tuple_element"] = tuple;
  all["stablehlo.rng"] = rng;
  all["stablehlo.rng_bit_generator"] = rngBitGenerator;
}

} // namespace mercator::testing
