// RUN: (tandem-opt %s --tandem-plan-buffers --tandem-check-temporaries 2>&1 && exit 1 || exit 0) | FileCheck %s

// Scalars count the words of HBM: beyond 8 GiB addresses would wrap.
// CHECK: :[[#@LINE+1]]:17: error: no room: arguments, results and temporaries take 9000000004 bytes of HBM, there are 8589934592
func.func @main(%x: memref<9000000000xi8>, %y: memref<f32>) {
  return
}

// The line is that of the largest: an element of a temporary is a word.
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: error: no room: arguments, results and temporaries take 9000000
func.func @temporaries(%x: memref<3000000000xi8>, %y: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<1000000000xf32>
  %b = memref.alloc() : memref<500000000xi8>
  linalg.fill ins(%zero : f32) outs(%a : memref<1000000000xf32>)
  memref.copy %y, %y : memref<f32> to memref<f32>
  %c = arith.constant 0 : i8
  linalg.fill ins(%c : i8) outs(%b : memref<500000000xi8>)
  linalg.fill ins(%zero : f32) outs(%a : memref<1000000000xf32>)
  linalg.fill ins(%c : i8) outs(%b : memref<500000000xi8>)
  return
}
