// RUN: tandem-opt %s --preset=small --tandem-cut-into-blocks --canonicalize --cse | FileCheck %s

#left = affine_map<(m, n, k) -> (m, k)>
#right = affine_map<(m, n, k) -> (k, n)>
#made = affine_map<(m, n, k) -> (m, n)>

// All but the weights would fit: blocks of rows would read these once for each block.
// CHECK-LABEL: func.func @weights
// CHECK-NOT: scf.for
// CHECK: return
func.func @weights(%x: memref<32x384xf32>, %w: memref<384x512xf32>, %y: memref<32x512xf32>) {
  linalg.generic {indexing_maps = [#left, #right, #made], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : memref<32x384xf32>, memref<384x512xf32>) outs(%y : memref<32x512xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// Six rows would multiply for a shorter time than weights take to be pushed.
// CHECK-LABEL: func.func @thin
// CHECK-NOT: scf.for
// CHECK: return
func.func @thin(%x: memref<24x512xf32>, %w: memref<512x4096xf32>, %v: memref<4096x512xf32>, %y: memref<24x512xf32>) {
  %h = memref.alloc() : memref<24x4096xf32>
  linalg.generic {indexing_maps = [#left, #right, #made], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : memref<24x512xf32>, memref<512x4096xf32>) outs(%h : memref<24x4096xf32>) attrs = {tandem.precision = "DEFAULT", tandem.from_zero} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  linalg.generic {indexing_maps = [#left, #right, #made], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %v : memref<24x4096xf32>, memref<4096x512xf32>) outs(%y : memref<24x512xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// Many rows go block by block.
// CHECK-LABEL: func.func @rows
// CHECK: scf.for
// CHECK: return
func.func @rows(%x: memref<2048x384xf32>, %w: memref<384x256xf32>, %y: memref<2048x256xf32>) {
  linalg.generic {indexing_maps = [#left, #right, #made], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : memref<2048x384xf32>, memref<384x256xf32>) outs(%y : memref<2048x256xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  return
}
