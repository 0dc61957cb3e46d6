// Labels of a text that is not being assembled.
#pragma once

#include <optional>
#include <string_view>

namespace tandem::assembly {

// Takes a label from the beginning of a line, with its colon; nothing if there is none. There may
// be several.
std::optional<std::string_view> take_label(std::string_view& line);
// Takes the blanks from the beginning of a line.
void skip_blanks(std::string_view& line);

}  // namespace tandem::assembly
