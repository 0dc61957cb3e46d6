// Files that a text names.
#pragma once

#include <string>
#include <string_view>

#include "assembler/context.hpp"
#include "assembler/lexer.hpp"

namespace tandem::assembly {

// Reads a string token and its escapes.
bool parse_string(Context& context, Lexer& lexer, std::string& text);

// Reads a file: relative to the file that names it, then along the include paths.
bool find_file(const Context& context, std::string_view from, const std::string& path,
               std::string& found_path, std::string& contents);
// "looked in a, b": the folders that find_file() tried, for a hint.
std::string searched_folders(const Context& context, std::string_view from,
                             const std::string& path);
// Reads a whole file; false when it cannot be read. "-" is not special here.
bool read_file(const std::string& path, std::string& contents);

}  // namespace tandem::assembly
