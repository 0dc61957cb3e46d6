// RUN: tandem-opt %s --tandem-count-loops | FileCheck %s

#none = affine_map<() -> ()>

// A counter that begins at a number, grows by one and is all that ends the loop is the loop's own.
// CHECK-LABEL: func.func @scan
// CHECK-DAG: %[[BEGIN:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[END:.*]] = arith.constant 8 : index
// CHECK: scf.for %[[INDEX:.*]] = %[[BEGIN]] to %[[END]] {{.*}} -> (tensor<4xf32>)
// CHECK: %[[NUMBER:.*]] = arith.index_cast %[[INDEX]] : index to i32
// CHECK: arith.sitofp %[[NUMBER]]
// CHECK: %[[LAST:.*]] = arith.constant dense<8> : tensor<i32>
// CHECK: return %{{.*}}, %[[LAST]]

// One that grows by two stays as it is, and so does one whose end only the running program knows.
// CHECK-LABEL: func.func @by_two
// CHECK: scf.while
// CHECK-LABEL: func.func @open
// CHECK: scf.while
func.func @scan(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>) {
  %begin = arith.constant dense<2> : tensor<i32>
  %end = arith.constant 8 : i32
  %one = arith.constant 1 : i32
  %0:2 = scf.while (%i = %begin, %a = %x) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
    %room = tensor.empty() : tensor<i1>
    %less = linalg.generic {indexing_maps = [#none, #none], iterator_types = []} ins(%i : tensor<i32>) outs(%room : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %1 = arith.cmpi slt, %in, %end : i32
      linalg.yield %1 : i1
    } -> tensor<i1>
    %go_on = tensor.extract %less[] : tensor<i1>
    scf.condition(%go_on) %i, %a : tensor<i32>, tensor<4xf32>
  } do {
  ^bb0(%i: tensor<i32>, %a: tensor<4xf32>):
    %number = tensor.extract %i[] : tensor<i32>
    %real = arith.sitofp %number : i32 to f32
    %new = linalg.fill ins(%real : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    %room = tensor.empty() : tensor<i32>
    %next = linalg.generic {indexing_maps = [#none, #none], iterator_types = []} ins(%i : tensor<i32>) outs(%room : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %1 = arith.addi %one, %in : i32
      linalg.yield %1 : i32
    } -> tensor<i32>
    %kept = linalg.copy ins(%next : tensor<i32>) outs(%i : tensor<i32>) -> tensor<i32>
    %there = linalg.copy ins(%new : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %kept, %there : tensor<i32>, tensor<4xf32>
  }
  return %0#1, %0#0 : tensor<4xf32>, tensor<i32>
}
func.func @by_two() -> tensor<i32> {
  %begin = arith.constant dense<0> : tensor<i32>
  %end = arith.constant 8 : i32
  %two = arith.constant 2 : i32
  %0 = scf.while (%i = %begin) : (tensor<i32>) -> tensor<i32> {
    %room = tensor.empty() : tensor<i1>
    %less = linalg.generic {indexing_maps = [#none, #none], iterator_types = []} ins(%i : tensor<i32>) outs(%room : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %1 = arith.cmpi slt, %in, %end : i32
      linalg.yield %1 : i1
    } -> tensor<i1>
    %go_on = tensor.extract %less[] : tensor<i1>
    scf.condition(%go_on) %i : tensor<i32>
  } do {
  ^bb0(%i: tensor<i32>):
    %room = tensor.empty() : tensor<i32>
    %next = linalg.generic {indexing_maps = [#none, #none], iterator_types = []} ins(%i : tensor<i32>) outs(%room : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %1 = arith.addi %in, %two : i32
      linalg.yield %1 : i32
    } -> tensor<i32>
    %kept = linalg.copy ins(%next : tensor<i32>) outs(%i : tensor<i32>) -> tensor<i32>
    scf.yield %kept : tensor<i32>
  }
  return %0 : tensor<i32>
}
func.func @open(%end: i32) -> tensor<i32> {
  %begin = arith.constant dense<0> : tensor<i32>
  %one = arith.constant 1 : i32
  %0 = scf.while (%i = %begin) : (tensor<i32>) -> tensor<i32> {
    %room = tensor.empty() : tensor<i1>
    %less = linalg.generic {indexing_maps = [#none, #none], iterator_types = []} ins(%i : tensor<i32>) outs(%room : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %1 = arith.cmpi slt, %in, %end : i32
      linalg.yield %1 : i1
    } -> tensor<i1>
    %go_on = tensor.extract %less[] : tensor<i1>
    scf.condition(%go_on) %i : tensor<i32>
  } do {
  ^bb0(%i: tensor<i32>):
    %room = tensor.empty() : tensor<i32>
    %next = linalg.generic {indexing_maps = [#none, #none], iterator_types = []} ins(%i : tensor<i32>) outs(%room : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %1 = arith.addi %in, %one : i32
      linalg.yield %1 : i32
    } -> tensor<i32>
    %kept = linalg.copy ins(%next : tensor<i32>) outs(%i : tensor<i32>) -> tensor<i32>
    scf.yield %kept : tensor<i32>
  }
  return %0 : tensor<i32>
}
