// RUN: tandem-opt %s --tandem-check --tandem-lower-to-tensor --canonicalize --cse | FileCheck %s

// Five products of one row each, whose sums are short, are for the vector units; with sums along the
// rows, or with longer ones, they are for the matrix unit.
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-SAME: outs(%{{[a-z0-9]+}} : tensor<5x32xf32>) {
// CHECK: linalg.generic
// CHECK-SAME: outs(%{{[a-z0-9]+}} : tensor<5x48xf32>) attrs = {{.*}}tandem.precision = "DEFAULT"
// CHECK: linalg.generic
// CHECK-SAME: outs(%{{[a-z0-9]+}} : tensor<5x64xf32>) attrs = {{.*}}tandem.precision = "DEFAULT"
func.func public @main(%x: tensor<5x3xf32>, %w: tensor<5x3x32xf32>, %along: tensor<5x48x3xf32>, %y: tensor<5x17xf32>, %long: tensor<5x17x64xf32>) -> (tensor<5x32xf32>, tensor<5x48xf32>, tensor<5x64xf32>) {
  %0 = "stablehlo.dot_general"(%x, %w) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<5x3xf32>, tensor<5x3x32xf32>) -> tensor<5x32xf32>
  %1 = "stablehlo.dot_general"(%x, %along) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>} : (tensor<5x3xf32>, tensor<5x48x3xf32>) -> tensor<5x48xf32>
  %2 = "stablehlo.dot_general"(%y, %long) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<5x17xf32>, tensor<5x17x64xf32>) -> tensor<5x64xf32>
  return %0, %1, %2 : tensor<5x32xf32>, tensor<5x48xf32>, tensor<5x64xf32>
}
