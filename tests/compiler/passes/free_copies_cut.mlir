// RUN: tandem-opt %s --preset=small --tandem-plan-buffers --tandem-lower-to-tpu | FileCheck %s

// At most 1,024 copies are in flight at a time: 2,500 iterations are twice 1,024, and 452.
// CHECK-DAG: %[[ALL:.*]] = arith.constant 2048 : index
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[ALL]] step %{{.*}} {
// CHECK: scf.for
// CHECK: "tpu.copy"
// CHECK-NOT: "tpu.wait"
// CHECK: }
// CHECK: %[[PART:.*]] = arith.constant 1024 : index
// CHECK-NEXT: "tpu.wait"(%[[PART]]) {flag = 15 : i64}
// CHECK: }
// CHECK: scf.for
// CHECK: "tpu.copy"
// CHECK-NOT: "tpu.wait"
// CHECK: }
// CHECK: %[[REST:.*]] = arith.constant 452 : index
// CHECK-NEXT: "tpu.wait"(%[[REST]]) {flag = 15 : i64}
func.func @main(%table: memref<500x128xf32> {tandem.direction = "in", tandem.name = "arg0", tandem.type = "f32"},
                %indices: memref<2500xi32> {tandem.direction = "in", tandem.name = "arg1", tandem.type = "s32"},
                %rows: memref<2500x128xf32> {tandem.direction = "out", tandem.name = "out0", tandem.type = "f32"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c2500 = arith.constant 2500 : index
  %at = memref.alloc() : memref<2500xi32, "vmem">
  memref.copy %indices, %at : memref<2500xi32> to memref<2500xi32, "vmem">
  scf.for %i = %c0 to %c2500 step %c1 {
    %word = memref.load %at[%i] : memref<2500xi32, "vmem">
    %index = arith.index_cast %word : i32 to index
    %from = arith.muli %index, %c128 : index
    %to = arith.muli %i, %c128 : index
    %source = memref.reinterpret_cast %table to offset: [%from], sizes: [128], strides: [1] : memref<500x128xf32> to memref<128xf32, strided<[1], offset: ?>>
    %target = memref.reinterpret_cast %rows to offset: [%to], sizes: [128], strides: [1] : memref<2500x128xf32> to memref<128xf32, strided<[1], offset: ?>>
    memref.copy %source, %target : memref<128xf32, strided<[1], offset: ?>> to memref<128xf32, strided<[1], offset: ?>>
  }
  return
}
