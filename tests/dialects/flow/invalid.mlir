// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// expected-error @+1 {{expected readonly, readwrite or writeonly, got sometimes}}
func.func private @access(!flow.dispatch.tensor<sometimes:tensor<4xf32>>)
// -----
// expected-error @+1 {{expected a ranked tensor, an integer or a float, got 'tensor<*xf32>'}}
func.func private @bound(!flow.dispatch.tensor<readonly:tensor<*xf32>>)
// -----
// expected-error @+1 {{expected dispatch.tensor, got ragged}}
func.func private @other(!iree_tensor_ext.ragged<4>)
// -----

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

func.func @region_dims(%a: tensor<?xf32>) {
  // expected-error @+1 {{expected 1 operands}}
  %0 = flow.dispatch.region -> (tensor<?xf32>{}) {
    flow.return %a : tensor<?xf32>
  }
  return
}
// -----
func.func @region_dims_generic(%a: tensor<?xf32>) {
  // expected-error @+1 {{expected 1 dynamic dimensions of results, got 0}}
  %0 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    flow.return %a : tensor<?xf32>
  }, {
  }) : () -> tensor<?xf32>
  return
}
// -----
func.func @region_blocks(%a: tensor<4xf32>) {
  // expected-error @+1 {{expects region #0 to have 0 or 1 blocks}}
  %0 = flow.dispatch.region -> (tensor<4xf32>) {
    cf.br ^bb1
  ^bb1:
    flow.return %a : tensor<4xf32>
  }
  return
}
// -----
func.func @region_arguments(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected a body of one block without arguments}}
  %0 = flow.dispatch.region -> (tensor<4xf32>) {
  ^bb0(%x: index):
    flow.return %a : tensor<4xf32>
  }
  return
}
// -----
func.func @region_types(%a: tensor<4xf32>) {
  %0 = flow.dispatch.region -> (tensor<5xf32>) {
    // expected-error @+1 {{expected values of types ('tensor<5xf32>'), got ('tensor<4xf32>')}}
    flow.return %a : tensor<4xf32>
  }
  return
}
// -----
func.func @region_number(%a: tensor<4xf32>) {
  %0 = flow.dispatch.region -> (tensor<4xf32>) {
    // expected-error @+1 {{expected values of types ('tensor<4xf32>'), got ()}}
    flow.return
  }
  return
}
// -----
func.func @region_scalar(%a: f32) {
  // expected-error @+1 {{expected ranked tensors as results, got 'f32'}}
  %0 = flow.dispatch.region -> (f32) {
    flow.return %a : f32
  }
  return
}
// -----
func.func @region_end(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected flow.return at the end of the body, got scf.yield}}
  flow.dispatch.region -> () {
    scf.yield
  }
  return
}
// -----
func.func @return_anywhere() {
  // expected-error @+1 {{expects parent op to be one of 'flow.dispatch.region, flow.dispatch.workgroups, flow.executable.export'}}
  flow.return
}
// -----

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

func.func @count_arguments(%a: tensor<4xf32>, %w: index) {
  // expected-error @+1 {{expected a count region with an argument for each of 1 workload values, got 2}}
  %0 = flow.dispatch.region[%w] -> (tensor<4xf32>) {
    flow.return %a : tensor<4xf32>
  } count(%x: index, %y: index) -> (index, index, index) {
    flow.return %x, %x, %x : index, index, index
  }
  return
}
// -----
func.func @count_types(%a: tensor<4xf32>, %w: index) {
  // expected-error @+1 {{expected a count region of indices, got 'i32'}}
  %0 = flow.dispatch.region[%w] -> (tensor<4xf32>) {
    flow.return %a : tensor<4xf32>
  } count(%x: i32) -> (index, index, index) {
    flow.return %w, %w, %w : index, index, index
  }
  return
}
// -----
func.func @count_two(%w: index) {
  flow.dispatch.workgroups[%w]() : () -> () = () {
    flow.return
  } count(%x: index) -> (index, index, index) {
    // expected-error @+1 {{expected three indices, got ('index', 'index')}}
    flow.return %x, %x : index, index
  }
  return
}
// -----
func.func @count_signature(%w: index) {
  flow.dispatch.workgroups[%w]() : () -> () = () {
    flow.return
  // expected-error @+1 {{expected (index, index, index), got ('index')}}
  } count(%x: index) -> (index) {
    flow.return %x : index
  }
  return
}
// -----
util.global private mutable @g : index
func.func @count_pure(%w: index) {
  // expected-note @+1 {{the dispatch is here}}
  flow.dispatch.workgroups[%w]() : () -> () = () {
    flow.return
  } count(%x: index) -> (index, index, index) {
    // expected-error @+1 {{expected an operation without side effects in a count region, got util.global.store}}
    util.global.store %x, @g : index
    flow.return %x, %x, %x : index, index, index
  }
  return
}
// -----
util.global private mutable @g : index
flow.executable private @ex {
  // expected-note @+1 {{the dispatch is here}}
  flow.executable.export public @f workgroups(%x: index) -> (index, index, index) {
    scf.execute_region {
      // expected-error @+1 {{expected an operation without side effects in a count region, got util.global.store}}
      util.global.store %x, @g : index
      scf.yield
    }
    flow.return %x, %x, %x : index, index, index
  }
}
// -----

//===----------------------------------------------------------------------===//
// Workgroups
//===----------------------------------------------------------------------===//

func.func @workgroups_dims(%a: tensor<?xf32>) {
  // expected-error @+1 {{expected 1 dynamic dimensions of arguments, got 0}}
  "flow.dispatch.workgroups"(%a) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>}> ({
  ^bb0(%x: !flow.dispatch.tensor<readonly:tensor<?xf32>>):
    flow.return
  }, {
  }) : (tensor<?xf32>) -> ()
  return
}
// -----
func.func @workgroups_index(%a: tensor<4xindex>) {
  // expected-error @+1 {{expected tensors of a type with a known size, got 'tensor<4xindex>'}}
  flow.dispatch.workgroups(%a) : (tensor<4xindex>) -> () = (%x: !flow.dispatch.tensor<readonly:tensor<4xindex>>) {
    flow.return
  }
  return
}
// -----
func.func @workgroups_number(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected a body with 2 arguments, one for each operand and each result that is not tied, got 1}}
  %0 = flow.dispatch.workgroups(%a) : (tensor<4xf32>) -> tensor<4xf32> = (%x: !flow.dispatch.tensor<readonly:tensor<4xf32>>) {
    flow.return
  }
  return
}
// -----
func.func @workgroups_type(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected an argument of the body for 'tensor<4xf32>', got '!flow.dispatch.tensor<readonly:tensor<5xf32>>'}}
  flow.dispatch.workgroups(%a) : (tensor<4xf32>) -> () = (%x: !flow.dispatch.tensor<readonly:tensor<5xf32>>) {
    flow.return
  }
  return
}
// -----
func.func @workgroups_tied_readonly(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected a result that the body may write, got '!flow.dispatch.tensor<readonly:tensor<4xf32>>'}}
  %0 = flow.dispatch.workgroups(%a) : (tensor<4xf32>) -> %a = (%x: !flow.dispatch.tensor<readonly:tensor<4xf32>>) {
    flow.return
  }
  return
}
// -----
func.func @workgroups_operand_writeonly(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected an operand that the body may read, got '!flow.dispatch.tensor<writeonly:tensor<4xf32>>'}}
  flow.dispatch.workgroups(%a) : (tensor<4xf32>) -> () = (%x: !flow.dispatch.tensor<writeonly:tensor<4xf32>>) {
    flow.return
  }
  return
}
// -----
func.func @workgroups_capture(%a: tensor<4xf32>) {
  flow.dispatch.workgroups() : () -> () = () {
    // expected-error @+1 {{use of undeclared SSA value name}}
    "test.use"(%a) : (tensor<4xf32>) -> ()
    flow.return
  }
  return
}
// -----
func.func @grid_dimension() {
  // expected-error @+1 {{attribute 'dimension' failed to satisfy constraint: index attribute whose minimum value is 0 whose maximum value is 2}}
  %0 = flow.dispatch.workgroup.id[3] : index
  return
}
// -----
func.func @grid_dimension_negative() {
  // expected-error @+1 {{attribute 'dimension' failed to satisfy constraint}}
  %0 = flow.dispatch.workgroup.size[-1] : index
  return
}
// -----

//===----------------------------------------------------------------------===//
// Ties
//===----------------------------------------------------------------------===//

func.func @tie_unknown(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{expected an operand that the result is tied to, got %b}}
  %0 = flow.dispatch @ex::@f(%a) : (tensor<4xf32>) -> %b
  return
}
// -----
func.func @tie_position(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{expected the position of an operand %a, got 1}}
  %0 = flow.dispatch @ex::@f(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> %a at 1
  return
}
// -----
func.func @tie_without_type(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{expected a type for each of 2 operands, got 1}}
  %0 = flow.dispatch @ex::@f(%a, %b) : (tensor<4xf32>) -> %b
  return
}
// -----
func.func @tie_count(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected 1 tied operands, one for each result, got 2}}
  %0 = "flow.dispatch"(%a) <{entry_point = @ex::@f, operandSegmentSizes = array<i32: 0, 1, 0, 0>, tied_operands = [0 : index, 0 : index]}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @tie_range(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected a tied operand from -1 to 0, got 7 : index}}
  %0 = "flow.dispatch"(%a) <{entry_point = @ex::@f, operandSegmentSizes = array<i32: 0, 1, 0, 0>, tied_operands = [7 : index]}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----

//===----------------------------------------------------------------------===//
// Calls of executables
//===----------------------------------------------------------------------===//

flow.executable private @ex {
  flow.executable.export public @f workgroups(%w: index) -> (index, index, index) {
    flow.return %w, %w, %w : index, index, index
  }
}
func.func @workload(%w: index) {
  // expected-error @+1 {{workload mismatch; entry point expects 1 arguments but dispatch provides 2}}
  flow.dispatch @ex::@f[%w, %w]() : () -> ()
  return
}
// -----
func.func @dispatch_dims(%a: tensor<?xf32>, %d: index) {
  // expected-error @+1 {{expected 0 dynamic dimensions of results, got 1}}
  %0 = "flow.dispatch"(%a, %d, %d) <{entry_point = @ex::@f, operandSegmentSizes = array<i32: 0, 1, 1, 1>}> : (tensor<?xf32>, index, index) -> tensor<4xf32>
  return
}
// -----

//===----------------------------------------------------------------------===//
// Whole tensors
//===----------------------------------------------------------------------===//

func.func @constant_type() {
  // expected-error @+1 {{expected a result that can be 'tensor<2xi32>', got 'tensor<3xi32>'}}
  %0 = flow.tensor.constant dense<2> : tensor<2xi32> -> tensor<3xi32>
  return
}
// -----
func.func @reshape_elements(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected a result of 4 elements, got 'tensor<5xf32>'}}
  %0 = flow.tensor.reshape %a : tensor<4xf32> -> tensor<5xf32>
  return
}
// -----
func.func @reshape_type(%a: tensor<4xf32>) {
  // expected-error @+1 {{failed to verify that all of {source, result} have same element type}}
  %0 = flow.tensor.reshape %a : tensor<4xf32> -> tensor<4xi32>
  return
}
// -----
func.func @reshape_dims(%a: tensor<?xf32>, %d: index) {
  // expected-error @+1 {{expected 1 dynamic dimensions of sources, got 0}}
  %0 = flow.tensor.reshape %a : tensor<?xf32> -> tensor<?xf32>{%d}
  return
}
// -----
func.func @bitcast_bits(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected a result of 128 bits, got 'tensor<4xi8>'}}
  %0 = flow.tensor.bitcast %a : tensor<4xf32> -> tensor<4xi8>
  return
}
// -----
func.func @tie_dims(%a: tensor<4xf32>, %d: index) {
  // expected-error @+1 {{expected 0 dynamic dimensions of results, got 1}}
  %0 = flow.tensor.tie_shape %a : tensor<4xf32>{%d}
  return
}
// -----
func.func @load_indices(%a: tensor<4x4xf32>, %i: index) {
  // expected-error @+1 {{expected 2 indices, got 1}}
  %0 = flow.tensor.load %a[%i] : tensor<4x4xf32>
  return
}
// -----
func.func @store_indices(%a: tensor<4x4xf32>, %x: f32) {
  // expected-error @+1 {{expected 2 indices, got 0}}
  %0 = flow.tensor.store %x, %a : tensor<4x4xf32>
  return
}
// -----
func.func @splat_dims(%x: f32, %d: index) {
  // expected-error @+1 {{expected 2 dynamic dimensions of results, got 1}}
  %0 = flow.tensor.splat %x : tensor<?x?xf32>{%d}
  return
}
// -----
func.func @empty_dims() {
  // expected-error @+1 {{expected 1 dynamic dimensions of results, got 0}}
  %0 = flow.tensor.empty : tensor<?xf32>
  return
}
// -----
func.func @clone_dims(%a: tensor<?xf32>) {
  // expected-error @+1 {{expected 1 dynamic dimensions of operands, got 0}}
  %0 = flow.tensor.clone %a : tensor<?xf32>
  return
}
// -----
func.func @slice_starts(%a: tensor<4x4xf32>, %i: index) {
  // expected-error @+1 {{expected 2 start indices, got 1}}
  %0 = flow.tensor.slice %a[%i for %i, %i] : tensor<4x4xf32> -> tensor<4x4xf32>
  return
}
// -----
func.func @slice_lengths(%a: tensor<4x4xf32>, %i: index) {
  // expected-error @+1 {{expected 2 lengths, got 0}}
  %0 = flow.tensor.slice %a[%i, %i for] : tensor<4x4xf32> -> tensor<4x4xf32>
  return
}
// -----
func.func @update_starts(%a: tensor<4x4xf32>, %i: index) {
  // expected-error @+1 {{expected 2 start indices, got 1}}
  %0 = flow.tensor.update %a, %a[%i] : tensor<4x4xf32> -> %a as tensor<4x4xf32>
  return
}
// -----
func.func @update_tie(%a: tensor<4xf32>, %b: tensor<4xf32>, %i: index) {
  // expected-error @+1 {{expected a result tied to the target %a, got %b}}
  %0 = flow.tensor.update %b, %a[%i] : tensor<4xf32> -> %b as tensor<4xf32>
  return
}
// -----
func.func @barrier_type(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected two tensors of one type, got 'tensor<4xf32>' and 'tensor<5xf32>'}}
  %0 = iree_tensor_ext.compute_barrier.start %a : tensor<4xf32> -> tensor<5xf32>
  return
}
