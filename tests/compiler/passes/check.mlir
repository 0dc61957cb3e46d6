// RUN: (tandem-opt %s --tandem-check 2>&1 && exit 1 || exit 0) | FileCheck %s

// CHECK: check.mlir:[[@LINE+1]]:{{.*}} error: unimplemented: elements of type f64
func.func public @main(%x: tensor<4xf64>) -> tensor<4xf64> {
  return %x : tensor<4xf64>
}
