// Finding the end of a block without reading its contents.
#pragma once

#include <initializer_list>
#include <string_view>

#include "assembler/text/lexer.hpp"

namespace tandem::assembly {

struct BlockLine {
  const char* begin = nullptr;  // of the line; nullptr: the text ended first
  const char* word = nullptr;   // of the directive that was searched for
  std::string_view directive;
};

// Searches, from the line at `from` on, for the first line that begins with one of `wanted`,
// outside of inner blocks that run from `open` to `close`.
BlockLine find_block_line(const Buffer& buffer, const char* from, std::string_view open,
                          std::string_view close, std::initializer_list<std::string_view> wanted);

}  // namespace tandem::assembly
