// RUN: tandem-opt --tandem-spill-masks %s | FileCheck %s

// Seven masks that all live to the end: some wait as vectors.
// CHECK-LABEL: func.func @seven
// CHECK: "tpu.vsel"
// CHECK: "tpu.vne.s32"
func.func @seven(%x: !tpu.v, %y: !tpu.v) {
  %zero = arith.constant 0 : index
  %m0 = "tpu.vlt.s32"(%x, %y) : (!tpu.v, !tpu.v) -> !tpu.m
  %m1 = "tpu.vlt.s32"(%x, %y) : (!tpu.v, !tpu.v) -> !tpu.m
  %m2 = "tpu.vlt.s32"(%x, %y) : (!tpu.v, !tpu.v) -> !tpu.m
  %m3 = "tpu.vlt.s32"(%x, %y) : (!tpu.v, !tpu.v) -> !tpu.m
  %m4 = "tpu.vlt.s32"(%x, %y) : (!tpu.v, !tpu.v) -> !tpu.m
  %m5 = "tpu.vlt.s32"(%x, %y) : (!tpu.v, !tpu.v) -> !tpu.m
  %m6 = "tpu.vlt.s32"(%x, %y) : (!tpu.v, !tpu.v) -> !tpu.m
  %v0 = "tpu.vsel"(%m0, %x, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
  %v1 = "tpu.vsel"(%m1, %x, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
  %v2 = "tpu.vsel"(%m2, %x, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
  %v3 = "tpu.vsel"(%m3, %x, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
  %v4 = "tpu.vsel"(%m4, %x, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
  %v5 = "tpu.vsel"(%m5, %x, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
  %v6 = "tpu.vsel"(%m6, %x, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
  "tpu.vst"(%v0) {absolute, address = 0 : i64} : (!tpu.v) -> ()
  "tpu.vst"(%v1) {absolute, address = 8 : i64} : (!tpu.v) -> ()
  "tpu.vst"(%v2) {absolute, address = 16 : i64} : (!tpu.v) -> ()
  "tpu.vst"(%v3) {absolute, address = 24 : i64} : (!tpu.v) -> ()
  "tpu.vst"(%v4) {absolute, address = 32 : i64} : (!tpu.v) -> ()
  "tpu.vst"(%v5) {absolute, address = 40 : i64} : (!tpu.v) -> ()
  "tpu.vst"(%v6) {absolute, address = 48 : i64} : (!tpu.v) -> ()
  return
}

// Three do not trouble anybody.
// CHECK-LABEL: func.func @three
// CHECK-NOT: tpu.vne.s32
func.func @three(%x: !tpu.v, %y: !tpu.v) {
  %m0 = "tpu.vlt.s32"(%x, %y) : (!tpu.v, !tpu.v) -> !tpu.m
  %m1 = "tpu.vlt.s32"(%x, %y) : (!tpu.v, !tpu.v) -> !tpu.m
  %m2 = "tpu.vlt.s32"(%x, %y) : (!tpu.v, !tpu.v) -> !tpu.m
  %v0 = "tpu.vsel"(%m0, %x, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
  %v1 = "tpu.vsel"(%m1, %x, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
  %v2 = "tpu.vsel"(%m2, %x, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
  "tpu.vst"(%v0) {absolute, address = 0 : i64} : (!tpu.v) -> ()
  "tpu.vst"(%v1) {absolute, address = 8 : i64} : (!tpu.v) -> ()
  "tpu.vst"(%v2) {absolute, address = 16 : i64} : (!tpu.v) -> ()
  return
}

// Masks that live across a loop count beside the loop's own, and go first where they wait longest.
// CHECK-LABEL: func.func @across
// CHECK: "tpu.vsel"
// CHECK: scf.for
// CHECK-NOT: "tpu.vne.s32"
// CHECK: }
// CHECK: "tpu.vne.s32"
func.func @across(%x: !tpu.v, %y: !tpu.v, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %m0 = "tpu.vlt.s32"(%x, %y) : (!tpu.v, !tpu.v) -> !tpu.m
  %m1 = "tpu.vlt.s32"(%y, %x) : (!tpu.v, !tpu.v) -> !tpu.m
  %v0 = "tpu.vsel"(%m0, %x, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
  scf.for %i = %zero to %n step %one {
    %a = "tpu.vlt.s32"(%x, %y) : (!tpu.v, !tpu.v) -> !tpu.m
    %b = "tpu.vlt.s32"(%y, %x) : (!tpu.v, !tpu.v) -> !tpu.m
    %c = "tpu.vlt.s32"(%x, %x) : (!tpu.v, !tpu.v) -> !tpu.m
    %d = "tpu.vlt.s32"(%y, %y) : (!tpu.v, !tpu.v) -> !tpu.m
    %va = "tpu.vsel"(%a, %x, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
    %vb = "tpu.vsel"(%b, %va, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
    %vc = "tpu.vsel"(%c, %vb, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
    %vd = "tpu.vsel"(%d, %vc, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
    "tpu.vst"(%vd) {absolute, address = 0 : i64} : (!tpu.v) -> ()
  }
  %v1 = "tpu.vsel"(%m1, %x, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
  %v2 = "tpu.vsel"(%m0, %v1, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
  "tpu.vst"(%v1) {absolute, address = 8 : i64} : (!tpu.v) -> ()
  "tpu.vst"(%v2) {absolute, address = 16 : i64} : (!tpu.v) -> ()
  return
}

// A mask that is used inside of a loop lives as long as the loop, however close the loop begins. What
// is made in there instead is one more of the loop's own.
// CHECK-LABEL: func.func @just_before
// CHECK: scf.for
// CHECK-COUNT-2: "tpu.vne.s32"
// CHECK: return
func.func @just_before(%x: !tpu.v, %y: !tpu.v, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %m0 = "tpu.vne.s32"(%one, %zero) : (index, index) -> !tpu.m
  scf.for %i = %zero to %n step %one {
    %a = "tpu.vlt.s32"(%x, %y) : (!tpu.v, !tpu.v) -> !tpu.m
    %b = "tpu.vlt.s32"(%y, %x) : (!tpu.v, !tpu.v) -> !tpu.m
    %c = "tpu.vlt.s32"(%x, %x) : (!tpu.v, !tpu.v) -> !tpu.m
    %d = "tpu.vlt.s32"(%y, %y) : (!tpu.v, !tpu.v) -> !tpu.m
    %e = "tpu.vle.s32"(%y, %y) : (!tpu.v, !tpu.v) -> !tpu.m
    %v0 = "tpu.vsel"(%m0, %x, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
    %va = "tpu.vsel"(%a, %v0, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
    %vb = "tpu.vsel"(%b, %va, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
    %vc = "tpu.vsel"(%c, %vb, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
    %vd = "tpu.vsel"(%d, %vc, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
    %ve = "tpu.vsel"(%e, %vd, %y) : (!tpu.m, !tpu.v, !tpu.v) -> !tpu.v
    "tpu.vst"(%ve) {absolute, address = 0 : i64} : (!tpu.v) -> ()
  }
  return
}
