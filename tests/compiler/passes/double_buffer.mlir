// RUN: tandem-opt %s --preset=nano --tandem-double-buffer | FileCheck %s
// RUN: tandem-opt %s --preset=nano --tandem-double-buffer --canonicalize --tandem-plan-buffers --tandem-lower-to-tpu | FileCheck %s --check-prefix=TPU

// Eight iterations are four of two: while one buffer is in use, the other one is filled, and the
// copy of the second one's result runs on into the next iteration.
// CHECK-LABEL: func.func @main
// CHECK: %[[FIRST:.*]] = memref.alloc() : memref<64xf32, "vmem">
// CHECK: %[[SECOND:.*]] = memref.alloc() : memref<64xf32, "vmem">
// CHECK: memref.copy {{.*}}, %[[FIRST]]
// CHECK: scf.for %[[TURN:.*]] = %{{.*}} to %{{.*}} step %[[TWO:.*]] {
// CHECK: memref.copy {{.*}}, %[[SECOND]]
// CHECK: linalg.generic {{.*}} outs(%[[FIRST]]
// CHECK: memref.copy %[[FIRST]], %{{.*}} : {{[^{]*$}}
// CHECK: arith.minsi
// CHECK: memref.copy {{.*}}, %[[FIRST]]
// CHECK: linalg.generic {{.*}} outs(%[[SECOND]]
// CHECK: memref.copy %[[SECOND]], {{.*}} {tandem.carried}
// CHECK: {{^ *}$}}
// TPU-LABEL: func.func @main
// TPU: "tpu.copy"
// TPU: "tpu.wait"() {flag = 1 : i64, n = 1 : i64}
// TPU: scf.for
// Data from before the loop or its last iteration is there; the twin's comes beside the sum.
// TPU: "tpu.wait"() {flag = 16 : i64, n = 1 : i64}
// TPU: "tpu.copy"
// TPU-NOT: "tpu.wait"
// TPU: "tpu.vadd.f32"
// TPU: "tpu.copy"
// TPU: "tpu.wait"() {flag = 2 : i64, n = 2 : i64}
// TPU: "tpu.copy"
// TPU-NOT: "tpu.wait"
// TPU: "tpu.vadd.f32"
func.func @main(%x: memref<512xf32> {tandem.direction = "in", tandem.name = "x", tandem.type = "f32"}, %y: memref<512xf32> {tandem.direction = "out", tandem.name = "y", tandem.type = "f32"}) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %near = memref.alloc() : memref<64xf32, "vmem">
  scf.for %i = %c0 to %c512 step %c64 {
    %from = memref.reinterpret_cast %x to offset: [%i], sizes: [64], strides: [1] : memref<512xf32> to memref<64xf32, strided<[1], offset: ?>>
    memref.copy %from, %near : memref<64xf32, strided<[1], offset: ?>> to memref<64xf32, "vmem">
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%near : memref<64xf32, "vmem">) {
    ^bb0(%a: f32):
      %b = arith.addf %a, %a : f32
      linalg.yield %b : f32
    }
    %to = memref.reinterpret_cast %y to offset: [%i], sizes: [64], strides: [1] : memref<512xf32> to memref<64xf32, strided<[1], offset: ?>>
    memref.copy %near, %to : memref<64xf32, "vmem"> to memref<64xf32, strided<[1], offset: ?>>
  }
  return
}

// Of an odd number of iterations the last one is after the loop; of few, the last two are, and
// nothing comes twice.
// CHECK-LABEL: func.func @three
// CHECK: memref.copy
// CHECK: scf.for
// CHECK-COUNT-4: memref.copy
// CHECK-NOT: memref.copy
// CHECK: }
// CHECK: linalg.generic
// CHECK: memref.copy
// CHECK-LABEL: func.func @four
// CHECK: memref.copy
// CHECK: scf.for
// CHECK-NOT: arith.minsi
// CHECK-COUNT-4: memref.copy
// CHECK: {{^ *}$}}
// CHECK: memref.copy
// CHECK: linalg.generic
// CHECK: memref.copy
// CHECK: linalg.generic
// CHECK: memref.copy
func.func @three(%x: memref<192xf32>, %y: memref<192xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c192 = arith.constant 192 : index
  %near = memref.alloc() : memref<64xf32, "vmem">
  scf.for %i = %c0 to %c192 step %c64 {
    %from = memref.reinterpret_cast %x to offset: [%i], sizes: [64], strides: [1] : memref<192xf32> to memref<64xf32, strided<[1], offset: ?>>
    memref.copy %from, %near : memref<64xf32, strided<[1], offset: ?>> to memref<64xf32, "vmem">
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%near : memref<64xf32, "vmem">) {
    ^bb0(%a: f32):
      %b = arith.addf %a, %a : f32
      linalg.yield %b : f32
    }
    %to = memref.reinterpret_cast %y to offset: [%i], sizes: [64], strides: [1] : memref<192xf32> to memref<64xf32, strided<[1], offset: ?>>
    memref.copy %near, %to : memref<64xf32, "vmem"> to memref<64xf32, strided<[1], offset: ?>>
  }
  return
}
func.func @four(%x: memref<256xf32>, %y: memref<256xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %near = memref.alloc() : memref<64xf32, "vmem">
  scf.for %i = %c0 to %c256 step %c64 {
    %from = memref.reinterpret_cast %x to offset: [%i], sizes: [64], strides: [1] : memref<256xf32> to memref<64xf32, strided<[1], offset: ?>>
    memref.copy %from, %near : memref<64xf32, strided<[1], offset: ?>> to memref<64xf32, "vmem">
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%near : memref<64xf32, "vmem">) {
    ^bb0(%a: f32):
      %b = arith.addf %a, %a : f32
      linalg.yield %b : f32
    }
    %to = memref.reinterpret_cast %y to offset: [%i], sizes: [64], strides: [1] : memref<256xf32> to memref<64xf32, strided<[1], offset: ?>>
    memref.copy %near, %to : memref<64xf32, "vmem"> to memref<64xf32, strided<[1], offset: ?>>
  }
  return
}

// Data written by the loop is not fetched ahead, nor is data left by an earlier iteration.
// CHECK-LABEL: func.func @in_place
// CHECK: scf.for
// CHECK-COUNT-2: memref.copy
// CHECK-NOT: memref.copy
// CHECK-LABEL: func.func @kept
func.func @in_place(%x: memref<512xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %near = memref.alloc() : memref<64xf32, "vmem">
  scf.for %i = %c0 to %c512 step %c64 {
    %from = memref.reinterpret_cast %x to offset: [%i], sizes: [64], strides: [1] : memref<512xf32> to memref<64xf32, strided<[1], offset: ?>>
    memref.copy %from, %near : memref<64xf32, strided<[1], offset: ?>> to memref<64xf32, "vmem">
    memref.copy %near, %from : memref<64xf32, "vmem"> to memref<64xf32, strided<[1], offset: ?>>
  }
  return
}
// CHECK: scf.for
// CHECK: linalg.generic
// CHECK: memref.copy
// CHECK-NOT: memref.copy
// CHECK-LABEL: func.func @no_room
func.func @kept(%x: memref<512xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %near = memref.alloc() : memref<64xf32, "vmem">
  scf.for %i = %c0 to %c512 step %c64 {
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%near : memref<64xf32, "vmem">) {
    ^bb0(%a: f32):
      %b = arith.addf %a, %a : f32
      linalg.yield %b : f32
    }
    %from = memref.reinterpret_cast %x to offset: [%i], sizes: [64], strides: [1] : memref<512xf32> to memref<64xf32, strided<[1], offset: ?>>
    memref.copy %from, %near : memref<64xf32, strided<[1], offset: ?>> to memref<64xf32, "vmem">
  }
  return
}
// Two of these are more than nano has.
// CHECK: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK-COUNT-1: memref.copy
// CHECK-NOT: memref.copy
func.func @no_room(%x: memref<66048xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %near = memref.alloc() {tandem.address = 0 : i64} : memref<8256xf32, "vmem">
  scf.for %i = %c0 to %c8 step %c1 {
    %from = memref.reinterpret_cast %x to offset: [%i], sizes: [8256], strides: [1] : memref<66048xf32> to memref<8256xf32, strided<[1], offset: ?>>
    memref.copy %from, %near : memref<8256xf32, strided<[1], offset: ?>> to memref<8256xf32, "vmem">
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%near : memref<8256xf32, "vmem">) {
    ^bb0(%a: f32):
      %b = arith.addf %a, %a : f32
      linalg.yield %b : f32
    }
  }
  return
}
