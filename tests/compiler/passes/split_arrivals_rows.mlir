// RUN: tandem-opt %s --preset=full --tandem-chunk-weight-copies | FileCheck %s
// RUN: tandem-opt %s --preset=full --tandem-chunk-weight-copies --tandem-plan-buffers --tandem-lower-to-tpu | FileCheck %s --check-prefix=TPU

#left = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d0, d4)>
#right = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4, d1)>
#result = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>

// A depth of one chunk: all weights are pushed before the first rows are needed, so those come last.
// CHECK-LABEL: func.func @main
// CHECK: memref.copy {{.*}} {tandem.part = 0 : i64} : memref<64x128xf32
// CHECK-COUNT-4: memref.copy {{.*}} {tandem.part = {{[1-4]}} : i64} : memref<16x64xf32
// CHECK-NOT: memref.copy
// CHECK: linalg.generic {{.*}}attrs = {{.*}}tandem.arrives

// TPU-LABEL: func.func @main
// TPU-COUNT-5: "tpu.copy"
// TPU: "tpu.wait"() {flag = 1 : i64, n = 1 : i64}
// TPU: "tpu.mxpush"
// TPU: "tpu.wait"() {flag = 1 : i64, n = 2 : i64}
// TPU-NEXT: "tpu.vld"
// TPU-NEXT: "tpu.mxmul.bf16"
// TPU-NEXT: "tpu.vld"
// TPU-NEXT: "tpu.mxmul.bf16"
// TPU-NEXT: "tpu.wait"() {flag = 1 : i64, n = 3 : i64}
func.func @main(%x: memref<64x64xf32> {tandem.direction = "in", tandem.name = "x", tandem.type = "f32"}, %w: memref<64x128xf32> {tandem.direction = "in", tandem.name = "w", tandem.type = "f32"}) attributes {tandem.vmem_rows = 192 : i64} {
  %weights = memref.alloc() {tandem.address = 0 : i64} : memref<8192xf32, "vmem">
  %rows = memref.reinterpret_cast %weights to offset: [0], sizes: [64, 128], strides: [128, 1] : memref<8192xf32, "vmem"> to memref<64x128xf32, strided<[128, 1]>, "vmem">
  memref.copy %w, %rows : memref<64x128xf32> to memref<64x128xf32, strided<[128, 1]>, "vmem">
  %near = memref.alloc() {tandem.address = 8192 : i64} : memref<8192xf32, "vmem">
  %lines = memref.reinterpret_cast %near to offset: [0], sizes: [64, 64], strides: [128, 1] : memref<8192xf32, "vmem"> to memref<64x64xf32, strided<[128, 1]>, "vmem">
  memref.copy %x, %lines : memref<64x64xf32> to memref<64x64xf32, strided<[128, 1]>, "vmem">
  %sums = memref.alloc() {tandem.address = 16384 : i64} : memref<8192xf32, "vmem">
  %left = memref.reinterpret_cast %near to offset: [0], sizes: [1, 1, 64, 64], strides: [0, 128, 128, 1] : memref<8192xf32, "vmem"> to memref<1x1x64x64xf32, strided<[0, 128, 128, 1]>, "vmem">
  %right = memref.reinterpret_cast %weights to offset: [0], sizes: [1, 1, 64, 128], strides: [0, 16384, 128, 1] : memref<8192xf32, "vmem"> to memref<1x1x64x128xf32, strided<[0, 16384, 128, 1]>, "vmem">
  %result = memref.reinterpret_cast %sums to offset: [0], sizes: [64, 128], strides: [128, 1] : memref<8192xf32, "vmem"> to memref<64x128xf32, strided<[128, 1]>, "vmem">
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%left, %right : memref<1x1x64x64xf32, strided<[0, 128, 128, 1]>, "vmem">, memref<1x1x64x128xf32, strided<[0, 16384, 128, 1]>, "vmem">) outs(%result : memref<64x128xf32, strided<[128, 1]>, "vmem">) attrs = {tandem.overwrites, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  return
}
