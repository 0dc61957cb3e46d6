// RUN: tandem-compile %s --emit=asm --preset=small | FileCheck %s

// Loops of known length have hints, since a pipeline then
// needs no exits before its last iteration.
// CHECK: .trips [[LOOP:l[0-9]+]], [[N:[0-9]+]], [[N]], [[N]]
// CHECK-NEXT: [[LOOP]]:
func.func public @main(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = "stablehlo.exponential"(%x) : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}
