// RUN: tandem-opt %s --preset=small --tandem-tile | FileCheck %s --check-prefix=TILE
// RUN: tandem-opt %s --preset=small --tandem-tile --tandem-plan-buffers --tandem-lower-to-tpu | FileCheck %s

// Odd columns of blocks of rows that a loop counts: the first one's lane is known, its row is not.
// TILE-LABEL: func.func @main(
// TILE: scf.for
// TILE: memref.copy {{.*}} {tandem.in_registers} : memref<16x32xf32, strided<[80, 2], offset: ?>, "vmem">

// CHECK-LABEL: func.func @main(
// CHECK: scf.for
// CHECK-NOT: "tpu.copy"
// CHECK: "tpu.lperm"
// CHECK: "tpu.vst"
// CHECK: return
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%y: memref<16x32xf32> {tandem.direction = "out", tandem.name = "out0", tandem.type = "f32"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c80 = arith.constant 80 : index
  %zero = arith.constant 0.0 : f32
  %x = memref.alloc() : memref<64x80xf32, "vmem">
  %odd = memref.alloc() : memref<16x32xf32, "vmem">
  linalg.fill ins(%zero : f32) outs(%x : memref<64x80xf32, "vmem">)
  scf.for %i = %c0 to %c64 step %c16 {
    %rows = arith.muli %i, %c80 : index
    %word = arith.addi %rows, %c1 : index
    %view = memref.reinterpret_cast %x to offset: [%word], sizes: [16, 32], strides: [80, 2] : memref<64x80xf32, "vmem"> to memref<16x32xf32, strided<[80, 2], offset: ?>, "vmem">
    memref.copy %view, %odd : memref<16x32xf32, strided<[80, 2], offset: ?>, "vmem"> to memref<16x32xf32, "vmem">
  }
  memref.copy %odd, %y : memref<16x32xf32, "vmem"> to memref<16x32xf32>
  return
}
