// CXXRTL's class writes no waveforms (cosim/verilated/wave.hpp).
#pragma once

class VerilatedFstC;
