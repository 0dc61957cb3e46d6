// RUN: tandem-compile %s --emit=tiled | FileCheck %s

// Short rows that are a scalar in another shape are not rows to be joined.
// CHECK-LABEL: func.func @main
// CHECK: arith.mulf
func.func public @main(%x: tensor<f32>, %y: tensor<1x1xf32>) -> tensor<f32> {
  %a = "stablehlo.reshape"(%x) : (tensor<f32>) -> tensor<1x1xf32>
  %b = "stablehlo.multiply"(%a, %y) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  %c = "stablehlo.add"(%b, %a) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  %d = "stablehlo.reshape"(%c) : (tensor<1x1xf32>) -> tensor<f32>
  return %d : tensor<f32>
}
