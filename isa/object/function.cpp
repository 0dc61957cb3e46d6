#include "isa/object/function.hpp"

namespace tandem {

std::string parameter_text(const Parameter& parameter) {
  const Tensor& tensor = parameter.tensor;
  std::string text =
      tensor.name + " " + (parameter.any_type ? "any" : std::string(element_name(tensor.type)));
  if (parameter.number) return text;
  text += " [";
  for (std::size_t i = 0; i < tensor.dimensions.size(); ++i) {
    const std::string& name = tensor.dimension_names[i];
    const bool is_number = tensor.dimensions[i] != dimension_from_data;
    text += (i == 0 ? "" : ", ") + (is_number      ? std::to_string(tensor.dimensions[i])
                                    : name.empty() ? "?"
                                                   : name);
  }
  return text + "]";
}

}  // namespace tandem
