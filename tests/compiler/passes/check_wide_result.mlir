// RUN: (tandem-compile %s 2>&1 && exit 1 || exit 0) | FileCheck %s

// Pairs of words do not leave the program.
// CHECK: check_wide_result.mlir:[[@LINE+2]]:{{.*}} error: unimplemented: elements of type ui64 (of stablehlo.convert)
func.func public @main(%x: tensor<4xi32>) -> tensor<4xui64> {
  %0 = "stablehlo.convert"(%x) : (tensor<4xi32>) -> tensor<4xui64>
  return %0 : tensor<4xui64>
}
