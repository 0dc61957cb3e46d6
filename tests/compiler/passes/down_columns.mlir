// RUN: tandem-opt %s --preset=nano --tandem-lower-to-tpu --canonicalize --tandem-tidy-tpu | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>

// Eight rows of a chunk a register, two groups of them and two chunks an iteration; the last four
// rows leave the rest of their register out, and the last chunk its last four lanes.
// CHECK-LABEL: func.func @main
// CHECK: %[[MASK:.*]] = "tpu.vlt.s32"(%{{.*}}, %c4)
// CHECK: scf.for
// CHECK: "tpu.vld"(%{{.*}}) {{.*}}rows = 8 : i64, stride = 3 : i64
// CHECK: "tpu.vmax.f32"
// CHECK: "tpu.vld"(%{{.*}}, %[[MASK]]) {{.*}}rows = 8 : i64, stride = 3 : i64
// CHECK: scf.yield
// CHECK: "tpu.vld"() {{.*}}rows = 4 : i64, stride = 3 : i64
// CHECK: "tpu.vsel"
// CHECK: "tpu.smax.f32"
// CHECK: "tpu.smax.f32"
// CHECK: "tpu.vst"(%{{.*}}, %[[MASK]]) {{.*}}rows = 1 : i64
func.func @main(%in: memref<100x12xf32> {tandem.direction = "in", tandem.name = "arg0", tandem.type = "f32"}, %out: memref<12xf32> {tandem.direction = "out", tandem.name = "out0", tandem.type = "f32"}) {
  %flat = memref.alloc() {tandem.address = 0 : i64} : memref<2400xf32, "vmem">
  %x = memref.reinterpret_cast %flat to offset: [0], sizes: [100, 12], strides: [24, 1] : memref<2400xf32, "vmem"> to memref<100x12xf32, strided<[24, 1]>, "vmem">
  %most = memref.alloc() {tandem.address = 2432 : i64} : memref<12xf32, "vmem">
  memref.copy %in, %x : memref<100x12xf32> to memref<100x12xf32, strided<[24, 1]>, "vmem">
  linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%x : memref<100x12xf32, strided<[24, 1]>, "vmem">) outs(%most : memref<12xf32, "vmem">) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.maximumf %p, %q : f32
    linalg.yield %s : f32
  }
  memref.copy %most, %out : memref<12xf32, "vmem"> to memref<12xf32>
  return
}
