// RUN: tandem-compile %s --preset=small --emit=tpu | FileCheck %s

// A division by a number that the program knows is a product with the number's inverse in two parts,
// and the inverse of a number the unit's own.
// CHECK-LABEL: func.func @main
// CHECK-DAG: tpu.vmulerr.f32
// CHECK-DAG: tpu.rcp
// CHECK-NOT: tpu.rcp
// CHECK-NOT: tpu.vmulerr.f32
// CHECK-NOT: tpu.vsel
func.func public @main(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %three = "stablehlo.constant"() {value = dense<3.0> : tensor<16xf32>} : () -> tensor<16xf32>
  %one = "stablehlo.constant"() {value = dense<1.0> : tensor<16xf32>} : () -> tensor<16xf32>
  %third = "stablehlo.divide"(%x, %three) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %inverse = "stablehlo.divide"(%one, %x) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %third, %inverse : tensor<16xf32>, tensor<16xf32>
}
