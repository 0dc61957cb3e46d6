// RUN: tandem-opt %s --preset=small --tandem-fold-transposes | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#turned = affine_map<(i, j) -> (j, i)>
#same = affine_map<(i, j) -> (i, j)>

// CHECK-DAG: #[[LEFT:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[COLUMNS:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[TURNED:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[RESULT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[ACROSS:.*]] = affine_map<(d0, d1, d2) -> (d1, d0)>

// x @ w.T: the unit takes weights by columns.
// CHECK-LABEL: func.func @weights(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<16x8xf32>
// CHECK-NOT: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}], iterator
// CHECK: linalg.generic {indexing_maps = [#[[LEFT]], #[[COLUMNS]], #[[RESULT]]]
// CHECK-SAME: ins(%[[X]], %[[W]] :
func.func @weights(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %room = tensor.empty() : tensor<8x16xf32>
  %t = linalg.generic {indexing_maps = [#turned, #same], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<16x8xf32>) outs(%room : tensor<8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x16xf32>
  %made = tensor.empty() : tensor<4x16xf32>
  %begin = linalg.fill ins(%zero : f32) outs(%made : tensor<4x16xf32>) -> tensor<4x16xf32>
  %p = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %t : tensor<4x8xf32>, tensor<8x16xf32>) outs(%begin : tensor<4x16xf32>)
      attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  return %p : tensor<4x16xf32>
}

// A weight gradient as JAX writes it, transpose(g^T x): it is x^T g, which transposes only x.
// CHECK-LABEL: func.func @gradient(
// CHECK-SAME: %[[G:.*]]: tensor<8x16xf32>, %[[X:.*]]: tensor<8x4xf32>
// CHECK: linalg.generic {indexing_maps = [#[[ROWS]], #[[TURNED]], #[[ACROSS]]]
// CHECK-SAME: ins(%[[X]], %[[G]] : {{.*}}) outs({{.*}} : tensor<4x16xf32>)
// CHECK: return
func.func @gradient(%g: tensor<8x16xf32>, %x: tensor<8x4xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %room = tensor.empty() : tensor<16x4xf32>
  %begin = linalg.fill ins(%zero : f32) outs(%room : tensor<16x4xf32>) -> tensor<16x4xf32>
  %p = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%g, %x : tensor<8x16xf32>, tensor<8x4xf32>) outs(%begin : tensor<16x4xf32>)
      attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<16x4xf32>
  %made = tensor.empty() : tensor<4x16xf32>
  %t = linalg.generic {indexing_maps = [#turned, #same], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<16x4xf32>) outs(%made : tensor<4x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x16xf32>
  return %t : tensor<4x16xf32>
}

// transpose(x @ w): x^T is no better than the transposed result.
// CHECK-LABEL: func.func @stays(
// CHECK: linalg.generic {indexing_maps = [#[[LEFT]], #[[ROWS]], #[[RESULT]]]
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}], iterator_types = ["parallel", "parallel"]}
func.func @stays(%x: tensor<16x8xf32>, %w: tensor<8x4xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %room = tensor.empty() : tensor<16x4xf32>
  %begin = linalg.fill ins(%zero : f32) outs(%room : tensor<16x4xf32>) -> tensor<16x4xf32>
  %p = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<16x8xf32>, tensor<8x4xf32>) outs(%begin : tensor<16x4xf32>)
      attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<16x4xf32>
  %made = tensor.empty() : tensor<4x16xf32>
  %t = linalg.generic {indexing_maps = [#turned, #same], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<16x4xf32>) outs(%made : tensor<4x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x16xf32>
  return %t : tensor<4x16xf32>
}

// Bytes come by rows alone.
// CHECK-LABEL: func.func @bytes(
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}], iterator_types = ["parallel", "parallel"]}
// CHECK: linalg.generic {indexing_maps = [#[[LEFT]], #[[ROWS]], #[[RESULT]]]
func.func @bytes(%x: tensor<4x8xi8>, %w: tensor<16x8xi8>) -> tensor<4x16xi32> {
  %zero = arith.constant 0 : i32
  %room = tensor.empty() : tensor<8x16xi8>
  %t = linalg.generic {indexing_maps = [#turned, #same], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<16x8xi8>) outs(%room : tensor<8x16xi8>) {
  ^bb0(%in: i8, %out: i8):
    linalg.yield %in : i8
  } -> tensor<8x16xi8>
  %made = tensor.empty() : tensor<4x16xi32>
  %begin = linalg.fill ins(%zero : i32) outs(%made : tensor<4x16xi32>) -> tensor<4x16xi32>
  %p = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %t : tensor<4x8xi8>, tensor<8x16xi8>) outs(%begin : tensor<4x16xi32>)
      attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %wide = arith.extsi %a : i8 to i32
    %other = arith.extsi %b : i8 to i32
    %m = arith.muli %wide, %other : i32
    %s = arith.addi %c, %m : i32
    linalg.yield %s : i32
  } -> tensor<4x16xi32>
  return %p : tensor<4x16xi32>
}

// Heads behind positions: whole rows of weights and of the result move, so nothing does. The
// result is made in the reshape that follows.
// CHECK-LABEL: func.func @heads(
// CHECK-SAME: %[[P:.*]]: tensor<2x6x8xf32>, %[[V:.*]]: tensor<8x2x4xf32>
// CHECK-NOT: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}], iterator
// CHECK: %[[WIDE:.*]] = tensor.empty() : tensor<6x8xf32>
// CHECK: %[[ROOM:.*]] = tensor.expand_shape %[[WIDE]] {{\[}}[0], [1, 2]] output_shape [6, 2, 4]
// CHECK: %[[FILL:.*]] = linalg.fill ins({{.*}}) outs(%[[ROOM]]
// CHECK: %[[O:.*]] = linalg.generic {indexing_maps = [#[[HEADS:.*]], #[[BEHIND:.*]], #[[GONE:.*]]], iterator
// CHECK-SAME: ins(%[[P]], %[[V]] : {{.*}}) outs(%[[FILL]] : tensor<6x2x4xf32>)
// CHECK-NOT: linalg.generic
// CHECK: tensor.collapse_shape %[[O]]
#hqd = affine_map<(h, q, d) -> (h, q, d)>
#qhd = affine_map<(h, q, d) -> (q, h, d)>
func.func @heads(%p: tensor<2x6x8xf32>, %v: tensor<8x2x4xf32>) -> tensor<6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %first = tensor.empty() : tensor<2x8x4xf32>
  %t = linalg.generic {indexing_maps = [#qhd, #hqd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v : tensor<8x2x4xf32>) outs(%first : tensor<2x8x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x8x4xf32>
  %room = tensor.empty() : tensor<2x6x4xf32>
  %begin = linalg.fill ins(%zero : f32) outs(%room : tensor<2x6x4xf32>) -> tensor<2x6x4xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(h, q, d, k) -> (h, q, k)>, affine_map<(h, q, d, k) -> (h, k, d)>, affine_map<(h, q, d, k) -> (h, q, d)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %t : tensor<2x6x8xf32>, tensor<2x8x4xf32>) outs(%begin : tensor<2x6x4xf32>)
      attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x6x4xf32>
  %made = tensor.empty() : tensor<6x2x4xf32>
  %r = linalg.generic {indexing_maps = [#qhd, #hqd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%o : tensor<2x6x4xf32>) outs(%made : tensor<6x2x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<6x2x4xf32>
  %joined = tensor.collapse_shape %r [[0], [1, 2]] : tensor<6x2x4xf32> into tensor<6x8xf32>
  return %joined : tensor<6x8xf32>
}

// Heads of whole rows of VMEM that are parts of longer rows are moved: the longer rows are not kept
// for them.
// CHECK-LABEL: func.func @whole(
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}], iterator_types = ["parallel", "parallel", "parallel"]}
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<2x6x16xf32>)
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}], iterator_types = ["parallel", "parallel", "parallel"]}
func.func @whole(%p: tensor<2x6x8xf32>, %v: tensor<8x2x16xf32>) -> tensor<6x32xf32> {
  %zero = arith.constant 0.0 : f32
  %first = tensor.empty() : tensor<2x8x16xf32>
  %t = linalg.generic {indexing_maps = [#qhd, #hqd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v : tensor<8x2x16xf32>) outs(%first : tensor<2x8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x8x16xf32>
  %room = tensor.empty() : tensor<2x6x16xf32>
  %begin = linalg.fill ins(%zero : f32) outs(%room : tensor<2x6x16xf32>) -> tensor<2x6x16xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(h, q, d, k) -> (h, q, k)>, affine_map<(h, q, d, k) -> (h, k, d)>, affine_map<(h, q, d, k) -> (h, q, d)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %t : tensor<2x6x8xf32>, tensor<2x8x16xf32>) outs(%begin : tensor<2x6x16xf32>)
      attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x6x16xf32>
  %made = tensor.empty() : tensor<6x2x16xf32>
  %r = linalg.generic {indexing_maps = [#qhd, #hqd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%o : tensor<2x6x16xf32>) outs(%made : tensor<6x2x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<6x2x16xf32>
  %joined = tensor.collapse_shape %r [[0], [1, 2]] : tensor<6x2x16xf32> into tensor<6x32xf32>
  return %joined : tensor<6x32xf32>
}
