// RUN: tandem-opt %s --preset=small --tandem-split-reductions | FileCheck %s

// CHECK-LABEL: func.func @all(
// CHECK: linalg.fill {{.*}} -> tensor<512xf32>
// CHECK: iterator_types = ["reduction", "parallel"]{{.*}} ins(%arg0 : tensor<64x512xf32>)
// CHECK: arith.mulf
// CHECK: iterator_types = ["reduction"]{{.*}} outs(%arg1 : tensor<f32>)
// CHECK-NOT: arith.mulf

// CHECK-LABEL: func.func @few_columns(
// CHECK: arith.constant 0xFF800000 : f32
// CHECK: linalg.fill {{.*}} -> tensor<2x8xf32>
// CHECK: iterator_types = ["reduction", "parallel", "parallel"]{{.*}} ins(%{{.*}} : tensor<320x2x8xf32>)
// CHECK: outs(%arg1 : tensor<8xf32>)

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
func.func @few_columns(%x: tensor<640x8xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #columns], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<640x8xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.maximumf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
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
