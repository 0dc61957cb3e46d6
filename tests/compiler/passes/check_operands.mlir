// RUN: (tandem-opt %s --tandem-check 2>&1 && exit 1 || exit 0) | FileCheck %s

// CHECK: check_operands.mlir:[[@LINE+2]]:{{.*}} error: stablehlo.divide with operands of two types, 'tensor<4xf32>' and 'tensor<4xi32>'
func.func public @main(%x: tensor<4xf32>, %y: tensor<4xi32>) -> tensor<4xf32> {
  %0 = "stablehlo.divide"(%x, %y) : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
