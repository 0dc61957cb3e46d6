// RUN: tandem-opt %s --tandem-transpose-cache | FileCheck %s

#left = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#right = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#result = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

// The positions of the keys become their innermost dimension.
// CHECK-LABEL: func.func @keys
// CHECK: scf.while
// CHECK-SAME: tensor<2x16x256xf32>
// CHECK: tensor.collapse_shape
// CHECK: tensor.insert_slice {{.*}}[0, 0, %{{.*}}] [2, 16, 1] [1, 1, 1] : tensor<2x16xf32> into tensor<2x16x256xf32>
// CHECK: linalg.generic
// CHECK-SAME: tensor<2x16x256xf32>
func.func @keys(%start: tensor<2x256x16xf32>, %key: tensor<2x1x16xf32>, %query: tensor<2x2x16xf32>, %go: i1, %at: index, %out: tensor<2x2x256xf32>) -> tensor<2x2x256xf32> {
  %r:2 = scf.while (%a = %start, %s = %out) : (tensor<2x256x16xf32>, tensor<2x2x256xf32>) -> (tensor<2x256x16xf32>, tensor<2x2x256xf32>) {
    scf.condition(%go) %a, %s : tensor<2x256x16xf32>, tensor<2x2x256xf32>
  } do {
  ^bb0(%a: tensor<2x256x16xf32>, %s: tensor<2x2x256xf32>):
    %w = tensor.insert_slice %key into %a[0, %at, 0] [2, 1, 16] [1, 1, 1] : tensor<2x1x16xf32> into tensor<2x256x16xf32>
    %p = linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%query, %w : tensor<2x2x16xf32>, tensor<2x256x16xf32>) outs(%s : tensor<2x2x256xf32>) attrs = {tandem.precision = "DEFAULT"} {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %1 = arith.mulf %x, %y : f32
      %2 = arith.addf %z, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<2x2x256xf32>
    %c = linalg.copy ins(%w : tensor<2x256x16xf32>) outs(%a : tensor<2x256x16xf32>) -> tensor<2x256x16xf32>
    scf.yield %c, %p : tensor<2x256x16xf32>, tensor<2x2x256xf32>
  }
  return %r#1 : tensor<2x2x256xf32>
}

// Something else reads the state: it stays.
// CHECK-LABEL: func.func @read
// CHECK: scf.while
// CHECK-SAME: tensor<2x256x16xf32>
func.func @read(%start: tensor<2x256x16xf32>, %key: tensor<2x1x16xf32>, %query: tensor<2x2x16xf32>, %go: i1, %at: index, %out: tensor<2x2x256xf32>) -> tensor<2x2x256xf32> {
  %r:2 = scf.while (%a = %start, %s = %out) : (tensor<2x256x16xf32>, tensor<2x2x256xf32>) -> (tensor<2x256x16xf32>, tensor<2x2x256xf32>) {
    scf.condition(%go) %a, %s : tensor<2x256x16xf32>, tensor<2x2x256xf32>
  } do {
  ^bb0(%a: tensor<2x256x16xf32>, %s: tensor<2x2x256xf32>):
    %w = tensor.insert_slice %key into %a[0, %at, 0] [2, 1, 16] [1, 1, 1] : tensor<2x1x16xf32> into tensor<2x256x16xf32>
    %e = tensor.extract_slice %w[0, 3, 0] [2, 1, 16] [1, 1, 1] : tensor<2x256x16xf32> to tensor<2x1x16xf32>
    %v = tensor.insert_slice %e into %w[0, 4, 0] [2, 1, 16] [1, 1, 1] : tensor<2x1x16xf32> into tensor<2x256x16xf32>
    %p = linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%query, %v : tensor<2x2x16xf32>, tensor<2x256x16xf32>) outs(%s : tensor<2x2x256xf32>) attrs = {tandem.precision = "DEFAULT"} {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %1 = arith.mulf %x, %y : f32
      %2 = arith.addf %z, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<2x2x256xf32>
    %c = linalg.copy ins(%v : tensor<2x256x16xf32>) outs(%a : tensor<2x256x16xf32>) -> tensor<2x256x16xf32>
    scf.yield %c, %p : tensor<2x256x16xf32>, tensor<2x2x256xf32>
  }
  return %r#1 : tensor<2x2x256xf32>
}
