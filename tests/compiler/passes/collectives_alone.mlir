// RUN: tandem-compile %s --links --emit=stablehlo | FileCheck %s
// RUN: (sed -e 's/num_partitions = 4/num_partitions = 1/' -e 's/dense<.*4x2xi64>/dense<0> : tensor<1x2xi64>/' -e 's/dense<.*tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>$/dense<0> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>/' -e 's/dense<.*4x1xi64>/dense<0> : tensor<1x1xi64>/' -e '/broadcast/s/1x2xi64/1x1xi64/' %s | tandem-compile - --emit=stablehlo) | FileCheck %s --check-prefix=ALONE

// Groups of one, and permutations in which all stay, are what comes in; with one partition every group is one.
// CHECK-LABEL: func.func public @main
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK: %[[N:.*]] = "stablehlo.custom_call"() {call_target_name = "tandem_chip"
// CHECK-NEXT: %[[Y:.*]] = "stablehlo.negate"(%[[X]])
// CHECK: "stablehlo.custom_call"(%{{.*}}) {{{.*}}call_target_name = "tandem_exchange"
// CHECK: %[[P:.*]] = "stablehlo.custom_call"(%{{.*}}) {{{.*}}call_target_name = "tandem_exchange"
// CHECK: %[[R:.*]] = "stablehlo.reshape"(%[[P]])
// CHECK: return %[[R]], %[[N]]
// ALONE-LABEL: func.func public @main
// ALONE-SAME: %[[X:.*]]: tensor<4xf32>
// ALONE: %[[Y:.*]] = "stablehlo.negate"
// ALONE: %[[N:.*]] = "stablehlo.constant"() {value = dense<0> : tensor<ui32>}
// ALONE: return %[[Y]], %[[N]]
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<ui32>) {
    %a = "stablehlo.all_reduce"(%x) ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = "stablehlo.add"(%l, %r) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0], [1], [2], [3]]> : tensor<4x1xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    %b = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[3], [1], [2], [0]]> : tensor<4x1xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    %c = "stablehlo.collective_permute"(%b) {source_target_pairs = dense<[[0, 0], [3, 3], [1, 1], [2, 2]]> : tensor<4x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    %d = "stablehlo.negate"(%c) : (tensor<4xf32>) -> tensor<4xf32>
    %e = "stablehlo.collective_broadcast"(%d) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    %f = "stablehlo.collective_permute"(%e) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    %g = "stablehlo.partition_id"() : () -> tensor<ui32>
    return %f, %g : tensor<4xf32>, tensor<ui32>
  }
}
