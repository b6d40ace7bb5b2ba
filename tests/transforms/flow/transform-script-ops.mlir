// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --split-input-file --allow-unregistered-dialect --transform-interpreter | FileCheck %s

// CHECK-LABEL: func @wrapped
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>, %[[M:.*]]: index, %[[N:.*]]: index)
// CHECK: %[[R:.*]] = flow.dispatch.region -> (tensor<?x?xf32>{%[[M]], %[[N]]}) {
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %[[X]]
// CHECK-NEXT: flow.return %[[S]]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[R]]
func.func @wrapped(%x: tensor<?x?xf32>, %m: index, %n: index) -> tensor<?x?xf32> {
  %0 = tensor.extract_slice %x[1, 2] [%m, %n] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    %0 = transform.structured.match ops{["tensor.extract_slice"]} in %f : (!transform.any_op) -> !transform.any_op
    %1 = transform.iree.wrap_in_dispatch_region %0 {generateWorkload = false} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// A clone for the region; the original stays for the others.
// CHECK-LABEL: func @cloned_before
// CHECK: %[[A:.*]] = "test.a"
// CHECK: %[[R:.*]] = flow.dispatch.region
// CHECK-NEXT: %[[C:.*]] = "test.a"
// CHECK-NEXT: %[[D:.*]] = "test.b"(%[[C]])
// CHECK-NEXT: tensor.insert_slice %[[D]] into
// CHECK: return %[[A]], %[[R]]
func.func @cloned_before(%x: tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %0 = "test.a"() {in} : () -> tensor<4xf32>
  %1 = "test.b"(%0) {in} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert_slice %1 into %x[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %0, %2 : tensor<4xf32>, tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    %0 = transform.structured.match ops{["tensor.insert_slice"]} in %f : (!transform.any_op) -> !transform.any_op
    %1 = transform.iree.wrap_in_dispatch_region %0 {generateWorkload = false} : (!transform.any_op) -> !transform.any_op
    %2 = transform.structured.match attributes{in} in %f : (!transform.any_op) -> !transform.any_op
    %3 = transform.iree.clone_preceding_op_into_dispatch_region %2 into %1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// The region also returns values that are used outside.
// CHECK-LABEL: func @moved_before
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>, %[[M:.*]]: index)
// CHECK: %[[D:.*]] = tensor.dim %[[Y]]
// CHECK: %[[R:.*]]:2 = flow.dispatch.region -> (tensor<?xf32>{%[[D]]}, tensor<?xf32>{%[[M]]}) {
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %[[X]]
// CHECK-NEXT: %[[I:.*]] = tensor.insert_slice %[[S]] into %[[Y]]
// CHECK-NEXT: flow.return %[[I]], %[[S]]
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @moved_before(%x: tensor<?xf32>, %y: tensor<?xf32>, %m: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = tensor.extract_slice %x[1] [%m] [1] : tensor<?xf32> to tensor<?xf32>
  %1 = tensor.insert_slice %0 into %y[2] [%m] [1] : tensor<?xf32> into tensor<?xf32>
  return %1, %0 : tensor<?xf32>, tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    %0 = transform.structured.match ops{["tensor.insert_slice"]} in %f : (!transform.any_op) -> !transform.any_op
    %1 = transform.iree.wrap_in_dispatch_region %0 {generateWorkload = false} : (!transform.any_op) -> !transform.any_op
    %2 = transform.structured.match ops{["tensor.extract_slice"]} in %f : (!transform.any_op) -> !transform.any_op
    %3 = transform.iree.move_preceding_op_into_dispatch_region %2 into %1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func @moved_after
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>, %[[M:.*]]: index)
// CHECK: %[[D:.*]] = tensor.dim %[[Y]]
// CHECK: %[[R:.*]]:2 = flow.dispatch.region -> (tensor<?xf32>{%[[M]]}, tensor<?xf32>{%[[D]]}) {
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %[[X]]
// CHECK-NEXT: %[[I:.*]] = tensor.insert_slice %[[S]] into %[[Y]]
// CHECK-NEXT: flow.return %[[S]], %[[I]]
// CHECK: return %[[R]]#1, %[[R]]#0
func.func @moved_after(%x: tensor<?xf32>, %y: tensor<?xf32>, %m: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = tensor.extract_slice %x[1] [%m] [1] : tensor<?xf32> to tensor<?xf32>
  %1 = tensor.insert_slice %0 into %y[2] [%m] [1] : tensor<?xf32> into tensor<?xf32>
  return %1, %0 : tensor<?xf32>, tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    %0 = transform.structured.match ops{["tensor.extract_slice"]} in %f : (!transform.any_op) -> !transform.any_op
    %1 = transform.iree.wrap_in_dispatch_region %0 {generateWorkload = false} : (!transform.any_op) -> !transform.any_op
    %2 = transform.structured.match ops{["tensor.insert_slice"]} in %f : (!transform.any_op) -> !transform.any_op
    %3 = transform.iree.move_succeeding_op_into_dispatch_region %2 into %1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func @cloned_after
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
// CHECK: %[[R:.*]] = flow.dispatch.region -> (tensor<4xf32>) {
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %[[X]]
// CHECK-NEXT: %[[A:.*]] = "test.a"(%[[S]])
// CHECK-NEXT: "test.b"(%[[A]], %[[S]])
// CHECK-NEXT: flow.return %[[S]]
// CHECK: %[[B:.*]] = "test.a"(%[[R]])
// CHECK-NEXT: "test.b"(%[[B]], %[[R]])
func.func @cloned_after(%x: tensor<8xf32>) -> tensor<4xf32> {
  %0 = tensor.extract_slice %x[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %1 = "test.a"(%0) {in} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "test.b"(%1, %0) {in} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    %0 = transform.structured.match ops{["tensor.extract_slice"]} in %f : (!transform.any_op) -> !transform.any_op
    %1 = transform.iree.wrap_in_dispatch_region %0 {generateWorkload = false} : (!transform.any_op) -> !transform.any_op
    %2 = transform.structured.match attributes{in} in %f : (!transform.any_op) -> !transform.any_op
    %3 = transform.iree.clone_succeeding_op_into_dispatch_region %2 into %1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// The tiles of a loop, one for each workgroup.
// CHECK-LABEL: func @forall
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>, %[[N:.*]]: index)
// CHECK: flow.dispatch.workgroups[%[[N]]](
// CHECK-SAME: -> %[[Y]]{
// CHECK: flow.dispatch.tensor.load
// CHECK: flow.dispatch.workgroup.id[0]
// CHECK: flow.dispatch.tensor.load {{.*}} sizes = [4]
// CHECK: arith.addf
// CHECK: flow.dispatch.tensor.store {{.*}} sizes = [4]
// CHECK: count(%[[W:.*]]: index) -> (index, index, index) {
// CHECK: flow.return %[[W]], %{{.*}}, %{{.*}} : index, index, index
// CHECK-NOT: scf.forall (
func.func @forall(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %0 = scf.forall (%i) in (%n) shared_outs(%out = %y) -> tensor<?xf32> {
    %1 = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %2 = tensor.extract_slice %x[%1] [4] [1] : tensor<?xf32> to tensor<4xf32>
    %3 = tensor.extract_slice %out[%1] [4] [1] : tensor<?xf32> to tensor<4xf32>
    %4 = arith.addf %2, %3 : tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %4 into %out[%1] [4] [1] : tensor<4xf32> into tensor<?xf32>
    }
  }
  return %0 : tensor<?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    %0 = transform.structured.match ops{["scf.forall"]} in %f : (!transform.any_op) -> !transform.any_op
    %1 = transform.iree.forall_to_flow %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
