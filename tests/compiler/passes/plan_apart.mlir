// RUN: tandem-opt %s --preset=nano --tandem-plan-buffers | FileCheck %s

// What is copied to HBM keeps its place while the copy may be under way, if VMEM has room for that.
// CHECK-LABEL: func.func @room
// CHECK: memref.alloc() {tandem.address = 0 : i64} : memref<64xf32, "vmem">
// CHECK: memref.alloc() {tandem.address = 64 : i64} : memref<64xf32, "vmem">
func.func @room(%x: memref<64xf32>, %y: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<64xf32, "vmem">
  linalg.fill ins(%zero : f32) outs(%a : memref<64xf32, "vmem">)
  memref.copy %a, %x : memref<64xf32, "vmem"> to memref<64xf32>
  %b = memref.alloc() : memref<64xf32, "vmem">
  linalg.fill ins(%zero : f32) outs(%b : memref<64xf32, "vmem">)
  memref.copy %b, %y : memref<64xf32, "vmem"> to memref<64xf32>
  return
}

// Otherwise its place is used again.
// CHECK-LABEL: func.func @none
// CHECK: memref.alloc() {tandem.address = 0 : i64} : memref<9216xf32, "vmem">
// CHECK: memref.alloc() {tandem.address = 0 : i64} : memref<9216xf32, "vmem">
func.func @none(%x: memref<9216xf32>, %y: memref<9216xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<9216xf32, "vmem">
  linalg.fill ins(%zero : f32) outs(%a : memref<9216xf32, "vmem">)
  memref.copy %a, %x : memref<9216xf32, "vmem"> to memref<9216xf32>
  %b = memref.alloc() : memref<9216xf32, "vmem">
  linalg.fill ins(%zero : f32) outs(%b : memref<9216xf32, "vmem">)
  memref.copy %b, %y : memref<9216xf32, "vmem"> to memref<9216xf32>
  return
}
