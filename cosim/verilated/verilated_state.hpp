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
  static auto& active_weights(auto& root) { return active(root) ? weights1(root) : weights0(root); }
  static auto& filling_weights(auto& root) {
    return active(root) ? weights0(root) : weights1(root);
  }

 private:
  static auto& weights0(auto& root) {
    return root.tpu_core__DOT__vector__DOT__mxu__DOT__array__DOT__w0_q;
  }
  static auto& weights1(auto& root) {
    return root.tpu_core__DOT__vector__DOT__mxu__DOT__array__DOT__w1_q;
  }
  static bool active(auto& root) {
    return root.tpu_core__DOT__vector__DOT__mxu__DOT__active_q != 0;
  }
};

}  // namespace tandem
