// Where the architectural state is inside a Verilated tpu_core of any preset; all are
// /* verilator public_flat_rw */.
#pragma once

namespace tandem {

struct VerilatedState {
  static auto& vectors(auto& root) { return root.tpu_core__DOT__vector__DOT__vregs__DOT__v_q; }
  static auto& vmem(auto& root) { return root.tpu_core__DOT__vector__DOT__vmem__DOT__mem_q; }
  static auto& smem(auto& root) { return root.tpu_core__DOT__scalar__DOT__smem__DOT__mem_q; }
  // Bit per row of LANES words.
  static auto& smem_written(auto& root) {
    return root.tpu_core__DOT__scalar__DOT__smem__DOT__written_q;
  }
  static auto& accumulators(auto& root) {
    return root.tpu_core__DOT__vector__DOT__mxu__DOT__acc__DOT__acc_q;
  }
  static auto& active_weights(auto& root) { return weights(root, active(root)); }
  static auto& filling_weights(auto& root) { return weights(root, active(root) + 1U); }

 private:
  // Buffers are used in turn; those that are neither active nor being filled are zero, or will be
  // when they are filled.
  static auto& weights(auto& root, unsigned buffer) {
    switch (buffer % 4) {
      case 0: return root.tpu_core__DOT__vector__DOT__mxu__DOT__array__DOT__w0_q;
      case 1: return root.tpu_core__DOT__vector__DOT__mxu__DOT__array__DOT__w1_q;
      case 2: return root.tpu_core__DOT__vector__DOT__mxu__DOT__array__DOT__w2_q;
      default: return root.tpu_core__DOT__vector__DOT__mxu__DOT__array__DOT__w3_q;
    }
  }
  static unsigned active(auto& root) { return root.tpu_core__DOT__vector__DOT__mxu__DOT__active_q; }
};

}  // namespace tandem
