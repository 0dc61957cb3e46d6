// Whether tensors are what a function takes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "isa/object/function.hpp"

namespace tandem::compiler {

// A tensor of a call, as the program has it.
struct Given {
  std::string what;                 // "operand 0"
  std::optional<ElementType> type;  // none: no type of the machine's
  std::vector<std::int64_t> dimensions;
  std::string type_text;  // as its program writes it
};

// Holds what the sizes with names are, from one tensor of a call to the next.
class Signature {
 public:
  // "" where the tensor is what the parameter takes; otherwise what is wrong.
  std::string misfit(const Parameter& parameter, const Given& given);

 private:
  std::string type_trouble(const Parameter& parameter, const Given& given);
  std::string size_trouble(const Tensor& tensor, const Given& given);

  struct Size {
    std::int64_t size = 0;
    std::string where;  // the parameter that said it
  };
  std::map<std::string, Size> sizes_;
  std::optional<std::vector<std::int64_t>> more_;
  std::optional<ElementType> any_;
};

}  // namespace tandem::compiler
