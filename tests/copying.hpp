// A small program with a copy, for tests that want one in flight. Text for nano.
#pragma once

#include <string>

namespace tandem {

// SMEM words 0 and on become the descriptor of a copy of 64 bytes from HBM at 0 to VMEM, which
// counts on flag 0.
inline constexpr const char* describe_copy = R"(
        { s4 = mov 0x400 ; s1 = mov 1 }
        { sb: sst [0], s4 }
        { sb: sst [1], s1 ; s6 = mov 64 }
        { sb: sst [6], s6 }
        { sb: sst [7], s1 }
        { sb: sst [10], s1 }
        { sb: sst [13], s1 }
)";

// Makes it once, waits and halts.
inline std::string copying_program() {
  return std::string(describe_copy) +
         "        { copy [s0], s0, s0 }\n"
         "        { wait f0, 1 }\n"
         "        { halt }\n";
}

}  // namespace tandem
