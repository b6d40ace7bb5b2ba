// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// IREE's current names are read and printed as flow.

// RUN: mercator-opt %s | FileCheck %s

// CHECK-NOT: iree_tensor_ext
// CHECK-LABEL: func @renamed
// CHECK-SAME: %[[IN:.*]]: !flow.dispatch.tensor<readonly:tensor<?x4xf32>>, %[[OUT:.*]]: !flow.dispatch.tensor<writeonly:tensor<4xf32>>
func.func @renamed(%in: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xf32>>,
                   %out: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>, %d: index) {
  // CHECK: %[[T:.*]] = flow.dispatch.tie_shape %[[IN]] : !flow.dispatch.tensor<readonly:tensor<?x4xf32>>{%{{.*}}}
  %t = flow.dispatch.tie_shape %in : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xf32>>{%d}
  // CHECK: %[[V:.*]] = flow.dispatch.tensor.load %[[T]], offsets = [%{{.*}}, 0], sizes = [1, 4], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<?x4xf32>>{%{{.*}}} -> tensor<4xf32>
  %0 = iree_tensor_ext.dispatch.tensor.load %t, offsets = [%d, 0], sizes = [1, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xf32>>{%d} -> tensor<4xf32>
  // CHECK: flow.dispatch.tensor.store %[[V]], %[[OUT]], offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !flow.dispatch.tensor<writeonly:tensor<4xf32>>
  iree_tensor_ext.dispatch.tensor.store %0, %out, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
  return
}

flow.executable private @ex {
  flow.executable.export public @f workgroups(%a: index, %b: index) -> (index, index, index) {
    // CHECK: flow.dispatch.workgroup_count_from_dag_root %{{.*}}, %{{.*}}
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_dag_root(%a, %b)
    flow.return %x, %y, %z : index, index, index
  }
  flow.executable.export public @g workgroups(%a: index) -> (index, index, index) {
    // CHECK: %x, %y, %z = flow.dispatch.workgroup_count_from_dag_root %{{.*}}
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_dag_root %a
    flow.return %x, %y, %z : index, index, index
  }
}

// CHECK-LABEL: func @barriers
// CHECK: %[[A:.*]] = tensor.cast %{{.*}} : tensor<?x4xf32> to tensor<?x4xf32>
// CHECK: tensor.cast %[[A]] : tensor<?x4xf32> to tensor<?x4xf32>
func.func @barriers(%x: tensor<?x4xf32>, %d: index) -> tensor<?x4xf32> {
  %0 = iree_tensor_ext.compute_barrier.start %x : tensor<?x4xf32>{%d} -> tensor<?x4xf32>
  %1 = iree_tensor_ext.compute_barrier.end %0 : tensor<?x4xf32>{%d} -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
