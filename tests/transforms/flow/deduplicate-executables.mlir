// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt --split-input-file --iree-flow-deduplicate-executables %s | FileCheck %s

// Equal bodies: the first stays, and both dispatches use it.

// CHECK: flow.executable private @one
// CHECK-NOT: flow.executable private @two
flow.executable private @one {
  flow.executable.export public @f
  builtin.module {
    func.func @f(%a: !flow.dispatch.tensor<readonly:tensor<6xf32>>) {
      return
    }
  }
}
flow.executable private @two {
  flow.executable.export public @g
  builtin.module {
    func.func @g(%x: !flow.dispatch.tensor<readonly:tensor<6xf32>>) {
      return
    }
  }
}
// CHECK-LABEL: func.func @equal
func.func @equal(%t: tensor<6xf32>) {
  %c6 = arith.constant 6 : index
  // CHECK: flow.dispatch @one::@f
  // CHECK: flow.dispatch @one::@f
  flow.dispatch @one::@f[%c6](%t) : (tensor<6xf32>) -> ()
  flow.dispatch @two::@g[%c6](%t) : (tensor<6xf32>) -> ()
  return
}

// -----

// Names and order of helpers make no difference; dispatches follow each export.

// CHECK: flow.executable private @named_so
// CHECK-NOT: @named_otherwise
flow.executable private @named_so {
  flow.executable.export public @entry
  builtin.module {
    func.func @entry(%a: i32) {
      %0 = func.call @twice(%a) : (i32) -> i32
      %1 = func.call @square(%0) : (i32) -> i32
      return
    }
    func.func private @twice(%a: i32) -> i32 {
      %0 = arith.addi %a, %a : i32
      return %0 : i32
    }
    func.func private @square(%a: i32) -> i32 {
      %0 = arith.muli %a, %a : i32
      return %0 : i32
    }
  }
}
flow.executable private @named_otherwise {
  flow.executable.export public @start
  builtin.module {
    func.func private @h2(%a: i32) -> i32 {
      %0 = arith.muli %a, %a : i32
      return %0 : i32
    }
    func.func private @h1(%a: i32) -> i32 {
      %0 = arith.addi %a, %a : i32
      return %0 : i32
    }
    func.func @start(%a: i32) {
      %0 = func.call @h1(%a) : (i32) -> i32
      %1 = func.call @h2(%0) : (i32) -> i32
      return
    }
  }
}
// CHECK-LABEL: func.func @renamed_helpers
func.func @renamed_helpers(%a: i32) {
  // CHECK: flow.dispatch @named_so::@entry
  // CHECK: flow.dispatch @named_so::@entry
  flow.dispatch @named_so::@entry(%a) : (i32) -> ()
  flow.dispatch @named_otherwise::@start(%a) : (i32) -> ()
  return
}

// -----

// The same calls at the same positions, but the called functions differ.

// CHECK: flow.executable private @adds
// CHECK: flow.executable private @multiplies
flow.executable private @adds {
  flow.executable.export public @f
  builtin.module {
    func.func @f(%a: i32) {
      %0 = func.call @h(%a) : (i32) -> i32
      return
    }
    func.func private @h(%a: i32) -> i32 {
      %0 = arith.addi %a, %a : i32
      return %0 : i32
    }
    func.func private @k(%a: i32) -> i32 {
      %0 = arith.muli %a, %a : i32
      return %0 : i32
    }
  }
}
flow.executable private @multiplies {
  flow.executable.export public @f
  builtin.module {
    func.func @f(%a: i32) {
      %0 = func.call @k(%a) : (i32) -> i32
      return
    }
    func.func private @h(%a: i32) -> i32 {
      %0 = arith.addi %a, %a : i32
      return %0 : i32
    }
    func.func private @k(%a: i32) -> i32 {
      %0 = arith.muli %a, %a : i32
      return %0 : i32
    }
  }
}

// -----

// Functions with the same bodies, dispatched in another order: an export refers
// to its function, not to the first one.

// CHECK: flow.executable private @first_adds
// CHECK: flow.executable private @first_multiplies
flow.executable private @first_adds {
  flow.executable.export public @a as("add")
  builtin.module {
    func.func @a(%x: i32) -> i32 {
      %0 = arith.addi %x, %x : i32
      return %0 : i32
    }
    func.func @m(%x: i32) -> i32 {
      %0 = arith.muli %x, %x : i32
      return %0 : i32
    }
  }
}
flow.executable private @first_multiplies {
  flow.executable.export public @m as("multiply")
  builtin.module {
    func.func @a(%x: i32) -> i32 {
      %0 = arith.addi %x, %x : i32
      return %0 : i32
    }
    func.func @m(%x: i32) -> i32 {
      %0 = arith.muli %x, %x : i32
      return %0 : i32
    }
  }
}

// -----

// An external function is identified by its name.

// CHECK: flow.executable private @calls_sin
// CHECK: flow.executable private @calls_cos
flow.executable private @calls_sin {
  flow.executable.export public @f
  builtin.module {
    func.func private @sin(f32) -> f32 attributes {library = "m", symbol = @sin}
    func.func @f(%a: f32) {
      %0 = func.call @sin(%a) : (f32) -> f32
      return
    }
  }
}
flow.executable private @calls_cos {
  flow.executable.export public @f
  builtin.module {
    func.func private @sin(f32) -> f32 attributes {library = "m", symbol = @cos}
    func.func @f(%a: f32) {
      %0 = func.call @sin(%a) : (f32) -> f32
      return
    }
  }
}

// -----

// Branches to other blocks, constants and workgroup counts make a difference.

// CHECK: flow.executable private @to_left
// CHECK: flow.executable private @to_right
// CHECK: flow.executable private @counts_one
// CHECK: flow.executable private @counts_all
// CHECK: flow.executable private @three
// CHECK: flow.executable private @four
// CHECK-NOT: flow.executable private
flow.executable private @to_left {
  flow.executable.export public @f
  builtin.module {
    func.func @f(%c: i1, %a: i32) -> i32 {
      cf.cond_br %c, ^left, ^right
    ^left:
      return %a : i32
    ^right:
      %0 = arith.addi %a, %a : i32
      return %0 : i32
    }
  }
}
flow.executable private @to_right {
  flow.executable.export public @f
  builtin.module {
    func.func @f(%c: i1, %a: i32) -> i32 {
      cf.cond_br %c, ^right, ^left
    ^left:
      return %a : i32
    ^right:
      %0 = arith.addi %a, %a : i32
      return %0 : i32
    }
  }
}
flow.executable private @counts_one {
  flow.executable.export public @f workgroups(%w: index) -> (index, index, index) {
    %c1 = arith.constant 1 : index
    flow.return %c1, %c1, %c1 : index, index, index
  }
  builtin.module {
    func.func @f() {
      return
    }
  }
}
flow.executable private @counts_all {
  flow.executable.export public @f workgroups(%w: index) -> (index, index, index) {
    %c1 = arith.constant 1 : index
    flow.return %w, %c1, %c1 : index, index, index
  }
  builtin.module {
    func.func @f() {
      return
    }
  }
}
flow.executable private @three {
  flow.executable.export public @f
  builtin.module {
    func.func @f() -> i32 {
      %0 = arith.constant 3 : i32
      return %0 : i32
    }
  }
}
flow.executable private @four {
  flow.executable.export public @f
  builtin.module {
    func.func @f() -> i32 {
      %0 = arith.constant 4 : i32
      return %0 : i32
    }
  }
}

// -----

// Dispatches in loops, branches and initializers are renamed too, and so are
// symbols in attributes. With two exports each becomes its counterpart.

// CHECK: flow.executable private @kept
// CHECK-NOT: @gone
flow.executable private @kept {
  flow.executable.export public @a
  flow.executable.export public @b
  builtin.module {
    func.func @a(%x: i32) {
      return
    }
    func.func @b(%x: i32) {
      %0 = arith.addi %x, %x : i32
      return
    }
  }
}
flow.executable private @gone {
  flow.executable.export public @c
  flow.executable.export public @d
  builtin.module {
    func.func @c(%x: i32) {
      return
    }
    func.func @d(%x: i32) {
      %0 = arith.addi %x, %x : i32
      return
    }
  }
}
// CHECK-LABEL: func.func @nested
// CHECK-SAME: used = @kept::@b
func.func @nested(%n: index, %x: i32) attributes {used = @gone::@d} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: flow.dispatch @kept::@a
    flow.dispatch @gone::@c(%x) : (i32) -> ()
  }
  cf.br ^next
^next:
  // CHECK: flow.dispatch @kept::@b
  flow.dispatch @gone::@d(%x) : (i32) -> ()
  return
}
// CHECK: util.initializer
util.initializer {
  %x = arith.constant 1 : i32
  // CHECK: flow.dispatch @kept::@a
  flow.dispatch @gone::@c(%x) : (i32) -> ()
  util.initializer.return
}

// -----

// Names in nested symbol tables are not mapped: such executables are merged
// only if all names agree.

// CHECK: flow.executable private @tables_a
// CHECK: flow.executable private @tables_b
// CHECK-NOT: flow.executable private @tables_c
flow.executable private @tables_a {
  flow.executable.export public @f
  builtin.module {
    func.func @f() {
      return
    }
    builtin.module @inner {
      func.func @h() {
        return
      }
    }
  }
}
flow.executable private @tables_b {
  flow.executable.export public @g
  builtin.module {
    func.func @g() {
      return
    }
    builtin.module @inner {
      func.func @h() {
        return
      }
    }
  }
}
flow.executable private @tables_c {
  flow.executable.export public @f
  builtin.module {
    func.func @f() {
      return
    }
    builtin.module @inner {
      func.func @h() {
        return
      }
    }
  }
}

// -----

// Nothing to do: no executables; empty executables.

// CHECK-LABEL: func.func @none
func.func @none() {
  return
}
// CHECK: flow.executable private @empty
// CHECK-NOT: flow.executable private @also_empty
flow.executable private @empty {
}
flow.executable private @also_empty {
}
