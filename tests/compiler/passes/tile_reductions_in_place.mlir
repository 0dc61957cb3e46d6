// RUN: tandem-opt %s --preset=nano --tandem-tile --canonicalize --cse | FileCheck %s

#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#kept = affine_map<(d0, d1, d2) -> (d0, d2)>

// Whole rows of VMEM are reduced where they are, once for each of the four outer indices.
// CHECK-LABEL: func.func @long
// CHECK-NOT: memref.copy
// CHECK-COUNT-4: iterator_types = ["reduction", "parallel"]
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @long() -> memref<4x8xf32, "vmem"> {
  %x = memref.alloc() : memref<4x49x8xf32, "vmem">
  %sums = memref.alloc() : memref<4x8xf32, "vmem">
  linalg.generic {indexing_maps = [#all, #kept], iterator_types = ["parallel", "reduction", "parallel"]} ins(%x : memref<4x49x8xf32, "vmem">) outs(%sums : memref<4x8xf32, "vmem">) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  }
  return %sums : memref<4x8xf32, "vmem">
}

// Many short ones are reduced side by side in tiles.
// CHECK-LABEL: func.func @short
// CHECK: memref.copy
// CHECK: iterator_types = ["reduction", "parallel"]
func.func @short() -> memref<64x8xf32, "vmem"> {
  %x = memref.alloc() : memref<64x2x8xf32, "vmem">
  %sums = memref.alloc() : memref<64x8xf32, "vmem">
  linalg.generic {indexing_maps = [#all, #kept], iterator_types = ["parallel", "reduction", "parallel"]} ins(%x : memref<64x2x8xf32, "vmem">) outs(%sums : memref<64x8xf32, "vmem">) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  }
  return %sums : memref<64x8xf32, "vmem">
}
