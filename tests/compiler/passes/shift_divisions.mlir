// RUN: tandem-opt %s --tandem-shift-divisions | FileCheck %s

// CHECK-LABEL: func.func @unsigned(
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : i32
// CHECK-DAG: %[[SEVEN:.*]] = arith.constant 7 : i32
// CHECK-DAG: %[[Q:.*]] = arith.shrui %arg0, %[[THREE]]
// CHECK-DAG: %[[R:.*]] = arith.andi %arg0, %[[SEVEN]]
// CHECK: return %[[Q]], %[[R]]
func.func @unsigned(%x: i32) -> (i32, i32) {
  %eight = arith.constant 8 : i32
  %q = arith.divui %x, %eight : i32
  %r = arith.remui %x, %eight : i32
  return %q, %r : i32, i32
}

// As an unsigned number this is a power of two, as a signed one its magnitude is not there.
// CHECK-LABEL: func.func @highest_bit(
// CHECK: arith.shrui
// CHECK: arith.divsi
func.func @highest_bit(%x: i8) -> (i8, i8) {
  %top = arith.constant -128 : i8
  %q = arith.divui %x, %top : i8
  %s = arith.divsi %x, %top : i8
  return %q, %s : i8, i8
}

// Towards zero: -1 / 8 is 0, so seven are added to negative numbers.
// CHECK-LABEL: func.func @signed(
// CHECK-DAG: %[[LAST:.*]] = arith.constant 31 : i32
// CHECK-DAG: %[[REST:.*]] = arith.constant 29 : i32
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : i32
// CHECK: %[[SIGNS:.*]] = arith.shrsi %arg0, %[[LAST]]
// CHECK: %[[BIAS:.*]] = arith.shrui %[[SIGNS]], %[[REST]]
// CHECK: %[[SUM:.*]] = arith.addi %arg0, %[[BIAS]]
// CHECK: %[[Q:.*]] = arith.shrsi %[[SUM]], %[[THREE]]
// CHECK: return %[[Q]]
func.func @signed(%x: i32) -> i32 {
  %eight = arith.constant 8 : i32
  %q = arith.divsi %x, %eight : i32
  return %q : i32
}

// CHECK-LABEL: func.func @by_minus_four(
// CHECK: %[[SUM:.*]] = arith.addi %arg0
// CHECK: %[[Q:.*]] = arith.shrsi %[[SUM]]
// CHECK: arith.subi %{{.*}}, %[[Q]]
// CHECK: %[[WHOLE:.*]] = arith.andi
// CHECK: arith.subi %arg0, %[[WHOLE]]
func.func @by_minus_four(%x: i32) -> (i32, i32) {
  %four = arith.constant -4 : i32
  %q = arith.divsi %x, %four : i32
  %r = arith.remsi %x, %four : i32
  return %q, %r : i32, i32
}

// No powers of two, no constants, indices.
// CHECK-LABEL: func.func @others(
// CHECK: arith.divsi
// CHECK: arith.divui
// CHECK: arith.remui
func.func @others(%x: i32, %y: i32, %i: index) -> (i32, i32, index) {
  %ten = arith.constant 10 : i32
  %eight = arith.constant 8 : index
  %a = arith.divsi %x, %ten : i32
  %b = arith.divui %x, %y : i32
  %c = arith.remui %i, %eight : index
  return %a, %b, %c : i32, i32, index
}
