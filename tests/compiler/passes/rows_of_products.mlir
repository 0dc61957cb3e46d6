// RUN: tandem-opt %s --preset=full --tandem-place-in-vmem --tandem-tile --canonicalize --cse | FileCheck %s

// Blocks of rows of a product are written out, so that rows come and go while others are in work;
// not where the text would grow with them. Constants live in VMEM as arguments do.
// CHECK-LABEL: func.func @few
// CHECK: %[[W:.*]] = memref.get_global @weights
// CHECK: memref.copy %[[W]], {{.*}}"vmem">
// CHECK-NOT: scf.for
// CHECK: linalg.generic {{.*}} outs({{.*}} : memref<256x96xf32
// CHECK: linalg.generic {{.*}} outs({{.*}} : memref<256x96xf32
// CHECK: linalg.generic {{.*}} outs({{.*}} : memref<256x96xf32
// CHECK: linalg.generic {{.*}} outs({{.*}} : memref<16x96xf32
// CHECK-NOT: scf.for
// CHECK-LABEL: func.func @many
// CHECK: scf.for
#left = affine_map<(m, n, k) -> (m, k)>
#right = affine_map<(m, n, k) -> (k, n)>
#into = affine_map<(m, n, k) -> (m, n)>
memref.global "private" constant @weights : memref<64x96xf32> = dense<2.0>
func.func @few(%x: memref<784x64xf32> {tandem.direction = "in"}, %y: memref<784x96xf32> {tandem.direction = "out"}) {
  %zero = arith.constant 0.0 : f32
  %w = memref.get_global @weights : memref<64x96xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<784x96xf32>)
  linalg.generic {indexing_maps = [#left, #right, #into], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : memref<784x64xf32>, memref<64x96xf32>) outs(%y : memref<784x96xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  }
  return
}
func.func @many(%x: memref<8192x64xf32> {tandem.direction = "in"}, %w: memref<64x96xf32> {tandem.direction = "in"}, %y: memref<8192x96xf32> {tandem.direction = "out"}) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<8192x96xf32>)
  linalg.generic {indexing_maps = [#left, #right, #into], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : memref<8192x64xf32>, memref<64x96xf32>) outs(%y : memref<8192x96xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  }
  return
}
