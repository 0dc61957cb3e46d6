// RUN: tandem-opt %s --preset=full --tandem-split-reductions | FileCheck %s
// RUN: tandem-opt %s --preset=full --tandem-split-reductions --tandem-widen-rows --canonicalize | FileCheck %s --check-prefix=WIDE

// Parts of the loop stay between the image and the columns, where they are in memory.
// CHECK-LABEL: func.func @images(
// Two of 64 are a row of VMEM, eight of which are added at once.
// CHECK: linalg.fill {{.*}} -> tensor<4x2x64xf32>
// CHECK: ins(%{{.*}} : tensor<4x98x2x64xf32>) outs(%{{.*}} : tensor<4x2x64xf32>)

// Four rows of 96 are three rows of VMEM, in which the argument comes.
// CHECK-LABEL: func.func @argument(
// CHECK: ins(%{{.*}} : tensor<64x4x96xf32>) outs(%{{.*}} : tensor<4x96xf32>)
// WIDE-LABEL: func.func @argument(
// WIDE: ins(%{{.*}} : tensor<64x384xf32>) outs(%{{.*}} : tensor<384xf32>)

// Values with other readers keep their rows: no parts, as they would not be beside each other.
// WIDE-LABEL: func.func @shared(
// WIDE: ins(%{{.*}} : tensor<256x96xf32>) outs(%{{.*}} : tensor<96xf32>)
#table = affine_map<(n, c) -> (n, c)>
#column = affine_map<(n, c) -> (c)>
func.func @images(%x: tensor<4x196x64xf32>, %init: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, n, c) -> (i, n, c)>, affine_map<(i, n, c) -> (i, c)>],
      iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : tensor<4x196x64xf32>) outs(%init : tensor<4x64xf32>) {
  ^bb0(%one: f32, %sum: f32):
    %1 = arith.addf %one, %sum : f32
    linalg.yield %1 : f32
  } -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}
func.func @argument(%x: memref<256x96xf32>, %init: tensor<96xf32>) -> tensor<96xf32> {
  %0 = bufferization.to_tensor %x restrict : memref<256x96xf32> to tensor<256x96xf32>
  %1 = linalg.generic {indexing_maps = [#table, #column], iterator_types = ["reduction", "parallel"]}
      ins(%0 : tensor<256x96xf32>) outs(%init : tensor<96xf32>) {
  ^bb0(%one: f32, %sum: f32):
    %2 = arith.addf %one, %sum : f32
    linalg.yield %2 : f32
  } -> tensor<96xf32>
  return %1 : tensor<96xf32>
}
func.func @shared(%x: memref<256x96xf32>, %init: tensor<96xf32>)
    -> (tensor<96xf32>, tensor<2x96xf32>) {
  %0 = bufferization.to_tensor %x restrict : memref<256x96xf32> to tensor<256x96xf32>
  %1 = linalg.generic {indexing_maps = [#table, #column], iterator_types = ["reduction", "parallel"]}
      ins(%0 : tensor<256x96xf32>) outs(%init : tensor<96xf32>) {
  ^bb0(%one: f32, %sum: f32):
    %2 = arith.addf %one, %sum : f32
    linalg.yield %2 : f32
  } -> tensor<96xf32>
  %part = tensor.extract_slice %0[3, 0] [2, 96] [1, 1] : tensor<256x96xf32> to tensor<2x96xf32>
  return %1, %part : tensor<96xf32>, tensor<2x96xf32>
}
