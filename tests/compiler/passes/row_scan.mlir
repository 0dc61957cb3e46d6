// RUN: tandem-opt %s --preset=nano --tandem-lower-to-tpu --canonicalize --tandem-tidy-tpu | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// Running sums of two chunks of eight lanes: steps of 1, 2 and 4 lanes, and the total of the first
// one is added to the second. No masks: there are too few of them for a pipeline.
// CHECK-LABEL: func.func @main
// CHECK: "tpu.lrot"{{.*}} {n = 1 : i64}
// CHECK: "tpu.vand"
// CHECK: "tpu.lrot"{{.*}} {n = 2 : i64}
// CHECK: "tpu.lrot"{{.*}} {n = 4 : i64}
// CHECK: %[[TOTAL:.*]] = "tpu.lbcast"{{.*}} {n = 7 : i64}
// CHECK: "tpu.vst"
// CHECK: "tpu.lrot"{{.*}} {n = 1 : i64}
// CHECK: "tpu.vadd.f32"(%[[TOTAL]],
// CHECK: "tpu.vst"
func.func @main(%out: memref<8x16xf32> {tandem.direction = "out", tandem.name = "out0", tandem.type = "f32"}) {
  %a = memref.alloc() {tandem.address = 0 : i64} : memref<192xf32, "vmem">
  %b = memref.alloc() {tandem.address = 192 : i64} : memref<192xf32, "vmem">
  %from = memref.reinterpret_cast %a to offset: [0], sizes: [8, 16], strides: [24, 1] : memref<192xf32, "vmem"> to memref<8x16xf32, strided<[24, 1]>, "vmem">
  %to = memref.reinterpret_cast %b to offset: [0], sizes: [8, 16], strides: [24, 1] : memref<192xf32, "vmem"> to memref<8x16xf32, strided<[24, 1]>, "vmem">
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%from : memref<8x16xf32, strided<[24, 1]>, "vmem">) outs(%to : memref<8x16xf32, strided<[24, 1]>, "vmem">) attrs = {tandem.rows, tandem.scan = "up"} {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  }
  memref.copy %to, %out : memref<8x16xf32, strided<[24, 1]>, "vmem"> to memref<8x16xf32>
  return
}
