// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs with more structure than a sequence of operations: loops that read
// slices at their counter, loops in loops, and functions that call functions
// with loops.

#include "Generator.h"

namespace mercator::testing {

namespace {

std::string named(int v) { return "%{" + std::to_string(v) + "}"; }
std::string number(int64_t n) { return std::to_string(n); }

const std::string kIndex = "tensor<i32>";

/// A counter: its initial value, its limit and its step.
struct Counter {
  int start, limit;
  int64_t step;
};
Counter counter(Generator &g, int64_t extent) {
  auto bound = [&](int64_t fixed) {
    if (!g.once(3))
      return g.constant({{}, "i32"}, {fixed});
    int v = g.argument({{}, "i32"});
    g.sample.values[v].lowest = -1;
    g.sample.values[v].highest = extent + 1;
    g.sample.values[v].isIndex = true;
    return v;
  };
  int start = bound(g.once(3) ? 1 : 0), limit = bound(extent);
  return {start, limit, g.once(4) ? 2 : 1};
}

/// The text of a loop that carries a counter %i and values %x.. of the types
/// `types`; `tag` makes names unique.
struct LoopText {
  std::string tag;
  std::vector<std::string> types; ///< of the carried values
  std::string body;               ///< operations
  std::vector<std::string> next;  ///< the names of the returned values

  [[nodiscard]] std::string name(size_t k) const {
    return "%x" + tag + "_" + std::to_string(k);
  }
  [[nodiscard]] std::string counterName() const { return "%i" + tag; }
  [[nodiscard]] std::string regions(const std::string &limit,
                                    int64_t step) const {
    std::string arguments = "(" + counterName() + ": " + kIndex,
                returned = "%n" + tag, returnedTypes = kIndex;
    for (size_t k = 0; k < types.size(); ++k) {
      arguments += ", " + name(k) + ": " + types[k];
      returned += ", " + next[k];
      returnedTypes += ", " + types[k];
    }
    arguments += ")";
    return "{\n^bb0" + arguments + ":\n  %c" + tag +
           " = stablehlo.compare LT, " + counterName() + ", " + limit + " : (" +
           kIndex + ", " + kIndex + ") -> tensor<i1>\n  stablehlo.return %c" +
           tag + " : tensor<i1>\n}, {\n^bb0" + arguments + ":\n" + body +
           "  %by" + tag + " = stablehlo.constant dense<" + number(step) +
           "> : " + kIndex + "\n  %n" + tag + " = stablehlo.add " +
           counterName() + ", %by" + tag + " : " + kIndex +
           "\n  stablehlo.return " + returned + " : " + returnedTypes + "\n}";
  }
};

std::string typeText(const Numbers &shape) { return TensorType{shape}.text(); }

/// Operations that make %TO, the slice of `from` at `index` along its first
/// dimension.
std::string sliceAt(const Numbers &shape, const std::string &from,
                    const std::string &index, const std::string &to) {
  Numbers slice = shape, rest(shape.begin() + 1, shape.end());
  slice[0] = 1;
  std::string zeros, zeroTypes;
  for (size_t d = 1; d < shape.size(); ++d) {
    zeros += ", " + to + "z";
    zeroTypes += ", " + kIndex;
  }
  return "  " + to + "z = stablehlo.constant dense<0> : " + kIndex + "\n  " +
         to + "s = stablehlo.dynamic_slice " + from + ", " + index + zeros +
         ", sizes = " + list(slice) + " : (" + typeText(shape) + ", " + kIndex +
         zeroTypes + ") -> " + typeText(slice) + "\n  " + to +
         " = stablehlo.reshape " + to + "s : (" + typeText(slice) + ") -> " +
         typeText(rest) + "\n";
}

/// The counter, or extent - 1 - counter: operations and a name.
std::string place(Generator &g, const std::string &counter, int64_t extent,
                  const std::string &tag, std::string &name) {
  if (!g.once(3)) {
    name = counter;
    return "";
  }
  name = "%p" + tag;
  return "  %l" + tag + " = stablehlo.constant dense<" + number(extent - 1) +
         "> : " + kIndex + "\n  " + name + " = stablehlo.subtract %l" + tag +
         ", " + counter + " : " + kIndex + "\n";
}

/// A step on the accumulator %acc and a slice %s of type `t`.
std::string step(Generator &g, const std::string &acc, const std::string &s,
                 const std::string &to, const std::string &t) {
  if (g.once(4))
    return "  " + to + " = stablehlo.negate " + s + " : " + t + "\n";
  return "  " + to + " = stablehlo." +
         g.oneOf<std::string>({"add", "maximum"}) + " " + acc + ", " + s +
         " : " + t + "\n";
}

/// A loop that folds slices of a tensor, or writes them to the place where it
/// reads them.
bool loopOfSlices(Generator &g) {
  // Long loops are not unrolled.
  bool isLong = g.once(3);
  Numbers shape = {isLong ? g.in(17, 20) : g.in(2, 4)};
  if (!isLong && g.once(2))
    shape.push_back(g.in(1, 3));
  Numbers rest(shape.begin() + 1, shape.end());
  int xs = g.value({shape});
  bool isCarried = g.once(2), writes = g.once(3);
  int acc = g.value({writes ? shape : rest});
  Counter c = counter(g, shape[0]);
  LoopText loop{"", {typeText(writes ? shape : rest)}, "", {"%r"}};
  if (isCarried) {
    loop.types.push_back(typeText(shape));
    loop.next.push_back(loop.name(1));
  }
  std::string at;
  loop.body = place(g, loop.counterName(), shape[0], "", at);
  loop.body += sliceAt(shape, isCarried ? loop.name(1) : named(xs), at, "%s");
  if (writes) {
    Numbers slice = shape;
    slice[0] = 1;
    std::string t = typeText(slice), zeros, zeroTypes;
    for (size_t d = 1; d < shape.size(); ++d) {
      zeros += ", %sz";
      zeroTypes += ", " + kIndex;
    }
    loop.body += "  %w = stablehlo.negate %ss : " + t +
                 "\n  %r = stablehlo.dynamic_update_slice " + loop.name(0) +
                 ", %w, " + (g.once(2) ? at : loop.counterName()) + zeros +
                 " : (" + typeText(shape) + ", " + t + ", " + kIndex +
                 zeroTypes + ") -> " + typeText(shape) + "\n";
  } else {
    loop.body += step(g, loop.name(0), "%s", "%r", typeText(rest));
  }
  std::vector<int> operands = {c.start, acc}, captured = {c.limit};
  std::vector<TensorType> results = {{{}, "i32"}, g.typeOf(acc)};
  if (isCarried) {
    operands.push_back(xs);
    results.push_back(g.typeOf(xs));
  } else {
    captured.push_back(xs);
  }
  g.emit("stablehlo.while", operands, "", results,
         loop.regions(named(c.limit), c.step), captured);
  return true;
}

/// A loop over the rows of a matrix, with an inner loop over the columns.
bool loopInLoop(Generator &g) {
  Numbers shape = {g.in(2, 3), g.in(1, 3)}, row = {shape[1]};
  int xs = g.value({shape}), acc = g.value({{}});
  Counter outer = counter(g, shape[0]), inner = counter(g, shape[1]);
  std::string t = typeText({});
  LoopText columns{"j", {t}, "", {"%rj"}}, rows{"i", {t}, "", {"%o#1"}};
  std::string at, column;
  rows.body = place(g, rows.counterName(), shape[0], "i", at);
  bool slicesOutside = g.once(2);
  std::string slice = sliceAt(shape, named(xs), at, "%s");
  if (slicesOutside)
    rows.body += slice;
  else
    columns.body += slice;
  columns.body += place(g, columns.counterName(), shape[1], "j", column);
  columns.body += sliceAt(row, "%s", column, "%e") +
                  step(g, columns.name(0), "%e", "%rj", t);
  rows.body += "  %o:2 = \"stablehlo.while\"(" + named(inner.start) + ", " +
               rows.name(0) + ") (" +
               columns.regions(named(inner.limit), inner.step) + ") : (" +
               kIndex + ", " + t + ") -> (" + kIndex + ", " + t + ")\n";
  g.emit("stablehlo.while", {outer.start, acc}, "",
         {{{}, "i32"}, g.typeOf(acc)},
         rows.regions(named(outer.limit), outer.step),
         {outer.limit, inner.start, inner.limit, xs});
  return true;
}

/// A function that passes its arguments to another function, in some order. The
/// inner function has a loop, or reads at an index argument.
bool callOfCalls(Generator &g) {
  Numbers shape = {g.in(2, 4), g.in(1, 3)}, rest = {shape[1]};
  std::string t = typeText(shape), r = typeText(rest),
              name = "h" + number(int64_t(g.sample.operations.size()));
  int xs = g.value({shape}), acc = g.value({rest});
  int index = g.argument({{}, "i32"});
  g.sample.values[index].lowest = -1;
  g.sample.values[index].highest = shape[0];
  g.sample.values[index].isIndex = true;
  std::string head = "(%a: " + t + ", %b: " + r + ", %k: " + kIndex + ") -> " +
                     r + " {\n",
              inner;
  if (g.once(2)) {
    inner = sliceAt(shape, "%a", "%k", "%s") + step(g, "%b", "%s", "%r", r);
  } else {
    LoopText loop{"", {r}, "", {"%y"}};
    loop.body = sliceAt(shape, "%a", loop.counterName(), "%s") +
                step(g, loop.name(0), "%s", "%y", r);
    std::string zero =
                    "  %zero = stablehlo.constant dense<0> : " + kIndex + "\n",
                limit = "%k";
    if (g.once(2)) {
      zero += "  %limit = stablehlo.constant dense<" + number(shape[0]) +
              "> : " + kIndex + "\n";
      limit = "%limit";
    }
    inner = zero + "  %l:2 = \"stablehlo.while\"(%zero, %b) (" +
            loop.regions(limit, 1) + ") : (" + kIndex + ", " + r + ") -> (" +
            kIndex + ", " + r + ")\n  %r = stablehlo.abs %l#1 : " + r + "\n";
  }
  std::string callText =
      "(%a, %X, %k) : (" + t + ", " + r + ", " + kIndex + ") -> " + r + "\n";
  auto call = [&](const std::string &x) {
    std::string text = callText;
    return text.replace(text.find("%X"), 2, x);
  };
  g.sample.functions += "func.func private @" + name + "_inner" + head + inner +
                        "  return %r : " + r + "\n}\nfunc.func private @" +
                        name + head;
  g.sample.functions += "  %p = call @" + name + "_inner" + call("%b");
  if (g.once(2))
    g.sample.functions += "  %v = stablehlo.reverse %p, dims = [0] : " + r +
                          "\n  %q = call @" + name + "_inner" + call("%v") +
                          "  return %q : " + r + "\n}\n";
  else
    g.sample.functions += "  return %p : " + r + "\n}\n";
  g.emit("func.call", {xs, acc, index}, "callee = @" + name, {g.typeOf(acc)});
  return true;
}

} // namespace

void addLoopGenerators(std::map<std::string, OperationGenerator> &all) {
  all["loops of slices"] = loopOfSlices;
  all["loops in loops"] = loopInLoop;
  all["calls of calls"] = callOfCalls;
}

} // namespace mercator::testing
