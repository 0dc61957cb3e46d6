// PJRT_Buffer: an array in the memory of a device.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "python/pjrt/arrays/element_types.hpp"
#include "python/pjrt/core/completion.hpp"
#include "python/pjrt/devices/device.hpp"

namespace tandem::pjrt {

// The storage of a buffer. Tasks share it, so that it exists while they need it, whatever happens
// to the buffer.
class Storage {
 public:
  // To be filled by the task, or tasks, that finish `ready`.
  Storage(std::shared_ptr<Worker> worker, Shape shape, SharedCompletion ready);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  [[nodiscard]] const std::shared_ptr<Worker>& worker() const { return worker_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] const SharedCompletion& ready() const { return ready_; }

  // In tasks of the worker only.
  void fill(runtime::TensorHandle tensor) { tensor_ = std::move(tensor); }
  // Throws Failure when the task that was to fill it has failed.
  [[nodiscard]] const runtime::TensorHandle& tensor() const;

 private:
  const std::shared_ptr<Worker> worker_;
  const Shape shape_;
  const SharedCompletion ready_;
  runtime::TensorHandle tensor_;
};

using SharedStorage = std::shared_ptr<Storage>;

class Buffer {
 public:
  Buffer(Device& device, SharedStorage storage);

  [[nodiscard]] Device& device() const { return device_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  // Dimensions from the one that changes fastest to the slowest.
  [[nodiscard]] const std::vector<std::int64_t>& minor_to_major() const { return minor_to_major_; }
  // Throws Failure when it was deleted or donated.
  [[nodiscard]] SharedStorage storage() const;
  void erase();
  [[nodiscard]] bool is_erased() const;

 private:
  friend std::vector<SharedStorage> take_storages(std::span<Buffer* const> buffers);

  Device& device_;
  const Shape shape_;
  std::vector<std::int64_t> minor_to_major_;
  mutable std::mutex mutex_;
  SharedStorage storage_;  // empty once deleted
};

// The storages of the buffers, which are deleted from then on, all in one step, so that of two
// threads that donate one buffer only one gets it. Each buffer may appear once. Throws Failure when
// one of them was deleted or donated, and leaves the others as they were.
std::vector<SharedStorage> take_storages(std::span<Buffer* const> buffers);

}  // namespace tandem::pjrt
