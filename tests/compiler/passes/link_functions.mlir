// RUN: tandem-opt %s --tandem-link-functions | FileCheck %s
// RUN: (sed 's/(tensor<4x40xf32>) -> tensor<4x40/(tensor<4x40xf32>) -> tensor<4x41/' %s | tandem-opt --tandem-link-functions 2>&1 && exit 1 || exit 0) | FileCheck %s --check-prefix=SIZE
// RUN: (sed 's/function = "softmax"/function = "softmin"/' %s | tandem-opt --tandem-link-functions 2>&1 && exit 1 || exit 0) | FileCheck %s --check-prefix=NAME
// RUN: (sed 's/dense<.1, 0.>/dense<[0, 1]>/' %s | tandem-opt --tandem-link-functions 2>&1 && exit 1 || exit 0) | FileCheck %s --check-prefix=LAYOUT
// RUN: (sed 's/= ".parameter last/= ".parametre last/' %s | tandem-opt --tandem-link-functions 2>&1 && exit 1 || exit 0) | FileCheck %s --check-prefix=TEXT
// RUN: (sed 's/bf16, .n, 4. *, in/bf16, [n, 5], in/' %s | tandem-opt --tandem-link-functions 2>&1 && exit 1 || exit 0) | FileCheck %s --check-prefix=FIXED
// RUN: (sed 's/(%0, %arg1)/(%arg1)/; s/(tensor<i32>, tensor<3x4xbf16>)/(tensor<3x4xbf16>)/' %s | tandem-opt --tandem-link-functions 2>&1 && exit 1 || exit 0) | FileCheck %s --check-prefix=COUNT

// A call of Tandem's own function, and one of a text that the call contains.
// CHECK-LABEL: func.func @main
// CHECK: "stablehlo.custom_call"
// CHECK-SAME: tandem.call = {file = "{{.*}}kernels/softmax.s", function = "softmax", kinds = ["in", "out"], preset = "small", smem_words = 512 : i64
// CHECK-SAME: vmem_words = 196608 : i64
// CHECK: "stablehlo.custom_call"
// CHECK-SAME: tandem.call = {file = "last.s", function = "last", kinds = ["number", "in", "out"], preset = "small", smem_words = 16 : i64
// CHECK-SAME: vmem_words = 128 : i64

// SIZE: error: kernel softmax: `y f32 [rows, columns]` is asked for, result 0 is f32 [4, 41], and columns is 40 in x
// NAME: error: there is no kernel softmin in {{.*}}kernels; there are append, bias_gelu_residual,
// LAYOUT: error: kernel softmax: its tensors are row-major, operand 0 has the layout dense<[0, 1]>
// TEXT: error: kernel last: it does not assemble
// TEXT: last.s:1:1: error[E060]: unknown directive `.parametre`
// FIXED: error: kernel last: `x bf16 [n, 5]` is asked for, operand 1 is bf16 [3, 4], not 5 long
// COUNT: error: kernel last has 2 operands and 1 results, this call 1 and 1
func.func @main(%arg0: tensor<4x40xf32>, %arg1: tensor<3x4xbf16>, %0: tensor<i32>) {
  %1 = "stablehlo.custom_call"(%arg0) {call_target_name = "tandem.kernel", backend_config = {function = "softmax"}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<4x40xf32>) -> tensor<4x40xf32>
  %2 = "stablehlo.custom_call"(%0, %arg1) {call_target_name = "tandem.kernel", backend_config = {function = "last", file = "last.s", text = ".parameter last, at, s32\0A.parameter last, x, bf16, [n, 4], in\0A.parameter last, y, bf16, [4], out\0A.scratch last, 8, 16\0Alast: ret s1\0A"}} : (tensor<i32>, tensor<3x4xbf16>) -> tensor<4xbf16>
  return
}
