#include "runtime/device/named_launch.hpp"

#include "runtime/device/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "isa/launch/launch_messages.hpp"
#include "isa/launch/tensor_layout.hpp"

namespace tandem::runtime {
namespace {

constexpr std::uint64_t unit = HbmAllocator::alignment;

std::uint64_t round_up(std::uint64_t value) { return (value + unit - 1) / unit * unit; }

DeviceOptions options_for(const Image& image, DeviceOptions options) {
  check_image(image, options.hbm_bytes);
  options.preset = image.preset->name;
  options.rooms = HbmRooms{round_up(image_end(image)),
                           round_up(argument_block_bytes(image, image.tensors.size()))};
  if (options.rooms->programs + options.rooms->arguments > options.hbm_bytes) {
    throw launch_error(LaunchMessage::program_does_not_fit, options.hbm_bytes);
  }
  return options;
}

void check_bytes(const Tensor& tensor, const TensorData& data) {
  const std::uint64_t wanted =
      tensor_layout(tensor.type, tensor.dimensions, ~std::uint64_t{0})->packed_bytes();
  if (data.bytes.size() == wanted) return;
  throw launch_error(LaunchMessage::bytes_differ, tensor.name, wanted, data.bytes.size());
}

}  // namespace

NamedLaunch::NamedLaunch(DeviceOptions options, Image image,
                         const std::map<std::string, TensorData>& bound)
    : device_(options_for(image, std::move(options))), program_(device_.load(std::move(image))) {
  for (const Tensor& tensor : sized_tensors(program_->image(), bound)) place(tensor, bound);
}

void NamedLaunch::place(const Tensor& sized, const std::map<std::string, TensorData>& bound) {
  if (!sized.shares.empty()) {
    const DeviceTensor& other = tensor(sized.shares);
    if (other.dimensions() != sized.dimensions) {
      throw launch_error(LaunchMessage::cannot_share, sized.name, sized.shares);
    }
    const auto same = std::find_if(tensors_.begin(), tensors_.end(),
                                   [&](const auto& held) { return held.get() == &other; });
    tensors_.push_back(TensorHandle(*same));
    return;
  }
  try {
    tensors_.push_back(device_.allocate(sized.type, sized.dimensions));
  } catch (const Error& error) {
    if (error.code != ErrorCode::out_of_memory) throw;
    throw launch_error(LaunchMessage::tensor_does_not_fit, sized.name, device_.options().hbm_bytes);
  }
  const auto data = bound.find(sized.name);
  if (data == bound.end()) return;
  check_bytes(sized, data->second);
  const std::vector<std::uint8_t>& bytes = data->second.bytes;
  device_.write(*tensors_.back(), bytes);
  inputs_.add(bytes.data(), bytes.size());
}

std::unique_ptr<Run> NamedLaunch::start(const RunReaders& readers) {
  return device_.start(program_, tensors_, readers);
}

const DeviceTensor& NamedLaunch::tensor(std::string_view name) const {
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    if (program_->tensors()[i].name == name) return *tensors_[i];
  }
  throw LaunchError{fmt::format(message::no_such_tensor, name)};
}

TensorData NamedLaunch::read(std::string_view name) const {
  const DeviceTensor& wanted = tensor(name);
  const auto layout = tensor_layout(wanted.type(), wanted.dimensions(), wanted.bytes());
  TensorData data{wanted.dimensions(), std::vector<std::uint8_t>(layout->packed_bytes())};
  device_.read(wanted, data.bytes);
  return data;
}

}  // namespace tandem::runtime
