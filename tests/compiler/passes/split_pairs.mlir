// RUN: tandem-opt %s --pass-pipeline='builtin.module(func.func(tandem-split-pairs))' | FileCheck %s

// The lower words' sum is less than its operands if it carries.
// CHECK-NOT: ui64
// CHECK: %[[LOW:.*]] = "stablehlo.add"(%[[A:.*]], %{{.*}}) : (tensor<3xui32>
// CHECK: "stablehlo.compare"(%[[LOW]], %[[A]]) {comparison_direction = "LT"}
// CHECK: "stablehlo.convert"
// CHECK-NOT: ui64
func.func public @main(%x: tensor<3xui32>, %y: tensor<3xui32>) -> tensor<3xui32> {
  %0 = "stablehlo.convert"(%x) : (tensor<3xui32>) -> tensor<3xui64>
  %1 = "stablehlo.convert"(%y) : (tensor<3xui32>) -> tensor<3xui64>
  %2 = "stablehlo.add"(%0, %1) : (tensor<3xui64>, tensor<3xui64>) -> tensor<3xui64>
  %3 = "stablehlo.constant"() {value = dense<32> : tensor<3xui64>} : () -> tensor<3xui64>
  %4 = "stablehlo.shift_right_logical"(%2, %3) : (tensor<3xui64>, tensor<3xui64>) -> tensor<3xui64>
  %5 = "stablehlo.convert"(%4) : (tensor<3xui64>) -> tensor<3xui32>
  func.return %5 : tensor<3xui32>
}
