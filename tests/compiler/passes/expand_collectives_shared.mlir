// RUN: tandem-opt %s --tandem-expand-collectives | FileCheck %s

// Seven kinds of pairs of devices: that in the loop has flags of its own, one after the others that are left of six, and what is
// left over shares the first.
// CHECK-LABEL: func.func @main
// CHECK: by_all = false, {{.*}}flags = 2 : i64, {{.*}}messages = array<i64: 0, 1, 0, 0>
// CHECK: by_all = false, {{.*}}flags = 3 : i64, {{.*}}messages = array<i64: 1, 0, 0, 0>
// CHECK: by_all = false, {{.*}}flags = 4 : i64, {{.*}}messages = array<i64: 0, 2, 0, 0>
// CHECK: by_all = false, {{.*}}flags = 5 : i64, {{.*}}messages = array<i64: 2, 0, 0, 0>
// CHECK: by_all = true, {{.*}}flags = 0 : i64, {{.*}}messages = array<i64: 1, 2, 0, 0>
// CHECK: by_all = true, {{.*}}flags = 0 : i64, {{.*}}messages = array<i64: 2, 1, 0, 0>
// CHECK: "stablehlo.while"
// CHECK: by_all = false, {{.*}}flags = 1 : i64, {{.*}}messages = array<i64: 0, 1, 0, 0, 1, 0, 0, 0>
module attributes {mhlo.num_partitions = 3 : i32} {
  func.func @main(%x: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {
    %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "stablehlo.collective_permute"(%0) {source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.collective_permute"(%1) {source_target_pairs = dense<[[0, 2]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    %3 = "stablehlo.collective_permute"(%2) {source_target_pairs = dense<[[2, 0]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    %4 = "stablehlo.collective_permute"(%3) {source_target_pairs = dense<[[1, 2]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    %5 = "stablehlo.collective_permute"(%4) {source_target_pairs = dense<[[2, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    %6 = "stablehlo.while"(%5) ({
    ^bb0(%a: tensor<4xf32>):
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a: tensor<4xf32>):
      %b = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
      "stablehlo.return"(%b) : (tensor<4xf32>) -> ()
    }) : (tensor<4xf32>) -> tensor<4xf32>
    return %6 : tensor<4xf32>
  }
}
