// RUN: tandem-opt %s --preset=nano --tandem-lower-to-tpu --canonicalize --tandem-tidy-tpu | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Two groups of eight rows take turns, and each sum of each group is carried on its own.
// CHECK-LABEL: func.func @main
// CHECK: scf.for %{{.*}} iter_args(%[[A:[a-z0-9]+]] = %{{[^,]*}}, %[[B:[a-z0-9]+]] = %{{[^,]*}}, %[[C:[a-z0-9]+]] = %{{[^,]*}}, %[[D:[a-z0-9]+]] = %
// CHECK: "tpu.vadd.f32"(%[[A]],
// CHECK: "tpu.vmax.f32"(%[[B]],
// CHECK: "tpu.vadd.f32"(%[[C]],
// CHECK: "tpu.vmax.f32"(%[[D]],
// CHECK: scf.yield
// The sums of eight rows are stored through the diagonal.
// CHECK: "tpu.vst"{{.*}} rows = 8 : i64, stride = 0 : i64
func.func @main(%out: memref<16xf32> {tandem.direction = "out", tandem.name = "out0", tandem.type = "f32"}) {
  %zero = arith.constant 0.0 : f32
  %flat = memref.alloc() {tandem.address = 0 : i64} : memref<3200xf32, "vmem">
  %x = memref.reinterpret_cast %flat to offset: [0], sizes: [16, 160], strides: [168, 1] : memref<3200xf32, "vmem"> to memref<16x160xf32, strided<[168, 1]>, "vmem">
  %sums = memref.alloc() {tandem.address = 3200 : i64} : memref<16xf32, "vmem">
  %most = memref.alloc() {tandem.address = 3264 : i64} : memref<16xf32, "vmem">
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<16x160xf32, strided<[168, 1]>, "vmem">) outs(%sums : memref<16xf32, "vmem">) attrs = {tandem.from_identity, tandem.rows} {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %q, %p : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<16x160xf32, strided<[168, 1]>, "vmem">) outs(%most : memref<16xf32, "vmem">) attrs = {tandem.from_identity, tandem.rows} {
  ^bb0(%p: f32, %q: f32):
    %s = arith.maximumf %q, %p : f32
    linalg.yield %s : f32
  }
  memref.copy %sums, %out : memref<16xf32, "vmem"> to memref<16xf32>
  memref.copy %most, %out : memref<16xf32, "vmem"> to memref<16xf32>
  return
}
