// RUN: tandem-opt %s --preset=nano --tandem-chunk-weight-copies | FileCheck %s
// RUN: tandem-opt %s --preset=nano --tandem-chunk-weight-copies --tandem-plan-buffers --tandem-lower-to-tpu | FileCheck %s --check-prefix=TPU

#left = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d0, d4)>
#right = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4, d1)>
#result = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>

// The weights come in parts, behind what else the contraction needs.
// CHECK-LABEL: func.func @main
// CHECK: memref.copy %arg0
// CHECK-COUNT-4: memref.copy {{.*}} {tandem.part = {{0|8|16|24}} : i64}
// CHECK-NOT: memref.copy
// CHECK: linalg.generic {{.*}}attrs = {{.*}}tandem.arrives

// Each chunk of the depth is waited for when it is pushed, and multiplied with all columns.
// TPU-COUNT-5: "tpu.copy"
// TPU-NOT: "tpu.copy"
// TPU: "tpu.wait"() {flag = 1 : i64, n = 2 : i64}
// TPU: "tpu.mxpush"
// TPU: "tpu.mxmul.bf16"({{.*}}) {absolute, acc = 0
// TPU: "tpu.mxmul.bf16"({{.*}}) {absolute, acc = 1
// TPU: "tpu.wait"() {flag = 1 : i64, n = 3 : i64}
// TPU: "tpu.mxmul.bf16"({{.*}}) {absolute, acc = 0 {{.*}}add
// TPU: "tpu.wait"() {flag = 1 : i64, n = 4 : i64}
// TPU: "tpu.wait"() {flag = 1 : i64, n = 5 : i64}
func.func @main(%x: memref<8x32xf32> {tandem.direction = "in", tandem.name = "x", tandem.type = "f32"}, %w: memref<32x16xf32> {tandem.direction = "in", tandem.name = "w", tandem.type = "f32"}) attributes {tandem.vmem_rows = 200 : i64} {
  %weights = memref.alloc() {tandem.address = 0 : i64} : memref<768xf32, "vmem">
  %rows = memref.reinterpret_cast %weights to offset: [0], sizes: [32, 16], strides: [24, 1] : memref<768xf32, "vmem"> to memref<32x16xf32, strided<[24, 1]>, "vmem">
  memref.copy %w, %rows : memref<32x16xf32> to memref<32x16xf32, strided<[24, 1]>, "vmem">
  %near = memref.alloc() {tandem.address = 768 : i64} : memref<320xf32, "vmem">
  %lines = memref.reinterpret_cast %near to offset: [0], sizes: [8, 32], strides: [40, 1] : memref<320xf32, "vmem"> to memref<8x32xf32, strided<[40, 1]>, "vmem">
  memref.copy %x, %lines : memref<8x32xf32> to memref<8x32xf32, strided<[40, 1]>, "vmem">
  %sums = memref.alloc() {tandem.address = 1088 : i64} : memref<192xf32, "vmem">
  %left = memref.reinterpret_cast %near to offset: [0], sizes: [1, 4, 8, 8], strides: [0, 8, 40, 1] : memref<320xf32, "vmem"> to memref<1x4x8x8xf32, strided<[0, 8, 40, 1]>, "vmem">
  %right = memref.reinterpret_cast %weights to offset: [0], sizes: [1, 4, 8, 16], strides: [0, 192, 24, 1] : memref<768xf32, "vmem"> to memref<1x4x8x16xf32, strided<[0, 192, 24, 1]>, "vmem">
  %result = memref.reinterpret_cast %sums to offset: [0], sizes: [8, 16], strides: [24, 1] : memref<192xf32, "vmem"> to memref<8x16xf32, strided<[24, 1]>, "vmem">
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%left, %right : memref<1x4x8x8xf32, strided<[0, 8, 40, 1]>, "vmem">, memref<1x4x8x16xf32, strided<[0, 192, 24, 1]>, "vmem">) outs(%result : memref<8x16xf32, strided<[24, 1]>, "vmem">) attrs = {tandem.overwrites, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  return
}
