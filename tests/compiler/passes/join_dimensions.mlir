// RUN: tandem-opt %s --preset=full --tandem-join-dimensions --canonicalize | FileCheck %s

// Everything walks over both dimensions: one row, cut into rows that fill VMEM.
// CHECK-LABEL: func.func @flat(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]{{.*}} tensor<24x1024xf32>

// Rows of 14 elements become rows of 280.
// CHECK-LABEL: func.func @pooled(
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]{{.*}} ins({{.*}}tensor<128x280xf32>) outs({{.*}}tensor<128xf32>)

// Values shared by each image and group keep these apart, not the loops between them.
// CHECK-LABEL: func.func @groups(
// CHECK: linalg.generic {{.*}} tensor<4x196x4x8xf32>, tensor<4x4xf32>)

// Rows are good as they are.
// CHECK-LABEL: func.func @good(
// CHECK-NOT: _shape
// CHECK: tensor<64x512xf32>

// A slice wants its dimensions.
// CHECK-LABEL: func.func @sliced(
// CHECK-NOT: _shape
// CHECK: linalg.generic {{.*}} tensor<256x96xf32>
#table = affine_map<(m, n) -> (m, n)>
#all = affine_map<(a, b, c, d) -> (a, b, c, d)>
#outer = affine_map<(a, b, c, d) -> (a, b)>
#image = affine_map<(n, h, w, g, c) -> (n, h, w, g, c)>
#group = affine_map<(n, h, w, g, c) -> (n, g)>
func.func @flat(%x: memref<256x96xf32>, %y: memref<256x96xf32>) {
  %0 = bufferization.to_tensor %x restrict : memref<256x96xf32> to tensor<256x96xf32>
  %init = tensor.empty() : tensor<256x96xf32>
  %1 = linalg.generic {indexing_maps = [#table, #table], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<256x96xf32>) outs(%init : tensor<256x96xf32>) {
  ^bb0(%one: f32, %out: f32):
    %2 = arith.mulf %one, %one : f32
    linalg.yield %2 : f32
  } -> tensor<256x96xf32>
  bufferization.materialize_in_destination %1 in restrict writable %y
      : (tensor<256x96xf32>, memref<256x96xf32>) -> ()
  return
}
func.func @pooled(%x: memref<4x32x20x14xf32>, %y: memref<4x32xf32>) {
  %0 = bufferization.to_tensor %x restrict : memref<4x32x20x14xf32> to tensor<4x32x20x14xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x32xf32>) -> tensor<4x32xf32>
  %1 = linalg.generic {indexing_maps = [#all, #outer],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%0 : tensor<4x32x20x14xf32>) outs(%init : tensor<4x32xf32>) {
  ^bb0(%one: f32, %largest: f32):
    %2 = arith.maximumf %one, %largest : f32
    linalg.yield %2 : f32
  } -> tensor<4x32xf32>
  bufferization.materialize_in_destination %1 in restrict writable %y
      : (tensor<4x32xf32>, memref<4x32xf32>) -> ()
  return
}
func.func @groups(%x: memref<4x14x14x32xf32>, %m: memref<4x4xf32>, %y: memref<4x14x14x32xf32>) {
  %0 = bufferization.to_tensor %x restrict : memref<4x14x14x32xf32> to tensor<4x14x14x32xf32>
  %mean = bufferization.to_tensor %m restrict : memref<4x4xf32> to tensor<4x4xf32>
  %apart = tensor.expand_shape %0 [[0], [1], [2], [3, 4]] output_shape [4, 14, 14, 4, 8]
      : tensor<4x14x14x32xf32> into tensor<4x14x14x4x8xf32>
  %init = tensor.empty() : tensor<4x14x14x4x8xf32>
  %1 = linalg.generic {indexing_maps = [#image, #group, #image],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%apart, %mean : tensor<4x14x14x4x8xf32>, tensor<4x4xf32>)
      outs(%init : tensor<4x14x14x4x8xf32>) {
  ^bb0(%one: f32, %less: f32, %out: f32):
    %2 = arith.subf %one, %less : f32
    linalg.yield %2 : f32
  } -> tensor<4x14x14x4x8xf32>
  %together = tensor.collapse_shape %1 [[0], [1], [2], [3, 4]]
      : tensor<4x14x14x4x8xf32> into tensor<4x14x14x32xf32>
  bufferization.materialize_in_destination %together in restrict writable %y
      : (tensor<4x14x14x32xf32>, memref<4x14x14x32xf32>) -> ()
  return
}
func.func @good(%x: tensor<64x512xf32>) -> tensor<64x512xf32> {
  %init = tensor.empty() : tensor<64x512xf32>
  %1 = linalg.generic {indexing_maps = [#table, #table], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x512xf32>) outs(%init : tensor<64x512xf32>) {
  ^bb0(%one: f32, %out: f32):
    %2 = arith.mulf %one, %one : f32
    linalg.yield %2 : f32
  } -> tensor<64x512xf32>
  return %1 : tensor<64x512xf32>
}
func.func @sliced(%x: memref<256x96xf32>, %y: memref<255x96xf32>) {
  %0 = bufferization.to_tensor %x restrict : memref<256x96xf32> to tensor<256x96xf32>
  %init = tensor.empty() : tensor<256x96xf32>
  %1 = linalg.generic {indexing_maps = [#table, #table], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<256x96xf32>) outs(%init : tensor<256x96xf32>) {
  ^bb0(%one: f32, %out: f32):
    %2 = arith.mulf %one, %one : f32
    linalg.yield %2 : f32
  } -> tensor<256x96xf32>
  %part = tensor.extract_slice %1[1, 0] [255, 96] [1, 1]
      : tensor<256x96xf32> to tensor<255x96xf32>
  bufferization.materialize_in_destination %part in restrict writable %y
      : (tensor<255x96xf32>, memref<255x96xf32>) -> ()
  return
}
