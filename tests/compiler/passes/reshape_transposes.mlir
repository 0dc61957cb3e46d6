// RUN: tandem-opt %s --tandem-reshape-transposes | FileCheck %s

// Only dimensions of one element move: nothing does.
// CHECK-LABEL: func.func @units(
// CHECK-SAME: %[[X:.*]]: tensor<1x1x6x2x4xf32>
// CHECK: %[[LONG:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1, 2], [3], [4]] : tensor<1x1x6x2x4xf32> into tensor<6x2x4xf32>
// CHECK: %[[Y:.*]] = tensor.expand_shape %[[LONG]] {{\[}}[0, 1], [2, 3], [4]] output_shape [1, 6, 2, 1, 4]
// CHECK-NOT: linalg.generic
// CHECK: return %[[Y]]
#from = affine_map<(a, b, c, d, e) -> (a, d, b, c, e)>
#same = affine_map<(a, b, c, d, e) -> (a, b, c, d, e)>
func.func @units(%x: tensor<1x1x6x2x4xf32>) -> tensor<1x6x2x1x4xf32> {
  %room = tensor.empty() : tensor<1x6x2x1x4xf32>
  %y = linalg.generic {indexing_maps = [#from, #same], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x1x6x2x4xf32>) outs(%room : tensor<1x6x2x1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x6x2x1x4xf32>
  return %y : tensor<1x6x2x1x4xf32>
}

// Others change places, too.
// CHECK-LABEL: func.func @others(
// CHECK: linalg.generic
func.func @others(%x: tensor<1x1x2x6x4xf32>) -> tensor<1x6x1x2x4xf32> {
  %room = tensor.empty() : tensor<1x6x1x2x4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(a, b, c, d, e) -> (a, c, d, b, e)>, #same], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x1x2x6x4xf32>) outs(%room : tensor<1x6x1x2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x6x1x2x4xf32>
  return %y : tensor<1x6x1x2x4xf32>
}
