// RUN: tandem-opt %s --preset=full --tandem-join-loops | FileCheck %s

// CHECK-LABEL: func.func @sums(
// CHECK: tensor.collapse_shape %arg0 {{\[\[}}0, 1, 2], [3]] : tensor<2x4x6x16xf32> into tensor<48x16xf32>
// CHECK: iterator_types = ["reduction", "parallel"]{{.*}} outs(%arg1 : tensor<16xf32>)

// CHECK-LABEL: func.func @scaled(
// CHECK: iterator_types = ["parallel", "parallel"]{{.*}} tensor<48x16xf32>, tensor<16xf32>)
// CHECK: tensor.expand_shape %{{.*}} output_shape [2, 4, 6, 16]

// Each image has numbers of its own.
// CHECK-LABEL: func.func @by_image(
// CHECK-NOT: collapse_shape

// Rows are long already.
// CHECK-LABEL: func.func @wide(
// CHECK-NOT: collapse_shape
#all = affine_map<(n, h, w, c) -> (n, h, w, c)>
#channel = affine_map<(n, h, w, c) -> (c)>
#image = affine_map<(n, h, w, c) -> (n, c)>
func.func @sums(%x: tensor<2x4x6x16xf32>, %init: tensor<16xf32>) -> tensor<16xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #channel],
      iterator_types = ["reduction", "reduction", "reduction", "parallel"]}
      ins(%x : tensor<2x4x6x16xf32>) outs(%init : tensor<16xf32>) {
  ^bb0(%one: f32, %sum: f32):
    %2 = arith.mulf %one, %one : f32
    %3 = arith.addf %2, %sum : f32
    linalg.yield %3 : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
func.func @scaled(%x: tensor<2x4x6x16xf32>, %s: tensor<16xf32>, %init: tensor<2x4x6x16xf32>)
    -> tensor<2x4x6x16xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #channel, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<2x4x6x16xf32>, tensor<16xf32>) outs(%init : tensor<2x4x6x16xf32>) {
  ^bb0(%one: f32, %scale: f32, %out: f32):
    %2 = arith.mulf %one, %scale : f32
    linalg.yield %2 : f32
  } -> tensor<2x4x6x16xf32>
  return %0 : tensor<2x4x6x16xf32>
}
func.func @by_image(%x: tensor<2x4x6x16xf32>, %s: tensor<2x16xf32>, %init: tensor<2x4x6x16xf32>)
    -> tensor<2x4x6x16xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #image, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<2x4x6x16xf32>, tensor<2x16xf32>) outs(%init : tensor<2x4x6x16xf32>) {
  ^bb0(%one: f32, %scale: f32, %out: f32):
    %2 = arith.mulf %one, %scale : f32
    linalg.yield %2 : f32
  } -> tensor<2x4x6x16xf32>
  return %0 : tensor<2x4x6x16xf32>
}
func.func @wide(%x: tensor<2x4x6x96xf32>, %s: tensor<96xf32>, %init: tensor<2x4x6x96xf32>)
    -> tensor<2x4x6x96xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #channel, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<2x4x6x96xf32>, tensor<96xf32>) outs(%init : tensor<2x4x6x96xf32>) {
  ^bb0(%one: f32, %scale: f32, %out: f32):
    %2 = arith.mulf %one, %scale : f32
    linalg.yield %2 : f32
  } -> tensor<2x4x6x96xf32>
  return %0 : tensor<2x4x6x96xf32>
}
