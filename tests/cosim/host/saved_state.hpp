// Registers of the RTL by name, set in a machine's saved state: what no host and no program can
// bring about in a time that anybody waits for.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "runtime/models/machine.hpp"

namespace tandem::host {

// Where the register of this name and size lies in what Machine::save_to() wrote. Throws Difference
// when there is none.
std::uint8_t* register_in(std::vector<std::uint8_t>& saved, const std::string& name,
                          std::uint64_t bytes);

// Saves the machine, has its state changed, restores it.
void change_state(Machine& machine, const std::function<void(std::vector<std::uint8_t>&)>& change);

// Goes on to the end of the run. Throws Difference when there is none.
void run_to_end(Machine& machine);

}  // namespace tandem::host
