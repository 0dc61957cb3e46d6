// RUN: tandem-opt %s --preset=nano --tandem-prefetch-operands --canonicalize --cse | FileCheck %s

#left = affine_map<(d0, d1, d2) -> (d0, d2)>
#right = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// The weights of the second contraction are on their way while the first one multiplies; its left
// operand comes when it has been written.
// CHECK-LABEL: func.func @two
// CHECK-SAME: %[[X:.*]]: memref<8x16xf32>, %[[A:.*]]: memref<16x16xf32>, %[[B:.*]]: memref<16x8xf32>
// CHECK-DAG: memref.copy %[[A]], %{{.*}} : memref<16x16xf32> to memref<16x16xf32, strided<[24, 1]>, "vmem">
// CHECK-DAG: memref.copy %[[B]], %{{.*}} : memref<16x8xf32> to memref<16x8xf32, strided<[8, 1]>, "vmem">
// CHECK: linalg.generic
// CHECK: memref.copy %{{.*}} : memref<8x16xf32> to memref<8x16xf32, strided<[24, 1]>, "vmem">
// CHECK: linalg.generic
func.func @two(%x: memref<8x16xf32>, %a: memref<16x16xf32>, %b: memref<16x8xf32>, %y: memref<8x8xf32>) {
  %h = memref.alloc() : memref<8x16xf32>
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %a : memref<8x16xf32>, memref<16x16xf32>) outs(%h : memref<8x16xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %b : memref<8x16xf32>, memref<16x8xf32>) outs(%y : memref<8x8xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// Operands without room stay where they are.
// CHECK-LABEL: func.func @large
// CHECK-NOT: memref<4096x4096xf32, strided
func.func @large(%x: memref<8x4096xf32>, %a: memref<4096x4096xf32>, %y: memref<8x4096xf32>) {
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %a : memref<8x4096xf32>, memref<4096x4096xf32>) outs(%y : memref<8x4096xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  return
}
