// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs: the maps from a result to the arguments, composed,
// simplified and deduplicated, against the relation found by following every
// element of every operation. A failure prints the program and the seed;
// MERCATOR_SEED=<number> repeats it.

#include "../../indexing/BruteForce.h"
#include "Program.h"
#include "tests/Seed.h"

#include <random>

using namespace mercator;
using namespace mercator::testing;
using namespace mercator::indexing::testing;

namespace {

class RandomProgram {
public:
  explicit RandomProgram(uint64_t seed) : engine(seed) {
    addValue("p", {4, 6});
    int64_t count = in(1, 9);
    while ((int64_t)values.size() <= count)
      addOperation();
    text = "func.func @f(%p: tensor<4x6xf32> loc(\"p\"), %i: tensor<i32> "
           "loc(\"i\"), %j: tensor<i32> loc(\"j\")) -> " +
           type(values.back().sizes) + " {\n" +
           "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n" + body +
           "  return %" + values.back().name + " : " +
           type(values.back().sizes) + "\n}";
    i = in(-2, 6);
    j = in(-2, 6);
  }
  std::string text;
  int64_t i, j; ///< the values of the offsets

private:
  struct Value {
    std::string name;
    Index sizes;
  };

  int64_t in(int64_t lower, int64_t upper) {
    return std::uniform_int_distribution<int64_t>(lower, upper)(engine);
  }
  static std::string list(const Index &numbers, const char *separator = ", ") {
    std::string out;
    for (int64_t n : numbers)
      out += (out.empty() ? "" : separator) + std::to_string(n);
    return out;
  }
  static std::string type(const Index &sizes) {
    std::string dims = list(sizes, "x");
    return "tensor<" + dims + (dims.empty() ? "" : "x") + "f32>";
  }
  static int64_t product(const Index &sizes) {
    int64_t n = 1;
    for (int64_t size : sizes)
      n *= size;
    return n;
  }
  void addValue(std::string name, Index sizes) {
    values.push_back({std::move(name), std::move(sizes)});
  }
  const Value &any() {
    // Late values more often, so that programs get deep.
    int64_t last = values.size() - 1;
    return values[in(0, 2) != 0 ? last : in(0, last)];
  }
  void emit(const std::string &operation, const std::string &operands,
            const std::string &attributes, const std::string &types,
            Index result) {
    std::string name = "v" + std::to_string(values.size());
    body += "  %" + name + " = " + operation + " " + operands + attributes +
            " : (" + types + ") -> " + type(result) + "\n";
    addValue(name, std::move(result));
  }

  Index factors(int64_t total) {
    Index sizes;
    while (total > 1 && sizes.size() < 2) {
      int64_t d = in(1, total);
      while (total % d != 0)
        --d;
      sizes.push_back(d);
      total /= d;
    }
    sizes.push_back(total);
    return sizes;
  }
  Index permutation(int64_t n) {
    Index out;
    for (int64_t k = 0; k < n; ++k)
      out.insert(out.begin() + in(0, k), k);
    return out;
  }

  void addOperation() {
    Value v = any();
    int64_t rank = v.sizes.size();
    std::string operand = "%" + v.name, t = type(v.sizes);
    switch (in(0, 10)) {
    case 0:
    case 1:
      return emit("stablehlo.reshape", operand, "", t,
                  factors(product(v.sizes)));
    case 2: {
      Index dims = permutation(rank), result;
      for (int64_t dim : dims)
        result.push_back(v.sizes[dim]);
      return emit("stablehlo.transpose", operand,
                  ", dims = [" + list(dims) + "]", t, result);
    }
    case 3: {
      if (rank == 0)
        return;
      return emit("stablehlo.reverse", operand,
                  ", dims = [" + std::to_string(in(0, rank - 1)) + "]", t,
                  v.sizes);
    }
    case 4: {
      std::string ranges;
      Index result;
      for (int64_t size : v.sizes) {
        int64_t start = in(0, size - 1), limit = in(start + 1, size);
        int64_t stride = in(1, 3);
        ranges += (ranges.empty() ? "" : ", ") + std::to_string(start) + ":" +
                  std::to_string(limit) + ":" + std::to_string(stride);
        result.push_back((limit - start + stride - 1) / stride);
      }
      return emit("stablehlo.slice", operand, " [" + ranges + "]", t, result);
    }
    case 5: {
      Index low, high, interior, result;
      for (int64_t size : v.sizes) {
        low.push_back(in(-1, 1));
        high.push_back(in(0, 1));
        interior.push_back(in(0, 3) == 0);
        int64_t padded =
            low.back() + high.back() + size + (size - 1) * interior.back();
        if (padded < 1 || padded > 8)
          return;
        result.push_back(padded);
      }
      if (product(result) > 80)
        return;
      return emit("stablehlo.pad", operand + ", %z",
                  ", low = [" + list(low) + "], high = [" + list(high) +
                      "], interior = [" + list(interior) + "]",
                  t + ", tensor<f32>", result);
    }
    case 6: { // concatenate with what fits, itself if nothing else
      if (rank == 0 || product(v.sizes) > 40)
        return;
      int64_t dim = in(0, rank - 1);
      Value other = any();
      if (other.sizes.size() != v.sizes.size())
        other = v;
      for (int64_t d = 0; d < rank; ++d)
        if (d != dim && other.sizes[d] != v.sizes[d])
          other = v;
      Index result = v.sizes;
      result[dim] += other.sizes[dim];
      return emit("stablehlo.concatenate", operand + ", %" + other.name,
                  ", dim = " + std::to_string(dim),
                  t + ", " + type(other.sizes), result);
    }
    case 7: {
      if (rank == 3 || product(v.sizes) > 40)
        return;
      int64_t place = in(0, rank);
      Index result = v.sizes, dims;
      result.insert(result.begin() + place, in(1, 2));
      for (int64_t d = 0; d < rank; ++d)
        dims.push_back(d + (d >= place));
      return emit("stablehlo.broadcast_in_dim", operand,
                  ", dims = [" + list(dims) + "]", t, result);
    }
    case 8: { // an elementwise operation on two values of one shape
      Value other = any();
      if (other.sizes != v.sizes)
        other = v;
      return emit("stablehlo.add", operand + ", %" + other.name, "",
                  t + ", " + t, v.sizes);
    }
    case 9: {
      if (rank == 0)
        return;
      Index result;
      std::string starts, types;
      for (int64_t size : v.sizes) {
        result.push_back(in(1, size));
        starts += in(0, 1) ? ", %i" : ", %j";
        types += ", tensor<i32>";
      }
      return emit("stablehlo.dynamic_slice", operand + starts,
                  ", sizes = [" + list(result) + "]", t + types, result);
    }
    default: { // write a slice of a value back into it, elsewhere
      if (rank == 0)
        return;
      std::string ranges, starts, types;
      Index update;
      for (int64_t size : v.sizes) {
        update.push_back(in(1, size));
        ranges += (ranges.empty() ? "" : ", ") + std::to_string(0) + ":" +
                  std::to_string(update.back());
        starts += in(0, 1) ? ", %i" : ", %j";
        types += ", tensor<i32>";
      }
      emit("stablehlo.slice", operand, " [" + ranges + "]", t, update);
      return emit("stablehlo.dynamic_update_slice",
                  operand + ", %" + values.back().name + starts, "",
                  t + ", " + type(update) + types, v.sizes);
    }
    }
  }

  std::mt19937_64 engine;
  std::vector<Value> values;
  std::string body;
};

void addAll(Relation &to, const Relation &from) {
  to.pairs.insert(to.pairs.end(), from.pairs.begin(), from.pairs.end());
}

/// Pairs (a, c) with (a, b) in the one and (b, c) in the other.
Relation join(const Relation &first, const Relation &second) {
  Relation out;
  for (const auto &[a, b] : first.pairs) {
    auto it = std::lower_bound(second.pairs.begin(), second.pairs.end(),
                               std::make_pair(b, Index{}));
    for (; it != second.pairs.end() && it->first == b; ++it)
      out.add(a, it->second);
  }
  out.normalize();
  return out;
}

Relation unionOf(const MapSet &maps, const Reader &reader) {
  Relation out;
  for (const OperandMap &m : maps)
    addAll(out, relationOf(m.map, reader));
  out.normalize();
  return out;
}

/// From the elements of the function's result to those of its first argument,
/// one operation at a time.
Relation followed(Arena &arena, mlir::Block &block, const Reader &reader) {
  llvm::DenseMap<mlir::Value, Relation> toArgument;
  mlir::Value argument = block.getArgument(0);
  toArgument[argument] =
      relationOf(Map::identity(arena, sizesOf(argument.getType())));
  for (mlir::Operation &op : block.without_terminator())
    for (mlir::Value result : op.getResults()) {
      Relation relation;
      for (auto [k, operand] : llvm::enumerate(op.getOperands())) {
        auto known = toArgument.find(operand);
        if (known != toArgument.end())
          addAll(relation, join(unionOf(mapsOf(&op, arena, kOut, k, 0), reader),
                                known->second));
      }
      relation.normalize();
      toArgument[result] = std::move(relation);
    }
  return toArgument[block.getTerminator()->getOperand(0)];
}

TEST(RandomPrograms, ComposedMapsAreWhatIsRead) {
  uint64_t first = testSeed();
  int count = givenSeed() ? 1 : 2000, inexact = 0;
  size_t mostMaps = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    RandomProgram random(seed);
    SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(seed) +
                 " i = " + std::to_string(random.i) +
                 " j = " + std::to_string(random.j) + "\n" + random.text);
    Program program(random.text);
    ASSERT_TRUE(program.module);
    mlir::Block &block = program.function("f").getBody().front();
    Arena arena;
    Reader reader = [&](const indexing::RuntimeVariable &v, const Index &) {
      return arena.name(v.source) == "f/i" ? random.i : random.j;
    };
    FusionMaps maps(arena);
    MapSet back, forth;
    for (Reached &r :
         maps.toArguments({block.getTerminator()->getOperand(0), 0}))
      if (r.number == 0)
        back = r.maps;
    for (Reached &r : maps.toResults({block.getArgument(0), 0}))
      forth = r.maps;
    Relation expected = followed(arena, block, reader);
    Relation got = unionOf(back, reader);
    ASSERT_TRUE(back.isExact() ? got == expected : got.contains(expected))
        << difference(expected, got) << toString(back);
    expected = expected.inverse();
    got = unionOf(forth, reader);
    ASSERT_TRUE(forth.isExact() ? got == expected : got.contains(expected))
        << difference(expected, got) << toString(forth);
    mostMaps = std::max(mostMaps, back.size());
    inexact += !back.isExact();
  }
  // The test would be worth little if few programs had several exact maps.
  EXPECT_LE(inexact, count / 20);
  if (count > 1)
    EXPECT_GT(mostMaps, 3u);
}

} // namespace
