// RUN: tandem-opt %s --preset=small --tandem-chunk-weight-columns | FileCheck %s

#left = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d0, d4)>
#right = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4, d1)>
#result = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>

// The inputs of the rows come before them, and the weights after both.
// CHECK-LABEL: func.func @made_of_a_copy
// CHECK: memref.copy %arg0
// CHECK: memref.copy {{.*}} {tandem.in_registers}
// CHECK: tandem.part_column = 0
// CHECK: memref.copy %arg2
// CHECK: scf.for
func.func @made_of_a_copy(%x: memref<64x64xf32> {tandem.direction = "in", tandem.name = "x", tandem.type = "f32"}, %w: memref<64x256xf32> {tandem.direction = "in", tandem.name = "w", tandem.type = "f32"}, %v: memref<8x8xf32> {tandem.direction = "in", tandem.name = "v", tandem.type = "f32"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %weights = memref.alloc() {tandem.address = 0 : i64} : memref<17408xf32, "vmem">
  %rows = memref.reinterpret_cast %weights to offset: [0], sizes: [64, 256], strides: [272, 1] : memref<17408xf32, "vmem"> to memref<64x256xf32, strided<[272, 1]>, "vmem">
  memref.copy %w, %rows : memref<64x256xf32> to memref<64x256xf32, strided<[272, 1]>, "vmem">
  %other = memref.alloc() {tandem.address = 17408 : i64} : memref<64xf32, "vmem">
  %square = memref.reinterpret_cast %other to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<64xf32, "vmem"> to memref<8x8xf32, strided<[8, 1]>, "vmem">
  memref.copy %v, %square : memref<8x8xf32> to memref<8x8xf32, strided<[8, 1]>, "vmem">
  %near = memref.alloc() {tandem.address = 17472 : i64} : memref<5120xf32, "vmem">
  %lines = memref.reinterpret_cast %near to offset: [0], sizes: [64, 64], strides: [80, 1] : memref<5120xf32, "vmem"> to memref<64x64xf32, strided<[80, 1]>, "vmem">
  %come = memref.alloc() {tandem.address = 39999 : i64} : memref<5120xf32, "vmem">
  %straight = memref.reinterpret_cast %come to offset: [0], sizes: [64, 64], strides: [80, 1] : memref<5120xf32, "vmem"> to memref<64x64xf32, strided<[80, 1]>, "vmem">
  %turned = memref.reinterpret_cast %come to offset: [0], sizes: [64, 64], strides: [1, 80] : memref<5120xf32, "vmem"> to memref<64x64xf32, strided<[1, 80]>, "vmem">
  memref.copy %x, %straight : memref<64x64xf32> to memref<64x64xf32, strided<[80, 1]>, "vmem">
  memref.copy %turned, %lines {tandem.in_registers} : memref<64x64xf32, strided<[1, 80]>, "vmem"> to memref<64x64xf32, strided<[80, 1]>, "vmem">
  %sums = memref.alloc() {tandem.address = 22592 : i64} : memref<17408xf32, "vmem">
  %left = memref.reinterpret_cast %near to offset: [0], sizes: [1, 4, 64, 16], strides: [0, 16, 80, 1] : memref<5120xf32, "vmem"> to memref<1x4x64x16xf32, strided<[0, 16, 80, 1]>, "vmem">
  %right = memref.reinterpret_cast %weights to offset: [0], sizes: [1, 4, 16, 256], strides: [0, 4352, 272, 1] : memref<17408xf32, "vmem"> to memref<1x4x16x256xf32, strided<[0, 4352, 272, 1]>, "vmem">
  %result = memref.reinterpret_cast %sums to offset: [0], sizes: [64, 256], strides: [272, 1] : memref<17408xf32, "vmem"> to memref<64x256xf32, strided<[272, 1]>, "vmem">
  scf.for %i = %c0 to %c2 step %c1 {
    linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%left, %right : memref<1x4x64x16xf32, strided<[0, 16, 80, 1]>, "vmem">, memref<1x4x16x256xf32, strided<[0, 4352, 272, 1]>, "vmem">) outs(%result : memref<64x256xf32, strided<[272, 1]>, "vmem">) attrs = {tandem.overwrites, tandem.precision = "DEFAULT"} {
    ^bb0(%p: f32, %q: f32, %s: f32):
      %1 = arith.mulf %p, %q : f32
      %2 = arith.addf %s, %1 : f32
      linalg.yield %2 : f32
    }
  }
  memref.copy %square, %v : memref<8x8xf32, strided<[8, 1]>, "vmem"> to memref<8x8xf32>
  return
}
