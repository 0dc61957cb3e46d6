// RUN: tandem-opt %s --preset=nano --tandem-plan-buffers --tandem-lower-to-tpu --canonicalize | FileCheck %s
// RUN: sed 's/tandem.address = 5360/tandem.address = 3824/' %s | tandem-opt --preset=nano --tandem-plan-buffers --tandem-lower-to-tpu --canonicalize | FileCheck %s --check-prefix=MEET

#left = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d0, d4)>
#right = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4, d1)>
#result = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0, d1)>

// Eight rows beside each step of two tiles of columns: the first chunk of the depth, each turn of a
// loop over two of them, and the last one, which waits here for the next contraction. What is left of
// the rows comes after it.
// CHECK-LABEL: func.func @main
// CHECK: "tpu.mxmul.bf16"({{.*}}) {absolute, acc = 0 : i64, swap
// CHECK: "tpu.vmul.f32"
// CHECK: scf.for
// CHECK: "tpu.mxmul.bf16"
// CHECK: "tpu.vmul.f32"
// CHECK: "tpu.mxmul.bf16"({{.*}}) {absolute, acc = 0 : i64, add, swap
// CHECK: "tpu.vmul.f32"
// CHECK: "tpu.mxmul.bf16"({{.*}}) {absolute, acc = 8 : i64, swap
// CHECK: "tpu.vmul.f32"
// CHECK: scf.for
// CHECK: "tpu.mxmul.bf16"
// CHECK: "tpu.vmul.f32"
// CHECK: {{^ *[}]$}}
// CHECK-COUNT-4: "tpu.vmul.f32"
// CHECK-NOT: "tpu.vmul.f32"
// CHECK: "tpu.mxmul.bf16"({{.*}}) {absolute, acc = 8 : i64, add, swap
// CHECK-NOT: "tpu.vmul.f32"
// CHECK: return

// If they are not disjoint, the rows come after it, despite the attribute.
// MEET-LABEL: func.func @main
// MEET-NOT: "tpu.vmul.f32"
// MEET: scf.for
// MEET: "tpu.mxread"
// MEET-NOT: "tpu.mxmul
// MEET: "tpu.vmul.f32"
func.func @main(%out: memref<72x16xf32> {tandem.direction = "out", tandem.name = "out0", tandem.type = "f32"}) attributes {tandem.vmem_rows = 2048 : i64} {
  %x = memref.alloc() {tandem.address = 0 : i64} : memref<2560xf32, "vmem">
  %w = memref.alloc() {tandem.address = 2560 : i64} : memref<768xf32, "vmem">
  %sums = memref.alloc() {tandem.address = 3328 : i64} : memref<1536xf32, "vmem">
  %y = memref.alloc() {tandem.address = 5360 : i64} : memref<1728xf32, "vmem">
  %left = memref.reinterpret_cast %x to offset: [0], sizes: [1, 4, 64, 8], strides: [0, 8, 40, 1] : memref<2560xf32, "vmem"> to memref<1x4x64x8xf32, strided<[0, 8, 40, 1]>, "vmem">
  %right = memref.reinterpret_cast %w to offset: [0], sizes: [1, 4, 8, 16], strides: [0, 192, 24, 1] : memref<768xf32, "vmem"> to memref<1x4x8x16xf32, strided<[0, 192, 24, 1]>, "vmem">
  %result = memref.reinterpret_cast %sums to offset: [0], sizes: [64, 16], strides: [24, 1] : memref<1536xf32, "vmem"> to memref<64x16xf32, strided<[24, 1]>, "vmem">
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%left, %right : memref<1x4x64x8xf32, strided<[0, 8, 40, 1]>, "vmem">, memref<1x4x8x16xf32, strided<[0, 192, 24, 1]>, "vmem">) outs(%result : memref<64x16xf32, strided<[24, 1]>, "vmem">) attrs = {tandem.beside, tandem.overwrites, tandem.precision = "DEFAULT"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  %rows = memref.reinterpret_cast %y to offset: [0], sizes: [72, 16], strides: [24, 1] : memref<1728xf32, "vmem"> to memref<72x16xf32, strided<[24, 1]>, "vmem">
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%rows : memref<72x16xf32, strided<[24, 1]>, "vmem">) outs(%rows : memref<72x16xf32, strided<[24, 1]>, "vmem">) attrs = {tandem.rows} {
  ^bb0(%p: f32, %q: f32):
    %1 = arith.mulf %p, %p : f32
    linalg.yield %1 : f32
  }
  memref.copy %rows, %out : memref<72x16xf32, strided<[24, 1]>, "vmem"> to memref<72x16xf32>
  return
}
