// RUN: (tandem-opt %s --tandem-plan-buffers 2>&1 && exit 1 || exit 0) | FileCheck %s

// Scalars count the words of HBM: beyond 8 GiB addresses would wrap.
// CHECK: no room: arguments, results and temporaries take 9000000004 bytes of HBM, compiled programs reach 8589934592
func.func @main(%x: memref<9000000000xi8>, %y: memref<f32>) {
  return
}
