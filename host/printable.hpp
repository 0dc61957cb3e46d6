// User input (names, texts, files) as part of a message on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace tandem {

// The text with unprintable parts shown as \xNN: control characters except line ends and tabs,
// bytes that are not UTF-8, marks that change the direction of writing. Long lines and long texts
// are truncated.
std::string printable(std::string_view text);

}  // namespace tandem
