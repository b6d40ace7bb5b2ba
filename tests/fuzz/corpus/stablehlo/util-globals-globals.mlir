util.global public @plain : tensor<4xf32>
util.global private @weights = dense<5.000000e-01> : tensor<4xf32>
util.global private mutable @state {note = "n"} : tensor<?xf32>
util.global public @scalar = 4 : i32
util.global public @converted : tensor<4xf32> = dense<4> : tensor<4xi32>
util.global public @absent = dense_resource<__elided__> : tensor<1000x1000xf32>
func.func @access(%arg0: tensor<4xf32>) {
  %ptr_weights = util.global.address @weights : !util.ptr<tensor<4xf32>>
  %0 = util.global.load.indirect %ptr_weights : !util.ptr<tensor<4xf32>> -> tensor<4xf32>
  %state = util.global.load @state : tensor<?xf32>
  %weights = util.global.load immutable @weights : tensor<4xf32>
  util.global.store %state, @state : tensor<?xf32>
  %ptr_state = util.global.address @state : !util.ptr<tensor<?xf32>>
  util.global.store.indirect %arg0, %ptr_state : tensor<4xf32> -> !util.ptr<tensor<?xf32>>
  return
}
