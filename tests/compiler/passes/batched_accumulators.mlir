// RUN: tandem-opt %s --preset=full --tandem-tile --canonicalize --cse | FileCheck %s

// Products of a batch that are written out take accumulators in turn: 128 rows by two tiles of
// columns need 32 of the 64 that there are.
// CHECK-LABEL: func.func @main
// CHECK: tandem.accumulator = 0
// CHECK: tandem.accumulator = 32
// CHECK: tandem.accumulator = 0
// CHECK: tandem.accumulator = 32
// CHECK-NOT: tandem.accumulator
#left = affine_map<(b, i, j, k) -> (b, i, k)>
#right = affine_map<(b, i, j, k) -> (b, k, j)>
#result = affine_map<(b, i, j, k) -> (b, i, j)>
func.func @main() {
  %x = memref.alloc() {tandem.address = 0} : memref<4x128x128xf32, "vmem">
  %w = memref.alloc() {tandem.address = 65536} : memref<4x128x256xf32, "vmem">
  %y = memref.alloc() {tandem.address = 196608} : memref<4x128x256xf32, "vmem">
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : memref<4x128x128xf32, "vmem">, memref<4x128x256xf32, "vmem">) outs(%y : memref<4x128x256xf32, "vmem">) attrs = {tandem.precision = "DEFAULT", tandem.from_zero} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  return
}
