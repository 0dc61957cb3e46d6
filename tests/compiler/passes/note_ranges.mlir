// RUN: tandem-opt %s --tandem-note-ranges | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>

// A number less the largest of its row is at most zero, its exponential at most one, and a sum of
// such far below where a division needs care.
// CHECK-LABEL: func.func @softmax
// CHECK: math.exp %{{.*}} {tandem.not_large}
// CHECK: arith.divf {{.*}} {tandem.tame}
func.func @softmax(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<4xf32>
  %all = tensor.empty() : tensor<4x6xf32>
  %start = linalg.fill ins(%low : f32) outs(%row : tensor<4xf32>) -> tensor<4xf32>
  %most = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x6xf32>) outs(%start : tensor<4xf32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.maximumf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %spread = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%most : tensor<4xf32>) outs(%all : tensor<4x6xf32>) {
  ^bb0(%p: f32, %q: f32):
    linalg.yield %p : f32
  } -> tensor<4x6xf32>
  %e = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %spread : tensor<4x6xf32>, tensor<4x6xf32>) outs(%all : tensor<4x6xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.subf %p, %q : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<4x6xf32>
  %begin = linalg.fill ins(%zero : f32) outs(%row : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%e : tensor<4x6xf32>) outs(%begin : tensor<4xf32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %q, %p : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%e, %sum : tensor<4x6xf32>, tensor<4xf32>) outs(%all : tensor<4x6xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.divf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// The largest of another tensor, of columns, or the smallest, bounds nothing; nor is anything known
// of a plain exponential.
// CHECK-LABEL: func.func @unknown
// CHECK-NOT: tandem.not_large
// CHECK-NOT: tandem.tame
// CHECK: return
func.func @unknown(%x: tensor<6x6xf32>, %z: tensor<6x6xf32>) -> (tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %row = tensor.empty() : tensor<6xf32>
  %all = tensor.empty() : tensor<6x6xf32>
  %start = linalg.fill ins(%low : f32) outs(%row : tensor<6xf32>) -> tensor<6xf32>
  %most = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<6x6xf32>) outs(%start : tensor<6xf32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.maximumf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  %a = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %most : tensor<6x6xf32>, tensor<6xf32>) outs(%all : tensor<6x6xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.subf %p, %q : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<6x6xf32>
  %b = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%z, %most : tensor<6x6xf32>, tensor<6xf32>) outs(%all : tensor<6x6xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.subf %p, %q : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<6x6xf32>
  %c = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %b : tensor<6x6xf32>, tensor<6x6xf32>) outs(%all : tensor<6x6xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.divf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<6x6xf32>
  return %a, %b, %c : tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>
}

// A square and something more is above zero; a root is infinite, or far below where a divisor needs
// care. Of the root itself nothing is known that makes it tame.
// CHECK-LABEL: func.func @root
// CHECK: math.sqrt %{{.*}} {tandem.positive}
// CHECK: math.sqrt %{{[a-z0-9_]+}} :
// CHECK: arith.divf {{.*}} {tandem.unscaled}
// CHECK: arith.divf %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} :
func.func @root(%x: tensor<6xf32>, %z: tensor<6xf32>) -> tensor<6xf32> {
  %little = arith.constant 1.0e-6 : f32
  %count = arith.constant 64.0 : f32
  %all = tensor.empty() : tensor<6xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x, %z : tensor<6xf32>, tensor<6xf32>) outs(%all : tensor<6xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %square = arith.mulf %p, %p : f32
    %mean = arith.divf %square, %count : f32
    %above = arith.addf %mean, %little : f32
    %root = math.sqrt %above : f32
    %other = math.sqrt %q : f32
    %s = arith.divf %p, %root : f32
    %t = arith.divf %s, %q : f32
    %u = arith.addf %t, %other : f32
    linalg.yield %u : f32
  } -> tensor<6xf32>
  return %y : tensor<6xf32>
}
