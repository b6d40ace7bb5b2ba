// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random reductions of windows and convolutions, before and after they are
// written with simpler operations, and as operators of GE: the same results.

#include "mercator/targets/ascend/lowering/SpellWindows.h"

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/lowering/Convert.h"
#include "tests/Seed.h"
#include "tests/targets/ascend/gather/RandomGather.h"
#include "tests/targets/ascend/lowering/Programs.h"

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
         " {\n  %i = stablehlo.constant dense<" + init + "> : " + one +
         "\n  %r = \"stablehlo.reduce_window\"(%x, %i) <{window_dimensions = " +
         arrayText(w.sizes) + ", window_strides = " + arrayText(w.strides) +
         ", base_dilations = " + arrayText(w.baseDilations) +
         ", window_dilations = " + arrayText(w.dilations) +
         ", padding = " + w.paddingText() + "}> ({\n  ^bb0(%a: " + one +
         ", %b: " + one + "):\n    %c = stablehlo." + bodies[kind] +
         " %a, %b : " + one + "\n    stablehlo.return %c : " + one +
         "\n  }) : (" + x + ", " + one + ") -> " + r + "\n  return %r : " + r +
         "\n}\n";
}

static std::string drawConvolution(Draw &draw, const std::string &element) {
  int64_t spatial = draw.upTo(3);
  Windows w(draw, spatial);
  int64_t groups = draw.once(2) ? 1 : 1 + draw.upTo(2),
          features = 1 + draw.upTo(2), each = 1 + draw.upTo(2),
          batch = 1 + draw.upTo(1);
  // The places of batch and features among the dimensions, at random.
  auto places = [&](Ints sizes, Ints &numbers) {
    Ints order;
    for (size_t i = 0; i < sizes.size(); ++i)
      order.push_back(i);
    for (size_t i = order.size(); i > 1; --i)
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
         ">, feature_group_count = " + std::to_string(groups) +
         " : i64, batch_group_count = 1 : i64}> : (" + x + ", " + f + ") -> " +
         r + "\n  return %r : " + r + "\n}\n";
}

static void check(uint64_t seed, Programs &programs) {
  Draw draw(seed);
  std::string element = draw.once(2) ? "f32" : "i32";
  std::string text =
      draw.once(2) ? drawWindow(draw, element) : drawConvolution(draw, element);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
  auto module = programs.parse(text);
  ASSERT_TRUE(module) << programs.messages;
  // Small whole numbers: sums of floats are exact in any order.
  Programs::Inputs inputs =
      programs.inputs(*module, [&](size_t k, int64_t i) -> int64_t {
        return draw.upTo(6) - 3;
      });
  std::optional<Tensor> want = programs.result(*module, inputs);
  ASSERT_TRUE(want) << programs.messages;
  OwningOpRef<ModuleOp> after = module->clone();
  ascend::spellWindows(*after);
  ASSERT_TRUE(succeeded(mlir::verify(*after))) << programs.messages;
  after->walk([&](mlir::Operation *op) {
    EXPECT_FALSE(
        (llvm::isa<stablehlo::ReduceWindowOp, stablehlo::ConvolutionOp>(op)));
  });
  for (bool isConverted : {false, true}) {
    if (isConverted)
      for (const ascend::Unconverted &it : ascend::convertToAscend(*after, {}))
        ADD_FAILURE() << it.why;
    std::optional<Tensor> got = programs.result(*after, inputs);
    ASSERT_TRUE(got) << programs.messages;
    const Tensor &a = *got, &b = *want;
    ASSERT_EQ(a.type(), b.type());
    // Products of padding may be -0 or 0.
    for (int64_t i = 0; i < a.size(); ++i)
      ASSERT_TRUE(element == "f32" ? a.at(i).re == b.at(i).re
                                   : a.at(i).integer == b.at(i).integer)
          << (isConverted ? "converted" : "spelled") << " at " << i;
  }
}

TEST(AscendWindows, RandomOnes) {
  Programs programs;
  uint64_t seed = testSeed();
  int64_t cases = gather::countOfCases() / 5;
  for (int64_t i = 0; i < cases && !::testing::Test::HasFailure(); ++i)
    check(seed + i, programs);
  std::printf("  %ld windows and convolutions from seed %lu on\n", long(cases),
              (unsigned long)seed);
}
