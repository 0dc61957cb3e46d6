#include "isa/launch/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "isa/launch/argument.hpp"
#include "isa/launch/launch_messages.hpp"
#include "isa/launch/size_expression.hpp"
#include "isa/launch/tensor_layout.hpp"

namespace tandem {
namespace {

static_assert(argument_entry_bytes == 4 * argument_words);

constexpr std::uint64_t placement = 4096;  // tensors and argument block start at multiples of it
constexpr std::int64_t largest_dimension = 0x7fffffff;  // must fit in a word of the argument block

using Bound = std::map<std::string, TensorData>;

template <typename... Args>
[[noreturn]] void refuse(LaunchMessage message, const Args&... args) {
  throw launch_error(message, args...);
}

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

// The name of a dimension in messages: its name in the source, or its position.
std::string dimension_title(const Tensor& tensor, std::size_t axis) {
  if (axis < tensor.dimension_names.size() && !tensor.dimension_names[axis].empty()) {
    return fmt::format("dimension '{}'", tensor.dimension_names[axis]);
  }
  return fmt::format("dimension {}", axis);
}

// Sizes of named dimensions taken from bound data, with the tensor that each was taken from.
struct NamedSize {
  std::int64_t size;
  std::string tensor;
};
using NamedSizes = std::map<std::string, NamedSize>;

void check_names(const Image& image, const Bound& bound) {
  for (const auto& [name, data] : bound) {
    const auto found =
        std::find_if(image.tensors.begin(), image.tensors.end(),
                     [&wanted = name](const Tensor& tensor) { return tensor.name == wanted; });
    if (found == image.tensors.end()) {
      std::string known;
      for (const Tensor& tensor : image.tensors) known += (known.empty() ? "" : ", ") + tensor.name;
      refuse(LaunchMessage::no_such_tensor, name, known.empty() ? "none" : known);
    }
    if (!found->input) refuse(LaunchMessage::takes_no_data, name);
  }
}

void check_rank(const Tensor& tensor, const TensorData& data) {
  if (data.dimensions.size() == tensor.dimensions.size()) return;
  refuse(LaunchMessage::rank_differs, tensor.name, tensor.dimensions.size(),
         data.dimensions.size());
}

void check_size(const Tensor& tensor, std::size_t axis, std::int64_t size) {
  if (size >= 0 && size <= largest_dimension) return;
  refuse(LaunchMessage::size_out_of_range, tensor.name, dimension_title(tensor, axis), size,
         largest_dimension);
}

void note_name(NamedSizes& named, const Tensor& tensor, std::size_t axis) {
  if (axis >= tensor.dimension_names.size() || tensor.dimension_names[axis].empty()) return;
  if (is_size_expression(tensor.dimension_names[axis])) return;
  const std::int64_t size = tensor.dimensions[axis];
  const auto [entry, fresh] =
      named.try_emplace(tensor.dimension_names[axis], NamedSize{size, tensor.name});
  if (fresh || entry->second.size == size) return;
  refuse(LaunchMessage::named_sizes_differ, entry->first, entry->second.size, entry->second.tensor,
         size, tensor.name);
}

// Takes the sizes of a tensor from its data, which must agree with the declaration.
void size_from_data(Tensor& tensor, const TensorData& data) {
  check_rank(tensor, data);
  for (std::size_t axis = 0; axis < tensor.dimensions.size(); ++axis) {
    std::int64_t& size = tensor.dimensions[axis];
    if (size != dimension_from_data && size != data.dimensions[axis]) {
      refuse(LaunchMessage::size_differs, tensor.name, dimension_title(tensor, axis), size,
             data.dimensions[axis]);
    }
    size = data.dimensions[axis];
  }
}

// A size that is made of others: sets it, or compares it with what data or a request say.
void size_from_expression(Tensor& tensor, std::size_t axis, const NamedSizes& named) {
  const SizeLookup size_of = [&named](std::string_view name) {
    const auto found = named.find(std::string(name));
    return found == named.end() ? std::nullopt : std::optional(found->second.size);
  };
  const SizeExpression wanted = read_size(tensor.dimension_names[axis], size_of);
  const std::string known = known_sizes_text(wanted, size_of);
  const std::string title =
      dimension_title(tensor, axis) + (known.empty() ? "" : " (" + known + ")");
  if (!wanted.value) refuse(LaunchMessage::size_impossible, tensor.name, title, wanted.trouble);
  if (*wanted.value < 0 || *wanted.value > largest_dimension) {
    refuse(LaunchMessage::size_out_of_range, tensor.name, title, *wanted.value, largest_dimension);
  }
  std::int64_t& size = tensor.dimensions[axis];
  if (size != dimension_from_data && size != *wanted.value) {
    refuse(LaunchMessage::size_differs, tensor.name, title, *wanted.value, size);
  }
  size = *wanted.value;
}

void size_from_names(Tensor& tensor, const NamedSizes& named) {
  for (std::size_t axis = 0; axis < tensor.dimensions.size(); ++axis) {
    const bool has_name = axis < tensor.dimension_names.size();
    if (has_name && is_size_expression(tensor.dimension_names[axis])) {
      size_from_expression(tensor, axis, named);
    }
    if (tensor.dimensions[axis] != dimension_from_data) continue;
    const std::string name =
        axis < tensor.dimension_names.size() ? tensor.dimension_names[axis] : std::string{};
    const auto found = named.find(name);
    if (found == named.end()) {
      refuse(LaunchMessage::size_unknown, tensor.name, dimension_title(tensor, axis));
    }
    tensor.dimensions[axis] = found->second.size;
  }
}

TensorLayout layout_of(const Tensor& tensor, std::uint64_t hbm_bytes) {
  const auto layout = tensor_layout(tensor.type, tensor.dimensions, hbm_bytes);
  if (layout) return *layout;
  refuse(LaunchMessage::tensor_does_not_fit, tensor.name, hbm_bytes);
}

// The tensor whose memory this one shares, if any.
const PlacedTensor* shared_with(const Tensor& tensor, const std::vector<PlacedTensor>& earlier) {
  if (tensor.shares.empty()) return nullptr;
  const auto other = std::find_if(earlier.begin(), earlier.end(), [&tensor](const auto& placed) {
    return placed.tensor.name == tensor.shares;
  });
  if (other == earlier.end() || other->tensor.dimensions != tensor.dimensions) {
    refuse(LaunchMessage::cannot_share, tensor.name, tensor.shares);
  }
  return &*other;
}

PlacedTensor place(const Tensor& tensor, std::uint64_t& next, std::uint64_t hbm_bytes) {
  const TensorLayout layout = layout_of(tensor, hbm_bytes);
  if (next + layout.bytes() > hbm_bytes) {
    refuse(LaunchMessage::tensor_does_not_fit, tensor.name, hbm_bytes);
  }
  PlacedTensor placed{tensor, next, layout.pitch, layout.bytes()};
  next = round_up(next + placed.bytes, placement);
  return placed;
}

void put_word(std::vector<std::uint8_t>& bytes, std::size_t word, std::uint64_t value) {
  const auto low = static_cast<std::uint32_t>(value);
  std::memcpy(bytes.data() + word * 4, &low, 4);
}

void put_pair(std::vector<std::uint8_t>& bytes, std::size_t word, std::uint64_t value) {
  put_word(bytes, word, value);
  put_word(bytes, word + 1, value >> 32U);
}

// The argument block of one tensor, layout in isa/launch/argument.def.
void put_argument(std::vector<std::uint8_t>& bytes, std::size_t number,
                  const PlacedTensor& placed) {
  namespace field = argument_field;
  const std::size_t first = number * argument_words;
  put_pair(bytes, first + field::address.word, placed.address);
  put_word(bytes, first + field::type.word, static_cast<std::uint64_t>(placed.tensor.type));
  put_word(bytes, first + field::rank.word, placed.tensor.dimensions.size());
  for (std::uint32_t axis = 0; axis < max_rank; ++axis) {
    const bool used = axis < placed.tensor.dimensions.size();
    put_word(bytes, first + argument_size_word(axis),
             used ? static_cast<std::uint64_t>(placed.tensor.dimensions[axis]) : 1);
  }
  put_word(bytes, first + field::pitch.word, placed.pitch);
  put_pair(bytes, first + field::bytes.word, placed.bytes);
  put_word(bytes, first + field::word_address.word, placed.address / 4);
}

HbmSegment contents(const PlacedTensor& placed, const TensorData& data) {
  const TensorLayout layout = layout_of(placed.tensor, placed.bytes);
  if (data.bytes.size() != layout.packed_bytes()) {
    refuse(LaunchMessage::bytes_differ, placed.tensor.name, layout.packed_bytes(),
           data.bytes.size());
  }
  HbmSegment segment{placed.address, std::vector<std::uint8_t>(placed.bytes)};
  if (planes_of(placed.tensor.type) != 1) {
    to_planes(data.bytes, segment.bytes);
    return segment;
  }
  for (std::uint64_t row = 0; !data.bytes.empty() && row < layout.rows; ++row) {
    std::memcpy(segment.bytes.data() + row * placed.pitch,
                data.bytes.data() + row * layout.row_bytes, layout.row_bytes);
  }
  return segment;
}

}  // namespace

void check_image(const Image& image, std::uint64_t hbm_bytes) {
  if (image.preset == nullptr) refuse(LaunchMessage::no_preset);
  if (image.text.empty()) refuse(LaunchMessage::no_bundles);
  if (image.entry_pc >= image.text.size()) {
    refuse(LaunchMessage::entry_outside, image.entry_pc, image.text.size());
  }
  if (image.vmem_rows_reserved > image.preset->vmem_rows()) {
    refuse(LaunchMessage::too_many_rows, image.vmem_rows_reserved, image.preset->name,
           image.preset->vmem_rows());
  }
  if (image.smem_words_reserved > image.preset->smem_words()) {
    refuse(LaunchMessage::too_many_words, image.smem_words_reserved, image.preset->name,
           image.preset->smem_words());
  }
  if (hbm_bytes % placement != 0) {
    refuse(LaunchMessage::hbm_unaligned, hbm_bytes, placement);
  }
  const std::uint64_t text_end = text_base + image.text.size() * std::uint64_t{bundle_bytes};
  for (const HbmSegment& segment : image.data) {
    if (segment.address < text_end || segment.address > hbm_bytes ||
        segment.bytes.size() > hbm_bytes - segment.address) {
      refuse(LaunchMessage::data_outside, segment.address, segment.bytes.size(), hbm_bytes);
    }
  }
  if (text_end > hbm_bytes || image.hbm_end > hbm_bytes) {
    refuse(LaunchMessage::needs_more_hbm, std::max(text_end, image.hbm_end), hbm_bytes);
  }
}

std::vector<Tensor> sized_tensors(const Image& image, const Bound& bound) {
  check_names(image, bound);
  std::vector<Tensor> tensors = image.tensors;
  NamedSizes named;
  for (Tensor& tensor : tensors) {
    if (tensor.dimensions.size() > max_rank) {
      refuse(LaunchMessage::too_many_dimensions, tensor.name, tensor.dimensions.size(), max_rank);
    }
    const auto data = bound.find(tensor.name);
    if (data != bound.end()) {
      size_from_data(tensor, data->second);
    } else if (tensor.input) {
      refuse(LaunchMessage::needs_data, tensor.name, tensor.name);
    }
    for (std::size_t axis = 0; axis < tensor.dimensions.size(); ++axis) {
      if (tensor.dimensions[axis] == dimension_from_data) continue;
      check_size(tensor, axis, tensor.dimensions[axis]);
      note_name(named, tensor, axis);
    }
  }
  for (Tensor& tensor : tensors) size_from_names(tensor, named);
  return tensors;
}

std::vector<HbmSegment> image_segments(const Image& image) {
  std::vector<HbmSegment> segments;
  segments.push_back({text_base, std::vector<std::uint8_t>(image.text.size() * sizeof(Bundle))});
  std::memcpy(segments[0].bytes.data(), image.text.data(), segments[0].bytes.size());
  segments.insert(segments.end(), image.data.begin(), image.data.end());
  return segments;
}

std::uint64_t image_end(const Image& image) {
  std::uint64_t end = std::max<std::uint64_t>(
      image.hbm_end, text_base + image.text.size() * std::uint64_t{bundle_bytes});
  for (const HbmSegment& segment : image.data) {
    end = std::max<std::uint64_t>(end, segment.address + segment.bytes.size());
  }
  return end;
}

std::uint64_t argument_block_bytes(const Image& image, std::size_t tensors) {
  const std::uint64_t contents = image.arguments_in_smem ? 4 * image.smem_contents.size() : 0;
  return tensors * argument_entry_bytes + contents;
}

std::uint32_t smem_argument_words(const Image& image, std::size_t tensors) {
  if (!image.arguments_in_smem) return 0;
  return static_cast<std::uint32_t>(argument_block_bytes(image, tensors) / 4);
}

std::vector<std::uint8_t> argument_block(const Image& image,
                                         std::span<const PlacedTensor> tensors) {
  std::vector<std::uint8_t> block = argument_entries(tensors);
  const std::size_t entries = block.size();
  block.resize(argument_block_bytes(image, tensors.size()));
  if (block.size() != entries) {
    std::memcpy(block.data() + entries, image.smem_contents.data(), block.size() - entries);
  }
  return block;
}

std::vector<std::uint8_t> argument_entries(std::span<const PlacedTensor> tensors) {
  std::vector<std::uint8_t> block(tensors.size() * argument_entry_bytes);
  for (std::size_t number = 0; number < tensors.size(); ++number) {
    put_argument(block, number, tensors[number]);
  }
  return block;
}

std::vector<DescriptorWords> placed_start_copies(const Image& image,
                                                 std::span<const PlacedTensor> tensors) {
  std::vector<DescriptorWords> placed;
  for (const StartCopy& copy : image.start_copies) {
    const PlacedTensor& tensor = tensors[copy.tensor];
    if (!start_copy_fits(copy.words, tensor.bytes, image.preset->vmem_bytes)) {
      refuse(LaunchMessage::start_copy_outside, placed.size(), tensor.tensor.name);
    }
    placed.push_back(placed_start_copy(copy.words, tensor.address));
  }
  return placed;
}

Launch make_launch(const Image& image, const Bound& bound, std::uint64_t hbm_bytes,
                   std::uint32_t seed) {
  check_image(image, hbm_bytes);
  const std::vector<Tensor> tensors = sized_tensors(image, bound);

  Launch launch;
  launch.image = &image;
  launch.hbm_bytes = hbm_bytes;
  launch.seed = seed;
  launch.argument_pointer = round_up(image_end(image), placement);
  const std::uint64_t arguments = argument_block_bytes(image, tensors.size());
  launch.argument_words = smem_argument_words(image, tensors.size());
  std::uint64_t next = round_up(launch.argument_pointer + arguments, placement);
  if (next > hbm_bytes) refuse(LaunchMessage::program_does_not_fit, hbm_bytes);

  launch.segments = image_segments(image);
  for (const Tensor& tensor : tensors) {
    if (const PlacedTensor* other = shared_with(tensor, launch.tensors)) {
      launch.tensors.push_back({tensor, other->address, other->pitch, other->bytes});
      continue;
    }
    launch.tensors.push_back(place(tensor, next, hbm_bytes));
    const auto data = bound.find(tensor.name);
    if (data == bound.end()) continue;
    launch.segments.push_back(contents(launch.tensors.back(), data->second));
  }
  launch.start_copies = placed_start_copies(image, launch.tensors);
  if (arguments != 0) {
    launch.segments.push_back({launch.argument_pointer, argument_block(image, launch.tensors)});
  }
  return launch;
}

void load(SparseMemory& hbm, const Launch& launch) {
  for (const HbmPage& page : launch.pages) hbm.map(page.number, page.page);
  for (const HbmSegment& segment : launch.segments) hbm.write(segment.address, segment.bytes);
}

}  // namespace tandem
