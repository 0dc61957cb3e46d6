// RUN: tandem-opt %s --tandem-write-in-place | FileCheck %s

#box = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>

// Added to a window element by element: there.
// CHECK-LABEL: func.func @added
// CHECK-NOT: linalg.copy
// CHECK: linalg.generic {{.*}} ins(%arg0, [[W:%[a-z0-9_]+]] : {{.*}} outs([[W]] :
func.func @added(%x: memref<8x128xf32>) {
  %w = memref.alloc() {tandem.window} : memref<8x128xf32>
  %a = memref.alloc() : memref<8x128xf32>
  linalg.generic {indexing_maps = [#box, #box, #box], iterator_types = ["parallel", "parallel"]} ins(%x, %w : memref<8x128xf32>, memref<8x128xf32>) outs(%a : memref<8x128xf32>) {
  ^bb0(%in: f32, %old: f32, %out: f32):
    %s = arith.addf %in, %old : f32
    linalg.yield %s : f32
  }
  linalg.copy ins(%a : memref<8x128xf32>) outs(%w : memref<8x128xf32>)
  return
}

// Each row takes the window's first column, which it overwrites.
// CHECK-LABEL: func.func @first_column
// CHECK: linalg.copy
func.func @first_column(%x: memref<8x128xf32>) {
  %w = memref.alloc() {tandem.window} : memref<8x128xf32>
  %a = memref.alloc() : memref<8x128xf32>
  linalg.generic {indexing_maps = [#box, #column, #box], iterator_types = ["parallel", "parallel"]} ins(%x, %w : memref<8x128xf32>, memref<8x128xf32>) outs(%a : memref<8x128xf32>) {
  ^bb0(%in: f32, %old: f32, %out: f32):
    %s = arith.addf %in, %old : f32
    linalg.yield %s : f32
  }
  linalg.copy ins(%a : memref<8x128xf32>) outs(%w : memref<8x128xf32>)
  return
}

// Its operands change before the store: it is computed before that.
// CHECK-LABEL: func.func @changes
// CHECK: linalg.generic {{.*}} ins(%arg0 : {{.*}}) outs(%alloc :
// CHECK: memref.copy %arg1, %arg0
// CHECK-NOT: linalg.copy
func.func @changes(%x: memref<8x128xf32>, %y: memref<8x128xf32>) {
  %w = memref.alloc() {tandem.window} : memref<8x128xf32>
  %a = memref.alloc() : memref<8x128xf32>
  linalg.generic {indexing_maps = [#box, #box], iterator_types = ["parallel", "parallel"]} ins(%x : memref<8x128xf32>) outs(%a : memref<8x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %in : f32
    linalg.yield %s : f32
  }
  memref.copy %y, %x : memref<8x128xf32> to memref<8x128xf32>
  linalg.copy ins(%a : memref<8x128xf32>) outs(%w : memref<8x128xf32>)
  return
}

// One room for two stores in turn, the second of which has another user: from the window.
// CHECK-LABEL: func.func @one_room
// CHECK: linalg.fill {{.*}} outs([[V:%[a-z0-9_]+]] :
// CHECK-NEXT: linalg.fill {{.*}} outs([[W:%[a-z0-9_]+]] :
// CHECK-NEXT: memref.copy [[W]], %arg0
func.func @one_room(%y: memref<8x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %v = memref.alloc() {tandem.window} : memref<8x128xf32>
  %w = memref.alloc() {tandem.window} : memref<8x128xf32>
  %a = memref.alloc() : memref<8x128xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<8x128xf32>)
  linalg.copy ins(%a : memref<8x128xf32>) outs(%v : memref<8x128xf32>)
  linalg.fill ins(%one : f32) outs(%a : memref<8x128xf32>)
  linalg.copy ins(%a : memref<8x128xf32>) outs(%w : memref<8x128xf32>)
  memref.copy %a, %y : memref<8x128xf32> to memref<8x128xf32>
  return
}

// It is used when the window holds something else.
// CHECK-LABEL: func.func @needed_later
// CHECK: linalg.fill {{.*}} outs([[A:%[a-z0-9_]+]] :
// CHECK-NEXT: linalg.copy ins([[A]] :
func.func @needed_later(%x: memref<8x128xf32>, %y: memref<8x128xf32>) {
  %one = arith.constant 1.0 : f32
  %w = memref.alloc() {tandem.window} : memref<8x128xf32>
  %a = memref.alloc() : memref<8x128xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<8x128xf32>)
  linalg.copy ins(%a : memref<8x128xf32>) outs(%w : memref<8x128xf32>)
  memref.copy %x, %w : memref<8x128xf32> to memref<8x128xf32>
  memref.copy %a, %y : memref<8x128xf32> to memref<8x128xf32>
  return
}

// The window's old contents are used before the store, and the value after it.
// CHECK-LABEL: func.func @still_read
// CHECK: linalg.fill {{.*}} outs([[A:%[a-z0-9_]+]] :
// CHECK-NEXT: memref.copy
// CHECK-NEXT: linalg.copy ins([[A]] :
func.func @still_read(%x: memref<8x128xf32>, %y: memref<8x128xf32>) {
  %one = arith.constant 1.0 : f32
  %w = memref.alloc() {tandem.window} : memref<8x128xf32>
  %a = memref.alloc() : memref<8x128xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<8x128xf32>)
  memref.copy %w, %x : memref<8x128xf32> to memref<8x128xf32>
  linalg.copy ins(%a : memref<8x128xf32>) outs(%w : memref<8x128xf32>)
  memref.copy %a, %y : memref<8x128xf32> to memref<8x128xf32>
  return
}

// A result of the program takes the windows, if the kernel's result is not written after that.
// CHECK-LABEL: func.func @result
// CHECK: memref.copy {{%[a-z0-9_]+}}, %arg0
// CHECK-NEXT: memref.copy {{%[a-z0-9_]+}}, [[A:%[a-z0-9_]+]]
// CHECK-NEXT: memref.copy [[A]], %arg1
// CHECK-NEXT: memref.copy {{%[a-z0-9_]+}}, [[A]]
func.func @result(%y: memref<8x128xf32>, %z: memref<8x128xf32>) {
  %w = memref.alloc() {tandem.window} : memref<8x128xf32>
  %a = memref.alloc() : memref<8x128xf32>
  %b = memref.alloc() : memref<8x128xf32>
  memref.copy %w, %a : memref<8x128xf32> to memref<8x128xf32>
  memref.copy %w, %b : memref<8x128xf32> to memref<8x128xf32>
  memref.copy %a, %y : memref<8x128xf32> to memref<8x128xf32>
  memref.copy %b, %z : memref<8x128xf32> to memref<8x128xf32>
  memref.copy %w, %b : memref<8x128xf32> to memref<8x128xf32>
  return
}

// Rows of a window onto the rows after them: all are read before any is written.
// CHECK-LABEL: func.func @overlapping
// CHECK: [[W:%[a-z0-9_]+]] = memref.alloc() {tandem.window}
// CHECK: [[FROM:%[a-z0-9_]+]] = memref.subview [[W]][0, 0]
// CHECK: [[TO:%[a-z0-9_]+]] = memref.subview [[W]][1, 0]
// CHECK: [[ASIDE:%[a-z0-9_]+]] = memref.alloc() : memref<7x128xf32>
// CHECK: linalg.copy ins([[FROM]] {{.*}} outs([[ASIDE]]
// CHECK: linalg.copy ins([[ASIDE]] {{.*}} outs([[TO]]
// Those that do not overlap go there directly.
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @overlapping() {
  %w = memref.alloc() {tandem.window} : memref<8x128xf32>
  %from = memref.subview %w[0, 0] [7, 128] [1, 1] : memref<8x128xf32> to memref<7x128xf32, strided<[128, 1]>>
  %to = memref.subview %w[1, 0] [7, 128] [1, 1] : memref<8x128xf32> to memref<7x128xf32, strided<[128, 1], offset: 128>>
  linalg.copy ins(%from : memref<7x128xf32, strided<[128, 1]>>) outs(%to : memref<7x128xf32, strided<[128, 1], offset: 128>>)
  %low = memref.subview %w[0, 0] [4, 128] [1, 1] : memref<8x128xf32> to memref<4x128xf32, strided<[128, 1]>>
  %high = memref.subview %w[4, 0] [4, 128] [1, 1] : memref<8x128xf32> to memref<4x128xf32, strided<[128, 1], offset: 512>>
  linalg.copy ins(%low : memref<4x128xf32, strided<[128, 1]>>) outs(%high : memref<4x128xf32, strided<[128, 1], offset: 512>>)
  return
}
