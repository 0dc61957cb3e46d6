// RUN: tandem-opt %s --preset=full --tandem-chunk-weight-copies | FileCheck %s

#left = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d0, d4)>
#right = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4, d1)>
#result = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>

// Weights that are made of the rows, as of x @ x.T: the rows stay before them, whole.
// CHECK-LABEL: func.func @main
// CHECK: memref.copy %arg0, {{.*}} : memref<16x64xf32> to
// CHECK-COUNT-4: memref.copy {{.*}} {tandem.part = {{0|16|32|48}} : i64} : memref<16x16xf32
// CHECK-NOT: memref.copy
// CHECK: linalg.generic
// CHECK-NOT: tandem.rows_arrive
// CHECK: tandem.arrives
// CHECK-NOT: tandem.rows_arrive
func.func @main(%x: memref<16x64xf32> {tandem.direction = "in", tandem.name = "x", tandem.type = "f32"}) attributes {tandem.vmem_rows = 64 : i64} {
  %near = memref.alloc() {tandem.address = 8192 : i64} : memref<2048xf32, "vmem">
  %lines = memref.reinterpret_cast %near to offset: [0], sizes: [16, 64], strides: [128, 1] : memref<2048xf32, "vmem"> to memref<16x64xf32, strided<[128, 1]>, "vmem">
  memref.copy %x, %lines : memref<16x64xf32> to memref<16x64xf32, strided<[128, 1]>, "vmem">
  %weights = memref.alloc() {tandem.address = 0 : i64} : memref<8192xf32, "vmem">
  %rows = memref.reinterpret_cast %weights to offset: [0], sizes: [64, 16], strides: [128, 1] : memref<8192xf32, "vmem"> to memref<64x16xf32, strided<[128, 1]>, "vmem">
  %turned = memref.reinterpret_cast %near to offset: [0], sizes: [64, 16], strides: [1, 128] : memref<2048xf32, "vmem"> to memref<64x16xf32, strided<[1, 128]>, "vmem">
  memref.copy %turned, %rows : memref<64x16xf32, strided<[1, 128]>, "vmem"> to memref<64x16xf32, strided<[128, 1]>, "vmem">
  %sums = memref.alloc() {tandem.address = 10240 : i64} : memref<2048xf32, "vmem">
  %left = memref.reinterpret_cast %near to offset: [0], sizes: [1, 1, 16, 64], strides: [0, 128, 128, 1] : memref<2048xf32, "vmem"> to memref<1x1x16x64xf32, strided<[0, 128, 128, 1]>, "vmem">
  %right = memref.reinterpret_cast %weights to offset: [0], sizes: [1, 1, 64, 16], strides: [0, 16384, 128, 1] : memref<8192xf32, "vmem"> to memref<1x1x64x16xf32, strided<[0, 16384, 128, 1]>, "vmem">
  %result = memref.reinterpret_cast %sums to offset: [0], sizes: [16, 16], strides: [128, 1] : memref<2048xf32, "vmem"> to memref<16x16xf32, strided<[128, 1]>, "vmem">
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%left, %right : memref<1x1x16x64xf32, strided<[0, 128, 128, 1]>, "vmem">, memref<1x1x64x16xf32, strided<[0, 16384, 128, 1]>, "vmem">) outs(%result : memref<16x16xf32, strided<[128, 1]>, "vmem">) attrs = {tandem.overwrites, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  return
}
