// The plugin as a framework drives it: by nothing but its table of functions.
#pragma once

#include <catch2/catch.hpp>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "python/pjrt/core/pjrt_header.hpp"

extern "C" const PJRT_Api* GetPjrtApi();  // NOLINT(readability-identifier-naming): JAX's name

namespace tandem::pjrt_test {

struct Problem {
  PJRT_Error_Code code;
  std::string message;
};

template <typename Args>
Args arguments() {
  Args args{};
  args.struct_size = sizeof(Args);
  return args;
}

inline std::optional<Problem> taken(PJRT_Error* error) {
  if (error == nullptr) return std::nullopt;
  const PJRT_Api* api = GetPjrtApi();
  auto code = arguments<PJRT_Error_GetCode_Args>();
  code.error = error;
  (void)api->PJRT_Error_GetCode(&code);
  auto message = arguments<PJRT_Error_Message_Args>();
  message.error = error;
  api->PJRT_Error_Message(&message);
  Problem problem{code.code, {message.message, message.message_size}};
  auto destroy = arguments<PJRT_Error_Destroy_Args>();
  destroy.error = error;
  api->PJRT_Error_Destroy(&destroy);
  return problem;
}

// For calls that must succeed.
inline void check(PJRT_Error* error) {
  const auto problem = taken(error);
  if (problem) FAIL("error " << problem->code << ": " << problem->message);
}

inline std::optional<Problem> awaited(PJRT_Event* event) {
  auto args = arguments<PJRT_Event_Await_Args>();
  args.event = event;
  auto problem = taken(GetPjrtApi()->PJRT_Event_Await(&args));
  auto destroy = arguments<PJRT_Event_Destroy_Args>();
  destroy.event = event;
  check(GetPjrtApi()->PJRT_Event_Destroy(&destroy));
  return problem;
}

inline bool is_ready(PJRT_Event* event) {
  auto args = arguments<PJRT_Event_IsReady_Args>();
  args.event = event;
  check(GetPjrtApi()->PJRT_Event_IsReady(&args));
  return args.is_ready;
}

// A buffer that goes with its holder.
class Array {
 public:
  explicit Array(PJRT_Buffer* buffer) : buffer_(buffer) {}
  Array(Array&& other) noexcept : buffer_(std::exchange(other.buffer_, nullptr)) {}
  Array& operator=(Array&&) = delete;
  ~Array() {
    auto args = arguments<PJRT_Buffer_Destroy_Args>();
    args.buffer = buffer_;
    check(GetPjrtApi()->PJRT_Buffer_Destroy(&args));
  }
  [[nodiscard]] PJRT_Buffer* get() const { return buffer_; }

  // Waits; a problem instead of the elements when it failed.
  template <typename T>
  std::optional<Problem> read(std::vector<T>& elements) const {
    auto args = arguments<PJRT_Buffer_ToHostBuffer_Args>();
    args.src = buffer_;
    check(GetPjrtApi()->PJRT_Buffer_ToHostBuffer(&args));
    elements.resize(args.dst_size / sizeof(T));
    args.dst = elements.empty() ? static_cast<void*>(this_place()) : elements.data();
    if (auto problem = taken(GetPjrtApi()->PJRT_Buffer_ToHostBuffer(&args))) return problem;
    return awaited(args.event);
  }
  void erase() const {
    auto args = arguments<PJRT_Buffer_Delete_Args>();
    args.buffer = buffer_;
    check(GetPjrtApi()->PJRT_Buffer_Delete(&args));
  }
  [[nodiscard]] bool is_deleted() const {
    auto args = arguments<PJRT_Buffer_IsDeleted_Args>();
    args.buffer = buffer_;
    check(GetPjrtApi()->PJRT_Buffer_IsDeleted(&args));
    return args.is_deleted;
  }

 private:
  static char* this_place() {
    static char place;
    return &place;
  }
  PJRT_Buffer* buffer_;
};

using Options = std::vector<std::pair<std::string, std::string>>;

// A client that goes with its holder, too.
class Session {
 public:
  explicit Session(const Options& options = {}) : client_(created(options)) {}
  ~Session() {
    auto args = arguments<PJRT_Client_Destroy_Args>();
    args.client = client_;
    check(GetPjrtApi()->PJRT_Client_Destroy(&args));
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  static std::optional<Problem> try_create(const Options& options, PJRT_Client*& client) {
    auto args = arguments<PJRT_Client_Create_Args>();
    std::vector<PJRT_NamedValue> values;
    for (const auto& [name, text] : options) {
      auto value = arguments<PJRT_NamedValue>();
      value.name = name.data();
      value.name_size = name.size();
      value.type = PJRT_NamedValue_kString;
      value.string_value = text.data();
      value.value_size = text.size();
      values.push_back(value);
    }
    args.create_options = values.data();
    args.num_options = values.size();
    auto problem = taken(GetPjrtApi()->PJRT_Client_Create(&args));
    client = args.client;
    return problem;
  }

  [[nodiscard]] PJRT_Client* client() const { return client_; }
  [[nodiscard]] PJRT_Device* device(std::size_t number = 0) const {
    auto args = arguments<PJRT_Client_AddressableDevices_Args>();
    args.client = client_;
    check(GetPjrtApi()->PJRT_Client_AddressableDevices(&args));
    REQUIRE(number < args.num_addressable_devices);
    return args.addressable_devices[number];
  }

  struct Host {
    PJRT_Buffer_Type type;
    const void* data;
    std::vector<std::int64_t> dimensions;
    std::vector<std::int64_t> strides{};
    PJRT_HostBufferSemantics semantics = PJRT_HostBufferSemantics_kImmutableZeroCopy;
    std::size_t device = 0;
  };
  // Waits until the host's memory is free again.
  std::optional<Problem> try_put(const Host& host, PJRT_Buffer*& buffer) const {
    PJRT_Event* free = nullptr;
    if (auto problem = try_put(host, buffer, free)) return problem;
    return awaited(free);
  }
  // Does not.
  [[nodiscard]] Array put_at_once(const Host& host) const {
    PJRT_Buffer* buffer = nullptr;
    PJRT_Event* free = nullptr;
    const auto problem = try_put(host, buffer, free);
    if (problem) FAIL(problem->message);
    auto destroy = arguments<PJRT_Event_Destroy_Args>();
    destroy.event = free;
    check(GetPjrtApi()->PJRT_Event_Destroy(&destroy));
    return Array(buffer);
  }
  [[nodiscard]] Array put(const Host& host) const {
    PJRT_Buffer* buffer = nullptr;
    const auto problem = try_put(host, buffer);
    if (problem) FAIL(problem->message);
    return Array(buffer);
  }
  [[nodiscard]] Array put(const std::vector<float>& elements, std::size_t device = 0) const {
    Host host{PJRT_Buffer_Type_F32, elements.data(), {static_cast<std::int64_t>(elements.size())}};
    host.device = device;
    return put(host);
  }

 private:
  std::optional<Problem> try_put(const Host& host, PJRT_Buffer*& buffer, PJRT_Event*& free) const {
    auto args = arguments<PJRT_Client_BufferFromHostBuffer_Args>();
    args.client = client_;
    args.data = host.data;
    args.type = host.type;
    args.dims = host.dimensions.data();
    args.num_dims = host.dimensions.size();
    args.byte_strides = host.strides.empty() ? nullptr : host.strides.data();
    args.num_byte_strides = host.strides.size();
    args.host_buffer_semantics = host.semantics;
    args.device = device(host.device);
    if (auto problem = taken(GetPjrtApi()->PJRT_Client_BufferFromHostBuffer(&args))) {
      return problem;
    }
    buffer = args.buffer;
    free = args.done_with_host_buffer;
    return std::nullopt;
  }
  static PJRT_Client* created(const Options& options) {
    PJRT_Client* client = nullptr;
    const auto problem = try_create(options, client);
    if (problem) FAIL(problem->message);
    return client;
  }
  PJRT_Client* client_;
};

}  // namespace tandem::pjrt_test
