// RUN: tandem-opt %s --tandem-cut-chains | FileCheck %s

// Seventeen operations that each write in place of the previous one: the sixteenth is copied.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-16: linalg.generic
// CHECK: %[[ROOM:.*]] = tensor.empty() : tensor<4xf32>
// CHECK: linalg.copy {{.*}} outs(%[[ROOM]]
// CHECK: linalg.generic
// CHECK-NOT: linalg.copy
#map = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%out: f32):
    %y = arith.addf %out, %out : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<4xf32>) {
  ^bb0(%out: f32):
    %y = arith.addf %out, %out : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%1 : tensor<4xf32>) {
  ^bb0(%out: f32):
    %y = arith.addf %out, %out : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %3 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%2 : tensor<4xf32>) {
  ^bb0(%out: f32):
    %y = arith.addf %out, %out : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %4 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%3 : tensor<4xf32>) {
  ^bb0(%out: f32):
    %y = arith.addf %out, %out : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %5 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%4 : tensor<4xf32>) {
  ^bb0(%out: f32):
    %y = arith.addf %out, %out : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %6 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%5 : tensor<4xf32>) {
  ^bb0(%out: f32):
    %y = arith.addf %out, %out : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %7 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%6 : tensor<4xf32>) {
  ^bb0(%out: f32):
    %y = arith.addf %out, %out : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %8 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%7 : tensor<4xf32>) {
  ^bb0(%out: f32):
    %y = arith.addf %out, %out : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %9 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%8 : tensor<4xf32>) {
  ^bb0(%out: f32):
    %y = arith.addf %out, %out : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %10 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%9 : tensor<4xf32>) {
  ^bb0(%out: f32):
    %y = arith.addf %out, %out : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %11 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%10 : tensor<4xf32>) {
  ^bb0(%out: f32):
    %y = arith.addf %out, %out : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %12 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%11 : tensor<4xf32>) {
  ^bb0(%out: f32):
    %y = arith.addf %out, %out : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %13 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%12 : tensor<4xf32>) {
  ^bb0(%out: f32):
    %y = arith.addf %out, %out : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %14 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%13 : tensor<4xf32>) {
  ^bb0(%out: f32):
    %y = arith.addf %out, %out : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %15 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%14 : tensor<4xf32>) {
  ^bb0(%out: f32):
    %y = arith.addf %out, %out : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %16 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%15 : tensor<4xf32>) {
  ^bb0(%out: f32):
    %y = arith.addf %out, %out : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  return %16 : tensor<4xf32>
}
