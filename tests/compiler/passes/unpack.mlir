// RUN: tandem-opt %s --preset=small --tandem-expand-packed | FileCheck %s

// Element j of a row is a half of word j / 2: one operation.
// CHECK: #[[HALF:.*]] = affine_map<(d0, d1) -> (d0, d1 floordiv 2)>
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic
// CHECK-SAME: #[[HALF]]
// CHECK-SAME: tandem.unpack
func.func @main(%x: memref<6x20xbf16, "packed">) {
  %y = memref.alloc() : memref<6x20xbf16>
  memref.copy %x, %y : memref<6x20xbf16, "packed"> to memref<6x20xbf16>
  return
}
