// RUN: tandem-opt %s --pass-pipeline='builtin.module(func.func(tandem-read-padded))' | FileCheck %s

// The tap in the middle is read where the others are: in the padded tensor.
// CHECK-LABEL: func.func @middle
// CHECK: [[PADDED:%.*]] = tensor.insert_slice %{{.*}} into
// CHECK: [[MIDDLE:%.*]] = tensor.extract_slice [[PADDED]][1, 0] [4, 8] [1, 1]
// CHECK: linalg.generic {{.*}} ins([[MIDDLE]], %{{.*}} : tensor<4x8xf32>, tensor<4x8xf32>)
func.func @middle(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
  %p = tensor.insert_slice %x into %f[1, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<6x8xf32>
  %up = tensor.extract_slice %p[0, 0] [4, 8] [1, 1] : tensor<6x8xf32> to tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %up : tensor<4x8xf32>, tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// An operation that reads no slice of the padded tensor keeps its operand.
// CHECK-LABEL: func.func @alone(
// CHECK-SAME: [[X:%.*]]: tensor<4x8xf32>, %{{.*}}: tensor<4x8xf32>)
// CHECK: linalg.generic {{.*}} ins([[X]] : tensor<4x8xf32>)
func.func @alone(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<6x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
  %p = tensor.insert_slice %x into %f[1, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<6x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4x8xf32>
  return %r, %p : tensor<4x8xf32>, tensor<6x8xf32>
}
