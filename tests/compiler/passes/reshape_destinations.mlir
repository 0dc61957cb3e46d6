// RUN: tandem-opt %s --pass-pipeline='builtin.module(func.func(tandem-reshape-destinations))' | FileCheck %s

// The result's memory is reshaped, not the result.
// CHECK-LABEL: func.func @same_rows(
// CHECK-SAME: %{{.*}}: tensor<1x4x2x8xf32>, [[RESULT:%.*]]: memref<8x8xf32>)
// CHECK: [[X:%.*]] = linalg.copy
// CHECK: [[VIEW:%.*]] = memref.expand_shape [[RESULT]] {{\[\[}}0, 1, 2], [3]]
// CHECK: bufferization.materialize_in_destination [[X]] in restrict writable [[VIEW]]
func.func @same_rows(%from: tensor<1x4x2x8xf32>, %result: memref<8x8xf32>) {
  %e = tensor.empty() : tensor<1x4x2x8xf32>
  %x = linalg.copy ins(%from : tensor<1x4x2x8xf32>) outs(%e : tensor<1x4x2x8xf32>) -> tensor<1x4x2x8xf32>
  %c = tensor.collapse_shape %x [[0, 1, 2], [3]] : tensor<1x4x2x8xf32> into tensor<8x8xf32>
  bufferization.materialize_in_destination %c in restrict writable %result : (tensor<8x8xf32>, memref<8x8xf32>) -> ()
  return
}

// Through a shape with other rows.
// CHECK-LABEL: func.func @same_rows_again(
// CHECK: [[X:%.*]] = linalg.copy
// CHECK: bufferization.materialize_in_destination [[X]] in
func.func @same_rows_again(%from: tensor<4x2x8xf32>, %result: memref<8x8xf32>) {
  %o = tensor.empty() : tensor<4x2x8xf32>
  %x = linalg.copy ins(%from : tensor<4x2x8xf32>) outs(%o : tensor<4x2x8xf32>) -> tensor<4x2x8xf32>
  %c = tensor.collapse_shape %x [[0], [1, 2]] : tensor<4x2x8xf32> into tensor<4x16xf32>
  %d = tensor.collapse_shape %c [[0, 1]] : tensor<4x16xf32> into tensor<64xf32>
  %e = tensor.expand_shape %d [[0, 1]] output_shape [8, 8] : tensor<64xf32> into tensor<8x8xf32>
  bufferization.materialize_in_destination %e in restrict writable %result : (tensor<8x8xf32>, memref<8x8xf32>) -> ()
  return
}

// Rows of VMEM would be other ones.
// CHECK-LABEL: func.func @other_rows
// CHECK: tensor.collapse_shape
// CHECK-NOT: memref.expand_shape
func.func @other_rows(%from: tensor<4x8xf32>, %result: memref<32xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %x = linalg.copy ins(%from : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = tensor.collapse_shape %x [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  bufferization.materialize_in_destination %c in restrict writable %result : (tensor<32xf32>, memref<32xf32>) -> ()
  return
}

// What a call has written is sent on from there.
// CHECK-LABEL: func.func @from_buffer
// CHECK: tensor.collapse_shape
// CHECK-NOT: memref.expand_shape
func.func @from_buffer(%from: memref<1x8x8xf32>, %result: memref<8x8xf32>) {
  %x = bufferization.to_tensor %from restrict : memref<1x8x8xf32> to tensor<1x8x8xf32>
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x8x8xf32> into tensor<8x8xf32>
  bufferization.materialize_in_destination %c in restrict writable %result : (tensor<8x8xf32>, memref<8x8xf32>) -> ()
  return
}
