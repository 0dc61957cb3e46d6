// RUN: (tandem-compile %s --hbm 4095 2>&1 && exit 1 || exit 0) | FileCheck %s
// RUN: tandem-compile %s --hbm 8192 --emit=stablehlo

// Before anything is compiled, at the line of the largest.
// CHECK: check_room.mlir:[[@LINE+2]]:{{.*}} error: no room: arguments and results take 4100 bytes of HBM, there are 4095
func.func public @main(%x: tensor<f32>) -> tensor<1024xf32> {
  %0 = "stablehlo.broadcast_in_dim"(%x) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
