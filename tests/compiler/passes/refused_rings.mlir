// RUN: tandem-opt %s --tandem-lower-to-tensor --split-input-file --verify-diagnostics

// A text may contain any description of a ring.
func.func @main(%x: tensor<4x256xf32>) -> tensor<4x256xf32> {
  // expected-error@+1 {{a ring is of 3 to 64 devices, with two pairs of flags}}
  %r = "stablehlo.custom_call"(%x) {block_words = 256 : i64, call_target_name = "tandem_ring", combine = "vadd.f32", flags = array<i64: 1, 1>, gathers = true, has_side_effect = true, lanes = 16 : i64, members = array<i64: 0, 1, 2, 3>, places = 4 : i64} : (tensor<4x256xf32>) -> tensor<4x256xf32>
  return %r : tensor<4x256xf32>
}

// -----

func.func @main(%x: tensor<4x256xf32>) -> tensor<4x256xf32> {
  // expected-error@+1 {{a ring is of 3 to 64 devices, with two pairs of flags}}
  %r = "stablehlo.custom_call"(%x) {block_words = 256 : i64, call_target_name = "tandem_ring", combine = "vadd.f32", flags = array<i64: 0, 1>, gathers = true, has_side_effect = true, lanes = 16 : i64, members = array<i64: 0, 1, 2, 2>, places = 4 : i64} : (tensor<4x256xf32>) -> tensor<4x256xf32>
  return %r : tensor<4x256xf32>
}

// -----

// Half of a part has to be whole vectors.
func.func @main(%x: tensor<4x128xf32>) -> tensor<4x128xf32> {
  // expected-error@+1 {{a ring takes and gives its devices' parts}}
  %r = "stablehlo.custom_call"(%x) {block_words = 256 : i64, call_target_name = "tandem_ring", combine = "vadd.f32", flags = array<i64: 0, 1>, gathers = true, has_side_effect = true, lanes = 16 : i64, members = array<i64: 0, 1, 2, 3>, places = 4 : i64} : (tensor<4x128xf32>) -> tensor<4x128xf32>
  return %r : tensor<4x128xf32>
}

// -----

func.func @main(%x: tensor<1x128xf32>) -> tensor<3x128xf32> {
  // expected-error@+1 {{a ring takes and gives its devices' parts}}
  %r = "stablehlo.custom_call"(%x) {block_words = 0 : i64, call_target_name = "tandem_ring", combine = "", flags = array<i64: 0, 1>, gathers = true, has_side_effect = true, lanes = 16 : i64, members = array<i64: 0, 1, 2, 3>, places = 4 : i64} : (tensor<1x128xf32>) -> tensor<3x128xf32>
  return %r : tensor<3x128xf32>
}
