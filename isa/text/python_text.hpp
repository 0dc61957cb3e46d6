// Operations as calls of the Python package's functions (python/tandem/assembly), which
// isa/emit/python_instructions.cpp writes from the same table.
#pragma once

#include <string>
#include <string_view>

#include "isa/encoding.hpp"
#include "isa/text/text.hpp"

namespace tandem {

// "vadd.f32" is vadd_f32; Python keywords get an underscore: and_.
std::string python_function_name(std::string_view mnemonic);

// One operation: `vadd_f32(v[1], v[2].lo, to=v[3], on=~p[1], slot="va")`. The slot is named if the
// instruction fits in several. Labels print as Label("name").
std::string python_operation(Slot slot, const Operation& operation, const LabelName& label_of);

// A string literal.
std::string python_string(std::string_view text);

}  // namespace tandem
