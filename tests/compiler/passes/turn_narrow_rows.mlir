// RUN: tandem-opt %s --preset=full --tandem-turn-narrow-rows | FileCheck %s

// The table comes turned, its rows are summed down columns, and the result goes turned.
// CHECK-DAG: #[[TURNED:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[TABLE:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @centred(
// CHECK: linalg.generic {indexing_maps = [#[[TURNED]], #[[TABLE]]]{{.*}} tensor<5x2048xf32>
// CHECK: linalg.generic {indexing_maps = [#[[TABLE]], #[[ROW]]], iterator_types = ["reduction", "parallel"]} ins({{.*}}tensor<5x2048xf32>) outs({{.*}}tensor<2048xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[TABLE]], #[[ROW]], #[[TABLE]]], iterator_types = ["parallel", "parallel"]}{{.*}} outs({{.*}}tensor<5x2048xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[TURNED]], #[[TABLE]]]{{.*}} tensor<2048x5xf32>

// Without sums of rows there is nothing to gain.
// CHECK-LABEL: func.func @scaled(
// CHECK-NOT: tensor<5x2048xf32>

// A gather wants rows.
// CHECK-LABEL: func.func @also_sliced(
// CHECK-NOT: tensor<5x2048xf32>
#table = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @centred(%x: memref<2048x5xf32>, %y: memref<2048x5xf32>) {
  %0 = bufferization.to_tensor %x restrict : memref<2048x5xf32> to tensor<2048x5xf32>
  %zero = arith.constant 0.0 : f32
  %none = tensor.empty() : tensor<2048xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%none : tensor<2048xf32>) -> tensor<2048xf32>
  %1 = linalg.generic {indexing_maps = [#table, #row], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<2048x5xf32>) outs(%zeros : tensor<2048xf32>) {
  ^bb0(%one: f32, %sum: f32):
    %3 = arith.addf %sum, %one : f32
    linalg.yield %3 : f32
  } -> tensor<2048xf32>
  %init = tensor.empty() : tensor<2048x5xf32>
  %2 = linalg.generic {indexing_maps = [#table, #row, #table],
      iterator_types = ["parallel", "parallel"]}
      ins(%0, %1 : tensor<2048x5xf32>, tensor<2048xf32>) outs(%init : tensor<2048x5xf32>) {
  ^bb0(%one: f32, %sum: f32, %out: f32):
    %3 = arith.subf %one, %sum : f32
    linalg.yield %3 : f32
  } -> tensor<2048x5xf32>
  bufferization.materialize_in_destination %2 in restrict writable %y
      : (tensor<2048x5xf32>, memref<2048x5xf32>) -> ()
  return
}
func.func @scaled(%x: memref<2048x5xf32>, %y: memref<2048x5xf32>) {
  %0 = bufferization.to_tensor %x restrict : memref<2048x5xf32> to tensor<2048x5xf32>
  %init = tensor.empty() : tensor<2048x5xf32>
  %1 = linalg.generic {indexing_maps = [#table, #table], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<2048x5xf32>) outs(%init : tensor<2048x5xf32>) {
  ^bb0(%one: f32, %out: f32):
    %2 = arith.mulf %one, %one : f32
    linalg.yield %2 : f32
  } -> tensor<2048x5xf32>
  bufferization.materialize_in_destination %1 in restrict writable %y
      : (tensor<2048x5xf32>, memref<2048x5xf32>) -> ()
  return
}
func.func @also_sliced(%x: memref<2048x5xf32>, %y: memref<2048xf32>, %z: memref<3x5xf32>) {
  %0 = bufferization.to_tensor %x restrict : memref<2048x5xf32> to tensor<2048x5xf32>
  %zero = arith.constant 0.0 : f32
  %none = tensor.empty() : tensor<2048xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%none : tensor<2048xf32>) -> tensor<2048xf32>
  %1 = linalg.generic {indexing_maps = [#table, #row], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<2048x5xf32>) outs(%zeros : tensor<2048xf32>) {
  ^bb0(%one: f32, %sum: f32):
    %3 = arith.addf %sum, %one : f32
    linalg.yield %3 : f32
  } -> tensor<2048xf32>
  %part = tensor.extract_slice %0[7, 0] [3, 5] [1, 1] : tensor<2048x5xf32> to tensor<3x5xf32>
  bufferization.materialize_in_destination %1 in restrict writable %y
      : (tensor<2048xf32>, memref<2048xf32>) -> ()
  bufferization.materialize_in_destination %part in restrict writable %z
      : (tensor<3x5xf32>, memref<3x5xf32>) -> ()
  return
}
