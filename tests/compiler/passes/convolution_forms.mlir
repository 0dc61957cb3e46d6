// RUN: tandem-opt %s --preset=full --tandem-check --tandem-lower-to-tensor --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @main
func.func public @main(%x: tensor<1x14x14x32xf32>, %k: tensor<3x3x1x32xf32>, %a: tensor<2x14x14x32xf32>, %g: tensor<2x14x14x32xf32>,
    %b: tensor<2x14x14x64xf32>, %l: tensor<3x3x64x64xf32>, %c: tensor<1x16x28x28xf32>, %m: tensor<32x16x3x3xf32>)
    -> (tensor<1x14x14x32xf32>, tensor<3x3x32x32xf32>, tensor<2x14x14x64xf32>, tensor<1x32x28x28xf32>) {
  // Channels of 32 leave three quarters of a row empty: four positions are beside each other, and
  // each place of the window along a row has an image of its own.
  // CHECK-COUNT-3: tensor.collapse_shape {{.*}} into tensor<1x64x128xf32>
  // CHECK: tensor.collapse_shape {{.*}} : tensor<3x3x4x32xf32> into tensor<3x3x128xf32>
  // CHECK: tensor.extract_slice {{.*}}[0, 8, 0] [1, 56, 128] [1, 1, 1]
  %0 = "stablehlo.convolution"(%x, %k) {
      input_batch_dimension = 0 : i64, input_feature_dimension = 3 : i64, input_spatial_dimensions = array<i64: 1, 2>,
      kernel_input_feature_dimension = 2 : i64, kernel_output_feature_dimension = 3 : i64, kernel_spatial_dimensions = array<i64: 0, 1>,
      output_batch_dimension = 0 : i64, output_feature_dimension = 3 : i64, output_spatial_dimensions = array<i64: 1, 2>,
      padding = array<i64: 1, 1, 1, 1>, batch_group_count = 1 : i64, feature_group_count = 32 : i64
      } : (tensor<1x14x14x32xf32>, tensor<3x3x1x32xf32>) -> tensor<1x14x14x32xf32>
  // The gradient of a kernel: patches of a row, and a product for each of three rows of the result.
  // CHECK: tensor.collapse_shape {{.*}} : tensor<2x16x14x96xf32> into tensor<2x224x96xf32>
  // CHECK: tensor.extract_slice {{.*}}[0, 0, 0] [2, 196, 96]
  // CHECK: tensor.insert_slice {{.*}}[0, 0, 0] [32, 1, 96]
  // CHECK: tensor.extract_slice {{.*}}[0, 14, 0] [2, 196, 96]
  // CHECK: tensor.extract_slice {{.*}}[0, 28, 0] [2, 196, 96]
  %1 = "stablehlo.convolution"(%a, %g) {
      input_batch_dimension = 3 : i64, input_feature_dimension = 0 : i64, input_spatial_dimensions = array<i64: 1, 2>,
      kernel_input_feature_dimension = 0 : i64, kernel_output_feature_dimension = 3 : i64, kernel_spatial_dimensions = array<i64: 1, 2>,
      output_batch_dimension = 2 : i64, output_feature_dimension = 3 : i64, output_spatial_dimensions = array<i64: 0, 1>,
      padding = array<i64: 1, 1, 1, 1>, batch_group_count = 1 : i64, feature_group_count = 1 : i64
      } : (tensor<2x14x14x32xf32>, tensor<2x14x14x32xf32>) -> tensor<3x3x32x32xf32>
  // Images below each other: 2 x 16 rows, of which 30 have results.
  // CHECK: tensor.collapse_shape {{.*}} : tensor<2x16x16x64xf32> into tensor<32x16x64xf32>
  // CHECK: -> tensor<1x30x7x128xf32>
  %2 = "stablehlo.convolution"(%b, %l) {
      input_batch_dimension = 0 : i64, input_feature_dimension = 3 : i64, input_spatial_dimensions = array<i64: 1, 2>,
      kernel_input_feature_dimension = 2 : i64, kernel_output_feature_dimension = 3 : i64, kernel_spatial_dimensions = array<i64: 0, 1>,
      output_batch_dimension = 0 : i64, output_feature_dimension = 3 : i64, output_spatial_dimensions = array<i64: 1, 2>,
      padding = array<i64: 1, 1, 1, 1>, batch_group_count = 1 : i64, feature_group_count = 1 : i64
      } : (tensor<2x14x14x64xf32>, tensor<3x3x64x64xf32>) -> tensor<2x14x14x64xf32>
  // Spatial dimensions innermost: positions follow each other, 784 in a run, and two of three images
  // have zeros where a row ends.
  // CHECK-COUNT-2: arith.select
  // CHECK-NOT: arith.select
  // CHECK: tensor.collapse_shape {{.*}} : tensor<1x16x9x784xf32> into tensor<1x144x784xf32>
  // CHECK: -> tensor<1x32x784xf32>
  %3 = "stablehlo.convolution"(%c, %m) {
      input_batch_dimension = 0 : i64, input_feature_dimension = 1 : i64, input_spatial_dimensions = array<i64: 2, 3>,
      kernel_input_feature_dimension = 1 : i64, kernel_output_feature_dimension = 0 : i64, kernel_spatial_dimensions = array<i64: 2, 3>,
      output_batch_dimension = 0 : i64, output_feature_dimension = 1 : i64, output_spatial_dimensions = array<i64: 2, 3>,
      padding = array<i64: 1, 1, 1, 1>, batch_group_count = 1 : i64, feature_group_count = 1 : i64
      } : (tensor<1x16x28x28xf32>, tensor<32x16x3x3xf32>) -> tensor<1x32x28x28xf32>
  "func.return"(%0, %1, %2, %3) : (tensor<1x14x14x32xf32>, tensor<3x3x32x32xf32>, tensor<2x14x14x64xf32>, tensor<1x32x28x28xf32>) -> ()
}
