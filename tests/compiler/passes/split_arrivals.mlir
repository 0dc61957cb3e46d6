// RUN: tandem-opt %s --preset=full --tandem-chunk-weight-copies | FileCheck %s
// RUN: tandem-opt %s --preset=full --tandem-chunk-weight-copies --tandem-plan-buffers --tandem-lower-to-tpu | FileCheck %s --check-prefix=TPU

#left = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d0, d4)>
#right = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4, d1)>
#result = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>

// Operands come in parts, in the order in which the unit needs them: the weights of the first tile of
// columns, all rows, and then the weights of the other tiles and of the second chunk of the depth.
// CHECK-LABEL: func.func @main
// CHECK: memref.copy {{.*}} {tandem.part = 0 : i64} : memref<128x128xf32, strided<[256, 1]>> to memref<128x128xf32, strided<[384, 1]>, "vmem">
// CHECK: memref.copy {{.*}} {tandem.part = 1 : i64} : memref<128x256xf32, strided<[256, 1]>> to memref<128x256xf32, strided<[384, 1]>, "vmem">
// CHECK: memref.copy {{.*}} {tandem.part = 2 : i64} : memref<128x128xf32, strided<[256, 1], offset: 128>>
// CHECK: memref.copy {{.*}} {tandem.part = 3 : i64} : memref<128x128xf32, strided<[256, 1], offset: 32768>>
// CHECK: memref.copy {{.*}} {tandem.part = 4 : i64} : memref<128x128xf32, strided<[256, 1], offset: 32896>>
// CHECK-NOT: memref.copy
// CHECK: linalg.generic {{.*}}attrs = {{.*}}tandem.arrives, tandem.chunks_first

// Each part is waited for where it is loaded from, and a chunk of the depth is multiplied with all
// columns. Weights that are still to come are pushed after most of the multiplications before them.
// TPU-LABEL: func.func @main
// TPU-COUNT-5: "tpu.copy"
// TPU-NOT: "tpu.copy"
// TPU: "tpu.wait"() {flag = 1 : i64, n = 1 : i64}
// TPU-COUNT-16: "tpu.mxpush"
// TPU-NEXT: "tpu.wait"() {flag = 1 : i64, n = 2 : i64}
// TPU: "tpu.mxmul.bf16"({{.*}}) {absolute, acc = 0 : i64, swap
// TPU: "tpu.mxmul.bf16"({{.*}}) {absolute, acc = 12 : i64, x
// TPU-NEXT: "tpu.wait"() {flag = 1 : i64, n = 3 : i64}
// TPU: "tpu.mxmul.bf16"({{.*}}) {absolute, acc = 16 : i64, swap
// TPU: "tpu.wait"() {flag = 1 : i64, n = 4 : i64}
// TPU: "tpu.mxmul.bf16"({{.*}}) {absolute, acc = 0 {{.*}}add
// TPU: "tpu.wait"() {flag = 1 : i64, n = 5 : i64}
// TPU-NOT: "tpu.wait"
func.func @main(%x: memref<128x256xf32> {tandem.direction = "in", tandem.name = "x", tandem.type = "f32"}, %w: memref<256x256xf32> {tandem.direction = "in", tandem.name = "w", tandem.type = "f32"}) attributes {tandem.vmem_rows = 1536 : i64} {
  %weights = memref.alloc() {tandem.address = 0 : i64} : memref<98304xf32, "vmem">
  %rows = memref.reinterpret_cast %weights to offset: [0], sizes: [256, 256], strides: [384, 1] : memref<98304xf32, "vmem"> to memref<256x256xf32, strided<[384, 1]>, "vmem">
  memref.copy %w, %rows : memref<256x256xf32> to memref<256x256xf32, strided<[384, 1]>, "vmem">
  %near = memref.alloc() {tandem.address = 98304 : i64} : memref<49152xf32, "vmem">
  %lines = memref.reinterpret_cast %near to offset: [0], sizes: [128, 256], strides: [384, 1] : memref<49152xf32, "vmem"> to memref<128x256xf32, strided<[384, 1]>, "vmem">
  memref.copy %x, %lines : memref<128x256xf32> to memref<128x256xf32, strided<[384, 1]>, "vmem">
  %sums = memref.alloc() {tandem.address = 147456 : i64} : memref<49152xf32, "vmem">
  %left = memref.reinterpret_cast %near to offset: [0], sizes: [1, 2, 128, 128], strides: [0, 128, 384, 1] : memref<49152xf32, "vmem"> to memref<1x2x128x128xf32, strided<[0, 128, 384, 1]>, "vmem">
  %right = memref.reinterpret_cast %weights to offset: [0], sizes: [1, 2, 128, 256], strides: [0, 49152, 384, 1] : memref<98304xf32, "vmem"> to memref<1x2x128x256xf32, strided<[0, 49152, 384, 1]>, "vmem">
  %result = memref.reinterpret_cast %sums to offset: [0], sizes: [128, 256], strides: [384, 1] : memref<49152xf32, "vmem"> to memref<128x256xf32, strided<[384, 1]>, "vmem">
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%left, %right : memref<1x2x128x128xf32, strided<[0, 128, 384, 1]>, "vmem">, memref<1x2x128x256xf32, strided<[0, 49152, 384, 1]>, "vmem">) outs(%result : memref<128x256xf32, strided<[384, 1]>, "vmem">) attrs = {tandem.overwrites, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  return
}
