// RUN: tandem-opt %s --preset=nano --tandem-hoist-copies | FileCheck %s

#row = affine_map<(d0) -> (d0)>

// The second input's copy, with its buffer, starts before the work on the first one; it stays behind
// the first input's copy. The buffer's address was for a shorter life.
// CHECK-LABEL: func.func @ahead
// CHECK: memref.copy %arg0
// CHECK-NOT: tandem.address
// CHECK: memref.copy %arg1
// CHECK: linalg.generic
// CHECK: memref.copy {{.*}} to memref<4096xf32>
// CHECK: linalg.generic
func.func @ahead(%one: memref<4096xf32>, %two: memref<4096xf32>, %out: memref<4096xf32>, %far: memref<4096xf32>) {
  %a = memref.alloc() : memref<4096xf32, "vmem">
  memref.copy %one, %a : memref<4096xf32> to memref<4096xf32, "vmem">
  linalg.generic {indexing_maps = [#row], iterator_types = ["parallel"]} outs(%a : memref<4096xf32, "vmem">) {
  ^bb0(%x: f32):
    %1 = arith.addf %x, %x : f32
    linalg.yield %1 : f32
  }
  memref.copy %a, %out : memref<4096xf32, "vmem"> to memref<4096xf32>
  %b = memref.alloc() {tandem.address = 0 : i64} : memref<4096xf32, "vmem">
  memref.copy %two, %b : memref<4096xf32> to memref<4096xf32, "vmem">
  linalg.generic {indexing_maps = [#row], iterator_types = ["parallel"]} outs(%b : memref<4096xf32, "vmem">) {
  ^bb0(%x: f32):
    %1 = arith.mulf %x, %x : f32
    linalg.yield %1 : f32
  }
  memref.copy %b, %far : memref<4096xf32, "vmem"> to memref<4096xf32>
  return
}

// Copies of data written or used before, and small ones, stay where they are.
// CHECK-LABEL: func.func @stays
// CHECK: linalg.generic
// CHECK: memref.copy {{.*}} to memref<4096xf32>
// CHECK: memref.copy %arg1
// CHECK: linalg.generic
// CHECK: memref.copy %arg0
// CHECK: memref.copy %arg2
func.func @stays(%one: memref<4096xf32>, %two: memref<4096xf32>, %little: memref<16xf32>) {
  %a = memref.alloc() : memref<4096xf32, "vmem">
  %b = memref.alloc() : memref<4096xf32, "vmem">
  %c = memref.alloc() : memref<16xf32, "vmem">
  memref.copy %one, %a : memref<4096xf32> to memref<4096xf32, "vmem">
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%a : memref<4096xf32, "vmem">) outs(%b : memref<4096xf32, "vmem">) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  memref.copy %b, %two : memref<4096xf32, "vmem"> to memref<4096xf32>
  memref.copy %two, %b : memref<4096xf32> to memref<4096xf32, "vmem">
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%b : memref<4096xf32, "vmem">) outs(%a : memref<4096xf32, "vmem">) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  memref.copy %one, %a : memref<4096xf32> to memref<4096xf32, "vmem">
  memref.copy %little, %c : memref<16xf32> to memref<16xf32, "vmem">
  return
}

// One loop is crossed, no more; innermost loops keep their copies where they are.
// CHECK-LABEL: func.func @loops
// CHECK: scf.for
// CHECK: linalg.generic
// CHECK: memref.copy %arg0
// CHECK: memref.copy %arg1
// CHECK: scf.for
func.func @loops(%one: memref<4096xf32>, %two: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4096xf32, "vmem">
  %b = memref.alloc() : memref<4096xf32, "vmem">
  scf.for %i = %c0 to %c4 step %c1 {
    linalg.generic {indexing_maps = [#row], iterator_types = ["parallel"]} outs(%b : memref<4096xf32, "vmem">) {
    ^bb0(%x: f32):
      linalg.yield %x : f32
    }
    memref.copy %one, %a : memref<4096xf32> to memref<4096xf32, "vmem">
  }
  scf.for %i = %c0 to %c4 step %c1 {
    linalg.generic {indexing_maps = [#row], iterator_types = ["parallel"]} outs(%b : memref<4096xf32, "vmem">) {
    ^bb0(%x: f32):
      linalg.yield %x : f32
    }
  }
  %c = memref.alloc() : memref<4096xf32, "vmem">
  memref.copy %two, %c : memref<4096xf32> to memref<4096xf32, "vmem">
  return
}
