// RUN: tandem-opt %s --preset=nano --tandem-start-copies --split-input-file | FileCheck %s

// The first copies from arguments to VMEM become the start's, with all of their addresses in the
// descriptor; what else only they need goes.
// CHECK-LABEL: func.func @main(
// CHECK: %[[BASE:.*]] = "tpu.sld"() {absolute, address = 15 : i64}
// CHECK-NEXT: "tpu.copy"(%{{.*}}, %{{.*}}) {at_start = 0 : i64, descriptor = array<i32: 66560, 1, 64, 0, 512, 0, 32, 2, 32, 64, 1, 0, 0, 1, 0, 0>}
// CHECK-NOT: address = 31
// CHECK: "tpu.copy"(%{{.*}}, %{{.*}}) {at_start = 1 : i64, descriptor = array<i32: 66560, 1, 0, 0, 0, 0, 32, 1, 0, 0, 1, 0, 0, 1, 0, 0>}
// CHECK-NEXT: "tpu.wait"
// A wait comes before this one.
// CHECK-NEXT: "tpu.copy"(%[[BASE]], %{{.*}}) {descriptor =
module attributes {tandem.level = "tpu"} {
  func.func @main() attributes {tandem.tensors = [
      {direction = "in", name = "arg0", shape = array<i64: 64>, type = "f32"},
      {direction = "in", name = "arg1", shape = array<i64: 64>, type = "f32"}]} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c128 = arith.constant 128 : index
    %in = "tpu.sld"() {absolute, address = 15 : i64} : () -> index
    %part = arith.addi %in, %c16 : index
    "tpu.copy"(%part, %c128) {descriptor = array<i32: 66560, 1, 0, 0, 0, 0, 32, 2, 32, 64, 1, 0, 0, 1, 0, 0>} : (index, index) -> ()
    %zeros = "tpu.vmov"(%c0) : (index) -> !tpu.v
    %other = "tpu.sld"() {absolute, address = 31 : i64} : () -> index
    "tpu.copy"(%other, %c0) {descriptor = array<i32: 66560, 1, 0, 0, 0, 0, 32, 1, 0, 0, 1, 0, 0, 1, 0, 0>} : (index, index) -> ()
    "tpu.wait"() {flag = 1 : i64, n = 2 : i64} : () -> ()
    "tpu.copy"(%in, %c16) {descriptor = array<i32: 66560, 1, 0, 0, 0, 0, 32, 1, 0, 0, 1, 0, 0, 1, 0, 0>} : (index, index) -> ()
    return
  }
}

// -----

// Neither a copy from elsewhere nor one after it, whose flag counts both in order.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: at_start
// CHECK-COUNT-2: "tpu.copy"
module attributes {tandem.level = "tpu"} {
  func.func @main() attributes {tandem.tensors = [
      {direction = "in", name = "arg0", shape = array<i64: 64>, type = "f32"}]} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %constants = "tpu.sld"() {absolute, address = 18 : i64} : () -> index
    "tpu.copy"(%constants, %c0) {descriptor = array<i32: 66560, 1, 0, 0, 0, 0, 32, 1, 0, 0, 1, 0, 0, 1, 0, 0>} : (index, index) -> ()
    %in = "tpu.sld"() {absolute, address = 15 : i64} : () -> index
    "tpu.copy"(%in, %c16) {descriptor = array<i32: 66560, 1, 0, 0, 0, 0, 32, 1, 0, 0, 1, 0, 0, 1, 0, 0>} : (index, index) -> ()
    return
  }
}

// -----

// A store comes before the copy, which may overwrite what it has stored.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: at_start
// CHECK: "tpu.copy"
module attributes {tandem.level = "tpu"} {
  func.func @main() attributes {tandem.tensors = [
      {direction = "in", name = "arg0", shape = array<i64: 64>, type = "f32"}]} {
    %c0 = arith.constant 0 : index
    %zeros = "tpu.vmov"(%c0) : (index) -> !tpu.v
    "tpu.vst"(%zeros) {absolute, address = 0 : i64, rows = 8 : i64} : (!tpu.v) -> ()
    %in = "tpu.sld"() {absolute, address = 15 : i64} : () -> index
    "tpu.copy"(%in, %c0) {descriptor = array<i32: 66560, 1, 0, 0, 0, 0, 32, 1, 0, 0, 1, 0, 0, 1, 0, 0>} : (index, index) -> ()
    return
  }
}
