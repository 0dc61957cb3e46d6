// RUN: tandem-compile %s --preset=small --emit=tiled | FileCheck %s

// A result that is packed in HBM is computed in the buffer that is packed.
// CHECK-LABEL: func.func @main
// CHECK: arith.fptosi
// CHECK-NOT: tandem.in_registers
// CHECK: memref.copy
// CHECK-NOT: memref.copy
func.func public @main(%x: tensor<32x64xf32>) -> tensor<32x64xi8> {
  %s = "stablehlo.multiply"(%x, %x) : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  %0 = "stablehlo.convert"(%s) : (tensor<32x64xf32>) -> tensor<32x64xi8>
  return %0 : tensor<32x64xi8>
}
