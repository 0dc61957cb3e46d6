// The texts that `.include` finds without a file: the macro library of docs/assembly.md, section 8.
#pragma once

#include <optional>
#include <string_view>

namespace tandem::assembly {

// Of "tandem.inc", "tandem_linear.inc" or what they include; nothing for another name.
std::optional<std::string_view> library_text(std::string_view name);

}  // namespace tandem::assembly
