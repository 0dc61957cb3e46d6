#include "runtime/device/rtl_plugin.hpp"

#include "runtime/device/messages.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include "host/installed.hpp"
#include "runtime/error.hpp"

namespace tandem::runtime {
namespace {

// NOLINTNEXTLINE(cert-err58-cpp): without memory at that point nothing can be done
const std::string own_folder = folder_of_code(reinterpret_cast<const void*>(&make_rtl_device));

// A library and how it is built.
struct Wanted {
  std::string file;
  std::string preset;  // "": no RTL
  std::string what;    // "RTL of preset 'nano'"
  std::string build;   // the command that builds it
};

// The name in cmake/TandemMachines.cmake of a machine that is not a preset.
std::string file_name(std::string_view machine) {
  std::string name(machine);
  for (char& letter : name) {
    if (letter == '=' || letter == ',') letter = '_';
  }
  return name;
}

Wanted wanted_rtl(const Parameters& preset, bool waves) {
  if (find_preset(preset.name) == nullptr) {
    return {
        fmt::format("libtandem_rtl_{}{}.so", waves ? "waves_" : "", file_name(preset.name)),
        std::string(preset.name),
        fmt::format("RTL of machine '{}'{}", preset.name, waves ? " that writes waveforms" : ""),
        fmt::format("scripts/rtl --machine {}", preset.name)};
  }
  return {fmt::format("libtandem_rtl_{}{}.so", waves ? "waves_" : "", preset.name),
          std::string(preset.name),
          fmt::format("RTL of preset '{}'{}", preset.name, waves ? " that writes waveforms" : ""),
          fmt::format("cmake -DTANDEM_{}PRESETS={} build && cmake --build build",
                      waves ? "WAVE_" : "", preset.name)};
}

Wanted wanted_library(const Parameters& preset, const DeviceOptions& options) {
  if (options.model == Model::lockstep && !options.lockstep.rtl) {
    return {"libtandem_lockstep.so", "", "lockstep", "cmake build && cmake --build build"};
  }
  const bool waves = options.model == Model::rtl && !options.machine.wave.path.empty();
  return wanted_rtl(preset, waves);
}

// TANDEM_RTL_PATH, if it is set, names the only folder to look in.
std::string library_path(const std::string& name) {
  if (const char* folder = std::getenv("TANDEM_RTL_PATH"))
    return fmt::format("{}/{}", folder, name);
  const std::string& own = own_folder;
  for (const char* place : {"", "/lib", "/../lib"}) {
    const std::string path = fmt::format("{}{}/{}", own, place, name);
    if (access(path.c_str(), R_OK) == 0) return path;
  }
  return fmt::format("{}/{}", own, name);
}

[[noreturn]] void refuse(const Wanted& wanted, const std::string& why) {
  throw Error{ErrorCode::unavailable,
              fmt::format(message::not_built, wanted.what, why, wanted.build)};
}

const RtlPlugin& load_plugin(const Wanted& wanted) {
  const std::string path = library_path(wanted.file);
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) refuse(wanted, dlerror());
  void* entry = dlsym(library, rtl_plugin_entry);
  if (entry == nullptr) refuse(wanted, fmt::format("{} has no {}", path, rtl_plugin_entry));
  const auto* plugin = reinterpret_cast<const RtlPlugin* (*)()>(entry)();
  if (plugin->version != rtl_plugin_version) {
    refuse(wanted, fmt::format("{} is of version {}, this program wants {}", path, plugin->version,
                               rtl_plugin_version));
  }
  if (wanted.preset != plugin->preset) {
    refuse(wanted, fmt::format("{} holds preset '{}'", path, plugin->preset));
  }
  return *plugin;
}

const RtlPlugin& plugin_for(const Wanted& wanted) {
  static std::mutex mutex;
  static std::map<std::string, const RtlPlugin*, std::less<>> loaded;
  const std::lock_guard lock(mutex);
  const RtlPlugin*& plugin = loaded[wanted.file];
  if (plugin == nullptr) plugin = &load_plugin(wanted);
  return *plugin;
}

}  // namespace

std::unique_ptr<DeviceModel> make_rtl_device(const Parameters& preset,
                                             const DeviceOptions& options) {
  return plugin_for(wanted_library(preset, options)).make(preset, options);
}

std::unique_ptr<Machine> load_rtl_machine(const Parameters& preset, const MachineOptions& options) {
  return plugin_for(wanted_rtl(preset, !options.wave.path.empty())).make_machine(preset, options);
}

}  // namespace tandem::runtime
