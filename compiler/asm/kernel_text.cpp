#include "compiler/asm/kernel_text.hpp"

#include <fmt/format.h>

#include "assembler/lexer.hpp"
#include "assembler/quoted.hpp"
#include "isa/instructions.hpp"
#include "isa/source/buffer_table.hpp"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

namespace tandem::compiler {
namespace {

using assembly::is_identifier_part;

bool is_line_end(char c) { return c == '\n'; }

// The labels that the text defines: names before a colon at the beginning of a line.
llvm::StringSet<> labels_of(llvm::StringRef text) {
  llvm::StringSet<> labels;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (const llvm::StringRef line : lines) {
    const llvm::StringRef name = line.trim().take_while(is_identifier_part);
    if (!name.empty() && line.trim().drop_front(name.size()).starts_with(":")) labels.insert(name);
  }
  return labels;
}

// Whether the line is an operation of one of the units that touch VMEM: `[label:] [@p] [x =] vst`.
bool touches_memory(llvm::StringRef line) {
  line = line.trim();
  const llvm::StringRef label = line.take_while(is_identifier_part);
  if (line.drop_front(label.size()).starts_with(":"))
    line = line.drop_front(label.size() + 1).trim();
  if (line.starts_with("@")) line = line.drop_until([](char c) { return c == ' ' || c == '\t'; });
  const auto [left, right] = line.split('=');
  const bool writes = !right.empty() && !left.contains('[');
  const llvm::StringRef mnemonic = (writes ? right : line).trim().take_while(is_identifier_part);
  const Instruction* found = find_instruction(std::string_view(mnemonic));
  if (found == nullptr) return false;
  return found->group == Group::load || found->group == Group::store || found->group == Group::dma;
}

// Of the comment, string or character that begins here, in which nothing is a name; 0: none does.
std::size_t foreign_length(llvm::StringRef text) {
  if (text.starts_with("#") || text.starts_with("//")) return text.take_until(is_line_end).size();
  if (text.front() != '"' && text.front() != '\'') return 0;
  return static_cast<std::size_t>(assembly::skip_quoted(text.begin(), text.end()) - text.begin());
}

}  // namespace

std::string with_touches(llvm::StringRef text, std::uint32_t buffer) {
  if (buffer == no_buffer) return text.str();
  std::string out;
  while (!text.empty()) {
    const auto [line, rest] = text.split('\n');
    if (touches_memory(line)) out += fmt::format("        .touch {}, {}\n", buffer, buffer);
    out += line.str() + "\n";
    text = rest;
  }
  return out;
}

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
