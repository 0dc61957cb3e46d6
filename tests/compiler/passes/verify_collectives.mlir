// RUN: (tandem-compile %s --links --emit=stablehlo 2>&1 && exit 1 || exit 0) | FileCheck %s --check-prefix=CHECK-TWICE
// RUN: (sed 's/0, 1, 0/0, 1, 2/' %s | tandem-compile - --links --emit=stablehlo 2>&1 && exit 1 || exit 0) | FileCheck %s --check-prefix=CHECK-SIZE
// RUN: (sed 's/0, 1, 0/0, 1, 3/' %s | tandem-compile - --links --emit=stablehlo 2>&1 && exit 1 || exit 0) | FileCheck %s --check-prefix=CHECK-DEVICE
// RUN: (sed -e 's/0, 1, 0/0, 1, 2/' -e 's/9xf32/12xf32/' %s | tandem-compile - --links --emit=stablehlo 2>&1 && exit 1 || exit 0) | FileCheck %s --check-prefix=CHECK-RECEIVES
// RUN: (sed -e 's/0, 1, 0/0, 1, 2/' -e 's/9xf32/12xf32/' -e 's/2, 1]]/2, 0]]/' %s | tandem-compile - --emit=stablehlo 2>&1 && exit 1 || exit 0) | FileCheck %s --check-prefix=CHECK-LINKS

// CHECK-TWICE: error: stablehlo.all_gather: it names device 0 twice
// CHECK-SIZE: error: stablehlo.all_gather: {{.*}}[12]
// CHECK-DEVICE: error: stablehlo.all_gather: it names device 3 of 3
// CHECK-RECEIVES: error: stablehlo.collective_permute: device 1 receives twice
// CHECK-LINKS: error: unimplemented: stablehlo.all_gather: there are no links between devices yet
module attributes {mhlo.num_partitions = 3 : i32} {
  func.func public @main(%x: tensor<4xf32>) -> (tensor<9xf32>, tensor<4xf32>) {
    %a = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 0]]> : tensor<1x3xi64>} : (tensor<4xf32>) -> tensor<9xf32>
    %b = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    return %a, %b : tensor<9xf32>, tensor<4xf32>
  }
}
