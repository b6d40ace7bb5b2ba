// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --allow-unregistered-dialect | FileCheck %s
// RUN: mercator-opt %s --allow-unregistered-dialect | mercator-opt --allow-unregistered-dialect | FileCheck %s
// RUN: mercator-opt %s --allow-unregistered-dialect --mlir-print-op-generic | mercator-opt --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func @region
func.func @region(%a: tensor<?x4xf32>, %d: index, %w: index) -> (tensor<?x4xf32>, tensor<8xi32>) {
  // CHECK: %[[R:.*]]:2 = flow.dispatch.region[%{{.*}}, %{{.*}}] -> (tensor<?x4xf32>{%{{.*}}}, tensor<8xi32>) {
  // CHECK:   flow.return %{{.*}}, %{{.*}} : tensor<?x4xf32>, tensor<8xi32>
  // CHECK: } count(%[[X:.*]]: index, %[[Y:.*]]: index) -> (index, index, index) {
  // CHECK:   %x, %y, %z = flow.dispatch.workgroup_count_from_dag_root %[[X]], %[[Y]]
  // CHECK:   flow.return %x, %y, %z : index, index, index
  %r:2 = flow.dispatch.region[%w, %d] -> (tensor<?x4xf32>{%d}, tensor<8xi32>) {
    %0 = "test.make"() : () -> tensor<8xi32>
    flow.return %a, %0 : tensor<?x4xf32>, tensor<8xi32>
  } count(%x: index, %y: index) -> (index, index, index) {
    %i, %j, %k = flow.dispatch.workgroup_count_from_dag_root %x, %y
    flow.return %i, %j, %k : index, index, index
  }
  return %r#0, %r#1 : tensor<?x4xf32>, tensor<8xi32>
}

// A dictionary is printed where it is parsed.
// CHECK-LABEL: func @region_attributes
func.func @region_attributes(%a: tensor<4xf32>, %w: index) {
  // CHECK: flow.dispatch.region[%{{.*}}] -> (tensor<4xf32>) attributes {note = "before"} {
  %0 = flow.dispatch.region {note = "before"}[%w] -> (tensor<4xf32>) {
    flow.return %a : tensor<4xf32>
  }
  // CHECK: flow.dispatch.region[%{{.*}}] -> (tensor<4xf32>) attributes {note = "word"} {
  %1 = flow.dispatch.region attributes {note = "word"} [%w] -> (tensor<4xf32>) {
    flow.return %a : tensor<4xf32>
  }
  // CHECK: flow.dispatch.region -> (tensor<4xf32>) attributes {note = "after"} {
  %2 = flow.dispatch.region -> (tensor<4xf32>) attributes {note = "after"} {
    flow.return %a : tensor<4xf32>
  }
  return
}

// Extents and workload are not confused.
// CHECK-LABEL: func @region_order
// CHECK-SAME: %[[D:[a-z0-9]+]]: index, %[[W:[a-z0-9]+]]: index, %[[V:[a-z0-9]+]]: index
func.func @region_order(%a: tensor<?xf32>, %d: index, %w: index, %v: index) -> tensor<?xf32> {
  // CHECK: flow.dispatch.region[%[[W]], %[[V]]] -> (tensor<?xf32>{%[[D]]})
  %0 = flow.dispatch.region[%w, %v] -> (tensor<?xf32>{%d}) {
    flow.return %a : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func @region_nothing
func.func @region_nothing() {
  // CHECK: flow.dispatch.region -> () {
  // CHECK:   "test.effect"()
  // CHECK:   flow.return
  flow.dispatch.region -> () {
    "test.effect"() : () -> ()
  }
  return
}

// CHECK-LABEL: func @region_in_control_flow
func.func @region_in_control_flow(%a: tensor<?xf32>, %d: index, %c: i1) -> tensor<?xf32> {
  %r = scf.if %c -> tensor<?xf32> {
    // CHECK: flow.dispatch.region -> (tensor<?xf32>{%{{.*}}})
    %0 = flow.dispatch.region -> (tensor<?xf32>{%d}) {
      flow.return %a : tensor<?xf32>
    }
    scf.yield %0 : tensor<?xf32>
  } else {
    scf.yield %a : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func @workgroups
func.func @workgroups(%a: tensor<?x4xf32>, %d: index, %w: index) -> (tensor<4x?xf32>, tensor<8xi8>) {
  // CHECK: %[[R:.*]]:2 = flow.dispatch.workgroups[%{{.*}}, %{{.*}}](%{{.*}}, %{{.*}}) : (tensor<?x4xf32>{%{{.*}}}, index) -> (tensor<4x?xf32>{%{{.*}}}, tensor<8xi8>)
  // CHECK-SAME: attributes {note = "n"} =
  // CHECK-NEXT: (%[[IN:.*]]: !flow.dispatch.tensor<readonly:tensor<?x4xf32>>, %[[N:.*]]: index,
  // CHECK-SAME: %[[OUT:.*]]: !flow.dispatch.tensor<writeonly:tensor<4x?xf32>>, %{{.*}}: !flow.dispatch.tensor<writeonly:tensor<8xi8>>) {
  // CHECK:   flow.return
  // CHECK-NEXT: } count(%{{.*}}: index, %{{.*}}: index) -> (index, index, index) {
  %r:2 = flow.dispatch.workgroups[%w, %d](%a, %d) : (tensor<?x4xf32>{%d}, index) -> (tensor<4x?xf32>{%d}, tensor<8xi8>) attributes {note = "n"} =
      (%in: !flow.dispatch.tensor<readonly:tensor<?x4xf32>>, %n: index, %out: !flow.dispatch.tensor<writeonly:tensor<4x?xf32>>, %other: !flow.dispatch.tensor<writeonly:tensor<8xi8>>) {
    flow.return
  } count(%x: index, %y: index) -> (index, index, index) {
    flow.return %x, %y, %x : index, index, index
  }
  return %r#0, %r#1 : tensor<4x?xf32>, tensor<8xi8>
}

// CHECK-LABEL: func @workgroups_without_return
func.func @workgroups_without_return() {
  // CHECK: flow.dispatch.workgroups() : () -> () =
  // CHECK-NEXT: () {
  // CHECK-NEXT: "test.effect"
  // CHECK-NEXT: flow.return
  flow.dispatch.workgroups() : () -> () = () {
    "test.effect"() : () -> ()
  }
  return
}

// CHECK-LABEL: func @ties
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x4xf32>, %[[B:[a-z0-9]+]]: tensor<8xf32>, %[[D:[a-z0-9]+]]: index
func.func @ties(%a: tensor<?x4xf32>, %b: tensor<8xf32>, %d: index) {
  // CHECK: flow.dispatch.workgroups(%[[B]], %[[A]]) : (tensor<8xf32>, tensor<?x4xf32>{%[[D]]}) -> %[[A]]{%[[D]]} =
  // CHECK-NEXT: (%{{.*}}: !flow.dispatch.tensor<readonly:tensor<8xf32>>, %{{.*}}: !flow.dispatch.tensor<readwrite:tensor<?x4xf32>>) {
  %0 = flow.dispatch.workgroups(%b, %a) : (tensor<8xf32>, tensor<?x4xf32>{%d}) -> %a{%d} =
      (%p: !flow.dispatch.tensor<readonly:tensor<8xf32>>, %q: !flow.dispatch.tensor<readwrite:tensor<?x4xf32>>) {
    flow.return
  }
  // CHECK: flow.dispatch.workgroups(%[[A]]) : (tensor<?x4xf32>{%[[D]]}) -> (tensor<2xf32>, %[[A]] as tensor<4x?xf32>{%[[D]]}) =
  // CHECK-NEXT: (%{{.*}}: !flow.dispatch.tensor<readwrite:tensor<?x4xf32>>, %{{.*}}: !flow.dispatch.tensor<writeonly:tensor<2xf32>>) {
  %1:2 = flow.dispatch.workgroups(%a) : (tensor<?x4xf32>{%d}) -> (tensor<2xf32>, %a as tensor<4x?xf32>{%d}) =
      (%q: !flow.dispatch.tensor<readwrite:tensor<?x4xf32>>, %o: !flow.dispatch.tensor<writeonly:tensor<2xf32>>) {
    flow.return
  }
  // The same value twice, tied at its second position.
  // CHECK: flow.dispatch.workgroups(%[[B]], %[[B]]) : (tensor<8xf32>, tensor<8xf32>) -> %[[B]] at 1 =
  // CHECK-NEXT: (%{{.*}}: !flow.dispatch.tensor<readonly:tensor<8xf32>>, %{{.*}}: !flow.dispatch.tensor<readwrite:tensor<8xf32>>) {
  %2 = flow.dispatch.workgroups(%b, %b) : (tensor<8xf32>, tensor<8xf32>) -> %b at 1 =
      (%p: !flow.dispatch.tensor<readonly:tensor<8xf32>>, %q: !flow.dispatch.tensor<readwrite:tensor<8xf32>>) {
    flow.return
  }
  return
}

// CHECK-LABEL: func @grid
func.func @grid() {
  flow.dispatch.workgroups() : () -> () = () {
    // CHECK-DAG: %workgroup_id_0 = flow.dispatch.workgroup.id[0] : index
    // CHECK-DAG: %workgroup_count_1 = flow.dispatch.workgroup.count[1] : index
    // CHECK-DAG: %workgroup_size_2 = flow.dispatch.workgroup.size[2] {note} : index
    %0 = flow.dispatch.workgroup.id[0] : index
    %1 = flow.dispatch.workgroup.count[1] : index
    %2 = flow.dispatch.workgroup.size[2] {note} : index
  }
  return
}

// CHECK-LABEL: func @counts
func.func @counts(%a: index) {
  // CHECK: flow.dispatch.workgroup_count_from_set_encoding_op %{{.*}}
  %x, %y, %z = flow.dispatch.workgroup_count_from_set_encoding_op %a
  // CHECK: flow.dispatch.workgroup_count_from_dag_root
  %u, %v, %w = flow.dispatch.workgroup_count_from_dag_root
  return
}

// CHECK-LABEL: flow.executable private @ex {
flow.executable private @ex {
  // CHECK: flow.executable.export public @f workgroups(%[[W:.*]]: index) -> (index, index, index) {
  // CHECK:   flow.return %[[W]], %[[W]], %[[W]] : index, index, index
  // CHECK: }
  flow.executable.export public @f workgroups(%w: index) -> (index, index, index) {
    flow.return %w, %w, %w : index, index, index
  }
  // CHECK: flow.executable.export public @f as("g") attributes {note = "n"}
  flow.executable.export @f as("g") attributes {note = "n"}
  // CHECK: flow.executable.export private @h
  flow.executable.export private @h
  // CHECK: module {
  builtin.module {
    func.func @f(%a: !flow.dispatch.tensor<readwrite:tensor<?xf32>>, %d: index) {
      return
    }
  }
  // CHECK-NOT: flow.executable_end
}

// CHECK: flow.executable public @empty attributes {note = "n"} {
flow.executable @empty attributes {note = "n"} {
}

// CHECK-LABEL: func @dispatch
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?xf32>, %[[D:[a-z0-9]+]]: index
func.func @dispatch(%a: tensor<?xf32>, %d: index) -> tensor<?xf32> {
  // CHECK: flow.dispatch @ex::@f[%[[D]]](%[[A]], %[[D]]) {note = "n"} : (tensor<?xf32>{%[[D]]}, index) -> %[[A]]{%[[D]]}
  %0 = flow.dispatch @ex::@f[%d](%a, %d) {note = "n"} : (tensor<?xf32>{%d}, index) -> %a{%d}
  // CHECK: flow.dispatch @elsewhere::@f(%{{.*}}) : (tensor<?xf32>{%[[D]]}) -> (tensor<4xi8>, tensor<?xf32>{%[[D]]})
  %1:2 = flow.dispatch @elsewhere::@f(%0) : (tensor<?xf32>{%d}) -> (tensor<4xi8>, tensor<?xf32>{%d})
  // CHECK: flow.dispatch @elsewhere::@g() : () -> ()
  flow.dispatch @elsewhere::@g() : () -> ()
  // The third result of an operation with several.
  // CHECK: flow.dispatch @elsewhere::@h(%{{.*}}#0, %[[P:.*]]#1) : (tensor<4xi8>, tensor<?xf32>{%[[D]]}) -> %[[P]]#1{%[[D]]}
  %2 = flow.dispatch @elsewhere::@h(%1#0, %1#1) : (tensor<4xi8>, tensor<?xf32>{%d}) -> %1#1{%d}
  return %2 : tensor<?xf32>
}
