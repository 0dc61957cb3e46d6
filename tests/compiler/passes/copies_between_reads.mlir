// RUN: tandem-opt %s --preset=nano --tandem-plan-buffers --tandem-lower-to-tpu | FileCheck %s

#left = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d0, d4)>
#right = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4, d1)>
#result = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>

// Copies of a product's rows start as soon as these have been read. The last group has four rows, and is
// read once.
// CHECK-LABEL: func.func @main
// CHECK: "tpu.mxread"() {absolute, acc = 0
// CHECK: "tpu.vst"
// CHECK: "tpu.copy"
// CHECK: "tpu.mxread"() {absolute, acc = 1
// CHECK: "tpu.vst"
// CHECK: "tpu.mxread"() {absolute, acc = 2
// CHECK: "tpu.vst"{{.*}} rows = 4
// CHECK-NOT: "tpu.vst"
// CHECK: "tpu.copy"
func.func @main(%out: memref<20x8xf32> {tandem.direction = "out", tandem.name = "out0", tandem.type = "f32"}) attributes {tandem.vmem_rows = 200 : i64} {
  %rows = memref.alloc() {tandem.address = 0 : i64} : memref<192xf32, "vmem">
  %weights = memref.alloc() {tandem.address = 256 : i64} : memref<64xf32, "vmem">
  %sums = memref.alloc() {tandem.address = 512 : i64} : memref<192xf32, "vmem">
  %left = memref.reinterpret_cast %rows to offset: [0], sizes: [1, 1, 20, 8], strides: [0, 192, 8, 1] : memref<192xf32, "vmem"> to memref<1x1x20x8xf32, strided<[0, 192, 8, 1]>, "vmem">
  %right = memref.reinterpret_cast %weights to offset: [0], sizes: [1, 1, 8, 8], strides: [0, 64, 8, 1] : memref<64xf32, "vmem"> to memref<1x1x8x8xf32, strided<[0, 64, 8, 1]>, "vmem">
  %near = memref.reinterpret_cast %sums to offset: [0], sizes: [20, 8], strides: [8, 1] : memref<192xf32, "vmem"> to memref<20x8xf32, strided<[8, 1]>, "vmem">
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%left, %right : memref<1x1x20x8xf32, strided<[0, 192, 8, 1]>, "vmem">, memref<1x1x8x8xf32, strided<[0, 64, 8, 1]>, "vmem">) outs(%near : memref<20x8xf32, strided<[8, 1]>, "vmem">) attrs = {tandem.overwrites, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  %first = memref.reinterpret_cast %sums to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<192xf32, "vmem"> to memref<8x8xf32, strided<[8, 1]>, "vmem">
  %to = memref.reinterpret_cast %out to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<20x8xf32> to memref<8x8xf32, strided<[8, 1]>>
  memref.copy %first, %to : memref<8x8xf32, strided<[8, 1]>, "vmem"> to memref<8x8xf32, strided<[8, 1]>>
  %rest = memref.reinterpret_cast %sums to offset: [64], sizes: [12, 8], strides: [8, 1] : memref<192xf32, "vmem"> to memref<12x8xf32, strided<[8, 1], offset: 64>, "vmem">
  %place = memref.reinterpret_cast %out to offset: [64], sizes: [12, 8], strides: [8, 1] : memref<20x8xf32> to memref<12x8xf32, strided<[8, 1], offset: 64>>
  memref.copy %rest, %place : memref<12x8xf32, strided<[8, 1], offset: 64>, "vmem"> to memref<12x8xf32, strided<[8, 1], offset: 64>>
  return
}
