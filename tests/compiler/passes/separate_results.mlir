// RUN: tandem-opt %s --pass-pipeline='builtin.module(func.func(tandem-separate-results))' | FileCheck %s

// Both results grow from one filled tensor, so neither may have it in its own memory.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: linalg.copy
#row = affine_map<(d0) -> (d0)>
func.func @main(%x: memref<5xf32>, %a: memref<5xf32>, %b: memref<5xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = bufferization.to_tensor %x restrict : memref<5xf32> to tensor<5xf32>
  %e = tensor.empty() : tensor<5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %p = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%t : tensor<5xf32>) outs(%f : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  %q = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%t : tensor<5xf32>) outs(%f : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.subf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  bufferization.materialize_in_destination %p in restrict writable %a : (tensor<5xf32>, memref<5xf32>) -> ()
  bufferization.materialize_in_destination %q in restrict writable %b : (tensor<5xf32>, memref<5xf32>) -> ()
  return
}

// An argument that is returned unchanged is not overwritten; other ones are.
// CHECK-LABEL: func.func @given_back
// CHECK: bufferization.to_tensor %arg0 restrict :
// CHECK: bufferization.to_tensor %arg1 restrict writable :
// CHECK: memref.copy %arg2, [[LOOSE:%[a-z0-9_]+]]
// CHECK: bufferization.to_tensor [[LOOSE]] restrict :
func.func @given_back(%kept: memref<5xf32>, %new: memref<5xf32>, %packed: memref<5xbf16, "packed">, %out: memref<5xf32>) {
  %zero = arith.constant 0.0 : f32
  %i = arith.constant 2 : index
  %k = bufferization.to_tensor %kept restrict writable : memref<5xf32> to tensor<5xf32>
  %n = bufferization.to_tensor %new restrict writable : memref<5xf32> to tensor<5xf32>
  %loose = memref.alloc() : memref<5xbf16>
  memref.copy %packed, %loose : memref<5xbf16, "packed"> to memref<5xbf16>
  %p = bufferization.to_tensor %loose restrict writable : memref<5xbf16> to tensor<5xbf16>
  %x = tensor.insert %zero into %k[%i] : tensor<5xf32>
  %y = tensor.insert %zero into %n[%i] : tensor<5xf32>
  bufferization.materialize_in_destination %x in restrict writable %out : (tensor<5xf32>, memref<5xf32>) -> ()
  %b = bufferization.to_buffer %y : tensor<5xf32> to memref<5xf32>
  memref.copy %b, %new : memref<5xf32> to memref<5xf32>
  memref.copy %loose, %packed : memref<5xbf16> to memref<5xbf16, "packed">
  return
}

// Memory of the program's own that is read after the tensor was taken from it is not written in
// place of, whether by itself or through a view; memory that was read before may be.
// CHECK-LABEL: func.func @read_later
// CHECK: bufferization.to_tensor [[LATER:%.*]] restrict :
// CHECK: memref.expand_shape [[LATER]]
// CHECK: bufferization.to_tensor {{%.*}} restrict writable :
func.func @read_later(%x: memref<8xf32>, %a: memref<1x8xf32>, %b: memref<8xf32>, %c: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %i = arith.constant 2 : index
  %later = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%later : memref<8xf32>)
  %p = bufferization.to_tensor %later restrict writable : memref<8xf32> to tensor<8xf32>
  %q = tensor.insert %zero into %p[%i] : tensor<8xf32>
  %v = memref.expand_shape %later [[0, 1]] output_shape [1, 8] : memref<8xf32> into memref<1x8xf32>
  memref.copy %v, %a : memref<1x8xf32> to memref<1x8xf32>
  %before = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%before : memref<8xf32>)
  memref.copy %before, %x : memref<8xf32> to memref<8xf32>
  %r = bufferization.to_tensor %before restrict writable : memref<8xf32> to tensor<8xf32>
  %s = tensor.insert %zero into %r[%i] : tensor<8xf32>
  bufferization.materialize_in_destination %q in restrict writable %b : (tensor<8xf32>, memref<8xf32>) -> ()
  bufferization.materialize_in_destination %s in restrict writable %c : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
