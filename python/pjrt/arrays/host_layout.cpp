#include "python/pjrt/arrays/host_layout.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "python/pjrt/core/status.hpp"

namespace tandem::pjrt {
namespace {

// Calls visit(offset in the strided array, offset in the dense one) for each element.
template <typename Visit>
void for_each_element(const Shape& shape, const Strides& strides, Visit visit) {
  const std::size_t rank = shape.dimensions.size();
  const std::uint64_t total = dense_bytes(shape);
  const std::uint32_t element = element_bytes(shape.type);
  std::vector<std::int64_t> index(rank, 0);
  std::int64_t offset = 0;
  for (std::uint64_t dense = 0; dense < total; dense += element) {
    visit(offset, dense);
    for (std::size_t d = rank; d-- > 0;) {
      offset += strides[d];
      if (++index[d] < shape.dimensions[d]) break;
      offset -= strides[d] * shape.dimensions[d];
      index[d] = 0;
    }
  }
}

Strides from_minor_to_major(const Shape& shape, const PJRT_Buffer_MemoryLayout_Tiled& layout) {
  const std::size_t rank = shape.dimensions.size();
  if (layout.num_tiles != 0) {
    fail(PJRT_Error_Code_UNIMPLEMENTED, "unimplemented: a tiled layout in the memory of the host");
  }
  Strides strides(rank, 0);
  std::int64_t bytes = element_bytes(shape.type);
  for (std::size_t i = 0; i < rank; ++i) {
    const auto dimension = static_cast<std::size_t>(layout.minor_to_major[i]);
    if (dimension >= rank || strides[dimension] != 0) {
      fail(PJRT_Error_Code_INVALID_ARGUMENT, "a layout that is no order of the dimensions");
    }
    strides[dimension] = bytes;
    bytes *= std::max<std::int64_t>(shape.dimensions[dimension], 1);
  }
  return strides;
}

}  // namespace

Strides dense_strides(const Shape& shape) {
  Strides strides(shape.dimensions.size());
  std::int64_t bytes = element_bytes(shape.type);
  for (std::size_t d = strides.size(); d-- > 0;) {
    strides[d] = bytes;
    bytes *= shape.dimensions[d];
  }
  return strides;
}

bool is_dense(const Shape& shape, const Strides& strides) {
  const Strides dense = dense_strides(shape);
  if (dense_bytes(shape) == 0) return true;
  for (std::size_t d = 0; d < strides.size(); ++d) {
    if (shape.dimensions[d] > 1 && strides[d] != dense[d]) return false;
  }
  return true;
}

bool is_compact(const Shape& shape, const Strides& strides) {
  std::vector<std::pair<std::int64_t, std::int64_t>> by_stride;  // and the size there
  for (std::size_t d = 0; d < strides.size(); ++d) {
    const std::int64_t size = shape.dimensions[d];
    if (size == 0) return false;
    if (size > 1) by_stride.emplace_back(strides[d], size);
  }
  std::sort(by_stride.begin(), by_stride.end());
  std::int64_t bytes = element_bytes(shape.type);
  for (const auto& [stride, size] : by_stride) {
    if (stride != bytes) return false;
    bytes *= size;
  }
  return true;
}

Strides strides_of(const Shape& shape, const std::int64_t* byte_strides, std::size_t count) {
  if (byte_strides == nullptr || count == 0) return dense_strides(shape);
  if (count != shape.dimensions.size()) {
    fail(PJRT_Error_Code_INVALID_ARGUMENT, "as many strides as dimensions are wanted");
  }
  return {byte_strides, byte_strides + count};
}

Strides strides_of(const Shape& shape, const PJRT_Buffer_MemoryLayout* layout) {
  if (layout == nullptr) return dense_strides(shape);
  switch (layout->type) {
    case PJRT_Buffer_MemoryLayout_Type_Strides:
      return strides_of(shape, layout->strides.byte_strides, layout->strides.num_byte_strides);
    case PJRT_Buffer_MemoryLayout_Type_Tiled:
      if (layout->tiled.minor_to_major_size != shape.dimensions.size()) {
        fail(PJRT_Error_Code_INVALID_ARGUMENT, "a layout of another rank than the array's");
      }
      return from_minor_to_major(shape, layout->tiled);
  }
  fail(PJRT_Error_Code_INVALID_ARGUMENT, "a layout of unknown type");
}

void gather(const Shape& shape, const Strides& strides, const std::uint8_t* host,
            std::span<std::uint8_t> dense) {
  if (is_dense(shape, strides)) {
    std::copy_n(host, dense.size(), dense.begin());
    return;
  }
  const std::uint32_t bytes = element_bytes(shape.type);
  for_each_element(shape, strides, [&](std::int64_t from, std::uint64_t to) {
    std::memcpy(&dense[to], host + from, bytes);
  });
}

void scatter(const Shape& shape, const Strides& strides, std::span<const std::uint8_t> dense,
             std::uint8_t* host) {
  const std::uint32_t bytes = element_bytes(shape.type);
  for_each_element(shape, strides, [&](std::int64_t to, std::uint64_t from) {
    std::memcpy(host + to, &dense[from], bytes);
  });
}

}  // namespace tandem::pjrt
