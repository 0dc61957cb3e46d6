// RUN: tandem-opt %s --preset=nano --tandem-plan-buffers --tandem-lower-to-tpu | FileCheck %s

#left = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d0, d4)>
#right = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4, d1)>
#result = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>

// Three products in HIGH: the rounded operands, the left one's lower part with the same weights, and
// the right one's lower part. The first sum is apart from that of the other two, in each chunk of the
// depth. If the sum of both is NaN, the first one is the result.
// CHECK-LABEL: func.func @main
// CHECK: "tpu.mxmul.bf16"({{.*}}) {absolute, acc = 0 : i64, swap
// CHECK: "tpu.vsub.f32"
// CHECK: "tpu.mxmul.bf16"({{.*}}) {absolute, acc = 1 : i64, x
// CHECK: "tpu.mxmul.bf16"({{.*}}) {absolute, acc = 1 : i64, add, swap
// CHECK: "tpu.mxmul.bf16"({{.*}}) {absolute, acc = 0 : i64, add, swap
// CHECK: "tpu.mxmul.bf16"({{.*}}) {absolute, acc = 1 : i64, add, x
// CHECK: "tpu.mxmul.bf16"({{.*}}) {absolute, acc = 1 : i64, add, swap
// CHECK: %[[FIRST:.*]] = "tpu.mxread"() {absolute, acc = 0
// CHECK: %[[LOW:.*]] = "tpu.mxread"() {absolute, acc = 1
// CHECK: %[[BOTH:.*]] = "tpu.vadd.f32"(%[[FIRST]], %[[LOW]])
// CHECK: %[[NUMBER:.*]] = "tpu.veq.f32"(%[[BOTH]], %[[BOTH]])
// CHECK: "tpu.vsel"(%[[NUMBER]], %[[BOTH]], %[[FIRST]])
func.func @main(%out: memref<8x8xf32> {tandem.direction = "out", tandem.name = "out0", tandem.type = "f32"}) attributes {tandem.vmem_rows = 200 : i64} {
  %rows = memref.alloc() {tandem.address = 0 : i64} : memref<128xf32, "vmem">
  %weights = memref.alloc() {tandem.address = 128 : i64} : memref<128xf32, "vmem">
  %sums = memref.alloc() {tandem.address = 256 : i64} : memref<64xf32, "vmem">
  %left = memref.reinterpret_cast %rows to offset: [0], sizes: [1, 2, 8, 8], strides: [0, 64, 8, 1] : memref<128xf32, "vmem"> to memref<1x2x8x8xf32, strided<[0, 64, 8, 1]>, "vmem">
  %right = memref.reinterpret_cast %weights to offset: [0], sizes: [1, 2, 8, 8], strides: [0, 64, 8, 1] : memref<128xf32, "vmem"> to memref<1x2x8x8xf32, strided<[0, 64, 8, 1]>, "vmem">
  %result = memref.reinterpret_cast %sums to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<64xf32, "vmem"> to memref<8x8xf32, strided<[8, 1]>, "vmem">
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%left, %right : memref<1x2x8x8xf32, strided<[0, 64, 8, 1]>, "vmem">, memref<1x2x8x8xf32, strided<[0, 64, 8, 1]>, "vmem">) outs(%result : memref<8x8xf32, strided<[8, 1]>, "vmem">) attrs = {tandem.overwrites, tandem.precision = "HIGH"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  memref.copy %result, %out : memref<8x8xf32, strided<[8, 1]>, "vmem"> to memref<8x8xf32>
  return
}
