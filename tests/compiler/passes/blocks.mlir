// RUN: tandem-opt %s --preset=nano --tandem-cut-into-blocks --canonicalize --cse | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Two operations on rows are one loop; buffers that only they use are no larger than a block.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: memref<512xf32>
// CHECK: %[[EVEN:.*]] = memref.alloc() : memref<[[STEP:[0-9]+]]x64xf32>
// CHECK: memref.copy {{.*}}, %{{.*}} : memref<[[STEP]]x64xf32
// CHECK: scf.for
// CHECK: memref.copy
// CHECK: memref.alloc() {tandem.block} : memref<[[STEP]]xf32>
// CHECK: linalg.generic {{.*}} "reduction"]
// CHECK: linalg.generic {{.*}} "parallel"]
// CHECK: memref.copy
func.func @rows(%x: memref<512x64xf32>, %y: memref<512x64xf32>) {
  %sums = memref.alloc() : memref<512xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sums : memref<512xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<512x64xf32>) outs(%sums : memref<512xf32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %q, %p : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sums : memref<512x64xf32>, memref<512xf32>) outs(%y : memref<512x64xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.mulf %p, %q : f32
    linalg.yield %s : f32
  }
  return
}

// Operations that fit VMEM need no blocks.
// CHECK-LABEL: func.func @small
// CHECK-NOT: scf.for
func.func @small(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<8x8xf32>) outs(%y : memref<8x8xf32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %p : f32
    linalg.yield %s : f32
  }
  return
}

// An operation that reads rows which another one writes elsewhere is not cut with it.
// CHECK-LABEL: func.func @turned
// CHECK: linalg.generic
// CHECK-SAME: memref<512x512xf32>
#turn = affine_map<(d0, d1) -> (d1, d0)>
func.func @turned(%x: memref<512x512xf32>) {
  linalg.generic {indexing_maps = [#turn, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<512x512xf32>) outs(%x : memref<512x512xf32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %p : f32
    linalg.yield %s : f32
  }
  return
}
