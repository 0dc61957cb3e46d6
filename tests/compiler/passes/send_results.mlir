// RUN: tandem-opt %s --preset=nano --tandem-send-results | FileCheck %s

#left = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d0, d4)>
#right = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4, d1)>
#result = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
!left = memref<1x1x128x8xf32, strided<[0, 8, 8, 1]>, "vmem">
!right = memref<1x1x8x24xf32, strided<[0, 24, 24, 1]>, "vmem">
!rows = memref<128x24xf32, strided<[24, 1]>, "vmem">

// A product is cut by its columns, and each part of the result leaves after its part of the product.
// CHECK-LABEL: func.func @product
// CHECK: linalg.generic
// CHECK-SAME: memref<1x1x8x8xf32
// CHECK: memref.copy {{.*}} : memref<128x8xf32, strided<[24, 1]>, "vmem"> to memref<128x8xf32, strided<[24, 1]>>
// CHECK: linalg.generic
// CHECK: memref.copy {{.*}} : memref<128x8xf32, strided<[24, 1], offset: 8>, "vmem"> to memref<128x8xf32, strided<[24, 1], offset: 8>>
// CHECK: linalg.generic
// What is left of the last part is reads, between which pieces of its rows leave.
// CHECK: memref.copy {{.*}} : memref<16x8xf32, strided<[24, 1], offset: 16>, "vmem"> to memref<16x8xf32, strided<[24, 1], offset: 16>>
// CHECK: memref.copy {{.*}} : memref<16x8xf32, strided<[24, 1], offset: 400>, "vmem"> to memref<16x8xf32, strided<[24, 1], offset: 400>>
// CHECK-COUNT-5: memref.copy {{.*}} : memref<16x8xf32
// CHECK: memref.copy {{.*}} : memref<16x8xf32, strided<[24, 1], offset: 2704>, "vmem"> to memref<16x8xf32, strided<[24, 1], offset: 2704>>
// CHECK-NOT: memref.copy
func.func @product(%far: memref<128x24xf32>) {
  %x = memref.alloc() : memref<1024xf32, "vmem">
  %w = memref.alloc() : memref<192xf32, "vmem">
  %y = memref.alloc() : memref<3072xf32, "vmem">
  %left = memref.reinterpret_cast %x to offset: [0], sizes: [1, 1, 128, 8], strides: [0, 8, 8, 1] : memref<1024xf32, "vmem"> to !left
  %right = memref.reinterpret_cast %w to offset: [0], sizes: [1, 1, 8, 24], strides: [0, 24, 24, 1] : memref<192xf32, "vmem"> to !right
  %out = memref.reinterpret_cast %y to offset: [0], sizes: [128, 24], strides: [24, 1] : memref<3072xf32, "vmem"> to !rows
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%left, %right : !left, !right) outs(%out : !rows) attrs = {tandem.precision = "DEFAULT", tandem.overwrites} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  }
  memref.copy %out, %far : !rows to memref<128x24xf32>
  return
}

// Room in HBM that is made right before the copy is there before the first part leaves.
// CHECK-LABEL: func.func @own_room
// CHECK: %[[FAR:.*]] = memref.alloc() : memref<128x24xf32>
// CHECK: linalg.generic
// CHECK: memref.copy
// CHECK: linalg.generic
// CHECK: return %[[FAR]]
func.func @own_room() -> memref<128x24xf32> {
  %x = memref.alloc() : memref<1024xf32, "vmem">
  %w = memref.alloc() : memref<192xf32, "vmem">
  %y = memref.alloc() : memref<3072xf32, "vmem">
  %left = memref.reinterpret_cast %x to offset: [0], sizes: [1, 1, 128, 8], strides: [0, 8, 8, 1] : memref<1024xf32, "vmem"> to !left
  %right = memref.reinterpret_cast %w to offset: [0], sizes: [1, 1, 8, 24], strides: [0, 24, 24, 1] : memref<192xf32, "vmem"> to !right
  %out = memref.reinterpret_cast %y to offset: [0], sizes: [128, 24], strides: [24, 1] : memref<3072xf32, "vmem"> to !rows
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%left, %right : !left, !right) outs(%out : !rows) attrs = {tandem.precision = "DEFAULT", tandem.overwrites} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %c, %0 : f32
    linalg.yield %1 : f32
  }
  %far = memref.alloc() : memref<128x24xf32>
  memref.copy %out, %far : !rows to memref<128x24xf32>
  return %far : memref<128x24xf32>
}

// Operations on rows are cut by rows; operands with one number for each column are read by all parts.
// CHECK-LABEL: func.func @rows
// CHECK-COUNT-2: memref.copy {{.*}} : memref<48x24xf32
// CHECK: memref.copy {{.*}} : memref<32x24xf32
// CHECK-NOT: memref.copy
func.func @rows(%far: memref<128x24xf32>) {
  %x = memref.alloc() : memref<3072xf32, "vmem">
  %b = memref.alloc() : memref<24xf32, "vmem">
  %y = memref.alloc() : memref<3072xf32, "vmem">
  %in = memref.reinterpret_cast %x to offset: [0], sizes: [128, 24], strides: [24, 1] : memref<3072xf32, "vmem"> to !rows
  %out = memref.reinterpret_cast %y to offset: [0], sizes: [128, 24], strides: [24, 1] : memref<3072xf32, "vmem"> to !rows
  linalg.generic {indexing_maps = [#rows, #column, #rows], iterator_types = ["parallel", "parallel"]} ins(%in, %b : !rows, memref<24xf32, "vmem">) outs(%out : !rows) attrs = {tandem.rows} {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %0 = arith.addf %p, %q : f32
    linalg.yield %0 : f32
  }
  memref.copy %out, %far : !rows to memref<128x24xf32>
  return
}

// One number for each row begins at a row of VMEM in each part.
// CHECK-LABEL: func.func @numbers_of_rows
// CHECK: memref.copy
// CHECK: strided<[1], offset: 48>
// CHECK-COUNT-2: memref.copy
// CHECK-NOT: memref.copy
func.func @numbers_of_rows(%far: memref<128x24xf32>) {
  %x = memref.alloc() : memref<3072xf32, "vmem">
  %b = memref.alloc() : memref<128xf32, "vmem">
  %y = memref.alloc() : memref<3072xf32, "vmem">
  %in = memref.reinterpret_cast %x to offset: [0], sizes: [128, 24], strides: [24, 1] : memref<3072xf32, "vmem"> to !rows
  %out = memref.reinterpret_cast %y to offset: [0], sizes: [128, 24], strides: [24, 1] : memref<3072xf32, "vmem"> to !rows
  linalg.generic {indexing_maps = [#rows, #row, #rows], iterator_types = ["parallel", "parallel"]} ins(%in, %b : !rows, memref<128xf32, "vmem">) outs(%out : !rows) attrs = {tandem.rows} {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %0 = arith.addf %p, %q : f32
    linalg.yield %0 : f32
  }
  memref.copy %out, %far : !rows to memref<128x24xf32>
  return
}

// Results written by blocks of rows leave by these, the second time that a block is written.
// CHECK-LABEL: func.func @blocks
// CHECK-COUNT-2: linalg.generic
// CHECK: memref.copy {{.*}} : memref<40x24xf32
// CHECK: linalg.generic
// CHECK: memref.copy {{.*}} : memref<88x24xf32
// CHECK-NOT: memref.copy
func.func @blocks(%far: memref<128x24xf32>) {
  %x = memref.alloc() : memref<3072xf32, "vmem">
  %y = memref.alloc() : memref<3072xf32, "vmem">
  %in = memref.reinterpret_cast %x to offset: [0], sizes: [40, 24], strides: [24, 1] : memref<3072xf32, "vmem"> to memref<40x24xf32, strided<[24, 1]>, "vmem">
  %rest = memref.reinterpret_cast %x to offset: [960], sizes: [88, 24], strides: [24, 1] : memref<3072xf32, "vmem"> to memref<88x24xf32, strided<[24, 1], offset: 960>, "vmem">
  %first = memref.reinterpret_cast %y to offset: [0], sizes: [40, 24], strides: [24, 1] : memref<3072xf32, "vmem"> to memref<40x24xf32, strided<[24, 1]>, "vmem">
  %second = memref.reinterpret_cast %y to offset: [960], sizes: [88, 24], strides: [24, 1] : memref<3072xf32, "vmem"> to memref<88x24xf32, strided<[24, 1], offset: 960>, "vmem">
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%in : memref<40x24xf32, strided<[24, 1]>, "vmem">) outs(%first : memref<40x24xf32, strided<[24, 1]>, "vmem">) attrs = {tandem.rows} {
  ^bb0(%p: f32, %q: f32):
    linalg.yield %p : f32
  }
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%in : memref<40x24xf32, strided<[24, 1]>, "vmem">) outs(%first : memref<40x24xf32, strided<[24, 1]>, "vmem">) attrs = {tandem.rows} {
  ^bb0(%p: f32, %q: f32):
    %0 = arith.addf %p, %q : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%rest : memref<88x24xf32, strided<[24, 1], offset: 960>, "vmem">) outs(%second : memref<88x24xf32, strided<[24, 1], offset: 960>, "vmem">) attrs = {tandem.rows} {
  ^bb0(%p: f32, %q: f32):
    linalg.yield %p : f32
  }
  %whole = memref.reinterpret_cast %y to offset: [0], sizes: [128, 24], strides: [24, 1] : memref<3072xf32, "vmem"> to !rows
  memref.copy %whole, %far : !rows to memref<128x24xf32>
  return
}

// A copy from HBM between them may read the result's old memory: nothing leaves before it.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: strided<[24, 1], offset
// CHECK: memref.copy
// CHECK: memref.copy {{.*}} : memref<128x24xf32
func.func @stays(%far: memref<128x24xf32>, %other: memref<24xf32>) {
  %x = memref.alloc() : memref<3072xf32, "vmem">
  %b = memref.alloc() : memref<24xf32, "vmem">
  %y = memref.alloc() : memref<3072xf32, "vmem">
  %in = memref.reinterpret_cast %x to offset: [0], sizes: [128, 24], strides: [24, 1] : memref<3072xf32, "vmem"> to !rows
  %out = memref.reinterpret_cast %y to offset: [0], sizes: [128, 24], strides: [24, 1] : memref<3072xf32, "vmem"> to !rows
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%in : !rows) outs(%out : !rows) attrs = {tandem.rows} {
  ^bb0(%p: f32, %q: f32):
    linalg.yield %p : f32
  }
  memref.copy %other, %b : memref<24xf32> to memref<24xf32, "vmem">
  memref.copy %out, %far : !rows to memref<128x24xf32>
  return
}

// Operations on rows that follow each other are cut together, and the parts of all their results
// leave after each.
// CHECK-LABEL: func.func @together
// CHECK-COUNT-2: linalg.generic {{.*}} outs(%{{.*}} : memref<32x24xf32, strided<[24, 1]>, "vmem">)
// CHECK: memref.copy {{.*}} : memref<32x24xf32, strided<[24, 1]>, "vmem"> to memref<32x24xf32, strided<[24, 1]>>
// CHECK: memref.copy {{.*}} : memref<32x24xf32, strided<[24, 1]>, "vmem"> to memref<32x24xf32, strided<[24, 1]>>
// CHECK-COUNT-2: linalg.generic {{.*}} outs(%{{.*}} : memref<32x24xf32, strided<[24, 1], offset: 768>, "vmem">)
// CHECK-COUNT-2: memref.copy
// CHECK-COUNT-2: linalg.generic
// CHECK-COUNT-2: memref.copy
// CHECK-COUNT-2: linalg.generic
// CHECK-COUNT-2: memref.copy
// CHECK: return
func.func @together(%one: memref<128x24xf32>, %two: memref<128x24xf32>) {
  %x = memref.alloc() : memref<3072xf32, "vmem">
  %y = memref.alloc() : memref<3072xf32, "vmem">
  %z = memref.alloc() : memref<3072xf32, "vmem">
  %in = memref.reinterpret_cast %x to offset: [0], sizes: [128, 24], strides: [24, 1] : memref<3072xf32, "vmem"> to !rows
  %first = memref.reinterpret_cast %y to offset: [0], sizes: [128, 24], strides: [24, 1] : memref<3072xf32, "vmem"> to !rows
  %second = memref.reinterpret_cast %z to offset: [0], sizes: [128, 24], strides: [24, 1] : memref<3072xf32, "vmem"> to !rows
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%in : !rows) outs(%first : !rows) attrs = {tandem.rows} {
  ^bb0(%p: f32, %q: f32):
    linalg.yield %p : f32
  }
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%first : !rows) outs(%second : !rows) attrs = {tandem.rows} {
  ^bb0(%p: f32, %q: f32):
    linalg.yield %p : f32
  }
  memref.copy %first, %one : !rows to memref<128x24xf32>
  memref.copy %second, %two : !rows to memref<128x24xf32>
  return
}

// Not where the second one's result has the place of what the first one reads.
// CHECK-LABEL: func.func @same_place
// CHECK-COUNT-2: linalg.generic {{.*}} outs(%{{.*}} : memref<128x24xf32, strided<[24, 1]>, "vmem">)
// CHECK-COUNT-2: memref.copy {{.*}} : memref<128x24xf32, strided<[24, 1]>, "vmem"> to memref<128x24xf32>
func.func @same_place(%one: memref<128x24xf32>, %two: memref<128x24xf32>) {
  %x = memref.alloc() {tandem.address = 0 : i64} : memref<3072xf32, "vmem">
  %y = memref.alloc() {tandem.address = 3072 : i64} : memref<3072xf32, "vmem">
  %z = memref.alloc() {tandem.address = 0 : i64} : memref<3072xf32, "vmem">
  %in = memref.reinterpret_cast %x to offset: [0], sizes: [128, 24], strides: [24, 1] : memref<3072xf32, "vmem"> to !rows
  %first = memref.reinterpret_cast %y to offset: [0], sizes: [128, 24], strides: [24, 1] : memref<3072xf32, "vmem"> to !rows
  %second = memref.reinterpret_cast %z to offset: [0], sizes: [128, 24], strides: [24, 1] : memref<3072xf32, "vmem"> to !rows
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%in : !rows) outs(%first : !rows) attrs = {tandem.rows} {
  ^bb0(%p: f32, %q: f32):
    linalg.yield %p : f32
  }
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%first : !rows) outs(%second : !rows) attrs = {tandem.rows} {
  ^bb0(%p: f32, %q: f32):
    linalg.yield %p : f32
  }
  memref.copy %first, %one : !rows to memref<128x24xf32>
  memref.copy %second, %two : !rows to memref<128x24xf32>
  return
}

// A move through registers is crossed: a result that has been written long ago leaves before loops.
// CHECK-LABEL: func.func @before_moves
// CHECK: memref.copy {{.*}} to memref<8xf32>
// CHECK: scf.for
// CHECK: tandem.in_registers
func.func @before_moves(%far: memref<8xf32>, %x: memref<8xf32, "vmem">, %y: memref<8xf32, "vmem">, %z: memref<8xf32, "vmem">) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%x : memref<8xf32, "vmem">)
  scf.for %i = %c0 to %c8 step %c1 {
    linalg.fill ins(%zero : f32) outs(%y : memref<8xf32, "vmem">)
  }
  memref.copy %y, %z {tandem.in_registers} : memref<8xf32, "vmem"> to memref<8xf32, "vmem">
  memref.copy %x, %far : memref<8xf32, "vmem"> to memref<8xf32>
  return
}
