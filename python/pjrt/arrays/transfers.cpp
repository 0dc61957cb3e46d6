#include "python/pjrt/arrays/transfers.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "python/pjrt/core/behind.hpp"

namespace tandem::pjrt {
namespace {

using Bytes = std::vector<std::uint8_t>;

SharedStorage new_storage(const Device& device, const Shape& shape) {
  return std::make_shared<Storage>(device.worker(), shape, std::make_shared<Completion>());
}

runtime::TensorHandle allocate(runtime::Device& device, const Shape& shape) {
  return device.allocate(shape.type, shape.dimensions);
}

void upload(runtime::Device& device, Storage& storage, std::span<const std::uint8_t> dense) {
  runtime::TensorHandle tensor = allocate(device, storage.shape());
  device.write(*tensor, dense);
  storage.fill(std::move(tensor));
}

// Large arrays on the host are usually fresh: writing them costs more for their pages than for
// their bytes, unless pages are large. This is only advice to the kernel.
void prefer_large_pages(std::uint8_t* first, std::uint64_t bytes) {
  constexpr std::size_t large_page = std::size_t{2} << 20U;
  void* begin = first;
  std::size_t room = bytes;
  if (std::align(large_page, large_page, begin, room) == nullptr) return;
  (void)madvise(begin, room / large_page * large_page, MADV_HUGEPAGE);
}

// A copy of the host's current data.
struct HostCopy {
  std::shared_ptr<const std::uint8_t[]> bytes;
  Strides strides;
};

HostCopy copied(const Shape& shape, const HostArray& host) {
  const std::size_t size = dense_bytes(shape);
  auto bytes = std::make_unique_for_overwrite<std::uint8_t[]>(size);
  prefer_large_pages(bytes.get(), size);
  // Reordering elements takes long. It is left to the device's thread if the array is one piece of
  // memory.
  if (is_compact(shape, host.strides)) {
    std::copy_n(host.first, size, bytes.get());
    return {std::move(bytes), host.strides};
  }
  gather(shape, host.strides, host.first, {bytes.get(), size});
  return {std::move(bytes), dense_strides(shape)};
}

void upload(runtime::Device& device, Storage& storage, const HostCopy& host) {
  const Shape& shape = storage.shape();
  if (is_dense(shape, host.strides)) {
    upload(device, storage, std::span(host.bytes.get(), dense_bytes(shape)));
    return;
  }
  Bytes dense(dense_bytes(shape));
  gather(shape, host.strides, host.bytes.get(), dense);
  upload(device, storage, dense);
}

Bytes download(runtime::Device& device, const Storage& storage) {
  const runtime::TensorHandle& tensor = storage.tensor();
  Bytes dense(dense_bytes(storage.shape()));
  device.read(*tensor, dense);
  return dense;
}

}  // namespace

// The copy is made in the call: after it the host may write into its array, as programs do that
// refill one buffer, and no run may see that.
std::unique_ptr<Buffer> to_device(Device& device, const Shape& shape, const HostArray& host) {
  const SharedStorage storage = new_storage(device, shape);
  auto result = std::make_unique<Buffer>(device, storage);
  device.worker()->post(
      TaskKind::transfer,
      [storage, copy = copied(shape, host)](runtime::Device& target) {
        upload(target, *storage, copy);
      },
      storage->ready());
  return result;
}

SharedCompletion to_host(const Buffer& buffer, const Strides& strides, std::uint8_t* first) {
  auto done = std::make_shared<Completion>();
  const SharedStorage storage = buffer.storage();
  storage->worker()->post(
      TaskKind::transfer,
      [storage, strides, first](runtime::Device& source) {
        const Shape& shape = storage->shape();
        if (is_dense(shape, strides)) {
          prefer_large_pages(first, dense_bytes(shape));
          source.read(*storage->tensor(), {first, dense_bytes(shape)});
        } else {
          scatter(shape, strides, download(source, *storage), first);
        }
      },
      behind({storage->ready()}, done));
  return done;
}

SharedCompletion raw_to_host(const Buffer& buffer, std::uint64_t offset, std::uint64_t size,
                             std::uint8_t* destination) {
  const SharedStorage storage = buffer.storage();
  const std::uint64_t bytes = dense_bytes(storage->shape());
  if (offset > bytes || size > bytes - offset) {
    fail(PJRT_Error_Code_INVALID_ARGUMENT, "bytes beyond the end of the buffer");
  }
  auto done = std::make_shared<Completion>();
  storage->worker()->post(
      TaskKind::transfer,
      [storage, offset, size, destination](runtime::Device& source) {
        const Bytes dense = download(source, *storage);
        std::copy_n(dense.begin() + static_cast<std::ptrdiff_t>(offset), size, destination);
      },
      behind({storage->ready()}, done));
  return done;
}

// Two tasks, the source's posted first and both under one lock: so a task waits only for one posted
// before it, and neither two copies in opposite directions nor a copy and a run of both devices can
// wait for each other.
std::unique_ptr<Buffer> copy_to_device(const Buffer& buffer, Device& device) {
  const SharedStorage from = buffer.storage();
  const SharedStorage to = new_storage(device, from->shape());
  auto result = std::make_unique<Buffer>(device, to);
  if (from->worker() == to->worker()) {
    to->worker()->post(
        TaskKind::transfer,
        [from, to](runtime::Device& both) { to->fill(both.clone(*from->tensor())); },
        behind({from->ready()}, to->ready()));
    return result;
  }
  const auto bytes = std::make_shared<Bytes>();
  const auto fetched = std::make_shared<Completion>();
  const std::lock_guard lock(posting_to_several());
  from->worker()->post(
      TaskKind::transfer,
      [from, bytes](runtime::Device& source) { *bytes = download(source, *from); }, fetched);
  to->worker()->post(
      TaskKind::transfer,
      [to, bytes, fetched](runtime::Device& target) {
        const Status& status = fetched->wait();
        if (!status.ok()) throw Failure{status};
        upload(target, *to, *bytes);
      },
      to->ready());
  return result;
}

std::unique_ptr<Buffer> uninitialised(Device& device, const Shape& shape) {
  const SharedStorage storage = new_storage(device, shape);
  auto result = std::make_unique<Buffer>(device, storage);
  device.worker()->post(
      TaskKind::transfer,
      [storage](runtime::Device& target) { storage->fill(allocate(target, storage->shape())); },
      storage->ready());
  return result;
}

std::unique_ptr<Buffer> failed_buffer(Device& device, const Shape& shape, Status status) {
  return std::make_unique<Buffer>(
      device, std::make_shared<Storage>(device.worker(), shape, finished(std::move(status))));
}

}  // namespace tandem::pjrt
