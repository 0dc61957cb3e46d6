// RUN: tandem-opt %s --preset=full --tandem-tile --canonicalize --cse | FileCheck %s

// Heads of 32 lanes beside each other: queries and keys begin at the same lanes, so both are used
// in place.
// CHECK-LABEL: func.func @scores
// CHECK-NOT: memref.copy
// CHECK-NOT: scf.for
// CHECK: linalg.generic {{.*}} ins({{.*}} strided<[0, 128, 128, 1]>, "vmem">, {{.*}} strided<[0, 128, 1, 128]>, "vmem">)
// CHECK: linalg.generic {{.*}} ins({{.*}} strided<[0, 128, 128, 1], offset: 32>, "vmem">, {{.*}} strided<[0, 128, 1, 128], offset: 32>, "vmem">)
// CHECK-NOT: linalg.generic
#left = affine_map<(h, i, j, k) -> (i, h, k)>
#right = affine_map<(h, i, j, k) -> (j, h, k)>
#result = affine_map<(h, i, j, k) -> (h, i, j)>
func.func @scores() {
  %q = memref.alloc() {tandem.address = 0 : i64} : memref<8192xf32, "vmem">
  %k = memref.alloc() {tandem.address = 8192 : i64} : memref<8192xf32, "vmem">
  %x = memref.reinterpret_cast %q to offset: [0], sizes: [64, 2, 32], strides: [128, 32, 1] : memref<8192xf32, "vmem"> to memref<64x2x32xf32, strided<[128, 32, 1]>, "vmem">
  %w = memref.reinterpret_cast %k to offset: [0], sizes: [64, 2, 32], strides: [128, 32, 1] : memref<8192xf32, "vmem"> to memref<64x2x32xf32, strided<[128, 32, 1]>, "vmem">
  %s = memref.alloc() {tandem.address = 16384 : i64} : memref<16384xf32, "vmem">
  %y = memref.reinterpret_cast %s to offset: [0], sizes: [2, 64, 64], strides: [8192, 128, 1] : memref<16384xf32, "vmem"> to memref<2x64x64xf32, strided<[8192, 128, 1]>, "vmem">
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : memref<64x2x32xf32, strided<[128, 32, 1]>, "vmem">, memref<64x2x32xf32, strided<[128, 32, 1]>, "vmem">) outs(%y : memref<2x64x64xf32, strided<[8192, 128, 1]>, "vmem">) attrs = {tandem.from_zero, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %r: f32, %t: f32):
    %1 = arith.mulf %p, %r : f32
    %2 = arith.addf %t, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// Keys at other lanes, as in one row with the queries, come to those of the queries by one copy.
// CHECK-LABEL: func.func @shifted
// CHECK: memref.copy {{.*}} to memref<2x64x32xf32, strided<[32, 128, 1]>, "vmem">
// CHECK-NOT: memref.copy
// CHECK-NOT: scf.for
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
func.func @shifted() {
  %q = memref.alloc() {tandem.address = 0 : i64} : memref<8192xf32, "vmem">
  %x = memref.reinterpret_cast %q to offset: [0], sizes: [64, 2, 32], strides: [128, 32, 1] : memref<8192xf32, "vmem"> to memref<64x2x32xf32, strided<[128, 32, 1]>, "vmem">
  %w = memref.reinterpret_cast %q to offset: [64], sizes: [64, 2, 32], strides: [128, 32, 1] : memref<8192xf32, "vmem"> to memref<64x2x32xf32, strided<[128, 32, 1], offset: 64>, "vmem">
  %s = memref.alloc() {tandem.address = 16384 : i64} : memref<16384xf32, "vmem">
  %y = memref.reinterpret_cast %s to offset: [0], sizes: [2, 64, 64], strides: [8192, 128, 1] : memref<16384xf32, "vmem"> to memref<2x64x64xf32, strided<[8192, 128, 1]>, "vmem">
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : memref<64x2x32xf32, strided<[128, 32, 1]>, "vmem">, memref<64x2x32xf32, strided<[128, 32, 1], offset: 64>, "vmem">) outs(%y : memref<2x64x64xf32, strided<[8192, 128, 1]>, "vmem">) attrs = {tandem.from_zero, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %r: f32, %t: f32):
    %1 = arith.mulf %p, %r : f32
    %2 = arith.addf %t, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// Values and what is made of them begin at the same lanes.
// CHECK-LABEL: func.func @values
// CHECK-NOT: memref.copy
// CHECK-NOT: scf.for
// CHECK: linalg.generic {{.*}} outs({{.*}} : memref<64x32xf32, strided<[128, 1]>, "vmem">)
// CHECK: linalg.generic {{.*}} outs({{.*}} : memref<64x32xf32, strided<[128, 1], offset: 32>, "vmem">)
// CHECK-NOT: linalg.generic
#weights = affine_map<(h, i, j, k) -> (h, i, k)>
#values = affine_map<(h, i, j, k) -> (k, h, j)>
#heads = affine_map<(h, i, j, k) -> (i, h, j)>
func.func @values() {
  %a = memref.alloc() {tandem.address = 0 : i64} : memref<16384xf32, "vmem">
  %b = memref.alloc() {tandem.address = 16384 : i64} : memref<8192xf32, "vmem">
  %c = memref.alloc() {tandem.address = 24576 : i64} : memref<8192xf32, "vmem">
  %x = memref.reinterpret_cast %a to offset: [0], sizes: [2, 64, 64], strides: [8192, 128, 1] : memref<16384xf32, "vmem"> to memref<2x64x64xf32, strided<[8192, 128, 1]>, "vmem">
  %w = memref.reinterpret_cast %b to offset: [0], sizes: [64, 2, 32], strides: [128, 32, 1] : memref<8192xf32, "vmem"> to memref<64x2x32xf32, strided<[128, 32, 1]>, "vmem">
  %y = memref.reinterpret_cast %c to offset: [0], sizes: [64, 2, 32], strides: [128, 32, 1] : memref<8192xf32, "vmem"> to memref<64x2x32xf32, strided<[128, 32, 1]>, "vmem">
  linalg.generic {indexing_maps = [#weights, #values, #heads], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : memref<2x64x64xf32, strided<[8192, 128, 1]>, "vmem">, memref<64x2x32xf32, strided<[128, 32, 1]>, "vmem">) outs(%y : memref<64x2x32xf32, strided<[128, 32, 1]>, "vmem">) attrs = {tandem.from_zero, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %r: f32, %t: f32):
    %1 = arith.mulf %p, %r : f32
    %2 = arith.addf %t, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// A head that is in two rows of VMEM goes through a tile.
// CHECK-LABEL: func.func @split
// CHECK: memref.copy
func.func @split() {
  %q = memref.alloc() {tandem.address = 0 : i64} : memref<16384xf32, "vmem">
  %x = memref.reinterpret_cast %q to offset: [0], sizes: [64, 3, 48], strides: [256, 48, 1] : memref<16384xf32, "vmem"> to memref<64x3x48xf32, strided<[256, 48, 1]>, "vmem">
  %s = memref.alloc() {tandem.address = 16384 : i64} : memref<24576xf32, "vmem">
  %y = memref.reinterpret_cast %s to offset: [0], sizes: [3, 64, 64], strides: [8192, 128, 1] : memref<24576xf32, "vmem"> to memref<3x64x64xf32, strided<[8192, 128, 1]>, "vmem">
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %x : memref<64x3x48xf32, strided<[256, 48, 1]>, "vmem">, memref<64x3x48xf32, strided<[256, 48, 1]>, "vmem">) outs(%y : memref<3x64x64xf32, strided<[8192, 128, 1]>, "vmem">) attrs = {tandem.from_zero, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %r: f32, %t: f32):
    %1 = arith.mulf %p, %r : f32
    %2 = arith.addf %t, %1 : f32
    linalg.yield %2 : f32
  }
  return
}
