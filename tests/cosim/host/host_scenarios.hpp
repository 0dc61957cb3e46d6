// A host's actions on a machine besides starting it once: registers, stops, starts while running,
// interrupts, bus errors, one run after the other. The RTL of nano, beside the cycle model where
// both know the answer and against the registers' meaning (docs/registers.md) where not.
#pragma once

#include <string>
#include <vector>

namespace tandem {

struct HostScenario {
  std::string name;
  std::string (*disagreement)();  // the error, or ""
};

// Needs the RTL of nano in the build.
const std::vector<HostScenario>& host_scenarios();

}  // namespace tandem
