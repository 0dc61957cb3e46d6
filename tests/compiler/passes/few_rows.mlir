// RUN: tandem-opt %s --preset=small --tandem-tile --canonicalize --cse | FileCheck %s
// RUN: tandem-opt %s --preset=small --tandem-tile --tandem-plan-buffers --tandem-lower-to-tpu | FileCheck %s --check-prefix=TPU

// One row times weights stored by rows in VMEM: the vector units use them as they are.
// CHECK-LABEL: func.func @main
// CHECK: linalg.generic
// CHECK-SAME: tandem.vector
// TPU-NOT: tpu.mxpush
// TPU: tpu.vldc
// TPU: tpu.vmul.f32
// TPU: tpu.vrot.sub
// TPU: tpu.vst
#left = affine_map<(d0, d1, d2) -> (d0, d2)>
#right = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main() {
  %x = memref.alloc() {tandem.address = 0} : memref<1x24xf32, "vmem">
  %w = memref.alloc() {tandem.address = 128} : memref<24x32xf32, "vmem">
  %y = memref.alloc() {tandem.address = 1024} : memref<1x32xf32, "vmem">
  linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : memref<1x24xf32, "vmem">, memref<24x32xf32, "vmem">) outs(%y : memref<1x32xf32, "vmem">) attrs = {tandem.precision = "HIGHEST"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  }
  return
}
