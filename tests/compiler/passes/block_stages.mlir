// RUN: tandem-opt %s --preset=nano --tandem-cut-into-blocks --canonicalize | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Three stages, of which only one needs the transcendental unit: the first block goes ahead, then in
// each iteration the last stage is on one block, the one before on the next, the first on the one after;
// values read by the first stage are passed on to the second one.
// CHECK-LABEL: func.func @softmax
// CHECK: arith.maximumf
// CHECK: tandem.beside
// CHECK: math.exp
// CHECK: tandem.apart
// CHECK: arith.maximumf
// CHECK: scf.for
// CHECK: memref.copy
// CHECK: arith.divf
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK: tandem.beside
// CHECK: memref.copy
// CHECK: memref.copy
// CHECK: arith.divf
// CHECK: math.exp
// CHECK: arith.maximumf
// CHECK: memref.copy {{.*}} {tandem.carried}
// CHECK: }
// CHECK: arith.divf
// CHECK: math.exp
// CHECK: memref.copy
// CHECK-NOT: arith.maximumf
// CHECK: arith.divf
// CHECK: memref.copy
// CHECK: return
func.func @softmax(%x: memref<512x128xf32>, %y: memref<512x128xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %values = memref.alloc() : memref<512xf32>
  %powers = memref.alloc() : memref<512x128xf32>
  linalg.fill ins(%low : f32) outs(%values : memref<512xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<512x128xf32>) outs(%values : memref<512xf32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.maximumf %q, %p : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %values : memref<512x128xf32>, memref<512xf32>) outs(%powers : memref<512x128xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.subf %p, %q : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  }
  linalg.fill ins(%zero : f32) outs(%values : memref<512xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%powers : memref<512x128xf32>) outs(%values : memref<512xf32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %q, %p : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%powers, %values : memref<512x128xf32>, memref<512xf32>) outs(%y : memref<512x128xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.divf %p, %q : f32
    linalg.yield %s : f32
  }
  return
}

// Where copies take longest, stages one after the other are as good.
// CHECK-LABEL: func.func @scale
// CHECK-NOT: tandem.beside
// CHECK: return
func.func @scale(%x: memref<512x128xf32>, %y: memref<512x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<512xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<512xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<512x128xf32>) outs(%sums : memref<512xf32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %q, %p : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sums : memref<512x128xf32>, memref<512xf32>) outs(%y : memref<512x128xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.mulf %p, %q : f32
    linalg.yield %s : f32
  }
  return
}
