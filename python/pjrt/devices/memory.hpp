// PJRT_Memory: the HBM of one device, the only kind of memory there is.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "python/pjrt/core/pjrt_header.hpp"

namespace tandem::pjrt {

class Device;

class Memory : public PJRT_Memory {
 public:
  explicit Memory(Device& device);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  [[nodiscard]] Device& device() const { return device_; }
  // One, as the interface wants a list.
  [[nodiscard]] PJRT_Device* const* devices() const { return &handle_; }
  [[nodiscard]] int id() const;
  [[nodiscard]] const std::string& text() const { return text_; }
  static constexpr std::string_view kind = "device";
  static constexpr int kind_id = 0;

  // Values that the framework attaches to the object, by key.
  void* user_data(const void* key);
  void set_user_data(const void* key, void* data, void (*free)(void*));

 private:
  struct UserData {
    void* data = nullptr;
    void (*free)(void*) = nullptr;
  };
  Device& device_;
  PJRT_Device* handle_;
  std::string text_;
  std::mutex mutex_;
  std::map<const void*, UserData> user_data_;
};

}  // namespace tandem::pjrt
