// A program and its tensors by the names of their files, as in the plusargs of a simulation.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cosim/c_interface/tandem_checker.h"
#include "isa/launch/launch.hpp"

namespace tandem {

struct DpiProgram {
  std::string elf;  // the file's bytes
  std::map<std::string, TensorData> inputs;

  // For the C interface; they point to the data kept here.
  [[nodiscard]] std::vector<tandem_tensor> tensors() const;
};

// `inputs`: "a=a.npy b=b.npy". nullopt with a text in `error` if a file cannot be read, has the
// wrong format, or does not have the type that the program declares.
std::optional<DpiProgram> read_dpi_program(const std::string& elf_path, const std::string& inputs,
                                           std::string& error);

}  // namespace tandem
