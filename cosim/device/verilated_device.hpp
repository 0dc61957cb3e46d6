// The RTL, alone or in lockstep, as what a device of the runtime runs programs on.
#pragma once

#include <functional>
#include <memory>

#include "runtime/device/device_model.hpp"
#include "runtime/models/machine.hpp"

namespace tandem {

using VerilatedFactory = std::unique_ptr<Machine> (*)(const Parameters&, const MachineOptions&);

// For options.model rtl or lockstep (RTL, golden and cycle-exact model, everything compared).
std::unique_ptr<runtime::DeviceModel> make_verilated_device(VerilatedFactory make_machine,
                                                            const Parameters& preset,
                                                            const runtime::DeviceOptions& options);

}  // namespace tandem
