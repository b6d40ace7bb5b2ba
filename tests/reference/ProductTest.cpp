// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Dot products, einsums and convolutions.

#include "RandomTensors.h"

#include <map>

using namespace mercator;
using namespace mercator::reference;
using List = llvm::SmallVector<int64_t>;

namespace {

struct Product : testing::Test {
  Programs programs;
  RandomTensors random;
  mlir::Builder builder{&programs.context};

  Tensor run(const std::string &text, llvm::ArrayRef<Value> arguments) {
    auto results = programs.run(text, arguments);
    EXPECT_TRUE(results) << text << programs.messages;
    return results ? *results->front().tensor()
                   : RandomTensors::zeros({0}, builder.getI1Type());
  }
  static std::string main(const Tensor &lhs, const Tensor &rhs,
                          const std::string &result,
                          const std::string &operation) {
    return "func.func @main(%l: " + text(lhs.type()) +
           ", %r: " + text(rhs.type()) + ") -> " + result +
           " {\n %0 = " + operation + " : (" + text(lhs.type()) + ", " +
           text(rhs.type()) + ") -> " + result + "\n return %0 : " + result +
           "\n}";
  }
};

/// Several dimensions of each kind, in random order on both sides; each product
/// is added to its element.
TEST_F(Product, RandomDotGeneral) {
  SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(testSeed()));
  for (int round = 0; round < 100; ++round) {
    int64_t batching = random.number(0, 2), contracting = random.number(0, 2);
    // Names: 0.. batching, 10.. contracting, 20.. lhs, 30.. rhs.
    std::vector<int> lhsNames, rhsNames, resultNames;
    std::map<int, int64_t> extents;
    auto add = [&](int first, int64_t count,
                   std::initializer_list<std::vector<int> *> lists) {
      for (int64_t i = 0; i < count; ++i) {
        extents[first + int(i)] = random.number(round % 10 == 0 ? 0 : 1, 4);
        for (std::vector<int> *list : lists)
          list->push_back(first + int(i));
      }
    };
    add(0, batching, {&lhsNames, &rhsNames});
    add(10, contracting, {&lhsNames, &rhsNames});
    add(20, random.number(0, 2), {&lhsNames});
    add(30, random.number(0, 2), {&rhsNames});
    std::shuffle(lhsNames.begin(), lhsNames.end(), random.engine);
    std::shuffle(rhsNames.begin(), rhsNames.end(), random.engine);
    auto dims = [](const std::vector<int> &names, int first, int64_t count) {
      List list;
      for (int64_t i = 0; i < count; ++i)
        list.push_back(std::find(names.begin(), names.end(), first + int(i)) -
                       names.begin());
      return list;
    };
    for (int64_t i = 0; i < batching; ++i)
      resultNames.push_back(int(i));
    for (auto &[names, first] :
         {std::pair(lhsNames, 20), std::pair(rhsNames, 30)})
      for (int name : names)
        if (name >= first)
          resultNames.push_back(name);
    auto shape = [&](const std::vector<int> &names) {
      List list;
      for (int name : names)
        list.push_back(extents[name]);
      return list;
    };
    mlir::Type element = llvm::ArrayRef<mlir::Type>{
        builder.getI32Type(), builder.getF32Type(), builder.getBF16Type(),
        mlir::ComplexType::get(builder.getF32Type())}[round % 4];
    Tensor lhs = random.tensor(shape(lhsNames), element),
           rhs = random.tensor(shape(rhsNames), element),
           expected = RandomTensors::zeros(shape(resultNames), element);

    List all = shape(lhsNames);
    llvm::append_range(all, shape(rhsNames));
    for (Index d(all); d; ++d) {
      std::map<int, int64_t> at;
      bool agrees = true;
      for (size_t i = 0; i < all.size(); ++i) {
        int name =
            i < lhsNames.size() ? lhsNames[i] : rhsNames[i - lhsNames.size()];
        agrees &= at.emplace(name, d[i]).first->second == d[i];
      }
      if (!agrees)
        continue;
      List to;
      for (int name : resultNames)
        to.push_back(at[name]);
      Scalar a = lhs.at((*d).take_front(lhsNames.size())),
             b = rhs.at((*d).drop_front(lhsNames.size())),
             sum = expected.at(to);
      if (lhs.element().isInteger())
        sum.integer += a.integer * b.integer;
      else
        sum = Scalar::complex(sum.re + a.re * b.re - a.im * b.im,
                              sum.im + a.re * b.im + a.im * b.re);
      expected.set(to, sum);
    }

    std::string program =
        main(lhs, rhs, text(expected.type()),
             "stablehlo.dot_general %l, %r, batching_dims = " +
                 text(dims(lhsNames, 0, batching)) + " x " +
                 text(dims(rhsNames, 0, batching)) + ", contracting_dims = " +
                 text(dims(lhsNames, 10, contracting)) + " x " +
                 text(dims(rhsNames, 10, contracting)));
    Programs::expectSame(run(program, {lhs, rhs}), expected, 0, program);
  }
}

TEST_F(Product, MixedElementTypes) {
  programs.expect("stablehlo.dot_general %0, %1, contracting_dims = [0] x [0] "
                  ": (tensor<3xi8>, tensor<3xi8>) -> tensor<i32>",
                  {"dense<[100, -100, 5]> : tensor<3xi8>",
                   "dense<[100, 100, 127]> : tensor<3xi8>"},
                  "dense<635> : tensor<i32>");
  programs.expect("stablehlo.dot_general %0, %1, contracting_dims = [0] x [0] "
                  ": (tensor<3xi8>, tensor<3xui8>) -> tensor<f32>",
                  {"dense<[-1, 1, 2]> : tensor<3xi8>",
                   "dense<[255, 3, 4]> : tensor<3xui8>"},
                  "dense<-244.0> : tensor<f32>");
  // In its own type the sum wraps.
  programs.expect(
      "stablehlo.dot %0, %1 : (tensor<2xi8>, tensor<2xi8>) -> "
      "tensor<i8>",
      {"dense<[100, 100]> : tensor<2xi8>", "dense<[2, 1]> : tensor<2xi8>"},
      "dense<44> : tensor<i8>");
  programs.expect("stablehlo.dot %0, %1 : (tensor<2xi1>, tensor<2xi1>) -> "
                  "tensor<i1>",
                  {"dense<[true, true]> : tensor<2xi1>",
                   "dense<[false, true]> : tensor<2xi1>"},
                  "dense<true> : tensor<i1>");
}

TEST_F(Product, SumsAreRoundedInSteps) {
  programs.expect("stablehlo.dot %0, %1 : (tensor<3xf32>, tensor<3xf32>) -> "
                  "tensor<f32>",
                  {"dense<[1.0e8, 1.0, -1.0e8]> : tensor<3xf32>",
                   "dense<1.0> : tensor<3xf32>"},
                  "dense<0.0> : tensor<f32>");
  // In bfloat16 the sum of 258 ones would be 256; in f32 it is not.
  programs.expect(
      "stablehlo.dot %0, %1 : (tensor<258xbf16>, tensor<258xbf16>) "
      "-> tensor<bf16>",
      {"dense<1.0> : tensor<258xbf16>", "dense<1.0> : tensor<258xbf16>"},
      "dense<258.0> : tensor<bf16>");
}

/// 1 + 2^-9 needs two parts of bfloat16, 1 + 2^-9 + 2^-18 three.
TEST_F(Product, Algorithms) {
  auto dot = [&](const char *type, int parts, int products, const char *operand,
                 const char *expected) {
    std::string count = std::to_string(parts);
    programs.expect(
        std::string("stablehlo.dot_general %0, %1, contracting_dims = [0] x "
                    "[0], algorithm = <lhs_precision_type = ") +
            type + ", rhs_precision_type = " + type +
            ", accumulation_type = f32, lhs_component_count = " + count +
            ", rhs_component_count = " + count +
            ", num_primitive_operations = " + std::to_string(products) +
            ", allow_imprecise_accumulation = false> : (tensor<1xf32>, "
            "tensor<1xf32>) -> tensor<f32>",
        {(llvm::Twine("dense<") + operand + "> : tensor<1xf32>").str(),
         "dense<1.0> : tensor<1xf32>"},
        (llvm::Twine("dense<") + expected + "> : tensor<f32>").str());
  };
  dot("bf16", 1, 1, "1.001953125", "1.0");
  dot("bf16", 2, 3, "1.001953125", "1.001953125");
  dot("bf16", 2, 3, "1.0019569396972656", "1.001953125");
  dot("bf16", 3, 6, "1.0019569396972656", "1.0019569396972656");
  // XLA's presets count one part.
  dot("bf16", 1, 3, "1.0019569396972656", "1.001953125");
  dot("bf16", 1, 6, "1.0019569396972656", "1.0019569396972656");
  dot("bf16", 1, 9, "1.0019569396972656", "1.0019569396972656");
  dot("tf32", 1, 3, "1.0019569396972656", "1.0019569396972656");
  dot("bf16", 1, 3, "0x7F800000", "0x7F800000");
  dot("bf16", 1, 3, "0x7F7FFF00", "0x7F7FFF00");
  dot("bf16", 1, 6, "0x7F7FFFFF", "0x7F7FFFFF");
  dot("tf32", 1, 1, "1.0019569396972656", "1.001953125");
  dot("f8E5M2", 1, 1, "1.3", "1.25");
  // Integers are converted to floats: 2049 needs more digits than tf32 has.
  programs.expect("stablehlo.dot_general %0, %1, contracting_dims = [0] x [0], "
                  "algorithm = <lhs_precision_type = tf32, rhs_precision_type "
                  "= tf32, accumulation_type = f32, lhs_component_count = 1, "
                  "rhs_component_count = 1, num_primitive_operations = 1, "
                  "allow_imprecise_accumulation = false> : (tensor<1xi64>, "
                  "tensor<1xi64>) -> tensor<i64>",
                  {"dense<2049> : tensor<1xi64>", "dense<1> : tensor<1xi64>"},
                  "dense<2048> : tensor<i64>");
}

TEST_F(Product, Einsum) {
  programs.expect("stablehlo.einsum %0, %1, config = \"ij,jk->ki\" : "
                  "(tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>",
                  {"dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>",
                   "dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>"},
                  "dense<[[19, 43], [22, 50]]> : tensor<2x2xi32>");
  programs.expect("stablehlo.unary_einsum %0, config = \"ii->i\" : "
                  "(tensor<2x2xf32>) -> tensor<2xf32>",
                  {"dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>"},
                  "dense<[1.0, 4.0]> : tensor<2xf32>");
  programs.expect("stablehlo.unary_einsum %0, config = \"ab->\" : "
                  "(tensor<2x2xi8>) -> tensor<i8>",
                  {"dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>"},
                  "dense<10> : tensor<i8>");
  for (const char *config : {"ij,jk", "ij->ik", "ij,jk->il", "i,jk->i",
                             "i...,jk->i", "ij,jk->ii", ""})
    EXPECT_FALSE(programs.apply(
        std::string("stablehlo.einsum %0, %1, config = \"") + config +
            "\" : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>",
        {"dense<1> : tensor<2x2xi32>", "dense<1> : tensor<2x2xi32>"},
        "tensor<2x2xi32>"))
        << config;
}

/// A random convolution with one or two spatial dimensions.
struct Convolution {
  int64_t spatial, featureGroups = 1, batchGroups = 1, batch, inputs, outputs;
  List extents, kernel, stride, low, high, lhsDilation, rhsDilation, result;
  std::vector<bool> reversal;

  explicit Convolution(RandomTensors &random) : spatial(random.number(0, 2)) {
    (random.coin() ? featureGroups : batchGroups) = random.number(1, 3);
    batch = random.number(1, 2) * batchGroups;
    inputs = random.number(1, 2) * featureGroups;
    outputs = random.number(1, 2) * featureGroups * batchGroups;
    for (int64_t i = 0; i < spatial; ++i) {
      extents.push_back(random.number(0, 5));
      kernel.push_back(random.number(1, 3));
      stride.push_back(random.number(1, 3));
      low.push_back(random.number(-2, 3));
      high.push_back(random.number(-2, 3));
      lhsDilation.push_back(random.number(1, 2));
      rhsDilation.push_back(random.number(1, 2));
      reversal.push_back(random.coin());
      int64_t padded =
          (extents[i] ? (extents[i] - 1) * lhsDilation[i] + 1 : 0) + low[i] +
          high[i];
      int64_t reach = (kernel[i] - 1) * rhsDilation[i] + 1;
      result.push_back(padded < reach ? 0 : (padded - reach) / stride[i] + 1);
    }
  }

  /// Layouts: [b, f, 0, 1], [0, 1, o, i], [0, 1, f, b].
  List lhsShape() const { return join({batch, inputs}, extents, {}); }
  List rhsShape() const {
    return join({}, kernel, {outputs, inputs / featureGroups});
  }
  List resultShape() const {
    return join({}, result, {outputs, batch / batchGroups});
  }
  static List join(List list, const List &middle, const List &back) {
    llvm::append_range(list, middle);
    llvm::append_range(list, back);
    return list;
  }

  /// Adds each product of an element and a kernel element to its element of the
  /// result, if there is one.
  Tensor expected(const Tensor &lhs, const Tensor &rhs) const {
    Tensor sum =
        RandomTensors::zeros(resultShape(), lhs.type().getElementType());
    for (Index x(lhs.shape()); x; ++x)
      for (Index k(rhs.shape()); k; ++k) {
        int64_t output = k[spatial], n = x[0], perBatch = batch / batchGroups;
        if (output / (outputs / featureGroups) !=
                x[1] / (inputs / featureGroups) ||
            output / (outputs / batchGroups) != n / perBatch ||
            x[1] % (inputs / featureGroups) != k[spatial + 1])
          continue;
        List to;
        for (int64_t i = 0; i < spatial; ++i) {
          int64_t tap = reversal[i] ? kernel[i] - 1 - k[i] : k[i];
          int64_t at =
              x[2 + i] * lhsDilation[i] + low[i] - tap * rhsDilation[i];
          if (at >= 0 && at % stride[i] == 0 && at / stride[i] < result[i])
            to.push_back(at / stride[i]);
        }
        if (int64_t(to.size()) != spatial)
          continue;
        to.push_back(output);
        to.push_back(n % perBatch);
        sum.set(to,
                Scalar::real(sum.at(to).re + lhs.at(*x).re * rhs.at(*k).re));
      }
    return sum;
  }

  std::string attributes() const {
    std::string dims, flags;
    for (int64_t i = 0; i < spatial; ++i) {
      dims += std::to_string(i) + ", ";
      flags += (i ? ", " : ": ") + std::string(reversal[i] ? "true" : "false");
    }
    std::string tail =
        dims.empty() ? "" : ", " + dims.substr(0, dims.size() - 2);
    return "window_strides = " + array(stride) +
           ", lhs_dilation = " + array(lhsDilation) +
           ", rhs_dilation = " + array(rhsDilation) +
           ", window_reversal = array<i1" + flags +
           ">, dimension_numbers = #stablehlo.conv<[b, f" + tail + "]x[" +
           dims + "o, i]->[" + dims +
           "f, b]>, feature_group_count = " + std::to_string(featureGroups) +
           " : i64, batch_group_count = " + std::to_string(batchGroups) +
           " : i64";
  }
  std::string padding() const {
    std::string pairs;
    for (int64_t i = 0; i < spatial; ++i)
      pairs += (i ? ", " : "") + text({low[i], high[i]});
    return "dense<" + (spatial ? "[" + pairs + "]" : "") + "> : tensor<" +
           std::to_string(spatial) + "x2xi64>";
  }
};

TEST_F(Product, RandomConvolutions) {
  SCOPED_TRACE("MERCATOR_SEED=" + std::to_string(testSeed()));
  for (int round = 0; round < 150; ++round) {
    Convolution conv(random);
    Tensor lhs = random.tensor(conv.lhsShape(), builder.getF32Type()),
           rhs = random.tensor(conv.rhsShape(), builder.getF32Type()),
           expected = conv.expected(lhs, rhs);
    std::string program =
        main(lhs, rhs, text(expected.type()),
             "\"stablehlo.convolution\"(%l, %r) <{padding = " + conv.padding() +
                 ", " + conv.attributes() + "}>");
    Programs::expectSame(run(program, {lhs, rhs}), expected, 0, program);

    std::string type = "tensor<" + std::to_string(conv.spatial) + "x2xi64>";
    std::string dynamic =
        "func.func @main(%l: " + text(lhs.type()) +
        ", %r: " + text(rhs.type()) + ") -> " + text(expected.type()) +
        " {\n %p = stablehlo.constant " + conv.padding() +
        "\n %0 = \"stablehlo.dynamic_conv\"(%l, %r, %p) <{" +
        conv.attributes() + "}> : (" + text(lhs.type()) + ", " +
        text(rhs.type()) + ", " + type + ") -> " + text(expected.type()) +
        "\n return %0 : " + text(expected.type()) + "\n}";
    Programs::expectSame(run(dynamic, {lhs, rhs}), expected, 0, dynamic);
  }
}

TEST_F(Product, QuantizedProductsAreThoseOfTheFloats) {
  // (4 - 1) * 0.5 * 8 * 0.25 + (-1 - 1) * 0.5 * 4 * 0.25 = 2; 2 / 0.1 - 3.
  const char *text = R"(
    func.func @main() -> tensor<1x1xi8> {
      %l = stablehlo.constant() <{value = dense<[[4, -1]]> : tensor<1x2xi8>}>
          : () -> tensor<1x2x!quant.uniform<i8:f32, 0.5:1>>
      %r = stablehlo.constant() <{value = dense<[[8], [4]]> : tensor<2x1xi8>}>
          : () -> tensor<2x1x!quant.uniform<i8:f32, 0.25>>
      %0 = stablehlo.dot_general %l, %r, contracting_dims = [1] x [0]
          : (tensor<1x2x!quant.uniform<i8:f32, 0.5:1>>,
             tensor<2x1x!quant.uniform<i8:f32, 0.25>>)
          -> tensor<1x1x!quant.uniform<i8:f32, 0.1:-3>>
      %1 = stablehlo.bitcast_convert %0
          : (tensor<1x1x!quant.uniform<i8:f32, 0.1:-3>>) -> tensor<1x1xi8>
      return %1 : tensor<1x1xi8>
    })";
  auto results = programs.run(text);
  ASSERT_TRUE(results) << programs.messages;
  EXPECT_EQ(results->front().tensor()->scalar().integer, 17);
}

} // namespace
