// RUN: tandem-opt %s --tandem-canonicalize | FileCheck %s

// Operations that round to nearest are folded, and so are functions away from their special cases.
// CHECK-LABEL: @folded
// CHECK-DAG: arith.constant 3.000000e+00
// CHECK-DAG: arith.constant 8.000000e+00
// CHECK-NOT: math
func.func @folded() -> (f32, f32) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %many = arith.constant 64.0 : f32
  %0 = arith.addf %one, %two : f32
  %1 = math.sqrt %many : f32
  return %0, %1 : f32, f32
}

// Subnormals are left to the machine, and so are NaNs and functions of zeros.
// CHECK-LABEL: @kept
// CHECK: math.ceil
// CHECK: math.atan2
// CHECK: arith.mulf
func.func @kept() -> (f32, f32, f32) {
  %tiny = arith.constant 1.0e-40 : f32
  %zero = arith.constant 0.0 : f32
  %infinite = arith.constant 0x7F800000 : f32
  %0 = math.ceil %tiny : f32
  %1 = math.atan2 %zero, %zero : f32
  %2 = arith.mulf %zero, %infinite : f32
  return %0, %1, %2 : f32, f32, f32
}
