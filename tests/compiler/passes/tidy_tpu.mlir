// RUN: tandem-opt %s --tandem-tidy-tpu | FileCheck %s

// CHECK-LABEL: func.func @loop
// CHECK: %[[R:.*]] = "tpu.rcp"(%arg0)
// CHECK-NEXT: {{.*}}"tpu.vmul.f32"(%[[R]], %[[R]])
// CHECK: scf.for
func.func @loop(%x: !tpu.v, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %a = "tpu.rcp"(%x) : (!tpu.v) -> !tpu.v
    %b = "tpu.rcp"(%x) : (!tpu.v) -> !tpu.v
    %old = "tpu.vld"(%i) {address = 0} : (index) -> !tpu.v
    %c = "tpu.vmul.f32"(%a, %b) : (!tpu.v, !tpu.v) -> !tpu.v
    %d = "tpu.vmul.f32"(%c, %old) : (!tpu.v, !tpu.v) -> !tpu.v
    "tpu.vst"(%i, %d) {address = 0} : (index, !tpu.v) -> ()
  }
  return
}

// Loads may see stores between them.
// CHECK-LABEL: func.func @loads
// CHECK-COUNT-2: tpu.vld
func.func @loads(%i: index, %x: !tpu.v) {
  %a = "tpu.vld"(%i) {address = 0} : (index) -> !tpu.v
  "tpu.vst"(%i, %x) {address = 0} : (index, !tpu.v) -> ()
  %b = "tpu.vld"(%i) {address = 0} : (index) -> !tpu.v
  "tpu.vst"(%i, %a) {address = 8} : (index, !tpu.v) -> ()
  "tpu.vst"(%i, %b) {address = 16} : (index, !tpu.v) -> ()
  return
}

// Loaded rows are not loaded again, unless a store may have changed them.
// CHECK-LABEL: func.func @known
// CHECK: %[[A:.*]] = "tpu.vld"
// CHECK-NEXT: "tpu.vst"(%[[A]])
// CHECK-NEXT: "tpu.vst"(%[[A]])
// CHECK-NEXT: %[[B:.*]] = "tpu.vld"
// CHECK-NEXT: "tpu.vst"(%[[B]])
func.func @known() {
  %a = "tpu.vld"() {absolute, address = 8 : i64, rows = 4 : i64} : () -> !tpu.v
  "tpu.vst"(%a) {absolute, address = 12 : i64} : (!tpu.v) -> ()
  %b = "tpu.vld"() {absolute, address = 8 : i64, rows = 4 : i64} : () -> !tpu.v
  "tpu.vst"(%b) {absolute, address = 10 : i64} : (!tpu.v) -> ()
  %c = "tpu.vld"() {absolute, address = 8 : i64, rows = 4 : i64} : () -> !tpu.v
  "tpu.vst"(%c) {absolute, address = 100 : i64} : (!tpu.v) -> ()
  return
}

// Rows that have just been stored are not loaded; lanes that are left out are zero. A store that is
// covered by another one is not done, unless its rows are read before.
// CHECK-LABEL: func.func @stored
// CHECK-SAME: %[[X:.*]]: !tpu.v, %[[Y:.*]]: !tpu.v, %[[M:.*]]: !tpu.m
// CHECK-NOT: tpu.vld
// CHECK: %[[Z:.*]] = "tpu.vsel"(%[[M]], %[[X]], %{{.*}})
// CHECK: "tpu.vst"(%[[Y]])
// CHECK: "tpu.vst"(%[[Z]], %[[M]])
// CHECK: "tpu.vst"(%[[Z]])
// CHECK-NOT: tpu.vst
// CHECK: return
func.func @stored(%x: !tpu.v, %y: !tpu.v, %m: !tpu.m) {
  "tpu.vst"(%x, %m) {absolute, address = 8, rows = 8} : (!tpu.v, !tpu.m) -> ()
  %a = "tpu.vld"(%m) {absolute, address = 8, rows = 8, stride = 1} : (!tpu.m) -> !tpu.v
  "tpu.vst"(%y) {absolute, address = 16} : (!tpu.v) -> ()
  %b = "tpu.vld"() {absolute, address = 16} : () -> !tpu.v
  "tpu.vst"(%a, %m) {absolute, address = 8, rows = 8} : (!tpu.v, !tpu.m) -> ()
  "tpu.vst"(%a) {absolute, address = 24} : (!tpu.v) -> ()
  return
}

// Other lanes, fewer rows, a part of the rows: all that is loaded.
// CHECK-LABEL: func.func @not_stored
// CHECK-COUNT-3: tpu.vst
// CHECK: tpu.vld
// CHECK: tpu.vst
// CHECK: tpu.vld
// CHECK: tpu.vst
// CHECK: tpu.vld
// CHECK: return
func.func @not_stored(%x: !tpu.v, %m: !tpu.m, %n: !tpu.m) {
  "tpu.vst"(%x, %m) {absolute, address = 8} : (!tpu.v, !tpu.m) -> ()
  "tpu.vst"(%x) {absolute, address = 16, rows = 3} : (!tpu.v) -> ()
  "tpu.vst"(%x) {absolute, address = 32} : (!tpu.v) -> ()
  %a = "tpu.vld"(%n) {absolute, address = 8} : (!tpu.m) -> !tpu.v
  "tpu.vst"(%a) {absolute, address = 48} : (!tpu.v) -> ()
  %b = "tpu.vld"() {absolute, address = 16, rows = 3} : () -> !tpu.v
  "tpu.vst"(%b) {absolute, address = 56} : (!tpu.v) -> ()
  %c = "tpu.vld"() {absolute, address = 36} : () -> !tpu.v
  "tpu.vst"(%c) {absolute, address = 8} : (!tpu.v) -> ()
  return
}

// A copy may read earlier stores, and a loop, too.
// CHECK-LABEL: func.func @read
// CHECK: "tpu.vst"(%[[X:.*]])
// CHECK: tpu.copy
// CHECK: "tpu.vst"(%[[X]])
// CHECK: scf.for
// CHECK: "tpu.vst"(%[[X]])
func.func @read(%x: !tpu.v, %s: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  "tpu.vst"(%x) {absolute, address = 8} : (!tpu.v) -> ()
  "tpu.copy"(%s, %s) {descriptor = array<i32: 66560, 1, 0, 0, 0, 0, 4, 1, 4, 4, 1, 4, 4, 1, 4, 4>} : (index, index) -> ()
  "tpu.vst"(%x) {absolute, address = 8} : (!tpu.v) -> ()
  scf.for %i = %zero to %s step %one {
    %a = "tpu.vld"(%i) {address = 0} : (index) -> !tpu.v
    "tpu.vst"(%i, %a) {address = 100} : (index, !tpu.v) -> ()
  }
  "tpu.vst"(%x) {absolute, address = 8} : (!tpu.v) -> ()
  return
}

// What is zero already where a mask is off is not made so: after a load, a selection, and what they
// are multiplied by themselves. Anything else may be NaN there.
// CHECK-LABEL: func.func @zero_lanes
// CHECK: %[[A:.*]] = "tpu.vld"
// CHECK: %[[S:.*]] = "tpu.vmul.f32"(%[[A]], %[[A]])
// CHECK-NEXT: "tpu.lsum.f32"(%[[S]])
// CHECK: %[[P:.*]] = "tpu.vmul.f32"(%[[A]], %arg0)
// CHECK: "tpu.vsel"({{.*}}, %[[P]], %{{.*}})
// CHECK: "tpu.vsel"({{.*}}, %[[A]], %{{.*}})
func.func @zero_lanes(%x: !tpu.v, %i: index, %other: !tpu.m) -> (!tpu.v, !tpu.v, !tpu.v) {
  %zero = arith.constant 0 : index
  %count = arith.constant 5 : index
  %lane = "tpu.vlane"() : () -> !tpu.v
  %mask = "tpu.vlt.s32"(%lane, %count) : (!tpu.v, index) -> !tpu.m
  %a = "tpu.vld"(%i, %mask) {address = 0} : (index, !tpu.m) -> !tpu.v
  %s = "tpu.vmul.f32"(%a, %a) : (!tpu.v, !tpu.v) -> !tpu.v
  %k = "tpu.vsel"(%mask, %s, %zero) : (!tpu.m, !tpu.v, index) -> !tpu.v
  %t = "tpu.lsum.f32"(%k) : (!tpu.v) -> !tpu.v
  %p = "tpu.vmul.f32"(%a, %x) : (!tpu.v, !tpu.v) -> !tpu.v
  %q = "tpu.vsel"(%mask, %p, %zero) : (!tpu.m, !tpu.v, index) -> !tpu.v
  %r = "tpu.vsel"(%other, %a, %zero) : (!tpu.m, !tpu.v, index) -> !tpu.v
  return %t, %q, %r : !tpu.v, !tpu.v, !tpu.v
}

// Rows of one stride are interleaved.
// CHECK-LABEL: func.func @between
// CHECK-SAME: %[[X:.*]]: !tpu.v, %[[Y:.*]]: !tpu.v
// CHECK-NOT: tpu.vld
// CHECK: "tpu.vst"(%[[X]]) {{.*}}address = 100
// CHECK: %[[Z:.*]] = "tpu.vld"() {{.*}}address = 1 : i64
// CHECK-NEXT: "tpu.vst"(%[[Z]])
func.func @between(%x: !tpu.v, %y: !tpu.v) {
  "tpu.vst"(%x) {absolute, address = 0 : i64, stride = 5 : i64} : (!tpu.v) -> ()
  "tpu.vst"(%y) {absolute, address = 1 : i64, stride = 5 : i64} : (!tpu.v) -> ()
  %a = "tpu.vld"() {absolute, address = 0 : i64, stride = 5 : i64} : () -> !tpu.v
  "tpu.vst"(%a) {absolute, address = 100 : i64} : (!tpu.v) -> ()
  "tpu.vst"(%x) {absolute, address = 11 : i64, stride = 5 : i64, rows = 1 : i64} : (!tpu.v) -> ()
  %b = "tpu.vld"() {absolute, address = 1 : i64, stride = 5 : i64} : () -> !tpu.v
  "tpu.vst"(%b) {absolute, address = 200 : i64} : (!tpu.v) -> ()
  return
}

// A wait is done when a later one for more, with nothing between, is.
// CHECK-LABEL: func.func @waits
// CHECK-NEXT: {{.*}}flag = 1 : i64, n = 2
// CHECK-NEXT: {{.*}}flag = 2 : i64, n = 1
// CHECK-NEXT: {{.*}}flag = 1 : i64, n = 3
// CHECK-NEXT: tpu.vld
// CHECK: {{.*}}flag = 1 : i64, n = 4
// CHECK-NEXT: {{.*}}flag = 1 : i64, n = 1
func.func @waits() {
  "tpu.wait"() {flag = 1 : i64, n = 1 : i64} : () -> ()
  "tpu.wait"() {flag = 1 : i64, n = 2 : i64} : () -> ()
  "tpu.wait"() {flag = 2 : i64, n = 1 : i64} : () -> ()
  "tpu.wait"() {flag = 1 : i64, n = 3 : i64} : () -> ()
  %a = "tpu.vld"() {absolute, address = 0 : i64} : () -> !tpu.v
  "tpu.vst"(%a) {absolute, address = 64 : i64} : (!tpu.v) -> ()
  "tpu.wait"() {flag = 1 : i64, n = 4 : i64} : () -> ()
  "tpu.wait"() {flag = 1 : i64, n = 1 : i64} : () -> ()
  return
}

// A selection of two scalar zeros is a vector, and no scalar takes its place.
// CHECK-LABEL: func.func @scalar_zeros
// CHECK: %[[ZERO:.*]] = "tpu.vsel"
// CHECK: "tpu.vst"(%{{.*}}, %[[ZERO]])
func.func @scalar_zeros(%i: index, %m: !tpu.m) {
  %zero = arith.constant 0 : index
  %x = "tpu.vsel"(%m, %zero, %zero) : (!tpu.m, index, index) -> !tpu.v
  "tpu.vst"(%i, %x) {address = 0} : (index, !tpu.v) -> ()
  return
}
