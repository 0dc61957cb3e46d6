#pragma once

#include <string>
#include <string_view>

namespace tandem {

// Text escaped for XML or HTML, between tags and in attributes in double quotes. Control
// characters, which XML does not have, become '?'.
std::string escaped_markup(std::string_view text);

}  // namespace tandem
