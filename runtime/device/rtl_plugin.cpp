#include "runtime/device/rtl_plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include "runtime/error.hpp"

namespace tandem::runtime {
namespace {

// The folder of the library (or executable) that this code is part of.
std::string own_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&make_rtl_device), &info) == 0) return ".";
  const std::string path = info.dli_fname;
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

// TANDEM_RTL_PATH, if it is set, names the only folder to look in.
std::string library_path(std::string_view preset) {
  const std::string name = fmt::format("libtandem_rtl_{}.so", preset);
  if (const char* folder = std::getenv("TANDEM_RTL_PATH"))
    return fmt::format("{}/{}", folder, name);
  const std::string own = own_folder();
  for (const char* place : {"", "/lib", "/../lib"}) {
    const std::string path = fmt::format("{}{}/{}", own, place, name);
    if (access(path.c_str(), R_OK) == 0) return path;
  }
  return fmt::format("{}/{}", own, name);
}

[[noreturn]] void refuse(std::string_view preset, const std::string& why) {
  throw Error{
      ErrorCode::unavailable,
      fmt::format("there is no RTL of preset '{}' here: {}\nto build it, in the repository: "
                  "cmake -DTANDEM_PRESETS={} build && cmake --build build",
                  preset, why, preset)};
}

const RtlPlugin& load_plugin(std::string_view preset) {
  const std::string path = library_path(preset);
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) refuse(preset, dlerror());
  void* entry = dlsym(library, rtl_plugin_entry);
  if (entry == nullptr) refuse(preset, fmt::format("{} has no {}", path, rtl_plugin_entry));
  const auto* plugin = reinterpret_cast<const RtlPlugin* (*)()>(entry)();
  if (plugin->version != rtl_plugin_version) {
    refuse(preset, fmt::format("{} is of version {}, this program wants {}", path, plugin->version,
                               rtl_plugin_version));
  }
  if (preset != plugin->preset) {
    refuse(preset, fmt::format("{} holds preset '{}'", path, plugin->preset));
  }
  return *plugin;
}

}  // namespace

std::unique_ptr<DeviceModel> make_rtl_device(const Parameters& preset,
                                             const DeviceOptions& options) {
  static std::mutex mutex;
  static std::map<std::string, const RtlPlugin*, std::less<>> loaded;
  const std::lock_guard lock(mutex);
  const RtlPlugin*& plugin = loaded[std::string(preset.name)];
  if (plugin == nullptr) plugin = &load_plugin(preset.name);
  return plugin->make(preset, options);
}

}  // namespace tandem::runtime
