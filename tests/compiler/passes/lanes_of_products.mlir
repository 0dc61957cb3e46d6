// RUN: tandem-opt %s --preset=full --tandem-plan-buffers --tandem-lower-to-tpu --canonicalize --cse | FileCheck %s

// Operands that begin at lane 32: other lanes of both are zero. A result that begins there: other
// lanes of the weights are zero, and only these are stored.
// CHECK-LABEL: func.func @main
// CHECK: %[[WIDTH:.*]] = arith.constant 32 : index
// CHECK: %[[FROM:.*]] = "tpu.vsub.s32"({{.*}}, %[[WIDTH]])
// CHECK: %[[MASK:.*]] = "tpu.vlt.u32"(%[[FROM]], %[[WIDTH]])
// CHECK: %[[W:.*]] = "tpu.vld"(%[[MASK]])
// CHECK-NEXT: "tpu.mxpusht"(%[[W]])
// CHECK: "tpu.vld"(%[[MASK]])
// CHECK: %[[X:.*]] = "tpu.vld"(%[[MASK]])
// CHECK-NEXT: "tpu.mxmul.bf16"(%[[X]])
// CHECK: %[[AFTER:.*]] = "tpu.vsub.s32"({{.*}}, %[[WIDTH]])
// CHECK: %[[OTHERS:.*]] = "tpu.vlt.u32"(%[[AFTER]], %[[WIDTH]])
// CHECK: %[[V:.*]] = "tpu.vld"(%[[OTHERS]])
// CHECK-NEXT: "tpu.mxpush"(%[[V]])
// CHECK: "tpu.vst"({{.*}}, %[[OTHERS]])
#left = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d0, d4)>
#right = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4, d1)>
#result = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>
func.func @main() {
  %q = memref.alloc() {tandem.address = 0 : i64} : memref<2048xf32, "vmem">
  %k = memref.alloc() {tandem.address = 2048 : i64} : memref<2048xf32, "vmem">
  %s = memref.alloc() {tandem.address = 4096 : i64} : memref<2048xf32, "vmem">
  %o = memref.alloc() {tandem.address = 6144 : i64} : memref<2048xf32, "vmem">
  %x = memref.reinterpret_cast %q to offset: [32], sizes: [1, 1, 16, 32], strides: [0, 128, 128, 1] : memref<2048xf32, "vmem"> to memref<1x1x16x32xf32, strided<[0, 128, 128, 1], offset: 32>, "vmem">
  %w = memref.reinterpret_cast %k to offset: [32], sizes: [1, 1, 32, 16], strides: [0, 128, 1, 128] : memref<2048xf32, "vmem"> to memref<1x1x32x16xf32, strided<[0, 128, 1, 128], offset: 32>, "vmem">
  %y = memref.reinterpret_cast %s to offset: [0], sizes: [16, 16], strides: [128, 1] : memref<2048xf32, "vmem"> to memref<16x16xf32, strided<[128, 1]>, "vmem">
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : memref<1x1x16x32xf32, strided<[0, 128, 128, 1], offset: 32>, "vmem">, memref<1x1x32x16xf32, strided<[0, 128, 1, 128], offset: 32>, "vmem">) outs(%y : memref<16x16xf32, strided<[128, 1]>, "vmem">) attrs = {tandem.accumulator = 0 : i64, tandem.by_columns, tandem.overwrites, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %r: f32, %t: f32):
    %1 = arith.mulf %p, %r : f32
    %2 = arith.addf %t, %1 : f32
    linalg.yield %2 : f32
  }
  %a = memref.reinterpret_cast %s to offset: [0], sizes: [1, 1, 16, 16], strides: [0, 128, 128, 1] : memref<2048xf32, "vmem"> to memref<1x1x16x16xf32, strided<[0, 128, 128, 1]>, "vmem">
  %v = memref.reinterpret_cast %k to offset: [32], sizes: [1, 1, 16, 32], strides: [0, 16384, 128, 1] : memref<2048xf32, "vmem"> to memref<1x1x16x32xf32, strided<[0, 16384, 128, 1], offset: 32>, "vmem">
  %h = memref.reinterpret_cast %o to offset: [32], sizes: [16, 32], strides: [128, 1] : memref<2048xf32, "vmem"> to memref<16x32xf32, strided<[128, 1], offset: 32>, "vmem">
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%a, %v : memref<1x1x16x16xf32, strided<[0, 128, 128, 1]>, "vmem">, memref<1x1x16x32xf32, strided<[0, 16384, 128, 1], offset: 32>, "vmem">) outs(%h : memref<16x32xf32, strided<[128, 1], offset: 32>, "vmem">) attrs = {tandem.accumulator = 0 : i64, tandem.overwrites, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %r: f32, %t: f32):
    %1 = arith.mulf %p, %r : f32
    %2 = arith.addf %t, %1 : f32
    linalg.yield %2 : f32
  }
  return
}
