// RUN: tandem-opt %s --tandem-lower-to-tensor --canonicalize | FileCheck %s

// A window that reaches to the beginning is not a reduction: eight elements are added one by one,
// for all groups of eight; then the groups' last ones.
// CHECK-NOT: "reduction"
// CHECK: memref.alloc() : memref<1x8x9x32xi32>
// CHECK-COUNT-7: arith.addi
// CHECK: memref.alloc() : memref<1x8x32xi32>
// CHECK-NOT: "reduction"
// CHECK: return
func.func public @main(%x: tensor<64x32xi32>) -> tensor<64x32xi32> {
  %zero = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%sum) : (tensor<i32>) -> ()
  }) {window_dimensions = array<i64: 64, 1>, padding = array<i64: 63, 0, 0, 0>} : (tensor<64x32xi32>, tensor<i32>) -> tensor<64x32xi32>
  return %0 : tensor<64x32xi32>
}
