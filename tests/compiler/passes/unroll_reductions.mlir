// RUN: tandem-opt %s --tandem-unroll-reductions | FileCheck %s

#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#part = affine_map<(d0, d1, d2) -> (d0, d1)>
#outer = affine_map<(d0, d1, d2) -> (d0, d2)>
#inner = affine_map<(d0, d1, d2) -> (d1, d2)>

// Sums from zero begin with the first slice; what belongs to an iteration is cut, too.
// CHECK-LABEL: func.func @sum(
// CHECK: tensor.extract_slice %arg0[0, 0, 0] [64, 1, 40] [1, 1, 1] : tensor<64x2x40xf32> to tensor<64x40xf32>
// CHECK: tensor.extract_slice %arg1[0, 0] [64, 1] [1, 1] : tensor<64x2xf32> to tensor<64xf32>
// CHECK: tensor.extract_slice %arg0[0, 1, 0] [64, 1, 40]
// CHECK: tensor.extract_slice %arg1[0, 1] [64, 1]
// CHECK: iterator_types = ["parallel", "parallel"]
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32, %[[D:.*]]: f32, %{{.*}}: f32):
// CHECK: %[[ONE:.*]] = arith.mulf %[[A]], %[[B]] : f32
// CHECK: %[[TWO:.*]] = arith.mulf %[[C]], %[[D]] : f32
// CHECK: %[[SUM:.*]] = arith.addf %[[ONE]], %[[TWO]] : f32
// CHECK: linalg.yield %[[SUM]] : f32
func.func @sum(%x: tensor<64x2x40xf32>, %w: tensor<64x2xf32>) -> tensor<64x40xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x40xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x40xf32>) -> tensor<64x40xf32>
  %0 = linalg.generic {indexing_maps = [#all, #part, #outer], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x, %w : tensor<64x2x40xf32>, tensor<64x2xf32>) outs(%init : tensor<64x40xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %out, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64x40xf32>
  return %0 : tensor<64x40xf32>
}

// Another beginning is an operand. The index of the loop is a number, that of a later one counts on.
// CHECK-LABEL: func.func @indexed(
// CHECK: linalg.generic {{.*}} ins(%arg1, %{{.*}}, %{{.*}} : tensor<64x40xi32>, tensor<64x40xi32>, tensor<64x40xi32>)
// CHECK: linalg.index 1 : index
// CHECK: arith.addi
// CHECK: linalg.index 1 : index
// CHECK: arith.addi
// CHECK-NOT: linalg.index 2
func.func @indexed(%x: tensor<64x2x40xi32>, %init: tensor<64x40xi32>) -> tensor<64x40xi32> {
  %0 = linalg.generic {indexing_maps = [#all, #outer], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : tensor<64x2x40xi32>) outs(%init : tensor<64x40xi32>) {
  ^bb0(%a: i32, %out: i32):
    %k = linalg.index 1 : index
    %c = linalg.index 2 : index
    %s = arith.addi %k, %c : index
    %i = arith.index_cast %s : index to i32
    %1 = arith.muli %a, %i : i32
    %2 = arith.addi %out, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<64x40xi32>
  return %0 : tensor<64x40xi32>
}

// Loops that come first, and long ones, have stages of their own.
// CHECK-LABEL: func.func @leading(
// CHECK-NOT: tensor.extract_slice
// CHECK: iterator_types = ["reduction", "parallel", "parallel"]
func.func @leading(%x: tensor<2x64x40xf32>, %init: tensor<64x40xf32>) -> tensor<64x40xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #inner], iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%x : tensor<2x64x40xf32>) outs(%init : tensor<64x40xf32>) {
  ^bb0(%a: f32, %out: f32):
    %1 = arith.addf %out, %a : f32
    linalg.yield %1 : f32
  } -> tensor<64x40xf32>
  return %0 : tensor<64x40xf32>
}

// CHECK-LABEL: func.func @long(
// CHECK-NOT: tensor.extract_slice
// CHECK: iterator_types = ["parallel", "reduction", "parallel"]
func.func @long(%x: tensor<8x17x40xf32>, %init: tensor<8x40xf32>) -> tensor<8x40xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #outer], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : tensor<8x17x40xf32>) outs(%init : tensor<8x40xf32>) {
  ^bb0(%a: f32, %out: f32):
    %1 = arith.addf %out, %a : f32
    linalg.yield %1 : f32
  } -> tensor<8x40xf32>
  return %0 : tensor<8x40xf32>
}
