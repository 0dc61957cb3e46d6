// What a function takes that other texts call, as its own text says: `.parameter` and `.scratch`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/image.hpp"

namespace tandem {

// The registers that parameters stand in, from this one on.
inline constexpr std::uint32_t first_parameter_register = 4;
inline constexpr std::size_t max_parameters = 8;
// The dimension name that stands for any number of dimensions, the same ones wherever the function
// says it.
inline constexpr const char* more_dimensions = "...";

struct Parameter {
  Tensor tensor;          // of a number: name and type
  bool any_type = false;  // whatever it is, the same for all parameters that say so
  bool number = false;    // stands in the register itself
};

struct Function {
  std::string name;
  std::vector<Parameter> parameters;  // in the order of their registers
  std::uint32_t vmem_rows = 0;        // from s3 on, which it may overwrite
  std::uint32_t smem_words = 0;       // below s2
  bool has_scratch = false;           // the text says so
};

// "x f32 [rows, 64]", "epsilon f32".
std::string parameter_text(const Parameter& parameter);

}  // namespace tandem
