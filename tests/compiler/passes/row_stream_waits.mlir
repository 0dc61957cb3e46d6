// RUN: tandem-compile %s --emit=asm --preset=full | FileCheck %s

// A loop with copies for other turns waits by count, and says how far they are from what its turns touch.
// CHECK: .copies_apart 4, [[LOOP:l[0-9]+]]
// CHECK-NEXT: [[LOOP]]:
// CHECK: wait f22, %
// CHECK: wait f23, %
// CHECK: copy
// CHECK: vld
// CHECK: vst
// CHECK: br [[LOOP]]
// CHECK: wait f23, %
// CHECK-NEXT: fset f23, 0
// CHECK-NEXT: fset f22, 0
func.func public @main(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = "stablehlo.exponential"(%x) : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}
