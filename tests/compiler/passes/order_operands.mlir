// RUN: tandem-opt %s --tandem-order-operands | FileCheck %s

// The same product written the one way and the other is the same; subtractions stay as they are.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>, %[[Y:[a-z0-9]+]]: tensor<4xf32>
// CHECK: %[[P:.*]] = "stablehlo.multiply"(%[[X]], %[[Y]])
// CHECK: %[[Q:.*]] = "stablehlo.multiply"(%[[X]], %[[Y]])
// CHECK: "stablehlo.subtract"(%[[Q]], %[[P]])
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %p = "stablehlo.multiply"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %q = "stablehlo.multiply"(%y, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %d = "stablehlo.subtract"(%q, %p) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %d : tensor<4xf32>
}
