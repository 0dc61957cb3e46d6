// Random programs for lockstep, legal by construction from the instruction table.
//
// A program is: a prologue that fills registers, SMEM and VMEM with distinct values and special
// floats; blocks of random bundles with loops, skips and calls; copies on a few channels of their
// own; halt; subroutines. Control flow that must end is driven by reserved registers, everything
// else by random data, which also feeds addresses (masked to their region), so that a wrong bit
// spreads. Copies are free of races because each channel owns its memory and the generator knows
// when a wait has proved its copy complete. See generator.cpp for the registers that are reserved.
#pragma once

#include <cstdint>

#include "isa/image.hpp"

namespace tandem {

struct RandomKnobs {
  std::uint32_t bundles = 150;     // about this many before subroutines
  std::uint32_t density = 45;      // percent of slots that hold an operation
  std::uint32_t predicated = 20;   // percent of operations under a predicate other than p0
  std::uint32_t near = 50;         // percent of sources taken from recent destinations
  std::uint32_t vector_pool = 63;  // vector registers in use, at most 63
  std::uint32_t vmem_span = 64;    // rows that data-dependent addresses spread over
  std::uint32_t channels = 3;      // copies in flight at once, 0 to 4
  bool volatile_csrs = false;      // read counters too: final state then depends on time
  bool illegal = false;            // end in a trap on purpose
};

// Knobs drawn from the seed: what `tandem lockstep --random` uses.
RandomKnobs random_knobs(std::uint64_t seed);

// The same arguments give the same program everywhere. The program reads never-written data on
// purpose (it starts as the same pattern in every model), so golden's check for that is to be off.
Image random_program(const Parameters& parameters, std::uint64_t seed, const RandomKnobs& knobs);

}  // namespace tandem
