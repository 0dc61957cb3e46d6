// RUN: tandem-opt %s --pass-pipeline='builtin.module(func.func(tandem-reshape-destinations))' | FileCheck %s

// The result's memory is reshaped, not the result.
// CHECK-LABEL: func.func @same_rows(
// CHECK-SAME: [[X:%.*]]: tensor<1x4x2x8xf32>, [[RESULT:%.*]]: memref<8x8xf32>)
// CHECK: [[VIEW:%.*]] = memref.expand_shape [[RESULT]] {{\[\[}}0, 1, 2], [3]]
// CHECK: bufferization.materialize_in_destination [[X]] in restrict writable [[VIEW]]
func.func @same_rows(%x: tensor<1x4x2x8xf32>, %result: memref<8x8xf32>) {
  %c = tensor.collapse_shape %x [[0, 1, 2], [3]] : tensor<1x4x2x8xf32> into tensor<8x8xf32>
  bufferization.materialize_in_destination %c in restrict writable %result : (tensor<8x8xf32>, memref<8x8xf32>) -> ()
  return
}

// Through a shape with other rows.
// CHECK-LABEL: func.func @same_rows_again(
// CHECK-SAME: [[X:%.*]]: tensor<4x2x8xf32>, [[RESULT:%.*]]: memref<8x8xf32>)
// CHECK: bufferization.materialize_in_destination [[X]] in
func.func @same_rows_again(%x: tensor<4x2x8xf32>, %result: memref<8x8xf32>) {
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
func.func @other_rows(%x: tensor<4x8xf32>, %result: memref<32xf32>) {
  %c = tensor.collapse_shape %x [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  bufferization.materialize_in_destination %c in restrict writable %result : (tensor<32xf32>, memref<32xf32>) -> ()
  return
}
