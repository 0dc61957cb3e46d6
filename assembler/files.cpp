#include "assembler/files.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "assembler/words.hpp"

namespace tandem::assembly {
namespace {

char unescape(char c) {
  switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case '0': return '\0';
    default: return c;
  }
}

}  // namespace

bool parse_string(Context& context, Lexer& lexer, std::string& text) {
  if (!lexer.token().is(TokenKind::string)) {
    return report_expected(context, lexer, "a string in double quotes");
  }
  const std::string_view quoted = lexer.token().text();
  text.clear();
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    if (quoted[i] == '\\' && i + 2 < quoted.size()) {
      text += unescape(quoted[++i]);
    } else {
      text += quoted[i];
    }
  }
  lexer.advance();
  return true;
}

bool read_file(const std::string& path, std::string& contents) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return false;
  if (std::filesystem::is_character_file(path, error)) return false;  // /dev/zero never ends
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  contents.clear();
  if (!error) {  // a pipe has no size
    contents.resize(size);
    file.read(contents.data(), static_cast<std::streamsize>(size));
    contents.resize(static_cast<std::size_t>(file.gcount()));
  }
  if (file) contents.append(std::istreambuf_iterator<char>(file), {});
  return !file.bad();
}

std::string searched_folders(const Context& context, std::string_view from,
                             const std::string& path) {
  if (std::filesystem::path(path).is_absolute()) return {};
  const std::string folder = std::filesystem::path(from).parent_path().string();
  std::string text = fmt::format("looked in {}", folder.empty() ? "." : folder);
  for (const std::string& candidate : context.options.include_paths) text += ", " + candidate;
  return text + (context.options.include_paths.empty() ? "; -I names more folders" : "");
}

bool find_file(const Context& context, std::string_view from, const std::string& path,
               std::string& found_path, std::string& contents) {
  const std::filesystem::path wanted(path);
  const std::filesystem::path folder = std::filesystem::path(from).parent_path();
  found_path = wanted.is_absolute() ? path : (folder / wanted).string();
  if (read_file(found_path, contents)) return true;
  if (wanted.is_absolute()) return false;
  for (const std::string& candidate : context.options.include_paths) {
    found_path = (std::filesystem::path(candidate) / wanted).string();
    if (read_file(found_path, contents)) return true;
  }
  return false;
}

}  // namespace tandem::assembly

namespace tandem {

std::optional<SourceText> read_source(const std::string& path) {
  SourceText source{path, {}};
  if (path == "-") {
    source.name = "<stdin>";
    source.text.assign(std::istreambuf_iterator<char>(std::cin), {});
    return source;
  }
  if (!assembly::read_file(path, source.text)) return std::nullopt;
  return source;
}

}  // namespace tandem
