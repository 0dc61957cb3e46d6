// The RTL alone, or lockstep with or without RTL, as what a device of the runtime runs programs on.
#pragma once

#include <functional>
#include <memory>

#include "runtime/device/device_model.hpp"
#include "runtime/models/machine.hpp"

namespace tandem {

using VerilatedFactory = std::unique_ptr<Machine> (*)(const Parameters&, const MachineOptions&);

// For options.model rtl or lockstep: the models that options.lockstep names, everything compared.
// `make_machine` may be nullptr where no RTL is wanted.
std::unique_ptr<runtime::DeviceModel> make_verilated_device(VerilatedFactory make_machine,
                                                            const Parameters& preset,
                                                            const runtime::DeviceOptions& options);

}  // namespace tandem
