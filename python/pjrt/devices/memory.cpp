#include "python/pjrt/devices/memory.hpp"

#include <fmt/format.h>

#include <utility>

#include "python/pjrt/core/handles.hpp"
#include "python/pjrt/devices/device.hpp"

namespace tandem::pjrt {
namespace {

const PJRT_Memory_FunctionTable memory_functions = {
    .struct_size = PJRT_Memory_FunctionTable_STRUCT_SIZE,
    .extension_start = nullptr,
    .instance_struct_size = PJRT_Memory_STRUCT_SIZE,
    .get_user_data = [](PJRT_Memory* memory, const void* key) -> void* {
      return static_cast<Memory*>(memory)->user_data(key);
    },
    .set_user_data =
        [](PJRT_Memory* memory, const void* key, void* data, void (*free)(void*)) {
          static_cast<Memory*>(memory)->set_user_data(key, data, free);
        },
};

}  // namespace

Memory::Memory(Device& device)
    : PJRT_Memory{&memory_functions},
      device_(device),
      handle_(handle_of(device)),
      text_(fmt::format("TandemMemory(hbm of device {})", device.id())) {}

Memory::~Memory() {
  for (const auto& [key, value] : user_data_) {
    if (value.free != nullptr) value.free(value.data);
  }
}

int Memory::id() const { return device_.id(); }

void* Memory::user_data(const void* key) {
  const std::lock_guard lock(mutex_);
  const auto found = user_data_.find(key);
  return found == user_data_.end() ? nullptr : found->second.data;
}

void Memory::set_user_data(const void* key, void* data, void (*free)(void*)) {
  UserData before{data, free};
  {
    const std::lock_guard lock(mutex_);
    std::swap(user_data_[key], before);
  }
  if (before.free != nullptr) before.free(before.data);
}

}  // namespace tandem::pjrt
