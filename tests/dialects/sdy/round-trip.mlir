// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// JAX's sharding annotations are printed as written here.
// RUN: mercator-opt %s | FileCheck %s
// RUN: mercator-opt %s --mlir-print-op-generic | mercator-opt | FileCheck %s

// CHECK: sdy.mesh @mesh = <["a"=2, "b"=4]>
sdy.mesh @mesh = <["a"=2, "b"=4]>
// CHECK: sdy.mesh @one = <[], device_ids=[3]>
sdy.mesh @one = <[], device_ids=[3]>
// CHECK: sdy.mesh @"odd name" = <["x y"=2], device_ids=[1, 0]>
sdy.mesh @"odd name" = <["x y"=2],
                        device_ids=[1, // swapped
                                    0]>

// CHECK-LABEL: func @attributes(%{{.*}}: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}p0, {"b":(2)2}], replicated={"c"}, unreduced=max{"d"}>})
func.func @attributes(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}p0, {"b":(2)2}], replicated={"c"}, unreduced=max{"d"}>})
    // CHECK-SAME: -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{?}, {}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{?}, {}]>}) {
  // CHECK: stablehlo.add %{{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>}
  %0 = stablehlo.add %x, %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : tensor<8x8xf32>
  // CHECK: sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8} reduction={j}, custom>
  %1 = stablehlo.negate %0 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8} reduction={j}, custom>} : tensor<8x8xf32>
  // CHECK: sdy.propagation_edges = #sdy.propagation_edges<[{step-2 = [{"y" = operand-1 -> [operand-0, result-0]}]}]>
  %2 = stablehlo.negate %1 {sdy.propagation_edges = #sdy.propagation_edges<[{step-2 = [{"y" = operand-1 -> [operand-0, result-0]}]}]>} : tensor<8x8xf32>
  // CHECK: sdy.sharding = #sdy.sharding_per_value<[#sdy.sharding<@mesh, [{"a"}, {}]>, <@mesh, []>]>
  %3 = stablehlo.negate %2 {sdy.sharding = #sdy.sharding_per_value<[#sdy.sharding<@mesh, [{"a"}, {}]>, <@mesh, []>]>} : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// CHECK-LABEL: func @same_value
func.func @same_value(%x: tensor<8x8xf32>) {
  // CHECK: sdy.sharding_constraint %{{.*}} <@mesh, [{"a", ?}, {}]> : tensor<8x8xf32>
  %0 = sdy.sharding_constraint %x <@mesh, [{"a", ?}, {}]> : tensor<8x8xf32>
  // CHECK: sdy.reshard %{{.*}} <@mesh, [{}, {}]> {note = 1 : i64} : tensor<8x8xf32>
  %1 = sdy.reshard %0 <@mesh, [{}, {}]> {note = 1} : tensor<8x8xf32>
  // CHECK: sdy.propagation_barrier %{{.*}} allowed_direction=BACKWARD : tensor<8x8xf32>
  %2 = sdy.propagation_barrier %1 allowed_direction=BACKWARD : tensor<8x8xf32>
  // CHECK: sdy.data_flow_edge %{{.*}} sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  %3 = sdy.data_flow_edge %2 sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  // CHECK: sdy.data_flow_edge %{{.*}} : tensor<8x8xf32>
  %4 = sdy.data_flow_edge %3 : tensor<8x8xf32>
  // CHECK: sdy.func_data_flow_edge %{{.*}} : tensor<8x8xf32>
  %5 = sdy.func_data_flow_edge %4 : tensor<8x8xf32>
  // CHECK: sdy.sharding_group %{{.*}} group_id=21 : tensor<8x8xf32>
  sdy.sharding_group %5 group_id=21 : tensor<8x8xf32>
  // CHECK: sdy.constant dense<1.000000e+00> : tensor<4xf32>
  %6 = sdy.constant dense<1.0> : tensor<4xf32>
  return
}

// CHECK-LABEL: func @bodies
func.func @bodies(%x: tensor<16x8xf32>) -> tensor<16x8xf32> {
  // CHECK: sdy.manual_computation(%{{.*}}) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a", "b"} (%[[A:.*]]: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a", "b"} (%a: tensor<8x8xf32>) {
    // CHECK: sdy.return %[[A]] : tensor<8x8xf32>
    sdy.return %a : tensor<8x8xf32>
  // CHECK: } : (tensor<16x8xf32>) -> tensor<16x8xf32>
  } : (tensor<16x8xf32>) -> tensor<16x8xf32>
  // CHECK: sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
    // CHECK-NEXT: sdy.return
    sdy.return
  // CHECK-NEXT: } : () -> ()
  } : () -> ()
  // CHECK: sdy.named_computation<"f">(%{{.*}}) in_shardings=[<@mesh, [{}, {}]>] (%{{.*}}: tensor<16x8xf32>) {
  %1 = sdy.named_computation<"f">(%0) in_shardings=[<@mesh, [{}, {}]>] (%a: tensor<16x8xf32>) {
    sdy.return %a : tensor<16x8xf32>
  } : (tensor<16x8xf32>) -> tensor<16x8xf32>
  return %1 : tensor<16x8xf32>
}

// CHECK-LABEL: func @collectives
func.func @collectives(%x: tensor<16x8xf32>) {
  // CHECK: sdy.all_gather [{}, {"b":(1)2}] %{{.*}} out_sharding=<@mesh, [{"a"}, {}]> : tensor<16x8xf32>
  %0 = sdy.all_gather [{}, {"b":(1)2}] %x out_sharding=<@mesh, [{"a"}, {}]> : tensor<16x8xf32>
  // CHECK: sdy.all_slice [{}, {"b"}] %{{.*}} out_sharding=<@mesh, [{"a"}, {"b"}]> : tensor<16x8xf32>
  %1 = sdy.all_slice [{}, {"b"}] %0 out_sharding=<@mesh, [{"a"}, {"b"}]> : tensor<16x8xf32>
  // CHECK: sdy.all_to_all [{"b"}: 1->0] %{{.*}} out_sharding=<@mesh, [{"a", "b"}, {}]> : tensor<16x8xf32>
  %2 = sdy.all_to_all [{"b"}: 1->0] %1 out_sharding=<@mesh, [{"a", "b"}, {}]> : tensor<16x8xf32>
  // CHECK: sdy.collective_permute %{{.*}} out_sharding=<@mesh, [{"b", "a"}, {}]> : tensor<16x8xf32>
  %3 = sdy.collective_permute %2 out_sharding=<@mesh, [{"b", "a"}, {}]> : tensor<16x8xf32>
  // CHECK: sdy.all_reduce {"c"} %{{.*}} out_sharding=<@mesh, [{}, {}]> : tensor<16x8xf32>
  %4 = sdy.all_reduce {"c"} %3 out_sharding=<@mesh, [{}, {}]> : tensor<16x8xf32>
  // CHECK: sdy.all_reduce max {"c"} %{{.*}} out_sharding=<@mesh, [{}, {}]> : tensor<16x8xf32>
  %5 = sdy.all_reduce max {"c"} %4 out_sharding=<@mesh, [{}, {}]> : tensor<16x8xf32>
  // CHECK: sdy.reduce_scatter [{"c"}, {}] %{{.*}} out_sharding=<@mesh, [{"c"}, {}]> : tensor<16x8xf32>
  %6 = sdy.reduce_scatter [{"c"}, {}] %5 out_sharding=<@mesh, [{"c"}, {}]> : tensor<16x8xf32>
  // CHECK: sdy.sharded_to_unreduced [{"c"}, {}] %{{.*}} out_sharding=<@mesh, [{}, {}], unreduced={"c"}> : tensor<16x8xf32>
  %7 = sdy.sharded_to_unreduced [{"c"}, {}] %6 out_sharding=<@mesh, [{}, {}], unreduced={"c"}> : tensor<16x8xf32>
  // CHECK: sdy.replicated_to_unreduced {"c"} %{{.*}} out_sharding=<@mesh, [{}, {}], unreduced={"c"}> : tensor<16x8xf32>
  %8 = sdy.replicated_to_unreduced {"c"} %7 out_sharding=<@mesh, [{}, {}], unreduced={"c"}> : tensor<16x8xf32>
  return
}
