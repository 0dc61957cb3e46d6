#include "cli/run/program/tensors.hpp"

#include <fmt/format.h>

#include "cli/files/files.hpp"
#include "cli/files/npy_file.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "isa/launch/drawn.hpp"

namespace tandem {
namespace {

const Tensor& declared_tensor(const Image& image, const std::string& name) {
  std::string known;
  for (const Tensor& tensor : image.tensors) {
    if (tensor.name == name) return tensor;
    known += (known.empty() ? "" : ", ") + tensor.name;
  }
  throw UserError{fmt::format(message::no_such_tensor, name, known.empty() ? "none" : known)};
}

}  // namespace

std::vector<TensorFile> parse_tensor_files(const std::vector<std::string>& arguments) {
  std::vector<TensorFile> files;
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == argument.size()) {
      throw UserError{fmt::format(message::bad_binding, argument)};
    }
    TensorFile file{argument.substr(0, equals), argument.substr(equals + 1)};
    for (const TensorFile& earlier : files) {
      if (earlier.name == file.name) {
        throw UserError{fmt::format(message::tensor_twice, file.name)};
      }
    }
    files.push_back(std::move(file));
  }
  return files;
}

std::map<std::string, TensorData> read_tensors(const Image& image,
                                               const std::vector<TensorFile>& files,
                                               std::uint64_t most) {
  std::map<std::string, TensorData> bound;
  for (const TensorFile& file : files) {
    const Tensor& tensor = declared_tensor(image, file.name);
    const NpyArray array = read_npy(file.path, most);
    try {
      bound[file.name] = tensor_from_npy(array, tensor.type);
    } catch (const NpyError& error) {
      throw UserError{fmt::format(message::file_error, file.path, error.message)};
    }
  }
  return bound;
}

void draw_inputs(const Image& image, std::map<std::string, TensorData>& bound, std::uint64_t most) {
  for (const Tensor& tensor : image.tensors) {
    if (!tensor.input || bound.contains(tensor.name)) continue;
    TensorData data;
    data.dimensions.assign(tensor.dimensions.begin(), tensor.dimensions.end());
    std::uint64_t count = 1;
    bool known = true;
    for (const std::int64_t size : data.dimensions) {
      known = known && size >= 0 && (size == 0 || count <= most / static_cast<std::uint64_t>(size));
      count *= known ? static_cast<std::uint64_t>(size) : 1;
    }
    if (!known || count > most / element_bytes(tensor.type)) continue;
    data.bytes = drawn_elements(tensor.type, static_cast<std::int64_t>(count), 1);
    bound[tensor.name] = std::move(data);
  }
}

void check_outputs(const Image& image, const std::vector<TensorFile>& files) {
  for (const TensorFile& file : files) {
    if (declared_tensor(image, file.name).output) continue;
    throw UserError{fmt::format(message::no_such_output, file.name)};
  }
}

void write_tensors(const runtime::NamedLaunch& job, const std::vector<TensorFile>& files) {
  for (const TensorFile& file : files) {
    const ElementType type = job.tensor(file.name).type();
    write_bytes(file.path, format_npy(npy_from_tensor(job.read(file.name), type)));
  }
}

}  // namespace tandem
