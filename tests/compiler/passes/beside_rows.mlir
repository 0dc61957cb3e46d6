// RUN: tandem-opt %s --preset=small --tandem-tile | FileCheck %s

// A stencil on rows of VMEM: what begins in the middle of a row comes to a tile, the rest stays.
// CHECK-LABEL: func.func @main(
// CHECK: memref.copy {{.*}} : memref<24x62xf32, strided<[80, 1], offset: 81>, "vmem"> to memref<24x62xf32, strided<[80, 1]>, "vmem">
// CHECK-NOT: memref.copy
// CHECK: linalg.generic {{.*}} ins({{.*}} : memref<24x62xf32, strided<[80, 1], offset: 80>, "vmem">, memref<24x62xf32, strided<[80, 1]>, "vmem">) outs({{.*}} : memref<24x62xf32, strided<[80, 1]>, "vmem">) attrs = {{.*}}tandem.rows
// CHECK: memref.copy {{.*}} : memref<6x62xf32, strided<[80, 1], offset: 2001>, "vmem">
// CHECK-NOT: memref.copy
// CHECK: return
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main() {
  %x = memref.alloc() : memref<32x80xf32, "vmem">
  %y = memref.alloc() : memref<32x80xf32, "vmem">
  %left = memref.reinterpret_cast %x to offset: [80], sizes: [30, 62], strides: [80, 1] : memref<32x80xf32, "vmem"> to memref<30x62xf32, strided<[80, 1], offset: 80>, "vmem">
  %middle = memref.reinterpret_cast %x to offset: [81], sizes: [30, 62], strides: [80, 1] : memref<32x80xf32, "vmem"> to memref<30x62xf32, strided<[80, 1], offset: 81>, "vmem">
  %sum = memref.reinterpret_cast %y to offset: [0], sizes: [30, 62], strides: [80, 1] : memref<32x80xf32, "vmem"> to memref<30x62xf32, strided<[80, 1]>, "vmem">
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%left, %middle : memref<30x62xf32, strided<[80, 1], offset: 80>, "vmem">, memref<30x62xf32, strided<[80, 1], offset: 81>, "vmem">)
      outs(%sum : memref<30x62xf32, strided<[80, 1]>, "vmem">) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  }
  return
}
