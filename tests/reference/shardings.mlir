// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Computations written for one device: by one process for all devices, and in
// a grid of processes.
// RUN: mercator conformance %s

sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @turned = <["x"=2, "y"=2], device_ids=[0, 2, 1, 3]>
sdy.mesh @long = <["z"=4]>

// The placement of a tensor does not change it.
func.func @annotations() {
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<4xi32>
  %2 = sdy.reshard %1 <@mesh, [{"y"}]> : tensor<4xi32>
  %3 = sdy.propagation_barrier %2 allowed_direction=NONE : tensor<4xi32>
  %4 = sdy.all_gather [{"x"}] %3 out_sharding=<@mesh, [{}]> : tensor<4xi32>
  sdy.sharding_group %4 group_id=1 : tensor<4xi32>
  %5 = stablehlo.custom_call @Sharding(%4) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<4xi32>) -> tensor<4xi32>
  %6 = sdy.named_computation<"f">(%5) (%a: tensor<4xi32>) {
    %7 = stablehlo.add %a, %a : tensor<4xi32>
    sdy.return %7 : tensor<4xi32>
  } : (tensor<4xi32>) -> tensor<4xi32>
  %c = sdy.constant dense<1> : tensor<4xi32>
  %8 = stablehlo.add %6, %c : tensor<4xi32>
  check.expect_eq_const %8, dense<[1, 3, 5, 7]> : tensor<4xi32>
  func.return
}

// Each device has a row of two columns, and numbers it.
func.func private @blocks() -> tensor<2x4xi32> {
  %0 = stablehlo.iota dim = 1 : tensor<2x4xi32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%a: tensor<1x2xi32>) {
    %p = stablehlo.partition_id : tensor<ui32>
    %n = stablehlo.convert %p : (tensor<ui32>) -> tensor<i32>
    %ten = stablehlo.constant dense<10> : tensor<i32>
    %m = stablehlo.multiply %n, %ten : tensor<i32>
    %all = stablehlo.broadcast_in_dim %m, dims = [] : (tensor<i32>) -> tensor<1x2xi32>
    %s = stablehlo.add %a, %all : tensor<1x2xi32>
    sdy.return %s : tensor<1x2xi32>
  } : (tensor<2x4xi32>) -> tensor<2x4xi32>
  func.return %1 : tensor<2x4xi32>
}
func.func @one_process() {
  %0 = func.call @blocks() : () -> tensor<2x4xi32>
  check.expect_eq_const %0, dense<[[0, 1, 12, 13], [20, 21, 32, 33]]> : tensor<2x4xi32>
  func.return
}
func.func @grid() {
  %0:4 = "interpreter.run_parallel"() <{programs = [[@blocks, @blocks, @blocks, @blocks]]}> : () -> (tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>)
  check.expect_eq_const %0#0, dense<[[0, 1, 12, 13], [20, 21, 32, 33]]> : tensor<2x4xi32>
  check.expect_eq_const %0#3, dense<[[0, 1, 12, 13], [20, 21, 32, 33]]> : tensor<2x4xi32>
  func.return
}

// The mesh lists its devices column by column.
func.func @order_of_devices() {
  %0 = stablehlo.constant dense<0> : tensor<2x2xi32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@turned, [{"x"}, {"y"}]>] out_shardings=[<@turned, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%a: tensor<1x1xi32>) {
    %p = stablehlo.partition_id : tensor<ui32>
    %n = stablehlo.convert %p : (tensor<ui32>) -> tensor<i32>
    %r = stablehlo.reshape %n : (tensor<i32>) -> tensor<1x1xi32>
    sdy.return %r : tensor<1x1xi32>
  } : (tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %1, dense<[[0, 2], [1, 3]]> : tensor<2x2xi32>
  func.return
}

// One dimension over two axes, and an axis in two parts.
func.func @order_of_axes() {
  %0:2 = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, [{"y", "x"}]>, <@mesh, [{"x", "y"}]>] manual_axes={"x", "y"} () {
    %p = stablehlo.partition_id : tensor<ui32>
    %r = stablehlo.reshape %p : (tensor<ui32>) -> tensor<1xui32>
    sdy.return %r, %r : tensor<1xui32>, tensor<1xui32>
  } : () -> (tensor<4xui32>, tensor<4xui32>)
  check.expect_eq_const %0#0, dense<[0, 2, 1, 3]> : tensor<4xui32>
  check.expect_eq_const %0#1, dense<[0, 1, 2, 3]> : tensor<4xui32>
  %1 = sdy.manual_computation() in_shardings=[] out_shardings=[<@long, [{"z":(2)2}, {"z":(1)2}]>] manual_axes={"z"} () {
    %p = stablehlo.partition_id : tensor<ui32>
    %r = stablehlo.reshape %p : (tensor<ui32>) -> tensor<1x1xui32>
    sdy.return %r : tensor<1x1xui32>
  } : () -> tensor<2x2xui32>
  check.expect_eq_const %1, dense<[[0, 2], [1, 3]]> : tensor<2x2xui32>
  func.return
}

// If all devices along an axis have a value, it is taken from the first.
func.func @copies() {
  %0 = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, [{"y"}]>] manual_axes={"x", "y"} () {
    %p = stablehlo.partition_id : tensor<ui32>
    %r = stablehlo.reshape %p : (tensor<ui32>) -> tensor<1xui32>
    sdy.return %r : tensor<1xui32>
  } : () -> tensor<2xui32>
  check.expect_eq_const %0, dense<[0, 1]> : tensor<2xui32>
  func.return
}

// Sums along each axis, by axis "x" outside and "y" inside.
func.func private @nested() -> tensor<4xi32> {
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x", ?}]>] out_shardings=[<@mesh, [{"x", ?}]>] manual_axes={"x"} (%a: tensor<2xi32>) {
    %2 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"y"}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"y"} (%b: tensor<1xi32>) {
      %3 = "stablehlo.all_reduce"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%c: tensor<i32>, %d: tensor<i32>):
        %4 = stablehlo.add %c, %d : tensor<i32>
        stablehlo.return %4 : tensor<i32>
      }) : (tensor<1xi32>) -> tensor<1xi32>
      sdy.return %3 : tensor<1xi32>
    } : (tensor<2xi32>) -> tensor<1xi32>
    %5 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<1xi32>) -> tensor<2xi32>
    sdy.return %5 : tensor<2xi32>
  } : (tensor<4xi32>) -> tensor<4xi32>
  func.return %1 : tensor<4xi32>
}
func.func @nested_one_process() {
  %0 = func.call @nested() : () -> tensor<4xi32>
  check.expect_eq_const %0, dense<[1, 1, 5, 5]> : tensor<4xi32>
  func.return
}
func.func @nested_grid() {
  %0:4 = "interpreter.run_parallel"() <{programs = [[@nested, @nested, @nested, @nested]]}> : () -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>)
  check.expect_eq_const %0#0, dense<[1, 1, 5, 5]> : tensor<4xi32>
  check.expect_eq_const %0#2, dense<[1, 1, 5, 5]> : tensor<4xi32>
  func.return
}

// The same with custom calls: of GSPMD, and of Shardy in HLO.
func.func private @gspmd() -> (tensor<4x2xui32>, tensor<2x4xui32>) {
  %0 = stablehlo.iota dim = 0 : tensor<4x2xui32>
  %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"} : (tensor<4x2xui32>) -> tensor<4x2xui32>
  %2 = stablehlo.custom_call @SPMDFullToShardShape(%1) {mhlo.sharding = "{manual}"} : (tensor<4x2xui32>) -> tensor<2x2xui32>
  %p = stablehlo.partition_id : tensor<ui32>
  %all = stablehlo.broadcast_in_dim %p, dims = [] : (tensor<ui32>) -> tensor<2x2xui32>
  %3 = stablehlo.custom_call @SPMDShardToFullShape(%2) {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"} : (tensor<2x2xui32>) -> tensor<4x2xui32>
  %4 = stablehlo.slice %all [0:1, 0:2] : (tensor<2x2xui32>) -> tensor<1x2xui32>
  %5 = stablehlo.custom_call @SPMDShardToFullShape(%4) {mhlo.sharding = "{devices=[2,2]<=[2,2]T(1,0)}"} : (tensor<1x2xui32>) -> tensor<2x4xui32>
  func.return %3, %5 : tensor<4x2xui32>, tensor<2x4xui32>
}
func.func @gspmd_grid() {
  %0:8 = "interpreter.run_parallel"() <{programs = [[@gspmd, @gspmd, @gspmd, @gspmd]]}> : () -> (tensor<4x2xui32>, tensor<2x4xui32>, tensor<4x2xui32>, tensor<2x4xui32>, tensor<4x2xui32>, tensor<2x4xui32>, tensor<4x2xui32>, tensor<2x4xui32>)
  check.expect_eq_const %0#0, dense<[[0, 0], [1, 1], [2, 2], [3, 3]]> : tensor<4x2xui32>
  check.expect_eq_const %0#7, dense<[[0, 0, 2, 2], [1, 1, 3, 3]]> : tensor<2x4xui32>
  func.return
}
func.func private @shapes() -> tensor<4xui32> {
  %0 = stablehlo.iota dim = 0 : tensor<4xui32>
  %1 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%0) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22y\22}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22x\22, \22y\22}>"}} : (tensor<4xui32>) -> tensor<2xui32>
  %2 = stablehlo.slice %1 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %3 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%2) {mhlo.frontend_attributes = {xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22y\22, \22x\22}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22x\22, \22y\22}>"}} : (tensor<1xui32>) -> tensor<4xui32>
  func.return %3 : tensor<4xui32>
}
func.func @shapes_grid() {
  %0:4 = "interpreter.run_parallel"() <{programs = [[@shapes, @shapes, @shapes, @shapes]]}> : () -> (tensor<4xui32>, tensor<4xui32>, tensor<4xui32>, tensor<4xui32>)
  check.expect_eq_const %0#1, dense<[0, 0, 2, 2]> : tensor<4xui32>
  func.return
}
