// RUN: tandem-opt %s --preset=small --tandem-tile --canonicalize --cse | FileCheck %s
// RUN: tandem-opt %s --preset=small --tandem-tile --tandem-plan-buffers --tandem-lower-to-tpu | FileCheck %s --check-prefix=TPU

// Two rows times weights stored by columns, 40 elements of the depth each: two operations, of whole
// chunks and of the rest, which the vector units do together. Each of two blocks of columns is
// loaded for both of its rows, the lanes of four sums are added up, and the rows are transposed together.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: tandem.by_columns{{.*}}tandem.vector
// TPU-LABEL: func.func @main
// TPU-NOT: tpu.mxpusht
// TPU: tpu.vmul.f32
// TPU-COUNT-4: tpu.lsum.f32
// TPU-NOT: tpu.lsum.f32
// TPU: tpu.transpose
// TPU-NOT: tpu.transpose
// TPU: tpu.vst
// TPU-NOT: tpu.vst
#left = affine_map<(d0, d1, d2) -> (d0, d2)>
#right = affine_map<(d0, d1, d2) -> (d1, d2)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main() {
  %x = memref.alloc() {tandem.address = 0} : memref<2x48xf32, "vmem">
  %w = memref.alloc() {tandem.address = 128} : memref<16x48xf32, "vmem">
  %y = memref.alloc() {tandem.address = 1024} : memref<2x16xf32, "vmem">
  %xs = memref.subview %x[0, 0] [2, 40] [1, 1] : memref<2x48xf32, "vmem"> to memref<2x40xf32, strided<[48, 1]>, "vmem">
  %ws = memref.subview %w[0, 0] [16, 40] [1, 1] : memref<16x48xf32, "vmem"> to memref<16x40xf32, strided<[48, 1]>, "vmem">
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%xs, %ws : memref<2x40xf32, strided<[48, 1]>, "vmem">, memref<16x40xf32, strided<[48, 1]>, "vmem">) outs(%y : memref<2x16xf32, "vmem">) attrs = {tandem.precision = "HIGHEST", tandem.from_zero} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  return
}
