// RUN: tandem-opt %s --preset=nano --tandem-lower-to-tpu --canonicalize --tandem-tidy-tpu | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Sums that have just been stored are read from registers, though there is a copy between; what somebody
// has written since comes from memory.
// CHECK-LABEL: func.func @main
// CHECK: %[[SUM:.*]] = "tpu.lsum.f32"
// CHECK: "tpu.vst"({{.*}}%[[SUM]]
// CHECK: "tpu.copy"
// CHECK-NOT: "tpu.vldc"
// CHECK: "tpu.vmul.f32"(%{{.*}}, %[[SUM]])
// CHECK: "tpu.copy"
// CHECK: %[[NEW:.*]] = "tpu.vldc"
// CHECK: "tpu.vmul.f32"(%{{.*}}, %[[NEW]])
func.func @main(%in: memref<8xf32> {tandem.direction = "in", tandem.name = "arg0", tandem.type = "f32"}, %out: memref<8xf32> {tandem.direction = "out", tandem.name = "out0", tandem.type = "f32"}) {
  %flat = memref.alloc() {tandem.address = 0 : i64} : memref<192xf32, "vmem">
  %x = memref.reinterpret_cast %flat to offset: [0], sizes: [8, 16], strides: [24, 1] : memref<192xf32, "vmem"> to memref<8x16xf32, strided<[24, 1]>, "vmem">
  %flat_y = memref.alloc() {tandem.address = 192 : i64} : memref<192xf32, "vmem">
  %y = memref.reinterpret_cast %flat_y to offset: [0], sizes: [8, 16], strides: [24, 1] : memref<192xf32, "vmem"> to memref<8x16xf32, strided<[24, 1]>, "vmem">
  %sums = memref.alloc() {tandem.address = 384 : i64} : memref<8xf32, "vmem">
  %other = memref.alloc() {tandem.address = 392 : i64} : memref<8xf32, "vmem">
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x16xf32, strided<[24, 1]>, "vmem">) outs(%sums : memref<8xf32, "vmem">) attrs = {tandem.from_identity, tandem.rows} {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %q, %p : f32
    linalg.yield %s : f32
  }
  memref.copy %in, %other : memref<8xf32> to memref<8xf32, "vmem">
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sums : memref<8x16xf32, strided<[24, 1]>, "vmem">, memref<8xf32, "vmem">) outs(%y : memref<8x16xf32, strided<[24, 1]>, "vmem">) attrs = {tandem.rows} {
  ^bb0(%p: f32, %r: f32, %q: f32):
    %s = arith.mulf %p, %r : f32
    linalg.yield %s : f32
  }
  memref.copy %in, %sums : memref<8xf32> to memref<8xf32, "vmem">
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sums : memref<8x16xf32, strided<[24, 1]>, "vmem">, memref<8xf32, "vmem">) outs(%y : memref<8x16xf32, strided<[24, 1]>, "vmem">) attrs = {tandem.rows} {
  ^bb0(%p: f32, %r: f32, %q: f32):
    %s = arith.mulf %p, %r : f32
    linalg.yield %s : f32
  }
  return
}
