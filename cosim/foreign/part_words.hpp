// The parts of a core as words of 32 bits: the form in which foreign cores and streams report them.
//
//   sreg, flag, smem          a word per register or address
//   preg                      a word, bit p is register p
//   mreg, vreg, acc, vmem     words in the order of docs/retirement.md, one after
//   the
//                             other
//   weights_*                 two elements per word, the lower one in the lower half
//   hbm                       any number, from word `first` on (byte 4 * first)
//   status                    register `status` (2 halted, 4 trapped, 8 machine check), trap_cause,
//                             trap_pc, trap_detail
//   counters                  cycles, each cause, each event in the order of docs/counters.md; two
//   words
//                             each, the lower one first
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cosim/checker/core_terms.hpp"
#include "isa/parameters.hpp"
#include "isa/state/state.hpp"
#include "runtime/models/machine.hpp"

namespace tandem {

inline constexpr std::size_t counter_word_count = 2 * (1 + cause_count + event_count);

// How many words a part has; 0 for hbm, as it may come in pieces, and for timing, which has none.
std::size_t part_words(CorePart part, const Parameters& parameters);

// A part of the state, except hbm, status, counters and timing.
std::vector<std::uint32_t> state_words(CorePart part, const MachineState& state,
                                       const Parameters& parameters);
// The reverse, for parts that a start does not change: vreg, acc, weights_* and vmem; false for any
// other part.
bool set_state_words(CorePart part, std::span<const std::uint32_t> words, State& state);
std::vector<std::uint32_t> status_words(const MachineStatus& status);
MachineStatus status_of(std::span<const std::uint32_t> words);
std::vector<std::uint32_t> counter_words(const CounterValues& counters);
CounterValues counters_of(std::span<const std::uint32_t> words);

}  // namespace tandem
