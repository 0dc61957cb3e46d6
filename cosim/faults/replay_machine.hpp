// A stand-in for the RTL: a golden model of its own whose records come out as events, late and out
// of order as from hardware. It allows testing the checker, and finding planted faults, without any
// RTL.
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/models/machine.hpp"

namespace tandem {

// `seed` decides how late each event comes.
std::unique_ptr<Machine> make_replay_machine(const Parameters& parameters, std::uint32_t seed);

}  // namespace tandem
