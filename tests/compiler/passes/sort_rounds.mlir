// RUN: tandem-opt %s --preset full --tandem-lower-to-tensor --canonicalize | FileCheck %s
// RUN: tandem-opt %s --preset small --tandem-lower-to-tensor --canonicalize | FileCheck %s

// The two largest of each row: no table, but two rounds of a maximum and the least place that has it.
// CHECK-NOT: memref.alloc
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK-NOT: arith.maxsi
// CHECK: return
func.func public @main(%x: tensor<16x256xi32>) -> (tensor<16x2xi32>, tensor<16x2xi32>) {
  %places = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<16x256xi32>
  %0:2 = "stablehlo.sort"(%x, %places) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %greater = "stablehlo.compare"(%a, %b) {comparison_direction = "GT", compare_type = "SIGNED"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%greater) : (tensor<i1>) -> ()
  }) {dimension = 1 : i64, is_stable = true} : (tensor<16x256xi32>, tensor<16x256xi32>) -> (tensor<16x256xi32>, tensor<16x256xi32>)
  %1 = "stablehlo.slice"(%0#0) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 16, 2>, strides = array<i64: 1, 1>} : (tensor<16x256xi32>) -> tensor<16x2xi32>
  %2 = "stablehlo.slice"(%0#1) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 16, 2>, strides = array<i64: 1, 1>} : (tensor<16x256xi32>) -> tensor<16x2xi32>
  return %1, %2 : tensor<16x2xi32>, tensor<16x2xi32>
}
