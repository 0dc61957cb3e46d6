// RUN: tandem-opt %s --tandem-unroll-loops | FileCheck %s

// Three iterations are written out: each has the results of the one before it, and its number.
// CHECK-LABEL: func.func @three
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xi32>, %[[Y:[a-z0-9]+]]: tensor<4xi32>
// CHECK-NOT: stablehlo.while
// CHECK: %[[A:.*]] = "stablehlo.add"(%[[X]], %[[Y]])
// CHECK: %[[ONE:.*]] = "stablehlo.constant"() {value = dense<1> : tensor<i32>}
// CHECK: %[[B:.*]] = "stablehlo.add"(%[[Y]], %[[A]])
// CHECK: %[[TWO:.*]] = "stablehlo.constant"() {value = dense<2> : tensor<i32>}
// CHECK: %[[C:.*]] = "stablehlo.add"(%[[A]], %[[B]])
// CHECK: %[[END:.*]] = "stablehlo.constant"() {value = dense<3> : tensor<i32>}
// CHECK: return %[[END]], %[[C]]
func.func @three(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>) {
  %zero = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %0:3 = "stablehlo.while"(%zero, %x, %y) ({
  ^bb0(%i: tensor<i32>, %a: tensor<4xi32>, %b: tensor<4xi32>):
    %end = "stablehlo.constant"() {value = dense<3> : tensor<i32>} : () -> tensor<i32>
    %go_on = "stablehlo.compare"(%i, %end) {comparison_direction = "LT", compare_type = "SIGNED"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%go_on) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<4xi32>, %b: tensor<4xi32>):
    %one = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %sum = "stablehlo.add"(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %next = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%next, %b, %sum) : (tensor<i32>, tensor<4xi32>, tensor<4xi32>) -> ()
  }) : (tensor<i32>, tensor<4xi32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>, tensor<4xi32>)
  return %0#0, %0#2 : tensor<i32>, tensor<4xi32>
}

// More iterations stay a loop.
// CHECK-LABEL: func.func @nine
// CHECK: stablehlo.while
func.func @nine(%x: tensor<4xi32>) -> tensor<4xi32> {
  %zero = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %0:2 = "stablehlo.while"(%zero, %x) ({
  ^bb0(%i: tensor<i32>, %a: tensor<4xi32>):
    %end = "stablehlo.constant"() {value = dense<9> : tensor<i32>} : () -> tensor<i32>
    %go_on = "stablehlo.compare"(%i, %end) {comparison_direction = "LT", compare_type = "SIGNED"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%go_on) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<4xi32>):
    %one = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %sum = "stablehlo.add"(%a, %a) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %next = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%next, %sum) : (tensor<i32>, tensor<4xi32>) -> ()
  }) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>)
  return %0#1 : tensor<4xi32>
}

// So do loops with more than elementwise operations,
// CHECK-LABEL: func.func @turns
// CHECK: stablehlo.while
func.func @turns(%x: tensor<4x4xi32>) -> tensor<4x4xi32> {
  %zero = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %0:2 = "stablehlo.while"(%zero, %x) ({
  ^bb0(%i: tensor<i32>, %a: tensor<4x4xi32>):
    %end = "stablehlo.constant"() {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %go_on = "stablehlo.compare"(%i, %end) {comparison_direction = "LT", compare_type = "SIGNED"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%go_on) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<4x4xi32>):
    %one = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %turned = "stablehlo.transpose"(%a) {permutation = array<i64: 1, 0>} : (tensor<4x4xi32>) -> tensor<4x4xi32>
    %next = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%next, %turned) : (tensor<i32>, tensor<4x4xi32>) -> ()
  }) : (tensor<i32>, tensor<4x4xi32>) -> (tensor<i32>, tensor<4x4xi32>)
  return %0#1 : tensor<4x4xi32>
}

// and loops whose end only the running program knows.
// CHECK-LABEL: func.func @open
// CHECK: stablehlo.while
func.func @open(%x: tensor<4xi32>, %end: tensor<i32>) -> tensor<4xi32> {
  %zero = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %0:2 = "stablehlo.while"(%zero, %x) ({
  ^bb0(%i: tensor<i32>, %a: tensor<4xi32>):
    %go_on = "stablehlo.compare"(%i, %end) {comparison_direction = "LT", compare_type = "SIGNED"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%go_on) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<4xi32>):
    %one = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %sum = "stablehlo.add"(%a, %a) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %next = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%next, %sum) : (tensor<i32>, tensor<4xi32>) -> ()
  }) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>)
  return %0#1 : tensor<4xi32>
}
