module {
  flow.executable private @turn {
    flow.executable.export public @turn workgroups() -> (index, index, index) {
      %x, %y, %z = flow.dispatch.workgroup_count_from_dag_root
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @turn(%in: !flow.dispatch.tensor<readonly:tensor<4x6xf32>>, %out: !flow.dispatch.tensor<writeonly:tensor<5x4xf32>>) {
        %part = flow.dispatch.tensor.load %in, offsets = [0, 0], sizes = [4, 5], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<4x6xf32>> -> tensor<4x5xf32>
        %empty = tensor.empty() : tensor<5x4xf32>
        %turned = linalg.transpose ins(%part : tensor<4x5xf32>) outs(%empty : tensor<5x4xf32>) permutation = [1, 0]
        flow.dispatch.tensor.store %turned, %out, offsets = [0, 0], sizes = [5, 4], strides = [1, 1] : tensor<5x4xf32> -> !flow.dispatch.tensor<writeonly:tensor<5x4xf32>>
        return
      }
    }
  }
  func.func @main(%x: tensor<4x6xf32>) -> tensor<5x4xf32> {
    %y = flow.dispatch @turn::@turn(%x) : (tensor<4x6xf32>) -> tensor<5x4xf32>
    return %y : tensor<5x4xf32>
  }
}
