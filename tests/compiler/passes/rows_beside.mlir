// RUN: tandem-opt %s --preset=nano --tandem-overlap-rows | FileCheck %s

#left = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d0, d4)>
#right = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4, d1)>
#result = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
!left_buffer = memref<2560xf32, "vmem">
!right_buffer = memref<768xf32, "vmem">
!rows_buffer = memref<1536xf32, "vmem">
!left = memref<1x4x64x8xf32, strided<[0, 8, 40, 1]>, "vmem">
!right = memref<1x4x8x16xf32, strided<[0, 192, 24, 1]>, "vmem">
!rows = memref<64x16xf32, strided<[24, 1]>, "vmem">

// The next product has nothing to do with the rows and comes up to them, past the product of what the
// rows make and the copy of that. Its result gets a place for the longer life.
// CHECK-LABEL: func.func @comes_up
// CHECK: memref.alloc
// CHECK-NOT: tandem.address
// CHECK: linalg.generic
// CHECK-SAME: name = "second"
// CHECK-SAME: tandem.beside
// CHECK: linalg.generic
// CHECK-SAME: name = "rows"
// CHECK: linalg.generic
// CHECK-SAME: name = "first"
// CHECK-NOT: tandem.beside
// CHECK: memref.copy
func.func @comes_up(%far: memref<64x16xf32>) {
  %x = memref.alloc() : !left_buffer
  %y = memref.alloc() : !left_buffer
  %weights = memref.alloc() : !right_buffer
  %a = memref.alloc() : !rows_buffer
  %left = memref.reinterpret_cast %x to offset: [0], sizes: [1, 4, 64, 8], strides: [0, 8, 40, 1] : !left_buffer to !left
  %other = memref.reinterpret_cast %y to offset: [0], sizes: [1, 4, 64, 8], strides: [0, 8, 40, 1] : !left_buffer to !left
  %right = memref.reinterpret_cast %weights to offset: [0], sizes: [1, 4, 8, 16], strides: [0, 192, 24, 1] : !right_buffer to !right
  %in = memref.reinterpret_cast %a to offset: [0], sizes: [64, 16], strides: [24, 1] : !rows_buffer to !rows
  %b = memref.alloc() : !rows_buffer
  %first = memref.reinterpret_cast %b to offset: [0], sizes: [64, 16], strides: [24, 1] : !rows_buffer to !rows
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%in : !rows) outs(%in : !rows) attrs = {name = "rows", tandem.rows} {
  ^bb0(%p: f32, %q: f32):
    %1 = arith.mulf %p, %p : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%in : !rows) outs(%first : !rows) attrs = {name = "first"} {
  ^bb0(%p: f32, %q: f32):
    linalg.yield %p : f32
  }
  memref.copy %first, %far : !rows to memref<64x16xf32>
  %c = memref.alloc() {tandem.address = 0 : i64} : !rows_buffer
  %second = memref.reinterpret_cast %c to offset: [0], sizes: [64, 16], strides: [24, 1] : !rows_buffer to !rows
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%other, %right : !left, !right) outs(%second : !rows) attrs = {name = "second", tandem.overwrites, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// The rows go up to an earlier product, past the copy of its result, with what they write.
// CHECK-LABEL: func.func @go_up
// CHECK: linalg.generic
// CHECK-SAME: name = "product"
// CHECK-SAME: tandem.beside
// CHECK-NEXT: ^bb0
// CHECK: linalg.generic
// CHECK-SAME: name = "rows"
// CHECK: memref.copy
func.func @go_up(%far: memref<64x16xf32>) {
  %x = memref.alloc() : !left_buffer
  %y = memref.alloc() : !left_buffer
  %weights = memref.alloc() : !right_buffer
  %a = memref.alloc() : !rows_buffer
  %left = memref.reinterpret_cast %x to offset: [0], sizes: [1, 4, 64, 8], strides: [0, 8, 40, 1] : !left_buffer to !left
  %other = memref.reinterpret_cast %y to offset: [0], sizes: [1, 4, 64, 8], strides: [0, 8, 40, 1] : !left_buffer to !left
  %right = memref.reinterpret_cast %weights to offset: [0], sizes: [1, 4, 8, 16], strides: [0, 192, 24, 1] : !right_buffer to !right
  %in = memref.reinterpret_cast %a to offset: [0], sizes: [64, 16], strides: [24, 1] : !rows_buffer to !rows
  %b = memref.alloc() : !rows_buffer
  %product = memref.reinterpret_cast %b to offset: [0], sizes: [64, 16], strides: [24, 1] : !rows_buffer to !rows
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%left, %right : !left, !right) outs(%product : !rows) attrs = {name = "product", tandem.overwrites, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  memref.copy %product, %far : !rows to memref<64x16xf32>
  %c = memref.alloc() : !rows_buffer
  %made = memref.reinterpret_cast %c to offset: [0], sizes: [64, 16], strides: [24, 1] : !rows_buffer to !rows
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%in : !rows) outs(%made : !rows) attrs = {name = "rows", tandem.rows} {
  ^bb0(%p: f32, %q: f32):
    %1 = arith.mulf %p, %p : f32
    linalg.yield %1 : f32
  }
  return
}

// If they are together already: unchanged.
// CHECK-LABEL: func.func @together
// CHECK: linalg.generic
// CHECK-SAME: name = "product"
// CHECK-SAME: tandem.beside
// CHECK: linalg.generic
// CHECK-SAME: name = "rows"
// CHECK: linalg.generic
// CHECK-SAME: name = "then"
// CHECK: memref.copy
func.func @together(%far: memref<64x16xf32>) {
  %x = memref.alloc() : !left_buffer
  %y = memref.alloc() : !left_buffer
  %weights = memref.alloc() : !right_buffer
  %a = memref.alloc() : !rows_buffer
  %left = memref.reinterpret_cast %x to offset: [0], sizes: [1, 4, 64, 8], strides: [0, 8, 40, 1] : !left_buffer to !left
  %other = memref.reinterpret_cast %y to offset: [0], sizes: [1, 4, 64, 8], strides: [0, 8, 40, 1] : !left_buffer to !left
  %right = memref.reinterpret_cast %weights to offset: [0], sizes: [1, 4, 8, 16], strides: [0, 192, 24, 1] : !right_buffer to !right
  %in = memref.reinterpret_cast %a to offset: [0], sizes: [64, 16], strides: [24, 1] : !rows_buffer to !rows
  %b = memref.alloc() : !rows_buffer
  %product = memref.reinterpret_cast %b to offset: [0], sizes: [64, 16], strides: [24, 1] : !rows_buffer to !rows
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%left, %right : !left, !right) outs(%product : !rows) attrs = {name = "product", tandem.overwrites, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  %c = memref.alloc() : !rows_buffer
  %made = memref.reinterpret_cast %c to offset: [0], sizes: [64, 16], strides: [24, 1] : !rows_buffer to !rows
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%in : !rows) outs(%made : !rows) attrs = {name = "rows", tandem.rows} {
  ^bb0(%p: f32, %q: f32):
    %1 = arith.mulf %p, %p : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%made : !rows) outs(%made : !rows) attrs = {name = "then", tandem.rows} {
  ^bb0(%p: f32, %q: f32):
    %1 = arith.mulf %p, %p : f32
    linalg.yield %1 : f32
  }
  memref.copy %product, %far : !rows to memref<64x16xf32>
  return
}

// One product for one run of rows.
// CHECK-LABEL: func.func @taken
// CHECK: linalg.generic
// CHECK-SAME: name = "product"
// CHECK-SAME: tandem.beside
// CHECK: linalg.generic
// CHECK-SAME: name = "rows"
// CHECK: memref.copy
// CHECK: linalg.generic
// CHECK-SAME: name = "more"
func.func @taken(%far: memref<64x16xf32>) {
  %x = memref.alloc() : !left_buffer
  %y = memref.alloc() : !left_buffer
  %weights = memref.alloc() : !right_buffer
  %a = memref.alloc() : !rows_buffer
  %left = memref.reinterpret_cast %x to offset: [0], sizes: [1, 4, 64, 8], strides: [0, 8, 40, 1] : !left_buffer to !left
  %other = memref.reinterpret_cast %y to offset: [0], sizes: [1, 4, 64, 8], strides: [0, 8, 40, 1] : !left_buffer to !left
  %right = memref.reinterpret_cast %weights to offset: [0], sizes: [1, 4, 8, 16], strides: [0, 192, 24, 1] : !right_buffer to !right
  %in = memref.reinterpret_cast %a to offset: [0], sizes: [64, 16], strides: [24, 1] : !rows_buffer to !rows
  %b = memref.alloc() : !rows_buffer
  %product = memref.reinterpret_cast %b to offset: [0], sizes: [64, 16], strides: [24, 1] : !rows_buffer to !rows
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%in : !rows) outs(%in : !rows) attrs = {name = "rows", tandem.rows} {
  ^bb0(%p: f32, %q: f32):
    %1 = arith.mulf %p, %p : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%left, %right : !left, !right) outs(%product : !rows) attrs = {name = "product", tandem.overwrites, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  memref.copy %product, %far : !rows to memref<64x16xf32>
  %c = memref.alloc() : !rows_buffer
  %made = memref.reinterpret_cast %c to offset: [0], sizes: [64, 16], strides: [24, 1] : !rows_buffer to !rows
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%in : !rows) outs(%made : !rows) attrs = {name = "more", tandem.rows} {
  ^bb0(%p: f32, %q: f32):
    %1 = arith.mulf %p, %p : f32
    linalg.yield %1 : f32
  }
  return
}

// A product into what the rows read, and one whose own rows a copy fetches first: unchanged.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: tandem.beside
// CHECK: return
func.func @stays(%z: memref<2560xf32>) {
  %x = memref.alloc() : !left_buffer
  %y = memref.alloc() : !left_buffer
  %weights = memref.alloc() : !right_buffer
  %a = memref.alloc() : !rows_buffer
  %left = memref.reinterpret_cast %x to offset: [0], sizes: [1, 4, 64, 8], strides: [0, 8, 40, 1] : !left_buffer to !left
  %other = memref.reinterpret_cast %y to offset: [0], sizes: [1, 4, 64, 8], strides: [0, 8, 40, 1] : !left_buffer to !left
  %right = memref.reinterpret_cast %weights to offset: [0], sizes: [1, 4, 8, 16], strides: [0, 192, 24, 1] : !right_buffer to !right
  %in = memref.reinterpret_cast %a to offset: [0], sizes: [64, 16], strides: [24, 1] : !rows_buffer to !rows
  %b = memref.alloc() : !rows_buffer
  %made = memref.reinterpret_cast %b to offset: [0], sizes: [64, 16], strides: [24, 1] : !rows_buffer to !rows
  %written = memref.reinterpret_cast %a to offset: [0], sizes: [64, 16], strides: [24, 1] : !rows_buffer to !rows
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%in : !rows) outs(%made : !rows) attrs = {name = "rows", tandem.rows} {
  ^bb0(%p: f32, %q: f32):
    %1 = arith.mulf %p, %p : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%left, %right : !left, !right) outs(%written : !rows) attrs = {name = "product", tandem.overwrites, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  memref.copy %z, %x : memref<2560xf32> to !left_buffer
  %c = memref.alloc() : !rows_buffer
  %last = memref.reinterpret_cast %c to offset: [0], sizes: [64, 16], strides: [24, 1] : !rows_buffer to !rows
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%left, %right : !left, !right) outs(%last : !rows) attrs = {name = "late", tandem.overwrites, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// Sums that others read are kept in registers where the rows are by themselves.
// CHECK-LABEL: func.func @sums
// CHECK-NOT: tandem.beside
// CHECK: return
func.func @sums(%far: memref<64x16xf32>) {
  %x = memref.alloc() : !left_buffer
  %y = memref.alloc() : !left_buffer
  %weights = memref.alloc() : !right_buffer
  %a = memref.alloc() : !rows_buffer
  %left = memref.reinterpret_cast %x to offset: [0], sizes: [1, 4, 64, 8], strides: [0, 8, 40, 1] : !left_buffer to !left
  %other = memref.reinterpret_cast %y to offset: [0], sizes: [1, 4, 64, 8], strides: [0, 8, 40, 1] : !left_buffer to !left
  %right = memref.reinterpret_cast %weights to offset: [0], sizes: [1, 4, 8, 16], strides: [0, 192, 24, 1] : !right_buffer to !right
  %in = memref.reinterpret_cast %a to offset: [0], sizes: [64, 16], strides: [24, 1] : !rows_buffer to !rows
  %sum = memref.alloc() : memref<64xf32, "vmem">
  %d = memref.alloc() : memref<64xf32, "vmem">
  %c = memref.alloc() : !rows_buffer
  %last = memref.reinterpret_cast %c to offset: [0], sizes: [64, 16], strides: [24, 1] : !rows_buffer to !rows
  linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]} ins(%in : !rows) outs(%sum : memref<64xf32, "vmem">) attrs = {name = "sums", tandem.rows} {
  ^bb0(%p: f32, %q: f32):
    %1 = arith.addf %q, %p : f32
    linalg.yield %1 : f32
  }
  memref.copy %sum, %d : memref<64xf32, "vmem"> to memref<64xf32, "vmem">
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%left, %right : !left, !right) outs(%last : !rows) attrs = {name = "product", tandem.overwrites, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// There is no room for the result, too.
// CHECK-LABEL: func.func @no_room
// CHECK: name = "rows"
// CHECK: memref.copy
// CHECK: tandem.address = 0
// CHECK: name = "product"
// CHECK-NOT: tandem.beside
// CHECK: return
func.func @no_room(%far: memref<64x16xf32>) {
  %x = memref.alloc() : !left_buffer
  %y = memref.alloc() : !left_buffer
  %weights = memref.alloc() : !right_buffer
  %a = memref.alloc() : !rows_buffer
  %left = memref.reinterpret_cast %x to offset: [0], sizes: [1, 4, 64, 8], strides: [0, 8, 40, 1] : !left_buffer to !left
  %other = memref.reinterpret_cast %y to offset: [0], sizes: [1, 4, 64, 8], strides: [0, 8, 40, 1] : !left_buffer to !left
  %right = memref.reinterpret_cast %weights to offset: [0], sizes: [1, 4, 8, 16], strides: [0, 192, 24, 1] : !right_buffer to !right
  %in = memref.reinterpret_cast %a to offset: [0], sizes: [64, 16], strides: [24, 1] : !rows_buffer to !rows
  %large = memref.alloc() : memref<5400xf32, "vmem">
  %also = memref.alloc() : memref<5400xf32, "vmem">
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%in : !rows) outs(%in : !rows) attrs = {name = "rows", tandem.rows} {
  ^bb0(%p: f32, %q: f32):
    %1 = arith.mulf %p, %p : f32
    linalg.yield %1 : f32
  }
  memref.copy %in, %far : !rows to memref<64x16xf32>
  memref.copy %large, %also : memref<5400xf32, "vmem"> to memref<5400xf32, "vmem">
  %c = memref.alloc() {tandem.address = 0 : i64} : !rows_buffer
  %last = memref.reinterpret_cast %c to offset: [0], sizes: [64, 16], strides: [24, 1] : !rows_buffer to !rows
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%left, %right : !left, !right) outs(%last : !rows) attrs = {name = "product", tandem.overwrites, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  return
}
