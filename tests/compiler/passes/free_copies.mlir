// RUN: tandem-opt %s --preset=small --tandem-plan-buffers --tandem-lower-to-tpu | FileCheck %s

// Rows that a loop gathers are waited for after it, all together.
// CHECK: scf.for
// CHECK: "tpu.copy"
// CHECK-NOT: "tpu.wait"
// CHECK: }
// CHECK: "tpu.wait"(%{{.*}}) {flag = 15 : i64}
// CHECK: "tpu.fset"() {flag = 15 : i64, n = 0 : i64}

// Rows that overlap between iterations are waited for in each.
// CHECK: scf.for
// CHECK: "tpu.copy"
// CHECK: "tpu.wait"() {flag = 2 : i64, n = 1 : i64}
// CHECK: }
func.func @main(%table: memref<500x128xf32> {tandem.direction = "in", tandem.name = "arg0", tandem.type = "f32"},
                %indices: memref<1000xi32> {tandem.direction = "in", tandem.name = "arg1", tandem.type = "s32"},
                %rows: memref<1000x128xf32> {tandem.direction = "out", tandem.name = "out0", tandem.type = "f32"},
                %overlapping: memref<1000x128xf32> {tandem.direction = "out", tandem.name = "out1", tandem.type = "f32"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c1000 = arith.constant 1000 : index
  %at = memref.alloc() : memref<1000xi32, "vmem">
  memref.copy %indices, %at : memref<1000xi32> to memref<1000xi32, "vmem">
  scf.for %i = %c0 to %c1000 step %c1 {
    %word = memref.load %at[%i] : memref<1000xi32, "vmem">
    %index = arith.index_cast %word : i32 to index
    %from = arith.muli %index, %c128 : index
    %to = arith.muli %i, %c128 : index
    %source = memref.reinterpret_cast %table to offset: [%from], sizes: [128], strides: [1] : memref<500x128xf32> to memref<128xf32, strided<[1], offset: ?>>
    %target = memref.reinterpret_cast %rows to offset: [%to], sizes: [128], strides: [1] : memref<1000x128xf32> to memref<128xf32, strided<[1], offset: ?>>
    memref.copy %source, %target : memref<128xf32, strided<[1], offset: ?>> to memref<128xf32, strided<[1], offset: ?>>
  }
  scf.for %i = %c0 to %c1000 step %c1 {
    %word = memref.load %at[%i] : memref<1000xi32, "vmem">
    %index = arith.index_cast %word : i32 to index
    %from = arith.muli %index, %c128 : index
    %to = arith.muli %i, %c64 : index
    %source = memref.reinterpret_cast %table to offset: [%from], sizes: [128], strides: [1] : memref<500x128xf32> to memref<128xf32, strided<[1], offset: ?>>
    %target = memref.reinterpret_cast %overlapping to offset: [%to], sizes: [128], strides: [1] : memref<1000x128xf32> to memref<128xf32, strided<[1], offset: ?>>
    memref.copy %source, %target : memref<128xf32, strided<[1], offset: ?>> to memref<128xf32, strided<[1], offset: ?>>
  }
  return
}
