// RUN: tandem-opt %s --preset=nano --tandem-pair-columns --canonicalize --cse | FileCheck %s

#left = affine_map<(d0, d1, d2) -> (d0, d2)>
#right = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// The weights are packed before the loop, a column of the first half with one of the second; each
// half of the words makes a half of the result.
// CHECK-LABEL: func.func @turns
// CHECK-DAG: %[[LOW:.*]] = tensor.extract_slice %arg1[0, 0] [16, 8] [1, 1]
// CHECK-DAG: %[[HIGH:.*]] = tensor.extract_slice %arg1[0, 8] [16, 8] [1, 1]
// CHECK: %[[WORDS:.*]] = linalg.generic {{.*}}ins(%[[LOW]], %[[HIGH]]
// CHECK: scf.for
// CHECK: linalg.generic {{.*}}ins(%{{.*}}, %[[WORDS]] {{.*}}tandem.right = "lo"
// CHECK: linalg.generic {{.*}}ins(%{{.*}}, %[[WORDS]] {{.*}}tandem.right = "hi"
// CHECK: tensor.insert_slice {{.*}}[0, 8] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<8x16xf32>
func.func @turns(%x: tensor<8x16xf32>, %w: tensor<16x16xbf16>) -> tensor<8x16xf32> {
  %none = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %y = scf.for %i = %none to %three step %one iter_args(%v = %x) -> tensor<8x16xf32> {
    %room = tensor.empty() : tensor<8x16xf32>
    %start = linalg.fill ins(%zero : f32) outs(%room : tensor<8x16xf32>) -> tensor<8x16xf32>
    %next = linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v, %w : tensor<8x16xf32>, tensor<16x16xbf16>) outs(%start : tensor<8x16xf32>) attrs = {tandem.precision = "DEFAULT"} {
    ^bb0(%p: f32, %q: bf16, %s: f32):
      %1 = arith.extf %q : bf16 to f32
      %2 = arith.mulf %p, %1 : f32
      %3 = arith.addf %s, %2 : f32
      linalg.yield %3 : f32
    } -> tensor<8x16xf32>
    scf.yield %next : tensor<8x16xf32>
  }
  return %y : tensor<8x16xf32>
}

// Nothing is gained where weights are used once.
// CHECK-LABEL: func.func @once
// CHECK-NOT: tandem.right
func.func @once(%x: tensor<8x16xf32>, %w: tensor<16x16xbf16>, %start: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %next = linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x16xf32>, tensor<16x16xbf16>) outs(%start : tensor<8x16xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: bf16, %s: f32):
    %1 = arith.extf %q : bf16 to f32
    %2 = arith.mulf %p, %1 : f32
    %3 = arith.addf %s, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8x16xf32>
  return %next : tensor<8x16xf32>
}
