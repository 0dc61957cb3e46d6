// RUN: tandem-compile %s --preset=small --emit=tpu | FileCheck %s

// What a loop clamps an index to is a range of 40 numbers: the word is clamped in a vector and found
// among the numbers of its elements, without the unit of `extract`. Of a table of 1,000 rows, the
// number of a vector and the place in it are found one after the other.
// CHECK-LABEL: func.func @main
// CHECK-NOT: tpu.extract
// CHECK: scf.for
// CHECK: tpu.vldc
// CHECK: tpu.vmax.s32
// CHECK: tpu.vmin.s32
// CHECK: tpu.veq.s32
// CHECK: tpu.mffs
// CHECK: tpu.copy
// CHECK: scf.for
// CHECK: tpu.vldc
// CHECK: tpu.vshr
// CHECK: tpu.mffs
// CHECK: tpu.mffs
// CHECK: tpu.copy
// CHECK-NOT: tpu.extract
func.func public @main(%few: tensor<40x16xf32>, %many: tensor<1000x16xf32>, %i: tensor<20x1xi32>) -> (tensor<20x16xf32>, tensor<20x16xf32>) {
  %0 = "stablehlo.gather"(%few, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<40x16xf32>, tensor<20x1xi32>) -> tensor<20x16xf32>
  %1 = "stablehlo.gather"(%many, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<1000x16xf32>, tensor<20x1xi32>) -> tensor<20x16xf32>
  return %0, %1 : tensor<20x16xf32>, tensor<20x16xf32>
}
