// RUN: tandem-opt %s --pass-pipeline='builtin.module(func.func(tandem-copy-before-insert))' | FileCheck %s

// The argument is copied before the part that replaces some of it is computed, and the part goes
// into the copy.
// CHECK-LABEL: func.func @update
// CHECK: [[X:%.*]] = bufferization.to_tensor
// CHECK: [[COPY:%.*]] = bufferization.alloc_tensor() copy([[X]])
// CHECK: [[PART:%.*]] = linalg.generic
// CHECK: tensor.insert_slice [[PART]] into [[COPY]][1, 1]
func.func @update(%argument: memref<6x8xf32>) -> tensor<6x8xf32> {
  %x = bufferization.to_tensor %argument restrict : memref<6x8xf32> to tensor<6x8xf32>
  %from = tensor.extract_slice %x[0, 0] [4, 6] [1, 1] : tensor<6x8xf32> to tensor<4x6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%from : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  %u = tensor.insert_slice %r into %x[1, 1] [4, 6] [1, 1] : tensor<4x6xf32> into tensor<6x8xf32>
  return %u : tensor<6x8xf32>
}

// A donated argument is written in place.
// CHECK-LABEL: func.func @donated
// CHECK-NOT: bufferization.alloc_tensor
func.func @donated(%argument: memref<6x8xf32>) -> tensor<6x8xf32> {
  %x = bufferization.to_tensor %argument restrict writable : memref<6x8xf32> to tensor<6x8xf32>
  %from = tensor.extract_slice %x[0, 0] [4, 6] [1, 1] : tensor<6x8xf32> to tensor<4x6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%from : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  %u = tensor.insert_slice %r into %x[1, 1] [4, 6] [1, 1] : tensor<4x6xf32> into tensor<6x8xf32>
  return %u : tensor<6x8xf32>
}
