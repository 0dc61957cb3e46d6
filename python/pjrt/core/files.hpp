// Whole files.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace tandem::pjrt {

// Nothing when it cannot be read.
std::optional<std::string> read_file(const std::string& path);
// The pieces one after the other. Throws Failure, which names the file and the reason.
void write_file(const std::string& path, std::initializer_list<std::string_view> pieces);

}  // namespace tandem::pjrt
