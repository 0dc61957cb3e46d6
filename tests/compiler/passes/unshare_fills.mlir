// RUN: tandem-opt %s --tandem-unshare-fills | FileCheck %s

// Each reader of a filling gets one of its own, made in the same shape.
// CHECK-LABEL: func.func @reshaped
// CHECK-COUNT-2: tensor.expand_shape {{.*}} : tensor<6x8xf32> into tensor<6x2x4xf32>
// CHECK-NOT: tensor.empty() : tensor<6x2x4xf32>
// CHECK: return
func.func @reshaped(%x: tensor<6x2x4xf32>) -> (tensor<6x2x4xf32>, tensor<6x2x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x8xf32>
  %v = tensor.expand_shape %e [[0], [1, 2]] output_shape [6, 2, 4] : tensor<6x8xf32> into tensor<6x2x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%v : tensor<6x2x4xf32>) -> tensor<6x2x4xf32>
  %a = linalg.add ins(%x, %x : tensor<6x2x4xf32>, tensor<6x2x4xf32>) outs(%f : tensor<6x2x4xf32>) -> tensor<6x2x4xf32>
  %b = linalg.mul ins(%x, %x : tensor<6x2x4xf32>, tensor<6x2x4xf32>) outs(%f : tensor<6x2x4xf32>) -> tensor<6x2x4xf32>
  return %a, %b : tensor<6x2x4xf32>, tensor<6x2x4xf32>
}
