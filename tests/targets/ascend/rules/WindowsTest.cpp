// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random reductions of windows and convolutions: the same results as GE's
// operators for them, as simpler operations, and as these in operators of GE.

#include "mercator/targets/ascend/prepare/SpellWindows.h"

#include "mercator/analysis/device/Device.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/rules/Convert.h"
#include "tests/Seed.h"
#include "tests/targets/ascend/gather/RandomGather.h"
#include "tests/targets/ascend/rules/Programs.h"

#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace mercator;
using gather::Draw;
using gather::Ints;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using reference::Tensor;

static std::string arrayText(const Ints &values) {
  std::string text = listText(values);
  return values.empty() ? "array<i64>"
                        : "array<i64: " + text.substr(1, text.size() - 2) + ">";
}

namespace {
/// A window along dimensions, so that there is at least one position.
struct Windows {
  Ints shape, sizes, strides, dilations, baseDilations, padding, positions;

  Windows(Draw &draw, int64_t rank) {
    for (int64_t d = 0; d < rank; ++d) {
      int64_t size = 1 + draw.upTo(draw.once(4) ? 8 : 3),
              stride = 1 + draw.upTo(2), dilation = 1 + draw.upTo(1),
              base = draw.once(4) ? 2 : 1, extent = 1 + draw.upTo(6),
              low = draw.upTo(3) - 1, high = draw.upTo(3) - 1,
              reach = (size - 1) * dilation + 1;
      int64_t padded = (extent - 1) * base + 1 + low + high;
      if (padded < reach) {
        high += reach - padded;
        padded = reach;
      }
      shape.push_back(extent);
      sizes.push_back(size);
      strides.push_back(stride);
      dilations.push_back(dilation);
      baseDilations.push_back(base);
      padding.append({low, high});
      positions.push_back((padded - reach) / stride + 1);
    }
  }

  std::string paddingText() const {
    std::string text;
    for (size_t i = 0; i < shape.size(); ++i)
      text += std::string(i ? ", " : "") + "[" +
              std::to_string(padding[2 * i]) + ", " +
              std::to_string(padding[2 * i + 1]) + "]";
    return "dense<[" + text + "]> : tensor<" + std::to_string(shape.size()) +
           "x2xi64>";
  }
};
} // namespace

/// `%NAME = reduce_window(%x, %i)` of type `r`.
static std::string reduceWindow(const std::string &name, const std::string &x,
                                const std::string &init,
                                const std::string &body, const Windows &w,
                                const std::string &from, const std::string &to,
                                const std::string &element) {
  std::string one = "tensor<" + element + ">";
  return "  " + name + " = \"stablehlo.reduce_window\"(" + x + ", " + init +
         ") <{window_dimensions = " + arrayText(w.sizes) +
         ", window_strides = " + arrayText(w.strides) +
         ", base_dilations = " + arrayText(w.baseDilations) +
         ", window_dilations = " + arrayText(w.dilations) +
         ", padding = " + w.paddingText() + "}> ({\n  ^bb0(%a: " + one +
         ", %b: " + one + "):\n    %c = stablehlo." + body +
         " %a, %b : " + one + "\n    stablehlo.return %c : " + one +
         "\n  }) : (" + from + ", " + one + ") -> " + to + "\n";
}

static std::string drawWindow(Draw &draw, const std::string &element) {
  Windows w(draw, 1 + draw.upTo(2));
  static constexpr std::array<const char *, 4> bodies = {"add", "maximum",
                                                         "minimum", "multiply"};
  std::string x = tensorText(w.shape, element), one = "tensor<" + element + ">",
              r = tensorText(w.positions, element);
  int64_t kind = draw.upTo(element == "f32" ? 2 : 3);
  std::string init = kind == 3      ? "1"
                     : draw.once(3) ? "3"
                     : kind == 0    ? "0"
                     : element == "f32"
                         ? (kind == 1 ? "0xFF800000" : "0x7F800000")
                         : "-7";
  if (element == "f32" && init.find('x') == std::string::npos)
    init += ".0";
  return "func.func @main(%x: " + x + ") -> " + r +
         " {\n  %i = stablehlo.constant dense<" + init + "> : " + one + "\n" +
         reduceWindow("%r", "%x", "%i", bodies[kind], w, x, r, element) +
         "  return %r : " + r + "\n}\n";
}

/// The greatest elements, or the means, of windows along two dimensions.
static std::string drawPooling(Draw &draw, const std::string &element) {
  int64_t rank = 2 + draw.upTo(3), first = draw.upTo(rank - 1),
          second = (first + 1 + draw.upTo(rank - 2)) % rank;
  Windows w(draw, rank);
  for (int64_t d = 0; d < rank; ++d) {
    bool isImage = d == first || d == second;
    int64_t size = isImage ? 2 + draw.upTo(2) : 1,
            stride = isImage ? 1 + draw.upTo(2) : 1,
            low = isImage && draw.once(2) ? draw.upTo(size - 1) : 0,
            high = isImage && draw.once(2)
                       ? std::min(draw.upTo(size - 1), size - low)
                       : 0,
            extent =
                isImage ? std::max<int64_t>(size - low - high, 1) + draw.upTo(4)
                        : 1 + draw.upTo(2);
    w.shape[d] = extent;
    w.sizes[d] = size;
    w.strides[d] = stride;
    w.dilations[d] = isImage ? 1 : 1 + draw.upTo(1);
    w.baseDilations[d] = 1;
    w.padding[2 * d] = low;
    w.padding[2 * d + 1] = high;
    w.positions[d] = (extent + low + high - size) / stride + 1;
  }
  std::string x = tensorText(w.shape, element), one = "tensor<" + element + ">",
              r = tensorText(w.positions, element), lowest = "0xFF800000";
  if (element == "f64")
    lowest = "0xFFF0000000000000";
  if (element == "f16")
    lowest = "0xFC00";
  if (element == "bf16")
    lowest = "0xFF80";
  int64_t kind = draw.upTo(2);
  std::string text =
      "func.func @main(%x: " + x + ") -> " + r +
      " {\n  %i = stablehlo.constant dense<" + (kind == 0 ? lowest : "0.0") +
      "> : " + one + "\n" +
      reduceWindow("%r", "%x", "%i", kind == 0 ? "maximum" : "add", w, x, r,
                   element);
  if (kind == 0)
    return text + "  return %r : " + r + "\n}\n";
  if (kind == 1) {
    text += "  %n = stablehlo.constant dense<" +
            std::to_string(w.sizes[first] * w.sizes[second]) + ".0> : " + r +
            "\n";
  } else {
    Ints ones(rank, 1), counts(rank, 1), dims;
    for (int64_t d = 0; d < rank; ++d)
      dims.push_back(d);
    for (int64_t d : {first, second}) {
      ones[d] = w.shape[d];
      counts[d] = w.positions[d];
    }
    std::string from = tensorText(ones, element),
                to = tensorText(counts, element);
    text += "  %o = stablehlo.constant dense<1.0> : " + from + "\n" +
            reduceWindow("%m", "%o", "%i", "add", w, from, to, element) +
            "  %n = stablehlo.broadcast_in_dim %m, dims = " + listText(dims) +
            " : (" + to + ") -> " + r + "\n";
  }
  return text + "  %q = stablehlo.divide %r, %n : " + r +
         "\n  return %q : " + r + "\n}\n";
}

/// The sums of all elements up to each one, or from each one on.
static std::string drawCumulativeSum(Draw &draw, const std::string &element) {
  int64_t rank = 1 + draw.upTo(2), dim = draw.upTo(rank - 1);
  Windows w(draw, rank);
  for (int64_t d = 0; d < rank; ++d) {
    int64_t extent = (d == dim ? 2 : 1) + draw.upTo(4);
    w.shape[d] = w.positions[d] = extent;
    w.sizes[d] = d == dim ? extent : 1;
    w.strides[d] = w.dilations[d] = w.baseDilations[d] = 1;
    w.padding[2 * d] = w.padding[2 * d + 1] = 0;
  }
  int64_t low = w.sizes[dim] - 1 + draw.upTo(1), high = w.sizes[dim] - 1 - low;
  if (draw.once(2))
    std::swap(low, high);
  w.padding[2 * dim] = low;
  w.padding[2 * dim + 1] = high;
  std::string x = tensorText(w.shape, element);
  return "func.func @main(%x: " + x + ") -> " + x +
         " {\n  %i = stablehlo.constant dense<" +
         (llvm::StringRef(element).contains('i') ? "0" : "0.0") +
         "> : tensor<" + element + ">\n" +
         reduceWindow("%r", "%x", "%i", "add", w, x, x, element) +
         "  return %r : " + x + "\n}\n";
}

static std::string drawConvolution(Draw &draw, const std::string &element) {
  int64_t spatial = draw.upTo(3);
  Windows w(draw, spatial);
  int64_t groups = draw.once(2) ? 1 : 1 + draw.upTo(2),
          features = 1 + draw.upTo(2), each = 1 + draw.upTo(2),
          batch = 1 + draw.upTo(1), layout = draw.upTo(2);
  bool isOfBatch = groups > 1 && draw.once(3);
  // The places of batch and features among the dimensions: first, around the
  // others, or at random.
  auto places = [&](Ints sizes, Ints &numbers) {
    Ints order;
    for (size_t i = 0; i < sizes.size(); ++i)
      order.push_back(i);
    if (layout == 1)
      std::rotate(order.begin() + 1, order.end() - 1, order.end());
    for (size_t i = order.size(); i > 1 && layout == 2; --i)
      std::swap(order[i - 1], order[draw.upTo(i - 1)]);
    numbers.assign(sizes.size(), 0);
    Ints shape(sizes.size(), 0);
    for (size_t i = 0; i < sizes.size(); ++i) {
      numbers[i] = order[i]; // where role i is
      shape[order[i]] = sizes[i];
    }
    return shape;
  };
  Ints input{batch, groups * features}, kernel{features, groups * each},
      output{batch, groups * each};
  if (isOfBatch)
    input = {batch * groups, features};
  input.append(w.shape);
  kernel.append(w.sizes);
  output.append(w.positions);
  Ints in, k, out;
  std::string x = tensorText(places(input, in), element),
              f = tensorText(places(kernel, k), element),
              r = tensorText(places(output, out), element), reversal;
  auto rest = [](const Ints &numbers) {
    return listText(Ints(numbers.begin() + 2, numbers.end()));
  };
  for (int64_t i = 0; i < spatial; ++i)
    reversal += (i ? ", " : "") + std::string(draw.once(3) ? "true" : "false");
  std::string windows;
  if (spatial > 0)
    windows = "window_strides = " + arrayText(w.strides) +
              ", padding = " + w.paddingText() +
              ", lhs_dilation = " + arrayText(w.baseDilations) +
              ", rhs_dilation = " + arrayText(w.dilations) +
              ", window_reversal = array<i1: " + reversal + ">, ";
  return "func.func @main(%x: " + x + ", %k: " + f + ") -> " + r +
         " {\n  %r = \"stablehlo.convolution\"(%x, %k) <{" + windows +
         "dimension_numbers = #stablehlo.conv<raw input_batch_dimension = " +
         std::to_string(in[0]) +
         ", input_feature_dimension = " + std::to_string(in[1]) +
         ", input_spatial_dimensions = " + rest(in) +
         ", kernel_input_feature_dimension = " + std::to_string(k[0]) +
         ", kernel_output_feature_dimension = " + std::to_string(k[1]) +
         ", kernel_spatial_dimensions = " + rest(k) +
         ", output_batch_dimension = " + std::to_string(out[0]) +
         ", output_feature_dimension = " + std::to_string(out[1]) +
         ", output_spatial_dimensions = " + rest(out) +
         ">, feature_group_count = " + std::to_string(isOfBatch ? 1 : groups) +
         " : i64, batch_group_count = " +
         std::to_string(isOfBatch ? groups : 1) + " : i64}> : (" + x + ", " +
         f + ") -> " + r + "\n  return %r : " + r + "\n}\n";
}

namespace {
struct Windowed {
  Programs programs;
  std::map<std::string, int64_t> made; ///< operators of GE

  void check(uint64_t seed);

private:
  /// Compares the module with `want`, before and after its conversion.
  void compare(ModuleOp module, const char *what,
               const Programs::Inputs &inputs, const Tensor &want);
  void convert(ModuleOp module);
};
} // namespace

void Windowed::convert(ModuleOp module) {
  for (const ascend::Unconverted &it : ascend::convertToAscend(
           module, {.plan = {.device = &devices::ascendAny()}}))
    ADD_FAILURE() << it.why;
  ASSERT_TRUE(succeeded(mlir::verify(module))) << programs.messages;
}

void Windowed::compare(ModuleOp module, const char *what,
                       const Programs::Inputs &inputs, const Tensor &want) {
  std::optional<Tensor> got = programs.result(module, inputs);
  ASSERT_TRUE(got) << programs.messages;
  ASSERT_EQ(got->type(), want.type());
  // Products of padding may be -0 or 0.
  for (int64_t i = 0; i < want.size(); ++i)
    ASSERT_TRUE(want.element().isReal()
                    ? got->at(i).re == want.at(i).re
                    : got->at(i).integer == want.at(i).integer)
        << what << " at " << i;
}

void Windowed::check(uint64_t seed) {
  static constexpr std::array<const char *, 6> elements = {"f32", "i32",  "f32",
                                                           "f16", "bf16", "i8"};
  Draw draw(seed);
  int64_t kind = draw.upTo(4);
  std::string element =
      kind == 0 ? (draw.once(2) ? "f32" : "i32")
                : elements[draw.upTo(kind == 4 ? elements.size() - 1 : 4)];
  if (kind == 1 && element == "i32")
    element = "f64";
  std::string text = kind == 0   ? drawWindow(draw, element)
                     : kind == 1 ? drawPooling(draw, element)
                     : kind == 4 ? drawCumulativeSum(draw, element)
                                 : drawConvolution(draw, element);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
  auto module = programs.parse(text);
  ASSERT_TRUE(module) << programs.messages;
  // Small whole numbers: sums of floats are exact in any order. Sums of bytes
  // wrap around.
  int64_t most = element == "i8" ? 100 : 3;
  Programs::Inputs inputs =
      programs.inputs(*module, [&](size_t k, int64_t i) -> int64_t {
        return draw.upTo(2 * most) - most;
      });
  std::optional<Tensor> want = programs.result(*module, inputs);
  ASSERT_TRUE(want) << programs.messages;

  OwningOpRef<ModuleOp> converted = module->clone();
  convert(*converted);
  compare(*converted, "converted", inputs, *want);
  converted->walk(
      [&](mlir::Operation *op) { ++made[op->getName().stripDialect().str()]; });

  if (text.find("batch_group_count = 1 ") == std::string::npos &&
      text.find("batch_group_count") != std::string::npos)
    return; // stays without the conversion
  OwningOpRef<ModuleOp> spelled = module->clone();
  ascend::spellWindows(*spelled);
  ASSERT_TRUE(succeeded(mlir::verify(*spelled))) << programs.messages;
  spelled->walk([&](mlir::Operation *op) {
    EXPECT_FALSE(
        (llvm::isa<stablehlo::ReduceWindowOp, stablehlo::ConvolutionOp>(op)));
  });
  compare(*spelled, "spelled", inputs, *want);
  convert(*spelled);
  compare(*spelled, "spelled and converted", inputs, *want);
}

TEST(AscendWindows, RandomOnes) {
  Windowed windowed;
  uint64_t seed = testSeed();
  int64_t cases = gather::countOfCases() / 5;
  for (int64_t i = 0; i < cases && !::testing::Test::HasFailure(); ++i)
    windowed.check(seed + i);
  std::printf("  %ld windows and convolutions from seed %lu on\n", long(cases),
              (unsigned long)seed);
  for (const char *type :
       {"Conv2D", "Conv3D", "MaxPoolV3", "AvgPoolV2", "Cumsum"}) {
    std::printf("  %s: %ld\n", type, long(windowed.made[type]));
    if (!HasFailure() && cases >= 200) {
      EXPECT_GT(windowed.made[type], cases / 50) << type;
    }
  }
}
