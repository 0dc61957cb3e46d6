// RUN: tandem-opt %s --preset=small --tandem-expand-packed | FileCheck %s

// Element j of a row is a half of word j / 2: one operation.
// CHECK-DAG: #[[HALF:.*]] = affine_map<(d0, d1) -> (d0, d1 floordiv 2)>
// CHECK-DAG: #[[EVEN:.*]] = affine_map<(d0, d1) -> (d0, d1 * 2)>
// CHECK-DAG: #[[ODD:.*]] = affine_map<(d0, d1) -> (d0, d1 * 2 + 1)>
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic
// CHECK-SAME: #[[HALF]]
// CHECK-SAME: tandem.unpack
func.func @main(%x: memref<6x20xbf16, "packed">) {
  %y = memref.alloc() : memref<6x20xbf16>
  memref.copy %x, %y : memref<6x20xbf16, "packed"> to memref<6x20xbf16>
  return
}

// And back: word j of a row holds the elements 2 j and 2 j + 1. A row of an odd length has a last
// word of its own.
// CHECK-LABEL: func.func @pack
// CHECK: linalg.generic
// CHECK-SAME: #[[EVEN]], #[[ODD]]
// CHECK-SAME: tandem.pack
// CHECK-NOT: linalg.generic
// CHECK-LABEL: func.func @pack_odd
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: tandem.pack
func.func @pack(%x: memref<6x20xbf16>, %y: memref<6x20xbf16, "packed">) {
  %z = memref.alloc() : memref<6x20xbf16>
  memref.copy %x, %z : memref<6x20xbf16> to memref<6x20xbf16>
  memref.copy %z, %y : memref<6x20xbf16> to memref<6x20xbf16, "packed">
  return
}
func.func @pack_odd(%x: memref<6x21xbf16>, %y: memref<6x21xbf16, "packed">) {
  %z = memref.alloc() : memref<6x21xbf16>
  memref.copy %x, %z : memref<6x21xbf16> to memref<6x21xbf16>
  memref.copy %z, %y : memref<6x21xbf16> to memref<6x21xbf16, "packed">
  return
}
