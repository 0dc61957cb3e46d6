// What users bring (names, texts, files) as part of a message on somebody's terminal.
#pragma once

#include <string>
#include <string_view>

namespace tandem {

// The text with everything that is no character of it shown as \xNN: control characters but line
// ends and tabs, bytes that are no UTF-8, marks that turn the direction of writing. Lines, and the
// whole, are cut where nobody reads on.
std::string printable(std::string_view text);

}  // namespace tandem
