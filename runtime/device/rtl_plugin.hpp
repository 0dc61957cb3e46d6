// The RTL of a preset, and lockstep with it, as a separate library, next to libtandem_runtime.so,
// that a device loads on demand. Programs that use the golden and the cycle-exact model need none.
//
//   libtandem_rtl_<preset>.so          the RTL
//   libtandem_rtl_waves_<preset>.so    the RTL that can write a waveform, and is slower
//   libtandem_lockstep.so              lockstep without RTL, of every preset
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/device/device_model.hpp"

namespace tandem::runtime {

// Incremented whenever something that both sides see changes; a library of another version is
// refused.
inline constexpr std::uint32_t rtl_plugin_version = 7;

// The result of the library's only function, `extern "C" const RtlPlugin* tandem_rtl_plugin()`. The
// first member never moves.
struct RtlPlugin {
  std::uint32_t version = rtl_plugin_version;
  const char* preset = nullptr;  // "": no RTL
  // For options.model rtl or lockstep.
  std::unique_ptr<DeviceModel> (*make)(const Parameters& preset,
                                       const DeviceOptions& options) = nullptr;
  // The machine alone; nullptr without RTL.
  std::unique_ptr<Machine> (*make_machine)(const Parameters& preset,
                                           const MachineOptions& options) = nullptr;
};
inline constexpr const char* rtl_plugin_entry = "tandem_rtl_plugin";

// Loads the library that the options require, once per process, and creates the model. Throws Error
// (unavailable), with instructions to build it, if there is none.
std::unique_ptr<DeviceModel> make_rtl_device(const Parameters& preset,
                                             const DeviceOptions& options);
// The same for the machine alone, for separate harnesses.
std::unique_ptr<Machine> load_rtl_machine(const Parameters& preset, const MachineOptions& options);

}  // namespace tandem::runtime
