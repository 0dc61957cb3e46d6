// RUN: tandem-compile %s --preset=small --emit=tpu | FileCheck %s

// Operations on words that the machine has are one instruction: unsigned orders, counts of bits, and
// a rotation, which StableHLO writes as two shifts. Shifts that are not all of a word stay.
// CHECK-LABEL: func.func @main
// CHECK-DAG: "tpu.vrotl"({{.*}}, %c13
// CHECK-DAG: tpu.vmax.u32
// CHECK-DAG: tpu.vlt.u32
// CHECK-DAG: tpu.vpop
// CHECK-DAG: tpu.vclz
// CHECK-DAG: "tpu.vshl"({{.*}}, %c12
// CHECK-DAG: "tpu.vshr"({{.*}}, %c19
// CHECK-NOT: tpu.vrotl
func.func public @main(%x: tensor<16xui32>, %y: tensor<16xui32>) -> (tensor<16xui32>, tensor<16xui32>, tensor<16xui32>, tensor<16xui32>, tensor<16xui32>, tensor<16xi1>) {
  %c12 = "stablehlo.constant"() {value = dense<12> : tensor<16xui32>} : () -> tensor<16xui32>
  %c13 = "stablehlo.constant"() {value = dense<13> : tensor<16xui32>} : () -> tensor<16xui32>
  %c19 = "stablehlo.constant"() {value = dense<19> : tensor<16xui32>} : () -> tensor<16xui32>
  %up = "stablehlo.shift_left"(%x, %c13) : (tensor<16xui32>, tensor<16xui32>) -> tensor<16xui32>
  %down = "stablehlo.shift_right_logical"(%x, %c19) : (tensor<16xui32>, tensor<16xui32>) -> tensor<16xui32>
  %rotated = "stablehlo.or"(%up, %down) : (tensor<16xui32>, tensor<16xui32>) -> tensor<16xui32>
  %less_up = "stablehlo.shift_left"(%y, %c12) : (tensor<16xui32>, tensor<16xui32>) -> tensor<16xui32>
  %also_down = "stablehlo.shift_right_logical"(%y, %c19) : (tensor<16xui32>, tensor<16xui32>) -> tensor<16xui32>
  %joined = "stablehlo.or"(%less_up, %also_down) : (tensor<16xui32>, tensor<16xui32>) -> tensor<16xui32>
  %most = "stablehlo.maximum"(%x, %y) : (tensor<16xui32>, tensor<16xui32>) -> tensor<16xui32>
  %ones = "stablehlo.popcnt"(%x) : (tensor<16xui32>) -> tensor<16xui32>
  %zeros = "stablehlo.count_leading_zeros"(%x) : (tensor<16xui32>) -> tensor<16xui32>
  %less = "stablehlo.compare"(%x, %y) {comparison_direction = "LT", compare_type = "UNSIGNED"} : (tensor<16xui32>, tensor<16xui32>) -> tensor<16xi1>
  return %rotated, %joined, %most, %ones, %zeros, %less : tensor<16xui32>, tensor<16xui32>, tensor<16xui32>, tensor<16xui32>, tensor<16xui32>, tensor<16xi1>
}
