// RUN: tandem-opt %s --tandem-expand-collectives | FileCheck %s

module attributes {mhlo.num_partitions = 4 : i32} {
  // The device's own part is multiplied while the first halves are on the way. Each step sends one message each way: own
  // halves, then what has come two steps before. All products are of half a part, made in a window of the result.
  // CHECK-LABEL: func.func @gathered
  // CHECK: %[[OWN:.*]] = "stablehlo.reshape"({{.*}}-> tensor<2x8192xf32>
  // CHECK-COUNT-3: call_target_name = "tandem_landing"
  // CHECK: %[[A:.*]]:5 = "stablehlo.custom_call"(%[[OWN]]
  // CHECK-SAME: call_target_name = "tandem_step", came = 0 : i64, come = 0 : i64, first = true
  // CHECK-SAME: messages = array<i64: 0, 0, 0, 2, 0, 8192, 1, 0, 8192, 2, 8192, 8192>
  // CHECK-SAME: sent = 0 : i64, sources = 1 : i64
  // CHECK: "tandem_window"
  // CHECK: "stablehlo.dot_general"({{.*}}(tensor<64x128xf32>, tensor<128x64xf32>) -> tensor<64x64xf32>
  // CHECK: "tandem_put"
  // CHECK: "stablehlo.dot_general"({{.*}}(tensor<64x128xf32>, tensor<128x64xf32>) -> tensor<64x64xf32>
  // CHECK: %[[B:.*]]:5 = "stablehlo.custom_call"(%[[A]]#0
  // CHECK-SAME: came = 1 : i64
  // CHECK-SAME: messages = array<i64: 0, 0, 8192, 3, 0, 8192, 1, 0, 0, 3, 8192, 8192>
  // CHECK: "stablehlo.slice"(%[[B]]#2)
  // CHECK: %[[C:.*]]:5 = "stablehlo.custom_call"(%[[B]]#0
  // CHECK-SAME: came = 2 : i64
  // CHECK-SAME: messages = array<i64: 0, 2, 0, 4, 0, 8192, 1, 2, 8192, 4, 8192, 8192>
  // CHECK: %[[D:.*]]:5 = "stablehlo.custom_call"(%[[C]]#0
  // CHECK-SAME: came = 3 : i64
  // CHECK-SAME: messages = array<i64>
  // CHECK-SAME: sent = 6 : i64
  // CHECK: "stablehlo.slice"(%[[D]]#4)
  // CHECK-NOT: "stablehlo.all_gather"
  func.func @gathered(%x: tensor<128x128xf32>, %w: tensor<128x64xf32>) -> tensor<512x64xf32> {
    %all = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<128x128xf32>) -> tensor<512x128xf32>
    %y = "stablehlo.dot_general"(%all, %w) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<512x128xf32>, tensor<128x64xf32>) -> tensor<512x64xf32>
    return %y : tensor<512x64xf32>
  }

  // A contracted dimension would be summed in another order on each device.
  // CHECK-LABEL: func.func @deep
  // CHECK-NOT: "tandem_step"
  // CHECK: "tandem_ring"
  // CHECK-NOT: "tandem_step"
  func.func @deep(%x: tensor<128x128xf32>, %w: tensor<512x64xf32>) -> tensor<128x64xf32> {
    %all = "stablehlo.all_gather"(%x) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<128x128xf32>) -> tensor<128x512xf32>
    %y = "stablehlo.dot_general"(%all, %w) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<128x512xf32>, tensor<512x64xf32>) -> tensor<128x64xf32>
    return %y : tensor<128x64xf32>
  }

  // The gathered array may have no other users, since it never exists as a whole.
  // CHECK-LABEL: func.func @shared
  // CHECK-NOT: "tandem_step"
  // CHECK: return
  func.func @shared(%x: tensor<128x128xf32>, %w: tensor<128x64xf32>) -> (tensor<512x64xf32>, tensor<512x128xf32>) {
    %all = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<128x128xf32>) -> tensor<512x128xf32>
    %y = "stablehlo.dot_general"(%all, %w) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<512x128xf32>, tensor<128x64xf32>) -> tensor<512x64xf32>
    return %y, %all : tensor<512x64xf32>, tensor<512x128xf32>
  }

  // Half parts that are next to go are multiplied, what has come is added from the third message on, and the last products are the
  // device's own. An all_reduce then gathers the parts round the same ring.
  // CHECK-LABEL: func.func @scattered
  // CHECK: "stablehlo.dynamic_slice"({{.*}}slice_sizes = array<i64: 64, 64>
  // CHECK: "tandem_step", came = 0 : i64, come = 0 : i64, first = true
  // CHECK-NOT: "stablehlo.add"({{.*}}tensor<64x128xf32>
  // CHECK: "tandem_step", came = 0 : i64, come = 1 : i64, first = false
  // CHECK-COUNT-2: "stablehlo.add"({{.*}}tensor<64x128xf32>
  // CHECK: "tandem_step", came = 0 : i64, come = 2 : i64
  // CHECK: "tandem_step", came = 3 : i64
  // CHECK-SAME: sent = 6 : i64
  // CHECK-COUNT-4: "stablehlo.add"({{.*}}tensor<64x128xf32>
  // CHECK: "tandem_ring"{{.*}}combine = ""
  // CHECK-NOT: "stablehlo.all_reduce"
  func.func @scattered(%x: tensor<512x64xf32>, %w: tensor<64x128xf32>) -> tensor<512x128xf32> {
    %y = "stablehlo.dot_general"(%x, %w) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<512x64xf32>, tensor<64x128xf32>) -> tensor<512x128xf32>
    %all = "stablehlo.all_reduce"(%y) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<512x128xf32>) -> tensor<512x128xf32>
    return %all : tensor<512x128xf32>
  }
}
