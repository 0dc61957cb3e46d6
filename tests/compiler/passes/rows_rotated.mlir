// RUN: tandem-opt %s --preset=nano --tandem-lower-to-tpu --canonicalize --tandem-tidy-tpu | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// Two operands and the result begin at lane 1, so that columns begin there, too; only those at
// lanes 0 and 2 are rotated. They are in the same rows of VMEM, which are loaded once, without the
// words beside the operands.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: "tpu.lrot"
// CHECK-NOT: "tpu.lrot"
// CHECK: "tpu.vst"
// CHECK: return
func.func @main(%out: memref<8x10xf32> {tandem.direction = "out", tandem.name = "out0", tandem.type = "f32"}) {
  %a = memref.alloc() {tandem.address = 0 : i64} : memref<240xf32, "vmem">
  %b = memref.alloc() {tandem.address = 240 : i64} : memref<192xf32, "vmem">
  %up = memref.reinterpret_cast %a to offset: [1], sizes: [8, 6], strides: [24, 1] : memref<240xf32, "vmem"> to memref<8x6xf32, strided<[24, 1], offset: 1>, "vmem">
  %down = memref.reinterpret_cast %a to offset: [49], sizes: [8, 6], strides: [24, 1] : memref<240xf32, "vmem"> to memref<8x6xf32, strided<[24, 1], offset: 49>, "vmem">
  %left = memref.reinterpret_cast %a to offset: [24], sizes: [8, 6], strides: [24, 1] : memref<240xf32, "vmem"> to memref<8x6xf32, strided<[24, 1], offset: 24>, "vmem">
  %right = memref.reinterpret_cast %a to offset: [26], sizes: [8, 6], strides: [24, 1] : memref<240xf32, "vmem"> to memref<8x6xf32, strided<[24, 1], offset: 26>, "vmem">
  %to = memref.reinterpret_cast %b to offset: [1], sizes: [8, 6], strides: [24, 1] : memref<192xf32, "vmem"> to memref<8x6xf32, strided<[24, 1], offset: 1>, "vmem">
  linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%up, %down, %left, %right : memref<8x6xf32, strided<[24, 1], offset: 1>, "vmem">, memref<8x6xf32, strided<[24, 1], offset: 49>, "vmem">, memref<8x6xf32, strided<[24, 1], offset: 24>, "vmem">, memref<8x6xf32, strided<[24, 1], offset: 26>, "vmem">) outs(%to : memref<8x6xf32, strided<[24, 1], offset: 1>, "vmem">) attrs = {tandem.rows} {
  ^bb0(%p: f32, %q: f32, %r: f32, %s: f32, %o: f32):
    %x = arith.addf %p, %q : f32
    %y = arith.addf %x, %r : f32
    %z = arith.addf %y, %s : f32
    linalg.yield %z : f32
  }
  %whole = memref.reinterpret_cast %b to offset: [0], sizes: [8, 10], strides: [24, 1] : memref<192xf32, "vmem"> to memref<8x10xf32, strided<[24, 1]>, "vmem">
  memref.copy %whole, %out : memref<8x10xf32, strided<[24, 1]>, "vmem"> to memref<8x10xf32>
  return
}
