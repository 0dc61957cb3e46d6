// RUN: tandem-opt %s --preset=nano --tandem-lower-to-tpu --canonicalize | FileCheck %s

// Each part of a copy waits for what it needs itself: here the second one for the second copy that writes its source. Parts do
// not wait for each other, though whole rows of them have lanes in common.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: "tpu.copy"
// CHECK: "tpu.wait"() {flag = 1 : i64, n = 1 : i64}
// CHECK: "tpu.copy"
// CHECK-NOT: "tpu.copy"
// CHECK: "tpu.wait"() {flag = 1 : i64, n = 2 : i64}
// CHECK: "tpu.copy"
// CHECK-NOT: "tpu.wait"
// CHECK: "tpu.copy"
func.func @main(%in: memref<24xf32> {tandem.direction = "in", tandem.name = "arg0", tandem.type = "f32"}, %out: memref<24xf32> {tandem.direction = "out", tandem.name = "out0", tandem.type = "f32"}) attributes {tandem.hbm_words = 24 : i64} {
  %x = memref.alloc() {tandem.address = 0 : i64} : memref<24xf32, "vmem">
  %y = memref.alloc() {tandem.address = 32 : i64} : memref<24xf32, "vmem">
  %kept = memref.alloc() {tandem.address = 0 : i64} : memref<24xf32>
  %first = memref.reinterpret_cast %x to offset: [0], sizes: [8], strides: [1] : memref<24xf32, "vmem"> to memref<8xf32, strided<[1]>, "vmem">
  %second = memref.reinterpret_cast %x to offset: [8], sizes: [16], strides: [1] : memref<24xf32, "vmem"> to memref<16xf32, strided<[1], offset: 8>, "vmem">
  %to_first = memref.reinterpret_cast %kept to offset: [0], sizes: [8], strides: [1] : memref<24xf32> to memref<8xf32, strided<[1]>>
  %to_second = memref.reinterpret_cast %kept to offset: [8], sizes: [16], strides: [1] : memref<24xf32> to memref<16xf32, strided<[1], offset: 8>>
  memref.copy %first, %to_first : memref<8xf32, strided<[1]>, "vmem"> to memref<8xf32, strided<[1]>>
  memref.copy %second, %to_second : memref<16xf32, strided<[1], offset: 8>, "vmem"> to memref<16xf32, strided<[1], offset: 8>>
  %part_1 = memref.reinterpret_cast %kept to offset: [8], sizes: [12], strides: [1] : memref<24xf32> to memref<12xf32, strided<[1], offset: 8>>
  %part_2 = memref.reinterpret_cast %kept to offset: [20], sizes: [4], strides: [1] : memref<24xf32> to memref<4xf32, strided<[1], offset: 20>>
  %to_0 = memref.reinterpret_cast %y to offset: [0], sizes: [8], strides: [1] : memref<24xf32, "vmem"> to memref<8xf32, strided<[1]>, "vmem">
  %to_1 = memref.reinterpret_cast %y to offset: [8], sizes: [12], strides: [1] : memref<24xf32, "vmem"> to memref<12xf32, strided<[1], offset: 8>, "vmem">
  %to_2 = memref.reinterpret_cast %y to offset: [20], sizes: [4], strides: [1] : memref<24xf32, "vmem"> to memref<4xf32, strided<[1], offset: 20>, "vmem">
  memref.copy %to_first, %to_0 {tandem.part = 0 : i64} : memref<8xf32, strided<[1]>> to memref<8xf32, strided<[1]>, "vmem">
  memref.copy %part_1, %to_1 {tandem.part = 8 : i64} : memref<12xf32, strided<[1], offset: 8>> to memref<12xf32, strided<[1], offset: 8>, "vmem">
  memref.copy %part_2, %to_2 {tandem.part = 20 : i64} : memref<4xf32, strided<[1], offset: 20>> to memref<4xf32, strided<[1], offset: 20>, "vmem">
  return
}
