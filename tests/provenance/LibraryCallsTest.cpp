// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random calls of cuBLAS and cuDNN: their values against loops over the formula,
// and their maps against running them. The loops know nothing of convolutions of
// StableHLO: a gradient adds up the terms of the forward convolution.

#include "Check.h"
#include "tests/Scale.h"
#include "tests/Seed.h"

#include "mercator/dialects/Register.h"
#include "mercator/frontends/hlo/Import.h"
#include "mercator/frontends/hlo/Parser.h"
#include "mercator/reference/AllRules.h"

#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

#include <random>

using namespace mercator;
using namespace mercator::testing;
using reference::Scalar;
using reference::Tensor;

namespace {

using Extents = std::vector<int64_t>;

/// A call, its operands, and what its first result must be.
struct RandomCall {
  std::string text;
  std::vector<Extents> operands;
  Extents result;
  std::function<std::vector<double>(const std::vector<std::vector<double>> &)>
      meaning;
};

int64_t countOf(const Extents &sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

/// The place of an element in row-major order; -1 outside.
int64_t placeOf(const Extents &sizes, const Extents &index) {
  int64_t place = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (index[i] < 0 || index[i] >= sizes[i])
      return -1;
    place = place * sizes[i] + index[i];
  }
  return place;
}

void forEachIndex(const Extents &sizes,
                  llvm::function_ref<void(const Extents &)> visit) {
  for (int64_t n = 0; n < countOf(sizes); ++n) {
    Extents index(sizes.size());
    int64_t rest = n;
    for (size_t i = sizes.size(); i-- > 0; rest /= sizes[i])
      index[i] = rest % sizes[i];
    visit(index);
  }
}

class Draw {
public:
  explicit Draw(uint64_t seed) : engine(seed) {}
  int64_t number(int64_t low, int64_t high) {
    return low + int64_t(engine() % uint64_t(high - low + 1));
  }
  bool coin() { return number(0, 1); }
  template <typename T> T oneOf(std::initializer_list<T> list) {
    return list.begin()[number(0, int64_t(list.size()) - 1)];
  }
  Extents order(size_t count) {
    Extents dims(count);
    for (size_t i = 0; i < count; ++i)
      dims[i] = int64_t(i);
    for (size_t i = count; i > 1; --i)
      std::swap(dims[i - 1], dims[number(0, int64_t(i) - 1)]);
    return dims;
  }

private:
  std::mt19937_64 engine;
};

std::string joined(const Extents &list, const char *quote = "") {
  std::string text;
  for (int64_t it : list)
    text += (text.empty() ? "" : ",") + (quote + std::to_string(it)) + quote;
  return text;
}

std::string shape(const Extents &sizes, const Extents &layout = {}) {
  return "f32[" + joined(sizes) + "]" +
         (layout.empty() ? "" : "{" + joined(layout) + "}");
}

std::string program(const std::vector<Extents> &operands,
                    const std::string &result, const std::string &rest) {
  std::string text = "HloModule m\nENTRY e {\n", names;
  for (size_t i = 0; i < operands.size(); ++i) {
    std::string name = "p" + std::to_string(i);
    text += "  " + name + " = " + shape(operands[i]) + " parameter(" +
            std::to_string(i) + ")\n";
    names += (i ? ", " : "") + name;
  }
  return text + "  c = (" + result + ", s8[64]{0}) custom-call(" + names +
         "), " + rest + "\n  ROOT r = " + result +
         " get-tuple-element(c), index=0\n}\n";
}

//===--- Products ---------------------------------------------------------===//

/// Batch, free and summed dimensions in any order, a layout of the result in any
/// order, alpha, beta, a bias, and an activation.
RandomCall randomProduct(Draw &draw) {
  int64_t batch = draw.number(0, 1), rows = draw.number(0, 2),
          columns = draw.number(0, 2), summed = draw.number(1, 2);
  auto sizesOf = [&](int64_t count) {
    Extents sizes;
    for (int64_t i = 0; i < count; ++i)
      sizes.push_back(draw.number(1, 3));
    return sizes;
  };
  Extents b = sizesOf(batch), m = sizesOf(rows), n = sizesOf(columns),
          k = sizesOf(summed);
  // The role of each dimension: 0 batch, 1 free, 2 summed.
  struct Side {
    Extents sizes, batch, free, summed;
  };
  auto side = [&](const Extents &free) {
    std::vector<std::pair<int, int64_t>> roles;
    for (size_t i = 0; i < b.size(); ++i)
      roles.push_back({0, int64_t(i)});
    for (size_t i = 0; i < free.size(); ++i)
      roles.push_back({1, int64_t(i)});
    for (size_t i = 0; i < k.size(); ++i)
      roles.push_back({2, int64_t(i)});
    // The free dimensions keep their order: they are those of the result.
    Extents order = draw.order(roles.size());
    Side out;
    out.batch.resize(b.size());
    out.summed.resize(k.size());
    size_t nextFree = 0;
    for (int64_t from : order) {
      auto [role, which] = roles[from];
      int64_t at = int64_t(out.sizes.size());
      if (role == 1) {
        out.free.push_back(at);
        out.sizes.push_back(free[nextFree++]);
      } else {
        (role == 0 ? out.batch : out.summed)[which] = at;
        out.sizes.push_back((role == 0 ? b : k)[which]);
      }
    }
    return out;
  };
  Side lhs = side(m), rhs = side(n);
  Extents result = b;
  result.insert(result.end(), m.begin(), m.end());
  result.insert(result.end(), n.begin(), n.end());
  Extents layout = draw.order(result.size());
  double alpha = draw.oneOf({1.0, 1.0, 2.0, -1.0}),
         beta = draw.oneOf({0.0, 0.0, 1.0, 3.0});
  bool hasBias = draw.coin(), isRelu = draw.coin();
  std::string epilogue = hasBias  ? isRelu ? "BIAS_RELU" : "BIAS"
                         : isRelu ? "RELU"
                                  : "DEFAULT";
  RandomCall call;
  call.operands = {lhs.sizes, rhs.sizes};
  if (beta != 0)
    call.operands.push_back(result);
  // The bias has the fastest dimensions of the result, the slowest of them first.
  int64_t biasRank = draw.number(0, std::min<int64_t>(2, result.size()));
  Extents biasDims(layout.begin(), layout.begin() + biasRank);
  std::reverse(biasDims.begin(), biasDims.end());
  if (hasBias) {
    Extents bias;
    for (int64_t dim : biasDims)
      bias.push_back(result[dim]);
    call.operands.push_back(bias);
  }
  call.result = result;
  std::string numbers =
      "{\"lhs_contracting_dimensions\":[" + joined(lhs.summed, "\"") +
      "],\"rhs_contracting_dimensions\":[" + joined(rhs.summed, "\"") +
      "],\"lhs_batch_dimensions\":[" + joined(lhs.batch, "\"") +
      "],\"rhs_batch_dimensions\":[" + joined(rhs.batch, "\"") + "]}";
  call.text =
      program(call.operands, shape(result, layout),
              "custom_call_target=\"__cublas$lt$matmul\", "
              "backend_config={\"gemm_backend_config\":{\"alpha_real\":" +
                  std::to_string(alpha) + ",\"beta\":" + std::to_string(beta) +
                  ",\"alpha_imag\":0,\"dot_dimension_numbers\":" + numbers +
                  ",\"epilogue\":\"" + epilogue + "\"}}");
  call.meaning = [=](const std::vector<std::vector<double>> &values) {
    std::vector<double> out;
    forEachIndex(result, [&](const Extents &at) {
      double sum = 0;
      forEachIndex(k, [&](const Extents &term) {
        auto elementOf = [&](const Side &side, size_t firstFree) {
          Extents index(side.sizes.size());
          for (size_t i = 0; i < side.batch.size(); ++i)
            index[side.batch[i]] = at[i];
          for (size_t i = 0; i < side.free.size(); ++i)
            index[side.free[i]] = at[firstFree + i];
          for (size_t i = 0; i < side.summed.size(); ++i)
            index[side.summed[i]] = term[i];
          return placeOf(side.sizes, index);
        };
        sum += values[0][elementOf(lhs, b.size())] *
               values[1][elementOf(rhs, b.size() + m.size())];
      });
      double value = alpha * sum;
      size_t next = 2;
      if (beta != 0)
        value += beta * values[next++][placeOf(result, at)];
      if (hasBias) {
        Extents sizes, index;
        for (int64_t dim : biasDims) {
          sizes.push_back(result[dim]);
          index.push_back(at[dim]);
        }
        value += values[next][placeOf(sizes, index)];
      }
      out.push_back(isRelu ? std::max(value, 0.0) : value);
    });
    return out;
  };
  return call;
}

//===--- Convolutions -----------------------------------------------------===//

/// All three forms of a convolution with random windows, groups and orders of
/// dimensions; the forward one perhaps with a bias, a side input and an activation.
RandomCall randomConvolution(Draw &draw) {
  size_t spatial = size_t(draw.number(0, 2));
  int64_t groups = draw.number(1, 2), batch = draw.number(1, 2),
          in = draw.number(1, 2), features = groups * draw.number(1, 2);
  struct Dim {
    int64_t x, w, y, stride, low, high, dilation;
    bool isReversed;
  };
  std::vector<Dim> dims;
  for (size_t i = 0; i < spatial; ++i) {
    Dim d;
    do {
      d.x = draw.number(1, 5);
      d.w = draw.number(1, 3);
      d.stride = draw.number(1, 2);
      d.dilation = draw.number(1, 2);
      d.low = draw.number(-1, 2);
      d.high = draw.number(-1, 2);
      int64_t room = d.x + d.low + d.high - ((d.w - 1) * d.dilation + 1);
      d.y = room < 0 ? 0 : room / d.stride + 1;
    } while (d.y < 1 || d.x + d.low < 1 || d.x + d.high < 1 ||
             d.x + d.low + d.high < 1);
    d.isReversed = draw.number(0, 3) == 0;
    dims.push_back(d);
  }
  // Dimensions by role: batch or output features, features, spatial.
  auto arrange = [&](Extents roles) {
    Extents order = draw.order(roles.size()), sizes(roles.size());
    for (size_t i = 0; i < order.size(); ++i)
      sizes[order[i]] = roles[i]; // role i lies at dimension order[i]
    return std::pair(order, sizes);
  };
  Extents xRoles = {batch, in * groups}, wRoles = {features, in},
          yRoles = {batch, features};
  for (const Dim &d : dims) {
    xRoles.push_back(d.x);
    wRoles.push_back(d.w);
    yRoles.push_back(d.y);
  }
  auto [xAt, x] = arrange(xRoles);
  auto [wAt, w] = arrange(wRoles);
  auto [yAt, y] = arrange(yRoles);
  auto label = [&](const Extents &at, const char *letters) {
    std::string text(at.size(), '?');
    for (size_t i = 0; i < at.size(); ++i)
      text[at[i]] = i < 2 ? letters[i] : char('0' + i - 2);
    return text;
  };
  std::string window;
  auto key = [&](const char *name, auto value) {
    if (dims.empty())
      return;
    window += (window.empty() ? "" : " ") + std::string(name) + "=";
    for (size_t i = 0; i < dims.size(); ++i)
      window += (i ? "x" : "") + value(dims[i]);
  };
  key("size", [](const Dim &d) { return std::to_string(d.w); });
  key("stride", [](const Dim &d) { return std::to_string(d.stride); });
  key("pad", [](const Dim &d) {
    return std::to_string(d.low) + "_" + std::to_string(d.high);
  });
  key("rhs_dilate", [](const Dim &d) { return std::to_string(d.dilation); });
  key("rhs_reversal",
      [](const Dim &d) { return std::to_string(int(d.isReversed)); });

  int form = int(draw.number(0, 3)); // forward, gradients, fused
  double scale = draw.oneOf({1.0, 1.0, 2.0}),
         side = draw.oneOf({0.0, 1.0, 2.0});
  bool isRelu = draw.coin();
  RandomCall call;
  call.operands = form == 1   ? std::vector<Extents>{y, w}
                  : form == 2 ? std::vector<Extents>{x, y}
                              : std::vector<Extents>{x, w};
  call.result = form == 1 ? x : form == 2 ? w : y;
  if (form == 3) {
    call.operands.push_back({features});
    if (side != 0)
      call.operands.push_back(y);
  }
  static const char *const targets[] = {
      "__cudnn$convForward", "__cudnn$convBackwardInput",
      "__cudnn$convBackwardFilter", "__cudnn$convBiasActivationForward"};
  std::string config = "\"conv_result_scale\":" + std::to_string(scale);
  if (form == 3)
    config += ",\"side_input_scale\":" + std::to_string(side) +
              ",\"activation_mode\":\"" + (isRelu ? "kRelu" : "kNone") + "\"";
  call.text = program(
      call.operands, shape(call.result),
      (window.empty() ? "" : "window={" + window + "}, ") +
          "dim_labels=" + label(xAt, "bf") + "_" + label(wAt, "oi") + "->" +
          label(yAt, "bf") + ", feature_group_count=" + std::to_string(groups) +
          ", custom_call_target=\"" + targets[form] +
          "\", backend_config={\"cudnn_conv_backend_config\":{" + config +
          "}}");
  call.meaning = [=](const std::vector<std::vector<double>> &values) {
    std::vector<double> out(countOf(call.result));
    // Every term of the forward convolution.
    forEachIndex(yRoles, [&](const Extents &at) {
      Extents taps = {in};
      for (const Dim &d : dims)
        taps.push_back(d.w);
      forEachIndex(taps, [&](const Extents &tap) {
        Extents xIndex(x.size()), wIndex(w.size()), yIndex(y.size());
        xIndex[xAt[0]] = at[0];
        xIndex[xAt[1]] = at[1] / (features / groups) * in + tap[0];
        wIndex[wAt[0]] = at[1];
        wIndex[wAt[1]] = tap[0];
        for (size_t i = 0; i < dims.size(); ++i) {
          const Dim &d = dims[i];
          xIndex[xAt[i + 2]] =
              at[i + 2] * d.stride + tap[i + 1] * d.dilation - d.low;
          wIndex[wAt[i + 2]] = d.isReversed ? d.w - 1 - tap[i + 1] : tap[i + 1];
        }
        for (size_t i = 0; i < at.size(); ++i)
          yIndex[yAt[i]] = at[i];
        int64_t px = placeOf(x, xIndex), pw = placeOf(w, wIndex),
                py = placeOf(y, yIndex);
        if (px < 0)
          return;
        if (form == 1)
          out[px] += values[0][py] * values[1][pw];
        else if (form == 2)
          out[pw] += values[0][px] * values[1][py];
        else
          out[py] += values[0][px] * values[1][pw];
      });
    });
    for (double &value : out)
      value *= scale;
    if (form == 3)
      forEachIndex(y, [&](const Extents &index) {
        double &value = out[placeOf(y, index)];
        if (side != 0)
          value += side * values[3][placeOf(y, index)];
        value += values[2][index[yAt[1]]];
        value = isRelu ? std::max(value, 0.0) : value;
      });
    return out;
  };
  return call;
}

//===--- The test ---------------------------------------------------------===//

mlir::OwningOpRef<mlir::ModuleOp>
import(const std::string &text, mlir::MLIRContext &context, std::string &said) {
  llvm::raw_string_ostream os(said);
  SourceBuffer source("t.hlo", text);
  DiagnosticEngine diagnostics(os);
  std::unique_ptr<hlo::Module> module = hlo::parse(source, diagnostics);
  if (!module)
    return {};
  return hlo::importHlo(*module, source, context, diagnostics);
}

void check(uint64_t seed, RandomCall (*generate)(Draw &), Checker &checker,
           Coverage &coverage) {
  Draw draw(seed);
  RandomCall call = generate(draw);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + call.text);
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string said;
  mlir::OwningOpRef<mlir::ModuleOp> module = import(call.text, context, said);
  ASSERT_TRUE(module) << said;
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  ASSERT_EQ(text.find("custom_call @"), std::string::npos) << text;

  std::vector<reference::Value> arguments;
  std::vector<std::vector<double>> values;
  auto f32 = mlir::Float32Type::get(&context);
  for (const Extents &sizes : call.operands) {
    auto type = mlir::RankedTensorType::get(sizes, f32);
    Tensor tensor = *Tensor::zeros(
        type, [&] { return mlir::emitError(mlir::UnknownLoc::get(&context)); });
    values.emplace_back();
    for (int64_t i = 0; i < tensor.size(); ++i) {
      values.back().push_back(double(draw.number(-4, 4)));
      tensor.set(i, Scalar::complex(values.back().back(), 0));
    }
    arguments.push_back(tensor);
  }
  reference::Evaluator evaluator(*module, reference::allRules());
  auto entry = *module->getOps<mlir::func::FuncOp>().begin();
  auto results = evaluator.call(entry, arguments);
  ASSERT_TRUE(succeeded(results)) << text;
  const Tensor &got = *results->front().tensor();
  std::vector<double> expected = call.meaning(values);
  ASSERT_EQ(got.size(), int64_t(expected.size()));
  for (int64_t i = 0; i < got.size(); ++i)
    ASSERT_EQ(got.at(i).re, expected[i]) << "element " << i << "\n" << text;

  std::vector<SampleValue> holds;
  for (const Extents &sizes : call.operands)
    holds.push_back({TensorType{Numbers(sizes.begin(), sizes.end()), "f32"}});
  Outcome outcome = checker.check(text, holds, seed, false, coverage);
  EXPECT_EQ(outcome.kind, Outcome::Agrees) << outcome.operation << "\n"
                                           << outcome.text << "\n"
                                           << text;
}

TEST(LibraryCalls, ProductsAndConvolutions) {
  Checker checker;
  Coverage coverage;
  uint64_t first = testSeed() % 1'000'000'000 * 1000;
  for (int i = 0; i < cases(150) && !::testing::Test::HasFailure(); ++i) {
    check(first + 2 * i, randomProduct, checker, coverage);
    check(first + 2 * i + 1, randomConvolution, checker, coverage);
  }
  // A whole call is one fusion, and its maps are exact.
  EXPECT_EQ(coverage.operations["hlo.fusion"].approximate, 0)
      << coverage.reasonTable();
  EXPECT_GT(coverage.operations["hlo.fusion"].exact, 0);
}

} // namespace
