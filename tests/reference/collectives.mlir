// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two replicas of three partitions: each process begins with its own number,
// 10 * replica + partition, and [n, 100 + n, ..] made of it.
// RUN: mercator conformance %s

func.func private @number() -> tensor<i32> {
  %r = stablehlo.replica_id : tensor<ui32>
  %p = stablehlo.partition_id : tensor<ui32>
  %ten = stablehlo.constant dense<10> : tensor<ui32>
  %0 = stablehlo.multiply %r, %ten : tensor<ui32>
  %1 = stablehlo.add %0, %p : tensor<ui32>
  %2 = stablehlo.convert %1 : (tensor<ui32>) -> tensor<i32>
  func.return %2 : tensor<i32>
}
func.func private @row() -> tensor<6xi32> {
  %n = func.call @number() : () -> tensor<i32>
  %all = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> tensor<6xi32>
  %i = stablehlo.iota dim = 0 : tensor<6xi32>
  %hundred = stablehlo.constant dense<100> : tensor<6xi32>
  %0 = stablehlo.multiply %i, %hundred : tensor<6xi32>
  %1 = stablehlo.add %0, %all : tensor<6xi32>
  func.return %1 : tensor<6xi32>
}

// Across replicas: the partitions with the same number form a group.
func.func private @sum_of_replicas() -> tensor<i32> {
  %n = func.call @number() : () -> tensor<i32>
  %0 = "stablehlo.all_reduce"(%n) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  func.return %0 : tensor<i32>
}
// Across all processes: ids of a grid with 3 columns, in unordered groups.
func.func private @maximum_of_groups() -> tensor<i32> {
  %n = func.call @number() : () -> tensor<i32>
  %0 = "stablehlo.all_reduce"(%n) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[5, 0], [1, 2], [4, 3]]> : tensor<3x2xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.maximum %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  func.return %0 : tensor<i32>
}
// The order of the group is the order of the parts.
func.func private @gathered() -> tensor<3xi32> {
  %n = func.call @number() : () -> tensor<i32>
  %1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %0 = "stablehlo.all_gather"(%1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[2, 0, 1], [3, 4, 5]]> : tensor<2x3xi64>, use_global_device_ids}> : (tensor<1xi32>) -> tensor<3xi32>
  func.return %0 : tensor<3xi32>
}
func.func private @scattered() -> tensor<3xi32> {
  %row = func.call @row() : () -> tensor<6xi32>
  %0 = "stablehlo.reduce_scatter"(%row) <{replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<6xi32>) -> tensor<3xi32>
  func.return %0 : tensor<3xi32>
}
func.func private @exchanged() -> tensor<6xi32> {
  %row = func.call @row() : () -> tensor<6xi32>
  %0 = "stablehlo.all_to_all"(%row) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<6xi32>) -> tensor<6xi32>
  func.return %0 : tensor<6xi32>
}
// A process without a source receives zeros.
func.func private @passed_on() -> tensor<i32> {
  %n = func.call @number() : () -> tensor<i32>
  %0 = "stablehlo.collective_permute"(%n) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, source_target_pairs = dense<[[0, 1], [2, 0]]> : tensor<2x2xi64>}> : (tensor<i32>) -> tensor<i32>
  func.return %0 : tensor<i32>
}
func.func private @told() -> tensor<i32> {
  %n = func.call @number() : () -> tensor<i32>
  %0 = "stablehlo.collective_broadcast"(%n) <{replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<i32>) -> tensor<i32>
  func.return %0 : tensor<i32>
}

func.func private @all() -> (tensor<i32>, tensor<i32>, tensor<3xi32>, tensor<3xi32>, tensor<6xi32>, tensor<i32>, tensor<i32>) {
  %0 = func.call @sum_of_replicas() : () -> tensor<i32>
  %1 = func.call @maximum_of_groups() : () -> tensor<i32>
  %2 = func.call @gathered() : () -> tensor<3xi32>
  %3 = func.call @scattered() : () -> tensor<3xi32>
  %4 = func.call @exchanged() : () -> tensor<6xi32>
  %5 = func.call @passed_on() : () -> tensor<i32>
  %6 = func.call @told() : () -> tensor<i32>
  func.return %0, %1, %2, %3, %4, %5, %6 : tensor<i32>, tensor<i32>, tensor<3xi32>, tensor<3xi32>, tensor<6xi32>, tensor<i32>, tensor<i32>
}

func.func @grid() {
  %r:42 = "interpreter.run_parallel"() <{programs = [[@all, @all, @all], [@all, @all, @all]]}> : () -> (tensor<i32>, tensor<i32>, tensor<3xi32>, tensor<3xi32>, tensor<6xi32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3xi32>, tensor<3xi32>, tensor<6xi32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3xi32>, tensor<3xi32>, tensor<6xi32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3xi32>, tensor<3xi32>, tensor<6xi32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3xi32>, tensor<3xi32>, tensor<6xi32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3xi32>, tensor<3xi32>, tensor<6xi32>, tensor<i32>, tensor<i32>)
  check.expect_eq_const %r#0, dense<10> : tensor<i32>
  check.expect_eq_const %r#1, dense<12> : tensor<i32>
  check.expect_eq_const %r#2, dense<[2, 0, 1]> : tensor<3xi32>
  check.expect_eq_const %r#3, dense<[610, 810, 1010]> : tensor<3xi32>
  check.expect_eq_const %r#4, dense<[0, 100, 200, 10, 110, 210]> : tensor<6xi32>
  check.expect_eq_const %r#5, dense<2> : tensor<i32>
  check.expect_eq_const %r#6, dense<10> : tensor<i32>
  check.expect_eq_const %r#7, dense<12> : tensor<i32>
  check.expect_eq_const %r#8, dense<2> : tensor<i32>
  check.expect_eq_const %r#9, dense<[2, 0, 1]> : tensor<3xi32>
  check.expect_eq_const %r#10, dense<[612, 812, 1012]> : tensor<3xi32>
  check.expect_eq_const %r#11, dense<[1, 101, 201, 11, 111, 211]> : tensor<6xi32>
  check.expect_eq_const %r#12, dense<0> : tensor<i32>
  check.expect_eq_const %r#13, dense<11> : tensor<i32>
  check.expect_eq_const %r#14, dense<14> : tensor<i32>
  check.expect_eq_const %r#15, dense<2> : tensor<i32>
  check.expect_eq_const %r#16, dense<[2, 0, 1]> : tensor<3xi32>
  check.expect_eq_const %r#17, dense<[614, 814, 1014]> : tensor<3xi32>
  check.expect_eq_const %r#18, dense<[2, 102, 202, 12, 112, 212]> : tensor<6xi32>
  check.expect_eq_const %r#19, dense<0> : tensor<i32>
  check.expect_eq_const %r#20, dense<12> : tensor<i32>
  check.expect_eq_const %r#21, dense<10> : tensor<i32>
  check.expect_eq_const %r#22, dense<11> : tensor<i32>
  check.expect_eq_const %r#23, dense<[10, 11, 12]> : tensor<3xi32>
  check.expect_eq_const %r#24, dense<[10, 210, 410]> : tensor<3xi32>
  check.expect_eq_const %r#25, dense<[300, 400, 500, 310, 410, 510]> : tensor<6xi32>
  check.expect_eq_const %r#26, dense<12> : tensor<i32>
  check.expect_eq_const %r#27, dense<10> : tensor<i32>
  check.expect_eq_const %r#28, dense<12> : tensor<i32>
  check.expect_eq_const %r#29, dense<11> : tensor<i32>
  check.expect_eq_const %r#30, dense<[10, 11, 12]> : tensor<3xi32>
  check.expect_eq_const %r#31, dense<[12, 212, 412]> : tensor<3xi32>
  check.expect_eq_const %r#32, dense<[301, 401, 501, 311, 411, 511]> : tensor<6xi32>
  check.expect_eq_const %r#33, dense<10> : tensor<i32>
  check.expect_eq_const %r#34, dense<11> : tensor<i32>
  check.expect_eq_const %r#35, dense<14> : tensor<i32>
  check.expect_eq_const %r#36, dense<12> : tensor<i32>
  check.expect_eq_const %r#37, dense<[10, 11, 12]> : tensor<3xi32>
  check.expect_eq_const %r#38, dense<[14, 214, 414]> : tensor<3xi32>
  check.expect_eq_const %r#39, dense<[302, 402, 502, 312, 412, 512]> : tensor<6xi32>
  check.expect_eq_const %r#40, dense<0> : tensor<i32>
  check.expect_eq_const %r#41, dense<12> : tensor<i32>
  func.return
}
