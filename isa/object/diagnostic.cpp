#include "isa/object/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace tandem {
namespace {

// All bytes of a UTF-8 character but its first: they take no width.
bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80; }

// Tabs stay tabs in the padding, so the caret is under its text whatever the tab width.
std::string padding(const SourceSpan& where) {
  std::string pad = where.text.substr(0, where.column - 1);
  pad.erase(std::remove_if(pad.begin(), pad.end(), continues_character), pad.end());
  std::replace_if(
      pad.begin(), pad.end(), [](char c) { return c != '\t'; }, ' ');
  return pad;
}

std::string underline(const SourceSpan& where) {
  const std::size_t first = std::min<std::size_t>(where.column - 1, where.text.size());
  const std::string text = where.text.substr(first, where.length);
  const auto extra = std::count_if(text.begin(), text.end(), continues_character);
  const auto width = std::max<std::ptrdiff_t>(where.length - extra, 1);
  return "^" + std::string(static_cast<std::size_t>(width - 1), '~');
}

std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == 0x7f; }, '?');
  return text;
}

void append_place(std::string& out, const SourceSpan& where) {
  out += where.file;
  if (where.line != 0) out += fmt::format(":{}:{}", where.line, where.column);
  out += ": ";
}

// A line of reasonable length: long ones (from a macro, for example) are cut around the place.
SourceSpan cropped(SourceSpan where) {
  constexpr std::size_t widest = 160;
  if (where.text.size() <= widest) return where;
  const std::size_t column = where.column - 1;
  const std::size_t first = column < widest / 2 ? 0 : column - widest / 2;
  where.text = (first == 0 ? "" : "...") + where.text.substr(first, widest) +
               (where.text.size() - first > widest ? "..." : "");
  where.column = static_cast<std::uint32_t>(column - first + (first == 0 ? 1 : 4));
  // The place may be the end of the line, after its last character.
  const std::size_t before = where.column - 1;
  const std::size_t room = where.text.size() > before ? where.text.size() - before : 1;
  where.length = static_cast<std::uint32_t>(std::min<std::size_t>(where.length, room));
  return where;
}

void append_excerpt(std::string& out, const SourceSpan& whole) {
  if (whole.line == 0) return;
  const SourceSpan where = cropped(whole);
  out += fmt::format("{:5} | {}\n", where.line, printable(where.text));
  out += fmt::format("      | {}{}\n", padding(where), underline(where));
}

}  // namespace

std::string diagnostic_text(const Diagnostic& diagnostic) {
  std::string out;
  append_place(out, diagnostic.where);
  const bool is_error = diagnostic.warning.empty();
  out += fmt::format("{}[{}]: {}\n", is_error ? "error" : "warning",
                     is_error ? diagnostic.code : diagnostic.warning, diagnostic.message);
  append_excerpt(out, diagnostic.where);
  if (!diagnostic.hint.empty()) out += fmt::format("      = hint: {}\n", diagnostic.hint);
  for (const DiagnosticNote& note : diagnostic.notes) {
    append_place(out, note.where);
    out += fmt::format("note: {}\n", note.message);
    append_excerpt(out, note.where);
  }
  return out;
}

std::string diagnostics_text(const std::vector<Diagnostic>& diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) out += diagnostic_text(diagnostic);
  return out;
}

}  // namespace tandem
