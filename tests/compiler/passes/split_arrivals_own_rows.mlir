// RUN: tandem-opt %s --preset=full --tandem-chunk-weight-copies | FileCheck %s

#left = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d0, d4)>
#right = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4, d1)>
#result = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>

// Weights that are computed from the rows, as in x @ x.T: the rows stay before them, whole.
// CHECK-LABEL: func.func @main
// CHECK: memref.copy %arg0, {{.*}} : memref<64x128xf32> to
// CHECK: memref.copy {{.*}} : memref<128x64xf32, strided<[1, 128]>, "vmem"> to
// CHECK-NOT: memref.copy
// CHECK: linalg.generic
// CHECK-NOT: tandem.arrives
func.func @main(%x: memref<64x128xf32> {tandem.direction = "in", tandem.name = "x", tandem.type = "f32"}) attributes {tandem.vmem_rows = 256 : i64} {
  %near = memref.alloc() {tandem.address = 16384 : i64} : memref<8192xf32, "vmem">
  %lines = memref.reinterpret_cast %near to offset: [0], sizes: [64, 128], strides: [128, 1] : memref<8192xf32, "vmem"> to memref<64x128xf32, strided<[128, 1]>, "vmem">
  memref.copy %x, %lines : memref<64x128xf32> to memref<64x128xf32, strided<[128, 1]>, "vmem">
  %weights = memref.alloc() {tandem.address = 0 : i64} : memref<16384xf32, "vmem">
  %rows = memref.reinterpret_cast %weights to offset: [0], sizes: [128, 64], strides: [128, 1] : memref<16384xf32, "vmem"> to memref<128x64xf32, strided<[128, 1]>, "vmem">
  %turned = memref.reinterpret_cast %near to offset: [0], sizes: [128, 64], strides: [1, 128] : memref<8192xf32, "vmem"> to memref<128x64xf32, strided<[1, 128]>, "vmem">
  memref.copy %turned, %rows : memref<128x64xf32, strided<[1, 128]>, "vmem"> to memref<128x64xf32, strided<[128, 1]>, "vmem">
  %sums = memref.alloc() {tandem.address = 24576 : i64} : memref<8192xf32, "vmem">
  %left = memref.reinterpret_cast %near to offset: [0], sizes: [1, 1, 64, 128], strides: [0, 128, 128, 1] : memref<8192xf32, "vmem"> to memref<1x1x64x128xf32, strided<[0, 128, 128, 1]>, "vmem">
  %right = memref.reinterpret_cast %weights to offset: [0], sizes: [1, 1, 128, 64], strides: [0, 16384, 128, 1] : memref<16384xf32, "vmem"> to memref<1x1x128x64xf32, strided<[0, 16384, 128, 1]>, "vmem">
  %result = memref.reinterpret_cast %sums to offset: [0], sizes: [64, 64], strides: [128, 1] : memref<8192xf32, "vmem"> to memref<64x64xf32, strided<[128, 1]>, "vmem">
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%left, %right : memref<1x1x64x128xf32, strided<[0, 128, 128, 1]>, "vmem">, memref<1x1x128x64xf32, strided<[0, 16384, 128, 1]>, "vmem">) outs(%result : memref<64x64xf32, strided<[128, 1]>, "vmem">) attrs = {tandem.overwrites, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  return
}
