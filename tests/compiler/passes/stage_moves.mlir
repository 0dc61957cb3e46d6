// RUN: tandem-opt %s --preset=small --tandem-tile | FileCheck %s --check-prefix=TILE
// RUN: tandem-opt %s --preset=small --tandem-tile --tandem-plan-buffers --tandem-lower-to-tpu | FileCheck %s

// Rows are fetched to VMEM, transposed in registers, and stored: blocks of columns, all of which are
// on their way before the first one is transposed, each with a place of its own.
// TILE-LABEL: func.func @main(
// TILE-NOT: scf.for
// TILE-COUNT-6: memref.copy {{.*}} to memref<64x16xf32, strided<[16, 1]{{(, offset: [0-9]+)?}}>, "vmem">
// TILE: memref.copy {{.*}}tandem.in_registers{{.*}} to memref<16x64xf32, strided<[80, 1]>, "vmem">
// TILE: memref.copy {{.*}} to memref<16x64xf32, strided<[64, 1]>>
// TILE: memref.copy {{.*}}tandem.in_registers{{.*}} to memref<16x64xf32, strided<[80, 1], offset: 1280>, "vmem">
// TILE: memref.copy {{.*}} to memref<16x64xf32, strided<[64, 1], offset: 1024>>
// TILE-COUNT-4: tandem.in_registers

// CHECK-LABEL: func.func @main(
// CHECK: "tpu.copy"
// CHECK-DAG: "tpu.transpose"
// CHECK-DAG: "tpu.vldc"
// CHECK: "tpu.vst"
// CHECK: "tpu.copy"
#here = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
func.func @main(%x: memref<64x96xf32> {tandem.direction = "in", tandem.name = "arg0", tandem.type = "f32"},
                %y: memref<96x64xf32> {tandem.direction = "out", tandem.name = "out0", tandem.type = "f32"}) {
  linalg.generic {indexing_maps = [#turned, #here], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<64x96xf32>) outs(%y : memref<96x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}
