// RUN: tandem-opt %s --preset=nano --tandem-fuse-attention --canonicalize --cse | FileCheck %s

#left = affine_map<(d0, d1, d2) -> (d0, d2)>
#right = affine_map<(d0, d1, d2) -> (d1, d2)>
#values = affine_map<(d0, d1, d2) -> (d2, d1)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// No tensor has both all rows and all keys; the maximum and both sums go round the keys.
// CHECK-LABEL: func.func @attention
// CHECK-NOT: tensor<512x512xf32>
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (tensor<512x16xf32>)
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (tensor<[[R:[0-9]+]]xf32>, tensor<[[R]]xf32>, tensor<[[R]]x16xf32>)
// CHECK: math.exp {{.*}} {tandem.not_large}
// CHECK: math.exp
// CHECK: arith.divf
// CHECK: tensor.insert_slice
// CHECK-NOT: tensor<512x512xf32>
func.func @attention(%q: tensor<512x16xf32>, %k: tensor<512x16xf32>, %v: tensor<512x16xf32>) -> tensor<512x16xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %square = tensor.empty() : tensor<512x512xf32>
  %rows = tensor.empty() : tensor<512xf32>
  %result = tensor.empty() : tensor<512x16xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%square : tensor<512x512xf32>) -> tensor<512x512xf32>
  %scores = linalg.generic {indexing_maps = [#left, #right, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %k : tensor<512x16xf32>, tensor<512x16xf32>) outs(%0 : tensor<512x512xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<512x512xf32>
  %1 = linalg.fill ins(%least : f32) outs(%rows : tensor<512xf32>) -> tensor<512xf32>
  %most = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%scores : tensor<512x512xf32>) outs(%1 : tensor<512xf32>) {
  ^bb0(%a: f32, %c: f32):
    %m = arith.maximumf %c, %a : f32
    linalg.yield %m : f32
  } -> tensor<512xf32>
  %parts = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%scores, %most : tensor<512x512xf32>, tensor<512xf32>) outs(%square : tensor<512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<512x512xf32>
  %2 = linalg.fill ins(%zero : f32) outs(%rows : tensor<512xf32>) -> tensor<512xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%parts : tensor<512x512xf32>) outs(%2 : tensor<512xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  } -> tensor<512xf32>
  %weights = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%parts, %sum : tensor<512x512xf32>, tensor<512xf32>) outs(%square : tensor<512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<512x512xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%result : tensor<512x16xf32>) -> tensor<512x16xf32>
  %mixed = linalg.generic {indexing_maps = [#left, #values, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%weights, %v : tensor<512x512xf32>, tensor<512x16xf32>) outs(%3 : tensor<512x16xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<512x16xf32>
  return %mixed : tensor<512x16xf32>
}

// Keys after the last row of a block are skipped.
// CHECK-LABEL: func.func @causal
// CHECK: scf.for %[[FIRST:.*]] = {{.*}} iter_args({{.*}}) -> (tensor<512x16xf32>)
// CHECK: %[[BEHIND:.*]] = arith.addi %[[FIRST]], %{{.*}} : index
// CHECK: %[[END:.*]] = arith.minsi %[[BEHIND]], %{{.*}} : index
// CHECK: scf.for {{.*}} to %[[END]] step
func.func @causal(%q: tensor<512x16xf32>, %k: tensor<512x16xf32>, %v: tensor<512x16xf32>) -> tensor<512x16xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %square = tensor.empty() : tensor<512x512xf32>
  %rows = tensor.empty() : tensor<512xf32>
  %result = tensor.empty() : tensor<512x16xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%square : tensor<512x512xf32>) -> tensor<512x512xf32>
  %scores = linalg.generic {indexing_maps = [#left, #right, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %k : tensor<512x16xf32>, tensor<512x16xf32>) outs(%0 : tensor<512x512xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<512x512xf32>
  %masked = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%scores : tensor<512x512xf32>) outs(%square : tensor<512x512xf32>) {
  ^bb0(%a: f32, %c: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %r = arith.index_cast %i : index to i32
    %n = arith.index_cast %j : index to i32
    %past = arith.cmpi sge, %r, %n : i32
    %m = arith.select %past, %a, %least : f32
    linalg.yield %m : f32
  } -> tensor<512x512xf32>
  %1 = linalg.fill ins(%least : f32) outs(%rows : tensor<512xf32>) -> tensor<512xf32>
  %most = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<512x512xf32>) outs(%1 : tensor<512xf32>) {
  ^bb0(%a: f32, %c: f32):
    %m = arith.maximumf %c, %a : f32
    linalg.yield %m : f32
  } -> tensor<512xf32>
  %parts = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%masked, %most : tensor<512x512xf32>, tensor<512xf32>) outs(%square : tensor<512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<512x512xf32>
  %2 = linalg.fill ins(%zero : f32) outs(%rows : tensor<512xf32>) -> tensor<512xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%parts : tensor<512x512xf32>) outs(%2 : tensor<512xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  } -> tensor<512xf32>
  %weights = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%parts, %sum : tensor<512x512xf32>, tensor<512xf32>) outs(%square : tensor<512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<512x512xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%result : tensor<512x16xf32>) -> tensor<512x16xf32>
  %mixed = linalg.generic {indexing_maps = [#left, #values, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%weights, %v : tensor<512x512xf32>, tensor<512x16xf32>) outs(%3 : tensor<512x16xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<512x16xf32>
  return %mixed : tensor<512x16xf32>
}

// Also if the mask determines them.
// CHECK-LABEL: func.func @causal_infinity_first
// CHECK: scf.for %[[FIRST:.*]] = {{.*}} iter_args({{.*}}) -> (tensor<512x16xf32>)
// CHECK: %[[BEHIND:.*]] = arith.addi %[[FIRST]], %{{.*}} : index
// CHECK: %[[END:.*]] = arith.minsi %[[BEHIND]], %{{.*}} : index
// CHECK: scf.for {{.*}} to %[[END]] step
func.func @causal_infinity_first(%q: tensor<512x16xf32>, %k: tensor<512x16xf32>, %v: tensor<512x16xf32>) -> tensor<512x16xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %square = tensor.empty() : tensor<512x512xf32>
  %rows = tensor.empty() : tensor<512xf32>
  %result = tensor.empty() : tensor<512x16xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%square : tensor<512x512xf32>) -> tensor<512x512xf32>
  %scores = linalg.generic {indexing_maps = [#left, #right, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %k : tensor<512x16xf32>, tensor<512x16xf32>) outs(%0 : tensor<512x512xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<512x512xf32>
  %masked = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%scores : tensor<512x512xf32>) outs(%square : tensor<512x512xf32>) {
  ^bb0(%a: f32, %c: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %r = arith.index_cast %i : index to i32
    %n = arith.index_cast %j : index to i32
    %behind = arith.cmpi slt, %r, %n : i32
    %m = arith.select %behind, %least, %a : f32
    linalg.yield %m : f32
  } -> tensor<512x512xf32>
  %1 = linalg.fill ins(%least : f32) outs(%rows : tensor<512xf32>) -> tensor<512xf32>
  %most = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<512x512xf32>) outs(%1 : tensor<512xf32>) {
  ^bb0(%a: f32, %c: f32):
    %m = arith.maximumf %c, %a : f32
    linalg.yield %m : f32
  } -> tensor<512xf32>
  %parts = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%masked, %most : tensor<512x512xf32>, tensor<512xf32>) outs(%square : tensor<512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<512x512xf32>
  %2 = linalg.fill ins(%zero : f32) outs(%rows : tensor<512xf32>) -> tensor<512xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%parts : tensor<512x512xf32>) outs(%2 : tensor<512xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  } -> tensor<512xf32>
  %weights = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%parts, %sum : tensor<512x512xf32>, tensor<512xf32>) outs(%square : tensor<512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<512x512xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%result : tensor<512x16xf32>) -> tensor<512x16xf32>
  %mixed = linalg.generic {indexing_maps = [#left, #values, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%weights, %v : tensor<512x512xf32>, tensor<512x16xf32>) outs(%3 : tensor<512x16xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<512x16xf32>
  return %mixed : tensor<512x16xf32>
}

// A mask with a finite number: keys after a block are skipped, too, and come after all where a
// row's maximum is not far above that number.
// CHECK-LABEL: func.func @causal_low
// CHECK: scf.for
// CHECK: %[[KEYS:.*]]:3 = scf.for
// CHECK: %[[FLAGS:.*]] = linalg.generic {{.*}} ins(%[[KEYS]]#0
// CHECK: arith.cmpf ogt
// CHECK: %[[ROWS:.*]] = tensor.extract %[[FLAGS]][]
// CHECK: %[[NONE:.*]] = arith.cmpi eq, %[[ROWS]]
// CHECK: %[[LAST:.*]] = arith.select %[[NONE]]
// CHECK: scf.for {{.*}} to %[[LAST]] {{.*}} iter_args({{.*}} = %[[KEYS]]#0
func.func @causal_low(%q: tensor<512x16xf32>, %k: tensor<512x16xf32>, %v: tensor<512x16xf32>) -> tensor<512x16xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %low = arith.constant -1.0e9 : f32
  %square = tensor.empty() : tensor<512x512xf32>
  %rows = tensor.empty() : tensor<512xf32>
  %result = tensor.empty() : tensor<512x16xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%square : tensor<512x512xf32>) -> tensor<512x512xf32>
  %scores = linalg.generic {indexing_maps = [#left, #right, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %k : tensor<512x16xf32>, tensor<512x16xf32>) outs(%0 : tensor<512x512xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<512x512xf32>
  %masked = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%scores : tensor<512x512xf32>) outs(%square : tensor<512x512xf32>) {
  ^bb0(%a: f32, %c: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %r = arith.index_cast %i : index to i32
    %n = arith.index_cast %j : index to i32
    %behind = arith.cmpi slt, %r, %n : i32
    %m = arith.select %behind, %low, %a : f32
    linalg.yield %m : f32
  } -> tensor<512x512xf32>
  %1 = linalg.fill ins(%least : f32) outs(%rows : tensor<512xf32>) -> tensor<512xf32>
  %most = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<512x512xf32>) outs(%1 : tensor<512xf32>) {
  ^bb0(%a: f32, %c: f32):
    %m = arith.maximumf %c, %a : f32
    linalg.yield %m : f32
  } -> tensor<512xf32>
  %parts = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%masked, %most : tensor<512x512xf32>, tensor<512xf32>) outs(%square : tensor<512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<512x512xf32>
  %2 = linalg.fill ins(%zero : f32) outs(%rows : tensor<512xf32>) -> tensor<512xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%parts : tensor<512x512xf32>) outs(%2 : tensor<512xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  } -> tensor<512xf32>
  %weights = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%parts, %sum : tensor<512x512xf32>, tensor<512xf32>) outs(%square : tensor<512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<512x512xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%result : tensor<512x16xf32>) -> tensor<512x16xf32>
  %mixed = linalg.generic {indexing_maps = [#left, #values, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%weights, %v : tensor<512x512xf32>, tensor<512x16xf32>) outs(%3 : tensor<512x16xf32>) attrs = {tandem.precision = "DEFAULT"} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<512x16xf32>
  return %mixed : tensor<512x16xf32>
}
