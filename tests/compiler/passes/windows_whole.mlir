// RUN: tandem-opt %s --preset=nano --tandem-cut-into-blocks | FileCheck %s

// Three windows of one buffer, which fits VMEM beside the result: they take no more than the buffer
// and are not fetched block by block.
// CHECK-LABEL: func.func @windows
// CHECK-NOT: scf.for
// CHECK: linalg.generic
// CHECK-NOT: scf.for
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @windows(%result: memref<512x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %x = memref.alloc() : memref<514x8xf32>
  linalg.fill ins(%zero : f32) outs(%x : memref<514x8xf32>)
  %y = memref.alloc() : memref<512x8xf32>
  %a = memref.subview %x[0, 0] [512, 8] [1, 1] : memref<514x8xf32> to memref<512x8xf32, strided<[8, 1]>>
  %b = memref.subview %x[1, 0] [512, 8] [1, 1] : memref<514x8xf32> to memref<512x8xf32, strided<[8, 1], offset: 8>>
  %c = memref.subview %x[2, 0] [512, 8] [1, 1] : memref<514x8xf32> to memref<512x8xf32, strided<[8, 1], offset: 16>>
  linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b, %c : memref<512x8xf32, strided<[8, 1]>>, memref<512x8xf32, strided<[8, 1], offset: 8>>, memref<512x8xf32, strided<[8, 1], offset: 16>>) outs(%y : memref<512x8xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %s: f32):
    %1 = arith.addf %p, %q : f32
    %2 = arith.addf %1, %r : f32
    linalg.yield %2 : f32
  }
  memref.copy %y, %result : memref<512x8xf32> to memref<512x8xf32>
  return
}
