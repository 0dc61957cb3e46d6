// Tensors by name between .npy files and a launch.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "isa/launch/launch.hpp"
#include "runtime/device/named_launch.hpp"

namespace tandem {

// NAME=FILE as given to --in and --out.
struct TensorFile {
  std::string name;
  std::string path;
};
// Throws UserError when an argument is not NAME=FILE or a name occurs twice.
std::vector<TensorFile> parse_tensor_files(const std::vector<std::string>& arguments);

// Reads the files for --in, of at most `most` bytes each, and converts them to the element types
// that the program declares.
std::map<std::string, TensorData> read_tensors(const Image& image,
                                               const std::vector<TensorFile>& files,
                                               std::uint64_t most);

// Adds numbers for the inputs that are not bound and whose sizes are known, of at most `most` bytes
// each.
void draw_inputs(const Image& image, std::map<std::string, TensorData>& bound, std::uint64_t most);

// Throws UserError unless every name is a tensor that the program writes.
void check_outputs(const Image& image, const std::vector<TensorFile>& files);
// Writes the files for --out from the program's results.
void write_tensors(const runtime::NamedLaunch& job, const std::vector<TensorFile>& files);

}  // namespace tandem
