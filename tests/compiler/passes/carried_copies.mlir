// RUN: tandem-opt %s --preset=nano --tandem-lower-to-tpu --canonicalize | FileCheck %s

// The copy of a loop's last iteration runs on after the loop: only a write of its source waits for it.
// CHECK-LABEL: func.func @main
// CHECK: "tpu.fset"() {flag = 16 : i64, n = 1 : i64}
// CHECK: scf.for
// CHECK: "tpu.wait"() {flag = 16 : i64, n = 1 : i64}
// CHECK-NEXT: "tpu.fset"() {flag = 16 : i64, n = 0 : i64}
// CHECK: "tpu.copy"
// CHECK: }
// CHECK-NOT: flag = 16
// CHECK: "tpu.copy"
// CHECK: "tpu.wait"() {flag = 16 : i64, n = 1 : i64}
// CHECK-NEXT: "tpu.fset"() {flag = 16 : i64, n = 0 : i64}
// CHECK: "tpu.copy"
func.func @main(%in: memref<8xf32> {tandem.direction = "in", tandem.name = "arg0", tandem.type = "f32"}, %out: memref<8xf32> {tandem.direction = "out", tandem.name = "out0", tandem.type = "f32"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %x = memref.alloc() {tandem.address = 0 : i64} : memref<8xf32, "vmem">
  %other = memref.alloc() {tandem.address = 8 : i64} : memref<8xf32, "vmem">
  memref.copy %in, %x : memref<8xf32> to memref<8xf32, "vmem">
  scf.for %i = %c0 to %c5 step %c1 {
    memref.copy %x, %out {tandem.carried} : memref<8xf32, "vmem"> to memref<8xf32>
  }
  memref.copy %in, %other : memref<8xf32> to memref<8xf32, "vmem">
  memref.copy %in, %x : memref<8xf32> to memref<8xf32, "vmem">
  return
}
