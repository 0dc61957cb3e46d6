// RUN: tandem-opt %s --pass-pipeline='builtin.module(func.func(tandem-fuse))' | FileCheck %s

// Only the iota's shape determines the extent of the sum: it stays an operand.
// CHECK: %[[N:.*]] = linalg.generic
// CHECK: linalg.generic {{.*}}"reduction"{{.*}} ins(%[[N]] : tensor<4x5xf32>)
#all = affine_map<(d0, d1) -> (d0, d1)>
#kept = affine_map<(d0, d1) -> (d1)>
func.func @main(%start: tensor<5xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<4x5xf32>
  %n = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x5xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %w = arith.index_cast %i : index to i32
    %r = arith.sitofp %w : i32 to f32
    linalg.yield %r : f32
  } -> tensor<4x5xf32>
  %s = linalg.generic {indexing_maps = [#all, #kept], iterator_types = ["reduction", "parallel"]} ins(%n : tensor<4x5xf32>) outs(%start : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.addf %in, %out : f32
    linalg.yield %a : f32
  } -> tensor<5xf32>
  return %s : tensor<5xf32>
}
