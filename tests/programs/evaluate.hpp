// Expressions of expectations: evaluated by the assembler, so that LANES, f32(), labels of the
// program and everything else of docs/assembly.md mean the same as in the program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/object/object.hpp"

namespace tandem::directed {

// The values of the names `r` and `j` in an expression.
struct RowAndLane {
  std::uint32_t r = 0;
  std::uint32_t j = 0;
};

struct Query {
  RowAndLane at;
  std::string expression;
};

class Evaluator {
 public:
  explicit Evaluator(const Object& program);
  // 32 bits each; a real number gives its fp32 bits. Throws ExpectationError with the assembler's
  // words when an expression is wrong.
  std::vector<std::uint32_t> operator()(const std::vector<Query>& queries) const;

 private:
  std::string preset_;
  std::string names_;  // an `.equ` for each symbol of the program
};

}  // namespace tandem::directed
