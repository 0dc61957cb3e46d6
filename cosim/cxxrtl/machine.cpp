// The RTL of nano as CXXRTL simulates it, behind the Machine interface.
#include "cosim/cxxrtl/cxxrtl_top.hpp"
#include "cosim/verilated/verilated_machine.hpp"

namespace tandem {

std::unique_ptr<Machine> make_rtl_nano(const Parameters& parameters,
                                       const MachineOptions& options) {
  return std::make_unique<VerilatedMachine<cxxrtl_machine::Top>>(parameters, options);
}

}  // namespace tandem
