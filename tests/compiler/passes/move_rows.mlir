// RUN: tandem-opt %s --tandem-keep-bf16-packed --canonicalize --cse | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// Rows that are gathered are gathered as words; those that have come become elements.
// CHECK-LABEL: func.func @gather
// CHECK-SAME: memref<1000x32xi32> {tandem.shape = array<i64: 1000, 64>}
// CHECK: %[[TABLE:.*]] = bufferization.to_tensor {{.*}} restrict : memref<1000x32xi32>
// CHECK: %[[ROWS:.*]] = scf.for {{.*}} -> (tensor<16x32xi32>)
// CHECK: extract_slice %[[TABLE]][%{{.*}}, 0] [1, 32] [1, 1]
// CHECK: insert_slice {{.*}}[%{{.*}}, 0] [1, 32] [1, 1]
// CHECK: linalg.generic {{.*}} ins(%[[ROWS]] : tensor<16x32xi32>) outs({{.*}} : tensor<16x64xbf16>) attrs = {tandem.unpack}
// CHECK: arith.extf
func.func @gather(%x: memref<1000x64xbf16, "packed">, %i: memref<16xindex>, %y: memref<16x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<1000x64xbf16>
  memref.copy %x, %a : memref<1000x64xbf16, "packed"> to memref<1000x64xbf16>
  %table = bufferization.to_tensor %a restrict writable : memref<1000x64xbf16> to tensor<1000x64xbf16>
  %room = tensor.empty() : tensor<16x64xbf16>
  %rows = scf.for %k = %c0 to %c16 step %c1 iter_args(%out = %room) -> (tensor<16x64xbf16>) {
    %n = memref.load %i[%k] : memref<16xindex>
    %row = tensor.extract_slice %table[%n, 0] [1, 64] [1, 1] : tensor<1000x64xbf16> to tensor<64xbf16>
    %next = tensor.insert_slice %row into %out[%k, 0] [1, 64] [1, 1] : tensor<64xbf16> into tensor<16x64xbf16>
    scf.yield %next : tensor<16x64xbf16>
  }
  %wide = tensor.empty() : tensor<16x64xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%rows : tensor<16x64xbf16>) outs(%wide : tensor<16x64xf32>) {
  ^bb0(%p: bf16, %q: f32):
    %1 = arith.extf %p : bf16 to f32
    linalg.yield %1 : f32
  } -> tensor<16x64xf32>
  bufferization.materialize_in_destination %z in restrict writable %y : (tensor<16x64xf32>, memref<16x64xf32>) -> ()
  return
}

// A donated argument changes where it is.
// CHECK-LABEL: func.func @donated
// CHECK-SAME: %[[X:.*]]: memref<1000x16xi32>
// CHECK: %[[OLD:.*]] = bufferization.to_tensor %[[X]] restrict writable
// CHECK: %[[ROWS:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<2x16xi32>) attrs = {tandem.pack}
// CHECK: %[[NEW:.*]] = tensor.insert_slice %[[ROWS]] into %[[OLD]][%{{.*}}, 0] [2, 16] [1, 1]
// CHECK: %[[LAST:.*]] = bufferization.to_buffer %[[NEW]] read_only
// CHECK: memref.copy %[[LAST]], %[[X]]
func.func @donated(%x: memref<1000x64xi8, "packed">, %u: memref<2x64xi8>, %n: index) {
  %a = memref.alloc() : memref<1000x64xi8>
  memref.copy %x, %a : memref<1000x64xi8, "packed"> to memref<1000x64xi8>
  %old = bufferization.to_tensor %a restrict writable : memref<1000x64xi8> to tensor<1000x64xi8>
  %some = bufferization.to_tensor %u restrict : memref<2x64xi8> to tensor<2x64xi8>
  %room = tensor.empty() : tensor<2x64xi8>
  %twice = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%some : tensor<2x64xi8>) outs(%room : tensor<2x64xi8>) {
  ^bb0(%p: i8, %q: i8):
    %1 = arith.addi %p, %p : i8
    linalg.yield %1 : i8
  } -> tensor<2x64xi8>
  %new = tensor.insert_slice %twice into %old[%n, 0] [2, 64] [1, 1] : tensor<2x64xi8> into tensor<1000x64xi8>
  %b = bufferization.to_buffer %new read_only : tensor<1000x64xi8> to memref<1000x64xi8>
  memref.copy %b, %x : memref<1000x64xi8> to memref<1000x64xi8, "packed">
  return
}

// Two donated arguments that change places overlap: they go by elements.
// CHECK-LABEL: func.func @exchanged
// CHECK-SAME: memref<8x64xbf16, "packed">
func.func @exchanged(%x: memref<8x64xbf16, "packed">, %y: memref<8x64xbf16, "packed">) {
  %a = memref.alloc() : memref<8x64xbf16>
  memref.copy %x, %a : memref<8x64xbf16, "packed"> to memref<8x64xbf16>
  %one = bufferization.to_tensor %a restrict writable : memref<8x64xbf16> to tensor<8x64xbf16>
  %b = memref.alloc() : memref<8x64xbf16>
  memref.copy %y, %b : memref<8x64xbf16, "packed"> to memref<8x64xbf16>
  %other = bufferization.to_tensor %b restrict writable : memref<8x64xbf16> to tensor<8x64xbf16>
  %c = bufferization.to_buffer %other read_only : tensor<8x64xbf16> to memref<8x64xbf16>
  memref.copy %c, %x : memref<8x64xbf16> to memref<8x64xbf16, "packed">
  %d = bufferization.to_buffer %one read_only : tensor<8x64xbf16> to memref<8x64xbf16>
  memref.copy %d, %y : memref<8x64xbf16> to memref<8x64xbf16, "packed">
  return
}

// Slices that begin inside of a word are taken of elements.
// CHECK-LABEL: func.func @inside
// CHECK-SAME: memref<64x64xi8, "packed">
// CHECK: extract_slice {{.*}} : tensor<64x64xi8> to tensor<64x40xi8>
func.func @inside(%x: memref<64x64xi8, "packed">, %y: memref<64x40xi8, "packed">) {
  %a = memref.alloc() : memref<64x64xi8>
  memref.copy %x, %a : memref<64x64xi8, "packed"> to memref<64x64xi8>
  %in = bufferization.to_tensor %a restrict writable : memref<64x64xi8> to tensor<64x64xi8>
  %part = tensor.extract_slice %in[0, 3] [64, 40] [1, 1] : tensor<64x64xi8> to tensor<64x40xi8>
  %b = memref.alloc() : memref<64x40xi8>
  bufferization.materialize_in_destination %part in restrict writable %b : (tensor<64x40xi8>, memref<64x40xi8>) -> ()
  memref.copy %b, %y : memref<64x40xi8> to memref<64x40xi8, "packed">
  return
}
