#include "compiler/asm/kernel_text.hpp"

#include <cctype>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

namespace tandem::compiler {
namespace {

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$';
}

// The labels that the text defines: names before a colon at the beginning of a line.
llvm::StringSet<> labels_of(llvm::StringRef text) {
  llvm::StringSet<> labels;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (const llvm::StringRef line : lines) {
    const llvm::StringRef name = line.trim().take_while(is_name);
    if (!name.empty() && line.trim().drop_front(name.size()).starts_with(":")) labels.insert(name);
  }
  return labels;
}

}  // namespace

std::string renamed(llvm::StringRef text, const std::string& prefix) {
  const llvm::StringSet<> labels = labels_of(text);
  std::string out;
  while (!text.empty()) {
    if (text.front() == '"') {  // the name of a file
      const std::size_t end = text.find('"', 1);
      const std::size_t length = end == llvm::StringRef::npos ? text.size() : end + 1;
      out += text.take_front(length).str();
      text = text.drop_front(length);
      continue;
    }
    const bool is_virtual = text.front() == '%';
    if (!is_virtual && !is_name(text.front())) {
      out += text.front();
      text = text.drop_front();
      continue;
    }
    const llvm::StringRef name = text.drop_front(is_virtual ? 1 : 0).take_while(is_name);
    out += is_virtual ? "%" : "";
    if (is_virtual || labels.contains(name)) out += prefix;
    out += name.str();
    text = text.drop_front(name.size() + (is_virtual ? 1 : 0));
  }
  return out;
}

}  // namespace tandem::compiler
