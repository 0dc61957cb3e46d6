#include "compiler/asm/kernel_text.hpp"

#include "assembler/text/labels.hpp"
#include "assembler/text/lexer.hpp"
#include "assembler/text/quoted.hpp"
#include "llvm/ADT/StringSet.h"

namespace tandem::compiler {
namespace {

using assembly::is_identifier_part;

bool is_line_end(char c) { return c == '\n'; }

// The labels that the text defines.
llvm::StringSet<> labels_of(llvm::StringRef text) {
  llvm::StringSet<> labels;
  while (!text.empty()) {
    const auto [first, rest] = text.split('\n');
    std::string_view line = first;
    while (const auto label = assembly::take_label(line)) labels.insert(*label);
    text = rest;
  }
  return labels;
}

// The length of the comment, string or character literal that begins here, in which nothing is a
// name; 0: none begins here.
std::size_t foreign_length(llvm::StringRef text) {
  if (text.starts_with("#") || text.starts_with("//")) return text.take_until(is_line_end).size();
  if (text.front() != '"' && text.front() != '\'') return 0;
  return static_cast<std::size_t>(assembly::skip_quoted(text.begin(), text.end()) - text.begin());
}

}  // namespace

std::string renamed(llvm::StringRef text, const std::string& prefix) {
  const llvm::StringSet<> labels = labels_of(text);
  std::string out;
  while (!text.empty()) {
    if (const std::size_t length = foreign_length(text); length != 0) {
      out += text.take_front(length).str();
      text = text.drop_front(length);
      continue;
    }
    const bool is_virtual = text.front() == '%';
    if (!is_virtual && !is_identifier_part(text.front())) {
      out += text.front();
      text = text.drop_front();
      continue;
    }
    const llvm::StringRef name = text.drop_front(is_virtual ? 1 : 0).take_while(is_identifier_part);
    out += is_virtual ? "%" : "";
    if (is_virtual || labels.contains(name)) out += prefix;
    out += name.str();
    text = text.drop_front(name.size() + (is_virtual ? 1 : 0));
  }
  return out;
}

}  // namespace tandem::compiler
