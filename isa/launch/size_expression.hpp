// A size of a tensor that is made of other sizes: "n - 4", "(n + 7) / 8". It stands where a tensor
// has the name of a dimension (Tensor::dimension_names), with + - * / % and parentheses over names
// of sizes and integers; `/` cuts off to zero, as everywhere in the assembler.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tandem {

using SizeLookup = std::function<std::optional<std::int64_t>(std::string_view name)>;

// Sizes by name; `sizes` must outlive the lookup.
SizeLookup sizes_in(const std::map<std::string, std::int64_t>& sizes);

struct SizeExpression {
  bool good = false;                  // the text is one
  std::string text;                   // as it is kept: one blank beside each operator
  std::vector<std::string> names;     // of sizes in it, each once
  std::optional<std::int64_t> value;  // where all of them are known and it can be worked out
  std::string trouble;                // why there is no value: "n is not known", "it divides by 0"
};

// Whether what a tensor has as a dimension's name is more than a name.
bool is_size_expression(std::string_view text);

SizeExpression read_size(std::string_view text, const SizeLookup& size_of);
// The same where no size is known.
SizeExpression read_size(std::string_view text);

// "n = 3, m = 4": what was known of the names, for messages.
std::string known_sizes_text(const SizeExpression& expression, const SizeLookup& size_of);

}  // namespace tandem
