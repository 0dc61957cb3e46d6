#include "cosim/machine.hpp"

namespace tandem {

std::uint64_t counted_cycles(Machine& machine) {
  const std::uint32_t low = find_register("cycles_lo")->number;
  const std::uint64_t counted =
      machine.read_register(low) | std::uint64_t{machine.read_register(low + 1)} << 32U;
  return counted != 0 ? counted : machine.cycles();
}

}  // namespace tandem
