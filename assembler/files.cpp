#include "assembler/files.hpp"

#include <filesystem>

#include "assembler/text/quoted.hpp"
#include "assembler/words.hpp"
#include "host/host_file.hpp"

namespace tandem::assembly {
namespace {

// "looked in a, b".
std::string searched_folders(const Context& context, std::string_view from,
                             const std::string& path) {
  if (std::filesystem::path(path).is_absolute()) return {};
  const std::string folder = std::filesystem::path(from).parent_path().string();
  std::string text = fmt::format("looked in {}", folder.empty() ? "." : folder);
  for (const std::string& candidate : context.options.include_paths) text += ", " + candidate;
  return text + (context.options.include_paths.empty() ? "; -I names more folders" : "");
}

}  // namespace

bool parse_string(Context& context, Lexer& lexer, std::string& text) {
  if (!lexer.token().is(TokenKind::string)) {
    return report_expected(context, lexer, "a string in double quotes");
  }
  const Token quoted = lexer.token();
  text.clear();
  for (const char* at = quoted.begin + 1; at != quoted.end - 1;) {
    if (*at != '\\') {
      text += *at++;
      continue;
    }
    const Escape escape = read_escape(at, quoted.end - 1);
    if (escape.value < 0) return report_escape(context, {&lexer.buffer(), at, escape.end});
    text += static_cast<char>(escape.value);
    at = escape.end;
  }
  lexer.advance();
  return true;
}

bool read_file(const std::string& path, std::string& contents) {
  contents.clear();
  return HostFile(path).read_rest(max_source_bytes, contents);
}

std::unique_ptr<HostFile> find_file(const Context& context, std::string_view from,
                                    const std::string& path, std::string& found_path) {
  const std::filesystem::path wanted(path);
  found_path = (std::filesystem::path(from).parent_path() / wanted).string();
  auto file = std::make_unique<HostFile>(found_path, HostFile::Pipes::refuse);
  for (const std::string& folder : context.options.include_paths) {
    if (!file->missing() || wanted.is_absolute()) break;
    std::string candidate = (std::filesystem::path(folder) / wanted).string();
    auto next = std::make_unique<HostFile>(candidate, HostFile::Pipes::refuse);
    if (next->missing()) continue;
    found_path = std::move(candidate);
    file = std::move(next);
  }
  if (file->ok() && context.options.on_file) context.options.on_file(found_path);
  return file;
}

bool report_unreadable(Context& context, const Span& where, std::string_view from,
                       const std::string& path, const HostFile& file) {
  return context.reporter.error(
      Code::unreadable_file, where,
      file.missing() ? searched_folders(context, from, path) : "it " + file.error(), path);
}

}  // namespace tandem::assembly

namespace tandem {

std::optional<SourceText> read_source(const std::string& path) {
  SourceText source{path, {}};
  if (path == "-") source.name = "<stdin>";
  if (!assembly::read_file(path, source.text)) return std::nullopt;
  return source;
}

}  // namespace tandem
