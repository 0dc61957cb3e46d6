// RUN: tandem-opt %s --preset=small --tandem-plan-buffers --tandem-lower-to-tpu | FileCheck %s

// Every second word of two rows: a permutation of lanes and a store under a mask for each row that is read.
// CHECK-LABEL: func.func @main
// CHECK-NOT: tpu.copy
// CHECK: tpu.lperm
// CHECK: tpu.vst
func.func @main() {
  %x = memref.alloc() : memref<64xf32, "vmem">
  %y = memref.alloc() : memref<32xf32, "vmem">
  %from = memref.reinterpret_cast %x to offset: [1], sizes: [4, 8], strides: [16, 2] : memref<64xf32, "vmem"> to memref<4x8xf32, strided<[16, 2], offset: 1>, "vmem">
  %to = memref.reinterpret_cast %y to offset: [0], sizes: [4, 8], strides: [8, 1] : memref<32xf32, "vmem"> to memref<4x8xf32, strided<[8, 1]>, "vmem">
  memref.copy %from, %to : memref<4x8xf32, strided<[16, 2], offset: 1>, "vmem"> to memref<4x8xf32, strided<[8, 1]>, "vmem">
  return
}
