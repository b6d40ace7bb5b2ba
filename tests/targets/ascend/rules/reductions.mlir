// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --convert-stablehlo-to-ascend --form-ascend-graphs --remarks-filter=ascend-conversion -o %t 2>%t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK

// An initial value that is the identity element is omitted.
// CHECK-LABEL: ascend.graph @sum
// CHECK:       %[[AXES:.+]] = ascend.Const dense<[0, 2]> : tensor<2xi64>
// CHECK-NEXT:  %[[SUM:.+]] = ascend.ReduceSum(%0, %[[AXES]]) : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<3xf32>
// CHECK-NEXT:  ascend.NetOutput %[[SUM]]
func.func @sum(%x: tensor<2x3x4xf32>) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [2, 0] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Any other initial value is combined once.
// CHECK-LABEL: ascend.graph @from
// CHECK:       %[[GREATEST:.+]] = ascend.ReduceMax(%0, %{{.+}}) : (tensor<2x3xi32>, tensor<1xi64>) -> tensor<2xi32>
// CHECK:       ascend.Maximum(%[[GREATEST]], %1) : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
func.func @from(%x: tensor<2x3xi32>, %init: tensor<i32>) -> tensor<2xi32> {
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// The lowest finite number is not the identity element of a maximum.
// CHECK-LABEL: ascend.graph @finite
// CHECK:       ascend.ReduceMax
// CHECK:       ascend.Maximum
func.func @finite(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %lowest = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// Without elements, the initial value; without dimensions, each element.
// CHECK-LABEL: ascend.graph @nothing
// CHECK-NOT:   ascend.Reduce
// CHECK:       ascend.BroadcastTo(%1, {{.*}}) : (tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
func.func @nothing(%x: tensor<2x0xf32>, %init: tensor<f32>) -> tensor<2xf32> {
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.minimum across dimensions = [1] : (tensor<2x0xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// CHECK-LABEL: ascend.graph @along_none
// CHECK-NOT:   ascend.Reduce
// CHECK:       ascend.Mul(%0, %1)
func.func @along_none(%x: tensor<2xf32>, %init: tensor<f32>) -> tensor<2xf32> {
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.multiply across dimensions = [] : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: ascend.graph @booleans
// CHECK:       ascend.ReduceAll(%0
// CHECK:       ascend.ReduceAny(%0
func.func @booleans(%x: tensor<2x3xi1>) -> (tensor<2xi1>, tensor<3xi1>) {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.reduce(%x init: %true) applies stablehlo.and across dimensions = [1] : (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi1>
  %1 = stablehlo.reduce(%x init: %false) applies stablehlo.add across dimensions = [0] : (tensor<2x3xi1>, tensor<i1>) -> tensor<3xi1>
  return %0, %1 : tensor<2xi1>, tensor<3xi1>
}

// Several results at once, swapped arguments, conversions around, and unused
// results.
// CHECK-LABEL: ascend.graph @several
// CHECK:       ascend.ReduceProd(%0
// CHECK:       ascend.ReduceMin(%1
func.func @several(%x: tensor<2x3xf32>, %y: tensor<2x3xi8>) -> (tensor<2xf32>, tensor<2xi8>) {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %most = stablehlo.constant dense<127> : tensor<i8>
  %0:2 = stablehlo.reduce(%x init: %one), (%y init: %most) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> (tensor<2xf32>, tensor<2xi8>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%p: tensor<i8>, %q: tensor<i8>) {
    %unused = stablehlo.add %a, %a : tensor<f32>
    %product = stablehlo.multiply %b, %a : tensor<f32>
    %pw = stablehlo.convert %p : (tensor<i8>) -> tensor<i32>
    %qw = stablehlo.convert %q : (tensor<i8>) -> tensor<i32>
    %least = stablehlo.minimum %pw, %qw : tensor<i32>
    %back = stablehlo.convert %least : (tensor<i32>) -> tensor<i8>
    stablehlo.return %product, %back : tensor<f32>, tensor<i8>
  }
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi8>
}

// With a narrowing conversion it is another reduction.
// CHECK-LABEL: func.func @narrowed
// CHECK:       stablehlo.reduce
// REMARK:      [Missed] not-converted {{.*}}GE reduces by one sum, product, maximum, minimum, or by and or or of booleans, and its body is a different computation
func.func @narrowed(%x: tensor<2x3xi32>, %init: tensor<i32>) -> tensor<2xi32> {
  %0 = stablehlo.reduce(%x init: %init) across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
   reducer(%a: tensor<i32>, %b: tensor<i32>) {
    %an = stablehlo.convert %a : (tensor<i32>) -> tensor<i8>
    %bn = stablehlo.convert %b : (tensor<i32>) -> tensor<i8>
    %sum = stablehlo.add %an, %bn : tensor<i8>
    %back = stablehlo.convert %sum : (tensor<i8>) -> tensor<i32>
    stablehlo.return %back : tensor<i32>
  }
  return %0 : tensor<2xi32>
}

// So it is if one result is part of another.
// CHECK-LABEL: func.func @crossed
// CHECK:       stablehlo.reduce
// REMARK:      [Missed] not-converted {{.*}}its body is a different computation
func.func @crossed(%x: tensor<2x3xf32>, %init: tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0:2 = stablehlo.reduce(%x init: %init), (%x init: %init) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %d: tensor<f32>) {
    %0 = stablehlo.add %a, %d : tensor<f32>
    %1 = stablehlo.add %c, %b : tensor<f32>
    stablehlo.return %0, %1 : tensor<f32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @bits
// CHECK:       stablehlo.reduce
// REMARK:      [Missed] not-converted {{.*}}its body is a different computation
func.func @bits(%x: tensor<2x3xi32>, %init: tensor<i32>) -> tensor<2xi32> {
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.or across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// Sums of narrow integers are computed in 32 bits, and the low bits are kept.
// CHECK-LABEL: ascend.graph @narrow
// CHECK:       ascend.ReduceSum({{.*}}) : (tensor<2x3xi32>, tensor<1xi64>) -> tensor<2xi32>
func.func @narrow(%x: tensor<2x3xi8>) -> tensor<2xi8> {
  %zero = stablehlo.constant dense<0> : tensor<i8>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x3xi8>, tensor<i8>) -> tensor<2xi8>
  return %0 : tensor<2xi8>
}

// The index of the maximum: the least of its indices; with NaNs, the least
// index of a NaN.
// CHECK-LABEL: ascend.graph @argmax
// CHECK:       %[[MOST:.+]] = ascend.ReduceMax(%0, %[[AXIS:.+]]) : (tensor<2x5xf32>, tensor<1xi64>) -> tensor<2xf32>
// CHECK:       %[[IS:.+]] = ascend.Equal(%0, %{{.+}})
// CHECK:       %[[NAN:.+]] = ascend.NotEqual(%0, %0)
// CHECK:       %[[HAS:.+]] = ascend.ReduceAny(%[[NAN]], %[[AXIS]])
// CHECK:       %[[NANS:.+]] = ascend.LogicalAnd({{.+}}, %[[NAN]])
// CHECK:       %[[OTHERS:.+]] = ascend.LogicalAnd({{.+}}, %[[IS]])
// CHECK:       %[[THERE:.+]] = ascend.LogicalOr(%[[NANS]], %[[OTHERS]])
// CHECK:       %[[PLACES:.+]] = ascend.Select{{.*}}(%[[THERE]]
// CHECK:       ascend.ReduceMin(%[[PLACES]], %[[AXIS]]) : (tensor<2x5xi32>, tensor<1xi64>) -> tensor<2xi32>
func.func @argmax(%x: tensor<2x5xf32>) -> tensor<2xi32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %places = stablehlo.iota dim = 1 : tensor<2x5xi32>
  %0:2 = stablehlo.reduce(%x init: %lowest), (%places init: %zero) across dimensions = [1] : (tensor<2x5xf32>, tensor<2x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %1 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.or %1, %2 : tensor<i1>
    %4 = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %5 = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = stablehlo.and %4, %5 : tensor<i1>
    %7 = stablehlo.or %3, %6 : tensor<i1>
    %8 = stablehlo.select %3, %a, %b : tensor<i1>, tensor<f32>
    %9 = stablehlo.select %7, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %8, %9 : tensor<f32>, tensor<i32>
  }
  return %0#1 : tensor<2xi32>
}

// For arbitrary indices it is undefined which NaN counts.
// CHECK-LABEL: func.func @any_places
// CHECK:       stablehlo.reduce
// REMARK:      [Missed] not-converted {{.*}}it finds an index, and the indices are not counted along one dimension
func.func @any_places(%x: tensor<5xi32>, %places: tensor<5xi32>) -> tensor<i32> {
  %lowest = stablehlo.constant dense<-2147483648> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %lowest), (%places init: %zero) across dimensions = [0] : (tensor<5xi32>, tensor<5xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
   reducer(%a: tensor<i32>, %b: tensor<i32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %1 = stablehlo.compare LT, %b, %a, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.compare EQ, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.and %2, %3 : tensor<i1>
    %5 = stablehlo.or %4, %1 : tensor<i1>
    %6 = stablehlo.select %1, %a, %b : tensor<i1>, tensor<i32>
    %7 = stablehlo.select %5, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %6, %7 : tensor<i32>, tensor<i32>
  }
  return %0#1 : tensor<i32>
}
