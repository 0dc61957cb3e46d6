// Files named by a text.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "assembler/context.hpp"
#include "assembler/text/lexer.hpp"
#include "host/host_file.hpp"

namespace tandem::assembly {

// Reads a string token and its escapes.
bool parse_string(Context& context, Lexer& lexer, std::string& text);

// Finds the file: relative to the file that names it, then along the include paths. The result for
// an unreadable file holds the reason; report_unreadable() reports it and returns false.
std::unique_ptr<HostFile> find_file(const Context& context, std::string_view from,
                                    const std::string& path, std::string& found_path);
bool report_unreadable(Context& context, const Span& where, std::string_view from,
                       const std::string& path, const HostFile& file);

// The longest text and the largest object that are read.
inline constexpr std::uint64_t max_source_bytes = std::uint64_t{1} << 28U;
inline constexpr std::uint64_t max_object_bytes = std::uint64_t{1} << 32U;
// Reads a whole text, "-" from standard input; false when it cannot be read.
bool read_file(const std::string& path, std::string& contents);

}  // namespace tandem::assembly
