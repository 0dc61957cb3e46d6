// RUN: tandem-opt %s --tandem-lower-to-tensor | FileCheck %s

// The result has no buffer: the argument's tensor may be written, and the copy comes last.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:arg0]]: memref<4xf32>
// CHECK-SAME: tandem.shares = "arg0"
// CHECK: to_tensor %[[X]] restrict writable
// CHECK: materialize_in_destination
// CHECK: %[[NEW:.*]] = bufferization.to_buffer
// CHECK-NEXT: memref.copy %[[NEW]], %[[X]]
// CHECK-NEXT: return
func.func public @main(%x: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "stablehlo.add"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.subtract"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
