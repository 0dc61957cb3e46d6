// RUN: tandem-opt %s --preset=full --tandem-cut-into-blocks --canonicalize --cse | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// Rows of few chunks are fetched, processed and stored in one loop: copies for later iterations
// come first, and results of the last iterations are stored after it.
// CHECK-LABEL: func.func @rows
// CHECK-DAG: %[[IN:.*]] = memref.alloc() : memref<64x1024xf32>
// CHECK-DAG: %[[OUT:.*]] = memref.alloc() : memref<64x1024xf32>
// CHECK-COUNT-4: memref.copy {{.*}} {tandem.stream = "in"}
// CHECK: scf.for
// CHECK: scf.if
// CHECK: memref.copy {{.*}} {tandem.stream = "in"}
// CHECK: scf.if
// CHECK: memref.copy {{.*}} {tandem.stream = "out"}
// CHECK: linalg.generic
// CHECK-SAME: memref<8x1024xf32
// CHECK: tandem.copies_apart = 4
// CHECK-COUNT-4: memref.copy
// CHECK-NOT: scf.for
func.func @rows(%x: memref<1024x1024xf32>, %y: memref<1024x1024xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<1024x1024xf32>) outs(%y : memref<1024x1024xf32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.mulf %p, %p : f32
    linalg.yield %s : f32
  }
  return
}

// Rows of many chunks have a loop of their own.
// CHECK-LABEL: func.func @wide
// CHECK-NOT: tandem.stream
func.func @wide(%x: memref<512x2048xf32>, %y: memref<512x2048xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<512x2048xf32>) outs(%y : memref<512x2048xf32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.mulf %p, %p : f32
    linalg.yield %s : f32
  }
  return
}
