// RUN: tandem-opt %s --preset=small --tandem-split-reductions | FileCheck %s

// CHECK-LABEL: func.func @all(
// CHECK: linalg.fill {{.*}} -> tensor<512xf32>
// CHECK: iterator_types = ["reduction", "parallel"]{{.*}} ins(%arg0 : tensor<64x512xf32>)
// CHECK: arith.mulf
// CHECK: iterator_types = ["reduction"]{{.*}} outs(%arg1 : tensor<f32>)
// CHECK-NOT: arith.mulf

// CHECK-LABEL: func.func @few_columns(
// CHECK: arith.constant 0xFF800000 : f32
// CHECK: linalg.fill {{.*}} -> tensor<4x4xf32>
// CHECK: iterator_types = ["reduction", "parallel", "parallel"]{{.*}} ins(%{{.*}} : tensor<160x4x4xf32>)
// CHECK: outs(%arg1 : tensor<4xf32>)

// CHECK-LABEL: func.func @beside_product(
// CHECK-NOT: tensor.expand_shape
// CHECK: iterator_types = ["reduction", "parallel"]{{.*}} ins(%{{.*}} : tensor<640x4xf32>) outs(%arg2 : tensor<4xf32>)

// CHECK-LABEL: func.func @ordered(
// CHECK-NOT: linalg.fill
// CHECK: iterator_types = ["reduction", "reduction"]

#id = affine_map<(d0, d1) -> (d0, d1)>
#all = affine_map<(d0, d1) -> ()>
#columns = affine_map<(d0, d1) -> (d1)>

// All of it: rows are added to each other, then along the lanes.
func.func @all(%x: tensor<64x512xf32>, %init: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<64x512xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.mulf %in, %in : f32
    %2 = arith.addf %1, %out : f32
    linalg.yield %2 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// Few columns: several rows beside each other.
func.func @few_columns(%x: tensor<640x4xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #columns], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<640x4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.maximumf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The result of a product has its rows at rows of VMEM: its columns are added one row after the other.
#left = affine_map<(d0, d1, d2) -> (d0, d2)>
#right = affine_map<(d0, d1, d2) -> (d2, d1)>
#product = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @beside_product(%x: tensor<640x8xf32>, %w: tensor<8x4xf32>, %init: tensor<4xf32>, %sums: tensor<640x4xf32>) -> tensor<4xf32> {
  %y = linalg.generic {indexing_maps = [#left, #right, #product], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<640x8xf32>, tensor<8x4xf32>) outs(%sums : tensor<640x4xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %out, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<640x4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #columns], iterator_types = ["reduction", "parallel"]}
      ins(%y : tensor<640x4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The order of subtractions means something.
func.func @ordered(%x: tensor<64x512xf32>, %init: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<64x512xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.subf %out, %in : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
