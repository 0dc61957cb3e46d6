// RUN: sed 's/PART/tensor<4xf32>/g' %s | tandem-compile - --emit=stablehlo | FileCheck %s
// RUN: (sed 's/PART/tensor<2xf32>/g' %s | tandem-compile - --emit=stablehlo 2>&1 && exit 1 || exit 0) | FileCheck %s --check-prefix=PARTS

// A computation on whole arrays is inlined; on parts it is a program over several devices.
// CHECK-LABEL: func.func public @main
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT: %[[Y:.*]] = "stablehlo.negate"(%[[X]])
// CHECK-NEXT: return %[[Y]]
// PARTS: error: unimplemented: a program over several devices
func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = "sdy.manual_computation"(%x) ({
  ^bb0(%a: PART):
    %b = "stablehlo.negate"(%a) : (PART) -> tensor<4xf32>
    "sdy.return"(%b) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
