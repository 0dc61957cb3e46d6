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

// What a result gives back unchanged is not written in place of; what is written over is.
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
