// Devices, their descriptions and memories.
#include "python/pjrt/api/handlers.hpp"
#include "python/pjrt/core/handles.hpp"
#include "python/pjrt/devices/device.hpp"

namespace tandem::pjrt {

void handle(PJRT_DeviceDescription_Id_Args& args) {
  args.id = object_of(args.device_description).id();
}

void handle(PJRT_DeviceDescription_ProcessIndex_Args& args) { args.process_index = 0; }

void handle(PJRT_DeviceDescription_Attributes_Args& args) {
  const NamedValues& attributes = object_of(args.device_description).attributes();
  args.attributes = attributes.data();
  args.num_attributes = attributes.size();
}

void handle(PJRT_DeviceDescription_Kind_Args& args) {
  const std::string& kind = object_of(args.device_description).kind();
  args.device_kind = kind.data();
  args.device_kind_size = kind.size();
}

void handle(PJRT_DeviceDescription_DebugString_Args& args) {
  const std::string& text = object_of(args.device_description).debug_text();
  args.debug_string = text.data();
  args.debug_string_size = text.size();
}

void handle(PJRT_DeviceDescription_ToString_Args& args) {
  const std::string& text = object_of(args.device_description).text();
  args.to_string = text.data();
  args.to_string_size = text.size();
}

void handle(PJRT_Device_GetDescription_Args& args) {
  args.device_description = handle_of(object_of(args.device).description());
}

void handle(PJRT_Device_GetAttributes_Args& args) {
  const NamedValues& attributes = object_of(args.device).description().attributes();
  args.attributes = attributes.data();
  args.num_attributes = attributes.size();
  args.device_attributes = nullptr;
  args.attributes_deleter = [](PJRT_Device_Attributes*) {};
}

void handle(PJRT_Device_IsAddressable_Args& args) { args.is_addressable = true; }

void handle(PJRT_Device_LocalHardwareId_Args& args) {
  args.local_hardware_id = object_of(args.device).id();
}

void handle(PJRT_Device_AddressableMemories_Args& args) {
  args.memories = object_of(args.device).memories();
  args.num_memories = 1;
}

void handle(PJRT_Device_DefaultMemory_Args& args) {
  args.memory = &object_of(args.device).memory();
}

void handle(PJRT_Device_MemoryStats_Args& args) {
  const runtime::MemoryUse use = object_of(args.device).worker()->memory();
  clear_behind(args, args.device);
  args.bytes_in_use = static_cast<std::int64_t>(use.used);
  args.peak_bytes_in_use = static_cast<std::int64_t>(use.peak);
  args.peak_bytes_in_use_is_set = true;
  args.bytes_limit = static_cast<std::int64_t>(use.capacity);
  args.bytes_limit_is_set = true;
  args.largest_free_block_bytes = static_cast<std::int64_t>(use.largest_free);
  args.largest_free_block_bytes_is_set = true;
}

void handle(PJRT_Memory_Id_Args& args) { args.id = object_of(args.memory).id(); }

void handle(PJRT_Memory_Kind_Args& args) {
  args.kind = Memory::kind.data();
  args.kind_size = Memory::kind.size();
}

void handle(PJRT_Memory_Kind_Id_Args& args) { args.kind_id = Memory::kind_id; }

void handle(PJRT_Memory_DebugString_Args& args) {
  const std::string& text = object_of(args.memory).text();
  args.debug_string = text.data();
  args.debug_string_size = text.size();
}

void handle(PJRT_Memory_ToString_Args& args) {
  const std::string& text = object_of(args.memory).text();
  args.to_string = text.data();
  args.to_string_size = text.size();
}

void handle(PJRT_Memory_AddressableByDevices_Args& args) {
  args.devices = object_of(args.memory).devices();
  args.num_devices = 1;
}

}  // namespace tandem::pjrt
