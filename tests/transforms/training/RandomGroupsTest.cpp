// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Groups of rows and of cells that are written at random, most of them wrong: each is
/// refused with a reason, or its results are those of the evaluator, which does not see
/// the attributes.
///
///   MERCATOR_SEED=N   the program of one seed
///   MERCATOR_GROUPS=N their number

#include "tests/Scale.h"
#include "tests/Seed.h"
#include "tests/random/training/Draws.h"

#include "mercator/compiler/native/Native.h"
#include "mercator/dialects/Register.h"
#include "mercator/reference/AllRules.h"
#include "mercator/targets/cpu/llvm/Lower.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cmath>
#include <set>

using namespace mercator;
using namespace mercator::testing;
using reference::Tensor;
using Values = std::vector<reference::Value>;

namespace {

/// A dispatch of some operations on tensors of two or three dimensions. An operation
/// has up to three loops, and reads what was computed before, with its loops in the
/// order of the result or in another one, along a diagonal, as a reshaped tensor, or at
/// places that its body computes.
class GroupText : private Draws {
public:
  explicit GroupText(uint64_t seed) : Draws(seed), isOfCells(seed % 2 == 1) {}

  std::string run() {
    for (int64_t count = draw(2, 3); count > 0; --count) {
      std::string name = "%a" + std::to_string(count), type = typeOf(shape());
      values.push_back({name, lastShape});
      arguments.push_back(type);
      body += "      " + name + " = flow.dispatch.tensor.load %arg" +
              std::to_string(arguments.size() - 1) + pieceOf(lastShape) +
              " : !flow.dispatch.tensor<readonly:" + type + "> -> " + type +
              "\n";
    }
    for (int64_t count = draw(2, 4); count > 0; --count)
      operation();
    return text();
  }

private:
  using Shape = std::vector<int64_t>;
  struct Named {
    std::string name;
    Shape shape;
  };
  bool isOfCells;
  std::vector<Named> values;
  std::vector<std::string> arguments;
  std::vector<std::string> stored; ///< results and their types
  std::string body;
  Shape lastShape;
  int numbers = 0;
  bool isFirst = true;

  std::string fresh() { return "%v" + std::to_string(numbers++); }
  int64_t extent() { return once(5) ? 6 : 8; } // equal ones are confused
  const Shape &shape() {
    lastShape.assign(size_t(once(4) ? 3 : 2), 0);
    for (int64_t &each : lastShape)
      each = extent();
    return lastShape;
  }
  static std::string typeOf(const Shape &shape) {
    std::string type = "tensor<";
    for (int64_t each : shape)
      type += std::to_string(each) + "x";
    return type + "f64>";
  }
  static std::string list(const Shape &numbers) {
    std::string text = "[";
    llvm::raw_string_ostream os(text);
    llvm::interleaveComma(numbers, os);
    return text + "]";
  }
  static std::string pieceOf(const Shape &shape) {
    return ", offsets = " + list(Shape(shape.size(), 0)) +
           ", sizes = " + list(shape) +
           ", strides = " + list(Shape(shape.size(), 1));
  }
  static std::string mapOf(size_t loops, const Shape &results) {
    std::string text = "affine_map<(";
    for (size_t i = 0; i < loops; ++i)
      text += (i ? ", d" : "d") + std::to_string(i);
    text += ") -> (";
    for (size_t i = 0; i < results.size(); ++i)
      text += (i ? ", d" : "d") + std::to_string(results[i]);
    return text + ")>";
  }

  /// A loop for each dimension of the shape; one twice is a diagonal.
  std::optional<Shape> loopsFor(const Shape &shape, const Shape &loops) {
    Shape chosen;
    for (int64_t each : shape) {
      Shape possible;
      for (size_t i = 0; i < loops.size(); ++i)
        if (loops[i] == each &&
            (once(12) || !llvm::is_contained(chosen, int64_t(i))))
          possible.push_back(int64_t(i));
      if (possible.empty())
        return std::nullopt;
      chosen.push_back(
          once(3) ? possible[size_t(draw(0, int64_t(possible.size()) - 1))]
                  : possible.front());
    }
    return chosen;
  }

  /// A reshaped form of a value: another name for the same memory.
  Named reshaped(const Named &value) {
    std::string flat = fresh();
    int64_t size = 1;
    Shape all;
    for (size_t i = 0; i < value.shape.size(); ++i) {
      size *= value.shape[i];
      all.push_back(int64_t(i));
    }
    Named made{fresh(), value.shape};
    std::swap(made.shape.front(), made.shape.back());
    body += "      " + flat + " = tensor.collapse_shape " + value.name + " [" +
            list(all) + "] : " + typeOf(value.shape) + " into " +
            typeOf({size}) + "\n      " + made.name +
            " = tensor.expand_shape " + flat + " [" + list(all) +
            "] output_shape " + list(made.shape) + " : " + typeOf({size}) +
            " into " + typeOf(made.shape) + "\n";
    return made;
  }

  /// What says how the operation is computed; empty for an operation alone.
  std::string attributes(const Shape &loops, const Shape &result) {
    if (once(8))
      return "";
    auto any = [&] {
      return once(6) ? draw(0, int64_t(loops.size()) - 1)
                     : result[once(5) ? result.size() - 1 : 0];
    };
    std::string first =
        isFirst ? " rows=" + std::to_string(draw(once(8) ? 0 : 1, 5)) +
                      " parts=" + std::to_string(draw(once(8) ? 0 : 1, 3))
                : "";
    isFirst = false;
    if (!isOfCells)
      return "mercator.rows = \"group=0 loop=" + std::to_string(any()) + first +
             "\"";
    Shape cells = {any()};
    return "mercator.cells = " + mapOf(loops.size(), cells) +
           ", mercator.tile = \"group=0" + first + "\"";
  }

  void operation() {
    Shape loops(size_t(once(2) ? 3 : 2), 0);
    bool isProduct = isOfCells && once(2);
    if (isProduct)
      loops.resize(3);
    for (int64_t &each : loops)
      each = extent();
    // The result has the first loops, in their order or in another one; the others are
    // of sums.
    Shape result;
    for (int64_t i = 0; i < 2; ++i)
      result.push_back(i);
    if (!isProduct && loops.size() == 3 && once(3))
      result.push_back(2);
    if (once(5))
      std::swap(result.front(), result.back());
    Shape shape;
    for (int64_t loop : result)
      shape.push_back(loops[size_t(loop)]);
    std::vector<Named> inputs;
    std::vector<Shape> maps;
    auto add = [&](Named value, const Shape &map) {
      inputs.push_back(std::move(value));
      maps.push_back(map);
    };
    for (int tries = 0; tries < 40 && inputs.size() < 2; ++tries) {
      size_t place = values.size() - 1 -
                     size_t(std::min(draw(0, int64_t(values.size()) - 1),
                                     draw(0, int64_t(values.size()) - 1)));
      Named value = values[place];
      if (isProduct) {
        Shape map = inputs.empty() ? Shape{0, 2} : Shape{2, 1};
        if (once(6))
          map = {map[1], map[0]};
        if (value.shape.size() == 2 &&
            value.shape[0] == loops[size_t(map[0])] &&
            value.shape[1] == loops[size_t(map[1])])
          add(value, map);
        continue;
      }
      std::optional<Shape> map = loopsFor(value.shape, loops);
      if (!map)
        continue;
      if (once(10)) {
        Named other = reshaped(value);
        if (std::optional<Shape> theirs = loopsFor(other.shape, loops)) {
          add(other, *theirs);
          continue;
        }
      }
      add(value, *map);
    }
    // Each loop is read or written by some operand.
    std::set<int64_t> used(result.begin(), result.end());
    for (const Shape &map : maps)
      used.insert(map.begin(), map.end());
    if (inputs.size() < 2 || used.size() < loops.size())
      return;
    emit(loops, result, shape, inputs, maps, isProduct);
  }

  void emit(const Shape &loops, const Shape &result, const Shape &shape,
            const std::vector<Named> &inputs, const std::vector<Shape> &maps,
            bool isProduct) {
    bool isSum = result.size() < loops.size();
    std::string type = typeOf(shape), init = fresh(), made = fresh();
    // A value that is written again, if nothing else reads it later.
    const Named *again = nullptr;
    if (once(8))
      for (const Named &value : values)
        if (value.shape == shape && value.name[1] == 'v')
          again = &value;
    if (again) {
      init = again->name;
    } else if (isSum) {
      std::string empty = fresh();
      body += "      " + empty + " = tensor.empty() : " + type + "\n      " +
              init + " = linalg.fill ins(%zero : f64) outs(" + empty + " : " +
              type + ") -> " + type + "\n";
    } else {
      body += "      " + init + " = tensor.empty() : " + type + "\n";
    }
    std::string indexing, kinds, ins, types, parameters;
    for (size_t i = 0; i < inputs.size(); ++i) {
      indexing += mapOf(loops.size(), maps[i]) + ", ";
      ins += (i ? ", " : "") + inputs[i].name;
      types += (i ? ", " : "") + typeOf(inputs[i].shape);
      parameters += "%i" + std::to_string(i) + ": f64, ";
    }
    for (size_t i = 0; i < loops.size(); ++i)
      kinds += std::string(i ? ", " : "") +
               (llvm::is_contained(result, int64_t(i)) ? "\"parallel\""
                                                       : "\"reduction\"");
    std::string attrs = attributes(loops, result);
    body += "      " + made + " = linalg.generic {indexing_maps = [" +
            indexing + mapOf(loops.size(), result) + "], iterator_types = [" +
            kinds + "]} ins(" + ins + " : " + types + ") outs(" + init + " : " +
            type + ")" + (attrs.empty() ? "" : " attrs = {" + attrs + "}") +
            " {\n      ^bb0(" + parameters + "%o: f64):\n";
    std::string term = "%t";
    body += std::string("        %t = arith.") + (isProduct ? "mulf" : "addf") +
            " %i0, %i1 : f64\n";
    const Named &elsewhere =
        values[size_t(draw(0, int64_t(values.size()) - 1))];
    if (!isProduct && once(8) && elsewhere.shape.size() == 2 &&
        elsewhere.shape[0] == loops[0] && elsewhere.shape[1] == loops[1]) {
      body += "        %x = linalg.index 0 : index\n"
              "        %y = linalg.index 1 : index\n"
              "        %last = arith.constant " +
              std::to_string(loops[0] - 1) +
              " : index\n"
              "        %z = arith.subi %last, %x : index\n"
              "        %e = tensor.extract " +
              elsewhere.name + "[%z, %y] : " + typeOf(elsewhere.shape) +
              "\n        %u = arith.addf %t, %e : f64\n";
      term = "%u";
    }
    if (isSum || again) {
      body += "        %s = arith.addf %o, " + term + " : f64\n";
      term = "%s";
    }
    body +=
        "        linalg.yield " + term + " : f64\n      } -> " + type + "\n";
    if (again)
      llvm::erase_if(values,
                     [&](const Named &value) { return value.name == init; });
    values.push_back({made, shape});
  }

  std::string text() {
    // What the caller sees: the last value, and some others.
    std::string parameters, stores, given, kinds;
    for (size_t i = 0; i < arguments.size(); ++i)
      parameters += (i ? ", %arg" : "%arg") + std::to_string(i) +
                    ": !flow.dispatch.tensor<readonly:" + arguments[i] + ">";
    std::vector<std::string> results;
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i].name[1] != 'v' || (i + 1 != values.size() && !once(3)))
        continue;
      std::string type = typeOf(values[i].shape),
                  name = "%r" + std::to_string(results.size());
      parameters +=
          ", " + name + ": !flow.dispatch.tensor<writeonly:" + type + ">";
      stores += "      flow.dispatch.tensor.store " + values[i].name + ", " +
                name + pieceOf(values[i].shape) + " : " + type +
                " -> !flow.dispatch.tensor<writeonly:" + type + ">\n";
      results.push_back(type);
    }
    if (results.empty())
      return "";
    std::string outer, names;
    for (size_t i = 0; i < arguments.size(); ++i) {
      outer +=
          (i ? ", %arg" : "%arg") + std::to_string(i) + ": " + arguments[i];
      names += (i ? ", %arg" : "%arg") + std::to_string(i);
    }
    std::string types = llvm::join(results, ", "), made;
    for (size_t i = 0; i < results.size(); ++i)
      made += (i ? ", %0#" : "%0#") + std::to_string(i);
    return "flow.executable private @kernel {\n"
           "  flow.executable.export public @kernel\n"
           "  builtin.module {\n    func.func @kernel(" +
           parameters + ") {\n      %zero = arith.constant 0.0 : f64\n" + body +
           stores + "      return\n    }\n  }\n}\nfunc.func @f(" + outer +
           ") -> (" + types + ") {\n  %0" +
           (results.size() > 1 ? ":" + std::to_string(results.size()) : "") +
           " = flow.dispatch @kernel::@kernel(" + names + ") : (" +
           llvm::join(arguments, ", ") + ") -> (" + types + ")\n  return " +
           (results.size() > 1 ? made : "%0") + " : " + types + "\n}\n";
  }
};

std::unique_ptr<mlir::MLIRContext> makeGroupContext() {
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  cpu::registerDialects(registry);
  auto context = std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  return context;
}

enum class Outcome { Refused, Same, Wrong };

/// How the program of a seed ends, and what was said.
std::pair<Outcome, std::string>
outcomeOf(mlir::MLIRContext &context, const std::string &text, uint64_t seed) {
  std::string message;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &said) {
    if (message.empty() &&
        said.getSeverity() == mlir::DiagnosticSeverity::Error)
      message = said.str();
  });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      text, mlir::ParserConfig(&context));
  if (!module)
    return {Outcome::Wrong, "it is not read: " + message};
  auto function = module->lookupSymbol<mlir::func::FuncOp>("f");
  auto emitError = [&] { return function.emitError(); };
  std::mt19937_64 engine(seed);
  Values arguments;
  for (mlir::Type type : function.getArgumentTypes()) {
    auto tensor =
        Tensor::zeros(mlir::cast<mlir::RankedTensorType>(type), emitError);
    for (int64_t i = 0; i < tensor->size(); ++i)
      tensor->set(i, reference::Scalar::real(double(engine() % 5) - 2));
    arguments.emplace_back(*tensor);
  }
  reference::Evaluator evaluator(*module, reference::allRules());
  auto want = evaluator.call(function, arguments);
  if (failed(want))
    return {Outcome::Wrong, "it is not evaluated: " + message};
  NativeOptions options;
  options.isOptimized = false;
  auto native = NativeProgram::compile(*module, "f", options);
  if (failed(native)) {
    constexpr const char *reasons[] = {
        "cannot be in the group", "cannot be in tiles",
        "cannot be computed by its schedule", "stands between"};
    bool isReason = llvm::any_of(reasons, [&](const char *reason) {
      return llvm::StringRef(message).contains(reason);
    });
    return {isReason ? Outcome::Refused : Outcome::Wrong, message};
  }
  auto got = native->call(arguments, emitError);
  if (failed(got))
    return {Outcome::Wrong, "it does not run: " + message};
  for (size_t n = 0; n < want->size(); ++n)
    for (int64_t i = 0; i < (*want)[n].tensor()->size(); ++i) {
      double x = (*want)[n].tensor()->at(i).re,
             y = (*got)[n].tensor()->at(i).re;
      if (!(std::abs(x - y) <= 1e-12 * std::abs(x)))
        return {Outcome::Wrong, "result " + std::to_string(n) + ", element " +
                                    std::to_string(i) + ": " +
                                    std::to_string(y) + " for " +
                                    std::to_string(x)};
    }
  return {Outcome::Same, ""};
}

TEST(Formation, WrittenGroupsAreRefusedOrRight) {
  llvm::EnablePrettyStackTrace();
  llvm::sys::PrintStackTraceOnErrorSignal("formation-tests");
  int programs = givenSeed() ? 1 : cases(400);
  if (const char *number = std::getenv("MERCATOR_GROUPS"))
    ASSERT_FALSE(llvm::StringRef(number).getAsInteger(10, programs));
  uint64_t first = givenSeed().value_or(1);
  std::unique_ptr<mlir::MLIRContext> context;
  std::map<Outcome, int> counts;
  for (uint64_t seed = first; seed < first + uint64_t(programs); ++seed) {
    llvm::PrettyStackTraceFormat place("MERCATOR_SEED=%llu",
                                       (unsigned long long)seed);
    if (!context || seed % 256 == 0)
      context = makeGroupContext();
    std::string text = GroupText(seed).run();
    if (text.empty())
      continue;
    if (givenSeed() && programs == 1) {
      llvm::outs() << text;
      llvm::outs().flush();
    }
    auto [outcome, why] = outcomeOf(*context, text, seed);
    if (++counts[outcome] < 10 && outcome == Outcome::Wrong)
      ADD_FAILURE() << "MERCATOR_SEED=" << seed << ": " << why << "\n" << text;
  }
  EXPECT_EQ(counts[Outcome::Wrong], 0);
  EXPECT_TRUE(programs < 100 || counts[Outcome::Refused] > programs / 10);
  EXPECT_TRUE(programs < 100 || counts[Outcome::Same] > programs / 10);
  llvm::outs() << "groups from seed " << first << ": "
               << counts[Outcome::Refused] << " refused, "
               << counts[Outcome::Same] << " right\n";
  llvm::outs().flush();
}

} // namespace
