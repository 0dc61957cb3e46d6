// Whole files in; "-" is standard input. All throw UserError.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/output_file.hpp"

namespace tandem {

// More than any input of the commands needs: an endless device, a sparse file.
inline constexpr std::uint64_t largest_input = std::uint64_t{1} << 32U;

std::vector<std::uint8_t> read_bytes(const std::string& path, std::uint64_t most = largest_input);
std::string read_text(const std::string& path, std::uint64_t most = largest_input);

// Whether standard output or standard error is a terminal.
bool stdout_is_terminal();
bool stderr_is_terminal();

}  // namespace tandem
