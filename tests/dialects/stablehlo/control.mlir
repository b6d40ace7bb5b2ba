// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s | FileCheck %s
// RUN: mercator-opt %s --mlir-print-op-generic | mercator-opt | FileCheck %s

// CHECK-LABEL: func @control
func.func @control(%n: tensor<i32>, %p: tensor<i1>, %x: tensor<4xf32>) {
  // CHECK: stablehlo.while(%[[I:.*]] = %{{.*}}, %[[X:.*]] = %{{.*}}) : tensor<i32>, tensor<4xf32> attributes {a = "b"}
  // CHECK-NEXT: cond {
  // CHECK-NEXT: stablehlo.compare LT, %[[I]], %[[I]]
  // CHECK: } do {
  // CHECK-NEXT: stablehlo.negate %[[X]]
  %0:2 = stablehlo.while(%i = %n, %y = %x) : tensor<i32>, tensor<4xf32> attributes {a = "b"}
   cond {
    %c = stablehlo.compare LT, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %z = stablehlo.negate %y : tensor<4xf32>
    stablehlo.return %i, %z : tensor<i32>, tensor<4xf32>
  }
  // CHECK: stablehlo.while()
  stablehlo.while()
   cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return
  }
  // CHECK: "stablehlo.if"(%{{.*}}) ({
  %1 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  // CHECK: "stablehlo.case"(%{{.*}}) ({
  %2 = "stablehlo.case"(%n) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  // CHECK: stablehlo.optimization_barrier %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<i32>
  %3:2 = stablehlo.optimization_barrier %x, %n : tensor<4xf32>, tensor<i32>
  // CHECK: stablehlo.optimization_barrier()
  stablehlo.optimization_barrier()
  return
}

// CHECK-LABEL: func @tuples
func.func @tuples(%n: tensor<i32>, %x: tensor<4xf32>, %t: !stablehlo.token) {
  // CHECK: stablehlo.tuple %{{.*}}, %{{.*}} : tuple<tensor<i32>, tensor<4xf32>>
  %0 = stablehlo.tuple %n, %x : tuple<tensor<i32>, tensor<4xf32>>
  // CHECK: stablehlo.tuple : tuple<>
  %1 = stablehlo.tuple : tuple<>
  // CHECK: stablehlo.get_tuple_element %{{.*}}[1] : (tuple<tensor<i32>, tensor<4xf32>>) -> tensor<4xf32>
  %2 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<i32>, tensor<4xf32>>) -> tensor<4xf32>
  // CHECK: stablehlo.create_token : !stablehlo.token
  %3 = stablehlo.create_token : !stablehlo.token
  // CHECK: stablehlo.after_all %{{.*}}, %{{.*}} : !stablehlo.token
  %4 = stablehlo.after_all %3, %t : !stablehlo.token
  // CHECK: stablehlo.after_all : !stablehlo.token
  %5 = stablehlo.after_all : !stablehlo.token
  return
}

func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32>

// CHECK-LABEL: func @calls
func.func @calls(%x: tensor<4xf32>, %s: tensor<f32>, %shape: tensor<1xi64>, %state: tensor<2xui64>) {
  // CHECK: stablehlo.custom_call @target(%{{.*}}, %{{.*}}) {api_version = 3 : i32, backend_config = "c", has_side_effect = true, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4xf32>, tensor<f32>) -> tuple<tensor<4xf32>>
  %0 = stablehlo.custom_call @target(%x, %s) {api_version = 3 : i32, backend_config = "c", has_side_effect = true, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4xf32>, tensor<f32>) -> tuple<tensor<4xf32>>
  // CHECK: stablehlo.custom_call @"not a name"() : () -> ()
  stablehlo.custom_call @"not a name"() : () -> ()
  // CHECK: stablehlo.composite "mercator.id" %{{.*}} {composite_attributes = {a = 1 : i64}, decomposition = @callee, version = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "mercator.id" %x {composite_attributes = {a = 1 : i64}, decomposition = @callee, version = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: stablehlo.rng %{{.*}}, %{{.*}}, %{{.*}}, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %2 = stablehlo.rng %s, %s, %shape, distribution =  UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  // CHECK: stablehlo.rng_bit_generator %{{.*}}, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  %3:2 = stablehlo.rng_bit_generator %state, algorithm =  THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return
}

// CHECK-LABEL: func @devices
func.func @devices(%x: tensor<4xf32>, %t: !stablehlo.token) {
  // CHECK: stablehlo.partition_id : tensor<ui32>
  %0 = stablehlo.partition_id : tensor<ui32>
  // CHECK: stablehlo.replica_id : tensor<ui32>
  %1 = stablehlo.replica_id : tensor<ui32>
  // CHECK: "stablehlo.all_gather"(%{{.*}}) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>, use_global_device_ids}>
  %2 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<type = 0, handle = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids} : (tensor<4xf32>) -> tensor<8xf32>
  // CHECK: "stablehlo.all_reduce"
  %3 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "stablehlo.reduce_scatter"
  %4 = "stablehlo.reduce_scatter"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<2xf32>
  // CHECK: "stablehlo.all_to_all"
  %5 = "stablehlo.all_to_all"(%x) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "stablehlo.collective_permute"
  %6 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "stablehlo.collective_broadcast"
  %7 = "stablehlo.collective_broadcast"(%x) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "stablehlo.cross-replica-sum"
  %8 = "stablehlo.cross-replica-sum"(%x) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "stablehlo.infeed"
  %9:2 = "stablehlo.infeed"(%t) {infeed_config = "c"} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  // CHECK: "stablehlo.outfeed"
  %10 = "stablehlo.outfeed"(%x, %t) : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  // CHECK: "stablehlo.send"
  %11 = "stablehlo.send"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  // CHECK: "stablehlo.recv"
  %12:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}

// The list of types of the short form applies to all values. If the loop begins
// with more static types than it continues with, the generic form is printed.
// CHECK-LABEL: func @loses_extents
func.func @loses_extents(%x: tensor<4xf32>, %p: tensor<i1>) -> tensor<?xf32> {
  // CHECK: %0:2 = stablehlo.while(%arg0, %arg1) ({
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<?xf32>, %{{.*}}: tensor<i1>):
  // CHECK: }) : (tensor<4xf32>, tensor<i1>) -> (tensor<?xf32>, tensor<i1>)
  %0:2 = "stablehlo.while"(%x, %p) ({
  ^bb0(%y: tensor<?xf32>, %q: tensor<i1>):
    stablehlo.return %q : tensor<i1>
  }, {
  ^bb0(%y: tensor<?xf32>, %q: tensor<i1>):
    stablehlo.return %y, %q : tensor<?xf32>, tensor<i1>
  }) : (tensor<4xf32>, tensor<i1>) -> (tensor<?xf32>, tensor<i1>)
  return %0#0 : tensor<?xf32>
}
