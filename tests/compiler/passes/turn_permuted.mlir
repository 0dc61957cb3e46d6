// RUN: tandem-opt %s --preset=full --tandem-lower-to-tpu | FileCheck %s
// RUN: tandem-opt %s --preset=small --tandem-lower-to-tpu | FileCheck %s --check-prefix=NARROW

// A tile of 128 x 128 takes 16 permutations of lanes to its blocks' places, and 16 back; the rest is
// done by selects. Sublanes are rotated by 1, 2 and 4.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: "tpu.transpose"
// CHECK-COUNT-3: "tpu.vrot.sub"
// CHECK-COUNT-31: "tpu.lperm"
// CHECK-NOT: "tpu.lperm"
// CHECK: return

// Two registers are transposed and rotated in as many instructions.
// NARROW-LABEL: func.func @main(
// NARROW-NOT: "tpu.lperm"
// NARROW: "tpu.transpose"
// NARROW: return
func.func @main(%x: memref<1xf32> {tandem.direction = "in", tandem.name = "arg0", tandem.type = "f32"}) {
  %from = memref.alloc() {tandem.address = 0 : i64} : memref<128x128xf32, "vmem">
  %to = memref.alloc() {tandem.address = 16384 : i64} : memref<128x128xf32, "vmem">
  %turned = memref.reinterpret_cast %from to offset: [0], sizes: [128, 128], strides: [1, 128]
      : memref<128x128xf32, "vmem"> to memref<128x128xf32, strided<[1, 128]>, "vmem">
  memref.copy %turned, %to {tandem.in_registers}
      : memref<128x128xf32, strided<[1, 128]>, "vmem"> to memref<128x128xf32, "vmem">
  return
}
