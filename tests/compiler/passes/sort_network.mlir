// RUN: tandem-opt %s --tandem-lower-to-tensor --canonicalize | FileCheck %s

// One integer key is the whole order: minima and maxima only. The elements are rows of a table.
// CHECK: memref.alloc() : memref<1x8x9x32xi32>
// CHECK-NOT: memref.alloc() : memref<1x8x9x32x
// CHECK: arith.minsi
// CHECK-NEXT: arith.maxsi
// CHECK-NOT: arith.cmp
// CHECK: return
func.func public @main(%x: tensor<32x64xi32>) -> tensor<32x64xi32> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %less = "stablehlo.compare"(%a, %b) {comparison_direction = "LT", compare_type = "SIGNED"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%less) : (tensor<i1>) -> ()
  }) {dimension = 1 : i64, is_stable = true} : (tensor<32x64xi32>) -> tensor<32x64xi32>
  return %0 : tensor<32x64xi32>
}
