// RUN: (tandem-opt %s 2>&1 && exit 1 || exit 0) | FileCheck %s

// CHECK: tpu_attributes.mlir:[[@LINE+2]]:{{.*}} error: {{.*}}has an attribute that the instruction does not know: sublanes
func.func @main(%x: !tpu.v) -> !tpu.v {
  %y = "tpu.vadd.f32"(%x, %x) {sublanes = 4 : i64} : (!tpu.v, !tpu.v) -> !tpu.v
  return %y : !tpu.v
}
