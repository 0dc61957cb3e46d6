// Functions and predefined names of expressions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assembler/context.hpp"

namespace tandem::assembly {

// LANES, SUBLANES, VMEM_ROWS, SMEM_WORDS, INF, NAN: false when `name` is none of them.
bool builtin_constant(Context& context, std::string_view name, Value& value);
bool is_builtin_constant(std::string_view name);

// f32, bf16, lo, hi, log2, sqrt, exp2, min, max, abs, int. nullptr, or the wording of the error,
// whose placeholder is the function's name.
const Code* apply_function(std::string_view name, const std::vector<Value>& arguments,
                           Value& result);
// The names of all functions, and of all predefined constants.
std::vector<std::string_view> function_names();
std::vector<std::string_view> constant_names();
std::string function_hint(Code code, std::string_view name);

}  // namespace tandem::assembly
