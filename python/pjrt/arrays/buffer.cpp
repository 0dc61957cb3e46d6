#include "python/pjrt/arrays/buffer.hpp"

#include <algorithm>
#include <functional>
#include <new>
#include <utility>

#include "python/pjrt/core/fork_guard.hpp"

namespace tandem::pjrt {
namespace {

[[noreturn]] void refuse_deleted() {
  fail(PJRT_Error_Code_INVALID_ARGUMENT, "Buffer has been deleted or donated.");
}

}  // namespace

Storage::Storage(std::shared_ptr<Worker> worker, Shape shape, SharedCompletion ready)
    : worker_(std::move(worker)), shape_(std::move(shape)), ready_(std::move(ready)) {}

Storage::~Storage() {
  // Its memory has a lock, of which the child got a copy in an unknown state.
  if (is_forked_child()) new (std::nothrow) runtime::TensorHandle(std::move(tensor_));
}

// The task that fills it has been posted before the one that asks, so this waits at most for
// another device, never for its own.
const runtime::TensorHandle& Storage::tensor() const {
  if (tensor_ == nullptr) {
    const Status& status = ready_->wait();
    if (!status.ok()) throw Failure{status};
  }
  return tensor_;
}

Buffer::Buffer(Device& device, SharedStorage storage)
    : device_(device), shape_(storage->shape()), storage_(std::move(storage)) {
  for (std::size_t d = shape_.dimensions.size(); d-- > 0;) {
    minor_to_major_.push_back(static_cast<std::int64_t>(d));
  }
}

SharedStorage Buffer::storage() const {
  const std::lock_guard lock(mutex_);
  if (storage_ == nullptr) refuse_deleted();
  return storage_;
}

void Buffer::erase() {
  SharedStorage erased;
  const std::lock_guard lock(mutex_);
  erased.swap(storage_);
}

bool Buffer::is_erased() const {
  const std::lock_guard lock(mutex_);
  return storage_ == nullptr;
}

std::vector<SharedStorage> take_storages(std::span<Buffer* const> buffers) {
  // In one order for all threads, or two that hold a lock each could wait for each other.
  std::vector<Buffer*> in_order(buffers.begin(), buffers.end());
  std::sort(in_order.begin(), in_order.end(), std::less<>());
  std::vector<std::unique_lock<std::mutex>> locks;
  locks.reserve(in_order.size());
  for (const Buffer* buffer : in_order) {
    locks.emplace_back(buffer->mutex_);
    if (buffer->storage_ == nullptr) refuse_deleted();
  }
  std::vector<SharedStorage> taken;
  taken.reserve(buffers.size());
  for (Buffer* buffer : buffers) taken.push_back(std::move(buffer->storage_));
  return taken;
}

}  // namespace tandem::pjrt
