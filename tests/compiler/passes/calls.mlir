// RUN: tandem-compile %s --emit=asm | FileCheck %s
// RUN: tandem-compile %s -o - | tandem dis - | FileCheck %s --check-prefix=LINKED
// RUN: (sed 's/vmov"(.c1) : (index)/vld"(%c1) : (index)/' %s | tandem-compile - --emit=asm 2>&1 && exit 1 || exit 0) | FileCheck %s --check-prefix=LOADED

// What lives across a call in a loop: its counter and end, the predicate and the scalar that come from
// outside. The vector and the mask are made again. Not what is used before the call only, nor what
// is made after it. A row that has been loaded cannot wait.
// CHECK: %[[END:s[0-9]+]] = sld [0]
// CHECK: %[[OLD:s[0-9]+]] = sld [1]
// CHECK: %[[P:p[0-9]+]] = eq %[[END]], 5
// CHECK: %[[V:v[0-9]+]] = vmov
// CHECK: %[[M:m[0-9]+]] = vlt.s32 %[[V]], %[[END]]
// CHECK: [[TOP:l[0-9]+]]:
// CHECK: sst [kernels + 0], %{{.*}}
// CHECK-COUNT-4: sst [kernels + {{3[2-5]}}]
// CHECK-NOT: sst
// CHECK: s1 = call kernel_call_0
// CHECK-COUNT-4: = sld [kernels + {{3[2-5]}}]
// CHECK-NOT: = sld
// CHECK: %[[V]] = vmov
// CHECK-NEXT: %[[M]] = vlt.s32 %[[V]], %[[END]]
// CHECK: sst [4], %[[OLD]]
// CHECK: vst [0], %[[V]], mask=%[[M]]
// CHECK: br [[TOP]]

// LINKED: call
// LINKED: halt
// LINKED: ret s1

// LOADED: error: unimplemented: a '!tpu.v' that lives across the call of a kernel
module attributes {tandem.level = "tpu"} {
  func.func @main() attributes {tandem.hbm_words = 0 : i64, tandem.vmem_rows = 16 : i64, tandem.tensors = []} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %end = "tpu.sld"() {absolute, address = 0 : i64} : () -> index
    %old = "tpu.sld"() {absolute, address = 1 : i64} : () -> index
    %before = "tpu.sld"() {absolute, address = 2 : i64} : () -> index
    %p = arith.cmpi eq, %end, %c5 : index
    %v = "tpu.vmov"(%c1) : (index) -> !tpu.v
    %m = "tpu.vlt.s32"(%v, %end) : (!tpu.v, index) -> !tpu.m
    scf.for %i = %c0 to %end step %c1 {
      func.call @kernel_0(%i, %c0) : (index, index) -> ()
      %new = arith.addi %i, %c5 : index
      %chosen = arith.select %p, %new, %i : index
      "tpu.sst"(%old) {absolute, address = 4 : i64} : (index) -> ()
      "tpu.sst"(%chosen) {absolute, address = 5 : i64} : (index) -> ()
      "tpu.vst"(%v, %m) {absolute, address = 0 : i64} : (!tpu.v, !tpu.m) -> ()
    }
    return
  }
  func.func private @kernel_0(index, index) attributes {tandem.kernel = ".parameter f, i, s32\0Af: ret s1\0A", tandem.function = "f", tandem.file = "f.s", tandem.preset = "small", tandem.smem_words = 16 : i64, tandem.entries = [array<i32>]}
}
