// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A table's rows as a model of ONNX and as a GraphDef of TensorFlow, by field
// numbers alone: no schema is used.

// RUN: mercator compile %s --target=ascend --format=onnx -o %t.onnx
// RUN: protoc --decode_raw < %t.onnx | tr -s ' \n' ' ' | FileCheck %s --check-prefix=ONNX
// RUN: mercator compile %s --target=ascend --format=graphdef -o %t.pb
// RUN: protoc --decode_raw < %t.pb | tr -s ' \n' ' ' | FileCheck %s --check-prefix=TF

// The model: version 8, the producer, the graph, operators of version 18.
// ONNX: 1: 8 2: "mercator" 7 {
// ONNX-SAME: 1 { 1: "table" 1: "ids" 2: "rows" 3: "rows" 4: "Gather"
// ONNX-SAME: 5 { 1: "axis" 3: 0 20: 2 } } 2: "rows"
// ONNX-SAME: 11 { 1: "table" 2 { 1 { 1: 1 2 { 1 { 1: 9 } 1 { 1: 4 } } } } }
// ONNX-SAME: 11 { 1: "ids" 2 { 1 { 1: 6 2 { 1 { 1: 2 } 1 { 1: 3 } } } } }
// ONNX-SAME: 12 { 1: "rows" 2 { 1 { 1: 1 2 { 1 { 1: 2 } 1 { 1: 3 } 1 { 1: 4 } } } } } }
// ONNX-SAME: 8 { 2: 18 }

// What follows the first name, which protoc takes for a message.
// TF: 5 { 1: "dtype" 2 { 6: 1 } }
// TF-SAME: 5 { 1: "shape" 2 { 7 { 2 { 1: 9 } 2 { 1: 4 } } } } }
// TF-SAME: 1 { 1: "ids" 2 { 10: 108 12: 0x7265646c6f686563 }
// TF-SAME: 5 { 1: "dtype" 2 { 6: 3 } }
// TF-SAME: 5 { 1: "shape" 2 { 7 { 2 { 1: 2 } 2 { 1: 3 } } } } }
// TF-SAME: 1 { 1: "axis" 2: "Const"
// TF-SAME: 5 { 1: "dtype" 2 { 6: 3 } }
// TF-SAME: 5 { 1: "value" 2 { 8 { 1: 3 2: "" 4: "\000\000\000\000" } } } }
// TF-SAME: 1 { 1: "rows" 2: "GatherV2" 3: "table" 3: "ids" 3: "axis"
// TF-SAME: 5 { 1: "Tparams" 2 { 6: 1 } }
// TF-SAME: 5 { 1: "Tindices" 2 { 6: 3 } }
// TF-SAME: 5 { 1: "Taxis" 2 { 6: 3 } }
// TF-SAME: 5 { 1: "batch_dims" 2 { 3: 0 } } }
// TF-SAME: 1 { 1: "NetOutput_0" 2: "Identity" 3: "rows"
// TF-SAME: 5 { 1: "T" 2 { 6: 1 } } }
// TF-SAME: 4 { 1: 134 2: 12 }

ascend.graph @rows {
  %table = ascend.Data {index = 0, name = "table"} : tensor<9x4xf32>
  %ids = ascend.Data {index = 1, name = "ids"} : tensor<2x3xi32>
  %axis = ascend.Const dense<0> : tensor<i32>
  %rows = ascend.GatherV2(%table, %ids, %axis)
      : (tensor<9x4xf32>, tensor<2x3xi32>, tensor<i32>) -> tensor<2x3x4xf32>
  ascend.NetOutput %rows : tensor<2x3x4xf32>
}
