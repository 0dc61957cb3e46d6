// RUN: tandem-opt %s --tandem-check --tandem-lower-to-tensor --canonicalize --cse | FileCheck %s

// A buffer into which an iteration writes a slice stays where it is; values from elsewhere are saved first.
// CHECK-LABEL: func.func @main
// CHECK: scf.while
// CHECK: } do {
// CHECK: %[[ROWS:.*]] = tensor.insert_slice
// CHECK: %[[KEPT:.*]] = linalg.copy ins(%{{.*}} : tensor<1x4xf32>)
// CHECK-NOT: ins(%[[ROWS]] {{.*}} outs(%{{[0-9]+}} : tensor<8x4xf32>)
// CHECK: scf.yield
func.func public @main(%rows: tensor<8x4xf32>, %row: tensor<1x4xf32>) -> tensor<8x4xf32> {
  %zero = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r:4 = "stablehlo.while"(%zero, %rows, %row, %row) ({
  ^bb0(%i: tensor<i32>, %x: tensor<8x4xf32>, %a: tensor<1x4xf32>, %b: tensor<1x4xf32>):
    %end = "stablehlo.constant"() {value = dense<8> : tensor<i32>} : () -> tensor<i32>
    %go = "stablehlo.compare"(%i, %end) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%go) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %x: tensor<8x4xf32>, %a: tensor<1x4xf32>, %b: tensor<1x4xf32>):
    %one = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %first = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %y = "stablehlo.dynamic_update_slice"(%x, %a, %i, %first) : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
    %next = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%next, %y, %b, %a) : (tensor<i32>, tensor<8x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> ()
  }) : (tensor<i32>, tensor<8x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> (tensor<i32>, tensor<8x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>)
  return %r#1 : tensor<8x4xf32>
}
