// What the templates of cosim/verilated want of Verilator's library where the class is CXXRTL's: the seed of
// hidden state, and which machine is at work. This folder comes before Verilator's when it is compiled.
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
