#include "assembler/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace tandem {
namespace {

// Tabs stay tabs in the padding, so the caret stands under its text whatever the tab width.
std::string padding(const SourceSpan& where) {
  std::string pad = where.text.substr(0, where.column - 1);
  std::replace_if(
      pad.begin(), pad.end(), [](char c) { return c != '\t'; }, ' ');
  return pad;
}

std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t'; }, '?');
  return text;
}

void append_place(std::string& out, const SourceSpan& where) {
  out += where.file;
  if (where.line != 0) out += fmt::format(":{}:{}", where.line, where.column);
  out += ": ";
}

void append_excerpt(std::string& out, const SourceSpan& where) {
  if (where.line == 0) return;
  out += fmt::format("{:5} | {}\n", where.line, printable(where.text));
  out += fmt::format("      | {}^{}\n", padding(where), std::string(where.length - 1, '~'));
}

}  // namespace

std::string diagnostic_text(const Diagnostic& diagnostic) {
  std::string out;
  append_place(out, diagnostic.where);
  out += fmt::format("error[{}]: {}\n", diagnostic.code, diagnostic.message);
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
