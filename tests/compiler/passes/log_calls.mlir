// RUN: sed '/^REFUSED/d; /^UNKNOWN/d' %s | tandem-opt - --tandem-log-calls | FileCheck %s
// RUN: sed 's/^REFUSED//; /^UNKNOWN/d' %s | (tandem-opt - --tandem-log-calls 2>&1 && exit 1 || exit 0) | FileCheck %s --check-prefix=REFUSED
// RUN: sed 's/^UNKNOWN//; /^REFUSED/d' %s | (tandem-opt - --tandem-log-calls 2>&1 && exit 1 || exit 0) | FileCheck %s --check-prefix=UNKNOWN
// A message to the host is written where the records before it end; the used length of the log goes
// through loops and branches. If all records fit, this is not checked.

// CHECK-LABEL: func.func @straight
// CHECK-SAME: tandem.log_words = 7
// CHECK: %[[BEGIN:.*]] = "stablehlo.constant"() {value = dense<2> : tensor<i32>}
// CHECK-NOT: "stablehlo.compare"
// CHECK: %[[HEAD:.*]] = "stablehlo.constant"() {value = dense<[4, 5]> : tensor<2xi32>}
// CHECK: %[[BITS:.*]] = "stablehlo.bitcast_convert"(%arg0) : (tensor<3xf32>) -> tensor<3xi32>
// CHECK: "stablehlo.custom_call"(%[[BEGIN]], %[[HEAD]], %{{.*}}) {call_target_name = "tandem_log", has_side_effect = true}
func.func @straight(%x: tensor<3xf32>) -> tensor<3xf32> {
  "stablehlo.custom_call"(%x) {call_target_name = "tandem_debug", backend_config = {index = 4 : i32}} : (tensor<3xf32>) -> ()
  "stablehlo.return"(%x) : (tensor<3xf32>) -> ()
}

// CHECK-LABEL: func.func @loop
// CHECK: %[[LOOP:.*]]:3 = "stablehlo.while"
// CHECK: ^bb0(%{{.*}}: tensor<i32>, %[[USED:.*]]: tensor<i32>, %[[LOST:.*]]: tensor<i32>):
// CHECK: ^bb0(%{{.*}}: tensor<i32>, %[[USED:.*]]: tensor<i32>, %[[LOST:.*]]: tensor<i32>):
// CHECK: %[[FITS:.*]] = "stablehlo.compare"(%[[USED]], %{{.*}}) {comparison_direction = "LE"}
// CHECK: %[[AT:.*]] = "stablehlo.select"(%[[FITS]], %[[USED]], %{{.*}})
// CHECK: "stablehlo.custom_call"(%[[AT]],
// CHECK: "stablehlo.return"(%{{.*}}, %{{.*}}, %{{.*}})
// CHECK: "stablehlo.case"
// CHECK: "stablehlo.custom_call"
// CHECK: "stablehlo.return"(%{{.*}}, %{{.*}}, %{{.*}})
// CHECK: "stablehlo.return"(%{{.*}}, %[[LOOP]]#1, %[[LOOP]]#2)
func.func @loop(%n: tensor<i32>) -> tensor<i32> {
  %r = "stablehlo.while"(%n) ({
  ^bb0(%i: tensor<i32>):
    %p = "stablehlo.compare"(%i, %n) {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>):
    "stablehlo.custom_call"(%i) {call_target_name = "tandem_debug", backend_config = {index = 0 : i32}} : (tensor<i32>) -> ()
    %j = "stablehlo.add"(%i, %i) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%j) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  %s = "stablehlo.case"(%r) ({
    "stablehlo.custom_call"() {call_target_name = "tandem_debug", backend_config = {index = 1 : i32}} : () -> ()
    "stablehlo.return"(%n) : (tensor<i32>) -> ()
  }, {
    "stablehlo.return"(%r) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  "stablehlo.return"(%s) : (tensor<i32>) -> ()
}

// A condition with a message is evaluated before the loop and at the end of each iteration.
// CHECK-LABEL: func.func @condition
// CHECK: "stablehlo.custom_call"(%{{.*}}) {call_target_name = "tandem_log"
// CHECK: %[[FIRST:.*]] = "stablehlo.compare"(%arg0, %arg0)
// CHECK: "stablehlo.while"(%arg0, %[[FIRST]], %{{.*}}, %{{.*}})
// CHECK: ^bb0(%{{.*}}: tensor<i32>, %[[AGAIN:.*]]: tensor<i1>
// CHECK-NEXT: "stablehlo.return"(%[[AGAIN]])
// CHECK: "stablehlo.custom_call"(%{{.*}}) {call_target_name = "tandem_log"
// CHECK: %[[NEXT:.*]] = "stablehlo.compare"(%[[J:.*]], %arg0)
// CHECK-NEXT: "stablehlo.return"(%[[J]], %[[NEXT]],
func.func @condition(%n: tensor<i32>) -> tensor<i32> {
  %r = "stablehlo.while"(%n) ({
  ^bb0(%i: tensor<i32>):
    "stablehlo.custom_call"(%i) {call_target_name = "tandem_debug", backend_config = {index = 0 : i32}} : (tensor<i32>) -> ()
    %p = "stablehlo.compare"(%i, %n) {comparison_direction = "LT"} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>):
    %j = "stablehlo.add"(%i, %i) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%j) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  "stablehlo.return"(%r) : (tensor<i32>) -> ()
}

// A result that the program needs cannot be had, unless a branch that is not taken needs it: what is
// taken ends the run after its record.
// CHECK-LABEL: func.func @deferred
// CHECK: "stablehlo.case"
// CHECK: %[[NAN:.*]] = "stablehlo.constant"() {value = dense<0x7FC00000> : tensor<f32>}
// CHECK: "stablehlo.custom_call"{{.*}}call_target_name = "tandem_log"
// CHECK: "stablehlo.custom_call"{{.*}}call_target_name = "tandem_log"
// CHECK-NEXT: "stablehlo.custom_call"() {call_target_name = "tandem_stop", has_side_effect = true} : () -> ()
// CHECK-NEXT: "stablehlo.return"(%[[NAN]],
func.func @deferred(%n: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  %s = "stablehlo.case"(%n) ({
    %y = "stablehlo.custom_call"(%n) {call_target_name = "tandem_debug", backend_config = {index = 1 : i32, name = "jax.pure_callback"}} : (tensor<i32>) -> tensor<f32>
    "stablehlo.return"(%y) : (tensor<f32>) -> ()
  }, {
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<i32>) -> tensor<f32>
REFUSED  %s2 = "stablehlo.custom_call"(%n) {call_target_name = "tandem_debug", backend_config = {index = 1 : i32, name = "jax.pure_callback"}} : (tensor<i32>) -> tensor<f32>
  "stablehlo.return"(%s) : (tensor<f32>) -> ()
}
// REFUSED: error: unimplemented: jax.pure_callback on Tandem: a program is one launch

UNKNOWNfunc.func @reduced(%x: tensor<4xi32>, %n: tensor<i32>) -> tensor<i32> {
UNKNOWN  %r = "stablehlo.reduce"(%x, %n) ({
UNKNOWN  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
UNKNOWN    "stablehlo.custom_call"(%a) {call_target_name = "tandem_debug", backend_config = {index = 0 : i32}} : (tensor<i32>) -> ()
UNKNOWN    "stablehlo.return"(%a) : (tensor<i32>) -> ()
UNKNOWN  }) {dimensions = array<i64: 0>} : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
UNKNOWN  "stablehlo.return"(%r) : (tensor<i32>) -> ()
UNKNOWN}
// UNKNOWN: error: unimplemented: a callback in the computation of stablehlo.reduce
