// RUN: tandem-opt %s --preset=nano --tandem-double-buffer | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// A loop around one with copies: what each iteration reads comes during the one before. There are
// too few iterations for a last one by itself, but the text is long: it is not written out.
// CHECK-LABEL: func.func @heads
// CHECK: memref.copy
// CHECK: scf.for
// CHECK: memref.copy
// CHECK: scf.for
// CHECK: arith.minsi
// CHECK: memref.copy
// CHECK: scf.for
// CHECK-NOT: scf.for
func.func @heads(%x: memref<256xf32> {tandem.direction = "in", tandem.name = "x", tandem.type = "f32"}, %y: memref<256xf32> {tandem.direction = "out", tandem.name = "y", tandem.type = "f32"}) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  scf.for %i = %c0 to %c256 step %c64 {
    %near = memref.alloc() : memref<64xf32, "vmem">
    %from = memref.reinterpret_cast %x to offset: [%i], sizes: [64], strides: [1] : memref<256xf32> to memref<64xf32, strided<[1], offset: ?>>
    memref.copy %from, %near : memref<64xf32, strided<[1], offset: ?>> to memref<64xf32, "vmem">
    %sum = memref.alloc() : memref<16xf32, "vmem">
    scf.for %j = %c0 to %c64 step %c16 {
      %part = memref.reinterpret_cast %near to offset: [%j], sizes: [16], strides: [1] : memref<64xf32, "vmem"> to memref<16xf32, strided<[1], offset: ?>, "vmem">
      memref.copy %part, %sum {tandem.in_registers} : memref<16xf32, strided<[1], offset: ?>, "vmem"> to memref<16xf32, "vmem">
      linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%sum : memref<16xf32, "vmem">) {
      ^bb0(%a: f32):
        %b = arith.addf %a, %a : f32
        linalg.yield %b : f32
      }
    }
    %to = memref.reinterpret_cast %y to offset: [%i], sizes: [16], strides: [1] : memref<256xf32> to memref<16xf32, strided<[1], offset: ?>>
    memref.copy %sum, %to : memref<16xf32, "vmem"> to memref<16xf32, strided<[1], offset: ?>>
  }
  return
}

// With a product beside the inner loop, only copies to HBM run on: the text would be fetched anew.
// CHECK-LABEL: func.func @product_beside
// CHECK: scf.for
// CHECK: memref.copy
// CHECK: tandem.precision
// CHECK: scf.for
// CHECK: memref.copy {{.*}} {tandem.carried}
func.func @product_beside(%x: memref<256xf32> {tandem.direction = "in", tandem.name = "x", tandem.type = "f32"}, %y: memref<256xf32> {tandem.direction = "out", tandem.name = "y", tandem.type = "f32"}) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  scf.for %i = %c0 to %c256 step %c64 {
    %near = memref.alloc() : memref<64xf32, "vmem">
    %from = memref.reinterpret_cast %x to offset: [%i], sizes: [64], strides: [1] : memref<256xf32> to memref<64xf32, strided<[1], offset: ?>>
    memref.copy %from, %near : memref<64xf32, strided<[1], offset: ?>> to memref<64xf32, "vmem">
    linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%near : memref<64xf32, "vmem">) attrs = {tandem.precision = "DEFAULT"} {
    ^bb0(%a: f32):
      %b = arith.addf %a, %a : f32
      linalg.yield %b : f32
    }
    %sum = memref.alloc() : memref<16xf32, "vmem">
    linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%sum : memref<16xf32, "vmem">) {
    ^bb0(%a: f32):
      %zero = arith.constant 0.0 : f32
      linalg.yield %zero : f32
    }
    scf.for %j = %c0 to %c64 step %c16 {
      %part = memref.reinterpret_cast %near to offset: [%j], sizes: [16], strides: [1] : memref<64xf32, "vmem"> to memref<16xf32, strided<[1], offset: ?>, "vmem">
      memref.copy %part, %sum {tandem.in_registers} : memref<16xf32, strided<[1], offset: ?>, "vmem"> to memref<16xf32, "vmem">
    }
    %to = memref.reinterpret_cast %y to offset: [%i], sizes: [16], strides: [1] : memref<256xf32> to memref<16xf32, strided<[1], offset: ?>>
    memref.copy %sum, %to : memref<16xf32, "vmem"> to memref<16xf32, strided<[1], offset: ?>>
  }
  return
}
