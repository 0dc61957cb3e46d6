// Tensors by name between .npy files and a launch.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "isa/launch.hpp"
#include "isa/memory.hpp"

namespace tandem {

// NAME=FILE as given to --in and --out.
struct TensorFile {
  std::string name;
  std::string path;
};
// Throws UserError when an argument is not NAME=FILE or a name comes twice.
std::vector<TensorFile> parse_tensor_files(const std::vector<std::string>& arguments);

// Reads the files for --in, of at most `most` bytes each, and converts them to the element types
// that the program declares.
std::map<std::string, TensorData> read_tensors(const Image& image,
                                               const std::vector<TensorFile>& files,
                                               std::uint64_t most);

// Throws UserError unless every name is a tensor of the launch that the program writes.
void check_outputs(const Launch& launch, const std::vector<TensorFile>& files);
// Writes the files for --out from what the program left in HBM.
void write_tensors(const Launch& launch, const SparseMemory& hbm,
                   const std::vector<TensorFile>& files);

// A tensor's elements as they lie in HBM, padding removed.
TensorData fetch_tensor(const PlacedTensor& placed, const SparseMemory& hbm);

}  // namespace tandem
