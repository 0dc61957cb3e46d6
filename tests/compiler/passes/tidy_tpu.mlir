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

// Loads may see what is stored between them.
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

// What has been loaded is not loaded again, unless a store may have changed it.
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
