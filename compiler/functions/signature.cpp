#include "compiler/functions/signature.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tandem::compiler {
namespace {

std::string shown(const std::vector<std::int64_t>& sizes) {
  return fmt::format("[{}]", fmt::join(sizes, ", "));
}

}  // namespace

std::string Signature::type_trouble(const Parameter& parameter, const Given& given) {
  if (!given.type) return "which the machine does not have";
  if (parameter.number && !given.dimensions.empty()) return "which is not a number";
  if (!parameter.any_type) return *given.type == parameter.tensor.type ? "" : "of another type";
  if (!any_) any_ = given.type;
  if (*any_ == *given.type) return "";
  return fmt::format("and any is {} already", element_name(*any_));
}

std::string Signature::size_trouble(const Tensor& tensor, const Given& given) {
  const std::size_t declared = tensor.dimensions.size();
  const auto& names = tensor.dimension_names;
  const auto dots = static_cast<std::size_t>(
      std::find(names.begin(), names.end(), more_dimensions) - names.begin());
  const bool has_more = dots < declared;
  const std::size_t rank = given.dimensions.size();
  if (has_more ? rank + 1 < declared : rank != declared) return "of another rank";
  const std::size_t count = has_more ? rank + 1 - declared : 0;
  if (has_more) {
    const auto first = given.dimensions.begin() + static_cast<std::ptrdiff_t>(dots);
    const std::vector<std::int64_t> more(first, first + static_cast<std::ptrdiff_t>(count));
    if (!more_) more_ = more;
    if (*more_ != more) return fmt::format("and ... is {} already", shown(*more_));
  }
  for (std::size_t i = 0; i < declared; ++i) {
    if (i == dots) continue;
    const std::int64_t size = given.dimensions[i < dots ? i : i + count - 1];
    const std::int64_t fixed = tensor.dimensions[i];
    if (fixed != dimension_from_data && fixed != size) return fmt::format("not {} long", fixed);
    if (fixed != dimension_from_data || names[i].empty()) continue;
    const auto [known, is_new] = sizes_.try_emplace(names[i], Size{size, tensor.name});
    if (known->second.size == size) continue;
    return fmt::format("and {} is {} in {}", names[i], known->second.size, known->second.where);
  }
  return "";
}

std::string Signature::misfit(const Parameter& parameter, const Given& given) {
  std::string trouble = type_trouble(parameter, given);
  if (trouble.empty() && !parameter.number) trouble = size_trouble(parameter.tensor, given);
  if (trouble.empty()) return "";
  return fmt::format("`{}` is asked for, {} is {} {}, {}", parameter_text(parameter), given.what,
                     given.type_text, shown(given.dimensions), trouble);
}

}  // namespace tandem::compiler
