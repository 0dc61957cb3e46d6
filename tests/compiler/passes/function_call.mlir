// RUN: tandem-opt %s --tandem-link-functions --tandem-lower-to-tensor | FileCheck %s
// RUN: tandem-compile %s --emit=buffers | FileCheck %s --check-prefix=PLACE
// RUN: tandem-compile %s --emit=asm | FileCheck %s --check-prefix=ASM
// RUN: tandem-compile %s --emit=tpu -o - | tandem-compile - -o - --emit=asm | FileCheck %s --check-prefix=ASM
// RUN: (sed 's/8, 40 *# words/8, 16384/' %s | tandem-compile - --emit=asm 2>&1 && exit 1 || exit 0) | FileCheck %s --check-prefix=SMEM

// Bytes are packed for the function; the number is a scalar; its results are unpacked.
// CHECK-LABEL: func.func @main
// CHECK: %[[WORDS:.*]] = memref.alloc() : memref<3xi32>
// CHECK: builtin.unrealized_conversion_cast %[[WORDS]] : memref<3xi32> to memref<3x4xi8, "packed">
// CHECK: %[[NUMBER:.*]] = tensor.extract
// CHECK: memref.alloc() {tandem.of_function} : memref<128xi32, "vmem">
// CHECK: call @kernel_0(%[[WORDS]], %[[NUMBER]], %{{.*}}, %{{.*}}) : (memref<3xi32>, i32, memref<3x4xf32>, memref<128xi32, "vmem">)
// CHECK: memref.alloc() {tandem.of_result} : memref<3x4xf32>
// CHECK: func.func private @kernel_0
// CHECK-SAME: tandem.entries = [array<i32: 0, 0, 3, 2, 3, 4, 1, 1, 4, 12, 0, 1, 1, 1, 1, 0>, array<i32>, array<i32: 0, 0, 0, 2, 3, 4, 1, 1, 16, 48, 0, 1, 1, 1, 1, 0>]
// CHECK-SAME: tandem.function = "f"

// The function's rows are near the end of VMEM, while the sum of the operands stays before them.
// PLACE: memref.alloc() {tandem.address = 245632 : i64, tandem.of_function}

// At the top a call is between two blocks; in a loop it is inside one.
// ASM: .extern f
// ASM: sst [kernels + 16], %[[N:s[0-9]+]]
// ASM: .endlinear
// ASM-NEXT: s1 = call kernel_call_0
// ASM-NEXT: .linear
// ASM: [[TOP:l[0-9]+]]:
// ASM-NOT: .endlinear
// ASM: s1 = call kernel_call_0
// ASM-NEXT: = vlane
// ASM: br [[TOP]]
// ASM: halt
// ASM: .endlinear
// ASM: .linear kernel_call_0
// ASM: s4 = mov kernels + 0
// ASM: s5 = sld [kernels + 16]
// ASM: s6 = mov kernels + 32
// ASM: s2 = mov kernels + 96
// ASM: s3 = mov 15352
// ASM: br f

// SMEM: words of SMEM, the machine has 16384
func.func @main(%arg0: tensor<3x4xi8>, %arg1: tensor<i32>) -> tensor<3x4xf32> {
  %0 = "stablehlo.custom_call"(%arg0, %arg1) {call_target_name = "tandem.kernel", backend_config = {function = "f", file = "f.s", text = ".parameter f, x, s8, [n, 4], in\0A.parameter f, count, s32\0A.parameter f, y, f32, [n, 4], out\0A.scratch f, 8, 40 # words\0Af: ret s1\0A"}} : (tensor<3x4xi8>, tensor<i32>) -> tensor<3x4xf32>
  %1:2 = "stablehlo.while"(%arg1, %0) ({
  ^bb0(%i: tensor<i32>, %y: tensor<3x4xf32>):
    %zero = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %more = "stablehlo.compare"(%i, %zero) {comparison_direction = "GT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%more) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %y: tensor<3x4xf32>):
    %z = "stablehlo.custom_call"(%arg0, %i) {call_target_name = "tandem.kernel", backend_config = {function = "f", file = "f.s", text = ".parameter f, x, s8, [n, 4], in\0A.parameter f, count, s32\0A.parameter f, y, f32, [n, 4], out\0A.scratch f, 8, 40 # words\0Af: ret s1\0A"}} : (tensor<3x4xi8>, tensor<i32>) -> tensor<3x4xf32>
    %sum = "stablehlo.add"(%y, %z) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %one = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %next = "stablehlo.subtract"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%next, %sum) : (tensor<i32>, tensor<3x4xf32>) -> ()
  }) : (tensor<i32>, tensor<3x4xf32>) -> (tensor<i32>, tensor<3x4xf32>)
  return %1#1 : tensor<3x4xf32>
}
