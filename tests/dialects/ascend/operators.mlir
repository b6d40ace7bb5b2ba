// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: mercator-opt %s | mercator-opt | FileCheck %s

// CHECK-LABEL: ascend.graph @embed {
// CHECK: %[[TABLE:.+]] = ascend.Data {index = 0 : i64} : tensor<151936x896xf32>
// CHECK: %[[ROWS:.+]] = ascend.GatherV2(%[[TABLE]], %{{.+}}, %{{.+}}) : (tensor<151936x896xf32>, tensor<8xi32>, tensor<i32>) -> tensor<8x896xf32>
// CHECK: ascend.NetOutput %[[ROWS]] : tensor<8x896xf32>
ascend.graph @embed {
  %table = ascend.Data {index = 0} : tensor<151936x896xf32>
  %ids = ascend.Data {index = 1} : tensor<8xi32>
  %axis = ascend.Const dense<0> : tensor<i32>
  %rows = ascend.GatherV2(%table, %ids, %axis) : (tensor<151936x896xf32>, tensor<8xi32>, tensor<i32>) -> tensor<8x896xf32>
  ascend.NetOutput %rows : tensor<8x896xf32>
}

// The shape rules, each with a result.

// CHECK-LABEL: func.func @gathers
func.func @gathers(%x: tensor<2x9x4xf32>, %i: tensor<2x3xi32>, %v: tensor<5x2xi64>, %e: tensor<1x9x7xi32>) {
  %one = ascend.Const dense<1> : tensor<i32>
  // CHECK: GatherV2{{.*}} {batch_dims = 1 : i64}{{.*}} -> tensor<2x3x4xf32>
  %0 = ascend.GatherV2(%x, %i, %one) {batch_dims = 1} : (tensor<2x9x4xf32>, tensor<2x3xi32>, tensor<i32>) -> tensor<2x3x4xf32>
  // CHECK: GatherV2D{{.*}} -> tensor<2x2x3x4xf32>
  %1 = ascend.GatherV2D(%x, %i) {axis = 1} : (tensor<2x9x4xf32>, tensor<2x3xi32>) -> tensor<2x2x3x4xf32>
  // CHECK: GatherNd{{.*}} -> tensor<5x4xf32>
  %2 = ascend.GatherNd(%x, %v) : (tensor<2x9x4xf32>, tensor<5x2xi64>) -> tensor<5x4xf32>
  // CHECK: GatherElements{{.*}} -> tensor<1x9x7xf32>
  %3 = ascend.GatherElements(%x, %e) {dim = 2} : (tensor<2x9x4xf32>, tensor<1x9x7xi32>) -> tensor<1x9x7xf32>
  return
}

// CHECK-LABEL: func.func @scatters
func.func @scatters(%x: tensor<2x9x4xf32>, %v: tensor<5x2xi64>, %u: tensor<5x4xf32>) {
  // CHECK: TensorScatterUpdate{{.*}} -> tensor<2x9x4xf32>
  %0 = ascend.TensorScatterUpdate(%x, %v, %u) : (tensor<2x9x4xf32>, tensor<5x2xi64>, tensor<5x4xf32>) -> tensor<2x9x4xf32>
  // CHECK: TensorScatterAdd{{.*}} -> tensor<2x9x4xf32>
  %1 = ascend.TensorScatterAdd(%x, %v, %u) : (tensor<2x9x4xf32>, tensor<5x2xi64>, tensor<5x4xf32>) -> tensor<2x9x4xf32>
  // CHECK: TensorScatterMax{{.*}} -> tensor<2x9x4xf32>
  %2 = ascend.TensorScatterMax(%x, %v, %u) : (tensor<2x9x4xf32>, tensor<5x2xi64>, tensor<5x4xf32>) -> tensor<2x9x4xf32>
  // CHECK: TensorScatterMin{{.*}} -> tensor<2x9x4xf32>
  %3 = ascend.TensorScatterMin(%x, %v, %u) : (tensor<2x9x4xf32>, tensor<5x2xi64>, tensor<5x4xf32>) -> tensor<2x9x4xf32>
  return
}

// CHECK-LABEL: func.func @shapes
func.func @shapes(%x: tensor<2x3x4xf32>, %offsets: tensor<3xi32>, %f: tensor<f32>) {
  %perm = ascend.Const dense<[2, 0, 1]> : tensor<3xi32>
  // CHECK: Transpose{{.*}} -> tensor<4x2x3xf32>
  %0 = ascend.Transpose(%x, %perm) : (tensor<2x3x4xf32>, tensor<3xi32>) -> tensor<4x2x3xf32>
  %shape = ascend.Const dense<[6, -1]> : tensor<2xi64>
  // CHECK: Reshape{{.*}} -> tensor<6x4xf32>
  %1 = ascend.Reshape(%x, %shape) : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<6x4xf32>
  %wide = ascend.Const dense<[5, 2, 3, 4]> : tensor<4xi32>
  // CHECK: BroadcastTo{{.*}} -> tensor<5x2x3x4xf32>
  %2 = ascend.BroadcastTo(%x, %wide) : (tensor<2x3x4xf32>, tensor<4xi32>) -> tensor<5x2x3x4xf32>
  %size = ascend.Const dense<[1, 3, 2]> : tensor<3xi32>
  // CHECK: Slice{{.*}} -> tensor<1x3x2xf32>
  %3 = ascend.Slice(%x, %offsets, %size) : (tensor<2x3x4xf32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x3x2xf32>
  %begin = ascend.Const dense<[0, 1, 0]> : tensor<3xi32>
  %end = ascend.Const dense<[2, 3, 4]> : tensor<3xi32>
  %by = ascend.Const dense<[1, 1, 3]> : tensor<3xi32>
  // CHECK: StridedSlice{{.*}} -> tensor<2x2x2xf32>
  %4 = ascend.StridedSlice(%x, %begin, %end, %by) : (tensor<2x3x4xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<2x2x2xf32>
  %last = ascend.Const dense<-1> : tensor<i32>
  // CHECK: ConcatV2{{.*}} -> tensor<2x3x8xf32>
  %5 = ascend.ConcatV2(%x, %x, %last) {N = 2} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<i32>) -> tensor<2x3x8xf32>
  // CHECK: Pack{{.*}} -> tensor<2x2x3x4xf32>
  %6 = ascend.Pack(%x, %x) {N = 2, axis = 1} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x2x3x4xf32>
  %pads = ascend.Const dense<[[0, 0], [1, 0], [2, 3]]> : tensor<3x2xi32>
  // CHECK: PadV2{{.*}} -> tensor<2x4x9xf32>
  %7 = ascend.PadV2(%x, %pads, %f) : (tensor<2x3x4xf32>, tensor<3x2xi32>, tensor<f32>) -> tensor<2x4x9xf32>
  %c0 = ascend.Const dense<0> : tensor<i32>
  %c7 = ascend.Const dense<7> : tensor<i32>
  %c2 = ascend.Const dense<2> : tensor<i32>
  // CHECK: Range{{.*}} -> tensor<4xi32>
  %8 = ascend.Range(%c0, %c7, %c2) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4xi32>
  // CHECK: Fill{{.*}} -> tensor<1x3x2xf32>
  %9 = ascend.Fill(%size, %f) : (tensor<3xi32>, tensor<f32>) -> tensor<1x3x2xf32>
  // CHECK: ReverseV2{{.*}} -> tensor<2x3x4xf32>
  %10 = ascend.ReverseV2(%x, %c0) : (tensor<2x3x4xf32>, tensor<i32>) -> tensor<2x3x4xf32>
  return
}

// CHECK-LABEL: func.func @elements
func.func @elements(%x: tensor<2x1x4xf32>, %y: tensor<3x1xf32>, %c: tensor<4xi1>, %m: tensor<2x4x5xf32>, %n: tensor<1x4x3xf32>) {
  // CHECK: Cast{{.*}} {dst_type = 3 : i64}{{.*}} -> tensor<2x1x4xi32>
  %0 = ascend.Cast(%x) {dst_type = 3} : (tensor<2x1x4xf32>) -> tensor<2x1x4xi32>
  // CHECK: Add{{.*}} -> tensor<2x3x4xf32>
  %1 = ascend.Add(%x, %y) : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  // CHECK: Less{{.*}} -> tensor<2x3x4xi1>
  %2 = ascend.Less(%x, %y) : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xi1>
  // CHECK: SelectV2{{.*}} -> tensor<2x3x4xf32>
  %3 = ascend.SelectV2(%c, %x, %y) : (tensor<4xi1>, tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  // CHECK: Tanh{{.*}} -> tensor<3x1xf32>
  %4 = ascend.Tanh(%y) : (tensor<3x1xf32>) -> tensor<3x1xf32>
  %axes = ascend.Const dense<[0, -1]> : tensor<2xi32>
  // CHECK: ReduceSum{{.*}} {keep_dims = true}{{.*}} -> tensor<1x1x1xf32>
  %5 = ascend.ReduceSum(%x, %axes) {keep_dims = true} : (tensor<2x1x4xf32>, tensor<2xi32>) -> tensor<1x1x1xf32>
  // CHECK: ReduceMax{{.*}} -> tensor<1xf32>
  %6 = ascend.ReduceMax(%x, %axes) : (tensor<2x1x4xf32>, tensor<2xi32>) -> tensor<1xf32>
  // CHECK: BatchMatMul{{.*}} {adj_x1 = true}{{.*}} -> tensor<2x5x3xf32>
  %7 = ascend.BatchMatMul(%m, %n) {adj_x1 = true} : (tensor<2x4x5xf32>, tensor<1x4x3xf32>) -> tensor<2x5x3xf32>
  return
}

// CHECK-LABEL: func.func @numbers
func.func @numbers(%f: tensor<4xf32>, %b: tensor<4xbf16>, %i: tensor<4xi32>, %u: tensor<4xui64>, %m: tensor<2x3xi1>, %x: tensor<2x3xbf16>, %z: tensor<4xcomplex<f32>>) {
  // CHECK: Select({{.*}} -> tensor<2x3xbf16>
  %0 = ascend.Select(%m, %x, %x) : (tensor<2x3xi1>, tensor<2x3xbf16>, tensor<2x3xbf16>) -> tensor<2x3xbf16>
  // CHECK: Tan{{.*}} -> tensor<4xf32>
  %1 = ascend.Tan(%f) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: Round{{.*}} -> tensor<4xbf16>
  %2 = ascend.Round(%b) : (tensor<4xbf16>) -> tensor<4xbf16>
  // CHECK: IsFinite{{.*}} -> tensor<4xi1>
  %3 = ascend.IsFinite(%b) : (tensor<4xbf16>) -> tensor<4xi1>
  // CHECK: PopulationCount{{.*}} -> tensor<4xui8>
  %4 = ascend.PopulationCount(%u) : (tensor<4xui64>) -> tensor<4xui8>
  // CHECK: TruncateDiv{{.*}} -> tensor<4xi32>
  %5 = ascend.TruncateDiv(%i, %i) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: TruncateMod{{.*}} -> tensor<4xf32>
  %6 = ascend.TruncateMod(%f, %f) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: Atan2{{.*}} -> tensor<4xbf16>
  %7 = ascend.Atan2(%b, %b) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  // CHECK: LeftShift{{.*}} -> tensor<4xui64>
  %8 = ascend.LeftShift(%u, %u) : (tensor<4xui64>, tensor<4xui64>) -> tensor<4xui64>
  // CHECK: RightShift{{.*}} -> tensor<4xi32>
  %9 = ascend.RightShift(%i, %i) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  // CHECK: Complex({{.*}} -> tensor<4xcomplex<f32>>
  %10 = ascend.Complex(%f, %f) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  // CHECK: Real({{.*}} -> tensor<4xf32>
  %11 = ascend.Real(%z) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // CHECK: Imag{{.*}} -> tensor<4xf32>
  %12 = ascend.Imag(%z) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // CHECK: ComplexAbs{{.*}} -> tensor<4xf32>
  %13 = ascend.ComplexAbs(%z) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return
}

// Windows that slide over images, volumes and lines. Unknown extents stay so.
// CHECK-LABEL: func.func @windows
func.func @windows(%image: tensor<2x4x?x6xf16>, %kernel: tensor<6x2x3x2xf16>,
                   %volume: tensor<1x2x3x4x5xbf16>, %cube: tensor<3x2x2x2x2xbf16>,
                   %axis: tensor<1xi64>) {
  // CHECK: Conv2D(%{{.*}}, %{{.*}}) {groups = 2 : i64, pads = array<i64: 1, 0, 2, 1>, strides = array<i64: 1, 1, 2, 1>}{{.*}} -> tensor<2x6x?x8xf16>
  %0 = ascend.Conv2D(%image, %kernel) {groups = 2 : i64, pads = array<i64: 1, 0, 2, 1>, strides = array<i64: 1, 1, 2, 1>} : (tensor<2x4x?x6xf16>, tensor<6x2x3x2xf16>) -> tensor<2x6x?x8xf16>
  // CHECK: Conv3D{{.*}} -> tensor<1x3x3x2x4xbf16>
  %1 = ascend.Conv3D(%volume, %cube) {pads = array<i64: 1, 0, 0, 1, 0, 0>, strides = array<i64: 1, 1, 1, 2, 1>} : (tensor<1x2x3x4x5xbf16>, tensor<3x2x2x2x2xbf16>) -> tensor<1x3x3x2x4xbf16>
  // CHECK: MaxPoolV3{{.*}} -> tensor<2x4x?x3xf16>
  %2 = ascend.MaxPoolV3(%image) {ksize = array<i64: 1, 1, 2, 3>, pads = array<i64: 1, 0, 0, 2>, strides = array<i64: 1, 1, 1, 2>} : (tensor<2x4x?x6xf16>) -> tensor<2x4x?x3xf16>
  // CHECK: AvgPoolV2{{.*}}exclusive = false{{.*}} -> tensor<2x4x?x3xf16>
  %3 = ascend.AvgPoolV2(%image) {exclusive = false, ksize = array<i64: 1, 1, 2, 2>, strides = array<i64: 1, 1, 2, 2>} : (tensor<2x4x?x6xf16>) -> tensor<2x4x?x3xf16>
  // CHECK: Cumsum{{.*}}reverse = true{{.*}} -> tensor<2x4x?x6xf16>
  %4 = ascend.Cumsum(%image, %axis) {reverse = true} : (tensor<2x4x?x6xf16>, tensor<1xi64>) -> tensor<2x4x?x6xf16>
  return
}

// CHECK-LABEL: func.func @layers
func.func @layers(%x: tensor<2x4x3xbf16>, %g: tensor<4x3xbf16>, %f: tensor<3xf32>) {
  // CHECK: SoftmaxV2(%{{.*}}) : (tensor<2x4x3xbf16>)
  %0 = ascend.SoftmaxV2(%x) : (tensor<2x4x3xbf16>) -> tensor<2x4x3xbf16>
  // CHECK: SoftmaxV2({{.*}} {axes = array<i64: 0, -1>}
  %1 = ascend.SoftmaxV2(%x) {axes = array<i64: 0, -1>} : (tensor<2x4x3xbf16>) -> tensor<2x4x3xbf16>
  // CHECK: GeluV2({{.*}} {approximate = "tanh"}
  %2 = ascend.GeluV2(%x) {approximate = "tanh"} : (tensor<2x4x3xbf16>) -> tensor<2x4x3xbf16>
  // The statistics have the type of gamma.
  // CHECK: LayerNormV3{{.*}} -> (tensor<2x4x3xbf16>, tensor<2x1x1xbf16>, tensor<2x1x1xbf16>)
  %3:3 = ascend.LayerNormV3(%x, %g, %g) {begin_norm_axis = 1, begin_params_axis = -2} : (tensor<2x4x3xbf16>, tensor<4x3xbf16>, tensor<4x3xbf16>) -> (tensor<2x4x3xbf16>, tensor<2x1x1xbf16>, tensor<2x1x1xbf16>)
  // CHECK: LayerNormV3{{.*}} -> (tensor<2x4x3xbf16>, tensor<2x4x1xf32>, tensor<2x4x1xf32>)
  %4:3 = ascend.LayerNormV3(%x, %f, %f) {begin_norm_axis = 2, begin_params_axis = 2, epsilon = 0.5 : f32} : (tensor<2x4x3xbf16>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x4x3xbf16>, tensor<2x4x1xf32>, tensor<2x4x1xf32>)
  // The number of dimensions of gamma is that of the normalized ones.
  // CHECK: RmsNorm{{.*}} -> (tensor<2x4x3xbf16>, tensor<2x1x1xf32>)
  %5:2 = ascend.RmsNorm(%x, %g) : (tensor<2x4x3xbf16>, tensor<4x3xbf16>) -> (tensor<2x4x3xbf16>, tensor<2x1x1xf32>)
  return
}
