// The RTL of a preset, and lockstep with it, as a library of its own that a device loads when it is
// asked for: libtandem_rtl_<preset>.so, beside libtandem_runtime.so. Programs that use the golden
// and the cycle-exact model need none.
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/device/device_model.hpp"

namespace tandem::runtime {

// Grows whenever something that both sides see changes; a library of another version is refused.
inline constexpr std::uint32_t rtl_plugin_version = 1;

// What the library's one function, `extern "C" const RtlPlugin* tandem_rtl_plugin()`, gives. The
// first member never moves.
struct RtlPlugin {
  std::uint32_t version = rtl_plugin_version;
  const char* preset = nullptr;
  // For options.model rtl or lockstep.
  std::unique_ptr<DeviceModel> (*make)(const Parameters& preset,
                                       const DeviceOptions& options) = nullptr;
};
inline constexpr const char* rtl_plugin_entry = "tandem_rtl_plugin";

// Loads the library of options.preset once for the process and makes the model. Throws Error
// (unavailable), saying how to build it, when there is none.
std::unique_ptr<DeviceModel> make_rtl_device(const Parameters& preset,
                                             const DeviceOptions& options);

}  // namespace tandem::runtime
