// RUN: tandem-opt %s --preset=full --tandem-chunk-weight-copies | FileCheck %s

#left = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d0, d4)>
#right = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4, d1)>
#result = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>
#all = affine_map<(d0) -> (d0)>

// Weights that come before an image with a filled margin come in parts after what is made of the image.
// CHECK-LABEL: func.func @main
// CHECK-NOT: memref.copy
// CHECK: linalg.generic
// CHECK: memref.copy {{.*}} : memref<128x256xf32> to memref<128x256xf32, strided<[384, 1]>, "vmem">
// CHECK: memref.copy {{.*}} : memref<2x64x256xf32, strided<[24192, 384, 1]>, "vmem">
// CHECK: memref.copy {{.*}} {tandem.part = 0 : i64}
// CHECK: memref.copy {{.*}} {tandem.part = 1 : i64}
// CHECK: linalg.generic {{.*}}attrs = {{.*}}tandem.arrives
func.func @main(%x: memref<128x256xf32> {tandem.direction = "in", tandem.name = "x", tandem.type = "f32"}, %w: memref<256x256xf32> {tandem.direction = "in", tandem.name = "w", tandem.type = "f32"}) attributes {tandem.vmem_rows = 1536 : i64} {
  %weights = memref.alloc() {tandem.address = 0 : i64} : memref<98304xf32, "vmem">
  %rows = memref.reinterpret_cast %weights to offset: [0], sizes: [256, 256], strides: [384, 1] : memref<98304xf32, "vmem"> to memref<256x256xf32, strided<[384, 1]>, "vmem">
  memref.copy %w, %rows : memref<256x256xf32> to memref<256x256xf32, strided<[384, 1]>, "vmem">
  %image = memref.alloc() {tandem.address = 196608 : i64} : memref<49152xf32, "vmem">
  %margin = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#all], iterator_types = ["parallel"]} outs(%image : memref<49152xf32, "vmem">) {
  ^bb0(%old: f32):
    linalg.yield %margin : f32
  }
  %inner = memref.reinterpret_cast %image to offset: [0], sizes: [128, 256], strides: [384, 1] : memref<49152xf32, "vmem"> to memref<128x256xf32, strided<[384, 1]>, "vmem">
  memref.copy %x, %inner : memref<128x256xf32> to memref<128x256xf32, strided<[384, 1]>, "vmem">
  %near = memref.alloc() {tandem.address = 98304 : i64} : memref<49152xf32, "vmem">
  %windows = memref.reinterpret_cast %image to offset: [0], sizes: [2, 64, 256], strides: [24192, 384, 1] : memref<49152xf32, "vmem"> to memref<2x64x256xf32, strided<[24192, 384, 1]>, "vmem">
  %patches = memref.reinterpret_cast %near to offset: [0], sizes: [2, 64, 256], strides: [24576, 384, 1] : memref<49152xf32, "vmem"> to memref<2x64x256xf32, strided<[24576, 384, 1]>, "vmem">
  memref.copy %windows, %patches : memref<2x64x256xf32, strided<[24192, 384, 1]>, "vmem"> to memref<2x64x256xf32, strided<[24576, 384, 1]>, "vmem">
  %sums = memref.alloc() {tandem.address = 147456 : i64} : memref<49152xf32, "vmem">
  %left = memref.reinterpret_cast %near to offset: [0], sizes: [1, 2, 128, 128], strides: [0, 128, 384, 1] : memref<49152xf32, "vmem"> to memref<1x2x128x128xf32, strided<[0, 128, 384, 1]>, "vmem">
  %right = memref.reinterpret_cast %weights to offset: [0], sizes: [1, 2, 128, 256], strides: [0, 49152, 384, 1] : memref<98304xf32, "vmem"> to memref<1x2x128x256xf32, strided<[0, 49152, 384, 1]>, "vmem">
  %result = memref.reinterpret_cast %sums to offset: [0], sizes: [128, 256], strides: [384, 1] : memref<49152xf32, "vmem"> to memref<128x256xf32, strided<[384, 1]>, "vmem">
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%left, %right : memref<1x2x128x128xf32, strided<[0, 128, 384, 1]>, "vmem">, memref<1x2x128x256xf32, strided<[0, 49152, 384, 1]>, "vmem">) outs(%result : memref<128x256xf32, strided<[384, 1]>, "vmem">) attrs = {tandem.overwrites, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  return
}
