// RUN: tandem-opt %s --preset=small --tandem-place-in-vmem --tandem-tile --canonicalize --cse | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Buffers that fit are in VMEM, rows an odd number of rows of VMEM apart; nothing is copied but
// inputs and outputs, and the sum needs no filling.
// CHECK-LABEL: func.func @stays
// CHECK-DAG: memref.alloc() {tandem.address = {{[0-9]+}} : i64} : memref<1280xf32, "vmem">
// CHECK: memref.copy %arg0, %[[X:.*]] : memref<16x64xf32> to memref<16x64xf32, strided<[80, 1]>, "vmem">
// CHECK-NOT: memref.copy
// CHECK: linalg.generic {{.*}} attrs = {tandem.from_identity, tandem.rows}
// CHECK-NOT: memref.copy
// CHECK: linalg.generic {{.*}} attrs = {tandem.rows}
// CHECK: memref.copy %{{.*}}, %arg1
// CHECK-NOT: memref.copy
func.func @stays(%x: memref<16x64xf32> {tandem.direction = "in"}, %y: memref<16x64xf32> {tandem.direction = "out"}) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<16xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<16xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<16x64xf32>) outs(%sums : memref<16xf32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %q, %p : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %sums : memref<16x64xf32>, memref<16xf32>) outs(%y : memref<16x64xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.mulf %p, %q : f32
    linalg.yield %s : f32
  }
  return
}

// Buffers that do not fit stay where they are.
// CHECK-LABEL: func.func @streams
// CHECK: scf.for
func.func @streams(%x: memref<4096x1024xf32> {tandem.direction = "in"}, %y: memref<4096x1024xf32> {tandem.direction = "out"}) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<4096x1024xf32>) outs(%y : memref<4096x1024xf32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %p : f32
    linalg.yield %s : f32
  }
  return
}
