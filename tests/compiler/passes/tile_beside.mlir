// RUN: tandem-opt %s --preset=small --tandem-tile | FileCheck %s

// An input that is flat in VMEM is read where it is, whereas results every third word come from a
// tile.
// CHECK-LABEL: func.func @main(
// CHECK: %[[X:.*]] = memref.alloc() : memref<640xi32, "vmem">
// CHECK-NOT: memref.copy
// CHECK: linalg.generic
// CHECK: memref.copy {{.*}} to memref<640xi32, strided<[3]>, "vmem">
// CHECK-NOT: memref.copy
// CHECK: return
#here = affine_map<(d0) -> (d0)>
func.func @main(%a: memref<1xi32> {tandem.direction = "in", tandem.name = "arg0", tandem.type = "s32"}) {
  %one = arith.constant 1 : i32
  %x = memref.alloc() : memref<640xi32, "vmem">
  %y = memref.alloc() : memref<1920xi32, "vmem">
  %stepped = memref.reinterpret_cast %y to offset: [0], sizes: [640], strides: [3]
      : memref<1920xi32, "vmem"> to memref<640xi32, strided<[3]>, "vmem">
  linalg.generic {indexing_maps = [#here, #here], iterator_types = ["parallel"]}
      ins(%x : memref<640xi32, "vmem">) outs(%stepped : memref<640xi32, strided<[3]>, "vmem">) {
  ^bb0(%in: i32, %out: i32):
    %sum = arith.addi %in, %one : i32
    linalg.yield %sum : i32
  }
  return
}
