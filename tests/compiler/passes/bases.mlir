// RUN: tandem-opt %s --preset=small --tandem-tidy-tpu | FileCheck %s

// The word address of a tensor that a loop reads is loaded before it, and stays in its register;
// that of one that is not needed before the loop has ended is looked up in SMEM.
// CHECK-LABEL: func.func @main(
// CHECK: %[[BASE:.*]] = "tpu.sld"() {absolute, address = 15 : i64}
// CHECK: scf.for
// CHECK-NOT: "tpu.sld"
// CHECK: "tpu.copy"(%[[BASE]],
// CHECK: }
// CHECK: %[[OTHER:.*]] = "tpu.sld"() {absolute, address = 31 : i64}
// CHECK: "tpu.copy"({{.*}}, %[[OTHER]])
module attributes {tandem.level = "tpu"} {
  func.func @main() attributes {tandem.tensors = [
      {direction = "in", name = "arg0", shape = array<i64: 64>, type = "f32"},
      {direction = "out", name = "out0", shape = array<i64: 64>, type = "f32"}]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %in = "tpu.sld"() {absolute, address = 15 : i64} : () -> index
      "tpu.copy"(%in, %i) {descriptor = array<i32: 66560, 1, 0, 0, 0, 0, 4, 1, 0, 0, 1, 0, 0, 1, 0, 0>} : (index, index) -> ()
    }
    %out = "tpu.sld"() {absolute, address = 31 : i64} : () -> index
    "tpu.copy"(%c0, %out) {descriptor = array<i32: 65792, 1, 0, 0, 0, 0, 4, 1, 0, 0, 1, 0, 0, 1, 0, 0>} : (index, index) -> ()
    return
  }
}
