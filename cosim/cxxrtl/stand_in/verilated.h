// The part of Verilator's library that the templates of cosim/verilated need for CXXRTL's class:
// the seed of hidden state, and the current machine. This folder comes before Verilator's when it
// is compiled.
#pragma once

struct VerilatedContext {
  unsigned seed = 1;
  void randReset(int) {}
  void randSeed(int value) { seed = static_cast<unsigned>(value); }
};

struct Verilated {
  static VerilatedContext*& context() {
    thread_local VerilatedContext* chosen = nullptr;
    return chosen;
  }
  static void threadContextp(VerilatedContext* chosen) { context() = chosen; }
};
