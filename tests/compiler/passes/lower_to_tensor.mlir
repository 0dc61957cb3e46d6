// RUN: tandem-opt %s --tandem-check --tandem-lower-to-tensor --canonicalize --cse | FileCheck %s

// Arguments and results are buffers, an operation is linalg over the shape of its result.
// CHECK-LABEL: func.func @main
// CHECK-SAME: memref<4x5xf32> {tandem.direction = "in", tandem.name = "arg0", tandem.type = "f32"}
// CHECK-SAME: memref<4x5xi1, "packed"> {tandem.direction = "out", tandem.name = "out0", tandem.type = "i1"}
// CHECK: %[[X:.*]] = bufferization.to_tensor %arg0 restrict
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[X]]
// CHECK: %[[LESS:.*]] = arith.cmpf olt
// CHECK: linalg.yield %[[LESS]] : i1
func.func public @main(%x: tensor<4x5xf32>) -> tensor<4x5xi1> {
  %zero = "stablehlo.constant"() {value = dense<0.0> : tensor<4x5xf32>} : () -> tensor<4x5xf32>
  %y = "stablehlo.compare"(%x, %zero) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xi1>
  return %y : tensor<4x5xi1>
}
