#include "cli/run/program/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"

namespace tandem {
namespace {

constexpr std::int64_t largest_size = 0x7fff'ffff;

struct Request {
  std::string argument;
  std::string name;
  std::vector<std::string> sizes;

  [[noreturn]] void refuse(const std::string& why) const {
    throw UserError{fmt::format(message::bad_size, argument, why)};
  }

  [[nodiscard]] std::int64_t number(const std::string& text) const {
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && stop == end && value >= 0 && value <= largest_size) return value;
    refuse(fmt::format("'{}' is not a size, which is 0 to {}", text, largest_size));
  }
};

Request parse(const std::string& argument) {
  const std::size_t equals = argument.find('=');
  Request request{argument, argument.substr(0, equals), {}};
  if (equals == std::string::npos || equals == 0)
    request.refuse("write TENSOR=SIZE,... or DIMENSION=SIZE");
  for (std::size_t at = equals + 1; at <= argument.size();) {
    const std::size_t end = std::min(argument.find(',', at), argument.size());
    request.sizes.push_back(argument.substr(at, end - at));
    at = end + 1;
  }
  return request;
}

void fix(const Request& request, std::int64_t& dimension, std::int64_t size) {
  if (dimension != dimension_from_data && dimension != size) {
    request.refuse(fmt::format("it is declared as {}", dimension));
  }
  dimension = size;
}

void bind_tensor(const Request& request, Tensor& tensor) {
  if (request.sizes.size() != tensor.dimensions.size()) {
    request.refuse(fmt::format("the tensor has {} dimensions", tensor.dimensions.size()));
  }
  for (std::size_t axis = 0; axis < request.sizes.size(); ++axis) {
    if (request.sizes[axis] == "?") continue;
    fix(request, tensor.dimensions[axis], request.number(request.sizes[axis]));
  }
}

// Whether some tensor has a dimension of that name.
bool bind_dimension(const Request& request, Image& image) {
  bool found = false;
  for (Tensor& tensor : image.tensors) {
    for (std::size_t axis = 0; axis < tensor.dimensions.size(); ++axis) {
      if (axis >= tensor.dimension_names.size()) break;
      if (tensor.dimension_names[axis] != request.name) continue;
      if (request.sizes.size() != 1) request.refuse("a dimension has one size");
      fix(request, tensor.dimensions[axis], request.number(request.sizes[0]));
      found = true;
    }
  }
  return found;
}

}  // namespace

void bind_sizes(Image& image, const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    const Request request = parse(argument);
    const auto tensor =
        std::find_if(image.tensors.begin(), image.tensors.end(),
                     [&request](const Tensor& item) { return item.name == request.name; });
    if (tensor != image.tensors.end()) {
      bind_tensor(request, *tensor);
    } else if (!bind_dimension(request, image)) {
      request.refuse("the program has no tensor and no dimension of that name");
    }
  }
}

}  // namespace tandem
