// The promises of a level, for a text that names its level.
// RUN: sed 's/LEVEL/tiled/; s/VALUE/"stablehlo.iota"() : () -> tensor<4xi32>/' %s | (tandem-compile - --emit=tiled 2>&1 && exit 1 || exit 0) | FileCheck %s --check-prefix=CHECK-OTHER
// RUN: sed 's/LEVEL/buffers/; s/VALUE/arith.constant 0 : i32/' %s | (tandem-compile - --emit=buffers 2>&1 && exit 1 || exit 0) | FileCheck %s --check-prefix=CHECK-PLACE
// RUN: sed 's/LEVEL/tiled/; s/VALUE/arith.constant dense<0> : tensor<4xi32>/' %s | (tandem-compile - --emit=tiled 2>&1 && exit 1 || exit 0) | FileCheck %s --check-prefix=CHECK-TENSOR
// CHECK-OTHER: error: at the level tiled there is no operation of stablehlo
// CHECK-PLACE: error: at the level buffers there is no buffer without an address
// CHECK-TENSOR: error: at the level tiled there is no tensor
module attributes {tandem.level = "LEVEL"} {
  func.func @main() {
    %0 = VALUE
    %1 = memref.alloc() : memref<4xf32, "vmem">
    return
  }
}
