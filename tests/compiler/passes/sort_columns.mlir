// RUN: tandem-opt %s --preset full --tandem-lower-to-tensor --canonicalize | FileCheck %s

// One row of 1,000 is a table of 8 rows and 128 columns, and a second one for partners; nothing has
// columns as rows.
// CHECK: memref.alloc() : memref<1x1x9x128xi32>
// CHECK: memref.alloc() : memref<1x1x9x128xi32>
// CHECK-NOT: memref<1x16x9x
// CHECK: return
func.func public @main(%x: tensor<1000xi32>) -> tensor<1000xi32> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %less = "stablehlo.compare"(%a, %b) {comparison_direction = "LT", compare_type = "SIGNED"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%less) : (tensor<i1>) -> ()
  }) {dimension = 0 : i64, is_stable = true} : (tensor<1000xi32>) -> tensor<1000xi32>
  return %0 : tensor<1000xi32>
}
