// RUN: tandem-opt %s --preset=small --tandem-expand-packed | FileCheck %s

// Rows of three bytes fill no word: each of the three is an operation of its own, and all of them
// read words that come once.
// CHECK-LABEL: func.func @main(
// CHECK: %[[WORDS:.*]] = builtin.unrealized_conversion_cast %arg0
// CHECK: %[[BROUGHT:.*]] = memref.alloc() : memref<64xi32>
// CHECK: memref.copy %[[WORDS]], %[[BROUGHT]]
// CHECK-NOT: %[[WORDS]]
// CHECK-COUNT-3: memref.reinterpret_cast %[[BROUGHT]]
// CHECK-NOT: %[[WORDS]]
// CHECK: return

// A single byte of a row reads them once anyway.
// CHECK-LABEL: func.func @single(
// CHECK-NOT: memref.copy
// CHECK: return
func.func @main(%x: memref<64x3xi8, "packed"> {tandem.direction = "in", tandem.name = "arg0", tandem.type = "s8"}) {
  %y = memref.alloc() : memref<64x3xi8>
  memref.copy %x, %y : memref<64x3xi8, "packed"> to memref<64x3xi8>
  return
}
func.func @single(%x: memref<64x1xi8, "packed"> {tandem.direction = "in", tandem.name = "arg0", tandem.type = "s8"}) {
  %y = memref.alloc() : memref<64x1xi8>
  memref.copy %x, %y : memref<64x1xi8, "packed"> to memref<64x1xi8>
  return
}
