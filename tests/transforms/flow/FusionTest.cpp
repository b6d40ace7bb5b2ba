// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random linalg programs mean the same before and after fusion and loop
// interchange, by the reference evaluator.

#include "mercator/transforms/flow/Passes.h"
#include "tests/Scale.h"
#include "tests/reference/RandomTensors.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mercator;
using namespace mercator::reference;

namespace {

/// Draws programs of integers and booleans in which every extent is 3, or 9 for
/// two collapsed dimensions.
class Generator {
public:
  explicit Generator(RandomTensors &random) : random(random) {}

  std::string program(int operations) {
    text = "func.func @main(%c: i1, %v: tensor<3xi32>, %m: tensor<3x3xi32>) "
           "-> (";
    values = {{"%v", kVector, false}, {"%m", kMatrix, false}};
    std::string body = "  %n = arith.constant 2 : index\n"
                       "  %z = arith.constant 0 : index\n"
                       "  %one = arith.constant 1 : index\n";
    std::swap(text, body);
    for (int i = 0; i < operations; ++i)
      operation(/*depth=*/0);
    std::swap(text, body);
    // Some values besides the last one, which then have an additional use.
    std::vector<Named> results = {values.back()};
    for (const Named &value : values)
      if (random.number(0, 5) == 0)
        results.push_back(value);
    std::string types = llvm::join(
        llvm::map_range(results, [](const Named &it) { return it.type(); }),
        ", ");
    std::string names = llvm::join(
        llvm::map_range(results, [](const Named &it) { return it.name; }),
        ", ");
    return text + types + ") {\n" + body + "  return " + names + " : " + types +
           "\n}\n";
  }

private:
  enum Kind { kVector, kMatrix, kLong };
  struct Named {
    std::string name;
    Kind kind;
    bool isBoolean;
    std::string element() const { return isBoolean ? "i1" : "i32"; }
    std::string type() const {
      const char *shapes[] = {"3", "3x3", "9"};
      return "tensor<" + std::string(shapes[kind]) + "x" + element() + ">";
    }
  };

  std::string fresh() { return "%x" + std::to_string(count++); }
  bool rarely() { return random.number(0, 3) == 0; }

  /// A value of one of the kinds, preferably a late one; null if there is none.
  const Named *pick(llvm::function_ref<bool(const Named &)> is) {
    std::vector<const Named *> found;
    for (const Named &value : values)
      if (is(value))
        found.push_back(&value);
    if (found.empty())
      return nullptr;
    size_t last = found.size() - 1;
    return found[last - std::min<size_t>(last, random.number(0, 3))];
  }

  void operation(int depth) {
    int64_t which = random.number(0, 11);
    if (which == 0)
      return reshape("collapse_shape", kMatrix, kLong, "");
    if (which == 1)
      return reshape("expand_shape", kLong, kMatrix, " output_shape [3, 3]");
    if (which == 2 && depth < 2)
      return control(depth);
    generic();
  }

  void reshape(const char *name, Kind from, Kind to, const char *shape) {
    const Named *source =
        pick([&](const Named &value) { return value.kind == from; });
    if (!source)
      return;
    Named result{fresh(), to, source->isBoolean};
    text += llvm::formatv("  {0} = tensor.{1} {2} [[0, 1]]{3} : {4} into {5}\n",
                          result.name, name, source->name, shape,
                          source->type(), result.type());
    values.push_back(result);
  }

  void control(int depth) {
    const Named *start =
        pick([&](const Named &value) { return !value.isBoolean; });
    Named in = *start, result{fresh(), in.kind, false};
    bool isLoop = random.coin();
    Named argument = isLoop ? Named{fresh(), in.kind, false} : in;
    text += isLoop
                ? llvm::formatv("  {0} = scf.for %i{0} = %z to %n step %one "
                                "iter_args({1} = {2}) -> {3} {{\n",
                                result.name, argument.name, in.name, in.type())
                      .str()
                : llvm::formatv("  {0} = scf.if %c -> {1} {{\n", result.name,
                                in.type())
                      .str();
    // The name of the counter.
    size_t at = text.rfind("%i" + result.name);
    if (isLoop)
      text.replace(at, result.name.size() + 2, "%i" + result.name.substr(1));
    size_t outside = values.size();
    values.push_back(argument);
    for (int64_t i = random.number(1, 4); i > 0; --i)
      operation(depth + 1);
    const Named *yielded = pick([&](const Named &value) {
      return value.kind == in.kind && !value.isBoolean;
    });
    text += "  scf.yield " + yielded->name + " : " + in.type() + "\n  }";
    values.resize(outside);
    if (!isLoop)
      text += " else {\n  scf.yield " + in.name + " : " + in.type() + "\n  }";
    text += "\n";
    values.push_back(result);
  }

  static std::string map(const std::string &dims, const std::string &results) {
    return "affine_map<(" + dims + ") -> (" + results + ")>";
  }

  /// The map through which a value is read in the loops of `space`.
  std::string readMap(Kind space, Kind kind) {
    if (space != kMatrix)
      return map("d0", "d0");
    if (kind == kMatrix)
      return map("d0, d1", rarely() ? "d1, d0" : "d0, d1");
    return map("d0, d1", random.coin() ? "d0" : "d1");
  }

  void generic() {
    Kind space = Kind(random.number(0, 2));
    bool reduces = space == kMatrix && rarely();
    int64_t reduced = random.number(0, 1);
    std::vector<std::string> maps, names, types, arguments, numbers;
    std::string body;
    for (int64_t i = random.number(1, 3); i > 0; --i) {
      const Named *in = pick([&](const Named &value) {
        return value.kind == space ||
               (space == kMatrix && value.kind == kVector);
      });
      if (!in)
        return;
      // Every loop must be the extent of some operand.
      maps.push_back(reduces && i == 1 && in->kind == kVector
                         ? map("d0, d1", reduced == 0 ? "d0" : "d1")
                         : readMap(space, in->kind));
      names.push_back(in->name);
      types.push_back(in->type());
      std::string argument = "%a" + std::to_string(arguments.size());
      arguments.push_back(argument + ": " + in->element());
      numbers.push_back(argument);
      if (in->isBoolean) {
        numbers.back() = argument + "w";
        body += "    " + argument + "w = arith.extui " + argument +
                " : i1 to i32\n";
      }
    }
    size_t inputs = names.size();
    std::vector<Named> results;
    std::vector<std::string> yields, yieldTypes;
    std::vector<std::pair<std::string, bool>> read; // init arguments
    for (int64_t i = rarely() ? 2 : 1; i > 0; --i) {
      Named result{"", reduces ? kVector : space, !reduces && rarely()};
      const Named *init = pick([&](const Named &value) {
        return value.kind == result.kind && value.isBoolean == result.isBoolean;
      });
      bool isEmpty = !init || (!reduces && !rarely());
      if (isEmpty && reduces)
        return;
      if (isEmpty) {
        names.push_back(fresh());
        text +=
            "  " + names.back() + " = tensor.empty() : " + result.type() + "\n";
      } else {
        names.push_back(init->name);
      }
      types.push_back(result.type());
      maps.push_back(reduces ? map("d0, d1", reduced == 0 ? "d1" : "d0")
                     : space == kMatrix && rarely() ? map("d0, d1", "d1, d0")
                     : space == kMatrix             ? map("d0, d1", "d0, d1")
                                                    : map("d0", "d0"));
      std::string argument = "%o" + std::to_string(results.size());
      arguments.push_back(argument + ": " + result.element());
      read.emplace_back(argument, !isEmpty && !result.isBoolean &&
                                      (reduces || random.coin()));
      results.push_back(result);
    }
    if (rarely()) {
      body += llvm::formatv("    %i = linalg.index {0} : index\n"
                            "    %w = arith.index_cast %i : index to i32\n",
                            space == kMatrix ? random.number(0, 1) : 0);
      numbers.push_back("%w");
    }
    bool isCopy = rarely() && !reduces;
    for (int64_t i = isCopy ? 0 : random.number(1, 3); i > 0; --i) {
      const char *kinds[] = {"addi", "muli", "subi", "xori", "maxsi"};
      std::string name = "%t" + std::to_string(i);
      body +=
          llvm::formatv("    {0} = arith.{1} {2}, {3} : i32\n", name,
                        kinds[random.number(0, 4)], any(numbers), any(numbers));
      numbers.push_back(name);
    }
    for (auto [i, result] : llvm::enumerate(results)) {
      std::string value = numbers[numbers.size() - 1 - i % numbers.size()];
      if (read[i].second) {
        std::string name = "%s" + std::to_string(i);
        body += llvm::formatv("    {0} = arith.addi {1}, {2} : i32\n", name,
                              value, read[i].first);
        value = name;
      }
      if (result.isBoolean) {
        std::string name = "%p" + std::to_string(i);
        body += llvm::formatv("    {0} = arith.cmpi slt, {1}, {2} : i32\n",
                              name, value, any(numbers));
        value = name;
      }
      yields.push_back(value);
      yieldTypes.push_back(result.element());
    }
    std::string base = fresh();
    bool several = results.size() > 1;
    std::string resultTypes = llvm::join(
        llvm::map_range(results, [](const Named &it) { return it.type(); }),
        ", ");
    std::string iterators = space != kMatrix ? "\"parallel\""
                            : !reduces       ? "\"parallel\", \"parallel\""
                            : reduced == 0   ? "\"reduction\", \"parallel\""
                                             : "\"parallel\", \"reduction\"";
    auto list = [](const std::vector<std::string> &all, size_t begin,
                   size_t end) {
      return llvm::join(all.begin() + begin, all.begin() + end, ", ");
    };
    text += "  " + base + (several ? ":2" : "") +
            " = linalg.generic {indexing_maps = [" + llvm::join(maps, ", ") +
            "], iterator_types = [" + iterators + "]} ins(" +
            list(names, 0, inputs) + " : " + list(types, 0, inputs) +
            ") outs(" + list(names, inputs, names.size()) + " : " +
            list(types, inputs, types.size()) + ") {\n  ^bb0(" +
            llvm::join(arguments, ", ") + "):\n" + body + "    linalg.yield " +
            llvm::join(yields, ", ") + " : " + llvm::join(yieldTypes, ", ") +
            "\n  } -> " + (several ? "(" + resultTypes + ")" : resultTypes) +
            "\n";
    for (auto [i, result] : llvm::enumerate(results)) {
      result.name = several ? base + "#" + std::to_string(i) : base;
      values.push_back(result);
    }
  }

  const std::string &any(const std::vector<std::string> &names) {
    return names[random.number(0, names.size() - 1)];
  }

  RandomTensors &random;
  std::string text;
  std::vector<Named> values;
  int count = 0;
};

class Fusion : public testing::Test {
protected:
  std::string transform(const std::string &text, bool multiUse,
                        bool moveLoops) {
    auto module =
        mlir::parseSourceString<mlir::ModuleOp>(text, &programs.context);
    EXPECT_TRUE(module) << text;
    if (!module)
      return "";
    mlir::PassManager manager(&programs.context);
    mlir::OpPassManager &functions = manager.nest<mlir::func::FuncOp>();
    if (moveLoops)
      functions.addPass(flow::createInterchangeGenericOps());
    functions.addPass(flow::createFusionOfTensorOps(
        {multiUse, /*recompute=*/true, /*iterations=*/2}));
    if (moveLoops)
      functions.addPass(flow::createInterchangeTransposeGenericOps());
    EXPECT_TRUE(succeeded(manager.run(*module))) << text;
    std::string printed;
    llvm::raw_string_ostream os(printed);
    module->print(os);
    return printed;
  }

  Programs programs;
  RandomTensors random;
};

TEST_F(Fusion, KeepsMeaning) {
  mlir::Type i32 = mlir::IntegerType::get(&programs.context, 32);
  mlir::Type i1 = mlir::IntegerType::get(&programs.context, 1);
  size_t before = 0, after = 0;
  for (int i = 0; i < cases(400) && !HasFailure(); ++i) {
    std::string text = Generator(random).program(int(random.number(2, 24)));
    bool multiUse = random.coin(), moveLoops = random.coin();
    std::string fused = transform(text, multiUse, moveLoops);
    std::string shown = "seed " + std::to_string(testSeed()) + "\n" + text +
                        "becomes\n" + fused;
    EXPECT_EQ(fused, transform(text, multiUse, moveLoops)) << shown;
    before += llvm::StringRef(text).count("linalg.generic");
    after += llvm::StringRef(fused).count("linalg.generic");
    std::vector<Value> arguments = {random.tensor({}, i1, 0, 1),
                                    random.tensor({3}, i32),
                                    random.tensor({3, 3}, i32)};
    std::optional<std::vector<Value>> expected = programs.run(text, arguments);
    ASSERT_TRUE(expected) << programs.messages << text;
    std::optional<std::vector<Value>> got = programs.run(fused, arguments);
    ASSERT_TRUE(got) << programs.messages << shown;
    ASSERT_EQ(got->size(), expected->size());
    for (auto [a, b] : llvm::zip(*got, *expected))
      Programs::expectSame(*a.tensor(), *b.tensor(), 0, shown);
  }
  // Some of them are fused.
  EXPECT_LT(after * 3, before * 2);
}

} // namespace
