// The RTL of nano with coverage counters, linked before the one without.
#include "Vtpu_coverage.h"
#include "Vtpu_coverage__Syms.h"
#include "Vtpu_coverage___024root.h"
#include "Vtpu_coverage_members.hpp"
#include "cosim/verilated/verilated_core.hpp"
#include "cosim/verilated/verilated_machine.hpp"
#include "tests/coverage/counted.hpp"

namespace tandem {

std::unique_ptr<Machine> make_rtl_nano(const Parameters& parameters,
                                       const MachineOptions& options) {
  return std::make_unique<VerilatedMachine<Counted<Vtpu_coverage>>>(parameters, options);
}

std::unique_ptr<TpuCore> make_rtl_core_nano(const Parameters& parameters,
                                            const TpuCoreOptions& options, MemoryPort& memory) {
  return std::make_unique<VerilatedCore<Counted<Vtpu_coverage>>>(parameters, options, memory);
}

}  // namespace tandem
