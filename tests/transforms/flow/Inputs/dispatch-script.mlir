// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%function: !transform.any_op) {
    %product = transform.structured.match ops{["linalg.matmul"]} in %function : (!transform.any_op) -> !transform.any_op
    %region = transform.iree.wrap_in_dispatch_region %product : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %function : (!transform.any_op) -> !transform.any_op
    %copies = transform.iree.clone_preceding_op_into_dispatch_region %fill into %region : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %dispatch = transform.iree.region_to_workgroups %region : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
