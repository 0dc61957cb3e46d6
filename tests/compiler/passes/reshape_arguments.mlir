// RUN: tandem-opt %s --tandem-reshape-arguments | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg0: memref<24x1024xf32> {tandem.shape = array<i64: 256, 96>}
// Rows of 3 bytes do not fill their words.
// CHECK-SAME: %arg1: memref<128x3xi8, "packed">,
// Two readers want two shapes.
// CHECK-SAME: %arg2: memref<256x96xf32>,
// CHECK-SAME: %arg3: memref<24x1024xf32> {tandem.shape = array<i64: 256, 96>}
// A product reads rows of whole images.
// CHECK-SAME: %arg6: memref<32x784xf32> {tandem.shape = array<i64: 32, 28, 28>}
// CHECK: bufferization.to_tensor %arg0 restrict : memref<24x1024xf32> to tensor<24x1024xf32>
// CHECK: bufferization.materialize_in_destination %{{.*}} in restrict writable %arg3 : (tensor<24x1024xf32>, memref<24x1024xf32>)
#table = affine_map<(m, n) -> (m, n)>
#left = affine_map<(m, n, k) -> (m, k)>
#right = affine_map<(m, n, k) -> (k, n)>
#table3 = affine_map<(m, n, k) -> (m, n)>
func.func @main(%x: memref<256x96xf32>, %bytes: memref<128x3xi8, "packed">, %z: memref<256x96xf32>,
                %y: memref<256x96xf32>, %w: memref<2x128x96xf32>, %v: memref<384xi8>,
                %images: memref<32x28x28xf32>, %kernel: memref<16x32xf32>, %sums: memref<16x784xf32>) {
  %i0 = bufferization.to_tensor %images restrict : memref<32x28x28xf32> to tensor<32x28x28xf32>
  %i1 = tensor.collapse_shape %i0 [[0], [1, 2]] : tensor<32x28x28xf32> into tensor<32x784xf32>
  %k0 = bufferization.to_tensor %kernel restrict : memref<16x32xf32> to tensor<16x32xf32>
  %s0 = tensor.empty() : tensor<16x784xf32>
  %s1 = linalg.generic {indexing_maps = [#left, #right, #table3], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%k0, %i1 : tensor<16x32xf32>, tensor<32x784xf32>) outs(%s0 : tensor<16x784xf32>)
      attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%one: f32, %other: f32, %out: f32):
    %4 = arith.mulf %one, %other : f32
    %5 = arith.addf %out, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<16x784xf32>
  bufferization.materialize_in_destination %s1 in restrict writable %sums : (tensor<16x784xf32>, memref<16x784xf32>) -> ()
  %0 = bufferization.to_tensor %x restrict : memref<256x96xf32> to tensor<256x96xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<256x96xf32> into tensor<24576xf32>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [24, 1024]
      : tensor<24576xf32> into tensor<24x1024xf32>
  %room = memref.alloc() : memref<128x3xi8>
  memref.copy %bytes, %room : memref<128x3xi8, "packed"> to memref<128x3xi8>
  %b = bufferization.to_tensor %room restrict writable : memref<128x3xi8> to tensor<128x3xi8>
  %b1 = tensor.collapse_shape %b [[0, 1]] : tensor<128x3xi8> into tensor<384xi8>
  %b2 = tensor.empty() : tensor<384xi8>
  %b3 = linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>],
      iterator_types = ["parallel"]} ins(%b1 : tensor<384xi8>) outs(%b2 : tensor<384xi8>) {
  ^bb0(%one: i8, %out: i8):
    %4 = arith.addi %one, %one : i8
    linalg.yield %4 : i8
  } -> tensor<384xi8>
  %z0 = bufferization.to_tensor %z restrict : memref<256x96xf32> to tensor<256x96xf32>
  %z1 = tensor.collapse_shape %z0 [[0, 1]] : tensor<256x96xf32> into tensor<24576xf32>
  %z2 = tensor.expand_shape %z1 [[0, 1]] output_shape [24, 1024]
      : tensor<24576xf32> into tensor<24x1024xf32>
  %z3 = tensor.expand_shape %z0 [[0, 1], [2]] output_shape [2, 128, 96]
      : tensor<256x96xf32> into tensor<2x128x96xf32>
  %init = tensor.empty() : tensor<24x1024xf32>
  %3 = linalg.generic {indexing_maps = [#table, #table, #table],
      iterator_types = ["parallel", "parallel"]}
      ins(%2, %z2 : tensor<24x1024xf32>, tensor<24x1024xf32>) outs(%init : tensor<24x1024xf32>) {
  ^bb0(%one: f32, %other: f32, %out: f32):
    %4 = arith.mulf %one, %other : f32
    linalg.yield %4 : f32
  } -> tensor<24x1024xf32>
  bufferization.materialize_in_destination %z3 in restrict writable %w
      : (tensor<2x128x96xf32>, memref<2x128x96xf32>) -> ()
  bufferization.materialize_in_destination %b3 in restrict writable %v
      : (tensor<384xi8>, memref<384xi8>) -> ()
  %5 = tensor.collapse_shape %3 [[0, 1]] : tensor<24x1024xf32> into tensor<24576xf32>
  %6 = tensor.expand_shape %5 [[0, 1]] output_shape [256, 96]
      : tensor<24576xf32> into tensor<256x96xf32>
  bufferization.materialize_in_destination %6 in restrict writable %y
      : (tensor<256x96xf32>, memref<256x96xf32>) -> ()
  return
}
