// RUN: tandem-opt %s --preset=nano --tandem-tile --canonicalize --cse | FileCheck %s

// Data larger than VMEM streams through it in tiles; neighbouring loops are one.
// CHECK-LABEL: func.func @stream
// CHECK-DAG: %[[IN:.*]] = memref.alloc() : memref<{{[0-9]+}}xf32, "vmem">
// CHECK-DAG: %[[OUT:.*]] = memref.alloc() : memref<{{[0-9]+}}xf32, "vmem">
// CHECK: scf.for
// CHECK: memref.copy {{.*}} to memref<{{.*}}, "vmem">
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]
// CHECK: memref.copy {{.*}}, "vmem"> to memref
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @stream(%x: memref<512x256xf32>, %y: memref<512x256xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<512x256xf32>) outs(%y : memref<512x256xf32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %p : f32
    linalg.yield %s : f32
  }
  return
}

// A body that only hands on is a copy between two views.
// CHECK-LABEL: func.func @transpose
// CHECK-NOT: linalg.generic
// CHECK: memref.copy
#from = affine_map<(d0, d1) -> (d1, d0)>
func.func @transpose(%x: memref<3x5xf32>, %y: memref<5x3xf32>) {
  linalg.generic {indexing_maps = [#from, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<3x5xf32>) outs(%y : memref<5x3xf32>) {
  ^bb0(%p: f32, %q: f32):
    linalg.yield %p : f32
  }
  return
}
