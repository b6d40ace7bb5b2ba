// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Programs of linalg and of the dialects around it. Expected values are
// computed by hand, or by loops that share no code with the evaluator.

#include "Programs.h"

#include "llvm/Support/Format.h"

using namespace mercator::reference;

namespace {

class Linalg : public testing::Test {
protected:
  /// The results of `@main` without arguments; "" after a failure.
  std::vector<std::string> give(llvm::StringRef text) {
    std::vector<std::string> shown;
    std::optional<std::vector<Value>> values = programs.run(text);
    EXPECT_TRUE(values) << text.str() << programs.messages;
    if (!values)
      return shown;
    for (const Value &value : *values) {
      std::string &line = shown.emplace_back();
      llvm::raw_string_ostream os(line);
      const Tensor &tensor = *value.tensor();
      for (int64_t i = 0; i < tensor.size(); ++i) {
        os << (i ? " " : "");
        if (tensor.element().isReal())
          os << llvm::format("%g", tensor.at(i).re);
        else
          os << tensor.at(i).integer;
      }
    }
    return shown;
  }
  /// The error of @main.
  std::string fail(llvm::StringRef text) {
    EXPECT_FALSE(programs.run(text)) << text.str();
    return programs.messages;
  }

  Programs programs;
};

using Lines = std::vector<std::string>;

TEST_F(Linalg, GenericRunsItsBodyForEachPoint) {
  EXPECT_EQ(give(R"(
    func.func @main() -> (tensor<2xi32>, tensor<3x2xindex>) {
      %x = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
      %ten = arith.constant dense<10> : tensor<2xi32>
      %empty = tensor.empty() : tensor<3x2xindex>
      %sum = linalg.generic {
          indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
          iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<2x3xi32>) outs(%ten : tensor<2xi32>) {
        ^bb0(%a: i32, %b: i32):
          %c = arith.addi %a, %b : i32
          linalg.yield %c : i32
      } -> tensor<2xi32>
      %where = linalg.generic {
          indexing_maps = [affine_map<(i, j) -> (j, i)>],
          iterator_types = ["parallel", "parallel"]}
          outs(%empty : tensor<3x2xindex>) {
        ^bb0(%b: index):
          %i = linalg.index 0 : index
          %j = linalg.index 1 : index
          %k = affine.apply affine_map<(i, j) -> (i * 10 + j)>(%i, %j)
          linalg.yield %k : index
      } -> tensor<3x2xindex>
      return %sum, %where : tensor<2xi32>, tensor<3x2xindex>
    })"),
            (Lines{"16 25", "0 10 1 11 2 12"}));
}

TEST_F(Linalg, NamedOperationsAreTheirBodies) {
  EXPECT_EQ(give(R"(
    func.func @main() -> (tensor<2x2xf32>, tensor<1x2x2x1xf32>, tensor<3x2xf32>) {
      %a = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
      %b = arith.constant dense<[[1.0, 0.0], [0.0, 1.0], [2.0, 3.0]]> : tensor<3x2xf32>
      %one = arith.constant dense<1.0> : tensor<2x2xf32>
      %m = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x2xf32>)
          outs(%one : tensor<2x2xf32>) -> tensor<2x2xf32>
      %image = arith.constant dense<[[[[1.0], [2.0], [3.0]], [[4.0], [5.0], [6.0]],
          [[7.0], [8.0], [9.0]]]]> : tensor<1x3x3x1xf32>
      %filter = arith.constant dense<[[[[1.0]], [[0.0]]], [[[0.0]], [[-1.0]]]]> : tensor<2x2x1x1xf32>
      %zero = arith.constant dense<0.0> : tensor<1x2x2x1xf32>
      %c = linalg.conv_2d_nhwc_hwcf ins(%image, %filter : tensor<1x3x3x1xf32>, tensor<2x2x1x1xf32>)
          outs(%zero : tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
      %e = tensor.empty() : tensor<3x2xf32>
      %t = linalg.transpose ins(%a : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0]
      return %m, %c, %t : tensor<2x2xf32>, tensor<1x2x2x1xf32>, tensor<3x2xf32>
    })"),
            (Lines{"8 12 17 24", "-4 -4 -4 -4", "1 4 2 5 3 6"}));
}

TEST_F(Linalg, TensorsAreSlicedPaddedAndReshaped) {
  EXPECT_EQ(give(R"(
    func.func @main() -> (tensor<2xi32>, tensor<2x3xi32>, tensor<4xi32>,
                          tensor<2x?xi32>, tensor<4x3xi32>, index) {
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %x = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
      %y = arith.constant dense<[7, 8]> : tensor<2xi32>
      %column = tensor.extract_slice %x[0, %c1] [2, 1] [1, 1] : tensor<2x3xi32> to tensor<2xi32>
      %new = tensor.insert_slice %y into %x[0, 0] [1, 2] [1, 2] : tensor<2xi32> into tensor<2x3xi32>
      %nine = arith.constant 9 : i32
      %padded = tensor.pad %y low[1] high[%c1] {
        ^bb0(%i: index):
          tensor.yield %nine : i32
      } : tensor<2xi32> to tensor<?xi32>
      %four = tensor.cast %padded : tensor<?xi32> to tensor<4xi32>
      %flat = tensor.collapse_shape %x [[0, 1]] : tensor<2x3xi32> into tensor<6xi32>
      %some = tensor.cast %flat : tensor<6xi32> to tensor<?xi32>
      %wide = tensor.expand_shape %some [[0, 1]] output_shape [2, %c3] : tensor<?xi32> into tensor<2x?xi32>
      %both = tensor.concat dim(0) %x, %new : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<4x3xi32>
      %dim = tensor.dim %wide, %c1 : tensor<2x?xi32>
      return %column, %new, %four, %wide, %both, %dim : tensor<2xi32>, tensor<2x3xi32>,
          tensor<4xi32>, tensor<2x?xi32>, tensor<4x3xi32>, index
    })"),
            (Lines{"2 5", "7 2 8 4 5 6", "9 7 8 9", "1 2 3 4 5 6",
                   "1 2 3 4 5 6 7 2 8 4 5 6", "3"}));
}

TEST_F(Linalg, RegionsAndBranchesAreFollowed) {
  EXPECT_EQ(give(R"(
    func.func @collatz(%n: i32) -> i32 {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %c3 = arith.constant 3 : i32
      %r:2 = scf.while (%x = %n, %steps = %c0) : (i32, i32) -> (i32, i32) {
        %more = arith.cmpi sgt, %x, %c1 : i32
        scf.condition(%more) %x, %steps : i32, i32
      } do {
      ^bb0(%x: i32, %steps: i32):
        %odd = arith.andi %x, %c1 : i32
        %isOdd = arith.cmpi eq, %odd, %c1 : i32
        %next = scf.if %isOdd -> i32 {
          %t = arith.muli %x, %c3 : i32
          %u = arith.addi %t, %c1 : i32
          scf.yield %u : i32
        } else {
          %h = arith.divui %x, %c2 : i32
          scf.yield %h : i32
        }
        %s = arith.addi %steps, %c1 : i32
        scf.yield %next, %s : i32, i32
      }
      return %r#1 : i32
    }
    func.func @main() -> (i32, i32, i32) {
      %c27 = arith.constant 27 : i32
      %yes = arith.constant true
      %no = arith.constant false
      %c1 = arith.constant 1 : i32
      %a = call @collatz(%c27) : (i32) -> i32
      cf.cond_br %no, ^next(%c1 : i32), ^next(%a : i32)
    ^next(%b: i32):
      cf.switch %c27 : i32, [default: ^end(%c1 : i32), 26: ^end(%a : i32), 27: ^end(%c27 : i32)]
    ^end(%c: i32):
      return %a, %b, %c : i32, i32, i32
    })"),
            (Lines{"111", "111", "27"}));
}

TEST_F(Linalg, SignlessIntegersAreReadAsTheOperationSays) {
  EXPECT_EQ(give(R"(
    func.func @main() -> (i8, i8, i1, i1, i32, i32, i8, tensor<2xf32>) {
      %m = arith.constant -7 : i8
      %two = arith.constant 2 : i8
      %true = arith.constant true
      %false = arith.constant false
      %0 = arith.divsi %m, %two : i8
      %1 = arith.divui %m, %two : i8
      %2 = arith.cmpi slt, %true, %false : i1
      %3 = arith.cmpi ult, %true, %false : i1
      %4 = arith.extsi %true : i1 to i32
      %5 = arith.extui %m : i8 to i32
      %6 = arith.floordivsi %m, %two : i8
      %7 = arith.constant dense<[1.5, -2.5]> : tensor<2xf32>
      %8 = math.roundeven %7 : tensor<2xf32>
      return %0, %1, %2, %3, %4, %5, %6, %8 : i8, i8, i1, i1, i32, i32, i8, tensor<2xf32>
    })"),
            (Lines{"-3", "124", "1", "0", "-1", "249", "-4", "2 -2"}));
}

TEST_F(Linalg, OutOfBoundsIsAnError) {
  std::string messages = fail(R"(
    func.func @main() -> tensor<?xi32> {
      %c3 = arith.constant 3 : index
      %x = arith.constant dense<[1, 2]> : tensor<2xi32>
      %y = tensor.extract_slice %x[0] [%c3] [1] : tensor<2xi32> to tensor<?xi32>
      return %y : tensor<?xi32>
    })");
  EXPECT_NE(messages.find("expected a slice within extent 2"),
            std::string::npos)
      << messages;
}

// A dispatch returns the tensors that its body stores, outlined or not. The
// second one has a workgroup for each element.
TEST_F(Linalg, DispatchesGiveWhatTheyStore) {
  EXPECT_EQ(give(R"(
    flow.executable private @ex {
      flow.executable.export public @f workgroups(%n: index) -> (index, index, index) {
        %one = arith.constant 1 : index
        flow.return %n, %one, %one : index, index, index
      }
      builtin.module {
        func.func @f(%in: !flow.dispatch.tensor<readonly:tensor<4xi32>>, %d: index,
                     %out: !flow.dispatch.tensor<writeonly:tensor<?xi32>>) {
          %o = flow.dispatch.tie_shape %out : !flow.dispatch.tensor<writeonly:tensor<?xi32>>{%d}
          %i = flow.dispatch.workgroup.id[0] : index
          %x = flow.dispatch.tensor.load %in, offsets = [%i], sizes = [1], strides = [1]
              : !flow.dispatch.tensor<readonly:tensor<4xi32>> -> tensor<1xi32>
          %y = arith.addi %x, %x : tensor<1xi32>
          flow.dispatch.tensor.store %y, %o, offsets = [%i], sizes = [1], strides = [1]
              : tensor<1xi32> -> !flow.dispatch.tensor<writeonly:tensor<?xi32>>{%d}
          return
        }
      }
    }
    func.func @main() -> (tensor<4xi32>, tensor<?xi32>, tensor<4xi32>) {
      %c4 = arith.constant 4 : index
      %c1 = arith.constant 1 : index
      %x = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
      %u = arith.constant dense<[8, 9]> : tensor<2xi32>
      %r = flow.dispatch.workgroups[%c4](%x) : (tensor<4xi32>) -> %x =
          (%both: !flow.dispatch.tensor<readwrite:tensor<4xi32>>) {
        %a = flow.dispatch.tensor.load %both, offsets = [0], sizes = [4], strides = [1]
            : !flow.dispatch.tensor<readwrite:tensor<4xi32>> -> tensor<4xi32>
        %s = tensor.extract_slice %a[0] [2] [2] : tensor<4xi32> to tensor<2xi32>
        flow.dispatch.tensor.store %s, %both, offsets = [0], sizes = [2], strides = [1]
            : tensor<2xi32> -> !flow.dispatch.tensor<readwrite:tensor<4xi32>>
        flow.return
      } count(%n: index) -> (index, index, index) {
        %a, %b, %c = flow.dispatch.workgroup_count_from_dag_root %n
        flow.return %a, %b, %c : index, index, index
      }
      %s = flow.dispatch @ex::@f[%c4](%x, %c4) : (tensor<4xi32>, index) -> tensor<?xi32>{%c4}
      %t = flow.tensor.update %u, %x[%c1] : tensor<2xi32> -> %x as tensor<4xi32>
      return %r, %s, %t : tensor<4xi32>, tensor<?xi32>, tensor<4xi32>
    })"),
            (Lines{"1 3 3 4", "2 4 6 8", "1 8 9 4"}));
}

// tensor.empty has no defined elements: two evaluators differ there.
TEST_F(Linalg, ElementsNobodyWroteDiffer) {
  std::optional<std::vector<Value>> first, second;
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"(
    func.func @main() -> (tensor<2xf32>, tensor<2xi8>) {
      %x = tensor.empty() : tensor<2xf32>
      %y = tensor.empty() : tensor<2xi8>
      return %x, %y : tensor<2xf32>, tensor<2xi8>
    })",
                                                        &programs.context);
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  Evaluator one(*module, allRules()), other(*module, allRules());
  other.setUnwritten({-7.25, 0x3C});
  EXPECT_TRUE(std::isnan(one.call(main, {})->front().tensor()->at(0).re));
  EXPECT_EQ(other.call(main, {})->front().tensor()->at(0).re, -7.25);
  EXPECT_EQ(other.call(main, {})->back().tensor()->at(1).integer, 0x3C);
}

} // namespace
