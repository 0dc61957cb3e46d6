// From the options of the C interface to a check.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "assembler/elf.hpp"
#include "assembler/named_machine.hpp"
#include "cosim/c_interface/session.hpp"
#include "isa/image.hpp"

namespace tandem {
namespace {

template <typename... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) {
  throw BadArgument{fmt::format(text, std::forward<Args>(args)...)};
}

void check_options(const tandem_checker_options& options) {
  if (options.version != TANDEM_CHECKER_VERSION) {
    refuse("the options are of version {}, the library is of {}", options.version,
           TANDEM_CHECKER_VERSION);
  }
  if (options.level > TANDEM_LEVEL_FINAL) refuse("{} is no level: they are 0 to 2", options.level);
  if (options.elf == nullptr || options.elf_bytes == 0) refuse("there is no program");
  if (options.tensors == nullptr && options.tensor_count != 0) refuse("tensors is NULL");
  if (options.times != 0 && options.level != TANDEM_LEVEL_ALL) {
    refuse("times are compared at level all only");
  }
}

Image image_of(const tandem_checker_options& options) {
  const auto* const bytes = static_cast<const std::uint8_t*>(options.elf);
  ElfResult result = read_elf({bytes, bytes + options.elf_bytes});
  if (!result.ok()) {
    throw runtime::Error{runtime::ErrorCode::invalid_argument, elf_error_text("program", result)};
  }
  if (!result.object.linked) {
    throw runtime::Error{runtime::ErrorCode::invalid_argument, "the program is not linked"};
  }
  if (options.machine != nullptr) {
    const FoundMachine wanted = named_machine(options.machine);
    if (wanted.machine == nullptr) refuse("{}", wanted.complaint);
    const std::string mismatch = target_mismatch(*result.object.preset, *wanted.machine);
    if (!mismatch.empty()) {
      throw runtime::Error{runtime::ErrorCode::invalid_argument, "program: " + mismatch};
    }
  }
  return make_image(result.object);
}

void check_tensor(const tandem_tensor& tensor) {
  if (tensor.name == nullptr) refuse("a tensor has no name");
  if (tensor.rank > max_rank)
    refuse("tensor '{}': rank {} of {}", tensor.name, tensor.rank, max_rank);
  if (tensor.dimensions == nullptr && tensor.rank != 0) {
    refuse("tensor '{}': dimensions is NULL", tensor.name);
  }
  if (tensor.data == nullptr && tensor.bytes != 0) refuse("tensor '{}': data is NULL", tensor.name);
}

// Sizes of an output that are not given by an input.
void fix_sizes(Image& image, const std::string& name, const std::vector<std::int64_t>& dimensions) {
  const auto found = std::find_if(image.tensors.begin(), image.tensors.end(),
                                  [&](const Tensor& tensor) { return tensor.name == name; });
  if (found == image.tensors.end()) refuse("the program has no tensor '{}'", name);
  if (found->dimensions.size() != dimensions.size()) {
    refuse("tensor '{}': rank {}, the program says {}", name, dimensions.size(),
           found->dimensions.size());
  }
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    std::int64_t& size = found->dimensions[i];
    if (dimensions[i] < 0 || (size != dimension_from_data && size != dimensions[i])) {
      refuse("tensor '{}': dimension {} cannot be {}", name, i, dimensions[i]);
    }
    size = dimensions[i];
  }
}

}  // namespace

std::unique_ptr<CoreCheck> make_check(const tandem_checker_options& options) {
  check_options(options);
  Image image = image_of(options);
  std::map<std::string, TensorData> inputs;
  for (const tandem_tensor& tensor : std::span(options.tensors, options.tensor_count)) {
    check_tensor(tensor);
    const std::vector<std::int64_t> sizes(tensor.dimensions, tensor.dimensions + tensor.rank);
    if (tensor.data == nullptr) {
      fix_sizes(image, tensor.name, sizes);
      continue;
    }
    const auto* const bytes = static_cast<const std::uint8_t*>(tensor.data);
    inputs[tensor.name] = {sizes, {bytes, bytes + tensor.bytes}};
  }
  CoreCheckOptions check;
  if (options.hbm_bytes != 0) check.hbm_bytes = options.hbm_bytes;
  if (options.seed != 0) check.seed = options.seed;
  if (options.limit != 0) check.limit = options.limit;
  check.level = static_cast<CheckLevel>(options.level);
  check.times = options.times != 0;
  check.detect_races = options.no_race_check == 0;
  check.detect_uninitialised = options.no_uninitialised_check == 0;
  if (options.command != nullptr) check.command = options.command;
  return std::make_unique<CoreCheck>(std::move(image), inputs, check);
}

}  // namespace tandem
