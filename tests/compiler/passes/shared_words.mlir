// RUN: tandem-opt %s --preset=small --tandem-tile --canonicalize --cse --tandem-plan-buffers --tandem-lower-to-tpu | FileCheck %s

// Two contractions read the halves of the same words: these are loaded once for both.
// CHECK-LABEL: func.func @main
// CHECK: tpu.vldc
// CHECK: %[[WORDS:[0-9]+]] = "tpu.vld"
// CHECK-DAG: "tpu.vmul.f32"(%[[WORDS]], %{{[0-9]+}}) {x = "lo"
// CHECK-DAG: "tpu.vmul.f32"(%[[WORDS]], %{{[0-9]+}}) {x = "hi"
// CHECK-NOT: tpu.vldc
// CHECK-COUNT-2: tpu.vst
#left = affine_map<(d0, d1, d2) -> (d0, d2)>
#right = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main() {
  %c16 = arith.constant 16 : i32
  %zero = arith.constant 0.0 : f32
  %x = memref.alloc() {tandem.address = 0} : memref<1x8xbf16, "vmem">
  %w = memref.alloc() {tandem.address = 128} : memref<8x16xi32, "vmem">
  %y = memref.alloc() {tandem.address = 1024} : memref<1x16xf32, "vmem">
  %z = memref.alloc() {tandem.address = 2048} : memref<1x16xf32, "vmem">
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : memref<1x8xbf16, "vmem">, memref<8x16xi32, "vmem">) outs(%y : memref<1x16xf32, "vmem">) attrs = {tandem.precision = "DEFAULT", tandem.right = "lo"} {
  ^bb0(%p: bf16, %q: i32, %s: f32):
    %1 = arith.trunci %q : i32 to i16
    %2 = arith.bitcast %1 : i16 to bf16
    %3 = arith.extf %p : bf16 to f32
    %4 = arith.extf %2 : bf16 to f32
    %5 = arith.mulf %3, %4 : f32
    %6 = arith.addf %s, %5 : f32
    linalg.yield %6 : f32
  }
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : memref<1x8xbf16, "vmem">, memref<8x16xi32, "vmem">) outs(%z : memref<1x16xf32, "vmem">) attrs = {tandem.precision = "DEFAULT", tandem.right = "hi"} {
  ^bb0(%p: bf16, %q: i32, %s: f32):
    %0 = arith.shrui %q, %c16 : i32
    %1 = arith.trunci %0 : i32 to i16
    %2 = arith.bitcast %1 : i16 to bf16
    %3 = arith.extf %p : bf16 to f32
    %4 = arith.extf %2 : bf16 to f32
    %5 = arith.mulf %3, %4 : f32
    %6 = arith.addf %s, %5 : f32
    linalg.yield %6 : f32
  }
  return
}
