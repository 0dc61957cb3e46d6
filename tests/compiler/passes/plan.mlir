// RUN: tandem-opt %s --tandem-plan-buffers | FileCheck %s

// Buffers whose lives do not meet share their place.
// CHECK-LABEL: func.func @main
// CHECK-SAME: tandem.hbm_words = 32
// CHECK: memref.alloc() {tandem.address = 0 : i64}
// CHECK: memref.alloc() {tandem.address = 16 : i64}
// CHECK: memref.alloc() {tandem.address = 0 : i64}
func.func @main(%x: memref<10xf32>) {
  %a = memref.alloc() : memref<10xf32>
  memref.copy %x, %a : memref<10xf32> to memref<10xf32>
  %b = memref.alloc() : memref<10xf32>
  memref.copy %a, %b : memref<10xf32> to memref<10xf32>
  %c = memref.alloc() : memref<10xf32>
  memref.copy %b, %c : memref<10xf32> to memref<10xf32>
  memref.copy %c, %x : memref<10xf32> to memref<10xf32>
  return
}
