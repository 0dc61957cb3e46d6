// RUN: tandem-compile %s --stats | FileCheck %s
// RUN: tandem-compile %s --stats --preset full --json | FileCheck %s --check-prefix=JSON
// RUN: not tandem-compile %s --stats --in arg7=nowhere.npy 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not tandem-compile %s --stats --in arg0 2>&1 | FileCheck %s --check-prefix=PAIR
// RUN: not env TANDEM_EXECUTABLE=/bin/false tandem-compile %s --stats 2>&1 | FileCheck %s --check-prefix=FALSE

// Regions in order, each with its cycles; waits for copies count in the region that waits.
// CHECK: small: {{[0-9]+}} cycles measured with random inputs, {{[0-9]+}} predicted
// The machine reads 64 bytes a cycle: 16 x 64 and 64 x 64 words.
// CHECK-NEXT: useful work takes 320 cycles at least (memory): {{[0-9]+}}% of the roof is reached
// CHECK-NEXT: # {{ *}}measured {{ *}}predicted
// CHECK: memory{{ +}}4096{{ +}}0 {{.*}}copy of arg0
// 16 rows by 4 x 4 tiles.
// CHECK: 256 {{ *[0-9]+}}% MXU {{.*}}131072{{ +}}dot_general{{ +}}product.py:3
// CHECK: add, exponential
// CHECK: copy to out0
// CHECK: outside of regions

// JSON: "inputs":"random"
// JSON-SAME: "bound":"{{[A-Za-z]+}}"
// JSON-SAME: "operations":["jit(f)/dot_general"],"place":"product.py:3"
// JSON-SAME: "unknown_loops":0
// JSON-SAME: "useful":{"bound":"memory","busy":

// NAME: error: the program has no input 'arg7'
// PAIR: --in wants NAME=FILE.npy
// FALSE: error: the run on the cycle-exact model failed: without a word
func.func public @main(%a: tensor<16x64xf32>, %b: tensor<64x64xf32>) -> tensor<16x64xf32> {
  %0 = "stablehlo.dot_general"(%a, %b) {lhs_batching_dimensions = array<i64>, rhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, rhs_contracting_dimensions = array<i64: 0>, precision_config = ["DEFAULT", "DEFAULT"]} : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32> loc("jit(f)/dot_general"("product.py":3:5))
  %1 = "stablehlo.exponential"(%0) : (tensor<16x64xf32>) -> tensor<16x64xf32> loc("jit(f)/exponential"("product.py":4:5))
  %2 = "stablehlo.add"(%1, %0) : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32> loc("jit(f)/add"("product.py":5:5))
  return %2 : tensor<16x64xf32>
}
