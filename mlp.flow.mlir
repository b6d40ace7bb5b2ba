#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module {
  flow.executable private @mlp_dispatch_0 {
    flow.executable.export public @mlp_dispatch_0_matmul_2x8x4 workgroups(%arg0: index, %arg1: index) -> (index, index, index) {
      %x, %y, %z = flow.dispatch.workgroup_count_from_dag_root %arg0, %arg1
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @mlp_dispatch_0_matmul_2x8x4(%arg0: !flow.dispatch.tensor<readonly:tensor<2x4xf32>>, %arg1: !flow.dispatch.tensor<readonly:tensor<4x8xf32>>, %arg2: !flow.dispatch.tensor<readonly:tensor<8xf32>>, %arg3: !flow.dispatch.tensor<writeonly:tensor<2x8xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = flow.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [2, 4], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<2x4xf32>> -> tensor<2x4xf32>
        %1 = flow.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [4, 8], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<4x8xf32>> -> tensor<4x8xf32>
        %2 = flow.dispatch.tensor.load %arg2, offsets = [0], sizes = [8], strides = [1] : !flow.dispatch.tensor<readonly:tensor<8xf32>> -> tensor<8xf32>
        %3 = tensor.empty() : tensor<2x8xf32>
        %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<2x8xf32>) -> tensor<2x8xf32>
        %5 = linalg.matmul ins(%0, %1 : tensor<2x4xf32>, tensor<4x8xf32>) outs(%4 : tensor<2x8xf32>) -> tensor<2x8xf32>
        %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %2 : tensor<2x8xf32>, tensor<8xf32>) outs(%3 : tensor<2x8xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %7 = arith.addf %in, %in_0 : f32
          %8 = arith.maximumf %7, %cst : f32
          linalg.yield %8 : f32
        } -> tensor<2x8xf32>
        flow.dispatch.tensor.store %6, %arg3, offsets = [0, 0], sizes = [2, 8], strides = [1, 1] : tensor<2x8xf32> -> !flow.dispatch.tensor<writeonly:tensor<2x8xf32>>
        return
      }
    }
  }
  func.func @mlp(%arg0: tensor<2x4xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<8xf32>) -> tensor<2x8xf32> {
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %0 = flow.dispatch @mlp_dispatch_0::@mlp_dispatch_0_matmul_2x8x4[%c2, %c8](%arg0, %arg1, %arg2) : (tensor<2x4xf32>, tensor<4x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
    return %0 : tensor<2x8xf32>
  }
}

