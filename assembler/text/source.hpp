// The texts an assembly reads: files, and what macros and repetitions expand to.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "isa/object/diagnostic.hpp"

namespace tandem::assembly {

// One text. It lives as long as the assembly, so views and positions into it stay valid.
struct Buffer {
  std::string name;                 // of the file
  std::string storage;              // the text, unless it belongs to the caller
  std::string_view text;            // followed by a zero byte; set by Sources::add()
  std::uint32_t first_line = 1;     // line of the file at which this text starts
  const Buffer* parent = nullptr;   // the text that caused this one to be read; nullptr: the first
  const char* parent_at = nullptr;  // where in the parent
  std::string origin;               // "macro `load`"; "" for an included file
  const Buffer* caller = nullptr;   // the text with the innermost macro call around this one
  std::uint32_t call_line = 0;      // where in it; 0: in no macro
  std::uint32_t depth = 0;          // number of parents

  [[nodiscard]] const char* begin() const { return text.data(); }
  [[nodiscard]] const char* end() const { return text.data() + text.size(); }
};

// An empty text caused by a place in `parent`.
Buffer child_of(const Buffer& parent, const char* at);

// A piece of a text, for diagnostics.
struct Span {
  const Buffer* buffer = nullptr;
  const char* begin = nullptr;
  const char* end = nullptr;
};

inline Span join(const Span& first, const Span& last) {
  return {first.buffer, first.begin, last.end};
}

class Sources {
 public:
  // Takes over a text; one without `text` is what its `storage` holds.
  Buffer& add(Buffer buffer) {
    Buffer& kept = buffers_.emplace_back(std::move(buffer));
    if (kept.text.data() == nullptr) kept.text = kept.storage;
    return kept;
  }

 private:
  std::deque<Buffer> buffers_;
};

// File, line, column and text of a place.
SourceSpan locate(const Span& span);
// The chain of expansions and includes that led to a place, innermost first.
std::vector<DiagnosticNote> origin_notes(const Buffer& buffer);

}  // namespace tandem::assembly
