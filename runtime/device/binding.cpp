#include "runtime/device/binding.hpp"

#include "isa/launch/size_expression.hpp"
#include "runtime/device/messages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>

namespace tandem::runtime {
namespace {

using NamedSizes = std::map<std::string, std::int64_t>;

[[noreturn]] void refuse(const std::string& message) {
  throw Error{ErrorCode::invalid_argument, message};
}

// Whether a size is allowed where the declaration has a number, a name or neither.
bool agrees(const Tensor& declared, std::size_t axis, std::int64_t size, NamedSizes& named) {
  if (declared.dimensions[axis] != dimension_from_data) return declared.dimensions[axis] == size;
  const bool has_name = axis < declared.dimension_names.size() &&
                        !declared.dimension_names[axis].empty() &&
                        !is_size_expression(declared.dimension_names[axis]);
  return !has_name || named.try_emplace(declared.dimension_names[axis], size).first->second == size;
}

[[noreturn]] void refuse_sizes(const Tensor& declared, const std::vector<std::int64_t>& sizes) {
  refuse(fmt::format(message::sizes_differ, declared.name, fmt::join(declared.dimensions, ", "),
                     fmt::join(sizes, ", ")));
}

// Sizes that are made of others, once all names have theirs.
void check_expressions(const Tensor& declared, const std::vector<std::int64_t>& sizes,
                       const NamedSizes& named) {
  for (std::size_t axis = 0; axis < declared.dimension_names.size(); ++axis) {
    const std::string& text = declared.dimension_names[axis];
    if (!is_size_expression(text)) continue;
    if (read_size(text, sizes_in(named)).value != sizes[axis]) refuse_sizes(declared, sizes);
  }
}

PlacedTensor bind_one(const Tensor& declared, const DeviceTensor& tensor, NamedSizes& named) {
  if (declared.type != tensor.type()) {
    refuse(fmt::format(message::type_differs, declared.name, element_name(declared.type),
                       element_name(tensor.type())));
  }
  const std::vector<std::int64_t>& sizes = tensor.dimensions();
  bool good = sizes.size() == declared.dimensions.size();
  for (std::size_t axis = 0; good && axis < sizes.size(); ++axis) {
    good = agrees(declared, axis, sizes[axis], named);
  }
  if (!good) refuse_sizes(declared, sizes);
  PlacedTensor placed = tensor.placed();
  placed.tensor = declared;
  placed.tensor.dimensions = sizes;
  return placed;
}

}  // namespace

std::vector<PlacedTensor> bind(std::span<const Tensor> declared,
                               std::span<const TensorHandle> tensors) {
  if (declared.size() != tensors.size()) {
    refuse(fmt::format(message::tensor_count_differs, declared.size(), tensors.size()));
  }
  NamedSizes named;
  std::vector<PlacedTensor> placed;
  placed.reserve(declared.size());
  for (std::size_t i = 0; i < declared.size(); ++i) {
    placed.push_back(bind_one(declared[i], *tensors[i], named));
  }
  for (std::size_t i = 0; i < declared.size(); ++i) {
    check_expressions(declared[i], placed[i].tensor.dimensions, named);
  }
  return placed;
}

void clear(DeviceModel& model, const PlacedTensor& tensor) {
  static constexpr std::array<std::uint8_t, 4096> zeros{};
  for (std::uint64_t at = 0; at < tensor.bytes; at += zeros.size()) {
    const auto bytes = std::min<std::uint64_t>(zeros.size(), tensor.bytes - at);
    model.write(tensor.address + at, std::span(zeros).first(bytes));
  }
}

}  // namespace tandem::runtime
