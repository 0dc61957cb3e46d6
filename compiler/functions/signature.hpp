// Whether tensors match a function's parameters.
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
  std::optional<ElementType> type;  // none: a type that the machine does not have
  std::vector<std::int64_t> dimensions;
  std::string type_text;  // as the program writes it
};

// The values of named sizes, kept from one tensor of a call to the next.
class Signature {
 public:
  // "" where the tensor matches the parameter; otherwise the mismatch.
  std::string misfit(const Parameter& parameter, const Given& given);

 private:
  std::string type_trouble(const Parameter& parameter, const Given& given);
  std::string size_trouble(const Tensor& tensor, const Given& given);

  struct Size {
    std::int64_t size = 0;
    std::string where;  // the parameter that set it
  };
  std::map<std::string, Size> sizes_;
  std::optional<std::vector<std::int64_t>> more_;
  std::optional<ElementType> any_;
};

}  // namespace tandem::compiler
