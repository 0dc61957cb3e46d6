// The plugin, clients and topologies.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <span>

#include "python/pjrt/api/handlers.hpp"
#include "python/pjrt/core/fork_guard.hpp"
#include "python/pjrt/core/handles.hpp"
#include "python/pjrt/core/variables.hpp"
#include "python/pjrt/programs/client.hpp"

namespace tandem::pjrt {
namespace {

// JAX lowers to this version of StableHLO, whatever its own: old enough to be stable, new enough to
// have everything. The compiler reads it.
const NamedValues& plugin_attributes() {
  static const NamedValues& attributes = []() -> const NamedValues& {
    auto* const made = new NamedValues;  // for the life of the process
    made->add("stablehlo_current_version", std::vector<std::int64_t>{1, 13, 0});
    made->add("stablehlo_minimum_version", std::vector<std::int64_t>{1, 0, 0});
    return *made;
  }();
  return attributes;
}

// From a list and to the interface.
template <typename Args>
void give_attributes(Args& args, const NamedValues& values) {
  args.attributes = values.data();
  args.num_attributes = values.size();
}

}  // namespace

void handle(PJRT_Plugin_Initialize_Args&) { watch_forks(); }

void handle(PJRT_Plugin_Attributes_Args& args) { give_attributes(args, plugin_attributes()); }

void handle(PJRT_Client_Create_Args& args) {
  refuse_in_forked_child();
  watch_forks();
  if (const std::string warning = check_variables(environ); !warning.empty()) {
    fmt::print(stderr, "{}\n", warning);
  }
  const ClientOptions options = client_options(
      std::span(args.create_options, args.create_options == nullptr ? 0 : args.num_options),
      [](const char* name) -> const char* { return std::getenv(name); });
  args.client = handle_of(*new Client(options));
}

void handle(PJRT_Client_Destroy_Args& args) { delete pointer_of(args.client); }

void handle(PJRT_Client_PlatformName_Args& args) {
  args.platform_name = platform_name.data();
  args.platform_name_size = platform_name.size();
}

void handle(PJRT_Client_ProcessIndex_Args& args) { args.process_index = 0; }

void handle(PJRT_Client_PlatformVersion_Args& args) {
  args.platform_version = platform_version().data();
  args.platform_version_size = platform_version().size();
}

void handle(PJRT_Client_Devices_Args& args) {
  const std::vector<PJRT_Device*>& devices = object_of(args.client).devices();
  args.devices = devices.data();
  args.num_devices = devices.size();
}

void handle(PJRT_Client_AddressableDevices_Args& args) {
  const std::vector<PJRT_Device*>& devices = object_of(args.client).devices();
  args.addressable_devices = devices.data();
  args.num_addressable_devices = devices.size();
}

void handle(PJRT_Client_LookupDevice_Args& args) {
  args.device = handle_of(object_of(args.client).device(args.id));
}

void handle(PJRT_Client_LookupAddressableDevice_Args& args) {
  args.addressable_device = handle_of(object_of(args.client).device(args.local_hardware_id));
}

void handle(PJRT_Client_AddressableMemories_Args& args) {
  const std::vector<PJRT_Memory*>& memories = object_of(args.client).memories();
  args.addressable_memories = memories.data();
  args.num_addressable_memories = memories.size();
}

// Replica r of partition p on device r * partitions + p.
void handle(PJRT_Client_DefaultDeviceAssignment_Args& args) {
  const auto count =
      static_cast<std::size_t>(args.num_replicas) * static_cast<std::size_t>(args.num_partitions);
  if (args.num_replicas < 1 || args.num_partitions < 1 ||
      count > object_of(args.client).devices().size() || count > args.default_assignment_size) {
    fail(PJRT_Error_Code_INVALID_ARGUMENT, "more replicas and partitions than devices");
  }
  for (std::size_t i = 0; i < count; ++i) args.default_assignment[i] = static_cast<int>(i);
}

void handle(PJRT_Client_TopologyDescription_Args& args) {
  args.topology = handle_of(object_of(args.client).topology());
}

void handle(PJRT_Client_UpdateGlobalProcessInfo_Args&) {}  // there is one process

void handle(PJRT_TopologyDescription_Destroy_Args&) {}  // the client's

void handle(PJRT_TopologyDescription_PlatformName_Args& args) {
  args.platform_name = platform_name.data();
  args.platform_name_size = platform_name.size();
}

void handle(PJRT_TopologyDescription_PlatformVersion_Args& args) {
  args.platform_version = platform_version().data();
  args.platform_version_size = platform_version().size();
}

void handle(PJRT_TopologyDescription_GetDeviceDescriptions_Args& args) {
  const auto& descriptions = object_of(args.topology).descriptions();
  args.descriptions = descriptions.data();
  args.num_descriptions = descriptions.size();
}

void handle(PJRT_TopologyDescription_Attributes_Args& args) {
  give_attributes(args, object_of(args.topology).attributes());
}

void handle(PJRT_TopologyDescription_Serialize_Args& args) {
  const std::string& bytes = object_of(args.topology).serialized();
  args.serialized_bytes = bytes.data();
  args.serialized_bytes_size = bytes.size();
  args.serialized_topology = nullptr;
  args.serialized_topology_deleter = [](PJRT_SerializedTopology*) {};
}

void handle(PJRT_TopologyDescription_Fingerprint_Args& args) {
  args.fingerprint = object_of(args.topology).fingerprint();
}

void handle(PJRT_TopologyDescription_GetMemorySpaceKindIds_Args& args) {
  static constexpr int kinds[] = {Memory::kind_id};
  args.memory_space_kind_ids = kinds;
  args.num_memory_space_kind_ids = std::size(kinds);
}

}  // namespace tandem::pjrt
