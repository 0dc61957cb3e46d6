// Whole files in and out; "-" is standard input or output. All throw UserError.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tandem {

std::vector<std::uint8_t> read_bytes(const std::string& path);
void write_bytes(const std::string& path, std::span<const std::uint8_t> bytes);
// Whether standard output or standard error is a terminal.
bool stdout_is_terminal();
bool stderr_is_terminal();

}  // namespace tandem
