// RUN: tandem-opt %s --preset=nano --tandem-send-results | FileCheck %s

#rows = affine_map<(d0, d1) -> (d0, d1)>

// A result that an update in place has completed leaves before the loop that only reads it.
// CHECK-LABEL: func.func @main
// CHECK: memref.copy %{{.*}} : memref<1x8xf32> to memref<1x8xf32, strided<[8, 1]>, "vmem">
// CHECK-NEXT: memref.copy %[[BUFFER:.*]], %arg2
// CHECK: scf.for
// CHECK-NOT: memref.copy %{{.*}}, %arg2
func.func @main(%x: memref<64x8xf32>, %row: memref<1x8xf32>, %far: memref<64x8xf32>, %other: memref<64x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<64x8xf32, "vmem">
  %b = memref.alloc() : memref<64x8xf32, "vmem">
  memref.copy %x, %a : memref<64x8xf32> to memref<64x8xf32, "vmem">
  %place = memref.reinterpret_cast %a to offset: [0], sizes: [1, 8], strides: [8, 1] : memref<64x8xf32, "vmem"> to memref<1x8xf32, strided<[8, 1]>, "vmem">
  memref.copy %row, %place : memref<1x8xf32> to memref<1x8xf32, strided<[8, 1]>, "vmem">
  scf.for %i = %c0 to %c8 step %c1 {
    linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%a : memref<64x8xf32, "vmem">) outs(%b : memref<64x8xf32, "vmem">) {
    ^bb0(%p: f32, %q: f32):
      %0 = arith.addf %p, %q : f32
      linalg.yield %0 : f32
    }
  }
  memref.copy %a, %far : memref<64x8xf32, "vmem"> to memref<64x8xf32>
  memref.copy %b, %other : memref<64x8xf32, "vmem"> to memref<64x8xf32>
  return
}
