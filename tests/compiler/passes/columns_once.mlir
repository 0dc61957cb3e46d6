// RUN: tandem-opt %s --preset=nano --tandem-lower-to-tpu --canonicalize --tandem-tidy-tpu | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>

// Values of columns are loaded before the loop over groups of rows, and so is what depends on them
// alone: the inverse of the divisor. Its work is shared, so that little of a division is left.
// CHECK-LABEL: func.func @main
// CHECK: "tpu.vld"(){{.*}} address = 2816 : i64{{.*}} stride = 0 : i64
// CHECK: "tpu.rcp"
// CHECK: scf.for
// CHECK-NOT: stride = 0 : i64
// CHECK-NOT: "tpu.rcp"
// CHECK: "tpu.vst"
func.func @main(%in: memref<2816x8xf32> {tandem.direction = "in", tandem.name = "arg0", tandem.type = "f32"}, %by: memref<8xf32> {tandem.direction = "in", tandem.name = "arg1", tandem.type = "f32"}, %out: memref<2816x8xf32> {tandem.direction = "out", tandem.name = "out0", tandem.type = "f32"}) {
  %x = memref.alloc() {tandem.address = 0 : i64} : memref<2816x8xf32, "vmem">
  %columns = memref.alloc() {tandem.address = 22528 : i64} : memref<8xf32, "vmem">
  memref.copy %in, %x : memref<2816x8xf32> to memref<2816x8xf32, "vmem">
  memref.copy %by, %columns : memref<8xf32> to memref<8xf32, "vmem">
  linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %columns : memref<2816x8xf32, "vmem">, memref<8xf32, "vmem">) outs(%x : memref<2816x8xf32, "vmem">) attrs = {tandem.rows} {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.divf %p, %q : f32
    linalg.yield %s : f32
  }
  memref.copy %x, %out : memref<2816x8xf32, "vmem"> to memref<2816x8xf32>
  return
}
