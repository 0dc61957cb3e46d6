// RUN: tandem-opt %s --tandem-keep-bf16-packed --canonicalize --cse | FileCheck %s

#left = affine_map<(d0, d1, d2) -> (d0, d2)>
#right = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>

// The arguments are words: their even and odd columns make the even and the odd columns of the
// result, and a loop over two halves the depth.
// CHECK: #[[LEFT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2)>
// CHECK: #[[RIGHT:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>
// CHECK-LABEL: func.func @product
// CHECK-SAME: memref<8x16xi32> {tandem.shape = array<i64: 8, 32>}
// CHECK-SAME: memref<32x8xi32>
// CHECK-SAME: memref<8x8xi32>
// CHECK: tensor.expand_shape {{.*}} : tensor<32x8xi32> into tensor<16x2x8xi32>
// CHECK: linalg.generic {indexing_maps = [#[[LEFT]], #[[RIGHT]],
// CHECK-SAME: outs({{.*}} : tensor<8x8xf32>)
// CHECK-SAME: tandem.halves = 3 : i64, tandem.left = "halves"
// CHECK-SAME: tandem.right = "lo"
// CHECK: linalg.generic
// CHECK-SAME: tandem.right = "hi"
// CHECK: linalg.generic {{.*}}outs({{.*}} : tensor<8x8xi32>)
// CHECK: arith.truncf
// CHECK: arith.ori
func.func @product(%x: memref<8x32xbf16, "packed">, %w: memref<32x16xbf16, "packed">, %y: memref<8x16xbf16, "packed">) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8x32xbf16>
  memref.copy %x, %a : memref<8x32xbf16, "packed"> to memref<8x32xbf16>
  %left = bufferization.to_tensor %a restrict writable : memref<8x32xbf16> to tensor<8x32xbf16>
  %b = memref.alloc() : memref<32x16xbf16>
  memref.copy %w, %b : memref<32x16xbf16, "packed"> to memref<32x16xbf16>
  %right = bufferization.to_tensor %b restrict writable : memref<32x16xbf16> to tensor<32x16xbf16>
  %room = tensor.empty() : tensor<8x16xf32>
  %start = linalg.fill ins(%zero : f32) outs(%room : tensor<8x16xf32>) -> tensor<8x16xf32>
  %sums = linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%left, %right : tensor<8x32xbf16>, tensor<32x16xbf16>) outs(%start : tensor<8x16xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%p: bf16, %q: bf16, %s: f32):
    %1 = arith.extf %p : bf16 to f32
    %2 = arith.extf %q : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %s, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<8x16xf32>
  %narrow = tensor.empty() : tensor<8x16xbf16>
  %rounded = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sums : tensor<8x16xf32>) outs(%narrow : tensor<8x16xbf16>) {
  ^bb0(%p: f32, %q: bf16):
    %1 = arith.truncf %p : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<8x16xbf16>
  %c = memref.alloc() : memref<8x16xbf16>
  bufferization.materialize_in_destination %rounded in restrict writable %c : (tensor<8x16xbf16>, memref<8x16xbf16>) -> ()
  memref.copy %c, %y : memref<8x16xbf16> to memref<8x16xbf16, "packed">
  return
}

// The body looks at the number of the column: the argument is unpacked as ever.
// CHECK-LABEL: func.func @numbered
// CHECK-SAME: memref<8x16xbf16, "packed">
func.func @numbered(%x: memref<8x16xbf16, "packed">, %y: memref<8x16xbf16, "packed">) {
  %a = memref.alloc() : memref<8x16xbf16>
  memref.copy %x, %a : memref<8x16xbf16, "packed"> to memref<8x16xbf16>
  %in = bufferization.to_tensor %a restrict writable : memref<8x16xbf16> to tensor<8x16xbf16>
  %room = tensor.empty() : tensor<8x16xbf16>
  %out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<8x16xbf16>) outs(%room : tensor<8x16xbf16>) {
  ^bb0(%p: bf16, %q: bf16):
    %zero = arith.constant 0 : index
    %number = linalg.index 1 : index
    %first = arith.cmpi eq, %number, %zero : index
    %other = arith.negf %p : bf16
    %1 = arith.select %first, %p, %other : bf16
    linalg.yield %1 : bf16
  } -> tensor<8x16xbf16>
  %c = memref.alloc() : memref<8x16xbf16>
  bufferization.materialize_in_destination %out in restrict writable %c : (tensor<8x16xbf16>, memref<8x16xbf16>) -> ()
  memref.copy %c, %y : memref<8x16xbf16> to memref<8x16xbf16, "packed">
  return
}

// Both operands have the depth in words, as in `x @ w.T`: one contraction, with a loop over the
// two halves, and the smaller operand is read as if it had its words twice.
// CHECK-LABEL: func.func @turned
// CHECK: %[[X:.*]] = memref.reinterpret_cast %arg0 to offset: [0], sizes: [4, 2, 16], strides: [16, 0, 1]
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
// CHECK-SAME: tandem.halves = 3 : i64, tandem.left = "halves"
// CHECK-SAME: tandem.right = "halves"
// CHECK-NOT: tandem.precision
#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d1, d2)>
#sums = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @turned(%x: memref<4x32xbf16, "packed">, %w: memref<64x32xbf16, "packed">, %y: memref<4x64xf32>) {
  %a = memref.alloc() : memref<4x32xbf16>
  memref.copy %x, %a : memref<4x32xbf16, "packed"> to memref<4x32xbf16>
  %left = bufferization.to_tensor %a restrict writable : memref<4x32xbf16> to tensor<4x32xbf16>
  %b = memref.alloc() : memref<64x32xbf16>
  memref.copy %w, %b : memref<64x32xbf16, "packed"> to memref<64x32xbf16>
  %right = bufferization.to_tensor %b restrict writable : memref<64x32xbf16> to tensor<64x32xbf16>
  %zero = arith.constant 0.0 : f32
  %room = tensor.empty() : tensor<4x64xf32>
  %start = linalg.fill ins(%zero : f32) outs(%room : tensor<4x64xf32>) -> tensor<4x64xf32>
  %sums = linalg.generic {indexing_maps = [#rows, #columns, #sums], iterator_types = ["parallel", "parallel", "reduction"]} ins(%left, %right : tensor<4x32xbf16>, tensor<64x32xbf16>) outs(%start : tensor<4x64xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%p: bf16, %q: bf16, %s: f32):
    %1 = arith.extf %p : bf16 to f32
    %2 = arith.extf %q : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %s, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x64xf32>
  bufferization.materialize_in_destination %sums in restrict writable %y : (tensor<4x64xf32>, memref<4x64xf32>) -> ()
  return
}

// Only the weights have their columns in words, as the result is fp32: what even and odd columns make
// is woven.
// CHECK-LABEL: func.func @woven
// CHECK-SAME: memref<32x8xi32>
// CHECK: %[[EVEN:.*]] = linalg.generic {{.*}}tandem.right = "lo"
// CHECK: %[[ODD:.*]] = linalg.generic {{.*}}tandem.right = "hi"
// CHECK: linalg.generic {{.*}}ins(%[[EVEN]], %[[ODD]] : tensor<8x8xf32>, tensor<8x8xf32>)
// CHECK-SAME: outs({{.*}} : tensor<8x16xf32>) attrs = {tandem.weave}
func.func @woven(%left: tensor<8x32xf32>, %w: memref<32x16xbf16, "packed">, %y: memref<8x16xf32>) {
  %b = memref.alloc() : memref<32x16xbf16>
  memref.copy %w, %b : memref<32x16xbf16, "packed"> to memref<32x16xbf16>
  %given = bufferization.to_tensor %b restrict writable : memref<32x16xbf16> to tensor<32x16xbf16>
  %zero = arith.constant 0.0 : f32
  %room = tensor.empty() : tensor<8x16xf32>
  %start = linalg.fill ins(%zero : f32) outs(%room : tensor<8x16xf32>) -> tensor<8x16xf32>
  %sums = linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%left, %given : tensor<8x32xf32>, tensor<32x16xbf16>) outs(%start : tensor<8x16xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: bf16, %s: f32):
    %1 = arith.extf %q : bf16 to f32
    %2 = arith.mulf %p, %1 : f32
    %3 = arith.addf %s, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8x16xf32>
  bufferization.materialize_in_destination %sums in restrict writable %y : (tensor<8x16xf32>, memref<8x16xf32>) -> ()
  return
}

// The result is larger than the weights, and they are unpacked.
// CHECK-LABEL: func.func @few_weights
// CHECK-SAME: memref<4x16xbf16, "packed">
// CHECK-NOT: tandem.weave
func.func @few_weights(%left: tensor<8x4xf32>, %w: memref<4x16xbf16, "packed">, %y: memref<8x16xf32>) {
  %b = memref.alloc() : memref<4x16xbf16>
  memref.copy %w, %b : memref<4x16xbf16, "packed"> to memref<4x16xbf16>
  %given = bufferization.to_tensor %b restrict writable : memref<4x16xbf16> to tensor<4x16xbf16>
  %zero = arith.constant 0.0 : f32
  %room = tensor.empty() : tensor<8x16xf32>
  %start = linalg.fill ins(%zero : f32) outs(%room : tensor<8x16xf32>) -> tensor<8x16xf32>
  %sums = linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%left, %given : tensor<8x4xf32>, tensor<4x16xbf16>) outs(%start : tensor<8x16xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: bf16, %s: f32):
    %1 = arith.extf %q : bf16 to f32
    %2 = arith.mulf %p, %1 : f32
    %3 = arith.addf %s, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8x16xf32>
  bufferization.materialize_in_destination %sums in restrict writable %y : (tensor<8x16xf32>, memref<8x16xf32>) -> ()
  return
}

// Weights of s8 stay bytes until they are multiplied; four parts are woven in two steps.
// CHECK-LABEL: func.func @bytes
// CHECK-SAME: memref<32x4xi32>
// CHECK: %[[B0:.*]] = linalg.generic {{.*}}tandem.right = "b0"
// CHECK: arith.sitofp
// CHECK: %[[B1:.*]] = linalg.generic {{.*}}tandem.right = "b1"
// CHECK: %[[B2:.*]] = linalg.generic {{.*}}tandem.right = "b2"
// CHECK: %[[B3:.*]] = linalg.generic {{.*}}tandem.right = "b3"
// CHECK: %[[EVENS:.*]] = linalg.generic {{.*}}ins(%[[B0]], %[[B2]] {{.*}}tandem.weave
// CHECK: %[[ODDS:.*]] = linalg.generic {{.*}}ins(%[[B1]], %[[B3]] {{.*}}tandem.weave
// CHECK: linalg.generic {{.*}}ins(%[[EVENS]], %[[ODDS]] {{.*}}tandem.weave
func.func @bytes(%left: tensor<8x32xf32>, %w: memref<32x16xi8, "packed">, %y: memref<8x16xf32>) {
  %b = memref.alloc() : memref<32x16xi8>
  memref.copy %w, %b : memref<32x16xi8, "packed"> to memref<32x16xi8>
  %given = bufferization.to_tensor %b restrict writable : memref<32x16xi8> to tensor<32x16xi8>
  %wide = tensor.empty() : tensor<32x16xf32>
  %right = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%given : tensor<32x16xi8>) outs(%wide : tensor<32x16xf32>) {
  ^bb0(%p: i8, %q: f32):
    %1 = arith.sitofp %p : i8 to f32
    linalg.yield %1 : f32
  } -> tensor<32x16xf32>
  %zero = arith.constant 0.0 : f32
  %room = tensor.empty() : tensor<8x16xf32>
  %start = linalg.fill ins(%zero : f32) outs(%room : tensor<8x16xf32>) -> tensor<8x16xf32>
  %sums = linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%left, %right : tensor<8x32xf32>, tensor<32x16xf32>) outs(%start : tensor<8x16xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %2 = arith.mulf %p, %q : f32
    %3 = arith.addf %s, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8x16xf32>
  bufferization.materialize_in_destination %sums in restrict writable %y : (tensor<8x16xf32>, memref<8x16xf32>) -> ()
  return
}

// Operands that are not just widened are unpacked.
// CHECK-LABEL: func.func @unsigned
// CHECK-SAME: memref<32x16xi8, "packed">
// CHECK-NOT: tandem.weave
func.func @unsigned(%left: tensor<8x32xf32>, %w: memref<32x16xi8, "packed">, %y: memref<8x16xf32>) {
  %b = memref.alloc() : memref<32x16xi8>
  memref.copy %w, %b : memref<32x16xi8, "packed"> to memref<32x16xi8>
  %given = bufferization.to_tensor %b restrict writable : memref<32x16xi8> to tensor<32x16xi8>
  %wide = tensor.empty() : tensor<32x16xf32>
  %right = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%given : tensor<32x16xi8>) outs(%wide : tensor<32x16xf32>) {
  ^bb0(%p: i8, %q: f32):
    %1 = arith.uitofp %p : i8 to f32
    linalg.yield %1 : f32
  } -> tensor<32x16xf32>
  %zero = arith.constant 0.0 : f32
  %room = tensor.empty() : tensor<8x16xf32>
  %start = linalg.fill ins(%zero : f32) outs(%room : tensor<8x16xf32>) -> tensor<8x16xf32>
  %sums = linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%left, %right : tensor<8x32xf32>, tensor<32x16xf32>) outs(%start : tensor<8x16xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %2 = arith.mulf %p, %q : f32
    %3 = arith.addf %s, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8x16xf32>
  bufferization.materialize_in_destination %sums in restrict writable %y : (tensor<8x16xf32>, memref<8x16xf32>) -> ()
  return
}
