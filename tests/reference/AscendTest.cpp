// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The rules of GE's operators: their results, and an error at the operation
// where GE defines no result.

#include "Programs.h"

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/dialects/ascend/Registry.h"
#include "mercator/reference/AllRules.h"

using namespace mercator;
using namespace mercator::reference;
using llvm::StringRef;

namespace {
struct Ascend : Programs {
  /// Expects an error with these words for operands that the verifier cannot
  /// check, because they are arguments.
  void refuse(const std::string &operation,
              std::initializer_list<StringRef> operands,
              const std::string &result, const std::string &words) {
    std::string parameters, types;
    std::vector<Value> values;
    for (auto [i, operand] : llvm::enumerate(operands)) {
      std::string type = operand.rsplit(" : ").second.str();
      parameters += (i ? ", %" : "%") + std::string("x") + std::to_string(i) +
                    ": " + type;
      types += (i ? ", " : "") + type;
      values.emplace_back(tensor(operand));
    }
    std::string text = "func.func @main(" + parameters + ") -> " + result +
                       " {\n  %r = " + operation + " : (" + types + ") -> " +
                       result + "\n  return %r : " + result + "\n}\n";
    EXPECT_FALSE(run(text, values)) << text;
    EXPECT_NE(StringRef(messages).find(words), StringRef::npos)
        << text << messages;
  }
};
} // namespace

TEST(Ascend, EveryOperatorHasARule) {
  Ascend programs;
  programs.context.loadDialect<ascend::AscendDialect>();
  for (const ascend::Operator &entry : ascend::allOperators()) {
    mlir::OperationState state(mlir::UnknownLoc::get(&programs.context),
                               ("ascend." + entry.name).str());
    mlir::Operation *op = mlir::Operation::create(state);
    EXPECT_TRUE(allRules().find(op)) << entry.name.str();
    op->destroy();
  }
}

TEST(Ascend, Gathers) {
  Ascend p;
  const char *x = "dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>";
  p.expect("ascend.GatherV2(%0, %1, %2) {negative_index_support = true} : "
           "(tensor<2x2xi32>, tensor<2xi32>, tensor<i32>) -> tensor<2x2xi32>",
           {x, "dense<[-1, 0]> : tensor<2xi32>", "dense<-1> : tensor<i32>"},
           "dense<[[2, 1], [4, 3]]> : tensor<2x2xi32>");
  p.expect("ascend.GatherV2(%0, %1, %2) {batch_dims = -1} : "
           "(tensor<2x2xi32>, tensor<2x1xi32>, tensor<i32>) -> tensor<2x1xi32>",
           {x, "dense<[[1], [0]]> : tensor<2x1xi32>", "dense<1> : tensor<i32>"},
           "dense<[[2], [3]]> : tensor<2x1xi32>");
  std::string gather = "ascend.GatherV2(%x0, %x1, %x2)";
  p.refuse(gather,
           {x, "dense<[-1, 0]> : tensor<2xi32>", "dense<0> : tensor<i32>"},
           "tensor<2x2xi32>", "expected an index in [0, 2), got -1");
  p.refuse(gather,
           {x, "dense<[0, 2]> : tensor<2xi32>", "dense<0> : tensor<i32>"},
           "tensor<2x2xi32>", "expected an index in [0, 2), got 2");
  p.refuse(gather,
           {x, "dense<[0, 1]> : tensor<2xi32>", "dense<2> : tensor<i32>"},
           "tensor<2x2xi32>", "expected an axis in [-2, 2), got 2");
  p.refuse("ascend.GatherV2(%x0, %x1, %x2) {batch_dims = 1}",
           {x, "dense<[0, 1]> : tensor<2xi32>", "dense<0> : tensor<i32>"},
           "tensor<2x2xi32>", "expected batch_dims in [0, 0]");
  p.refuse("ascend.GatherNd(%x0, %x1) {negative_index_support = true}",
           {x, "dense<[[-3]]> : tensor<1x1xi32>"}, "tensor<1x2xi32>",
           "expected an index in [-2, 2), got -3");
  p.refuse("ascend.GatherElements(%x0, %x1) {dim = 1}",
           {x, "dense<[[2]]> : tensor<1x1xi32>"}, "tensor<1x1xi32>",
           "expected an index in [0, 2), got 2");
}

TEST(Ascend, Scatters) {
  Ascend p;
  const char *x = "dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>",
             *i = "dense<[[2], [0], [2]]> : tensor<3x1xi64>",
             *u = "dense<[[7, 0], [8, 9], [1, 10]]> : tensor<3x2xi32>";
  std::string types =
      "(%0, %1, %2) : (tensor<3x2xi32>, tensor<3x1xi64>, tensor<3x2xi32>) -> "
      "tensor<3x2xi32>";
  p.expect("ascend.TensorScatterUpdate" + types, {x, i, u},
           "dense<[[8, 9], [3, 4], [1, 10]]> : tensor<3x2xi32>");
  p.expect("ascend.TensorScatterAdd" + types, {x, i, u},
           "dense<[[9, 11], [3, 4], [13, 16]]> : tensor<3x2xi32>");
  p.expect("ascend.TensorScatterMax" + types, {x, i, u},
           "dense<[[8, 9], [3, 4], [7, 10]]> : tensor<3x2xi32>");
  p.expect("ascend.TensorScatterMin" + types, {x, i, u},
           "dense<[[1, 2], [3, 4], [1, 0]]> : tensor<3x2xi32>");
  p.refuse("ascend.TensorScatterAdd(%x0, %x1, %x2)",
           {x, "dense<3> : tensor<1x1xi32>", "dense<1> : tensor<1x2xi32>"},
           "tensor<3x2xi32>", "expected an index in [0, 3), got 3");
}

TEST(Ascend, Shapes) {
  Ascend p;
  const char *x = "dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>";
  p.expect("ascend.Shape(%0) : (tensor<2x3xi32>) -> tensor<2xi32>", {x},
           "dense<[2, 3]> : tensor<2xi32>");
  p.refuse("ascend.Transpose(%x0, %x1)", {x, "dense<[0, 0]> : tensor<2xi32>"},
           "tensor<?x?xi32>", "expected perm to hold each axis of x once");
  p.refuse("ascend.Reshape(%x0, %x1)", {x, "dense<[5]> : tensor<1xi32>"},
           "tensor<?xi32>", "expected a shape of 6 elements, got 5");
  p.refuse("ascend.Reshape(%x0, %x1)", {x, "dense<[-1, -1]> : tensor<2xi32>"},
           "tensor<?x?xi32>", "expected a shape with at most one -1");
  p.refuse("ascend.Reshape(%x0, %x1)", {x, "dense<[-2, 3]> : tensor<2xi32>"},
           "tensor<?x?xi32>", "expected extents of at least 0, got -2");
  p.refuse("ascend.Reshape(%x0, %x1)",
           {"dense<> : tensor<0x2xi32>", "dense<[-1, 0]> : tensor<2xi32>"},
           "tensor<?x?xi32>", "expected no -1 in a shape with an extent of 0");
  p.refuse("ascend.BroadcastTo(%x0, %x1)", {x, "dense<[2, 4]> : tensor<2xi32>"},
           "tensor<?x?xi32>", "expected a dimension of 1 or 4, got 3");
  p.refuse("ascend.ReverseV2(%x0, %x1)", {x, "dense<[0, -2]> : tensor<2xi32>"},
           "tensor<2x3xi32>", "expected each axis once, got 0 again");
  p.refuse("ascend.Fill(%x0, %x1)",
           {"dense<[-1]> : tensor<1xi32>", "dense<1> : tensor<i32>"},
           "tensor<?xi32>", "expected extents of at least 0, got -1");
}

TEST(Ascend, Parts) {
  Ascend p;
  const char *x = "dense<[1, 2, 3, 4, 5]> : tensor<5xi32>";
  std::string slice = "ascend.Slice(%x0, %x1, %x2)",
              strided = "ascend.StridedSlice(%x0, %x1, %x2, %x3)";
  p.expect("ascend.Slice(%0, %1, %2) : (tensor<5xi32>, tensor<1xi32>, "
           "tensor<1xi32>) -> tensor<2xi32>",
           {x, "dense<3> : tensor<1xi32>", "dense<-1> : tensor<1xi32>"},
           "dense<[4, 5]> : tensor<2xi32>");
  p.refuse(slice, {x, "dense<4> : tensor<1xi32>", "dense<2> : tensor<1xi32>"},
           "tensor<?xi32>", "expected a slice inside dimension 0 of 5");
  p.refuse(slice,
           {x, "dense<-9223372036854775808> : tensor<1xi64>",
            "dense<-1> : tensor<1xi64>"},
           "tensor<?xi32>", "expected a slice inside dimension 0 of 5");
  p.expect("ascend.StridedSlice(%0, %1, %2, %3) {end_mask = 1} : "
           "(tensor<5xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> "
           "tensor<2xi32>",
           {x, "dense<1> : tensor<1xi32>", "dense<0> : tensor<1xi32>",
            "dense<3> : tensor<1xi32>"},
           "dense<[2, 5]> : tensor<2xi32>");
  p.refuse(strided,
           {x, "dense<0> : tensor<1xi32>", "dense<6> : tensor<1xi32>",
            "dense<1> : tensor<1xi32>"},
           "tensor<?xi32>", "expected a range inside [0, 5], got [0, 6)");
  p.refuse(strided,
           {x, "dense<4> : tensor<1xi32>", "dense<0> : tensor<1xi32>",
            "dense<-1> : tensor<1xi32>"},
           "tensor<?xi32>", "expected strides above 0, got -1");
  p.refuse("ascend.PadV2(%x0, %x1, %x2)",
           {x, "dense<[[1, -1]]> : tensor<1x2xi32>", "dense<0> : tensor<i32>"},
           "tensor<?xi32>", "expected paddings of at least 0, got 1 and -1");
  p.refuse("ascend.ConcatV2(%x0, %x1, %x2) {N = 2}",
           {x, "dense<1> : tensor<1x1xi32>", "dense<0> : tensor<i32>"},
           "tensor<?xi32>",
           "expected inputs of the same shape except along axis 0");
}

TEST(Ascend, Ranges) {
  Ascend p;
  std::string range = "ascend.Range(%x0, %x1, %x2)";
  p.expect("ascend.Range(%0, %1, %2) : (tensor<i32>, tensor<i32>, "
           "tensor<i32>) -> tensor<3xi32>",
           {"dense<7> : tensor<i32>", "dense<1> : tensor<i32>",
            "dense<-2> : tensor<i32>"},
           "dense<[7, 5, 3]> : tensor<3xi32>");
  p.expect("ascend.Range(%0, %1, %2) : (tensor<f32>, tensor<f32>, "
           "tensor<f32>) -> tensor<2xf32>",
           {"dense<0.0> : tensor<f32>", "dense<1.0> : tensor<f32>",
            "dense<0.5> : tensor<f32>"},
           "dense<[0.0, 0.5]> : tensor<2xf32>");
  p.refuse(range,
           {"dense<0> : tensor<i32>", "dense<3> : tensor<i32>",
            "dense<0> : tensor<i32>"},
           "tensor<?xi32>", "expected a delta other than 0");
  p.refuse(range,
           {"dense<-9223372036854775808> : tensor<i64>",
            "dense<9223372036854775807> : tensor<i64>",
            "dense<1> : tensor<i64>"},
           "tensor<?xi64>", "expected a range of fewer than 2^63 numbers");
  p.refuse(range,
           {"dense<0.0> : tensor<f32>", "dense<1.0> : tensor<f32>",
            "dense<0.1> : tensor<f32>"},
           "tensor<?xf32>", "has without rounding");
}

TEST(Ascend, Elements) {
  Ascend p;
  std::string two = " : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>";
  p.expect("ascend.TruncateDiv(%0, %1)" + two,
           {"dense<[-7, 7]> : tensor<2xi8>", "dense<[2, -2]> : tensor<2xi8>"},
           "dense<[-3, -3]> : tensor<2xi8>");
  p.expect("ascend.RightShift(%0, %1)" + two,
           {"dense<[-8, 8]> : tensor<2xi8>", "dense<[1, 7]> : tensor<2xi8>"},
           "dense<[-4, 0]> : tensor<2xi8>");
  // As GE defines it: x1 > x2 ? x1 : x2.
  p.expect("ascend.Maximum(%0, %1) : (tensor<2xf32>, tensor<2xf32>) -> "
           "tensor<2xf32>",
           {"dense<[0x7FC00000, 1.0]> : tensor<2xf32>",
            "dense<[1.0, 0x7FC00000]> : tensor<2xf32>"},
           "dense<[1.0, 0x7FC00000]> : tensor<2xf32>");
  p.expect("ascend.Round(%0) : (tensor<4xf32>) -> tensor<4xf32>",
           {"dense<[0.5, 1.5, -2.5, 2.6]> : tensor<4xf32>"},
           "dense<[0.0, 2.0, -2.0, 3.0]> : tensor<4xf32>");
  p.expect("ascend.PopulationCount(%0) : (tensor<2xi16>) -> tensor<2xui8>",
           {"dense<[-1, 6]> : tensor<2xi16>"},
           "dense<[16, 2]> : tensor<2xui8>");
  p.expect("ascend.Cast(%0) {dst_type = 1} : (tensor<2xi64>) -> tensor<2xf16>",
           {"dense<[2049, 65520]> : tensor<2xi64>"},
           "dense<[2048.0, 0x7C00]> : tensor<2xf16>");
}

TEST(Ascend, WhatGeDoesNotDefine) {
  Ascend p;
  auto refuse = [&](std::string op, std::string a, std::string b,
                    const std::string &words) {
    std::string type = StringRef(a).rsplit(" : ").second.str();
    p.refuse("ascend." + op + "(%x0, %x1)", {a, b}, type, words);
  };
  auto i32 = [](int64_t value) {
    return "dense<" + std::to_string(value) + "> : tensor<i32>";
  };
  auto i8 = [](int64_t value) {
    return "dense<" + std::to_string(value) + "> : tensor<i8>";
  };
  refuse("Div", i32(1), i32(0), "a division by zero");
  refuse("Div", i32(-7), i32(2), "a negative quotient with a fraction");
  refuse("TruncateDiv", i32(INT32_MIN), i32(-1),
         "a quotient out of range of the type");
  refuse("TruncateMod", i32(1), i32(0), "a remainder of a division by zero");
  refuse("TruncateMod", "dense<1.0> : tensor<f32>", "dense<0.0> : tensor<f32>",
         "a remainder of a division by zero");
  refuse("RealDiv", i32(4), i32(2), "it is not defined for these elements");
  refuse("Pow", i32(2), i32(-1), "an integer to a negative power");
  refuse("LeftShift", i32(1), i32(32),
         "a shift by less than 0 or by the width");
  refuse("RightShift", i8(1), i8(-1), "a shift by less than 0 or by the width");
  refuse("Add", i8(100), i8(100), "an overflow of a type below 32 bits");
  refuse("Mul", i8(-100), i8(2), "an overflow of a type below 32 bits");

  auto cast = [&](std::string from, int number, std::string to,
                  const std::string &words) {
    p.refuse("ascend.Cast(%x0) {dst_type = " + std::to_string(number) + "}",
             {from}, "tensor<" + to + ">", words);
  };
  cast("dense<0x7FC00000> : tensor<f32>", 3, "i32", "a float out of range");
  cast("dense<2147483648.0> : tensor<f32>", 3, "i32", "a float out of range");
  cast("dense<-1.0> : tensor<f32>", 4, "ui8", "a float out of range");
  cast("dense<1.5> : tensor<f32>", 3, "i32", "a float with a fraction");
  cast("dense<128> : tensor<i32>", 2, "i8", "an integer out of range");
  cast("dense<-1> : tensor<i32>", 10, "ui64", "an integer out of range");
  cast("dense<9223372036854775808> : tensor<ui64>", 9, "i64",
       "an integer out of range of the type");

  p.refuse("ascend.ClipByValue(%x0, %x1, %x2)", {i32(1), i32(2), i32(0)},
           "tensor<i32>", "a minimum above the maximum");
  p.refuse("ascend.Sign(%x0)", {"dense<0x7FC00000> : tensor<f32>"},
           "tensor<f32>", "a NaN");
  p.refuse("ascend.Add(%x0, %x1)",
           {"dense<1> : tensor<2xi32>", "dense<1> : tensor<2xi32>"},
           "tensor<3xi32>", "expected a result of shape [2]");
}
