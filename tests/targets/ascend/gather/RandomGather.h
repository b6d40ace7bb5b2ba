// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random gathers, as programs.

#ifndef MERCATOR_TESTS_TARGETS_ASCEND_GATHER_RANDOMGATHER_H
#define MERCATOR_TESTS_TARGETS_ASCEND_GATHER_RANDOMGATHER_H

#include "tests/Scale.h"
#include "tests/random/Texts.h"

#include "mercator/targets/ascend/gather/Problem.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <cstdlib>
#include <functional>
#include <random>

namespace mercator::gather {

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

/// How many: 10,000, a tenth under sanitizers, or as many as MERCATOR_SOAK says.
inline int64_t countOfCases() {
  const char *text = std::getenv("MERCATOR_SOAK");
  int64_t count;
  return text && !StringRef(text).getAsInteger(10, count) ? count
                                                          : cases(10'000);
}

/// A random gather as a program whose @main takes the operand and the numbers
/// that its start indices are computed from.
struct Draw {
  explicit Draw(uint64_t seed, std::string elementType = "i64")
      : random(seed), elementType(std::move(elementType)) {
    draw();
  }

  std::mt19937_64 random;
  std::string elementType, text;
  Ints operandShape, argumentShape;
  std::string indexType;

  int64_t upTo(int64_t n) { return int64_t(random() % uint64_t(n + 1)); }
  bool once(int64_t in) { return upTo(in - 1) == 0; }

  /// The origin of the start indices.
  struct Starts {
    Draw &draw;
    Ints shape; ///< of the start indices
    int64_t vector, batchRank;
    std::string body = {};
    int count = 0;

    std::string all() const { return tensorText(shape, draw.indexType); }
    std::string add(const std::string &operation) {
      std::string name = "%v" + std::to_string(count++);
      body += "  " + name + " = stablehlo." + operation + "\n";
      return name;
    }
    std::string splat(int64_t value, const std::string &of) {
      return add("constant dense<" + std::to_string(value) + "> : " + of);
    }

    std::string constant() {
      std::string values = draw.constants(shape);
      if (!draw.once(4) || values == "dense<>")
        return add("constant " + values + " : " + all());
      // Through a shape of its own.
      Ints longer(shape);
      longer.insert(longer.begin(), 1);
      std::string flat = tensorText(longer, draw.indexType);
      std::string one = add("constant dense<[" +
                            StringRef(values).drop_front(6).drop_back().str() +
                            "]> : " + flat);
      return add("reshape " + one + " : (" + flat + ") -> " + all());
    }

    /// Numbers that count along an axis of `part`, in one of the forms in real
    /// programs.
    std::string iota(const Ints &part, int64_t axis) {
      std::string of = tensorText(part, draw.indexType), name;
      switch (draw.upTo(3)) {
      case 0:
        name = add("iota dim = " + std::to_string(axis) + " : " + of);
        break;
      case 1: { // one dimension, broadcast
        std::string flat = tensorText({part[axis]}, draw.indexType);
        name = add("iota dim = 0 : " + flat);
        name = add("broadcast_in_dim " + name + ", dims = [" +
                   std::to_string(axis) + "] : (" + flat + ") -> " + of);
        break;
      }
      case 2: { // of another type
        std::string other = tensorText(part, draw.once(2) ? "i64" : "ui32");
        name = add("iota dim = " + std::to_string(axis) + " : " + other);
        name = add("convert " + name + " : (" + other + ") -> " + of);
        break;
      }
      case 3: { // a column of a flat list, reshaped
        int64_t size = 1, inner = 1;
        for (size_t i = 0; i < part.size(); ++i) {
          size *= part[i];
          inner *= int64_t(i) > axis ? part[i] : 1;
        }
        if (inner != 1 || size != part[axis])
          return iota(part, axis);
        std::string flat = tensorText({size}, draw.indexType);
        name = add("iota dim = 0 : " + flat);
        name = add("reshape " + name + " : (" + flat + ") -> " + of);
        break;
      }
      }
      if (draw.once(3))
        name = add("add " + name + ", " + splat(1, of) + " : " + of);
      return name;
    }

    /// Index vectors with one component that counts along a batch axis.
    std::string withIota() {
      int64_t width = shape[vector], column = draw.upTo(width - 1),
              axis = draw.upTo(batchRank - 1);
      Ints single(shape);
      single[vector] = 1;
      std::string one = tensorText(single, draw.indexType), parts, partTypes;
      if (width == 1)
        return iota(single, axis >= vector ? axis + 1 : axis);
      for (int64_t k = 0; k < width; ++k) {
        std::string part;
        if (k == column || draw.once(8)) {
          part = iota(single, axis >= vector ? axis + 1 : axis);
        } else {
          std::string ranges;
          for (auto [i, extent] : llvm::enumerate(shape)) {
            int64_t from = int64_t(i) == vector ? k : 0;
            int64_t to = int64_t(i) == vector ? k + 1 : extent;
            ranges += (i ? ", " : "") + std::to_string(from) + ":" +
                      std::to_string(to);
          }
          part =
              add("slice %arg1 [" + ranges + "] : (" + all() + ") -> " + one);
        }
        parts += (k ? ", " : "") + part;
        partTypes += (k ? ", " : "") + one;
      }
      return add("concatenate " + parts + ", dim = " + std::to_string(vector) +
                 " : (" + partTypes + ") -> " + all());
    }

    std::string clamp(const std::string &x, int64_t low, int64_t high) {
      std::string scalar = "tensor<" + draw.indexType + ">";
      std::string a = splat(low, scalar), b = splat(high, scalar);
      return add("clamp " + a + ", " + x + ", " + b + " : (" + scalar + ", " +
                 all() + ", " + scalar + ") -> " + all());
    }

    /// Often in an interval that makes a clamp unnecessary.
    std::string bounded(std::string x, int64_t extent) {
      bool isSigned = draw.indexType[0] == 'i';
      int64_t most = std::max<int64_t>(extent - 1, 0);
      switch (draw.upTo(4)) {
      case 0:
        return clamp(x, draw.upTo(1), 1 + draw.upTo(3));
      case 1:
        return add("and " + x + ", " + splat(draw.once(2) ? 1 : 3, all()) +
                   " : " + all());
      case 2:
        return add("remainder " + x + ", " + splat(most + 1, all()) + " : " +
                   all());
      case 3:
        return add("minimum " + x + ", " + splat(most, all()) + " : " + all());
      default: {
        // Negative numbers count from the end.
        if (!isSigned)
          return x;
        if (!draw.once(3))
          x = clamp(x, -extent, most);
        std::string zero = splat(0, all()), size = splat(extent, all());
        std::string isNegative =
            add("compare LT, " + x + ", " + zero + " : (" + all() + ", " +
                all() + ") -> " + tensorText(shape, "i1"));
        std::string wrapped = add("add " + x + ", " + size + " : " + all());
        return add("select " + isNegative + ", " + wrapped + ", " + x + " : " +
                   tensorText(shape, "i1") + ", " + all());
      }
      }
    }
  };

  void draw() {
    int64_t rank = once(12) ? 0 : 1 + upTo(3), batchRank = upTo(3);
    // Sometimes with as many dimensions as GE supports, or more.
    bool isHigh = once(30);
    if (isHigh) {
      rank = 3 + upTo(5);
      batchRank = upTo(5);
    }
    // Sometimes points and windows only: otherwise these are rare.
    bool isIndexed = once(5);
    if (isIndexed)
      rank = 3 + upTo(1);
    Ints batch, dims;
    for (int64_t i = 0; i < batchRank; ++i)
      batch.push_back(once(40)  ? 0
                      : once(5) ? 1
                      : isHigh  ? 1 + upTo(1)
                                : 1 + upTo(3));
    for (int64_t d = 0; d < rank; ++d) {
      operandShape.push_back(once(60)  ? 0
                             : once(6) ? 1
                             : isHigh  ? 1 + upTo(1)
                                       : 1 + upTo(4));
      dims.push_back(d);
    }
    llvm::shuffle(dims.begin(), dims.end(), random);
    // Roles: some dimensions follow the batch, some are named by a column.
    Ints axes;
    for (int64_t i = 0; i < batchRank; ++i)
      axes.push_back(i);
    llvm::shuffle(axes.begin(), axes.end(), random);
    Ints batchingDims, batchingAxes, map, sizes(operandShape), collapsed;
    for (int64_t d : dims) {
      if (!isIndexed && !axes.empty() && once(4)) {
        batchingDims.push_back(d);
        batchingAxes.push_back(axes.pop_back_val());
        operandShape[d] = batch[batchingAxes.back()];
        sizes[d] = std::min<int64_t>(1, operandShape[d]);
        continue;
      }
      if (isIndexed || !once(4)) {
        map.push_back(d);
        sizes[d] = once(2) || operandShape[d] < 2
                       ? std::min<int64_t>(1, operandShape[d])
                   : once(8) ? operandShape[d]
                             : 1 + upTo(operandShape[d] - 2);
      } else if (once(3)) {
        sizes[d] = upTo(operandShape[d]);
      }
      if (sizes[d] == 1 ? !once(3) : sizes[d] == 0 && once(6))
        collapsed.push_back(d);
    }
    llvm::sort(collapsed);
    // Batching dimensions are listed in order, with their axes.
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
    std::string indices = tensorText(indicesShape, indexType),
                operand = tensorText(operandShape, elementType);
    // The origin of the start indices.
    std::string body;
    argumentShape = indicesShape;
    std::string argument = tensorText(argumentShape, indexType), name;
    Starts starts{*this, indicesShape, vector, batchRank};
    if (once(5))
      name = starts.constant();
    else if (hasVector && batchRank > 0 && width > 0 && once(4))
      name = starts.withIota();
    else
      name = "%arg1";
    if (!operandShape.empty() && width > 0 && once(3))
      name = starts.bounded(name, operandShape[map[0]]);
    body = starts.body;
    std::string out = tensorText(result, elementType);
    text = "func.func @main(%arg0: " + operand + ", %arg1: " + argument +
           ") -> (" + out + ", " + indices + ") {\n" + body +
           "  %r = \"stablehlo.gather\"(%arg0, " + name +
           ") <{dimension_numbers = #stablehlo.gather<offset_dims = " +
           listText(offsets) +
           ", collapsed_slice_dims = " + listText(collapsed) +
           ", operand_batching_dims = " + listText(batchingDims) +
           ", start_indices_batching_dims = " + listText(batchingAxes) +
           ", start_index_map = " + listText(map) +
           ", index_vector_dim = " + std::to_string(vector) +
           ">, slice_sizes = array<i64" + (rank ? ": " : "") +
           StringRef(listText(sizes)).drop_front().drop_back().str() +
           ">}> : (" + operand + ", " + indices + ") -> " + out +
           "\n  return %r, " + name + " : " + out + ", " + indices + "\n}\n";
  }

  /// Small, negative and extreme numbers of an index type.
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

} // namespace mercator::gather

#endif // MERCATOR_TESTS_TARGETS_ASCEND_GATHER_RANDOMGATHER_H
