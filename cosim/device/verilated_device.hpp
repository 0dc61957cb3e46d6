// The RTL alone, or lockstep with or without RTL, as the model of a runtime device.
#pragma once

#include <functional>
#include <memory>

#include "runtime/device/device_model.hpp"
#include "runtime/models/machine.hpp"

namespace tandem {

using VerilatedFactory = std::unique_ptr<Machine> (*)(const Parameters&, const MachineOptions&);

// For options.model rtl or lockstep: the models that options.lockstep names, everything compared.
// `make_machine` may be nullptr if no RTL is wanted.
std::unique_ptr<runtime::DeviceModel> make_verilated_device(VerilatedFactory make_machine,
                                                            const Parameters& preset,
                                                            const runtime::DeviceOptions& options);

}  // namespace tandem
