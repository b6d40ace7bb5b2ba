// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constraints of control flow, tuples, calls and randomness: for each
// constraint of the specification a program that violates only this one.

// RUN: mercator-opt %s --split-input-file --verify-diagnostics

// (if C1)
func.func @if_c1(%p: tensor<i1>, %x: tensor<i32>, %y: tensor<f32>) {
  // expected-error @+1 {{expected true_branch of 0 arguments, got 1}}
  %0 = "stablehlo.if"(%p) ({
  ^bb0(%z: tensor<i32>):
    stablehlo.return %z : tensor<i32>
  }, {
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return
}
// -----
// (if C1)
func.func @if_c1_2(%p: tensor<i1>, %x: tensor<i32>, %y: tensor<f32>) {
  // expected-error @+1 {{expected false_branch of 0 arguments, got 1}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<i32>
  }, {
  ^bb0(%z: tensor<i32>):
    stablehlo.return %z : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return
}
// -----
// (if C2)
func.func @if_c2(%p: tensor<i1>, %x: tensor<i32>, %y: tensor<f32>) {
  // expected-error @+1 {{expected values returned from false_branch #0 of type 'tensor<i32>', got 'tensor<f32>'}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<i32>
  }, {
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i1>) -> tensor<i32>
  return
}
// -----
// (if C3)
func.func @if_c3(%p: tensor<i1>, %x: tensor<i32>, %y: tensor<f32>) {
  // expected-error @+1 {{expected true_branch that returns 1 values, got 0}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return
  }, {
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return
}
// -----
// (if C3)
func.func @if_c3_2(%p: tensor<i1>, %x: tensor<i32>, %y: tensor<f32>) {
  // expected-error @+1 {{expected results #0 of type 'tensor<i32>', got 'tensor<f32>'}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<i32>
  }, {
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}
// -----
// (case C1)
func.func @case_c1(%i: tensor<i32>) {
  // expected-error @+1 {{expected at least one branch, got none}}
  "stablehlo.case"(%i) : (tensor<i32>) -> ()
  return
}
// -----
// (case C2)
func.func @case_c2(%i: tensor<i32>, %x: tensor<i32>, %y: tensor<f32>) {
  // expected-error @+1 {{expected branch of 0 arguments, got 1}}
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<i32>
  }, {
  ^bb0(%z: tensor<i32>):
    stablehlo.return %z : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
// (case C3)
func.func @case_c3(%i: tensor<i32>, %x: tensor<i32>, %y: tensor<f32>) {
  // expected-error @+1 {{expected values returned from a branch #0 of type 'tensor<i32>', got 'tensor<f32>'}}
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<i32>
  }, {
    stablehlo.return %x : tensor<i32>
  }, {
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
// (case C3)
func.func @case_c3_2(%i: tensor<i32>, %x: tensor<i32>, %y: tensor<f32>) {
  // expected-error @+1 {{expected branch that returns 1 values, got 0}}
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<i32>
  }, {
    stablehlo.return
  }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
// (case C4)
func.func @case_c4(%i: tensor<i32>, %x: tensor<i32>, %y: tensor<f32>) {
  // expected-error @+1 {{expected results #0 of type 'tensor<i32>', got 'tensor<f32>'}}
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<i32>
  }, {
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i32>) -> tensor<f32>
  return
}
// -----
// (while C1)
func.func @while_c1(%p: tensor<i1>, %x: tensor<i32>, %y: tensor<f32>) {
  // expected-error @+1 {{expected cond of 1 arguments, got 2}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%z: tensor<i32>, %w: tensor<i32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%z: tensor<i32>):
    stablehlo.return %z : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
// (while C1)
func.func @while_c1_2(%p: tensor<i1>, %x: tensor<i32>, %y: tensor<f32>) {
  // expected-error @+1 {{expected cond arguments #0 of type 'tensor<i32>', got 'tensor<f32>'}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%z: tensor<f32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%z: tensor<i32>):
    stablehlo.return %z : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
// (while C1)
func.func @while_c1_3(%p: tensor<i1>, %x: tensor<i32>, %y: tensor<f32>) {
  // expected-error @+1 {{expected cond that returns tensor<i1>, got 'tensor<i32>'}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%z: tensor<i32>):
    stablehlo.return %z : tensor<i32>
  }, {
  ^bb0(%z: tensor<i32>):
    stablehlo.return %z : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
// (while C1)
func.func @while_c1_4(%p: tensor<i1>, %x: tensor<i32>, %y: tensor<f32>) {
  // expected-error @+1 {{expected cond that returns 1 values, got 2}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%z: tensor<i32>):
    stablehlo.return %p, %p : tensor<i1>, tensor<i1>
  }, {
  ^bb0(%z: tensor<i32>):
    stablehlo.return %z : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
// (while C2)
func.func @while_c2(%p: tensor<i1>, %x: tensor<i32>, %y: tensor<f32>) {
  // expected-error @+1 {{expected body of 1 arguments, got 2}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%z: tensor<i32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%z: tensor<i32>, %w: tensor<i32>):
    stablehlo.return %z : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
// (while C2)
func.func @while_c2_2(%p: tensor<i1>, %x: tensor<i32>, %y: tensor<f32>) {
  // expected-error @+1 {{expected body arguments #0 of type 'tensor<i32>', got 'tensor<f32>'}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%z: tensor<i32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%z: tensor<f32>):
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
// (while C2)
func.func @while_c2_3(%p: tensor<i1>, %x: tensor<i32>, %y: tensor<f32>) {
  // expected-error @+1 {{expected values returned from body #0 of type 'tensor<i32>', got 'tensor<f32>'}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%z: tensor<i32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%z: tensor<i32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
// (while C3)
func.func @while_c3(%p: tensor<i1>, %x: tensor<i32>, %y: tensor<f32>) {
  // expected-error @+1 {{expected results #0 of type 'tensor<i32>', got 'tensor<f32>'}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%z: tensor<i32>):
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%z: tensor<i32>):
    stablehlo.return %z : tensor<i32>
  }) : (tensor<i32>) -> tensor<f32>
  return
}
// -----
// (optimization_barrier C1)
func.func @optimization_barrier_c1(%x: tensor<i32>) {
  // expected-error @+1 {{expected results #0 of type 'tensor<i32>', got 'tensor<f32>'}}
  %0 = "stablehlo.optimization_barrier"(%x) : (tensor<i32>) -> tensor<f32>
  return
}
// -----
// (optimization_barrier C1)
func.func @optimization_barrier_c1_2(%x: tensor<i32>) {
  // expected-error @+1 {{expected 1 results, got 2}}
  %0:2 = "stablehlo.optimization_barrier"(%x) : (tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return
}
// -----
func.func @optimization_barrier(%x: tensor<2x!quant.uniform<i8:f32:0, {1.0, 1.0}>>) {
  // expected-error @+1 {{expected a tensor quantized as a whole, got}}
  %0 = "stablehlo.optimization_barrier"(%x) : (tensor<2x!quant.uniform<i8:f32:0, {1.0, 1.0}>>) -> tensor<2x!quant.uniform<i8:f32:0, {1.0, 1.0}>>
  return
}
// -----
// (tuple C1)
func.func @tuple_c1(%x: tensor<i32>) {
  // expected-error @+1 {{expected operands #0 of type 'tensor<f32>', got 'tensor<i32>'}}
  %0 = "stablehlo.tuple"(%x) : (tensor<i32>) -> tuple<tensor<f32>>
  return
}
// -----
// (tuple C1)
func.func @tuple_c1_2(%x: tensor<i32>) {
  // expected-error @+1 {{expected 2 operands, got 1}}
  %0 = "stablehlo.tuple"(%x) : (tensor<i32>) -> tuple<tensor<i32>, tensor<i32>>
  return
}
// -----
// (get_tuple_element C1)
func.func @get_tuple_element_c1(%t: tuple<tensor<i32>>) {
  // expected-error @+1 {{expected index within [0, 1), got 1}}
  %0 = "stablehlo.get_tuple_element"(%t) {index = 1 : i32} : (tuple<tensor<i32>>) -> tensor<i32>
  return
}
// -----
// (get_tuple_element C1)
func.func @get_tuple_element_c1_2(%t: tuple<tensor<i32>>) {
  // expected-error @+1 {{expected index within [0, 1), got -1}}
  %0 = "stablehlo.get_tuple_element"(%t) {index = -1 : i32} : (tuple<tensor<i32>>) -> tensor<i32>
  return
}
// -----
// (get_tuple_element C1)
func.func @get_tuple_element_c1_3(%t: tuple<tensor<i32>>) {
  // expected-error @+1 {{expected index within [0, 1), got -2147483648}}
  %0 = "stablehlo.get_tuple_element"(%t) {index = -2147483648 : i32} : (tuple<tensor<i32>>) -> tensor<i32>
  return
}
// -----
// (get_tuple_element C2)
func.func @get_tuple_element_c2(%t: tuple<tensor<i32>>) {
  // expected-error @+1 {{expected results #0 of type 'tensor<i32>', got 'tensor<f32>'}}
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<i32>>) -> tensor<f32>
  return
}
// -----
// (async_start C1)
func.func @async_start_c1(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected body of one operation and stablehlo.return, got 1 operations}}
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%z: tensor<8xf32>):
    stablehlo.return %z : tensor<8xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<8xf32>>
  return
}
// -----
// (async_start C1)
func.func @async_start_c1_2(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected body of one operation and stablehlo.return, got 3 operations}}
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%z: tensor<8xf32>):
    %n = stablehlo.negate %z : tensor<8xf32>
    %s = stablehlo.slice %z [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    stablehlo.return %s : tensor<4xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}
// -----
// (async_start C2)
func.func @async_start_c2(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected a collective or a slice in body, got stablehlo.negate}}
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%z: tensor<8xf32>):
    %n = stablehlo.negate %z : tensor<8xf32>
    stablehlo.return %n : tensor<8xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<8xf32>>
  return
}
// -----
// (async_start C3)
func.func @async_start_c3(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected body arguments #0 of type 'tensor<8xf32>', got 'tensor<9xf32>'}}
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%z: tensor<9xf32>):
    %s = stablehlo.slice %z [0:4] : (tensor<9xf32>) -> tensor<4xf32>
    stablehlo.return %s : tensor<4xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<4xf32>>
  return
}
// -----
// (async_start C4)
func.func @async_start_c4(%x: tensor<8xf32>) {
  // expected-error @+1 {{expected values returned from body #0 of type 'tensor<5xf32>', got 'tensor<4xf32>'}}
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%z: tensor<8xf32>):
    %s = stablehlo.slice %z [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    stablehlo.return %s : tensor<4xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<5xf32>>
  return
}
// -----
// (async_done C1)
func.func @async_done_c1(%x: !stablehlo.future<tensor<4xf32>>) {
  // expected-error @+1 {{expected results #0 of type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = "stablehlo.async_done"(%x) : (!stablehlo.future<tensor<4xf32>>) -> tensor<5xf32>
  return
}
// -----
// (composite C1)
func.func private @f(tensor<f32>) -> tensor<f32>
func.func @composite_c1(%x: tensor<f32>) {
  // expected-error @+1 {{expected a name such as 'my_namespace.my_op', got 'op'}}
  %0 = stablehlo.composite "op" %x {decomposition = @f} : (tensor<f32>) -> tensor<f32>
  return
}
// -----
// (composite C1)
func.func private @f(tensor<f32>) -> tensor<f32>
func.func @composite_c1_2(%x: tensor<f32>) {
  // expected-error @+1 {{expected a name such as 'my_namespace.my_op', got '.op'}}
  %0 = stablehlo.composite ".op" %x {decomposition = @f} : (tensor<f32>) -> tensor<f32>
  return
}
// -----
// (composite C1)
func.func private @f(tensor<f32>) -> tensor<f32>
func.func @composite_c1_3(%x: tensor<f32>) {
  // expected-error @+1 {{expected a name such as 'my_namespace.my_op', got 'a.'}}
  %0 = stablehlo.composite "a." %x {decomposition = @f} : (tensor<f32>) -> tensor<f32>
  return
}
// -----
// (composite C1)
func.func private @f(tensor<f32>) -> tensor<f32>
func.func @composite_c1_4(%x: tensor<f32>) {
  // expected-error @+1 {{expected a name such as 'my_namespace.my_op', got '1a.b'}}
  %0 = stablehlo.composite "1a.b" %x {decomposition = @f} : (tensor<f32>) -> tensor<f32>
  return
}
// -----
// (composite C1)
func.func private @f(tensor<f32>) -> tensor<f32>
func.func @composite_c1_5(%x: tensor<f32>) {
  // expected-error @+1 {{expected a name such as 'my_namespace.my_op', got 'a-b.c'}}
  %0 = stablehlo.composite "a-b.c" %x {decomposition = @f} : (tensor<f32>) -> tensor<f32>
  return
}
// -----
// (composite C1)
func.func private @f(tensor<f32>) -> tensor<f32>
func.func @composite_c1_6(%x: tensor<f32>) {
  // expected-error @+1 {{expected a name such as 'my_namespace.my_op', got 'a$.b'}}
  %0 = stablehlo.composite "a$.b" %x {decomposition = @f} : (tensor<f32>) -> tensor<f32>
  return
}
// -----
// (composite C1)
func.func private @f(tensor<f32>) -> tensor<f32>
func.func @composite_c1_7(%x: tensor<f32>) {
  // expected-error @+1 {{expected a name such as 'my_namespace.my_op', got 'a..b'}}
  %0 = stablehlo.composite "a..b" %x {decomposition = @f} : (tensor<f32>) -> tensor<f32>
  return
}
// -----
// (composite C1)
func.func private @f(tensor<f32>) -> tensor<f32>
func.func @composite_c1_8(%x: tensor<f32>) {
  // expected-error @+1 {{expected a name such as 'my_namespace.my_op', got ''}}
  %0 = stablehlo.composite "" %x {decomposition = @f} : (tensor<f32>) -> tensor<f32>
  return
}
// -----
// (composite C2)
func.func private @f(tensor<f32>) -> tensor<f32>
func.func @composite_c2(%x: tensor<f32>) {
  // expected-error @+1 {{expected decomposition to name a function, got @g}}
  %0 = stablehlo.composite "a.b" %x {decomposition = @g} : (tensor<f32>) -> tensor<f32>
  return
}
// -----
// (composite C3)
func.func private @f(tensor<f32>) -> tensor<f32>
func.func @composite_c3(%x: tensor<f64>) {
  // expected-error @+1 {{expected operands #0 of type 'tensor<f32>', got 'tensor<f64>'}}
  %0 = stablehlo.composite "a.b" %x {decomposition = @f} : (tensor<f64>) -> tensor<f32>
  return
}
// -----
// (composite C3)
func.func private @f() -> tensor<f32>
func.func @composite_c3_2(%x: tensor<f32>) {
  // expected-error @+1 {{expected 0 operands, got 1}}
  %0 = stablehlo.composite "a.b" %x {decomposition = @f} : (tensor<f32>) -> tensor<f32>
  return
}
// -----
// (composite C4)
func.func private @f(tensor<f32>) -> tensor<f32>
func.func @composite_c4(%x: tensor<f32>) {
  // expected-error @+1 {{expected results #0 of type 'tensor<f32>', got 'tensor<2xf32>'}}
  %0 = stablehlo.composite "a.b" %x {decomposition = @f} : (tensor<f32>) -> tensor<2xf32>
  return
}
// -----
// (composite C4)
func.func private @f(tensor<f32>) -> (tensor<f32>, tensor<f32>)
func.func @composite_c4_2(%x: tensor<f32>) {
  // expected-error @+1 {{expected 2 results, got 1}}
  %0 = stablehlo.composite "a.b" %x {decomposition = @f} : (tensor<f32>) -> tensor<f32>
  return
}
// -----
// (rng C1)
func.func @rng_c1(%a: tensor<f32>, %b: tensor<f64>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // expected-error @+1 {{expected b of element type 'f32', got 'f64'}}
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f64>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}
// -----
// (rng C1)
func.func @rng_c1_2(%a: tensor<f32>, %b: tensor<f32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // expected-error @+1 {{expected result of element type 'f32', got 'i32'}}
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xi32>
  return
}
// -----
// (rng C2)
func.func @rng_c2(%a: tensor<i32>, %b: tensor<i32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // expected-error @+1 {{expected floats for a NORMAL distribution, got 'i32'}}
  %0 = stablehlo.rng %a, %b, %s, distribution = NORMAL : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<2x3xi32>
  return
}
// -----
// (rng C3)
func.func @rng_c3(%a: tensor<f32>, %b: tensor<f32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // expected-error @+1 {{expected result of shape [2, 3], got [3, 2]}}
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x2xf32>
  return
}
// -----
// (rng C3)
func.func @rng_c3_2(%a: tensor<f32>, %b: tensor<f32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // expected-error @+1 {{expected shape of 1 entries, one for each dimension of the result, got 'tensor<2xi64>'}}
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<6xf32>
  return
}
// -----
// (rng C3)
func.func @rng_c3_3(%a: tensor<f32>, %b: tensor<f32>) {
  %s = stablehlo.constant dense<-9223372036854775808> : tensor<2xi64>
  // expected-error @+1 {{expected shape of at least 0, got -9223372036854775808}}
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}
// -----
// (rng_bit_generator C1)
func.func @rng_bit_generator_c1(%a: tensor<2xui64>) {
  // expected-error @+1 {{expected output_state of shape [2], got [3]}}
  %0:2 = stablehlo.rng_bit_generator %a, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<3xui64>, tensor<8xui32>)
  return
}
// -----
// (rng_bit_generator C1)
func.func @rng_bit_generator_c1_2(%a: tensor<2xui64>) {
  // expected-error @+1 {{expected output_state of element type 'ui64', got 'ui32'}}
  %0:2 = stablehlo.rng_bit_generator %a, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui32>, tensor<8xui32>)
  return
}
// -----
// (rng_bit_generator C2)
func.func @rng_bit_generator_c2(%a: tensor<3xui64>) {
  // expected-error @+1 {{expected an initial_state of 2 x 64 bits for THREE_FRY, got 'tensor<3xui64>'}}
  %0:2 = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<3xui64>) -> (tensor<3xui64>, tensor<8xui32>)
  return
}
// -----
// (rng_bit_generator C2)
func.func @rng_bit_generator_c2_2(%a: tensor<4xui64>) {
  // expected-error @+1 {{expected an initial_state of 2 or 3 x 64 bits for PHILOX, got 'tensor<4xui64>'}}
  %0:2 = stablehlo.rng_bit_generator %a, algorithm = PHILOX : (tensor<4xui64>) -> (tensor<4xui64>, tensor<8xui32>)
  return
}
// -----
// (rng_bit_generator C2)
func.func @rng_bit_generator_c2_3(%a: tensor<5xui32>) {
  // expected-error @+1 {{expected an initial_state of 2 or 3 x 64 bits for PHILOX, got 'tensor<5xui32>'}}
  %0:2 = stablehlo.rng_bit_generator %a, algorithm = PHILOX : (tensor<5xui32>) -> (tensor<5xui32>, tensor<8xui32>)
  return
}
// -----
func.func @custom_call(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected layouts of both operands and results or of neither, got those of operands only}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "t", operand_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @custom_call_2(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected operand layouts of length 1, got 2}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "t", operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @custom_call_3(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result layout 0 to be a permutation of the 2 dimensions of 'tensor<4x8xf32>', got dense<0> : tensor<2xindex>}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "t", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<2xindex>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @custom_call_4(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result layout 0 to be a permutation of the 2 dimensions of 'tensor<4x8xf32>', got dense<[0, 2]> : tensor<2xindex>}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "t", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 2]> : tensor<2xindex>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @custom_call_5(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result layout 0 to be a permutation of the 2 dimensions of 'tensor<4x8xf32>', got dense<0> : tensor<1xindex>}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "t", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @custom_call_6(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result layout 0 to be a permutation of the 2 dimensions of 'tensor<4x8xf32>', got dense<0> : tensor<1000000000000xindex>}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "t", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1000000000000xindex>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @custom_call_7(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected result layout 0 to be a permutation of the 2 dimensions of 'tensor<4x8xf32>', got "no"}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "t", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = ["no"]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @custom_call_8(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected operand_index within [0, 1), got 1}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "t", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @custom_call_9(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected an alias between an operand and a result of the same type, got}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "t", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = [0]>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @custom_call_10(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected an alias between an operand and a result of the same type, got}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "t", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @custom_call_11(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected an alias between an operand and a result of the same type, got}}
  %0:2 = "stablehlo.custom_call"(%a0) {call_target_name = "t", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [-1], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}
// -----
func.func @custom_call_12(%a0: memref<4xf32>) {
  // expected-error @+1 {{expected a buffer in one alias only, got}}
  %0:2 = "stablehlo.custom_call"(%a0) {call_target_name = "t", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>]} : (memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  return
}
// -----
func.func @custom_call_13(%a0: memref<4xf32>) {
  // expected-error @+1 {{expected an alias for every buffer of the results, got none for [1, 0]}}
  %0:2 = "stablehlo.custom_call"(%a0) {call_target_name = "t", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]} : (memref<4xf32>) -> (memref<4xf32>, tuple<memref<4xf32>>)
  return
}
// -----
func.func @custom_call_14() {
  // expected-error @+1 {{expected an alias for every buffer of the results, got none for []}}
  %0 = "stablehlo.custom_call"() {call_target_name = "t"} : () -> memref<4xf32>
  return
}
// -----
func.func @custom_call_15(%a0: memref<4xf32>) {
  // expected-error @+1 {{expected CreateBuffer from nothing to a buffer, got}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "CreateBuffer"} : (memref<4xf32>) -> memref<4xf32>
  return
}
// -----
func.func @custom_call_16(%a0: tensor<5xf32>) {
  // expected-error @+1 {{expected Pin from a tensor to a buffer of its type, got}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "Pin"} : (tensor<5xf32>) -> memref<4xf32>
  return
}
// -----
func.func @custom_call_17(%a0: memref<4xf32>) {
  // expected-error @+1 {{expected Unpin from a buffer to a tensor of its type, got}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "Unpin"} : (memref<4xf32>) -> tensor<4xf64>
  return
}
// -----
func.func @custom_call_18(%a0: memref<4xf32>) {
  // expected-error @+1 {{expected Unpin without output_operand_aliases, got}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "Unpin", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (memref<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @custom_call_19(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected a string as backend_config of api_version 3, got {a = 1 : i64}}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "t", api_version = 3 : i32, backend_config = {a = 1}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @custom_call_20(%a0: tensor<4x8xf32>) {
  // expected-error @+1 {{expected a dictionary as backend_config of api_version 4, got "a"}}
  %0 = "stablehlo.custom_call"(%a0) {call_target_name = "t", api_version = 4 : i32, backend_config = "a"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
