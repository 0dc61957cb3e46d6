// The cycle-exact model behind the machine interface, so that lockstep compares it like the RTL.
//
// A call of cycle() executes one bundle. Its writes are reported immediately, and so are
// completions of copies, which take effect immediately in the golden model inside; their real times
// are in the timing events.
#pragma once

#include <memory>

#include "runtime/models/machine.hpp"

namespace tandem {

std::unique_ptr<Machine> make_cycle_machine(const Parameters& parameters,
                                            const MachineOptions& options);
// The same for a reader that looks at the values of volatile CSRs only: it gets the events of the
// bundles that read one. Making a record of every bundle costs more than running it.
std::unique_ptr<Machine> make_timed_machine(const Parameters& parameters,
                                            const MachineOptions& options);

}  // namespace tandem
