#include "python/pjrt/arrays/buffer.hpp"

#include <new>
#include <utility>

#include "python/pjrt/core/fork_guard.hpp"

namespace tandem::pjrt {

Storage::Storage(std::shared_ptr<Worker> worker, Shape shape, SharedCompletion ready)
    : worker_(std::move(worker)), shape_(std::move(shape)), ready_(std::move(ready)) {}

Storage::~Storage() {
  // Its memory has a lock, of which the child got a copy in whatever state.
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
  if (storage_ == nullptr) {
    fail(PJRT_Error_Code_INVALID_ARGUMENT, "the buffer has been deleted or donated");
  }
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

}  // namespace tandem::pjrt
