// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random gathers, as programs.

#ifndef MERCATOR_TESTS_TRANSFORMS_GATHER_RANDOMGATHER_H
#define MERCATOR_TESTS_TRANSFORMS_GATHER_RANDOMGATHER_H

#include "mercator/transforms/gather/Problem.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <functional>
#include <random>

namespace mercator::gather {

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

/// A random gather as a program whose @main takes the operand and numbers that
/// its start indices are made of.
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
                operand = type(operandShape, elementType);
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
    std::string out = type(result, elementType);
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

} // namespace mercator::gather

#endif // MERCATOR_TESTS_TRANSFORMS_GATHER_RANDOMGATHER_H
