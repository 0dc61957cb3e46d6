// RUN: tandem-opt %s --preset=nano --tandem-plan-buffers --tandem-lower-to-tpu | FileCheck %s

#left = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d0, d4)>
#right = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4, d1)>
#result = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>

// A copy of results between two contractions starts after the last multiplications of the second
// one, so that nothing which these wait for is after it; the last copy starts at the end.
// CHECK-LABEL: func.func @main
// CHECK-NOT: "tpu.copy"
// CHECK: "tpu.mxread"() {absolute, acc = 0
// CHECK: "tpu.mxread"() {absolute, acc = 1
// CHECK: "tpu.mxmul.bf16"({{.*}}) {absolute, acc = 3 : i64, add
// CHECK-NOT: "tpu.mxread"
// CHECK: "tpu.copy"
// CHECK: "tpu.mxread"() {absolute, acc = 2
// CHECK: "tpu.mxread"() {absolute, acc = 3
// CHECK: "tpu.copy"
// CHECK-NOT: "tpu.copy"
func.func @main(%out: memref<16x16xf32> {tandem.direction = "out", tandem.name = "out0", tandem.type = "f32"}) attributes {tandem.vmem_rows = 200 : i64} {
  %rows = memref.alloc() {tandem.address = 0 : i64} : memref<256xf32, "vmem">
  %weights = memref.alloc() {tandem.address = 256 : i64} : memref<128xf32, "vmem">
  %others = memref.alloc() {tandem.address = 384 : i64} : memref<128xf32, "vmem">
  %sums = memref.alloc() {tandem.address = 512 : i64} : memref<384xf32, "vmem">
  %left = memref.reinterpret_cast %rows to offset: [0], sizes: [1, 2, 16, 8], strides: [0, 128, 8, 1] : memref<256xf32, "vmem"> to memref<1x2x16x8xf32, strided<[0, 128, 8, 1]>, "vmem">
  %right = memref.reinterpret_cast %weights to offset: [0], sizes: [1, 2, 8, 8], strides: [0, 64, 8, 1] : memref<128xf32, "vmem"> to memref<1x2x8x8xf32, strided<[0, 64, 8, 1]>, "vmem">
  %second = memref.reinterpret_cast %others to offset: [0], sizes: [1, 2, 8, 8], strides: [0, 64, 8, 1] : memref<128xf32, "vmem"> to memref<1x2x8x8xf32, strided<[0, 64, 8, 1]>, "vmem">
  %near = memref.reinterpret_cast %sums to offset: [0], sizes: [16, 8], strides: [24, 1] : memref<384xf32, "vmem"> to memref<16x8xf32, strided<[24, 1]>, "vmem">
  %far = memref.reinterpret_cast %sums to offset: [8], sizes: [16, 8], strides: [24, 1] : memref<384xf32, "vmem"> to memref<16x8xf32, strided<[24, 1], offset: 8>, "vmem">
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%left, %right : memref<1x2x16x8xf32, strided<[0, 128, 8, 1]>, "vmem">, memref<1x2x8x8xf32, strided<[0, 64, 8, 1]>, "vmem">) outs(%near : memref<16x8xf32, strided<[24, 1]>, "vmem">) attrs = {tandem.overwrites, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  %half = memref.reinterpret_cast %out to offset: [0], sizes: [16, 8], strides: [16, 1] : memref<16x16xf32> to memref<16x8xf32, strided<[16, 1]>>
  memref.copy %near, %half : memref<16x8xf32, strided<[24, 1]>, "vmem"> to memref<16x8xf32, strided<[16, 1]>>
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%left, %second : memref<1x2x16x8xf32, strided<[0, 128, 8, 1]>, "vmem">, memref<1x2x8x8xf32, strided<[0, 64, 8, 1]>, "vmem">) outs(%far : memref<16x8xf32, strided<[24, 1], offset: 8>, "vmem">) attrs = {tandem.overwrites, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  %other = memref.reinterpret_cast %out to offset: [8], sizes: [16, 8], strides: [16, 1] : memref<16x16xf32> to memref<16x8xf32, strided<[16, 1], offset: 8>>
  memref.copy %far, %other : memref<16x8xf32, strided<[24, 1], offset: 8>, "vmem"> to memref<16x8xf32, strided<[16, 1], offset: 8>>
  return
}
