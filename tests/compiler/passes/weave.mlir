// RUN: tandem-opt %s --preset=small --tandem-tile --tandem-plan-buffers --tandem-lower-to-tpu | FileCheck %s

// Two registers of even and odd elements are two permutations away from two of rows. Their rows are
// copied to where the unit takes them, and back.
// CHECK-LABEL: func.func @main
// CHECK: tpu.vld
// CHECK: tpu.vld
// CHECK: tpu.vsel
// CHECK: tpu.lperm
// CHECK: tpu.vsel
// CHECK: tpu.lperm
// CHECK-NOT: tpu.lperm
// CHECK: tpu.vst
// CHECK: tpu.vst
#half = affine_map<(d0, d1) -> (d0, d1 floordiv 2)>
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main() {
  %even = memref.alloc() {tandem.address = 0} : memref<8x16xf32, "vmem">
  %odd = memref.alloc() {tandem.address = 128} : memref<8x16xf32, "vmem">
  %y = memref.alloc() {tandem.address = 256} : memref<8x32xf32, "vmem">
  linalg.generic {indexing_maps = [#half, #half, #id], iterator_types = ["parallel", "parallel"]} ins(%even, %odd : memref<8x16xf32, "vmem">, memref<8x16xf32, "vmem">) outs(%y : memref<8x32xf32, "vmem">) attrs = {tandem.weave} {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %1 = linalg.index 1 : index
    %2 = arith.index_cast %1 : index to i32
    %3 = arith.andi %2, %one : i32
    %4 = arith.cmpi eq, %3, %zero : i32
    %5 = arith.select %4, %p, %q : f32
    linalg.yield %5 : f32
  }
  return
}
