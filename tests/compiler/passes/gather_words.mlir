// RUN: tandem-compile %s --preset=small --emit=tpu | FileCheck %s

// Each index is looked up in a row of the table at a time: its lanes are permuted, and the words
// taken where the index is in that row. 40 words are two whole rows and a half one.
// CHECK-LABEL: func.func @main
// CHECK: [[ROW:%.*]] = "tpu.vshr"({{.*}}, %c4)
// CHECK: scf.for
// CHECK: tpu.vld{{.*}}stride = 0
// CHECK: tpu.lperm
// CHECK: tpu.veq.s32
// CHECK: tpu.vsel
// CHECK: scf.yield
// CHECK: tpu.lperm
// CHECK-NOT: "tpu.copy"{{.*}}tpu.copy
func.func public @main(%table: tensor<40xf32>, %i: tensor<5x20xi32>) -> tensor<5x20xf32> {
  %v = stablehlo.reshape %i : (tensor<5x20xi32>) -> tensor<5x20x1xi32>
  %0 = "stablehlo.gather"(%table, %v) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<40xf32>, tensor<5x20x1xi32>) -> tensor<5x20xf32>
  return %0 : tensor<5x20xf32>
}
