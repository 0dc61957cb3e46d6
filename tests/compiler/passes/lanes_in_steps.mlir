// RUN: tandem-opt %s --preset=small --tandem-lower-to-tpu | FileCheck %s

// Every third lane from the second one on takes one mask, a remainder: no lane before the second has
// that remainder.
// CHECK-LABEL: func.func @main(
// CHECK: %[[MASK:.*]] = "tpu.veq.s32"
// CHECK-NOT: "tpu.mand"
// CHECK-NOT: "tpu.vle.s32"
// CHECK: "tpu.vst"({{.*}}%[[MASK]]
// CHECK: return
func.func @main(%x: memref<1xf32> {tandem.direction = "in", tandem.name = "arg0", tandem.type = "f32"}) {
  %from = memref.alloc() {tandem.address = 0 : i64} : memref<640xf32, "vmem">
  %to = memref.alloc() {tandem.address = 1024 : i64} : memref<1920xf32, "vmem">
  %stepped = memref.reinterpret_cast %to to offset: [1], sizes: [640], strides: [3]
      : memref<1920xf32, "vmem"> to memref<640xf32, strided<[3], offset: 1>, "vmem">
  memref.copy %from, %stepped {tandem.in_registers}
      : memref<640xf32, "vmem"> to memref<640xf32, strided<[3], offset: 1>, "vmem">
  return
}
