// Between the opaque pointers of the interface and the classes behind them.
#pragma once

#include <algorithm>

#include "python/pjrt/core/pjrt_header.hpp"
#include "python/pjrt/core/status.hpp"

namespace tandem::pjrt {

class Buffer;
class Client;
class Device;
class DeviceDescription;
class Event;
class Executable;
class ExecuteContext;
class LoadedExecutable;
class Memory;
class Topology;

template <typename Handle>
struct ClassOf;
template <typename Class>
struct HandleOf;

#define TANDEM_PJRT_HANDLE(HANDLE, CLASS) \
  template <>                             \
  struct ClassOf<HANDLE> {                \
    using type = CLASS;                   \
  };                                      \
  template <>                             \
  struct HandleOf<CLASS> {                \
    using type = HANDLE;                  \
  };
TANDEM_PJRT_HANDLE(PJRT_Buffer, Buffer)
TANDEM_PJRT_HANDLE(PJRT_Client, Client)
TANDEM_PJRT_HANDLE(PJRT_Device, Device)
TANDEM_PJRT_HANDLE(PJRT_DeviceDescription, DeviceDescription)
TANDEM_PJRT_HANDLE(PJRT_Event, Event)
TANDEM_PJRT_HANDLE(PJRT_Executable, Executable)
TANDEM_PJRT_HANDLE(PJRT_ExecuteContext, ExecuteContext)
TANDEM_PJRT_HANDLE(PJRT_LoadedExecutable, LoadedExecutable)
TANDEM_PJRT_HANDLE(PJRT_Memory, Memory)
TANDEM_PJRT_HANDLE(PJRT_TopologyDescription, Topology)
#undef TANDEM_PJRT_HANDLE

// PJRT_Memory is a base that the interface knows at offset 0; all others are opaque.
template <typename Class>
typename HandleOf<Class>::type* handle_of(Class& object) {
  return reinterpret_cast<typename HandleOf<Class>::type*>(&object);
}

template <typename Handle>
typename ClassOf<Handle>::type* pointer_of(Handle* handle) {
  return reinterpret_cast<typename ClassOf<Handle>::type*>(handle);
}

template <typename Handle>
const typename ClassOf<Handle>::type* pointer_of(const Handle* handle) {
  return reinterpret_cast<const typename ClassOf<Handle>::type*>(handle);
}

// Throws Failure for nullptr.
template <typename Handle>
auto& object_of(Handle* handle) {
  if (handle == nullptr) {
    fail(PJRT_Error_Code_INVALID_ARGUMENT, "a null pointer where an object is wanted");
  }
  return *pointer_of(handle);
}

// Zeros for everything after the caller's last input: callers need not set outputs.
template <typename Args, typename Member>
void clear_behind(Args& args, const Member& last) {
  char* const begin = const_cast<char*>(reinterpret_cast<const char*>(&last + 1));
  std::fill(begin, reinterpret_cast<char*>(&args + 1), 0);
}

}  // namespace tandem::pjrt
