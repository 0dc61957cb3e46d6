// Registers of the RTL by name, set in a machine's saved state: states that no host and no program
// can reach in acceptable time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "runtime/models/machine.hpp"

namespace tandem::host {

// The position of the register of this name and size in the output of Machine::save_to(). Throws
// Difference when there is none.
std::uint8_t* register_in(std::vector<std::uint8_t>& saved, const std::string& name,
                          std::uint64_t bytes);

// Saves the machine, has its state changed, restores it.
void change_state(Machine& machine, const std::function<void(std::vector<std::uint8_t>&)>& change);

// Continues to the end of the run. Throws Difference when there is none.
void run_to_end(Machine& machine);

}  // namespace tandem::host
