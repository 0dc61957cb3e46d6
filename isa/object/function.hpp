// The parameters of a function that other texts call, declared in its own text: `.parameter` and
// `.scratch`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/image.hpp"

namespace tandem {

// The registers that hold parameters, starting with this one.
inline constexpr std::uint32_t first_parameter_register = 4;
inline constexpr std::size_t max_parameters = 8;
// The dimension name that stands for any number of dimensions, the same wherever the function uses
// it.
inline constexpr const char* more_dimensions = "...";

struct Parameter {
  Tensor tensor;          // of a number: name and type
  bool any_type = false;  // any type, the same for all parameters declared so
  bool number = false;    // is in the register itself
};

struct Function {
  std::string name;
  std::vector<Parameter> parameters;  // in the order of their registers
  std::uint32_t vmem_rows = 0;        // starting at s3, which it may overwrite
  std::uint32_t smem_words = 0;       // below s2
  bool has_scratch = false;           // declared in the text
};

// "x f32 [rows, 64]", "epsilon f32".
std::string parameter_text(const Parameter& parameter);

}  // namespace tandem
