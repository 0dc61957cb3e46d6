// RUN: tandem-opt %s --tandem-expand-collectives | FileCheck %s

module attributes {mhlo.num_partitions = 4 : i32} {
  // The sum is taken in the order in which the group names its members.
  // CHECK-LABEL: func.func @reduce
  // CHECK: %[[ROW:.*]] = "stablehlo.reshape"(%arg0) : (tensor<2x3xf32>) -> tensor<1x6xf32>
  // CHECK: %[[ALL:.*]] = "stablehlo.custom_call"(%[[ROW]])
  // CHECK-SAME: by_all = false
  // CHECK-SAME: chips = 4 : i64, flags = 0 : i64
  // CHECK-SAME: messages = array<i64: 0, 3, 0, 0, 0, 0, 0, 0, 3, 0, 0, 1, 3, 3, 0, 1, 2, 1, 0, 0, 2, 2, 0, 0, 1, 2, 0, 1, 1, 1, 0, 1>
  // CHECK-SAME: (tensor<1x6xf32>) -> tensor<2x6xf32>
  // CHECK: %[[PARTS:.*]] = "stablehlo.reshape"(%[[ALL]]) : (tensor<2x6xf32>) -> tensor<2x2x3xf32>
  // CHECK: %[[FIRST:.*]] = "stablehlo.slice"(%[[PARTS]]) {{.*}}start_indices = array<i64: 0, 0, 0>
  // CHECK: %[[A:.*]] = "stablehlo.reshape"(%[[FIRST]])
  // CHECK: %[[SECOND:.*]] = "stablehlo.slice"(%[[PARTS]]) {{.*}}start_indices = array<i64: 1, 0, 0>
  // CHECK: %[[B:.*]] = "stablehlo.reshape"(%[[SECOND]])
  // CHECK: "stablehlo.add"(%[[A]], %[[B]]) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.func @reduce(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %r = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 3], [2, 1]]> : tensor<2x2xi64>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %r : tensor<2x3xf32>
  }

  // Of many elements each device sums a part: one exchange of parts, one of sums, both among the same devices. What no vector
  // operation does goes straight.
  // CHECK-LABEL: func.func @reduce_much
  // CHECK: %[[FLAT:.*]] = "stablehlo.concatenate"
  // CHECK-SAME: -> tensor<1028xi32>
  // CHECK: "stablehlo.custom_call"({{.*}}flags = 1 : i64{{.*}}(tensor<4x257xi32>) -> tensor<4x257xi32>
  // CHECK-COUNT-3: "stablehlo.xor"
  // CHECK: "stablehlo.custom_call"({{.*}}flags = 1 : i64{{.*}}(tensor<1x257xi32>) -> tensor<4x257xi32>
  func.func @reduce_much(%x: tensor<1025xi32>) -> tensor<1025xi32> {
    %r = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = "stablehlo.xor"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%s) : (tensor<i32>) -> ()
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<1025xi32>) -> tensor<1025xi32>
    return %r : tensor<1025xi32>
  }

  // Pairs have flags of their own; complex numbers go as two numbers.
  // CHECK-LABEL: func.func @permute
  // CHECK: "stablehlo.custom_call"({{.*}}flags = 2 : i64{{.*}}messages = array<i64: 0, 1, 0, 0, 3, 2, 0, 0>} : (tensor<1x10xf32>) -> tensor<1x10xf32>
  // CHECK: "stablehlo.complex"
  func.func @permute(%x: tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
    %r = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1], [3, 2]]> : tensor<2x2xi64>} : (tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>>
    return %r : tensor<5xcomplex<f32>>
  }

  // What vectors do goes round a ring, which has two pairs of flags, in parts of whole vectors; so do rows that are long.
  // CHECK-LABEL: func.func @round
  // CHECK: "stablehlo.concatenate"
  // CHECK-SAME: -> tensor<2048xi32>
  // CHECK: "stablehlo.custom_call"({{.*}}block_words = 512 : i64, call_target_name = "tandem_ring", combine = "vmax.s32", flags = array<i64: 3, 4>, gathers = true{{.*}}lanes = 16 : i64, members = array<i64: 0, 1, 2, 3>, places = 4 : i64} : (tensor<4x512xi32>) -> tensor<4x512xi32>
  // CHECK: "stablehlo.slice"{{.*}} -> tensor<1025xi32>
  // CHECK: "stablehlo.custom_call"({{.*}}call_target_name = "tandem_ring", combine = "", flags = array<i64: 3, 4>, gathers = true{{.*}} : (tensor<1x1025xi32>) -> tensor<4x1025xi32>
  func.func @round(%x: tensor<1025xi32>) -> tensor<4100xi32> {
    %r = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = "stablehlo.maximum"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%s) : (tensor<i32>) -> ()
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<1025xi32>) -> tensor<1025xi32>
    %g = "stablehlo.all_gather"(%r) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<1025xi32>) -> tensor<4100xi32>
    return %g : tensor<4100xi32>
  }
}
