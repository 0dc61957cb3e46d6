// Random programs for lockstep, legal by construction from the instruction table.
//
// A program is: a prologue that fills registers, SMEM and VMEM with distinct values and special
// floats; blocks of random bundles with loops, skips and calls; copies on a few channels of their
// own; halt; subroutines. Control flow that must end is driven by reserved registers, everything
// else by random data, which also feeds addresses (masked to their region), so that a wrong bit
// spreads. Copies are free of races because each channel owns its memory and the generator knows
// when a wait has proved its copies complete. random_operands.hpp has the registers that are
// reserved, random_map.hpp the memories.
#pragma once

#include <cstdint>

#include "cosim/random/knobs.hpp"
#include "isa/image.hpp"
#include "isa/object/object.hpp"

namespace tandem {

// An HBM size that every program fits into, wherever its knobs put text and copies.
inline constexpr std::uint64_t random_hbm_bytes = std::uint64_t{8} << 30U;

// Linked, as written by `tandem random`. The same arguments give the same program everywhere. The
// program reads never-written data on purpose (it starts as the same pattern in every model), so
// golden's check for that must be off.
Object random_object(const Parameters& parameters, std::uint64_t seed, const RandomKnobs& knobs);
Image random_program(const Parameters& parameters, std::uint64_t seed, const RandomKnobs& knobs);

// The address at which a launch must put the text of a program of this many bundles.
std::uint64_t random_text_address(const RandomKnobs& knobs, std::uint64_t bundles);

}  // namespace tandem
