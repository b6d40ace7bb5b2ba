func.func @f(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %r = flow.dispatch.region[%n] -> (tensor<?xf32>{%n}) {
    %e = tensor.empty(%n) : tensor<?xf32>
    %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    flow.return %0 : tensor<?xf32>
  } count(%w: index) -> (index, index, index) {
    %x, %y, %z = flow.dispatch.workgroup_count_from_dag_root %w
    flow.return %x, %y, %z : index, index, index
  }
  return %r : tensor<?xf32>
}
