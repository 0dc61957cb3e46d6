#include "assembler/text/source.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::assembly {

Buffer child_of(const Buffer& parent, const char* at) {
  Buffer child;
  child.name = parent.name;
  child.parent = &parent;
  child.parent_at = at;
  child.caller = parent.caller;
  child.call_line = parent.call_line;
  child.depth = parent.depth + 1;
  return child;
}

SourceSpan locate(const Span& span) {
  SourceSpan result;
  if (span.buffer == nullptr) return result;
  const Buffer& buffer = *span.buffer;
  result.file = buffer.name;
  if (span.begin == nullptr) return result;
  const auto newlines = std::count(buffer.begin(), span.begin, '\n');
  result.line = buffer.first_line + static_cast<std::uint32_t>(newlines);
  const char* line_begin = span.begin;
  while (line_begin != buffer.begin() && line_begin[-1] != '\n') --line_begin;
  const char* line_end = std::find(span.begin, buffer.end(), '\n');
  result.column = static_cast<std::uint32_t>(span.begin - line_begin) + 1;
  const std::ptrdiff_t length = std::min(span.end, line_end) - span.begin;
  result.length = static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(length, 1));
  result.text.assign(line_begin, line_end);
  if (!result.text.empty() && result.text.back() == '\r') result.text.pop_back();
  return result;
}

std::vector<DiagnosticNote> origin_notes(const Buffer& buffer) {
  constexpr std::size_t shown = 3;  // innermost ones; the outermost is always shown
  std::vector<DiagnosticNote> notes;
  std::size_t left_out = 0;
  for (const Buffer* at = &buffer; at->parent != nullptr; at = at->parent) {
    const char* end = std::find_if(at->parent_at, at->parent->end(),
                                   [](char c) { return c == '\n' || c == '#' || c == ';'; });
    while (end != at->parent_at && (end[-1] == ' ' || end[-1] == '\t')) --end;
    const std::string message =
        at->origin.empty() ? "included here" : fmt::format("in {} expanded here", at->origin);
    if (notes.size() >= shown && at->parent->parent != nullptr) {
      ++left_out;
      continue;
    }
    notes.push_back({message, locate({at->parent, at->parent_at, end})});
  }
  if (left_out != 0) notes.back().message += fmt::format(" ({} steps left out)", left_out);
  return notes;
}

}  // namespace tandem::assembly
