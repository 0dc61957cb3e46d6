// RUN: tandem-opt %s --pass-pipeline='builtin.module(func.func(tandem-read-where-used))' | FileCheck %s

// Two readers of one tensor's memory, with an update of the tensor between them: each takes the
// memory itself, the second after the update, so that the update is not made in place.
// CHECK-LABEL: func.func @main
// CHECK: [[X:%.*]] = linalg.fill
// CHECK: [[FIRST:%.*]] = bufferization.to_buffer [[X]]
// CHECK-NEXT: memref.expand_shape [[FIRST]]
// CHECK-NEXT: memref.copy
// CHECK: tensor.insert
// CHECK: [[SECOND:%.*]] = bufferization.to_buffer [[X]]
// CHECK-NEXT: [[VIEW:%.*]] = memref.expand_shape [[SECOND]]
// CHECK-NEXT: memref.copy [[VIEW]]
// CHECK-NOT: bufferization.to_buffer
func.func @main(%a: memref<1x8xf32>, %b: memref<1x8xf32>, %c: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %i = arith.constant 2 : index
  %e = tensor.empty() : tensor<8xf32>
  %x = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %m = bufferization.to_buffer %x read_only : tensor<8xf32> to memref<8xf32>
  %v = memref.expand_shape %m [[0, 1]] output_shape [1, 8] : memref<8xf32> into memref<1x8xf32>
  memref.copy %v, %a : memref<1x8xf32> to memref<1x8xf32>
  %y = tensor.insert %zero into %x[%i] : tensor<8xf32>
  memref.copy %v, %b : memref<1x8xf32> to memref<1x8xf32>
  bufferization.materialize_in_destination %y in restrict writable %c : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
