// RUN: tandem-opt %s --preset=small --tandem-tile | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// A stencil on rows of VMEM stays where it is: what begins at another lane is rotated in registers.
// CHECK-LABEL: func.func @known_lane(
// CHECK-NOT: memref.copy
// CHECK: linalg.generic {{.*}} ins({{.*}} : memref<30x62xf32, strided<[80, 1], offset: 80>, "vmem">, memref<30x62xf32, strided<[80, 1], offset: 81>, "vmem">) {{.*}}tandem.rows
// CHECK-NOT: memref.copy
// CHECK: return
func.func @known_lane() {
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

// What begins at a lane that is known only when the program runs comes to a tile, the rest stays.
// CHECK-LABEL: func.func @any_lane(
// CHECK: memref.copy {{.*}} : memref<24x62xf32, strided<[80, 1], offset: ?>, "vmem"> to memref<24x62xf32, strided<[80, 1]>, "vmem">
// CHECK-NOT: memref.copy
// CHECK: linalg.generic {{.*}} ins({{.*}} : memref<24x62xf32, strided<[80, 1], offset: 80>, "vmem">, memref<24x62xf32, strided<[80, 1]>, "vmem">) outs({{.*}} : memref<24x62xf32, strided<[80, 1]>, "vmem">) attrs = {{.*}}tandem.rows
// CHECK: memref.copy {{.*}} : memref<6x62xf32, strided<[80, 1], offset: ?>, "vmem">
// CHECK-NOT: memref.copy
// CHECK: return
func.func @any_lane(%place: index) {
  %x = memref.alloc() : memref<32x80xf32, "vmem">
  %y = memref.alloc() : memref<32x80xf32, "vmem">
  %left = memref.reinterpret_cast %x to offset: [80], sizes: [30, 62], strides: [80, 1] : memref<32x80xf32, "vmem"> to memref<30x62xf32, strided<[80, 1], offset: 80>, "vmem">
  %some = memref.reinterpret_cast %x to offset: [%place], sizes: [30, 62], strides: [80, 1] : memref<32x80xf32, "vmem"> to memref<30x62xf32, strided<[80, 1], offset: ?>, "vmem">
  %sum = memref.reinterpret_cast %y to offset: [0], sizes: [30, 62], strides: [80, 1] : memref<32x80xf32, "vmem"> to memref<30x62xf32, strided<[80, 1]>, "vmem">
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%left, %some : memref<30x62xf32, strided<[80, 1], offset: 80>, "vmem">, memref<30x62xf32, strided<[80, 1], offset: ?>, "vmem">)
      outs(%sum : memref<30x62xf32, strided<[80, 1]>, "vmem">) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  }
  return
}
