#include "cosim/c_interface/dpi_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <sstream>

#include "assembler/elf.hpp"
#include "host/host_file.hpp"
#include "isa/image.hpp"
#include "isa/launch/npy.hpp"

namespace tandem {
namespace {

constexpr std::uint64_t largest_file = std::uint64_t{4} << 30U;

// An error in a file, for people.
struct FileError {
  std::string message;
};

std::string bytes_of(const std::string& path) {
  HostFile file(path);
  std::string bytes;
  if (!file.ok() || !file.read_rest(largest_file, bytes)) {
    throw FileError{fmt::format("{}: {}", path, file.error())};
  }
  return bytes;
}

std::span<const std::uint8_t> view(const std::string& bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};  // NOLINT
}

ElementType type_of(const Image& image, const std::string& name) {
  const auto found = std::find_if(image.tensors.begin(), image.tensors.end(),
                                  [&](const Tensor& tensor) { return tensor.name == name; });
  if (found == image.tensors.end()) {
    throw FileError{fmt::format("the program has no tensor '{}'", name)};
  }
  return found->type;
}

TensorData tensor_of(const std::string& path, ElementType type) try {
  return tensor_from_npy(parse_npy(view(bytes_of(path))), type);
} catch (const NpyError& error) {
  throw FileError{fmt::format("{}: {}", path, error.message)};
}

Image image_of(const std::string& path, const std::string& elf) {
  const std::span<const std::uint8_t> bytes = view(elf);
  const ElfResult result = read_elf(bytes);
  if (!result.ok()) throw FileError{elf_error_text(path, result)};
  if (!result.object.linked) throw FileError{path + ": the program is not linked"};
  return make_image(result.object);
}

}  // namespace

std::vector<tandem_tensor> DpiProgram::tensors() const {
  std::vector<tandem_tensor> list;
  for (const auto& [name, data] : inputs) {
    tandem_tensor tensor{};
    tensor.name = name.c_str();
    tensor.dimensions = data.dimensions.data();
    tensor.rank = static_cast<std::uint32_t>(data.dimensions.size());
    tensor.data = data.bytes.data();
    tensor.bytes = data.bytes.size();
    list.push_back(tensor);
  }
  return list;
}

std::optional<DpiProgram> read_dpi_program(const std::string& elf_path, const std::string& inputs,
                                           std::string& error) try {
  DpiProgram program;
  program.elf = bytes_of(elf_path);
  const Image image = image_of(elf_path, program.elf);
  std::istringstream words(inputs);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) throw FileError{fmt::format("'{}' is no name=file.npy", word)};
    const std::string name = word.substr(0, equals);
    program.inputs[name] = tensor_of(word.substr(equals + 1), type_of(image, name));
  }
  return program;
} catch (const FileError& wrong) {
  error = wrong.message;
  return std::nullopt;
}

}  // namespace tandem
