// RUN: tandem-opt %s --preset=small --tandem-specialize-prefix-masks --canonicalize | FileCheck %s

#none = affine_map<(d0, d1) -> ()>
#all = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
#left = affine_map<(d0, d1, d2) -> (d0, d2)>
#keys = affine_map<(d0, d1, d2) -> (d1, d2)>
#values = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// Scores, softmax and the product with the values exist for an eighth, a quarter and half of the
// positions as well, and the number at the end of the mask determines which are enough.
// CHECK-LABEL: func.func @attention
// CHECK-DAG: %[[FEW:.*]] = arith.constant 32 : i32
// CHECK-DAG: %[[NOW:.*]] = tensor.extract %arg3[]
// CHECK: %[[ENOUGH:.*]] = arith.cmpi slt, %[[NOW]], %[[FEW]]
// CHECK: scf.if %[[ENOUGH]]
// CHECK: tensor.extract_slice %arg1[0, 0] [32, 64]
// CHECK: linalg.generic {{.*}}tensor<32x64xf32>) outs({{.*}}tensor<2x32xf32>) attrs
// CHECK: arith.select
// CHECK: arith.maximumf
// CHECK: math.exp
// CHECK: tensor.extract_slice %arg2[0, 0] [32, 64]
// CHECK: linalg.generic {{.*}}tensor<2x32xf32>, tensor<32x64xf32>) outs({{.*}}tensor<2x64xf32>) attrs
// CHECK: } else {
// CHECK: linalg.generic {{.*}}tensor<64x64xf32>) outs({{.*}}tensor<2x64xf32>) attrs
// CHECK: linalg.generic {{.*}}tensor<128x64xf32>) outs({{.*}}tensor<2x128xf32>) attrs
// CHECK: linalg.generic {{.*}}tensor<256x64xf32>) outs({{.*}}tensor<2x256xf32>) attrs
func.func @attention(%q: tensor<2x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x64xf32>, %now: tensor<i32>) -> tensor<2x64xf32> {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant 0xFF800000 : f32
  %large = arith.constant -1.0e+30 : f32
  %room = tensor.empty() : tensor<2x256xf32>
  %start = linalg.fill ins(%zero : f32) outs(%room : tensor<2x256xf32>) -> tensor<2x256xf32>
  %scores = linalg.generic {indexing_maps = [#left, #keys, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x64xf32>, tensor<256x64xf32>) outs(%start : tensor<2x256xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x256xf32>
  %masked = linalg.generic {indexing_maps = [#none, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%now, %scores : tensor<i32>, tensor<2x256xf32>) outs(%room : tensor<2x256xf32>) {
  ^bb0(%n: i32, %a: f32, %s: f32):
    %1 = linalg.index 1 : index
    %2 = arith.index_cast %1 : index to i32
    %3 = arith.cmpi sle, %2, %n : i32
    %4 = arith.select %3, %a, %minus : f32
    linalg.yield %4 : f32
  } -> tensor<2x256xf32>
  %row = tensor.empty() : tensor<2xf32>
  %least = linalg.fill ins(%minus : f32) outs(%row : tensor<2xf32>) -> tensor<2xf32>
  %largest = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<2x256xf32>) outs(%least : tensor<2xf32>) {
  ^bb0(%a: f32, %s: f32):
    %1 = arith.maximumf %s, %a : f32
    linalg.yield %1 : f32
  } -> tensor<2xf32>
  %weights = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%masked, %largest : tensor<2x256xf32>, tensor<2xf32>) outs(%room : tensor<2x256xf32>) {
  ^bb0(%a: f32, %m: f32, %s: f32):
    %1 = arith.subf %a, %m : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x256xf32>
  %out = tensor.empty() : tensor<2x64xf32>
  %nothing = linalg.fill ins(%zero : f32) outs(%out : tensor<2x64xf32>) -> tensor<2x64xf32>
  %mixed = linalg.generic {indexing_maps = [#left, #values, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%weights, %v : tensor<2x256xf32>, tensor<256x64xf32>) outs(%nothing : tensor<2x64xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x64xf32>
  return %mixed : tensor<2x64xf32>
}

// The weights of all positions have another reader.
// CHECK-LABEL: func.func @weights_too
// CHECK-NOT: scf.if
func.func @weights_too(%q: tensor<2x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x64xf32>, %now: tensor<i32>) -> (tensor<2x64xf32>, tensor<2x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant 0xFF800000 : f32
  %large = arith.constant -1.0e+30 : f32
  %room = tensor.empty() : tensor<2x256xf32>
  %start = linalg.fill ins(%zero : f32) outs(%room : tensor<2x256xf32>) -> tensor<2x256xf32>
  %scores = linalg.generic {indexing_maps = [#left, #keys, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x64xf32>, tensor<256x64xf32>) outs(%start : tensor<2x256xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x256xf32>
  %masked = linalg.generic {indexing_maps = [#none, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%now, %scores : tensor<i32>, tensor<2x256xf32>) outs(%room : tensor<2x256xf32>) {
  ^bb0(%n: i32, %a: f32, %s: f32):
    %1 = linalg.index 1 : index
    %2 = arith.index_cast %1 : index to i32
    %3 = arith.cmpi sle, %2, %n : i32
    %4 = arith.select %3, %a, %minus : f32
    linalg.yield %4 : f32
  } -> tensor<2x256xf32>
  %row = tensor.empty() : tensor<2xf32>
  %least = linalg.fill ins(%minus : f32) outs(%row : tensor<2xf32>) -> tensor<2xf32>
  %largest = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<2x256xf32>) outs(%least : tensor<2xf32>) {
  ^bb0(%a: f32, %s: f32):
    %1 = arith.maximumf %s, %a : f32
    linalg.yield %1 : f32
  } -> tensor<2xf32>
  %weights = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%masked, %largest : tensor<2x256xf32>, tensor<2xf32>) outs(%room : tensor<2x256xf32>) {
  ^bb0(%a: f32, %m: f32, %s: f32):
    %1 = arith.subf %a, %m : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x256xf32>
  %out = tensor.empty() : tensor<2x64xf32>
  %nothing = linalg.fill ins(%zero : f32) outs(%out : tensor<2x64xf32>) -> tensor<2x64xf32>
  %mixed = linalg.generic {indexing_maps = [#left, #values, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%weights, %v : tensor<2x256xf32>, tensor<256x64xf32>) outs(%nothing : tensor<2x64xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x64xf32>
  return %mixed, %weights : tensor<2x64xf32>, tensor<2x256xf32>
}

// A finite number need not vanish in the exponential: it may be the largest of its row.
// CHECK-LABEL: func.func @finite
// CHECK-NOT: scf.if
func.func @finite(%q: tensor<2x64xf32>, %k: tensor<256x64xf32>, %v: tensor<256x64xf32>, %now: tensor<i32>) -> tensor<2x64xf32> {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant 0xFF800000 : f32
  %large = arith.constant -1.0e+30 : f32
  %room = tensor.empty() : tensor<2x256xf32>
  %start = linalg.fill ins(%zero : f32) outs(%room : tensor<2x256xf32>) -> tensor<2x256xf32>
  %scores = linalg.generic {indexing_maps = [#left, #keys, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x64xf32>, tensor<256x64xf32>) outs(%start : tensor<2x256xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x256xf32>
  %masked = linalg.generic {indexing_maps = [#none, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%now, %scores : tensor<i32>, tensor<2x256xf32>) outs(%room : tensor<2x256xf32>) {
  ^bb0(%n: i32, %a: f32, %s: f32):
    %1 = linalg.index 1 : index
    %2 = arith.index_cast %1 : index to i32
    %3 = arith.cmpi sle, %2, %n : i32
    %4 = arith.select %3, %a, %large : f32
    linalg.yield %4 : f32
  } -> tensor<2x256xf32>
  %row = tensor.empty() : tensor<2xf32>
  %least = linalg.fill ins(%minus : f32) outs(%row : tensor<2xf32>) -> tensor<2xf32>
  %largest = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<2x256xf32>) outs(%least : tensor<2xf32>) {
  ^bb0(%a: f32, %s: f32):
    %1 = arith.maximumf %s, %a : f32
    linalg.yield %1 : f32
  } -> tensor<2xf32>
  %weights = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%masked, %largest : tensor<2x256xf32>, tensor<2xf32>) outs(%room : tensor<2x256xf32>) {
  ^bb0(%a: f32, %m: f32, %s: f32):
    %1 = arith.subf %a, %m : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x256xf32>
  %out = tensor.empty() : tensor<2x64xf32>
  %nothing = linalg.fill ins(%zero : f32) outs(%out : tensor<2x64xf32>) -> tensor<2x64xf32>
  %mixed = linalg.generic {indexing_maps = [#left, #values, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%weights, %v : tensor<2x256xf32>, tensor<256x64xf32>) outs(%nothing : tensor<2x64xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x64xf32>
  return %mixed : tensor<2x64xf32>
}
