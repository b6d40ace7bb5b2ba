// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Plans of gathers: on random gathers each way that applies, carried out here
// with gathers that refuse an index outside, gives what the reference evaluator
// gives for the gather itself.

#include "mercator/transforms/gather/Planner.h"

#include "mercator/dialects/Register.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/Evaluator.h"
#include "tests/Seed.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <array>
#include <functional>

using namespace mercator;
using namespace mercator::gather;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using mercator::reference::Index;
using mercator::reference::Scalar;
using mercator::reference::Tensor;
using reference::Value;

//===--- Carrying out a plan ----------------------------------------------===//

namespace {
struct Numbers {
  Ints shape;
  std::vector<int64_t> values;

  int64_t place(ArrayRef<int64_t> index) const {
    int64_t at = 0;
    for (auto [i, extent] : llvm::zip_equal(index, shape))
      at = at * extent + i;
    return at;
  }
  int64_t at(ArrayRef<int64_t> index) const { return values[place(index)]; }
};

/// What a step gives; nothing where a gather's index is outside. Numbers of 64
/// bits stand for indices of any width: what no longer fits is an error, too.
std::optional<Numbers> carryOut(const Step &step, ArrayRef<Numbers> done,
                                const Numbers &operand, const Numbers &starts) {
  auto in = [&](size_t i) -> const Numbers & { return done[step.inputs[i]]; };
  Numbers out{step.shape, {}};
  auto fill = [&](llvm::function_ref<std::optional<int64_t>(ArrayRef<int64_t>)>
                      element) {
    for (Index d(out.shape); d; ++d) {
      std::optional<int64_t> value = element(*d);
      if (!value)
        return false;
      out.values.push_back(*value);
    }
    return true;
  };
  auto inside = [](const Numbers &x, ArrayRef<int64_t> index) {
    return llvm::all_of_zip(index, x.shape, [](int64_t i, int64_t extent) {
      return 0 <= i && i < extent;
    });
  };
  auto read = [&](const Numbers &x,
                  ArrayRef<int64_t> index) -> std::optional<int64_t> {
    if (!inside(x, index))
      return std::nullopt;
    return x.at(index);
  };
  // Where an index of the result lies in an input whose axes of one element are
  // repeated.
  auto spread = [&](const Numbers &x, ArrayRef<int64_t> index) {
    Ints at(index);
    for (auto [i, extent] : llvm::zip_equal(at, x.shape))
      i = extent == 1 ? 0 : i;
    return x.at(at);
  };
  auto bound = [&](ArrayRef<int64_t> index) {
    return step.values.size() == 1 ? step.values[0] : step.values[index.back()];
  };
  bool isInside = true;
  switch (step.kind) {
  case StepKind::operand:
    return operand;
  case StepKind::starts:
    return starts;
  case StepKind::empty:
    break;
  case StepKind::constant:
    out.values.assign(step.values.begin(), step.values.end());
    break;
  case StepKind::reshape:
    out.values = in(0).values;
    break;
  case StepKind::cast: {
    out.values = in(0).values;
    // No number may change.
    for (int64_t value : out.values)
      isInside &=
          step.indexBits == 64 || (INT32_MIN <= value && value <= INT32_MAX);
    break;
  }
  case StepKind::transpose:
    isInside = fill([&](ArrayRef<int64_t> index) {
      Ints at(index.size());
      for (auto [i, axis] : llvm::enumerate(step.ints))
        at[axis] = index[i];
      return read(in(0), at);
    });
    break;
  case StepKind::slice:
  case StepKind::dynamicSlice:
    isInside = fill([&](ArrayRef<int64_t> index) {
      Ints at(index);
      for (size_t i = 0; i < at.size(); ++i)
        at[i] += step.kind == StepKind::slice ? step.ints[i] : in(1).values[i];
      return read(in(0), at);
    });
    break;
  case StepKind::broadcast:
    isInside =
        fill([&](ArrayRef<int64_t> index) { return spread(in(0), index); });
    break;
  case StepKind::minimum:
    isInside = fill([&](ArrayRef<int64_t> index) -> std::optional<int64_t> {
      int64_t x = in(0).at(index), limit = bound(index);
      if (!step.indexIsSigned && step.indexBits == 64)
        return std::min<uint64_t>(x, limit);
      return std::min(x, limit);
    });
    break;
  case StepKind::maximum:
    isInside = fill([&](ArrayRef<int64_t> index) {
      return std::max(in(0).at(index), bound(index));
    });
    break;
  case StepKind::clamp:
    isInside = fill([&](ArrayRef<int64_t> index) {
      return std::clamp(in(0).at(index), step.values[0], step.values[1]);
    });
    break;
  case StepKind::range:
    isInside =
        fill([&](ArrayRef<int64_t> index) { return index[step.ints[0]]; });
    break;
  case StepKind::multiply:
    isInside = fill([&](ArrayRef<int64_t> index) {
      return in(0).at(index) * step.values[0];
    });
    break;
  case StepKind::add:
    isInside = fill([&](ArrayRef<int64_t> index) {
      return spread(in(0), index) + spread(in(1), index);
    });
    break;
  case StepKind::concat:
    isInside = fill([&](ArrayRef<int64_t> index) {
      Ints at(index);
      size_t part = 0;
      while (at.back() >= in(part).shape.back())
        at.back() -= in(part++).shape.back();
      return read(in(part), at);
    });
    break;
  case StepKind::gatherV2: {
    int64_t axis = step.ints[0], batches = step.ints[1];
    int64_t middle = in(1).shape.size() - batches;
    isInside = fill([&](ArrayRef<int64_t> index) {
      Ints which(index.take_front(batches));
      which.append(index.begin() + axis, index.begin() + axis + middle);
      Ints at(index.take_front(axis));
      at.push_back(in(1).at(which));
      at.append(index.begin() + axis + middle, index.end());
      return read(in(0), at);
    });
    break;
  }
  case StepKind::gatherElements:
    isInside = fill([&](ArrayRef<int64_t> index) {
      Ints at(index);
      at.back() = in(1).at(index);
      return read(in(0), at);
    });
    break;
  case StepKind::gatherNd: {
    int64_t outer = in(1).shape.size() - 1;
    isInside = fill([&](ArrayRef<int64_t> index) {
      Ints at, which(index.take_front(outer));
      which.push_back(0);
      for (which.back() = 0; which.back() < in(1).shape.back(); ++which.back())
        at.push_back(in(1).at(which));
      at.append(index.begin() + outer, index.end());
      return read(in(0), at);
    });
    break;
  }
  }
  if (!isInside || int64_t(out.values.size()) != step.size())
    return std::nullopt;
  return out;
}

std::optional<Numbers> carryOut(const Plan &plan, const Numbers &operand,
                                const Numbers &starts) {
  std::vector<Numbers> done;
  for (const Step &step : plan.steps) {
    std::optional<Numbers> out = carryOut(step, done, operand, starts);
    if (!out)
      return std::nullopt;
    done.push_back(std::move(*out));
  }
  return done.back();
}

//===--- Random gathers ---------------------------------------------------===//

/// A random gather as a program whose @main takes the operand and numbers that
/// its start indices are made of.
struct Draw {
  explicit Draw(uint64_t seed) : random(seed) { draw(); }

  std::mt19937_64 random;
  std::string text;
  Ints operandShape, argumentShape;
  std::string indexType;

  int64_t upTo(int64_t n) { return int64_t(random() % uint64_t(n + 1)); }
  bool once(int64_t in) { return upTo(in - 1) == 0; }

  static std::string type(ArrayRef<int64_t> shape, StringRef element) {
    std::string text = "tensor<";
    for (int64_t extent : shape)
      text += std::to_string(extent) + "x";
    return text + element.str() + ">";
  }
  static std::string list(ArrayRef<int64_t> values) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << '[';
    llvm::interleaveComma(values, os);
    os << ']';
    return text;
  }

  void draw() {
    int64_t rank = upTo(4), batchRank = upTo(3);
    Ints batch, dims;
    for (int64_t i = 0; i < batchRank; ++i)
      batch.push_back(once(40) ? 0 : once(5) ? 1 : 1 + upTo(3));
    for (int64_t d = 0; d < rank; ++d) {
      operandShape.push_back(once(60) ? 0 : once(6) ? 1 : 1 + upTo(4));
      dims.push_back(d);
    }
    llvm::shuffle(dims.begin(), dims.end(), random);
    // Roles: some go along with the batch, some are named by a column.
    Ints axes;
    for (int64_t i = 0; i < batchRank; ++i)
      axes.push_back(i);
    llvm::shuffle(axes.begin(), axes.end(), random);
    Ints batchingDims, batchingAxes, map, sizes(operandShape), collapsed;
    for (int64_t d : dims) {
      if (!axes.empty() && once(4)) {
        batchingDims.push_back(d);
        batchingAxes.push_back(axes.pop_back_val());
        operandShape[d] = batch[batchingAxes.back()];
        sizes[d] = std::min<int64_t>(1, operandShape[d]);
        continue;
      }
      if (!once(3)) {
        map.push_back(d);
        sizes[d] = once(2) || operandShape[d] < 2
                       ? std::min<int64_t>(1, operandShape[d])
                   : once(8) ? operandShape[d]
                             : 1 + upTo(operandShape[d] - 2);
      } else if (once(3)) {
        sizes[d] = upTo(operandShape[d]);
      }
      if (sizes[d] == 1 && !once(3))
        collapsed.push_back(d);
    }
    llvm::sort(collapsed);
    // Batching dimensions are listed in their order, with their axes.
    SmallVector<std::pair<int64_t, int64_t>> pairs;
    for (auto [d, axis] : llvm::zip_equal(batchingDims, batchingAxes))
      pairs.push_back({d, axis});
    llvm::sort(pairs);
    int64_t width = map.size();
    bool hasVector = width != 1 || !once(3);
    int64_t vector = hasVector ? upTo(batchRank) : batchRank;
    Ints indicesShape(batch);
    if (hasVector)
      indicesShape.insert(indicesShape.begin() + vector, width);
    batchingDims.clear();
    batchingAxes.clear();
    for (auto [d, axis] : pairs) {
      batchingDims.push_back(d);
      batchingAxes.push_back(hasVector && axis >= vector ? axis + 1 : axis);
    }
    Ints window;
    for (int64_t d = 0; d < rank; ++d)
      if (!llvm::is_contained(collapsed, d) &&
          !llvm::is_contained(batchingDims, d))
        window.push_back(sizes[d]);
    int64_t outRank = window.size() + batchRank;
    Ints places, offsets, result;
    for (int64_t i = 0; i < outRank; ++i)
      places.push_back(i);
    llvm::shuffle(places.begin(), places.end(), random);
    offsets = Ints(ArrayRef(places).take_front(window.size()));
    llvm::sort(offsets);
    ArrayRef<int64_t> windows = window, batches = batch;
    for (int64_t i = 0; i < outRank; ++i)
      result.push_back(llvm::is_contained(offsets, i)
                           ? windows.consume_front()
                           : batches.consume_front());

    static constexpr std::array<const char *, 8> types = {
        "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64"};
    indexType = types[once(2) ? 2 : upTo(7)];
    std::string indices = type(indicesShape, indexType),
                operand = type(operandShape, "i64");
    // Where the start indices come from.
    std::string body;
    argumentShape = indicesShape;
    std::string argument = type(argumentShape, indexType), name = "%start";
    if (once(5)) {
      body += "  %start = stablehlo.constant " + constants(indicesShape) +
              " : " + indices + "\n";
    } else if (once(4)) {
      // Bounded, so that some clamps are idle.
      body += "  %low = stablehlo.constant dense<" + std::to_string(upTo(1)) +
              "> : tensor<" + indexType +
              ">\n  %high = stablehlo.constant dense<" +
              std::to_string(1 + upTo(3)) + "> : tensor<" + indexType +
              ">\n  %start = stablehlo.clamp %low, %arg1, %high : (tensor<" +
              indexType + ">, " + argument + ", tensor<" + indexType +
              ">) -> " + indices + "\n";
    } else if (hasVector && width > 1 && batchRank > 0 && once(2)) {
      // One column counts along a batch axis.
      int64_t column = upTo(width - 1), axis = upTo(batchRank - 1);
      Ints single(indicesShape);
      single[vector] = 1;
      std::string one = type(single, indexType);
      std::string parts, partTypes;
      for (int64_t k = 0; k < width; ++k) {
        std::string part = "%c" + std::to_string(k);
        if (k == column) {
          body += "  " + part + " = stablehlo.iota dim = " +
                  std::to_string(axis >= vector ? axis + 1 : axis) + " : " +
                  one + "\n";
        } else {
          std::string ranges;
          for (auto [i, extent] : llvm::enumerate(indicesShape)) {
            int64_t from = int64_t(i) == vector ? k : 0;
            int64_t to = int64_t(i) == vector ? k + 1 : extent;
            ranges += (i ? ", " : "") + std::to_string(from) + ":" +
                      std::to_string(to);
          }
          body += "  " + part + " = stablehlo.slice %arg1 [" + ranges +
                  "] : (" + argument + ") -> " + one + "\n";
        }
        parts += (k ? ", " : "") + part;
        partTypes += (k ? ", " : "") + one;
      }
      body += "  %start = stablehlo.concatenate " + parts +
              ", dim = " + std::to_string(vector) + " : (" + partTypes +
              ") -> " + indices + "\n";
    } else {
      name = "%arg1";
    }
    std::string out = type(result, "i64");
    text = "func.func @main(%arg0: " + operand + ", %arg1: " + argument +
           ") -> (" + out + ", " + indices + ") {\n" + body +
           "  %r = \"stablehlo.gather\"(%arg0, " + name +
           ") <{dimension_numbers = #stablehlo.gather<offset_dims = " +
           list(offsets) + ", collapsed_slice_dims = " + list(collapsed) +
           ", operand_batching_dims = " + list(batchingDims) +
           ", start_indices_batching_dims = " + list(batchingAxes) +
           ", start_index_map = " + list(map) +
           ", index_vector_dim = " + std::to_string(vector) +
           ">, slice_sizes = array<i64" + (rank ? ": " : "") +
           StringRef(list(sizes)).drop_front().drop_back().str() + ">}> : (" +
           operand + ", " + indices + ") -> " + out + "\n  return %r, " + name +
           " : " + out + ", " + indices + "\n}\n";
  }

  /// Small, negative and extreme numbers, as an index type has them.
  int64_t start() {
    if (once(4)) {
      static constexpr std::array<int64_t, 10> extremes = {
          -1,        -2,        127,       -128,      32767,
          INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 200};
      return extremes[upTo(extremes.size() - 1)];
    }
    return upTo(7) - 2;
  }

  std::string constants(ArrayRef<int64_t> shape) {
    unsigned bits = 0;
    bool isUnsigned = StringRef(indexType).starts_with("ui");
    (void)StringRef(indexType)
        .drop_front(isUnsigned ? 2 : 1)
        .getAsInteger(10, bits);
    std::function<std::string(size_t)> nest = [&](size_t i) -> std::string {
      if (i == shape.size()) {
        llvm::APInt value(bits, uint64_t(start()), false, true);
        return llvm::toString(value, 10, !isUnsigned);
      }
      std::string text = "[";
      for (int64_t k = 0; k < shape[i]; ++k)
        text += (k ? ", " : "") + nest(i + 1);
      return text + "]";
    };
    if (llvm::is_contained(shape, 0))
      return "dense<>";
    return "dense<" + nest(0) + ">";
  }
};

struct Checker {
  Checker() {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
  }

  static Numbers numbers(const Tensor &tensor) {
    Numbers out{Ints(tensor.shape()), {}};
    for (int64_t i = 0; i < tensor.size(); ++i) {
      // An ui64 keeps its bits.
      Scalar value = tensor.at(i);
      out.values.push_back(int64_t(value.integer));
    }
    return out;
  }

  /// Checks each way; false where the gather itself cannot be asked.
  bool check(uint64_t seed);

  mlir::MLIRContext context;
  std::array<int64_t, kWays> applied{}, taken{};
  std::array<int64_t, 5> roles{};
  int64_t idle = 0;
};
} // namespace

bool Checker::check(uint64_t seed) {
  Draw draw(seed);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + draw.text);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(draw.text, &context);
  if (!module) {
    ADD_FAILURE() << "the program is refused";
    return false;
  }
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  auto emit = [&] { return module->emitError(); };
  Tensor operand = *Tensor::zeros(
             llvm::cast<mlir::RankedTensorType>(main.getArgumentTypes()[0]),
             emit),
         start = *Tensor::zeros(
             llvm::cast<mlir::RankedTensorType>(main.getArgumentTypes()[1]),
             emit);
  for (int64_t i = 0; i < operand.size(); ++i)
    operand.set(i, Scalar::whole(i));
  for (int64_t i = 0; i < start.size(); ++i)
    start.set(i, Scalar::whole(draw.start()));
  stablehlo::GatherOp gather;
  main.walk([&](stablehlo::GatherOp op) { gather = op; });

  std::string why;
  llvm::FailureOr<GatherProblem> problem = gatherProblem(gather, why);
  if (failed(problem))
    return false;
  reference::Evaluator evaluator(*module);
  llvm::FailureOr<std::vector<Value>> results =
      evaluator.call(main, {operand, start});
  if (failed(results)) {
    ADD_FAILURE() << "the gather itself fails";
    return false;
  }
  const Tensor &expected = *(*results)[0].tensor();
  EXPECT_EQ(problem->resultShape, Ints(expected.shape()));
  Numbers want = numbers(expected), x = numbers(operand),
          starts = numbers(*(*results)[1].tensor());
  for (Role role : problem->roles())
    ++roles[unsigned(role)];
  Planning planning = planGather(*problem);
  EXPECT_TRUE(planning.best());
  if (planning.best())
    ++taken[unsigned(planning.best()->way)];
  for (const Candidate &candidate : planning.candidates) {
    if (!candidate.plan) {
      EXPECT_FALSE(candidate.why.empty());
      continue;
    }
    ++applied[unsigned(candidate.way)];
    std::string text;
    llvm::raw_string_ostream os(text);
    candidate.plan->print(os);
    SCOPED_TRACE(name(candidate.way).str() + ":\n" + text);
    for (const std::string &note : candidate.plan->notes)
      idle += StringRef(note).ends_with("no clamp");
    std::optional<Numbers> got = carryOut(*candidate.plan, x, starts);
    EXPECT_TRUE(got) << "an index is outside";
    if (!got)
      continue;
    EXPECT_EQ(got->shape, want.shape);
    EXPECT_EQ(got->values, want.values);
  }
  return true;
}

TEST(GatherPlan, RandomGathersByEachWay) {
  Checker checker;
  uint64_t seed = testSeed();
  int64_t asked = 0;
  constexpr int64_t kCases = 10'000;
  for (int64_t i = 0; i < kCases && !::testing::Test::HasFailure(); ++i)
    asked += checker.check(seed + i);
  EXPECT_GT(asked, kCases * 9 / 10);
  for (unsigned i = 0; i < kWays; ++i) {
    std::printf("  %-15s applies to %5ld, taken for %5ld\n",
                name(Way(i)).str().c_str(), long(checker.applied[i]),
                long(checker.taken[i]));
    EXPECT_GT(checker.applied[i], 0);
    if (Way(i) != Way::flatGatherV2) {
      EXPECT_GT(checker.taken[i], 0);
    }
  }
  for (unsigned i = 0; i < checker.roles.size(); ++i)
    EXPECT_GT(checker.roles[i], 0) << name(Role(i)).str();
  EXPECT_GT(checker.idle, 0);
  std::printf("  %ld gathers from seed %lu on\n", long(asked),
              (unsigned long)seed);
}
